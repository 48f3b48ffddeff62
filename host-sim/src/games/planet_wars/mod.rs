//! Planet Wars on the desktop: maps, opponents, the referee, recordings and playbacks.

pub mod map;
pub mod opponents;
pub mod playback;
pub mod recordings;
pub mod referee;

pub use map::Map;
pub use opponents::Opponent;
pub use referee::{Game, Seat};
