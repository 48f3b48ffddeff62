//! The desktop half of *Rival*.

pub mod games;
