//! The proof that the tables and the search are enough.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use super::solve::is_mancala;
use super::{LinkArgs, is_stdout, write_json};
use crate::games::mancala::verify::{VerifySettings, verify};

#[derive(Args, Debug)]
#[command(after_help = "Exit code 1 if a line is not won, or an answer behind --link differs or is late.\n\
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
    /// Write the result as JSON to this file, `-` for standard output
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    #[command(flatten)]
    link: LinkArgs,
}

pub(super) fn run(args: &VerifyArgs) -> Result<bool> {
    is_mancala(&args.game)?;
    let verified = verify(&VerifySettings {
        nodes: args.nodes,
        margin: args.margin,
        jobs: args.jobs,
        sample: args.sample,
        seed: args.seed,
        link: args.link.spec(),
        no_walk: args.no_walk,
        quiet: is_stdout(args.json.as_ref()),
    })?;
    write_json(args.json.as_ref(), &verified.json)?;
    Ok(verified.good)
}
