//! The map as a graph: what a path costs in ticks and battery.
//!
//! A state is a cell, a heading and an outfit, sixteen to a cell: the same cell is worth another visit with shoes on.
//! Its number is `cell << 4 | heading << 2 | outfit`, where the outfit is the one with which the player *entered* the
//! cell: on a cell with a gift the two numbers that differ in this gift are the same state, and which of them was closed
//! tells where the path came from. So a label of two bits is enough to walk a path back.

use super::map::{Cell, GUESSES, Map};
use super::rules::{Action, Outfit, Terrain};
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
/// For each outfit the set, as a mask, of those that have all of it.
const AT_LEAST: [u8; 4] = [0b1111, 0b1010, 0b1100, 0b1000];
/// Terrains that a path may lead through.
const PASSABLE: u16 = {
    let mut mask = 1 << GUESSES[0] | 1 << GUESSES[1] | 1 << GUESSES[2];
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
}

impl Prices {
    pub(super) const fn new() -> Self {
        Self { table: [[0; 16]; 4], least: 0 }
    }

    /// `unknown` is the battery that an action on an unknown cell is thought to take.
    pub(super) fn set(&mut self, metric: Metric, unknown: Unknown) {
        for (outfit, row) in Outfit::ALL.into_iter().zip(&mut self.table) {
            let price = |battery: u16| metric.tick + metric.battery * battery.max(1);
            let share = |terrain: Terrain| terrain.cost(outfit) * unknown.alike / 100;
            for (terrain, slot) in Terrain::ALL.into_iter().zip(row.iter_mut()) {
                *slot = price(if terrain == Terrain::Unknown { unknown.plain } else { terrain.cost(outfit) });
            }
            let guesses = [share(Terrain::Water), share(Terrain::Forest), unknown.closed];
            for (code, battery) in GUESSES.into_iter().zip(guesses) {
                row[usize::from(code)] = price(battery.max(unknown.plain));
            }
        }
        self.least = metric.tick + metric.battery;
    }

    /// What an action costs on a cell with these four bits.
    #[inline]
    pub(super) fn of(&self, code: u8, outfit: Outfit) -> u32 {
        u32::from(self.table[usize::from(outfit.bits())][usize::from(code & 15)])
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
    /// Beside a wall or a precipice, for the way round it.
    pub(super) closed: u16,
}

impl Unknown {
    /// Where nothing is unknown.
    pub(super) const NONE: Self = Self { plain: 1, alike: 0, closed: 1 };
}

/// Where a path shall lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    /// To a cell.
    Cell(Cell),
    /// To the nearest cell of any of these terrains (a bit for each).
    Terrain(u16),
}

impl Goal {
    /// The nearest cell of a terrain.
    pub(super) const fn terrain(terrain: Terrain) -> Self {
        Self::Terrain(1 << terrain as u16)
    }

    /// The nearest unknown cell.
    pub(super) const UNKNOWN: Self =
        Self::Terrain(1 << Terrain::Unknown as u16 | 1 << GUESSES[0] | 1 << GUESSES[1] | 1 << GUESSES[2]);
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
    /// A cell that somebody stands on.
    blocked: Option<Cell>,
}

impl Errand {
    pub(super) const NONE: Self =
        Self { start: 0, origin: 0, goal: Goal::Cell(0), goal_row: 0, goal_column: 0, blocked: None };

    pub(super) fn new(map: &Map, cell: Cell, heading: u8, outfit: Outfit, goal: Goal, blocked: Option<Cell>) -> Self {
        let gift = map.terrain(cell).gift();
        let cell_number = if outfit.has(gift) { cell } else { ORIGIN };
        let (goal_row, goal_column) = match goal {
            Goal::Cell(cell) => map.row_column(cell),
            Goal::Terrain(_) => (0, 0),
        };
        let start = State::from(cell_number) << 4 | State::from(heading & 3) << 2 | State::from(outfit.bits());
        Self { start, origin: cell, goal, goal_row, goal_column, blocked }
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
    pub(super) map: &'a Map,
    pub(super) prices: &'a Prices,
    pub(super) errand: &'a Errand,
}

impl Ground<'_> {
    #[inline]
    const fn number(cell: Cell, heading: u8, outfit: u8) -> State {
        (cell as State) << 4 | (heading as State) << 2 | outfit as State
    }

    /// The cell a state stands on, its terrain's code, and the gift that counts there.
    #[inline]
    fn standing(&self, state: State) -> (Cell, u8, u8) {
        let cell = (state >> 4) as Cell;
        if cell == ORIGIN {
            let code = self.map.code(self.errand.origin);
            return (self.errand.origin, code, 0);
        }
        let code = self.map.code(cell);
        (cell, code, GIFTS[usize::from(code & 15)])
    }

    #[inline]
    fn ahead(&self, cell: Cell, heading: u8) -> Cell {
        match heading {
            0 => cell.wrapping_sub(self.map.stride()),
            1 => cell + 1,
            2 => cell + self.map.stride(),
            _ => cell.wrapping_sub(1),
        }
    }

    /// The outfit of a player in this state.
    pub(super) fn outfit(&self, state: State) -> Outfit {
        let (_, _, gift) = self.standing(state);
        Outfit::from_bits(state as u8 & 3 | gift)
    }

    /// The cell of a state.
    pub(super) fn cell(&self, state: State) -> Cell {
        self.standing(state).0
    }
}

impl Graph for Ground<'_> {
    #[inline]
    fn successors(&self, state: State, label: Label, mut edge: impl FnMut(Edge)) {
        let (cell, code, gift) = self.standing(state);
        let heading = (state >> 2 & 3) as u8;
        let outfit = state as u8 & 3 | gift;
        let row = &self.prices.table;
        // Two turns to the left are two turns to the right, and nobody turns back.
        let turn = Cost::from(row[usize::from(outfit)][usize::from(code & 15)]);
        if label != LEFT {
            let right = state & !0xC | State::from((heading + 1) & 3) << 2;
            edge(Edge { to: right, label: RIGHT, cost: turn });
            if label != RIGHT {
                let left = state & !0xC | State::from((heading + 3) & 3) << 2;
                edge(Edge { to: left, label: LEFT, cost: turn });
            }
        }
        let ahead = self.ahead(cell, heading);
        let terrain = self.map.code(ahead);
        if PASSABLE >> terrain & 1 != 0 && self.errand.blocked != Some(ahead) {
            // The origin is charged, in the outfit after the step.
            let after = outfit | GIFTS[usize::from(terrain)];
            let cost = Cost::from(row[usize::from(after)][usize::from(code & 15)]);
            edge(Edge { to: Self::number(ahead, heading, outfit), label: FORWARD, cost });
        }
    }

    /// Steps and turns left at least, at the price of the cheapest action.
    #[inline]
    fn heuristic(&self, state: State) -> Cost {
        if let Goal::Terrain(_) = self.errand.goal {
            return 0;
        }
        let mut cell = (state >> 4) as Cell;
        if cell == ORIGIN {
            cell = self.errand.origin;
        }
        let (row, column) = self.map.row_column(cell);
        let south = i32::from(self.errand.goal_row) - i32::from(row);
        let east = i32::from(self.errand.goal_column) - i32::from(column);
        let (forth, aside) = match state >> 2 & 3 {
            0 => (-south, east),
            1 => (east, south),
            2 => (south, east),
            _ => (-east, south),
        };
        // Behind: two turns. Aside: one.
        let turns = if forth < 0 { 2 } else { u32::from(aside != 0) };
        (south.unsigned_abs() + east.unsigned_abs() + turns) * Cost::from(self.prices.least)
    }

    #[inline]
    fn is_goal(&self, state: State) -> bool {
        let (cell, code, _) = self.standing(state);
        match self.errand.goal {
            Goal::Cell(goal) => cell == goal,
            Goal::Terrain(mask) => mask >> code & 1 != 0,
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
    fn is_covered<V: Visited>(&self, state: State, visited: &V) -> bool {
        let (_, _, gift) = self.standing(state);
        visited.any(state & !3, AT_LEAST[usize::from(state as u8 & 3 & !gift)])
    }
}
