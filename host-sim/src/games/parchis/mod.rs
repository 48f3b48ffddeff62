//! Parchis on the desktop.

pub mod conform;
pub mod record;
pub mod reference;
