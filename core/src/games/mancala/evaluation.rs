//! What a position is worth, and the game as the search sees it.

use super::endgame::{self, TABLE_SEEDS};
use super::rules::last_place;
use super::state::{Half, Lanes, Pit, Player, SEEDS, STORE, State};
use crate::search::alphabeta::{Frontier, Game, Moves, Value};

/// The worth of one seed of final margin.
pub const SEED: Value = 16;

/// Mancala for [`AlphaBeta`](crate::search::alphabeta::AlphaBeta).
#[derive(Clone, Copy, Debug, Default)]
pub struct Kalah;

impl Game for Kalah {
    type State = State;
    type Move = Pit;
    type Cursor = Order;

    const BLANK_STATE: State = State { own: Half([0; 2]), facing: Half([0; 2]), turn: Player::J1 };
    const BLANK_MOVE: Pit = Pit::ALL[0];
    const BLANK_CURSOR: Order = Order { lanes: Lanes::NONE, left: Lanes::NONE, kind: Kind::Rest };
    const ASPIRATION: Value = SEED;
    /// Few positions of Kalah are reached in two ways; the table mostly tells which move was best an iteration ago.
    /// That is worth more to the nodes higher up.
    const TABLE_DEPTH: u8 = 4;
    const ORDERED: bool = true;
    const TWIGS: bool = true;

    #[inline]
    fn side(&self, state: &State) -> u8 {
        state.turn as u8
    }

    /// In the game's own order, with its hints.
    #[inline]
    fn moves(&self, state: &State, list: &mut Moves<'_, Pit>) {
        let mut order = Order::of(state);
        while let Some(lane) = order.next(state) {
            let pit = Pit::from_lane(lane);
            list.push_as(pit, pit.number(), order.kind.hint());
        }
    }

    #[inline(always)]
    fn cursor(&self, state: &State, remembered: u8) -> Order {
        match Pit::new(remembered) {
            Some(pit) if state.is_legal(pit) => Order::beginning_with(state, pit),
            _ => Order::of(state),
        }
    }

    #[inline(always)]
    fn next(&self, state: &State, order: &mut Order) -> Option<(Pit, u8)> {
        let pit = Pit::from_lane(order.next(state)?);
        Some((pit, pit.number()))
    }

    #[inline(always)]
    fn make(&self, state: &State, pit: Pit) -> State {
        state.sow(pit.lane())
    }

    /// What a leaf is worth follows from its pit, its seeds and what it captures; only a game that may be over is sown.
    #[inline]
    fn frontier(&self, state: &State, (_alpha, beta): (Value, Value), _list: &mut Moves<'_, Pit>) -> Frontier {
        let mut leaves = Leaves::of(state, beta);
        leaves.visit_all();
        let Leaves { best, nodes, best_over, all_over, .. } = leaves;
        Frontier::of_margins(best, nodes, best_over, all_over, best >= beta)
    }

    /// No list and no frame: the order is found as far as it is needed.
    #[inline]
    fn twig(&self, state: &State, (mut alpha, beta): (Value, Value)) -> Frontier {
        let mut order = Order::of(state);
        let (mut best, mut nodes, mut best_proven, mut all_proven) = (Value::MIN, 0, false, true);
        while let Some(lane) = order.next(state) {
            let child = state.sow(lane);
            let turns = child.turn != state.turn;
            let window = if turns { (-beta, -alpha) } else { (alpha, beta) };
            let (value, proven, leaves) = self.above_the_leaves(&child, window);
            nodes += 1 + leaves;
            let value = if turns { -value } else { value };
            all_proven &= proven;
            if value > best {
                best = value;
                best_proven = proven;
                if value >= beta {
                    break;
                }
                alpha = alpha.max(value);
            }
        }
        Frontier::of_margins(best, nodes, best_proven, all_proven, best >= beta)
    }

    #[inline]
    fn terminal(&self, state: &State) -> Option<Value> {
        state.is_over().then(|| worth_of_stores(state))
    }

    #[inline]
    fn evaluate(&self, state: &State) -> Value {
        let rows = Value::from(state.own.row()) - Value::from(state.facing.row());
        worth_of_stores(state) + ROW_SEED * rows + TEMPO
    }

    /// The board from the mover's side: who that is makes no difference to the future.
    #[inline]
    fn hash(&self, state: &State) -> u64 {
        let [a, b] = state.own.0;
        let [c, d] = state.facing.0;
        // The constants have bytes above 48 everywhere, so that no factor is ever zero.
        let own = u64::from(a ^ 0x9E37_79B9) * u64::from(b ^ 0x85EB_CA6B);
        let facing = u64::from(c ^ 0xC2B2_AE35) * u64::from(d ^ 0xA7D4_EB2F);
        let mixed = own ^ facing.rotate_left(32);
        let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed ^ (mixed >> 32)
    }

    /// Seeds in a store stay there: each side's worst result is to win none of the others.
    #[inline]
    fn limits(&self, state: &State) -> (Value, Value) {
        let all = Value::from(SEEDS);
        let least = 2 * Value::from(state.own.store()) - all;
        let most = all - 2 * Value::from(state.facing.store());
        (SEED * least, SEED * most)
    }

    #[inline]
    fn known(&self, state: &State) -> Option<Value> {
        (state.in_play() <= TABLE_SEEDS).then(|| by_heart(state))
    }
}

/// The worth of a position in the endgame table. Not inlined: the search's innermost loop needs its registers.
#[cold]
#[inline(never)]
fn by_heart(state: &State) -> Value {
    let seeds = Value::from(state.in_play());
    worth_of_stores(state) + SEED * (2 * Value::from(endgame::share(state)) - seeds)
}

#[inline]
fn worth_of_stores(state: &State) -> Value {
    SEED * (Value::from(state.own.store()) - Value::from(state.facing.store()))
}

impl Kalah {
    /// A position one ply above the leaves: its worth, whether that is proven, and the leaves it took.
    #[inline(always)]
    fn above_the_leaves(self, state: &State, (alpha, beta): (Value, Value)) -> (Value, bool, u32) {
        let (least, most) = self.limits(state);
        if most <= alpha {
            return (most, true, 0);
        }
        if least >= beta {
            return (least, true, 0);
        }
        // Where nothing is left to play for, the table has that too.
        if let Some(value) = self.known(state) {
            return (value, true, 0);
        }
        let mut leaves = Leaves::of(state, beta);
        leaves.visit_all();
        let proven = if leaves.best >= beta { leaves.best_over } else { leaves.all_over };
        (leaves.best, proven, leaves.nodes)
    }
}

/// The order in which moves are tried: the one that the table remembers, extra turns, captures, then the rest. Pit 1 comes
/// first among each: emptying pits near the store keeps them free for captures and extra turns.
#[derive(Clone, Copy, Debug)]
pub struct Order {
    /// What is left of the kind at hand.
    lanes: Lanes,
    /// What there is of the kinds after it.
    left: Lanes,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Remembered,
    ExtraTurn,
    Capture,
    Rest,
}

impl Kind {
    /// See [`Moves::push`].
    #[inline]
    const fn hint(self) -> i8 {
        match self {
            Self::ExtraTurn => 60,
            Self::Capture => 20,
            Self::Remembered | Self::Rest => 0,
        }
    }
}

impl Order {
    #[inline(always)]
    fn of(state: &State) -> Self {
        let extra_turns = extra_turns(state);
        Self { lanes: extra_turns, left: state.own.occupied().lanes().without(extra_turns), kind: Kind::ExtraTurn }
    }

    #[inline]
    fn beginning_with(state: &State, pit: Pit) -> Self {
        let lanes = Lanes::of(pit.lane());
        Self { lanes, left: state.own.occupied().lanes().without(lanes), kind: Kind::Remembered }
    }

    #[inline(always)]
    fn next(&mut self, state: &State) -> Option<usize> {
        if self.lanes.is_empty() {
            if self.left.is_empty() {
                return None;
            }
            self.go_on(state);
        }
        self.lanes.take_highest()
    }

    /// Turns to the next kind of which there is something. Not inlined: half of all positions are done before it.
    #[inline(never)]
    fn go_on(&mut self, state: &State) {
        if self.kind == Kind::Remembered {
            self.kind = Kind::ExtraTurn;
            self.lanes = extra_turns(state).among(self.left);
        }
        if self.lanes.is_empty() && self.kind == Kind::ExtraTurn {
            self.kind = Kind::Capture;
            self.lanes = captures(state).among(self.left);
        }
        if self.lanes.is_empty() {
            self.kind = Kind::Rest;
            self.lanes = self.left;
        }
        self.left = self.left.without(self.lanes);
    }
}

#[inline]
fn extra_turns(state: &State) -> Lanes {
    state.own.equal(ONE_TO_STORE).lanes()
}

/// The captures that do not go round the board, by the lane that is sown. Empty pits may be among them.
#[inline]
fn captures(state: &State) -> Lanes {
    let targets = state.own.empty().lanes().among(state.facing.occupied().lanes().facing());
    if targets.is_empty() { Lanes::NONE } else { state.own.ending_in(targets) }
}

/// The moves of a position one ply above the leaves, as far as they are visited.
struct Leaves<'a> {
    state: &'a State,
    beta: Value,
    /// The worth of the position for the player to move, the move itself not counted.
    now: Value,
    own_row: u8,
    facing_row: u8,
    best: Value,
    nodes: u32,
    best_over: bool,
    all_over: bool,
}

impl<'a> Leaves<'a> {
    #[inline]
    fn of(state: &'a State, beta: Value) -> Self {
        let (own_row, facing_row) = (state.own.row(), state.facing.row());
        let now = worth_of_stores(state) + ROW_SEED * (Value::from(own_row) - Value::from(facing_row));
        Self { state, beta, now, own_row, facing_row, best: Value::MIN, nodes: 0, best_over: false, all_over: true }
    }

    /// Visits the leaves up to the first that reaches `beta`.
    #[inline(always)]
    fn visit_all(&mut self) {
        let _cut = self.visit::<5>()
            || self.visit::<4>()
            || self.visit::<3>()
            || self.visit::<2>()
            || self.visit::<1>()
            || self.visit::<0>();
    }

    /// Visits the leaf behind a lane, if it holds seeds. `true` if it reaches `beta`.
    #[inline]
    fn visit<const LANE: usize>(&mut self) -> bool {
        let seeds = self.state.own.get(LANE);
        if seeds == 0 {
            return false;
        }
        let leaf = LEAVES[LANE][usize::from(seeds & 63)];
        let mut value = self.now + Value::from(leaf.gain);
        let mut may_end = LANE == STORE - 1 && seeds == self.own_row;
        if leaf.end != STORE as u8 {
            let end = usize::from(leaf.end & 7);
            let lap = leaf.end >> 3;
            if self.state.own.get(end) == 0 || seeds == LAP {
                let taken = self.state.facing.get(STORE - 1 - end) + lap;
                if taken > 0 {
                    may_end |= taken == self.facing_row + lap || self.own_row == 1;
                    value += (SEED + ROW_SEED) * Value::from(taken) + SEED - ROW_SEED;
                }
            }
        }
        let mut over = false;
        if may_end {
            (value, over) = leaf_by_sowing(self.state, LANE);
        }
        self.nodes += 1;
        self.all_over &= over;
        if value > self.best {
            self.best = value;
            self.best_over = over;
        }
        value >= self.beta
    }
}

/// A leaf made in full: its worth for the player who sows, and whether the game is over.
#[cold]
#[inline(never)]
fn leaf_by_sowing(state: &State, lane: usize) -> (Value, bool) {
    let child = state.sow(lane);
    let over = child.is_over();
    let value = if over { worth_of_stores(&child) } else { Kalah.evaluate(&child) };
    (if child.turn == state.turn { value } else { -value }, over)
}

/// What sowing a pit does to the worth of the position, captures and the end of the game apart.
#[derive(Clone, Copy)]
struct Leaf {
    gain: i16,
    /// The own pit in which a last seed may capture, 8 more after going round the board; [`STORE`] for no such pit.
    end: u8,
}

/// The seeds that fill every place once: the last falls into the emptied pit. With more, the last is never alone.
const LAP: u8 = 13;

/// By lane and seeds.
static LEAVES: [[Leaf; 64]; 6] = leaves();

const fn leaves() -> [[Leaf; 64]; 6] {
    let mut table = [[Leaf { gain: 0, end: 0 }; 64]; 6];
    let mut lane = 0;
    while lane < 6 {
        let mut seeds = 1;
        // Seeds that change sides or go home, the emptied pit included.
        let (mut store, mut own, mut facing) = (0, 0, 0);
        while seeds <= SEEDS as usize {
            let last = last_place(lane, seeds as u8);
            if last < STORE {
                own += 1;
            } else if last == STORE {
                store += 1;
            } else {
                facing += 1;
            }
            let tempo = if last == STORE { TEMPO } else { -TEMPO };
            let gain = SEED * store + ROW_SEED * (own - seeds as Value - facing) + tempo;
            let end = if last >= STORE || seeds > LAP as usize {
                STORE
            } else if seeds < STORE {
                last
            } else {
                last + 8
            };
            table[lane][seeds] = Leaf { gain: gain as i16, end: end as u8 };
            seeds += 1;
        }
        lane += 1;
    }
    table
}

/// The seeds with which each pit reaches the store.
const ONE_TO_STORE: Half = Half([u32::from_le_bytes([6, 5, 4, 3]), u32::from_le_bytes([2, 1, 0x7F, 0x7F])]);

/// A seed on one's own side of the board.
const ROW_SEED: Value = 3;
/// Having the move.
const TEMPO: Value = 14;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// By the rules, a pit at a time: first what gives an extra turn, then what captures, then the rest, pit 1 first.
        #[test]
        fn moves_come_by_kinds(seeds in prop::collection::vec(0..14_usize, usize::from(SEEDS)), few in 1..=40_usize) {
            // Few places for many seeds: pits with more of them than a lap, and empty ones.
            let mut board = [[0; 7]; 2];
            for place in seeds {
                let place = if few < 14 { place % few } else { place };
                board[place / 7][place % 7] += 1;
            }
            let state = State::new(Player::J1, board).unwrap();
            let kind = |pit: &Pit| {
                let [own, facing] = board;
                let (number, seeds) = (usize::from(pit.number()), usize::from(own[usize::from(pit.number())]));
                // Pit 6 of the other faces pit 1.
                let captures = seeds < number && own[number - seeds] == 0 && facing[7 - (number - seeds)] > 0;
                if seeds == number { 0 } else if captures { 1 } else { 2 }
            };
            let mut expected: std::vec::Vec<Pit> = state.legal().collect();
            expected.sort_by_key(|pit| (kind(pit), pit.number()));
            let mut order = Order::of(&state);
            let moves: std::vec::Vec<Pit> = core::iter::from_fn(|| order.next(&state).map(Pit::from_lane)).collect();
            prop_assert_eq!(moves, expected);
        }
    }
}
