//! Planet Wars: the game of the Google AI Challenge of 2010, as its tournament server played it.
//!
//! Two players own planets that breed ships, and send ships to take more of them. Both see everything and move at the
//! same time, once a turn. Whoever has lost everything loses; after 200 turns, most ships win.

mod agent;
mod future;
mod plan;
mod reach;
mod rules;
mod space;
mod state;
mod view;

pub use agent::PlanetWarsAgent;
pub use future::{MAX_SHIPS, SHIP};
pub use rules::{Kick, Line, Order, Outcome, TURNS, Turn, battle, duel};
pub use space::{Distances, Position};
pub use state::{Fleet, MAX_FLEETS, MAX_PLANETS, Owner, Planet, Player, State};
pub use view::{Force, MAX_GROWTH, MAX_STATE, Reader, View};

#[cfg(test)]
mod tests;
