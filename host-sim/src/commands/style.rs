//! Colour, on a terminal only.

use std::io::{IsTerminal, stdout};

use crossterm::style::Stylize;

/// Whether standard output may be coloured.
pub fn coloured() -> bool {
    stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none()
}

/// Stands out.
pub fn bold(text: &str) -> String {
    if coloured() { text.bold().to_string() } else { text.into() }
}

/// Stands back.
pub fn dim(text: &str) -> String {
    if coloured() { text.dark_grey().to_string() } else { text.into() }
}
