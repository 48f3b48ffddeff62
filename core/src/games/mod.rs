//! The games. One folder each, the same shape in each:
//!
//! * `state.rs`: the position, its validation and its bytes on the line;
//! * `rules.rs`: what may be done and what comes of it;
//! * `evaluation.rs`: what a position is worth to the agent;
//! * `agent.rs`: the decision, in resumable slices.

use serde::{Deserialize, Serialize};

pub mod mancala;
pub mod parchis;

/// The games that an agent may be asked about. The numbers are part of the wire format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum GameId {
    /// Kalah with six pits and four seeds.
    Mancala,
    /// Parchis with special dice.
    Parchis,
}

impl GameId {
    /// Every game, in the order of its number.
    pub const ALL: &'static [Self] = &[Self::Mancala, Self::Parchis];

    /// The name by which people and commands call it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mancala => "mancala",
            Self::Parchis => "parchis",
        }
    }
}

/// Why a request's state was refused. Flat and numbered, so that both ends of the line agree on the meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum StateError {
    /// The bytes do not have the length or the form of a state of this game.
    Malformed,
    /// A number is outside its range (a player that does not exist, a square off the board).
    OutOfRange,
    /// The parts contradict each other (seeds that do not add up, two pieces where one fits).
    Inconsistent,
    /// The game is over: there is nothing to decide.
    GameOver,
    /// More of something than there is room for.
    Capacity,
    /// The request needs something that was to be loaded before (a map) and was not.
    NotLoaded,
}

impl core::fmt::Display for StateError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Malformed => "the state's bytes are malformed",
            Self::OutOfRange => "a number in the state is out of range",
            Self::Inconsistent => "the parts of the state contradict each other",
            Self::GameOver => "the game is over, there is nothing to decide",
            Self::Capacity => "the state is larger than the agent has room for",
            Self::NotLoaded => "the request needs a map that has not been loaded",
        })
    }
}

impl core::error::Error for StateError {}
