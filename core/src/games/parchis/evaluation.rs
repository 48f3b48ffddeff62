//! What a position is worth, and the game as the search sees it.

use super::geometry::{self, GOAL, HOME, cell, progress};
use super::rules::{EATS, KILLED, Move, OWNED, SKIP, TRAPPED, generate};
use super::state::{ARRIVED, Condition, Die, EAT, PIECES, SIX, Special, State, TURN};
use super::weights::{Tables, WEIGHTS};
use crate::search::alphabeta::{Game, Moves, Value, WIN};

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
    const BLANK_MOVE: Move = Move { die: Die(0), piece: SKIP, to: HOME, kind: 0 };
    const ASPIRATION: Value = 60;

    #[inline]
    fn side(&self, state: &State) -> u8 {
        u8::from(state.flags & TURN != 0)
    }

    #[inline]
    fn moves(&self, state: &State, list: &mut Moves<'_, Move>) {
        generate::<true>(state, |mv| list.push(mv, hint(state, mv)));
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
        if mv.piece == SKIP {
            return 62;
        }
        // Yellow and blue come first, as in the order of generation.
        let second = matches!(mv.piece, 3..=8);
        match mv.die.special() {
            None => mv.die.0 * 6 + mv.piece % 3 + if second { 3 } else { 0 },
            Some(special) => 40 + special as u8 * 2 + u8::from(second),
        }
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
    if let Some(special) = mv.die.special() {
        return match special {
            Special::Bullet => 15,
            Special::RedShell | Special::BlueShell => 12,
            Special::Star | Special::MegaMushroom | Special::Mushroom | Special::Horn => 6,
            Special::Boo | Special::Lightning => 2,
            Special::Banana => -4,
        };
    }
    if mv.kind & (TRAPPED | KILLED) != 0 {
        return -30;
    }
    let mut hint = if mv.kind & EATS != 0 { 40 } else { 0 };
    if mv.to == cell(mv.piece / 3, GOAL) {
        hint += 30;
    }
    if mv.die == Die::SIX {
        hint += 20;
    }
    if geometry::item_bit(mv.to) & state.items != 0 {
        hint += 4;
    }
    hint
}

impl Tables {
    /// The worth of a position for the player to act.
    #[inline]
    pub fn evaluate(&self, state: &State) -> Value {
        let mut colours = [0_u32; 4];
        for (colour, sum) in colours.iter_mut().enumerate() {
            let values = &self.pieces[colour];
            for &cell in &state.cells[3 * colour..3 * colour + 3] {
                *sum += values[usize::from(cell & 127)];
            }
        }
        let [blue, red, green, yellow] = colours;
        let mut value = Self::side(yellow, red) - Self::side(blue, green);
        let [first, second] = state.dice;
        value += Value::from(self.dice[usize::from(first.normal & 31)])
            - Value::from(self.dice[usize::from(second.normal & 31)]);
        for (&own, &other) in first.hand.iter().zip(&second.hand) {
            value += Value::from(self.hand[usize::from(own & 15)]) - Value::from(self.hand[usize::from(other & 15)]);
        }
        if state.modes != [0; PIECES] {
            value += self.conditions(state);
        }
        if state.bounces != [0; 4] {
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
        let (lead, trail) = if one >= other { (one, other) } else { (other, one) };
        ((lead >> 12 & 0xFFF) + (trail & 0xFFF)) as Value
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
