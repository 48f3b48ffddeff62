//! What the desktop knows of each game beyond the rules in `rival-core`.

pub mod parchis;
