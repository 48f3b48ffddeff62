//! The desktop's half of *Rival*.

pub mod games;
