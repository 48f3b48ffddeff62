//! What a position is worth, and the game as the search sees it.

use super::frontier;
use super::geometry::{self, ENTRY, GOAL, HOME};
use super::rules::{EATS, KILLED, Move, OWNED, Order, QUIET, SKIP, Scene, TRAPPED, generate, place, recall};
use super::state::{ARRIVED, Die, EAT, PIECES, SIX, Special, State, TURN};
use super::threats::Field;
use super::weights::{HELD, Tables, WEIGHTS};
use crate::search::alphabeta::{Frontier, Game, Moves, Value, WIN};

/// Parchis for [`AlphaBeta`](crate::search::alphabeta::AlphaBeta).
#[derive(Clone, Copy, Debug)]
pub struct Parchis<'a> {
    tables: &'a Tables,
}

/// The tables of the weights that the agent plays with.
static TABLES: Tables = Tables::new(&WEIGHTS);

impl Parchis<'static> {
    /// The game with the weights that the agent plays with.
    pub const fn new() -> Self {
        Self { tables: &TABLES }
    }
}

impl Default for Parchis<'static> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'a> Parchis<'a> {
    /// The game with other weights.
    pub const fn with(tables: &'a Tables) -> Self {
        Self { tables }
    }
}

impl Game for Parchis<'_> {
    type State = State;
    type Move = Move;
    type Cursor = ();

    const BLANK_STATE: State = State::start();
    const BLANK_MOVE: Move = Move { die: Die::SIX, piece: SKIP, to: HOME, kind: 0 };
    const BLANK_CURSOR: () = ();
    const ASPIRATION: Value = 60;

    #[inline]
    fn side(&self, state: &State) -> u8 {
        u8::from(state.flags & TURN != 0)
    }

    #[inline]
    fn moves(&self, state: &State, list: &mut Moves<'_, Move>) {
        generate::<true>(state, Order::Original, |mv| {
            list.push_as(mv, place(state, mv), hint(state, mv));
            false
        });
    }

    #[inline]
    fn recall(&self, state: &State, place: u8) -> Option<Move> {
        recall(state, place)
    }

    #[inline]
    fn frontier(&self, state: &State, (alpha, beta): (Value, Value), _list: &mut Moves<'_, Move>) -> Frontier {
        frontier::best(*self, self.tables, state, alpha, beta)
    }

    #[inline]
    fn make(&self, state: &State, mv: Move) -> State {
        state.play(mv)
    }

    #[inline]
    fn terminal(&self, state: &State) -> Option<Value> {
        let winner = state.winner()?;
        Some(if winner == state.turn() { WIN } else { -WIN })
    }

    #[inline]
    fn evaluate(&self, state: &State) -> Value {
        self.tables.evaluate(state)
    }

    /// The numbers that pieces of a colour have make no difference to the future, so their parts are added up.
    #[inline]
    fn hash(&self, state: &State) -> u64 {
        let mut sum = 0_u64;
        for at in 0..PIECES {
            let colour = at as u32 / 3;
            let piece = u32::from(state.cells[at]) | u32::from(state.modes[at]) << 7 | colour << 14;
            let mixed = (piece + 1).wrapping_mul(0x9E37_79B1);
            sum = sum.wrapping_add(u64::from(mixed) * u64::from(mixed.rotate_left(13) ^ 0x85EB_CA6B));
        }
        let [first, second] = state.dice.map(|dice| u32::from_le_bytes([dice.normal, dice.hand[0], dice.hand[1], 0]));
        let held = u64::from(first | u32::from(state.flags) << 24) << 32 | u64::from(second);
        let board = u64::from(u32::from_le_bytes(state.bounces)) << 32 | u64::from(state.items);
        let mut hash = mix(mix(sum, held), board);
        if state.traps[0] != 0 {
            // Which trap is older makes no difference either, but hardly ever happens.
            hash = mix(hash, u64::from_le_bytes(state.traps));
        }
        hash ^ hash >> 32
    }
}

#[inline]
const fn mix(hash: u64, word: u64) -> u64 {
    let mixed = (hash ^ word).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed ^ mixed >> 29
}

/// What is tried first: what eats or arrives, then the six, then what grabs a die.
#[inline]
fn hint(state: &State, mv: Move) -> i8 {
    if mv.piece == SKIP {
        return -20;
    }
    let mut hint = DIE_HINTS[usize::from(mv.die.place() & 31)];
    if mv.die.is_special() {
        return hint;
    }
    if mv.kind & QUIET == 0 {
        if mv.kind & (TRAPPED | KILLED) != 0 {
            return -30;
        }
        if mv.kind & EATS != 0 {
            hint += 40;
        }
        if geometry::is_goal(mv.to) {
            hint += 30;
        }
    }
    if geometry::item_bit(mv.to) & state.items != 0 {
        hint += 4;
    }
    hint
}

/// By die: 1, 2, 4, 5, 6, 10, 20, then star, boo, bullet, the two shells, the two mushrooms, lightning, horn, banana.
const DIE_HINTS: [i8; 32] = {
    let mut hints = [0; 32];
    let known = [0, 0, 0, 0, 20, 0, 0, 6, 2, 15, 12, 12, 6, 6, 2, 6, -4];
    let mut at = 0;
    while at < known.len() {
        hints[at] = known[at];
        at += 1;
    }
    hints
};

impl Tables {
    /// The worth of a position for the player to act.
    pub fn evaluate(&self, state: &State) -> Value {
        self.evaluate_board(state) + self.evaluate_threats(state, Value::MIN, Value::MAX)
    }

    /// The same without the limit on what threats count for: linear in every weight.
    pub fn linear(&self, state: &State) -> Value {
        self.evaluate_board(state) + self.threats(state, Value::MIN, Value::MAX)
    }

    /// What the pieces on the board may lose, against what the opponent's may. Where that is at most `little` or at least
    /// `enough`, something between it and that bound is enough.
    #[inline(never)]
    pub(super) fn evaluate_threats(&self, state: &State, little: Value, enough: Value) -> Value {
        self.limited(self.threats(state, little, enough))
    }

    /// What threats count for at the most, either way.
    #[inline]
    pub(super) fn limited(&self, threats: Value) -> Value {
        let limit = Value::from(self.limit);
        threats.min(limit).max(-limit)
    }

    /// The same without the limit.
    #[inline]
    fn threats(&self, state: &State, little: Value, enough: Value) -> Value {
        let turn = usize::from(state.flags & TURN != 0);
        let aims = self.aims(state, turn);
        let [away, here] = self.exposed.map(Value::from);
        // In sixteenths: what it can be at the least and at the most, whoever is near.
        let own = here * geometry::open_progress(&state.cells, turn);
        let theirs = -away * geometry::open_progress(&state.cells, 1 - turn);
        let least = (own.min(0) + theirs.min(0) + aims.least) >> 4;
        if least >= enough {
            return least;
        }
        let most = (own.max(0) + theirs.max(0) + aims.most) >> 4;
        if most <= little {
            return most;
        }
        let field = Field::of(state);
        let value = here * field.exposed(state, turn) - away * field.exposed(state, 1 - turn);
        aims.add(value, &field, state, little, enough)
    }

    /// The special dice that are aimed at the player, and those that it aims itself.
    #[inline]
    pub(super) fn aims(&self, state: &State, player: usize) -> Aims {
        let mut aims = Aims::NONE;
        let [[a, b], [c, d]] = state.dice.map(|dice| dice.hand.map(|die| 1_u32 << (die & 31)));
        if (a | b | c | d) & AIMING != 0 {
            self.find_aims(state, player, &mut aims);
        }
        aims
    }

    #[inline(never)]
    fn find_aims(&self, state: &State, player: usize, aims: &mut Aims) {
        let mut free = aims.list.iter_mut();
        for owner in [player & 1, 1 - (player & 1)] {
            let [first, second] = state.dice[1 - owner].hand;
            // Two of a kind aim at the same piece.
            for die in [first, if first == second { 0 } else { second }] {
                let weight = self.aimed[usize::from(die & 15)];
                if weight == 0 {
                    continue;
                }
                let Some(special) = Special::new(die) else { continue };
                // A horn in the own hand stops shells.
                if special != Special::Horn && state.dice[owner].hand.contains(&(Special::Horn as u8)) {
                    continue;
                }
                let aim = Aim { owner: owner as u8, special, weight: if owner == player { weight } else { -weight } };
                let (least, most) = aim.range();
                aims.least += least;
                aims.most += most;
                if let Some(free) = free.next() {
                    *free = aim;
                }
            }
        }
    }

    /// Everything else: progress, dice, conditions, the turn.
    #[inline]
    pub(super) fn evaluate_board(&self, state: &State) -> Value {
        let [blue, red, green, yellow] = self.colours(state);
        let mut value = Self::side(yellow, red) - Self::side(blue, green);
        let [first, second] = state.dice;
        value += Value::from(self.dice[usize::from(first.normal & 31)])
            - Value::from(self.dice[usize::from(second.normal & 31)]);
        value += self.standing(state) + self.walls(state);
        if state.flags & TURN != 0 {
            value = -value;
        }
        value += Value::from(self.tempo);
        if state.flags & (EAT | ARRIVED | SIX) != 0 {
            if state.flags & EAT != 0 {
                value += Value::from(self.twenty);
            }
            if state.flags & ARRIVED != 0 {
                value += Value::from(self.ten);
            }
            if state.flags & SIX != 0 {
                value += Value::from(self.six);
            }
        }
        value
    }

    /// What the pieces of each colour are worth.
    #[inline]
    pub(super) fn colours(&self, state: &State) -> [u32; 4] {
        let mut colours = [0; 4];
        for (colour, sum) in colours.iter_mut().enumerate() {
            let values = &self.pieces[colour];
            let [a, b, c] = [state.cells[3 * colour], state.cells[3 * colour + 1], state.cells[3 * colour + 2]];
            *sum = values[usize::from(a & 127)] + values[usize::from(b & 127)] + values[usize::from(c & 127)];
        }
        colours
    }

    /// What a piece that only walks does not change, from J1's view: special dice, conditions, bounces.
    #[inline]
    pub(super) fn standing(&self, state: &State) -> Value {
        let mut value = 0;
        let [first, second] = state.dice;
        for (&own, &other) in first.hand.iter().zip(&second.hand) {
            value += Value::from(self.hand[usize::from(own & 15)]) - Value::from(self.hand[usize::from(other & 15)]);
        }
        if !state.is_calm() {
            value += self.conditions(state);
        }
        if u32::from_le_bytes(state.bounces) != 0 {
            let [blue, red, green, yellow] =
                state.bounces.map(|count| Value::from(self.bounces[usize::from(count & 31)]));
            value += yellow + red - blue - green;
        }
        value
    }

    /// A player's colour that is ahead counts in full, the other one less: one colour wins the game.
    #[inline]
    pub(super) fn side(one: u32, other: u32) -> Value {
        let (lead, trail) = if one >> 24 >= other >> 24 { (one, other) } else { (other, one) };
        ((lead >> 12 & 0xFFF) + (trail & 0xFFF)) as Value
    }

    /// Walls of two on the ring and whom they hold up, from J1's view.
    #[inline]
    pub(super) fn walls(&self, state: &State) -> Value {
        if state.ring_pair(0) | state.ring_pair(1) | state.ring_pair(2) | state.ring_pair(3) == 0 {
            0
        } else {
            self.barriers(state)
        }
    }

    #[inline(never)]
    fn barriers(&self, state: &State) -> Value {
        let mut value = 0;
        for colour in 0..4 {
            let square = state.ring_pair(colour);
            if square == 0 {
                continue;
            }
            let wall = Scene::wall(state, 3 * colour);
            if wall == 0 {
                continue;
            }
            let owner = usize::from(OWNED[0] & wall == 0);
            let [standing, by_piece] = self.barrier.map(Value::from);
            let worth = standing + by_piece * state.close_behind(1 - owner, square, HELD);
            value += if owner == 0 { worth } else { -worth };
        }
        value
    }

    /// Pieces in a special condition, from J1's view.
    #[inline(never)]
    fn conditions(&self, state: &State) -> Value {
        let mut value = 0;
        state.each_special(|at, cell, mode| {
            if cell != HOME && !geometry::is_goal(cell) {
                let worth = Value::from(self.conditions[usize::from(mode & 127)]);
                value += if OWNED[0] >> at & 1 != 0 { worth } else { -worth };
            }
        });
        value
    }
}

/// A special die that would send pieces home.
#[derive(Clone, Copy)]
struct Aim {
    /// Whose pieces.
    owner: u8,
    special: Special,
    /// What each step of progress counts, in sixteenths; 0 if nothing is aimed.
    weight: i16,
}

impl Aim {
    const NONE: Self = Self { owner: 0, special: Special::Star, weight: 0 };

    /// What the die can count at the least and at the most.
    #[inline]
    fn range(self) -> (Value, Value) {
        let progress = if self.special == Special::Horn { MOST_BLOWN } else { MOST_SHOT };
        let weight = Value::from(self.weight);
        (weight.min(0) * progress, weight.max(0) * progress)
    }
}

/// All of them, from one player's view: at most two in either hand.
pub(super) struct Aims {
    list: [Aim; 4],
    /// What they can count together.
    pub(super) least: Value,
    pub(super) most: Value,
}

impl Aims {
    pub(super) const NONE: Self = Self { list: [Aim::NONE; 4], least: 0, most: 0 };

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.list[0].weight == 0
    }

    /// Adds what is aimed at to a value in sixteenths, and gives the sum in whole numbers, or a bound on the side of
    /// `little` or `enough` on which it lies.
    #[inline]
    pub(super) fn add(&self, value: Value, field: &Field, state: &State, little: Value, enough: Value) -> Value {
        let (mut value, mut least, mut most) = (value, self.least, self.most);
        for &aim in &self.list {
            if aim.weight == 0 {
                break;
            }
            if (value + least) >> 4 >= enough {
                return (value + least) >> 4;
            }
            if (value + most) >> 4 <= little {
                return (value + most) >> 4;
            }
            value += Value::from(aim.weight) * field.aimed(state, usize::from(aim.owner), aim.special);
            let range = aim.range();
            least -= range.0;
            most -= range.1;
        }
        value >> 4
    }
}

/// The dice that aim at somebody, a bit each.
const AIMING: u32 = 1 << Special::BlueShell as u32 | 1 << Special::RedShell as u32 | 1 << Special::Horn as u32;

/// The most progress that a shell can hit, and a horn.
const MOST_SHOT: Value = GOAL as Value - 1;
const MOST_BLOWN: Value = 6 * ENTRY as Value;
