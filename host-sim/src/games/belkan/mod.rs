//! Belkan on the desktop: the hidden world, those who play in it, and the recordings of the original.

pub mod contest;
pub mod glibc;
pub mod maps;
pub mod opponents;
pub mod recordings;
pub mod world;
