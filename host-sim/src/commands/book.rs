//! The tables that the image has from the exact solver.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use super::solve::{SolverArgs, is_mancala};
use crate::games::mancala::book::{self, BookSettings};

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

pub(super) fn run(args: &BookArgs) -> Result<bool> {
    is_mancala(&args.game)?;
    book::make(&BookSettings {
        margin: args.margin,
        check: args.check,
        folder: args.folder.clone(),
        size: args.solver.size(),
    })
}
