//! The games, as the desktop referees them.

pub mod belkan;
