//! Files of the original BattleTech simulator, in and out.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use crate::games::battletech::convert::convert;

#[derive(Args, Debug)]
#[command(
    after_help = "The names say what to do: a map is .bme (the map editor's), .sbt (the simulator's) or .json (ours);\n\
    a mech is .sbt (the simulator's defmech file) or .json (ours, for `--set designs=FILE`).\n\
    Examples: rival convert Manglar.bme manglar.json\n\
    \x20         rival convert defmechJ0-1.sbt archer.json && rival match battletech --p2 document --set designs=archer.json"
)]
pub(super) struct ConvertArgs {
    /// What to read
    from: PathBuf,
    /// What to write
    to: PathBuf,
}

pub(super) fn run(args: &ConvertArgs) -> Result<()> {
    println!("{}", convert(&args.from, &args.to)?);
    Ok(())
}
