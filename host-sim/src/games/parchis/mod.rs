//! Parchis on the desktop.

pub mod conform;
pub mod opponents;
pub mod record;
pub mod reference;
pub mod tune;
