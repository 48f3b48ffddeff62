//! Parchis with special dice, as the UGR simulator of 2022-23 plays it.
//!
//! Two players with two colours of three pieces each; whoever brings all three pieces of one colour into the goal wins.
//! Nothing is left to chance: a player chooses one of the dice 1, 2, 4, 5, 6 that are not used up, or a special die
//! picked up from the board. A six, an eaten piece and a piece in the goal give another action.

mod agent;
mod evaluation;
mod frontier;
mod geometry;
mod play;
mod rules;
mod state;
mod text;
mod threats;
mod weights;

pub use agent::ParchisAgent;
pub use evaluation::Parchis;
pub use geometry::{ITEMS, RING, entry_square, is_safe_square, start_square};
pub use rules::{MOST_MOVES, Move};
pub use state::{Colour, Condition, Die, PIECES, Piece, Place, Player, STATE_BYTES, Special, State, TRAPS};

pub use weights::{KNOTS, PLAIN, Tables, WEIGHTS, Weights};

#[cfg(test)]
mod rule_tests;
#[cfg(test)]
mod tests;
