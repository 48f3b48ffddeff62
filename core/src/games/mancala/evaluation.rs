//! What a position is worth, and the game as the search sees it.

use super::rules::last_place;
use super::state::{Half, Pit, Player, SEEDS, STORE, State};
use crate::search::alphabeta::{Frontier, Game, Moves, Value};

/// The worth of one seed of final margin.
pub const SEED: Value = 16;

/// Mancala for [`AlphaBeta`](crate::search::alphabeta::AlphaBeta).
#[derive(Clone, Copy, Debug, Default)]
pub struct Kalah;

impl Game for Kalah {
    type State = State;
    type Move = Pit;

    const BLANK_STATE: State = State { own: Half([0; 2]), facing: Half([0; 2]), turn: Player::J1 };
    const BLANK_MOVE: Pit = Pit::ALL[0];
    const ASPIRATION: Value = SEED;

    #[inline]
    fn side(&self, state: &State) -> u8 {
        state.turn as u8
    }

    /// Pit 1 first: emptying pits near the store keeps them free for captures and extra turns.
    #[inline]
    fn moves(&self, state: &State, list: &mut Moves<'_, Pit>) {
        for lane in (0..6).rev() {
            let seeds = state.own.get(lane);
            if seeds == 0 {
                continue;
            }
            let last = last_place(lane, seeds);
            let hint = if last == STORE {
                EXTRA_TURN
            } else if last < STORE && state.own.get(last) == 0 && state.facing.get(STORE - 1 - last) > 0 {
                CAPTURE + state.facing.get(STORE - 1 - last) as i8
            } else {
                0
            };
            list.push(Pit::from_lane(lane), hint);
        }
    }

    #[inline]
    fn make(&self, state: &State, pit: Pit) -> State {
        state.sow(pit.lane())
    }

    /// Extra turns first, then the rest, both from pit 1 on, without making a list.
    #[inline]
    fn frontier(&self, state: &State, beta: Value, _list: &mut Moves<'_, Pit>) -> Frontier {
        let mut found = Frontier::NOTHING;
        for extra_turns in [true, false] {
            for lane in (0..6).rev() {
                let seeds = state.own.get(lane);
                if seeds == 0 || (last_place(lane, seeds) == STORE) != extra_turns {
                    continue;
                }
                let child = state.sow(lane);
                let over = child.is_over();
                let value = if over { worth_of_stores(&child) } else { self.evaluate(&child) };
                if found.add(if extra_turns { value } else { -value }, over, beta) {
                    return found;
                }
            }
        }
        found
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

    #[inline]
    fn slot(&self, pit: Pit) -> u8 {
        pit.number()
    }

    /// Seeds in a store stay there: each side's worst result is to win none of the others.
    #[inline]
    fn limits(&self, state: &State) -> (Value, Value) {
        let all = Value::from(SEEDS);
        let least = 2 * Value::from(state.own.store()) - all;
        let most = all - 2 * Value::from(state.facing.store());
        (SEED * least, SEED * most)
    }
}

#[inline]
fn worth_of_stores(state: &State) -> Value {
    SEED * (Value::from(state.own.store()) - Value::from(state.facing.store()))
}

/// Move hints, see [`Moves::push`].
const EXTRA_TURN: i8 = 60;
const CAPTURE: i8 = 20;
/// A seed on one's own side of the board.
const ROW_SEED: Value = 2;
/// Having the move.
const TEMPO: Value = 8;
