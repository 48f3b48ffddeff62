//! Chores of the workspace that are worth a test of their own.
#![forbid(unsafe_code)]

pub mod blame;
pub mod graph;
pub mod image;
