//! Opponents: who sits on the other side.

mod random;

pub use random::Random;
