//! The desktop half of *Rival*: referee, opponents, links and the program `rival`.

pub mod games;
