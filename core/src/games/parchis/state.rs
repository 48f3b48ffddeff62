//! The position: its parts, its bytes on the line, what makes it valid.

use core::fmt;
use core::num::NonZeroU8;

use heapless::Vec;

use super::geometry::{self, ALL_ITEMS, GOAL, HOME, ITEMS, RING};
use crate::games::StateError;

/// Pieces on the board: three of each colour.
pub const PIECES: usize = 12;
/// Traps there is room for. A game has four bananas; the recordings know states with eight.
pub const TRAPS: usize = 8;
/// The most that [`State::encode`] gives: 48 for the pieces, 49 for the items, 9 for the traps, 2 · 10 for the dice, 8.
pub const STATE_BYTES: usize = 134;
/// Turns left are kept in four bits. The rules never give more than six.
const MOST_LEFT: u8 = 15;
/// The bounce after this one loses the game.
pub(super) const BOUNCES: u8 = 30;

/// The colours, in the order in which the pieces on a square are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Colour {
    /// J2's main colour.
    Blue = 0,
    /// J1's second colour.
    Red = 1,
    /// J2's second colour.
    Green = 2,
    /// J1's main colour.
    Yellow = 3,
}

impl Colour {
    /// The four colours, in the order of their numbers.
    pub const ALL: [Self; 4] = [Self::Blue, Self::Red, Self::Green, Self::Yellow];

    /// Whose colour it is.
    pub const fn owner(self) -> Player {
        match self {
            Self::Yellow | Self::Red => Player::J1,
            Self::Blue | Self::Green => Player::J2,
        }
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Blue => "blue",
            Self::Red => "red",
            Self::Green => "green",
            Self::Yellow => "yellow",
        }
    }
}

/// The two players. J1 has yellow and red and starts, J2 has blue and green.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Player {
    /// Yellow and red.
    J1 = 0,
    /// Blue and green.
    J2 = 1,
}

impl Player {
    /// The opponent.
    #[must_use]
    #[inline]
    pub const fn other(self) -> Self {
        match self {
            Self::J1 => Self::J2,
            Self::J2 => Self::J1,
        }
    }

    /// The player's main colour, then the other one.
    pub const fn colours(self) -> [Colour; 2] {
        match self {
            Self::J1 => [Colour::Yellow, Colour::Red],
            Self::J2 => [Colour::Blue, Colour::Green],
        }
    }
}

/// One of the twelve pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece(pub(super) u8);

impl Piece {
    /// A colour's piece 0, 1 or 2.
    pub const fn new(colour: Colour, id: u8) -> Option<Self> {
        if id < 3 { Some(Self(colour as u8 * 3 + id)) } else { None }
    }

    /// All of them, in the order in which a square is looked at.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..PIECES as u8).map(Self)
    }

    /// Its colour.
    pub const fn colour(self) -> Colour {
        Colour::ALL[((self.0 / 3) & 3) as usize]
    }

    /// Its number within the colour.
    pub const fn id(self) -> u8 {
        self.0 % 3
    }
}

/// Where a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// A square of the ring, 1 to 68.
    Ring(u8),
    /// At home.
    Home,
    /// A square of its colour's corridor, 1 to 7.
    Corridor(u8),
    /// In the goal.
    Goal,
}

/// What a piece is for the time being.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Condition {
    /// Nothing special.
    Normal = 0,
    /// Invincible: two steps more, and it sends home what it passes.
    Star = 1,
    /// A ghost: passes everything and is touched by nothing.
    Boo = 2,
    /// Two squares long: crushes what it lands on, and nothing passes it.
    Mega = 3,
    /// Shrunk: half the steps, it neither blocks nor eats.
    Small = 4,
    /// Slipped on a banana: does not move.
    Bananed = 5,
}

impl Condition {
    /// By the numbers of the recordings.
    const BY_CODE: [Self; 6] = [Self::Star, Self::Boo, Self::Mega, Self::Small, Self::Normal, Self::Bananed];

    /// The number that the recordings give it.
    pub const fn code(self) -> u8 {
        match self {
            Self::Star => 0,
            Self::Boo => 1,
            Self::Mega => 2,
            Self::Small => 3,
            Self::Normal => 4,
            Self::Bananed => 5,
        }
    }

    /// By the number that the recordings give it.
    pub const fn from_code(code: u8) -> Option<Self> {
        if code < 6 { Some(Self::BY_CODE[code as usize]) } else { None }
    }

    #[inline]
    pub(super) const fn of(mode: u8) -> Self {
        match mode & 7 {
            1 => Self::Star,
            2 => Self::Boo,
            3 => Self::Mega,
            4 => Self::Small,
            5 => Self::Bananed,
            _ => Self::Normal,
        }
    }

    /// The byte in which the state keeps a condition and its turns left.
    #[inline]
    pub(super) const fn for_turns(self, left: u8) -> u8 {
        left << 3 | self as u8
    }
}

/// The special dice. Their numbers plus 100 are those of the recordings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Special {
    /// The piece becomes a star.
    Star = 1,
    /// The piece becomes a ghost, and the opponent's last special die changes hands.
    Boo = 2,
    /// 40 steps over everything, to a free square.
    Bullet = 3,
    /// Sends home the nearest piece ahead.
    RedShell = 4,
    /// Sends home the piece nearest to its goal.
    BlueShell = 5,
    /// 8 steps over everything, to a free square.
    Mushroom = 6,
    /// The piece becomes mega.
    MegaMushroom = 7,
    /// Shrinks every other colour.
    Lightning = 8,
    /// Sends home what is within two squares; in the hand it stops a shell.
    Horn = 9,
    /// Leaves a trap on the piece's square.
    Banana = 10,
}

impl Special {
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; 10] = [
        Self::Star,
        Self::Boo,
        Self::Bullet,
        Self::RedShell,
        Self::BlueShell,
        Self::Mushroom,
        Self::MegaMushroom,
        Self::Lightning,
        Self::Horn,
        Self::Banana,
    ];

    #[inline]
    pub(super) const fn new(number: u8) -> Option<Self> {
        if number >= 1 && number <= 10 { Some(Self::ALL[number as usize - 1]) } else { None }
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Star => "star",
            Self::Boo => "boo",
            Self::Bullet => "bullet",
            Self::RedShell => "red shell",
            Self::BlueShell => "blue shell",
            Self::Mushroom => "mushroom",
            Self::MegaMushroom => "mega-mushroom",
            Self::Lightning => "lightning",
            Self::Horn => "horn",
            Self::Banana => "banana",
        }
    }
}

/// A die: 1, 2, 4, 5 or 6, the forced 10 or 20, or a special one.
///
/// Never zero inside, so that "a move or none" fits a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Die(NonZeroU8);

impl Die {
    const CODES: [u8; 7] = [1, 2, 4, 5, 6, 10, 20];
    pub(super) const FIVE: Self = Self::at(3);
    pub(super) const SIX: Self = Self::at(4);
    pub(super) const TEN: Self = Self::at(5);
    pub(super) const TWENTY: Self = Self::at(6);

    /// By its place among 1, 2, 4, 5, 6, 10, 20 and the special dice.
    #[inline]
    pub(super) const fn at(place: u8) -> Self {
        Self(NonZeroU8::MIN.saturating_add(place))
    }

    /// See [`Die::at`].
    #[inline]
    pub(super) const fn place(self) -> u8 {
        self.0.get() - 1
    }

    /// By the number that the recordings give it: 1 to 20, special dice 101 to 110.
    pub fn from_code(code: u8) -> Option<Self> {
        if let Some(special) = code.checked_sub(100).and_then(Special::new) {
            return Some(Self::of(special));
        }
        Self::CODES.iter().position(|&known| known == code).map(|at| Self::at(at as u8))
    }

    /// The number that the recordings give it.
    pub const fn code(self) -> u8 {
        match self.special() {
            Some(special) => special as u8 + 100,
            None => Self::CODES[self.place() as usize % 7],
        }
    }

    #[inline]
    pub(super) const fn of(special: Special) -> Self {
        Self::at(special as u8 + Self::TWENTY.place())
    }

    /// What a special die is.
    #[inline]
    pub const fn special(self) -> Option<Special> {
        Special::new(self.place().wrapping_sub(Self::TWENTY.place()))
    }

    #[inline]
    pub(super) const fn is_special(self) -> bool {
        self.place() > Self::TWENTY.place()
    }
}

impl fmt::Display for Die {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.special() {
            Some(special) => f.write_str(special.name()),
            None => self.code().fmt(f),
        }
    }
}

/// What a player holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Dice {
    /// Bit `i` is the `i`-th of 1, 2, 4, 5, 6.
    pub(super) normal: u8,
    /// The numbers of up to two special dice in the order in which they came, 0 where there is none.
    pub(super) hand: [u8; 2],
}

impl Dice {
    pub(super) const ALL_NORMAL: u8 = 0b1_1111;
    pub(super) const FULL: Self = Self { normal: Self::ALL_NORMAL, hand: [0; 2] };

    #[inline]
    pub(super) const fn has_room(self) -> bool {
        self.hand[1] == 0
    }

    /// Puts a die behind the others. With a full hand nothing happens.
    #[inline]
    pub(super) fn take(&mut self, special: Special) {
        if self.hand[0] == 0 {
            self.hand[0] = special as u8;
        } else if self.hand[1] == 0 {
            self.hand[1] = special as u8;
        }
    }

    /// Takes the first of this kind away, if there is one.
    #[inline]
    pub(super) fn drop_first(&mut self, special: Special) -> bool {
        if self.hand[0] == special as u8 {
            self.hand = [self.hand[1], 0];
            true
        } else if self.hand[1] == special as u8 {
            self.hand[1] = 0;
            true
        } else {
            false
        }
    }

    /// Takes the last die away.
    #[inline]
    pub(super) fn drop_last(&mut self) -> Option<Special> {
        let slot = usize::from(self.hand[1] != 0);
        let special = Special::new(self.hand[slot]);
        self.hand[slot] = 0;
        special
    }
}

/// The last action ate a piece: the player to act has a 20.
pub(super) const EAT: u8 = 1;
/// The last action brought a piece into the goal: the player to act has a 10.
pub(super) const ARRIVED: u8 = 2;
/// A six is remembered: the player to act goes on after a 10 or a 20.
pub(super) const SIX: u8 = 4;
/// The last normal die met a trap.
pub(super) const BANANED: u8 = 8;
/// J2 is to act.
pub(super) const TURN: u8 = 16;
/// The game is over; [`WINNER`] says who won.
pub(super) const OVER: u8 = 32;
/// Set if J2 has won.
pub(super) const WINNER: u8 = 64;
/// The loser has bounced too often.
pub(super) const OVERBOUNCE: u8 = 128;

/// A position.
///
/// 48 bytes, copied for every node of a search. What stands on a square is found by comparing all twelve cells at once
/// (`State::on`), so that there is no board to keep in step.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(C, align(4))]
pub struct State {
    /// Where the pieces are; see [`geometry`].
    pub(super) cells: [u8; PIECES],
    /// What they are: a [`Condition`] in three bits, the turns left above.
    pub(super) modes: [u8; PIECES],
    /// Items that nobody has taken yet.
    pub(super) items: u32,
    /// Ring squares with a trap, the oldest first, 0 where there is none.
    pub(super) traps: [u8; TRAPS],
    /// Bounces off the goal, by colour.
    pub(super) bounces: [u8; 4],
    /// What J1 and J2 hold.
    pub(super) dice: [Dice; 2],
    /// The flags above.
    pub(super) flags: u8,
    /// Always 0; makes the size a whole number of words.
    pub(super) spare: u8,
}

impl State {
    /// The start of every game.
    pub const fn start() -> Self {
        Self {
            cells: [21, 30, 34, 38, 47, 51, 55, 64, 68, 4, 13, 17],
            modes: [0; PIECES],
            items: ALL_ITEMS,
            traps: [0; TRAPS],
            bounces: [0; 4],
            dice: [Dice::FULL; 2],
            flags: 0,
            spare: 0,
        }
    }

    /// Whose turn it is.
    #[inline]
    pub const fn turn(&self) -> Player {
        if self.flags & TURN == 0 { Player::J1 } else { Player::J2 }
    }

    /// Whether somebody has won.
    #[inline]
    pub const fn is_over(&self) -> bool {
        self.flags & OVER != 0
    }

    /// Who has won.
    #[inline]
    pub const fn winner(&self) -> Option<Player> {
        match self.flags & (OVER | WINNER) {
            0 | WINNER => None,
            OVER => Some(Player::J1),
            _ => Some(Player::J2),
        }
    }

    /// Who has lost by bouncing off the goal too often.
    pub const fn overbounce(&self) -> Option<Player> {
        match self.winner() {
            Some(winner) if self.flags & OVERBOUNCE != 0 => Some(winner.other()),
            _ => None,
        }
    }

    /// Whether the last action ate, brought a piece home to the goal, is the echo of a six, met a trap.
    pub const fn last_action(&self) -> [bool; 4] {
        [self.flags & EAT != 0, self.flags & ARRIVED != 0, self.flags & SIX != 0, self.flags & BANANED != 0]
    }

    /// Where a piece is.
    pub fn place(&self, piece: Piece) -> Place {
        match geometry::progress(piece.colour() as u8, self.cells[usize::from(piece.0) % PIECES]) {
            HOME => Place::Home,
            GOAL => Place::Goal,
            progress if progress > RING => Place::Corridor(progress - RING),
            _ => Place::Ring(self.cells[usize::from(piece.0) % PIECES]),
        }
    }

    /// Steps that a piece has to walk to its goal, 74 from home.
    pub fn distance_to_goal(&self, piece: Piece) -> u8 {
        let cell = self.cells[usize::from(piece.0) % PIECES];
        geometry::distance_to_goal(geometry::progress(piece.colour() as u8, cell))
    }

    /// What a piece is, and for how many more of its player's actions.
    pub fn condition(&self, piece: Piece) -> (Condition, u8) {
        let mode = self.modes[usize::from(piece.0) % PIECES];
        (Condition::of(mode), mode >> 3)
    }

    /// Special dice on the board, with their squares.
    pub fn items(&self) -> impl Iterator<Item = (u8, Special)> {
        let items = self.items;
        ITEMS.into_iter().enumerate().filter(move |&(at, _)| items >> at & 1 != 0).map(|(_, item)| item)
    }

    /// Squares with a trap, the oldest first.
    pub fn traps(&self) -> impl Iterator<Item = u8> {
        self.traps.into_iter().take_while(|&square| square != 0)
    }

    /// A player's normal dice that are not used up.
    pub fn normal_dice(&self, player: Player) -> impl DoubleEndedIterator<Item = Die> {
        let normal = self.dice[player as usize].normal;
        (0..5).filter(move |die| normal >> die & 1 != 0).map(Die::at)
    }

    /// A player's special dice, in the order in which they came.
    pub fn hand(&self, player: Player) -> impl DoubleEndedIterator<Item = Special> {
        self.dice[player as usize].hand.into_iter().filter_map(Special::new)
    }

    /// The die that the player to act has to use, if there is one.
    #[inline]
    pub const fn forced(&self) -> Option<Die> {
        if self.flags & EAT != 0 {
            Some(Die::TWENTY)
        } else if self.flags & ARRIVED != 0 {
            Some(Die::TEN)
        } else {
            None
        }
    }

    /// How often a colour has bounced off its goal.
    pub const fn bounces(&self, colour: Colour) -> u8 {
        self.bounces[colour as usize]
    }

    /// The pieces on a cell other than home, as bits in the order in which a square is looked at.
    #[inline]
    pub(super) fn on(&self, cell: u8) -> u16 {
        equal_bytes(&self.cells, cell)
    }

    /// Whether nobody is on a cell other than home.
    #[inline]
    pub(super) fn is_empty(&self, cell: u8) -> bool {
        let pattern = u32::from(cell) * 0x0101_0101;
        let chunks = self.cells.as_chunks::<4>().0.iter();
        // See `equal_bytes`: the highest bit of a byte stays clear where the cells are equal.
        let different =
            chunks.fold(u32::MAX, |all, chunk| all & (u32::from_le_bytes(*chunk) ^ pattern).wrapping_add(0x7F7F_7F7F));
        different & 0x8080_8080 == 0x8080_8080
    }

    /// Whether a cell is that of one piece alone.
    #[inline]
    pub(super) fn is_alone(&self, cell: u8) -> bool {
        let pattern = u32::from(cell) * 0x0101_0101;
        let chunks = self.cells.as_chunks::<4>().0.iter();
        // See `equal_bytes`. Every byte counts the equal cells of its column.
        let count = chunks.fold(0, |count, chunk| {
            let different = (u32::from_le_bytes(*chunk) ^ pattern).wrapping_add(0x7F7F_7F7F);
            count + (!different >> 7 & 0x0101_0101)
        });
        count.is_power_of_two() && count & 0x0202_0202 == 0
    }

    /// The ring square that two pieces of a colour share, or 0.
    #[inline]
    pub(super) fn ring_pair(&self, colour: usize) -> u8 {
        let [a, b, c] = self.cells.as_chunks().0[colour & 3];
        let square = if a == b || a == c {
            a
        } else if b == c {
            b
        } else {
            return 0;
        };
        if square <= RING { square } else { 0 }
    }

    /// Where either player's pieces are.
    #[inline]
    pub(super) const fn teams(&self) -> [[u8; 6]; 2] {
        let [blue_0, blue_1, blue_2, red_0, red_1, red_2, green_0, green_1, green_2, yellow_0, yellow_1, yellow_2] =
            self.cells;
        [[red_0, red_1, red_2, yellow_0, yellow_1, yellow_2], [blue_0, blue_1, blue_2, green_0, green_1, green_2]]
    }

    /// How many of a player's pieces are on the ring up to so many squares behind a ring square.
    pub(super) fn close_behind(&self, player: usize, square: u8, most: u8) -> i32 {
        let [first, second] = self.teams();
        let cells = if player == 0 { first } else { second };
        cells.into_iter().map(|cell| i32::from(geometry::is_close_behind(cell, square, most))).sum()
    }

    /// Visits the pieces that are not normal, with their cells and the bytes in which their conditions are kept.
    #[inline]
    pub(super) fn each_special(&self, mut visit: impl FnMut(usize, u8, u8)) {
        for (word, modes) in self.modes.as_chunks::<4>().0.iter().enumerate() {
            let modes = u32::from_le_bytes(*modes);
            let mut left = modes & 0x0707_0707;
            while left != 0 {
                let bit = left.trailing_zeros() & 0b1_1000;
                left &= !(7 << bit);
                let at = 4 * word + bit as usize / 8;
                visit(at, self.cells.get(at).map_or(HOME, |&cell| cell), (modes >> bit) as u8);
            }
        }
    }

    /// The pieces in a condition.
    #[inline]
    pub(super) fn being(&self, condition: Condition) -> u16 {
        let mut conditions = self.modes;
        for mode in &mut conditions {
            *mode &= 7;
        }
        equal_bytes(&conditions, condition as u8)
    }

    /// The bytes that the line carries and that [`State::hash`] is made of.
    ///
    /// Per piece (colours blue, red, green, yellow, pieces 0 to 2) kind of place, number, condition, turns left; number
    /// of items, each as die and square; number of traps and their squares; for either player number of normal dice and
    /// the dice, number of special dice and the dice, forced die or 0; player to act; flags; four bounce counters; who
    /// has bounced too often, plus one; winner plus one.
    pub fn encode(&self) -> Vec<u8, STATE_BYTES> {
        let mut bytes = Vec::new();
        for piece in Piece::all() {
            let (kind, number) = match self.place(piece) {
                Place::Ring(square) => (0, square),
                Place::Home => (1, 0),
                Place::Corridor(number) => (2, number),
                Place::Goal => (3, 0),
            };
            let (condition, left) = self.condition(piece);
            bytes.extend([kind, number, condition.code(), left]);
        }
        bytes.extend([self.items.count_ones() as u8]);
        bytes.extend(self.items().flat_map(|(square, special)| [special as u8 + 100, square]));
        bytes.extend([self.traps().count() as u8]);
        bytes.extend(self.traps());
        for player in [Player::J1, Player::J2] {
            bytes.extend([self.normal_dice(player).count() as u8]);
            bytes.extend(self.normal_dice(player).map(Die::code));
            bytes.extend([self.hand(player).count() as u8]);
            bytes.extend(self.hand(player).map(|special| special as u8 + 100));
            bytes.extend([self.forced().filter(|_| player == self.turn()).map_or(0, Die::code)]);
        }
        bytes.extend([self.turn() as u8, self.flags & (EAT | ARRIVED | SIX | BANANED)]);
        bytes.extend(self.bounces);
        let number = |player: Option<Player>| player.map_or(0, |player| player as u8 + 1);
        bytes.extend([number(self.overbounce()), number(self.winner())]);
        bytes
    }

    /// A position from the line: anything that is not one is refused.
    pub fn decode(bytes: &[u8]) -> Result<Self, StateError> {
        let mut reader = Reader { bytes };
        let mut state = Self { items: 0, ..Self::start() };
        for piece in Piece::all() {
            let [kind, number, condition, left] = reader.take()?;
            let progress = match (kind, number) {
                (0, 1..=RING) => geometry::progress(piece.colour() as u8, number),
                (1, 0) => HOME,
                (2, 1..=7) => RING + number,
                (3, 0) => GOAL,
                _ => return Err(StateError::OutOfRange),
            };
            let condition = Condition::from_code(condition).ok_or(StateError::OutOfRange)?;
            if left > MOST_LEFT {
                return Err(StateError::OutOfRange);
            }
            state.cells[usize::from(piece.0)] = geometry::cell(piece.colour() as u8, progress);
            state.modes[usize::from(piece.0)] = condition.for_turns(left);
        }
        let mut last_item = 0;
        for _ in 0..reader.byte()? {
            let [die, square] = reader.take()?;
            if !(1..=RING).contains(&square) {
                return Err(StateError::OutOfRange);
            }
            let bit = geometry::item_bit(square);
            // Items lie where the game put them, or nowhere, and are listed in its order.
            if bit <= last_item || geometry::item_kind(bit) as u8 + 100 != die {
                return Err(StateError::Inconsistent);
            }
            state.items |= bit;
            last_item = bit;
        }
        let traps = reader.byte()?;
        for at in 0..traps {
            let square = reader.byte()?;
            if !(1..=RING).contains(&square) {
                return Err(StateError::OutOfRange);
            }
            *state.traps.get_mut(usize::from(at)).ok_or(StateError::Capacity)? = square;
        }
        let mut forced = [0; 2];
        for (dice, forced) in state.dice.iter_mut().zip(&mut forced) {
            (*dice, *forced) = reader.dice()?;
        }
        let [turn, flags] = reader.take()?;
        state.bounces = reader.take()?;
        let [overbounce, winner] = reader.take()?;
        if !reader.bytes.is_empty() {
            return Err(StateError::Malformed);
        }
        if turn > 1 || flags > 15 || overbounce > 2 || winner > 2 || state.bounces.iter().any(|&n| n > BOUNCES + 1) {
            return Err(StateError::OutOfRange);
        }
        state.flags = flags | if turn == 1 { TURN } else { 0 };
        state.settle(overbounce.checked_sub(1));
        let expected = state.winner().map_or(0, |player| player as u8 + 1);
        let due = state.forced().map_or(0, Die::code);
        let forced_as_due = forced[usize::from(turn)] == due && forced[usize::from(1 - turn)] == 0;
        if winner != expected || !forced_as_due || flags & (EAT | ARRIVED) == EAT | ARRIVED {
            return Err(StateError::Inconsistent);
        }
        state.validate()?;
        Ok(state)
    }

    /// Finds out whether the game is over. `overbounce` is the number of the player who bounced too often.
    fn settle(&mut self, overbounce: Option<u8>) {
        self.flags &= !(OVER | WINNER | OVERBOUNCE);
        if let Some(loser) = overbounce {
            self.flags |= OVER | OVERBOUNCE | if loser == 0 { WINNER } else { 0 };
            return;
        }
        // Two finished colours at once cannot come about; if they are sent, this order decides.
        for colour in [Colour::Yellow, Colour::Blue, Colour::Red, Colour::Green] {
            if self.has_finished(colour as u8) {
                self.flags |= OVER | if colour.owner() == Player::J2 { WINNER } else { 0 };
                return;
            }
        }
    }

    /// Whether all three pieces of a colour are in the goal.
    #[inline]
    pub(super) fn has_finished(&self, colour: u8) -> bool {
        let goal = geometry::cell(colour, GOAL);
        let first = usize::from(colour & 3) * 3;
        self.cells[first] == goal && self.cells[first + 1] == goal && self.cells[first + 2] == goal
    }

    /// Whether every piece is normal, with nothing left to run down.
    #[inline]
    pub(super) fn is_calm(&self) -> bool {
        self.modes.as_chunks::<4>().0.iter().fold(0, |all, chunk| all | u32::from_le_bytes(*chunk)) == 0
    }

    /// What the parts have to agree on.
    fn validate(&self) -> Result<(), StateError> {
        for colour in Colour::ALL {
            let lost = self.overbounce() == Some(colour.owner());
            if self.bounces(colour) > BOUNCES && !lost {
                return Err(StateError::Inconsistent);
            }
        }
        // Every banana can become a trap: there must be room for all of them.
        let bananas = self.items().map(|(_, special)| special);
        let bananas = bananas.chain(self.hand(Player::J1)).chain(self.hand(Player::J2));
        if bananas.filter(|&special| special == Special::Banana).count() + self.traps().count() > TRAPS {
            return Err(StateError::Capacity);
        }
        Ok(())
    }

    /// The hash of the recordings: 64-bit FNV-1a over [`State::encode`]. The search has another one.
    pub fn hash(&self) -> u64 {
        let mix = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(1_099_511_628_211);
        self.encode().iter().fold(1_469_598_103_934_665_603, mix)
    }
}

/// Which of twelve bytes below 128 equal `wanted`, as bits.
#[inline]
fn equal_bytes(bytes: &[u8; PIECES], wanted: u8) -> u16 {
    let pattern = u32::from(wanted) * 0x0101_0101;
    let mut mask = 0;
    for (at, chunk) in bytes.as_chunks::<4>().0.iter().enumerate() {
        // Bytes below 128: adding 127 sets the highest bit of every byte but zero, and nothing carries.
        let different = (u32::from_le_bytes(*chunk) ^ pattern).wrapping_add(0x7F7F_7F7F);
        let equal = !different >> 7 & 0x0101_0101;
        // Brings bits 0, 8, 16 and 24 together in the highest four.
        mask |= (equal.wrapping_mul(0x1020_4080) >> 28) << (4 * at);
    }
    mask as u16
}

/// Bytes still to be read.
struct Reader<'a> {
    bytes: &'a [u8],
}

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], StateError> {
        let (taken, rest) = self.bytes.split_first_chunk().ok_or(StateError::Malformed)?;
        self.bytes = rest;
        Ok(*taken)
    }

    fn byte(&mut self) -> Result<u8, StateError> {
        self.take().map(|[byte]| byte)
    }

    /// One player's dice and forced die.
    fn dice(&mut self) -> Result<(Dice, u8), StateError> {
        let mut dice = Dice { normal: 0, hand: [0; 2] };
        for _ in 0..self.byte()? {
            let code = self.byte()?;
            let die =
                Die::from_code(code).filter(|&die| die.place() <= Die::SIX.place()).ok_or(StateError::OutOfRange)?;
            // In ascending order, so that no die is there twice.
            if dice.normal >> die.place() != 0 {
                return Err(StateError::Inconsistent);
            }
            dice.normal |= 1 << die.place();
        }
        if dice.normal == 0 {
            return Err(StateError::Inconsistent);
        }
        let count = self.byte()?;
        for at in 0..count {
            let special = self.byte()?.checked_sub(100).and_then(Special::new).ok_or(StateError::OutOfRange)?;
            *dice.hand.get_mut(usize::from(at)).ok_or(StateError::Capacity)? = special as u8;
        }
        Ok((dice, self.byte()?))
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} to act", self.turn())?;
        for colour in Colour::ALL {
            write!(f, ", {}", colour.name())?;
            for id in 0..3 {
                let piece = Piece(colour as u8 * 3 + id);
                match self.place(piece) {
                    Place::Ring(square) => write!(f, " {square}")?,
                    Place::Home => write!(f, " home")?,
                    Place::Corridor(number) => write!(f, " c{number}")?,
                    Place::Goal => write!(f, " goal")?,
                }
                match self.condition(piece) {
                    (Condition::Normal, _) => {}
                    (condition, left) => write!(f, "({condition:?} {left})")?,
                }
            }
        }
        for player in [Player::J1, Player::J2] {
            let Dice { normal, hand } = self.dice[player as usize];
            write!(f, ", {player:?} dice {normal:05b} hand {hand:?}")?;
        }
        write!(f, ", flags {:08b}, bounces {:?}", self.flags, self.bounces)
    }
}
