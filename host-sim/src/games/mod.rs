//! What only the desktop needs of each game: referee, opponents, files.

pub mod planet_wars;
