//! Belkan: a walker with a battery on a map of forests, waters and precipices, as the UGR course of 2019-20 has it.
//!
//! At levels 1 to 3 the map is known and there is one target: get there at all, with the fewest actions, with the least
//! battery. At level 4 the map is unknown, villagers are in the way, and as many targets as possible are to be reached
//! in 3,000 ticks.

mod agent;
mod depth;
mod graph;
mod knowledge;
mod map;
mod plan;
mod policy;
mod rules;
mod state;

pub use agent::BelkanAgent;
pub use knowledge::{Knowledge, MAX_PIECE};
pub use map::{Cell, FRAME, MAX_SIZE, MIN_SIZE, Map};
pub use policy::Tuning;
pub use rules::{Action, CHARGE, Event, FULL_BATTERY, Heading, LIFETIME, Outfit, Place, Player, Terrain};
pub use state::{AHEAD, CONE, Figure, SIGHT, STATE_BYTES, Sensors};

#[cfg(test)]
mod tests;
