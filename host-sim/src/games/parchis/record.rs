//! States and actions as the recordings of the original program write them.

use anyhow::{Context, Result};
use rival_core::games::StateError;
use rival_core::games::parchis::{Colour, Die, Move, Piece, Place, Player, Special, State};
use serde::{Deserialize, Serialize};

/// The piece number that means "skip".
pub const SKIP: i32 = -9999;

/// A state, field by field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateRecord {
    /// Colours blue, red, green, yellow; three pieces each: kind of place, number, condition, turns left.
    pub p: [[[u8; 4]; 3]; 4],
    /// Items on the board: die, square.
    pub it: Vec<[u8; 2]>,
    /// Squares with a trap.
    pub tr: Vec<u8>,
    /// What the players hold.
    pub d: DiceRecord,
    /// The player to act.
    pub pl: u8,
    /// Current colour: always the player's main colour.
    #[serde(default)]
    pub cc: u8,
    /// Bounces by colour.
    pub bo: [u8; 4],
    /// Flags: eat, goal, remember six, bananed.
    pub f: [u8; 4],
    /// Who lost by bouncing too often, or -1.
    pub ob: i8,
    /// Actions so far, plus one.
    #[serde(default)]
    pub t: u32,
    /// Last die, whether it bounced, item acquired: only for reports.
    #[serde(default = "nothing_reported")]
    pub x: [i32; 3],
}

const fn nothing_reported() -> [i32; 3] {
    [-1, 0, -1]
}

/// Normal dice, hand, and the forced die if there is one, for J1 (`y`) and J2 (`b`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiceRecord {
    /// J1, whose main colour is yellow.
    pub y: Vec<Vec<u8>>,
    /// J2, whose main colour is blue.
    pub b: Vec<Vec<u8>>,
}

impl StateRecord {
    /// The record of a state after `actions` actions.
    pub fn of(state: &State, actions: u32) -> Self {
        let pieces = |colour: Colour| {
            [0, 1, 2].map(|id| {
                let Some(piece) = Piece::new(colour, id) else { return [0; 4] };
                let (kind, number) = match state.place(piece) {
                    Place::Ring(square) => (0, square),
                    Place::Home => (1, 0),
                    Place::Corridor(number) => (2, number),
                    Place::Goal => (3, 0),
                };
                let (condition, left) = state.condition(piece);
                [kind, number, condition.code(), left]
            })
        };
        let dice = |player: Player| {
            let forced = state.forced().filter(|_| player == state.turn()).map(|die| vec![die.code()]);
            let normal = state.normal_dice(player).map(Die::code).collect();
            let hand = state.hand(player).map(special_code).collect();
            [normal, hand].into_iter().chain(forced).collect()
        };
        Self {
            p: Colour::ALL.map(pieces),
            it: state.items().map(|(square, special)| [special_code(special), square]).collect(),
            tr: state.traps().collect(),
            d: DiceRecord { y: dice(Player::J1), b: dice(Player::J2) },
            pl: state.turn() as u8,
            cc: state.turn().colours()[0] as u8,
            bo: Colour::ALL.map(|colour| state.bounces(colour)),
            f: state.last_action().map(u8::from),
            ob: state.overbounce().map_or(-1, |player| player as i8),
            t: actions + 1,
            x: nothing_reported(),
        }
    }

    /// The state, or why it is none.
    pub fn state(&self) -> Result<State, StateError> {
        let mut bytes: Vec<u8> = self.p.iter().flatten().flatten().copied().collect();
        let count = |length: usize| u8::try_from(length).map_err(|_| StateError::Capacity);
        bytes.push(count(self.it.len())?);
        bytes.extend(self.it.iter().flatten());
        bytes.push(count(self.tr.len())?);
        bytes.extend(&self.tr);
        for layers in [&self.d.y, &self.d.b] {
            let (normal, hand, forced) = match layers.as_slice() {
                [normal, hand] => (normal, hand, 0),
                [normal, hand, forced] => match forced.as_slice() {
                    [] => (normal, hand, 0),
                    &[die] => (normal, hand, die),
                    _ => return Err(StateError::Inconsistent),
                },
                _ => return Err(StateError::Malformed),
            };
            for dice in [normal, hand] {
                bytes.push(count(dice.len())?);
                bytes.extend(dice);
            }
            bytes.push(forced);
        }
        let [eat, goal, six, bananed] = self.f.map(|flag| u8::from(flag != 0));
        bytes.extend([self.pl, eat | goal << 1 | six << 2 | bananed << 3]);
        bytes.extend(self.bo);
        let overbounce = u8::try_from(self.ob + 1).map_err(|_| StateError::OutOfRange)?;
        // The recordings do not write the winner down: it follows from the rest. Each of the three is tried.
        let mut last = Err(StateError::Malformed);
        for winner in 0..3 {
            let mut bytes = bytes.clone();
            bytes.extend([overbounce, winner]);
            last = State::decode(&bytes);
            if last != Err(StateError::Inconsistent) {
                break;
            }
        }
        last
    }
}

/// The number of a special die.
pub fn special_code(special: Special) -> u8 {
    special as u8 + 100
}

/// An action as the recordings write it: die, colour, piece or [`SKIP`].
pub fn action_record(state: &State, mv: Move) -> (u8, u8, i32) {
    match mv.piece() {
        Some(piece) => (mv.die().code(), piece.colour() as u8, i32::from(piece.id())),
        None => (mv.die().code(), state.turn().colours()[0] as u8, SKIP),
    }
}

/// The legal action that a record means, if it means one.
pub fn action_of(state: &State, (die, colour, id): (u8, u8, i32)) -> Option<Move> {
    let id = if id == SKIP { u8::MAX } else { u8::try_from(id).ok().filter(|&id| id < 3)? };
    state.decode_move(&[die, colour, id])
}

/// A hash as the recordings write it.
pub fn parse_hash(text: &str) -> Result<u64> {
    u64::from_str_radix(text, 16).with_context(|| format!("{text:?} is not a hash of 16 hexadecimal digits"))
}
