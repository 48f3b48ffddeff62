//! What a position is worth, and the game as the search sees it.

use super::geometry::{self, GOAL, HOME, progress};
use super::rules::{EATS, KILLED, Move, OWNED, Order, SKIP, Scene, TRAPPED, generate};
use super::state::{ARRIVED, Condition, Die, EAT, PIECES, SIX, State, TURN};
use super::threats::{self, Stakes};
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

    const BLANK_STATE: State = State::start();
    const BLANK_MOVE: Move = Move { die: Die::SIX, piece: SKIP, to: HOME, kind: 0 };
    const ASPIRATION: Value = 60;

    #[inline]
    fn side(&self, state: &State) -> u8 {
        u8::from(state.flags & TURN != 0)
    }

    #[inline]
    fn moves(&self, state: &State, list: &mut Moves<'_, Move>) {
        generate::<true>(state, Order::Original, |mv| {
            list.push(mv, hint(state, mv));
            false
        });
    }

    /// Actions are tried as they are found, the normal dice first: one of the first is nearly always enough. What is
    /// threatened costs as much to find out as everything else, so it is left out where it cannot matter.
    #[inline]
    fn frontier(&self, state: &State, (alpha, beta): (Value, Value), _list: &mut Moves<'_, Move>) -> Frontier {
        let mut found = Frontier::NOTHING;
        // What does not reach this need not be known exactly.
        let mut best = alpha;
        let limit = Value::from(self.tables.limit);
        generate::<true>(state, Order::NormalFirst, |mv| {
            let child = state.play(mv);
            let sign = if (child.flags ^ state.flags) & TURN == 0 { 1 } else { -1 };
            if let Some(value) = self.terminal(&child) {
                best = best.max(sign * value);
                return found.add(sign * value, true, beta);
            }
            let mut value = sign * self.tables.evaluate_board(&child);
            if value - limit >= beta {
                value -= limit;
            } else if value + limit <= best {
                value += limit;
            } else {
                value += sign * self.tables.evaluate_threats(&child);
            }
            best = best.max(value);
            found.add(value, false, beta)
        });
        found
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

    #[inline]
    fn slot(&self, mv: Move) -> u8 {
        let piece = PIECE_SLOTS[usize::from(mv.piece & 15)];
        match mv.die.place() {
            die @ 0..=6 => die * 6 + piece,
            die => 30 + 2 * (die - 1) + u8::from(piece > 2),
        }
    }
}

/// The player's pieces in the order in which they are tried; skips share a slot with the last piece.
const PIECE_SLOTS: [u8; 16] = [0, 1, 2, 3, 4, 5, 3, 4, 5, 0, 1, 2, 5, 5, 5, 5];

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
    if mv.kind != 0 {
        if mv.kind & (TRAPPED | KILLED) != 0 {
            return -30;
        }
        if mv.kind & EATS != 0 {
            hint += 40;
        }
    }
    if geometry::is_goal(mv.to) {
        hint += 30;
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
        self.evaluate_board(state) + self.evaluate_threats(state)
    }

    /// The same without the limit on what threats count for: linear in every weight.
    pub fn linear(&self, state: &State) -> Value {
        self.evaluate_board(state) + self.threats(state)
    }

    /// What the pieces on the board may lose, against what the opponent's may.
    #[inline(never)]
    fn evaluate_threats(&self, state: &State) -> Value {
        let limit = Value::from(self.limit);
        self.threats(state).clamp(-limit, limit)
    }

    fn threats(&self, state: &State) -> Value {
        let turn = usize::from(state.flags & TURN != 0);
        let stakes = threats::stakes(state);
        (self.at_stake(stakes[turn], 1) - self.at_stake(stakes[1 - turn], 0)) >> 4
    }

    /// Everything else: progress, dice, conditions, the turn.
    #[inline]
    fn evaluate_board(&self, state: &State) -> Value {
        let mut colours = [0_u32; 4];
        let mut pairs = false;
        for (colour, sum) in colours.iter_mut().enumerate() {
            let values = &self.pieces[colour];
            let [a, b, c] = [state.cells[3 * colour], state.cells[3 * colour + 1], state.cells[3 * colour + 2]];
            *sum = values[usize::from(a & 127)] + values[usize::from(b & 127)] + values[usize::from(c & 127)];
            pairs |= a == b || a == c || b == c;
        }
        let [blue, red, green, yellow] = colours;
        let mut value = Self::side(yellow, red) - Self::side(blue, green);
        if pairs {
            value += self.barriers(state);
        }
        let [first, second] = state.dice;
        value += Value::from(self.dice[usize::from(first.normal & 31)])
            - Value::from(self.dice[usize::from(second.normal & 31)]);
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

    /// A player's colour that is ahead counts in full, the other one less: one colour wins the game.
    #[inline]
    fn side(one: u32, other: u32) -> Value {
        let (lead, trail) = if one >> 24 >= other >> 24 { (one, other) } else { (other, one) };
        ((lead >> 12 & 0xFFF) + (trail & 0xFFF)) as Value
    }

    /// What a player stands to lose, in sixteenths. `row` is 0 if the opponent is to act.
    #[inline]
    fn at_stake(&self, stakes: Stakes, row: usize) -> Value {
        let [blue_shell, red_shell, horn] = self.aimed.map(Value::from);
        Value::from(self.exposed[row & 1]) * stakes.exposed
            + blue_shell * stakes.blue_shell
            + red_shell * stakes.red_shell
            + horn * stakes.horn
    }

    /// Walls of two on the ring and whom they hold up, from J1's view.
    #[inline(never)]
    fn barriers(&self, state: &State) -> Value {
        let mut value = 0;
        for first in [0, 3, 6, 9] {
            let [a, b, c] = [state.cells[first], state.cells[first + 1], state.cells[first + 2]];
            if a != b && a != c && b != c {
                continue;
            }
            let wall = Scene::wall(state, first);
            let square = state.cells[wall.trailing_zeros() as usize % PIECES];
            if wall == 0 || !geometry::is_ring(square) {
                continue;
            }
            let owner = usize::from(OWNED[0] & wall == 0);
            let held = OWNED[1 - owner] & state.close_behind(square, HELD);
            let [standing, by_piece] = self.barrier.map(Value::from);
            let worth = standing + by_piece * held.count_ones() as Value;
            value += if owner == 0 { worth } else { -worth };
        }
        value
    }

    /// Pieces in a special condition, from J1's view.
    #[inline(never)]
    fn conditions(&self, state: &State) -> Value {
        let mut value = 0;
        for at in 0..PIECES {
            let mode = state.modes[at];
            let condition = Condition::of(mode);
            let way = progress(at as u8 / 3, state.cells[at]);
            if condition == Condition::Normal || way == HOME || way == GOAL {
                continue;
            }
            let [fixed, by_turn] = self.conditions[condition as usize];
            let worth = Value::from(fixed) + Value::from(by_turn) * Value::from(mode >> 3);
            value += if OWNED[0] >> at & 1 != 0 { worth } else { -worth };
        }
        value
    }
}
