//! The map as a graph: what a path costs in ticks and battery.
//!
//! A state is a cell, a heading and an outfit, sixteen to a cell: the same cell is worth another visit with shoes on.
//! Its number is `cell << 4 | heading << 2 | outfit`, where the outfit is the one with which the player *entered* the
//! cell: on a cell with a gift the two numbers that differ in this gift are the same state, and which of them was closed
//! tells where the path came from. So a label of two bits is enough to walk a path back.
//!
//! In the open list a state carries the four bits of its cell and the cell's gift above its number: they are at hand when
//! it is reached, and have to be looked up in the map otherwise.

use super::map::{Cell, GUESSES, Map};
use super::rules::{Action, Heading, Outfit, Terrain};
use super::state::CONE;
use crate::search::astar::{Cost, Edge, Follow, Graph, Label, Refusal, State, Visited};

/// Numbers of states on the largest map.
pub(super) const STATES: usize = super::map::CELLS * 16;

const FORWARD: Label = 1;
const LEFT: Label = 2;
const RIGHT: Label = 3;

/// The action behind a label.
pub(super) const fn action_of(label: Label) -> Action {
    match label {
        FORWARD => Action::Forward,
        LEFT => Action::Left,
        _ => Action::Right,
    }
}

/// Bits of a state's number.
const NUMBER: u32 = 18;
const _: () = assert!(STATES <= 1 << NUMBER, "what a state carries stands above its number");
/// Where the gift stands in a state, above the four bits of the cell.
const GIFT: u32 = NUMBER + 4;

/// For each terrain the bits of its gift; [`CLOSED`] for one that no path leads through.
const WAYS: [u8; 16] = {
    let mut table = [CLOSED; 16];
    let mut code = 0;
    while code < Terrain::ALL.len() {
        if Terrain::ALL[code].is_passable() {
            table[code] = 0;
        }
        code += 1;
    }
    let mut guess = 0;
    while guess < GUESSES.len() {
        table[GUESSES[guess] as usize] = 0;
        guess += 1;
    }
    table[Terrain::Bikini as usize] = Outfit::BIKINI.bits();
    table[Terrain::Shoes as usize] = Outfit::SHOES.bits();
    table
};
const CLOSED: u8 = 4;

/// The bits of a terrain's gift.
#[inline]
const fn gift(code: u8) -> u8 {
    WAYS[(code & 15) as usize] & 3
}
/// For an outfit those that have all of it, as a mask of their labels of two bits in every heading.
const AT_LEAST: [u32; 4] = [0xFFFF_FFFF, 0xCCCC_CCCC, 0xF0F0_F0F0, 0xC0C0_C0C0];
/// The same for an outfit less a gift.
#[inline]
const fn at_least(outfit: u32, gift: u32) -> u32 {
    AT_LEAST[(outfit & !gift & 3) as usize]
}
/// Where the labels of each heading stand, counted from that of a state: its own, to the right of it, and to the left.
const HERE: u32 = 0xFF;
const ON_THE_RIGHT: u32 = 0xFF << 8;
const ON_THE_LEFT: u32 = 0xFF << 24;

/// Rows to the south and columns to the east of a step in each heading.
const SOUTH: [i8; 4] = [-1, 0, 1, 0];
const EAST: [i8; 4] = [0, 1, 0, -1];
/// Stands for the cell of the start where that has a gift which the player does not have: whoever starts on it has not
/// stepped on it. The number belongs to the frame otherwise, so no path comes by.
const ORIGIN: Cell = 0;

/// What is to be small: `tick` for each action and `battery` for each unit of battery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Metric {
    pub(super) tick: u16,
    pub(super) battery: u16,
}

impl Metric {
    /// Level 2: fewest actions.
    pub(super) const ACTIONS: Self = Self { tick: 1, battery: 0 };
    /// Level 3: least battery.
    pub(super) const BATTERY: Self = Self { tick: 0, battery: 1 };
}

/// What an action on each terrain costs in each outfit, in a metric.
#[derive(Clone, Debug)]
pub(super) struct Prices {
    table: [[u16; 16]; 4],
    /// No action costs less than this: the heuristic trusts in it.
    least: u16,
    /// What every action costs to whoever wears everything; 0 if it depends on the ground.
    even: u16,
    unknown: Unknown,
}

impl Prices {
    pub(super) const fn new() -> Self {
        Self { table: [[0; 16]; 4], least: 0, even: 0, unknown: Unknown::NONE }
    }

    /// `unknown` is the battery that an action on an unknown cell is thought to take.
    pub(super) fn set(&mut self, metric: Metric, unknown: Unknown) {
        self.unknown = unknown;
        for (outfit, row) in Outfit::ALL.into_iter().zip(&mut self.table) {
            let price = |battery: u16| metric.tick + metric.battery * battery.max(1);
            let share = |terrain: Terrain| terrain.cost(outfit) * unknown.alike / 100;
            for (terrain, slot) in Terrain::ALL.into_iter().zip(row.iter_mut()) {
                *slot = price(if terrain == Terrain::Unknown { unknown.plain } else { terrain.cost(outfit) });
            }
            let guesses = [share(Terrain::Water), share(Terrain::Forest), unknown.closed, unknown.plain, unknown.wall];
            for (code, battery) in GUESSES.into_iter().zip(guesses) {
                row[usize::from(code)] = price(battery.max(unknown.plain));
            }
            let plain = &mut row[Terrain::Unknown as usize];
            *plain -= (*plain * u16::from(unknown.curiosity)).div_ceil(100);
            for code in GUESSES {
                row[usize::from(code)] -= row[usize::from(code)] * u16::from(unknown.curiosity_near) / 100;
            }
        }
        // Nothing known is cheaper than stone, and nothing is cheaper to somebody than to whoever wears everything.
        let unknown = GUESSES
            .into_iter()
            .chain([Terrain::Unknown as u8])
            .map(|code| self.table[3][usize::from(code)])
            .min()
            .unwrap_or(0);
        self.least = unknown.min(metric.tick + metric.battery);
        let ground = GUESSES.iter().fold(Terrain::ALL.len(), |most, &code| most.max(usize::from(code) + 1));
        let even = self.table[3].iter().take(ground).all(|&price| price == self.table[3][0]);
        self.even = if even { self.table[3][0] } else { 0 };
    }

    /// What an action costs on a cell with these four bits.
    #[inline]
    pub(super) fn of(&self, code: u8, outfit: Outfit) -> u32 {
        u32::from(self.table[usize::from(outfit.bits() & 3)][usize::from(code & 15)])
    }

    /// The battery that an action is thought to take on a cell with these four bits.
    fn battery(&self, code: u8, outfit: Outfit) -> u32 {
        let unknown = &self.unknown;
        let share = |terrain: Terrain| (terrain.cost(outfit) * unknown.alike / 100).max(unknown.plain);
        u32::from(match Terrain::from_code(code) {
            Some(Terrain::Unknown) => unknown.expected,
            Some(terrain) => terrain.cost(outfit),
            None if code == GUESSES[0] => share(Terrain::Water),
            None if code == GUESSES[1] => share(Terrain::Forest),
            None => unknown.expected,
        })
    }

    /// Makes every heuristic 0.
    pub(super) fn trust_nothing(&mut self) {
        self.least = 0;
    }
}

/// What unknown cells are thought to take, in battery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unknown {
    /// With nothing known beside.
    pub(super) plain: u16,
    /// Beside water or forest: this share of what these take, in percent.
    pub(super) alike: u16,
    /// Where a short wall or precipice is thought to go on, for the way round it,
    pub(super) closed: u16,
    /// and where a long one is.
    pub(super) wall: u16,
    /// Percent taken off the price, for what can be seen from there. Bytes: a structure of one word more cost the search
    /// 3 % of its instructions, by the registers that the compiler found for it,
    pub(super) curiosity: u8,
    /// and where something is known beside.
    pub(super) curiosity_near: u8,
    /// The same as `plain`, as experience has it.
    pub(super) expected: u16,
}

impl Unknown {
    /// Where nothing is unknown.
    pub(super) const NONE: Self =
        Self { plain: 1, alike: 0, closed: 1, wall: 1, curiosity: 0, curiosity_near: 0, expected: 1 };
}

/// Where a path shall lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    /// To a cell.
    Cell(Cell),
    /// To the nearest cell of any of these terrains (a bit for each).
    Terrain(u16),
    /// To the nearest place from where this many unknown cells can be seen.
    View(u8),
}

impl Goal {
    /// The nearest cell of a terrain.
    pub(super) const fn terrain(terrain: Terrain) -> Self {
        Self::Terrain(1 << terrain as u16)
    }

    /// The nearest unknown cell.
    pub(super) const UNKNOWN: Self = Self::Terrain(
        1 << Terrain::Unknown as u16
            | 1 << GUESSES[0]
            | 1 << GUESSES[1]
            | 1 << GUESSES[2]
            | 1 << GUESSES[3]
            | 1 << GUESSES[4],
    );
}

/// Where a search starts and where it shall end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Errand {
    start: State,
    /// The cell behind [`ORIGIN`].
    origin: Cell,
    goal: Goal,
    goal_row: u8,
    /// A cell that somebody stands on; a cell of the frame if there is none.
    blocked: Cell,
    /// From a cell to the next one in each heading.
    steps: [Cell; 4],
}

impl Errand {
    pub(super) const NONE: Self =
        Self { start: 0, origin: 0, goal: Goal::Cell(0), goal_row: 0, blocked: ORIGIN, steps: [0; 4] };

    pub(super) fn new(map: &Map, cell: Cell, heading: u8, outfit: Outfit, goal: Goal, blocked: Option<Cell>) -> Self {
        let gift = map.terrain(cell).gift();
        let cell_number = if outfit.has(gift) { cell } else { ORIGIN };
        let goal_row = match goal {
            Goal::Cell(cell) => map.row(u32::from(cell)) as u8,
            Goal::Terrain(_) | Goal::View(_) => 0,
        };
        let start = State::from(cell_number) << 4 | State::from(heading & 3) << 2 | State::from(outfit.bits());
        let stride = map.stride();
        let steps = [stride.wrapping_neg(), 1, stride, 1_u16.wrapping_neg()];
        Self { start, origin: cell, goal, goal_row, blocked: blocked.unwrap_or(ORIGIN), steps }
    }

    pub(super) const fn start(&self) -> State {
        self.start
    }

    pub(super) const fn goal(&self) -> Goal {
        self.goal
    }
}

/// The graph of an errand. What every node asks for stands here by value, out of the reach of what a node writes.
pub(super) struct Ground<'a> {
    map: &'a Map,
    prices: &'a Prices,
    errand: &'a Errand,
    /// What a step or a turn counts in the heuristic: 0 where the goal is not one cell.
    least: Cost,
    /// See [`Graph::rise`].
    rise: Cost,
    /// See [`Ground::is_back`]: where the start is, and by how much an action has to be dearer; 0 if by no matter how much.
    home: u32,
    dearer: u32,
    /// The goal, if that is one cell; else no cell at all.
    goal: u32,
    goal_row: i32,
    stride: i32,
    blocked: u32,
    steps: [u32; 4],
}

/// A state taken apart.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    state: State,
    /// The cell it stands on, and the four bits of that.
    cell: u32,
    code: u32,
    /// What is worn there.
    outfit: u32,
    /// The labels around of those who wore at least as much, as [`Ground::around`] gives them; 0 if nobody looked.
    around: u32,
    heuristic: Cost,
    /// How each edge changes the actions left: see [`CHANGES`].
    changes: u32,
}

/// Turns left at least and how the edges change the actions left, by where the goal lies and by heading: a number from
/// -2 to 1 for the rows to the south and one for the columns to the east, modulo 4, in place of their exact numbers.
///
/// The actions left are the rows and columns to the goal, and two turns for a goal behind, one for a goal aside. A byte
/// each: how these change with a turn to the right ([`TO_RIGHT`]), with one to the left and with a step ahead, and the
/// turns themselves. A step ahead is one row or column less, or else one more and the goal is behind.
const CHANGES: [u32; 64] = {
    let mut table = [0; 64];
    let mut place = 0;
    while place < 64 {
        let (south, east) = (nearly(place >> 4), nearly(place >> 2 & 3));
        let now = turns(south, east, place);
        let right = turns(south, east, place + 1) - now;
        let left = turns(south, east, place + 3) - now;
        let ahead = south * SOUTH[place % 4] as i32 + east * EAST[place % 4] as i32;
        let step = if ahead > 0 { -1 } else { 3 - now };
        table[place] = u32::from_le_bytes([right as u8, left as u8, step as u8, now as u8]);
        place += 1;
    }
    table
};
/// Where the bytes of [`CHANGES`] stand.
const TO_RIGHT: u32 = 0;
const TO_LEFT: u32 = 8;
const TO_STEP: u32 = 16;
const TURNS: u32 = 24;

/// Turns left at least in a heading (modulo 4).
const fn turns(south: i32, east: i32, heading: usize) -> i32 {
    let (ahead_south, ahead_east) = (SOUTH[heading % 4] as i32, EAST[heading % 4] as i32);
    if south * ahead_south + east * ahead_east < 0 { 2 } else { (south * ahead_east - east * ahead_south != 0) as i32 }
}

/// The number from -2 to 1 that is this modulo 4.
const fn nearly(number: usize) -> i32 {
    if number < 2 { number as i32 } else { number as i32 - 4 }
}

impl<'a> Ground<'a> {
    #[inline]
    pub(super) fn new(map: &'a Map, prices: &'a Prices, errand: &'a Errand) -> Self {
        let (least, goal) = match errand.goal {
            Goal::Cell(cell) => (Cost::from(prices.least), u32::from(cell)),
            Goal::Terrain(_) | Goal::View(_) => (0, u32::MAX),
        };
        // Without a heuristic every edge adds its price. Whoever wears everything covers nobody else's states.
        let rise = if least == 0 && errand.start & 3 == 3 { Cost::from(prices.even) } else { 0 };
        // What can be seen depends on the heading, and whoever starts on a gift has to come back for it.
        let plain = !matches!(errand.goal, Goal::View(_)) && errand.start >> 4 != State::from(ORIGIN);
        let (home, dearer) = (u32::from(errand.origin), if plain { 3 } else { 0 });
        let (goal_row, stride) = (i32::from(errand.goal_row), i32::from(map.stride()));
        let (blocked, steps) = (u32::from(errand.blocked), errand.steps.map(|step| i32::from(step as i16) as u32));
        Self { map, prices, errand, least, rise, home, dearer, goal, goal_row, stride, blocked, steps }
    }

    /// The same ground with every way of turning round.
    pub(super) fn with_all_turns(&self) -> Self {
        Self { dearer: 0, ..*self }
    }

    #[inline]
    const fn join(cell: Cell, heading: u8, outfit: u8) -> State {
        (cell as State) << 4 | (heading as State) << 2 | outfit as State
    }

    #[inline]
    fn ahead(&self, cell: Cell, heading: u8) -> Cell {
        cell.wrapping_add(self.errand.steps[usize::from(heading & 3)])
    }

    /// The labels of a cell's sixteen states, eight bits for each heading: first those in the heading of this state, then
    /// those to the right of it, behind, and to the left.
    #[inline]
    const fn around(state: State, labels: u32) -> u32 {
        labels.rotate_right((state >> 2 & 3) * 8)
    }

    /// The same, but only those of outfits that cover this state: whoever was here before, looking the same way and wearing
    /// as much, was here at no more cost.
    #[inline]
    const fn covering(state: State, labels: u32) -> u32 {
        Self::around(state, labels) & at_least(state, state >> GIFT)
    }

    /// The first of the sixteen states on a state's cell.
    #[inline]
    fn sixteen(&self, state: State) -> State {
        self.number(state) & !15
    }

    /// Whether a state was reached as cheaply before.
    pub(super) fn is_covered<V: Visited>(&self, state: State, visited: &V) -> bool {
        Self::covering(state, visited.sixteen(self.sixteen(state))) & HERE != 0
    }

    /// What an action costs on a cell with these four bits.
    #[inline]
    fn price(&self, code: u32, outfit: u32) -> Cost {
        Cost::from(self.prices.table[outfit as usize & 3][code as usize & 15])
    }

    /// Whether a second turn to the right, to this state, leads nowhere but back, and there more dearly than turning round
    /// before the step to this cell.
    ///
    /// The first turn was made at a cost of g, and a turn costs p here; so the cell behind, which is ahead after the second
    /// turn, is entered again at g + 3 p. It was left at a price of q by the step to here. Turning round twice there and
    /// not making the step costs g - q + 2 q = g + q, in the same outfit if nothing is given here. If q < 3 p the step
    /// back is on no cheapest path; neither is a third turn, for one to the left does as well; and no path ends with
    /// the second, for the goal is a matter of the cell. All of this is true of the costs, whatever the search has
    /// looked at or lost. It does not hold where no step led here, at the start.
    #[cold]
    #[inline(never)]
    fn is_back(&self, state: State, cell: u32) -> bool {
        let back = self.map.code_at(cell.wrapping_add(self.steps[(((state >> 2) + 1) & 3) as usize]));
        let (step, turn) = (self.price(u32::from(back), state & 3), self.price(state >> NUMBER & 15, state & 3));
        let gift = state >> GIFT & 3;
        step < self.dearer * turn && cell != self.home && gift == 0
    }

    /// The heuristic of a state on a cell: steps and turns left at least, at the price of the cheapest action. And the
    /// state's [`CHANGES`].
    #[inline]
    fn to_goal(&self, cell: u32, state: State) -> (Cost, u32) {
        if self.least == 0 {
            return (0, 0);
        }
        let south = self.goal_row - self.map.row(cell) as i32;
        let east = (self.goal as i32).wrapping_sub(cell as i32).wrapping_sub(south * self.stride);
        let place = (south.clamp(-2, 1) & 3) << 4 | (east.clamp(-2, 1) & 3) << 2 | (state >> 2 & 3) as i32;
        let changes = CHANGES[place as usize & 63];
        let distance = south.unsigned_abs() + east.unsigned_abs() + (changes >> TURNS);
        (distance.wrapping_mul(self.least), changes)
    }

    /// By how much an edge changes the heuristic.
    #[inline]
    const fn change(&self, changes: u32, edge: u32) -> Cost {
        ((changes >> edge) as i8 as Cost).wrapping_mul(self.least)
    }

    /// The cell behind [`ORIGIN`]. Hardly ever asked for.
    #[cold]
    fn origin(&self) -> u32 {
        u32::from(self.errand.origin)
    }

    /// The outfit of a player in this state.
    pub(super) fn outfit(&self, state: State) -> Outfit {
        Outfit::from_bits(self.spot(self.recall(state)).outfit as u8)
    }

    /// Unknown cells that can be seen from a state.
    fn unknown_in_sight(&self, spot: &Spot) -> usize {
        let (place, heading) = (self.map.place(spot.cell as Cell), Heading::from_bits((spot.state >> 2) as u8));
        let unknown =
            |&&(ahead, aside): &&(i8, i8)| self.map.get(place.towards(heading, ahead, aside)) == Terrain::Unknown;
        CONE.iter().filter(unknown).count()
    }

    /// The battery that the edge into a state is thought to take.
    pub(super) fn battery(&self, state: State, label: Label) -> u32 {
        let cell = self.cell(state);
        let origin = if label == FORWARD { self.ahead(cell, (state >> 2 ^ 2) as u8 & 3) } else { cell };
        self.prices.battery(self.map.code(origin), self.outfit(state))
    }

    /// The cell of a state.
    pub(super) fn cell(&self, state: State) -> Cell {
        self.spot(self.recall(state)).cell as Cell
    }
}

impl Graph for Ground<'_> {
    type Spot = Spot;
    const TERSE: bool = true;
    const AT_ONCE: bool = true;
    /// Nobody asks where a way to nowhere would end.
    const NEAREST: bool = false;

    #[inline]
    fn rise(&self) -> Cost {
        self.rise
    }

    #[inline]
    fn number(&self, state: State) -> State {
        state & ((1 << NUMBER) - 1)
    }

    fn recall(&self, number: State) -> State {
        let cell = (number >> 4) as Cell;
        let code = self.map.code(if cell == ORIGIN { self.errand.origin } else { cell });
        // Nothing is given at the origin.
        let gift = if cell == ORIGIN { 0 } else { gift(code) };
        number | State::from(code) << NUMBER | State::from(gift) << GIFT
    }

    #[inline]
    fn spot(&self, state: State) -> Spot {
        let (entered, gift) = (state & 3, state >> GIFT & 3);
        let mut cell = self.number(state) >> 4;
        if cell == u32::from(ORIGIN) {
            cell = self.origin();
        }
        let (heuristic, changes) = self.to_goal(cell, state);
        Spot { state, cell, code: state >> NUMBER & 15, outfit: entered | gift, around: 0, heuristic, changes }
    }

    #[inline]
    fn close<V: Visited>(&self, state: State, label: Label, _: Cost, visited: &mut V) -> Result<Spot, Refusal> {
        let needless = |labels| Self::covering(state, labels) & HERE != 0;
        // Nobody asks a closed state what it cost.
        let labels = visited.close_unless(self.sixteen(state), state & 15, label & 3, Cost::MAX, needless)?;
        Ok(Spot { around: Self::covering(state, labels), ..self.spot(state) })
    }

    #[inline]
    fn reopen<V: Visited>(&self, state: State, visited: &V) -> Spot {
        let labels = visited.sixteen(self.sixteen(state));
        Spot { around: Self::covering(state, labels), ..self.spot(state) }
    }

    #[inline]
    fn successors<V: Visited>(&self, spot: &Spot, label: Label, visited: &mut V, mut edges: impl Follow<V>) {
        let &Spot { state, cell, code, outfit, around, heuristic, changes } = spot;
        let cost = self.price(code, outfit);
        let after = |edge| heuristic.wrapping_add(self.change(changes, edge));
        // A turn to the right adds one to the heading's two bits, a turn to the left takes one off.
        // Two turns to the left are two turns to the right, and nobody turns back.
        let right = state ^ 0b0100 ^ (state & 0b0100) << 1;
        if label == RIGHT {
            if around & ON_THE_RIGHT == 0 && !self.is_back(state, cell) {
                edges.follow(visited, Edge { to: right, label: RIGHT, cost, heuristic: after(TO_RIGHT) });
            }
        } else if label != LEFT {
            if around & ON_THE_RIGHT == 0 {
                edges.follow(visited, Edge { to: right, label: RIGHT, cost, heuristic: after(TO_RIGHT) });
            }
            if around & ON_THE_LEFT == 0 {
                edges.follow(visited, Edge { to: right ^ 0b1000, label: LEFT, cost, heuristic: after(TO_LEFT) });
            }
        }
        let next = cell.wrapping_add(self.steps[(state >> 2 & 3) as usize]);
        let terrain = self.map.code_at(next);
        let gift = u32::from(WAYS[usize::from(terrain & 15)]);
        if gift & u32::from(CLOSED) != 0 || next == self.blocked {
            return;
        }
        let number = next << 4 | state & 0b1100 | outfit;
        let to = number | State::from(terrain) << NUMBER | gift << GIFT;
        if Self::around(number, visited.sixteen(next << 4)) & at_least(outfit, gift) & HERE != 0 {
            return;
        }
        // The origin is charged, in the outfit after the step.
        let cost = if gift & !outfit == 0 { cost } else { self.price(code, outfit | gift) };
        edges.follow(visited, Edge { to, label: FORWARD, cost, heuristic: after(TO_STEP) });
    }

    #[inline]
    fn heuristic(&self, spot: &Spot) -> Cost {
        spot.heuristic
    }

    #[inline]
    fn is_goal(&self, spot: &Spot) -> bool {
        if self.goal != u32::MAX {
            return spot.cell == self.goal;
        }
        match self.errand.goal {
            Goal::Cell(_) => false,
            Goal::Terrain(mask) => mask >> spot.code & 1 != 0,
            Goal::View(enough) => self.unknown_in_sight(spot) >= usize::from(enough),
        }
    }

    fn predecessor<V: Visited>(&self, state: State, label: Label, visited: &V) -> State {
        let cell = (state >> 4) as Cell;
        let heading = (state >> 2 & 3) as u8;
        let outfit = state as u8 & 3;
        match label {
            LEFT => Self::join(cell, (heading + 1) & 3, outfit),
            RIGHT => Self::join(cell, (heading + 3) & 3, outfit),
            _ => {
                let behind = self.ahead(cell, (heading + 2) & 3);
                let gift = gift(self.map.code(behind));
                if outfit & gift != gift {
                    return Self::join(ORIGIN, heading, outfit);
                }
                // With a gift behind, the player may have come there with it or without.
                let with = Self::join(behind, heading, outfit);
                let without = Self::join(behind, heading, outfit & !gift);
                if visited.label(with) != 0 { with } else { without }
            }
        }
    }
}

#[cfg(test)]
mod tests;
