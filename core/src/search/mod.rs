//! Searches that know no game.
//!
//! Each of them is *iterative* (its stack is an array of its own), *bounded* (every table has a capacity given by the
//! caller), *resumable* (`step(nodes)` does at most that much work and can be called again) and *deterministic* (the
//! same input and the same number of nodes give the same answer on every machine).

pub mod alphabeta;
pub mod astar;
pub mod budget;
pub mod sort;
pub mod table;

/// What a slice of work came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// There is more to search; call `step` again.
    Pending,
    /// Nothing is left to find out, or a limit inside the search was met. The answer is final.
    Done,
}
