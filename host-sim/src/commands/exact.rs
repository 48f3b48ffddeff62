//! Exact answers, the tables made from them, and the proof that they are enough.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;

use super::LinkArgs;
use crate::games::mancala::exact::{self, BookSettings, SolveSettings, VerifySettings};
use crate::games::mancala::solver::Size;

/// How large the solver is.
#[derive(Args, Debug, Clone, Copy)]
struct SolverArgs {
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
    fn size(self) -> Size {
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
    #[command(flatten)]
    solver: SolverArgs,
}

#[derive(Args, Debug)]
#[command(after_help = "Without --check the files in core/tables/mancala are written; build again afterwards.")]
pub(super) struct BookArgs {
    /// The game; there is a book for mancala
    game: String,
    /// The margin that the first seat's book keeps: 8 is all of it, 2 is any win
    #[arg(long, default_value_t = 8)]
    margin: u8,
    /// Compare with the files there are instead of writing them; exit code 1 if one differs
    #[arg(long)]
    check: bool,
    /// Folder of the files
    #[arg(long, default_value = crate::games::mancala::book::FOLDER, value_name = "DIR")]
    folder: PathBuf,
    #[command(flatten)]
    solver: SolverArgs,
}

#[derive(Args, Debug)]
#[command(after_help = "Exit code 1 if a line is not won.\n\
    Example: rival verify mancala --link emulator --sample 500")]
pub(super) struct VerifyArgs {
    /// The game; there is a proof for mancala
    game: String,
    /// Nodes a decision
    #[arg(long, default_value_t = rival_core::games::mancala::PROOF_NODES, value_name = "N")]
    nodes: u32,
    /// The margin at which a line is as good as over
    #[arg(long, default_value_t = 8)]
    margin: i8,
    /// Threads
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Ask so many of the positions again behind --link, with a second for each
    #[arg(long, default_value_t = 0, value_name = "N")]
    sample: usize,
    /// Seed of the sample
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Draw the sample from lines with random replies, and leave the complete walk out
    #[arg(long, requires = "sample")]
    no_walk: bool,
    #[command(flatten)]
    link: LinkArgs,
}

fn is_mancala(game: &str) -> Result<()> {
    if game == "mancala" { Ok(()) } else { bail!("only mancala is solved, not \"{game}\"") }
}

pub(super) fn solve(args: &SolveArgs) -> Result<()> {
    is_mancala(&args.game)?;
    exact::solve(&SolveSettings { state: args.state.clone(), notes: args.notes.clone(), size: args.solver.size() })
}

pub(super) fn book(args: &BookArgs) -> Result<bool> {
    is_mancala(&args.game)?;
    exact::book(&BookSettings {
        margin: args.margin,
        check: args.check,
        folder: args.folder.clone(),
        size: args.solver.size(),
    })
}

pub(super) fn verify(args: &VerifyArgs) -> Result<bool> {
    is_mancala(&args.game)?;
    exact::verify(&VerifySettings {
        nodes: args.nodes,
        margin: args.margin,
        jobs: args.jobs,
        sample: args.sample,
        seed: args.seed,
        link: args.link.spec(),
        no_walk: args.no_walk,
    })
}
