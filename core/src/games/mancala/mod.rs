//! Mancala: Kalah with six pits and four seeds, as the UGR simulator of 2018 plays it.
//!
//! Two players, J1 and J2, each with a store and six pits; **pit 1 is the one next to the owner's store**. Pit `i` faces
//! the other player's pit `7 - i`. J1 starts; whoever has more seeds in the store at the end wins.

mod agent;
pub mod book;
pub mod endgame;
mod evaluation;
mod lure;
mod rules;
mod state;
mod text;

pub use agent::{MancalaAgent, PROOF_NODES};
pub use evaluation::{Kalah, SEED};
pub use state::{Pit, Player, SEEDS, STATE_BYTES, State};

#[cfg(test)]
pub(crate) mod tests;
