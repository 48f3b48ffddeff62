//! What the world is made of, and what an action does.

/// What a cell is. The numbers are those of the map's four bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Terrain {
    /// Not seen yet. Only in a map that is being drawn.
    #[default]
    Unknown = 0,
    /// Whoever steps into it is dead.
    Precipice = 1,
    /// Nobody gets in; bumping into it costs as much as a step.
    Wall = 2,
    /// Dear without a bikini.
    Water = 3,
    /// Dear without shoes.
    Forest = 4,
    /// Sand.
    Sand = 5,
    /// Stone ground, the cheapest.
    Stone = 6,
    /// Whoever steps on it has a bikini from then on.
    Bikini = 7,
    /// Whoever steps on it has shoes from then on.
    Shoes = 8,
    /// Charges the battery.
    Charger = 9,
}

impl Terrain {
    /// Every terrain, in the order of its number.
    pub const ALL: [Self; 10] = [
        Self::Unknown,
        Self::Precipice,
        Self::Wall,
        Self::Water,
        Self::Forest,
        Self::Sand,
        Self::Stone,
        Self::Bikini,
        Self::Shoes,
        Self::Charger,
    ];
    const LETTERS: [u8; 10] = *b"?PMABTSKDX";

    /// The terrain with a number.
    #[inline]
    pub const fn from_code(code: u8) -> Option<Self> {
        if (code as usize) < Self::ALL.len() { Some(Self::ALL[code as usize]) } else { None }
    }

    /// The terrain that a map file writes with this letter.
    pub fn from_letter(letter: u8) -> Option<Self> {
        Self::LETTERS.iter().position(|&known| known == letter).map(|place| Self::ALL[place])
    }

    /// Its letter in a map file.
    pub const fn letter(self) -> char {
        Self::LETTERS[self as usize] as char
    }

    /// Whether somebody can stand on it. An unknown cell may turn out to be anything.
    #[inline]
    pub const fn is_passable(self) -> bool {
        !matches!(self, Self::Precipice | Self::Wall)
    }

    /// What stepping onto it gives.
    #[inline]
    pub const fn gift(self) -> Outfit {
        match self {
            Self::Bikini => Outfit::BIKINI,
            Self::Shoes => Outfit::SHOES,
            _ => Outfit::NONE,
        }
    }

    /// The battery that an action started on it takes.
    #[inline]
    pub const fn cost(self, outfit: Outfit) -> u16 {
        match self {
            Self::Water if outfit.has(Outfit::BIKINI) => 10,
            Self::Water => 100,
            Self::Forest if outfit.has(Outfit::SHOES) => 5,
            Self::Forest => 50,
            Self::Sand => 2,
            _ => 1,
        }
    }
}

/// What the player wears. Two bits: bikini 1, shoes 2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outfit(u8);

impl Outfit {
    /// Neither.
    pub const NONE: Self = Self(0);
    /// Cheap in water.
    pub const BIKINI: Self = Self(1);
    /// Cheap in forest.
    pub const SHOES: Self = Self(2);
    /// All four.
    pub const ALL: [Self; 4] = [Self(0), Self(1), Self(2), Self(3)];

    /// The outfit with these two bits.
    #[inline]
    pub const fn from_bits(bits: u8) -> Self {
        Self(bits & 3)
    }

    /// Its two bits.
    #[inline]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Both together.
    #[inline]
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether all of `other` is in it.
    #[inline]
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

/// Where the player looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Heading {
    /// Towards row 0.
    #[default]
    North = 0,
    /// Towards larger columns.
    East = 1,
    /// Towards larger rows.
    South = 2,
    /// Towards column 0.
    West = 3,
}

impl Heading {
    /// All four, clockwise.
    pub const ALL: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];

    /// The heading whose number has these low two bits.
    #[inline]
    pub const fn from_bits(bits: u8) -> Self {
        Self::ALL[(bits & 3) as usize]
    }

    /// After a quarter turn to the left.
    #[inline]
    #[must_use]
    pub const fn left(self) -> Self {
        Self::from_bits(self as u8 + 3)
    }

    /// After a quarter turn to the right.
    #[inline]
    #[must_use]
    pub const fn right(self) -> Self {
        Self::from_bits(self as u8 + 1)
    }

    /// The cell `ahead` cells ahead and `aside` cells to the right, as (rows, columns) to add.
    #[inline]
    pub const fn offset(self, ahead: i8, aside: i8) -> (i8, i8) {
        match self {
            Self::North => (-ahead, aside),
            Self::East => (aside, ahead),
            Self::South => (ahead, -aside),
            Self::West => (-aside, -ahead),
        }
    }
}

/// A cell of the map, row 0 in the north.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Row.
    pub row: u8,
    /// Column.
    pub column: u8,
}

impl Place {
    /// A cell.
    pub const fn new(row: u8, column: u8) -> Self {
        Self { row, column }
    }

    /// The cell that lies there, ahead and to the right. Beyond the edge it wraps: the frame keeps everybody away.
    #[inline]
    #[must_use]
    pub const fn towards(self, heading: Heading, ahead: i8, aside: i8) -> Self {
        let (rows, columns) = heading.offset(ahead, aside);
        Self { row: self.row.wrapping_add_signed(rows), column: self.column.wrapping_add_signed(columns) }
    }
}

/// What the player can do in a tick. The numbers are those of the wire and of the original program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Action {
    /// A step ahead.
    Forward = 0,
    /// A quarter turn to the left.
    Left = 1,
    /// A quarter turn to the right.
    Right = 2,
    /// Nothing.
    #[default]
    Idle = 3,
}

impl Action {
    /// All four, in the order of their numbers.
    pub const ALL: [Self; 4] = [Self::Forward, Self::Left, Self::Right, Self::Idle];

    /// The action with a number.
    pub const fn from_code(code: u8) -> Option<Self> {
        if code < 4 { Some(Self::ALL[code as usize]) } else { None }
    }

    /// Its letter in recordings: F, L, R or I.
    pub const fn letter(self) -> char {
        ['F', 'L', 'R', 'I'][self as usize]
    }

    /// The action with a letter.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|action| action.letter() == letter)
    }
}

/// The full battery, and the player's at the start.
pub const FULL_BATTERY: u16 = 3000;
/// Ticks of a game.
pub const LIFETIME: u16 = 3000;
/// What a charger gives for a tick.
pub const CHARGE: u16 = 10;

/// The player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Player {
    /// Where it stands.
    pub place: Place,
    /// Where it looks.
    pub heading: Heading,
    /// What it has left.
    pub battery: u16,
    /// What it wears.
    pub outfit: Outfit,
}

/// What became of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// It was done.
    Done,
    /// Somebody stands there: no move, and nothing to pay.
    Occupied,
    /// A wall stands there: no move.
    Wall,
    /// The player fell.
    Fell,
    /// There was not enough battery left: it is empty now and nothing was done.
    Exhausted,
}

impl Player {
    /// Does an action on the cell `here`, with `ahead` ahead and `occupied` if somebody stands there. Gives what became
    /// of it and the battery still to be taken: the original takes it after the villagers have moved.
    pub fn act(&mut self, action: Action, here: Terrain, ahead: Terrain, occupied: bool) -> (Event, u16) {
        // The check uses what was worn before the action, the price what is worn after it.
        if action != Action::Idle && here.cost(self.outfit) > self.battery {
            self.battery = 0;
            return (Event::Exhausted, 0);
        }
        match action {
            Action::Idle => {
                self.charge_on(here);
                (Event::Done, 0)
            }
            Action::Left | Action::Right => {
                self.heading = if action == Action::Left { self.heading.left() } else { self.heading.right() };
                self.charge_on(here);
                (Event::Done, here.cost(self.outfit))
            }
            // An occupied cell is not entered, whatever it is, and the attempt is free.
            Action::Forward if occupied => (Event::Occupied, 0),
            Action::Forward => match ahead {
                Terrain::Wall => (Event::Wall, here.cost(self.outfit)),
                Terrain::Precipice => (Event::Fell, here.cost(self.outfit)),
                _ => {
                    self.place = self.place.towards(self.heading, 1, 0);
                    self.outfit = self.outfit.with(ahead.gift());
                    self.charge_on(ahead);
                    (Event::Done, here.cost(self.outfit))
                }
            },
        }
    }

    fn charge_on(&mut self, terrain: Terrain) {
        if terrain == Terrain::Charger {
            self.battery = (self.battery + CHARGE).min(FULL_BATTERY);
        }
    }

    /// Pays what [`Player::act`] said.
    pub fn pay(&mut self, price: u16) {
        self.battery = self.battery.saturating_sub(price);
    }
}
