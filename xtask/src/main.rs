//! Set-up and the one test command: `cargo xtask --help`.
#![forbid(unsafe_code)]

use std::path::PathBuf;

use anyhow::Result;
use clap::{Parser, Subcommand};

mod boards;
mod long;
mod mechanisms;
mod setup;
mod test;

/// Chores of the workspace.
#[derive(Parser)]
#[command(name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Install what is missing: targets, flip-link, QEMU
    Setup,
    /// Set up, then run everything that must hold
    Test {
        /// Also what takes long: a thousand games with faults, fuzz targets, Miri, the dependencies' licences
        #[arg(long)]
        long: bool,
    },
    /// Build the firmware for one board, or for all
    Firmware {
        /// qemu, nucleo-f446re, pico or microbit-v2
        board: Option<String>,
    },
    /// Print how much flash, RAM and stack the image takes on every board; fails if one does not fit, recurses or allocates
    Size {
        /// Only this board
        board: Option<String>,
        /// By crate, game and variable, with the deepest chain of calls and every way into a panic
        #[arg(long)]
        details: bool,
        /// Write the figures as JSON, for `rival bench report`
        #[arg(long, value_name = "FILE")]
        json: Option<PathBuf>,
    },
    /// Take out every mechanism that keeps the play going, one at a time, in a copy: its test has to fail
    Mechanisms {
        /// Only those whose description contains this
        only: Option<String>,
        /// From this number on: to go on with a run that was broken off
        #[arg(long, value_name = "NUMBER", default_value_t = 1)]
        from: usize,
        /// To this number
        #[arg(long, value_name = "NUMBER", default_value_t = usize::MAX, hide_default_value = true)]
        to: usize,
    },
    /// Write a UF2 file for the Raspberry Pi Pico, to be dropped onto it without a debug probe
    Uf2,
}

fn main() -> Result<()> {
    match Cli::parse().command {
        Command::Setup => setup::run().map(|_| ()),
        Command::Test { long } => test::run(long),
        Command::Firmware { board } => boards::build(board.as_deref()),
        Command::Size { board, details, json } => boards::print_sizes(board.as_deref(), details, json.as_deref()),
        Command::Mechanisms { only, from, to } => mechanisms::run(mechanisms::Part { only: only.as_deref(), from, to }),
        Command::Uf2 => boards::write_uf2(),
    }
}
