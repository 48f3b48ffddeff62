//! What only the desktop needs of each game.

pub mod battletech;
