//! The map as a graph: what a path costs in ticks and battery.
//!
//! A state is a cell, a heading and an outfit, sixteen to a cell: the same cell is worth another visit with shoes on.
//! Its number is `cell << 4 | heading << 2 | outfit`, where the outfit is the one with which the player *entered* the
//! cell: on a cell with a gift the two numbers that differ in this gift are the same state, and which of them was closed
//! tells where the path came from. So a label of two bits is enough to walk a path back.

use super::map::{Cell, GUESSES, Map};
use super::rules::{Action, Heading, Outfit, Terrain};
use super::state::CONE;
use crate::search::astar::{Cost, Edge, Graph, Label, State, Visited};

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

/// For each terrain the bits of its gift.
const GIFTS: [u8; 16] = {
    let mut table = [0; 16];
    table[Terrain::Bikini as usize] = Outfit::BIKINI.bits();
    table[Terrain::Shoes as usize] = Outfit::SHOES.bits();
    table
};
/// For each outfit those that have all of it, as a mask of their labels of two bits.
const AT_LEAST: [u8; 4] = [0b11_11_11_11, 0b11_00_11_00, 0b11_11_00_00, 0b11_00_00_00];
/// Rows to the south and columns to the east of a step in each heading.
const SOUTH: [i8; 4] = [-1, 0, 1, 0];
const EAST: [i8; 4] = [0, 1, 0, -1];
/// For each label by which a state was reached, the labels that may follow, as a mask. Two turns to the left are two
/// turns to the right, and nobody turns back.
const NEXT: [u8; 4] = {
    let all = 1 << FORWARD | 1 << LEFT | 1 << RIGHT;
    [all, all, 1 << FORWARD, 1 << FORWARD | 1 << RIGHT]
};
/// Terrains that a path may lead through.
const PASSABLE: u16 = {
    let mut mask = 1 << GUESSES[0] | 1 << GUESSES[1] | 1 << GUESSES[2] | 1 << GUESSES[3];
    let mut code = 0;
    while code < Terrain::ALL.len() {
        mask |= (Terrain::ALL[code].is_passable() as u16) << code;
        code += 1;
    }
    mask
};
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
    /// No action costs less than this.
    least: u16,
    unknown: Unknown,
}

impl Prices {
    pub(super) const fn new() -> Self {
        Self { table: [[0; 16]; 4], least: 0, unknown: Unknown::NONE }
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
            let guesses = [share(Terrain::Water), share(Terrain::Forest), unknown.closed, unknown.plain];
            for (code, battery) in GUESSES.into_iter().zip(guesses) {
                row[usize::from(code)] = price(battery.max(unknown.plain));
            }
            row[Terrain::Unknown as usize] -= row[Terrain::Unknown as usize] * unknown.curiosity / 100;
            for code in GUESSES {
                row[usize::from(code)] -= row[usize::from(code)] * unknown.curiosity_near / 100;
            }
        }
        // Nothing known is cheaper than stone, and nothing is cheaper to somebody than to whoever wears everything.
        let unknown = [Terrain::Unknown as u8, GUESSES[0], GUESSES[1], GUESSES[2], GUESSES[3]];
        let unknown = unknown.into_iter().map(|code| self.table[3][usize::from(code)]).min().unwrap_or(0);
        self.least = unknown.min(metric.tick + metric.battery);
    }

    /// What an action costs on a cell with these four bits.
    #[inline]
    pub(super) fn of(&self, code: u8, outfit: Outfit) -> u32 {
        u32::from(self.table[usize::from(outfit.bits())][usize::from(code & 15)])
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
    /// Where a wall or a precipice is thought to go on, for the way round it.
    pub(super) closed: u16,
    /// Percent taken off the price, for what can be seen from there,
    pub(super) curiosity: u16,
    /// and where something is known beside.
    pub(super) curiosity_near: u16,
    /// The same as `plain`, as experience has it.
    pub(super) expected: u16,
}

impl Unknown {
    /// Where nothing is unknown.
    pub(super) const NONE: Self = Self { plain: 1, alike: 0, closed: 1, curiosity: 0, curiosity_near: 0, expected: 1 };
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
        1 << Terrain::Unknown as u16 | 1 << GUESSES[0] | 1 << GUESSES[1] | 1 << GUESSES[2] | 1 << GUESSES[3],
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
    goal_column: u8,
    /// A cell that somebody stands on; a cell of the frame if there is none.
    blocked: Cell,
    /// From a cell to the next one in each heading.
    steps: [Cell; 4],
}

impl Errand {
    pub(super) const NONE: Self =
        Self { start: 0, origin: 0, goal: Goal::Cell(0), goal_row: 0, goal_column: 0, blocked: ORIGIN, steps: [0; 4] };

    pub(super) fn new(map: &Map, cell: Cell, heading: u8, outfit: Outfit, goal: Goal, blocked: Option<Cell>) -> Self {
        let gift = map.terrain(cell).gift();
        let cell_number = if outfit.has(gift) { cell } else { ORIGIN };
        let (goal_row, goal_column) = match goal {
            Goal::Cell(cell) => map.row_column(cell),
            Goal::Terrain(_) | Goal::View(_) => (0, 0),
        };
        let start = State::from(cell_number) << 4 | State::from(heading & 3) << 2 | State::from(outfit.bits());
        let stride = map.stride();
        let steps = [stride.wrapping_neg(), 1, stride, 1_u16.wrapping_neg()];
        Self { start, origin: cell, goal, goal_row, goal_column, blocked: blocked.unwrap_or(ORIGIN), steps }
    }

    pub(super) const fn start(&self) -> State {
        self.start
    }

    pub(super) const fn goal(&self) -> Goal {
        self.goal
    }
}

/// The graph of an errand.
pub(super) struct Ground<'a> {
    map: &'a Map,
    prices: &'a Prices,
    errand: &'a Errand,
    /// What a step or a turn counts in the heuristic: 0 where the goal is not one cell.
    least: Cost,
}

/// A state taken apart.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    state: State,
    /// The cell it stands on, and the four bits of that.
    cell: Cell,
    code: u8,
    /// What is worn there, and the labels of all outfits that have as much.
    outfit: u8,
    at_least: u8,
    /// Cells to the goal: ahead, and to the right.
    ahead: i32,
    aside: i32,
}

/// Steps and turns left at least, for somebody who has to go that far ahead and aside. Behind: two turns. Aside: one.
#[inline]
fn actions_left(ahead: i32, aside: i32) -> u32 {
    let turns = if ahead < 0 { 2 } else { u32::from(aside != 0) };
    ahead.unsigned_abs() + aside.unsigned_abs() + turns
}

impl<'a> Ground<'a> {
    pub(super) fn new(map: &'a Map, prices: &'a Prices, errand: &'a Errand) -> Self {
        let least = if matches!(errand.goal, Goal::Cell(_)) { Cost::from(prices.least) } else { 0 };
        Self { map, prices, errand, least }
    }

    #[inline]
    const fn number(cell: Cell, heading: u8, outfit: u8) -> State {
        (cell as State) << 4 | (heading as State) << 2 | outfit as State
    }

    #[inline]
    fn ahead(&self, cell: Cell, heading: u8) -> Cell {
        cell.wrapping_add(self.errand.steps[usize::from(heading & 3)])
    }

    /// The labels of the four outfits in a heading, out of those of a cell.
    #[inline]
    const fn in_heading(labels: u32, heading: u8) -> u8 {
        (labels >> (heading * 8)) as u8
    }

    /// The outfit of a player in this state.
    pub(super) fn outfit(&self, state: State) -> Outfit {
        Outfit::from_bits(self.spot(state).outfit)
    }

    /// Unknown cells that can be seen from a state.
    fn unknown_in_sight(&self, spot: &Spot) -> usize {
        let (place, heading) = (self.map.place(spot.cell), Heading::from_bits((spot.state >> 2) as u8));
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
        self.spot(state).cell
    }
}

impl Graph for Ground<'_> {
    type Spot = Spot;
    const TERSE: bool = true;

    #[inline]
    fn spot(&self, state: State) -> Spot {
        let number = (state >> 4) as Cell;
        let cell = if number == ORIGIN { self.errand.origin } else { number };
        let code = self.map.code(cell);
        let gift = if number == ORIGIN { 0 } else { GIFTS[usize::from(code & 15)] };
        let entered = state as u8 & 3;
        let (row, column) = self.map.row_column(cell);
        let south = i32::from(self.errand.goal_row) - i32::from(row);
        let east = i32::from(self.errand.goal_column) - i32::from(column);
        let heading = (state >> 2 & 3) as usize;
        let (to_south, to_east) = (i32::from(SOUTH[heading]), i32::from(EAST[heading]));
        Spot {
            state,
            cell,
            code,
            outfit: entered | gift,
            at_least: AT_LEAST[usize::from(entered & !gift)],
            ahead: south * to_south + east * to_east,
            aside: south * to_east - east * to_south,
        }
    }

    #[inline]
    fn successors<V: Visited>(&self, spot: &Spot, label: Label, visited: &mut V, mut edge: impl FnMut(&mut V, Edge)) {
        let &Spot { state, cell, code, outfit, ahead, aside, .. } = spot;
        let heading = (state >> 2 & 3) as u8;
        let price = |outfit: u8| Cost::from(self.prices.table[usize::from(outfit & 3)][usize::from(code & 15)]);
        let labels = visited.sixteen(state & !15);
        let allowed = NEXT[usize::from(label & 3)];
        // One place for all three, so that what the search does with an edge stands in the loop itself.
        for label in [RIGHT, LEFT, FORWARD] {
            if allowed >> label & 1 == 0 {
                continue;
            }
            let (to, cost, left) = if label == FORWARD {
                let next = self.ahead(cell, heading);
                let terrain = self.map.code(next);
                if PASSABLE >> terrain & 1 == 0 || next == self.errand.blocked {
                    continue;
                }
                let gift = GIFTS[usize::from(terrain & 15)];
                let labels = visited.sixteen(State::from(next) << 4);
                if Self::in_heading(labels, heading) & AT_LEAST[usize::from(outfit & !gift & 3)] != 0 {
                    continue;
                }
                // The origin is charged, in the outfit after the step.
                (Self::number(next, heading, outfit), price(outfit | gift), actions_left(ahead - 1, aside))
            } else {
                let turned = if label == RIGHT { heading + 1 } else { heading + 3 } & 3;
                if Self::in_heading(labels, turned) & spot.at_least != 0 {
                    continue;
                }
                let left = if label == RIGHT { actions_left(aside, -ahead) } else { actions_left(-aside, ahead) };
                (state ^ State::from(heading ^ turned) << 2, price(outfit), left)
            };
            edge(visited, Edge { to, label, cost, heuristic: left * self.least });
        }
    }

    /// Steps and turns left at least, at the price of the cheapest action.
    #[inline]
    fn heuristic(&self, spot: &Spot) -> Cost {
        actions_left(spot.ahead, spot.aside) * self.least
    }

    #[inline]
    fn is_goal(&self, spot: &Spot) -> bool {
        match self.errand.goal {
            Goal::Cell(goal) => spot.cell == goal,
            Goal::Terrain(mask) => mask >> spot.code & 1 != 0,
            Goal::View(enough) => self.unknown_in_sight(spot) >= usize::from(enough),
        }
    }

    fn predecessor<V: Visited>(&self, state: State, label: Label, visited: &V) -> State {
        let cell = (state >> 4) as Cell;
        let heading = (state >> 2 & 3) as u8;
        let outfit = state as u8 & 3;
        match label {
            LEFT => Self::number(cell, (heading + 1) & 3, outfit),
            RIGHT => Self::number(cell, (heading + 3) & 3, outfit),
            _ => {
                let behind = self.ahead(cell, (heading + 2) & 3);
                let gift = GIFTS[usize::from(self.map.code(behind) & 15)];
                if outfit & gift != gift {
                    return Self::number(ORIGIN, heading, outfit);
                }
                // With a gift behind, the player may have come there with it or without.
                let with = Self::number(behind, heading, outfit);
                let without = Self::number(behind, heading, outfit & !gift);
                if visited.label(with) != 0 { with } else { without }
            }
        }
    }

    /// Whoever was here before, looking the same way and wearing as much, was here at no more cost.
    #[inline]
    fn is_covered<V: Visited>(&self, state: State, spot: &Spot, visited: &V) -> bool {
        Self::in_heading(visited.sixteen(state & !15), (state >> 2 & 3) as u8) & spot.at_least != 0
    }
}
