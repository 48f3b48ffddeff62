//! The chores of the workspace.

pub mod image;
