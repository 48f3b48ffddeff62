//! Exact answers.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;

use super::{is_stdout, write_json};
use crate::games::mancala::solve::{SolveSettings, solve};
use crate::games::mancala::solver::Size;

/// How large the solver is.
#[derive(Args, Debug, Clone, Copy)]
pub(super) struct SolverArgs {
    /// Seeds of the solver's own endgame table: 14 are 10 million positions, 16 are 30 million
    #[arg(long, default_value_t = 14, value_parser = clap::value_parser!(u8).range(0..=18))]
    seeds: u8,
    /// Megabytes for positions
    #[arg(long, default_value_t = 1_024, value_name = "MB")]
    memory: usize,
    /// Threads
    #[arg(long, default_value_t = 2)]
    jobs: usize,
}

impl SolverArgs {
    pub(super) fn size(self) -> Size {
        Size { seeds: self.seeds, megabytes: self.memory, jobs: self.jobs }
    }
}

#[derive(Args, Debug)]
#[command(after_help = "Examples: rival solve mancala\n          \
    rival solve mancala --state '{\"turn\":0,\"p\":[[20,0,1,0,0,0,3],[14,2,1,1,1,1,4]]}'")]
pub(super) struct SolveArgs {
    /// The game; there is an exact solver for mancala
    game: String,
    /// The state: `start`, or JSON as in the recordings
    #[arg(long, default_value = "start")]
    state: String,
    /// Keep what is found in this file, and go on from it next time
    #[arg(long, value_name = "FILE")]
    notes: Option<PathBuf>,
    /// Write the result as JSON to this file, `-` for standard output
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    #[command(flatten)]
    solver: SolverArgs,
}

/// Whether a game is one with a solver.
pub(super) fn is_mancala(game: &str) -> Result<()> {
    if game == "mancala" { Ok(()) } else { bail!("only mancala is solved, not \"{game}\"") }
}

pub(super) fn run(args: &SolveArgs) -> Result<()> {
    is_mancala(&args.game)?;
    let result = solve(&SolveSettings {
        state: args.state.clone(),
        notes: args.notes.clone(),
        size: args.solver.size(),
        quiet: is_stdout(args.json.as_ref()),
    })?;
    write_json(args.json.as_ref(), &result)
}
