//! `BattleTech`: a duel of two or more mechs on a hex map, as the UGR simulator plays it or as its manual says.
//!
//! [`Profile`] holds every difference between the two; the rules ask its fields. What is random (rolls, damage, falls)
//! belongs to the referee; here stands everything that can be known before the dice fall: where a mech can get, what it
//! sees, what it needs to hit, how hot it gets.

pub mod action;
mod agent;
pub mod approach;
pub mod arcs;
pub mod attack;
pub mod equipment;
pub mod evaluation;
pub mod heat;
pub mod hex;
pub mod location;
pub mod map;
pub mod mech;
pub mod physical;
pub mod plan;
pub mod profile;
pub mod reach;
pub mod sight;
pub mod state;

pub use action::Action;
pub use agent::BattletechAgent;
pub use hex::{Facing, Hex};
pub use location::Location;
pub use map::{Map, Tile};
pub use mech::Mech;
pub use profile::Profile;
pub use state::{Phase, State};
