//! Recorded games, shown again.

use std::io::IsTerminal;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;

use crate::games::battletech;
use crate::games::planet_wars::{play, playback::Playback};

#[derive(Args, Debug)]
#[command(
    after_help = "On a terminal a game of Planet Wars fills the screen: space stops it, , and . go back and on,\n\
    + and - change the speed, q quits.\n\
    Example: rival match planet-wars --p2 bully --games 1 --playback game.txt && rival replay game.txt"
)]
pub(super) struct ReplayArgs {
    /// A playback of Planet Wars, as either of the contest's engines writes it, or a recorded game of BattleTech
    file: PathBuf,
    /// Show every so many turns [default: 1 on a terminal, 10 otherwise]
    #[arg(long, value_name = "TURNS")]
    every: Option<usize>,
    /// Draw both players' ships over the turns to this file instead
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

pub(super) fn run(args: &ReplayArgs) -> Result<()> {
    if battletech::conform::is_recorded_game(&args.file) {
        return battletech::record::show(&args.file, &mut std::io::stdout().lock());
    }
    let text = std::fs::read_to_string(&args.file).with_context(|| format!("cannot read {}", args.file.display()))?;
    let playback = Playback::parse(&text).with_context(|| format!("{} is no playback", args.file.display()))?;
    if let Some(file) = &args.svg {
        return std::fs::write(file, playback.svg()).with_context(|| format!("cannot write {}", file.display()));
    }
    if std::io::stdin().is_terminal() && std::io::stdout().is_terminal() {
        return play::replay_on_screen(&playback, args.every.unwrap_or(1));
    }
    play::replay(&playback, &mut std::io::stdout().lock(), args.every.unwrap_or(10))
}
