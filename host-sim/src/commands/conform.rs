//! Recordings of other programs against our rules.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use serde_json::json;

use super::{LimitArgs, LinkArgs, is_stdout, write_json};
use crate::games::table;
use crate::recording::Conformance;

#[derive(Args, Debug)]
#[command(
    after_help = "Recordings with exact answers also judge the agent's decisions: --link, --time-ms and --nodes\n\
    say which agent. Exit code 1 if anything differs."
)]
pub(super) struct ConformArgs {
    /// The game
    game: String,
    /// Recordings: .jsonl or .jsonl.gz
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Where to look for maps that a recording names; may be given several times [default: ../shared/maps/<game>]
    #[arg(long, value_name = "DIR")]
    maps: Vec<PathBuf>,
    /// Write the result as JSON to this file, `-` for standard output
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    #[command(flatten)]
    link: LinkArgs,
    #[command(flatten)]
    limits: LimitArgs,
}

pub(super) fn run(args: &ConformArgs) -> Result<bool> {
    let table = table(&args.game)?;
    let mut maps = args.maps.clone();
    maps.push(PathBuf::from("../shared/maps").join(args.game.replace('-', "_")));
    // Judging decisions is the longer part; a node limit keeps it short and the same everywhere.
    let mut limits = args.limits.clone();
    if limits.time_ms.is_none() && limits.nodes.is_none() && limits.depth.is_none() {
        limits.nodes = Some(100_000);
    }
    let quiet = is_stdout(args.json.as_ref());
    let mut all = Conformance::default();
    let mut files = Vec::new();
    for file in &args.files {
        let result = table.conform(file, &maps, &args.link.spec(), limits.limits())?;
        if !quiet {
            println!("{}: {} steps, {} mismatches", file.display(), result.steps, result.mismatches);
            for note in &result.notes {
                println!("  {note}");
            }
        }
        files.push(json!({
            "file": file.display().to_string(), "steps": result.steps, "mismatches": result.mismatches,
            "notes": result.notes,
        }));
        all.add(result);
    }
    if !quiet {
        println!("{} steps, {} mismatches", all.steps, all.mismatches);
        if let Some(first) = &all.first {
            println!("the first mismatch: {first}");
        }
    }
    write_json(
        args.json.as_ref(),
        &json!({ "steps": all.steps, "mismatches": all.mismatches, "first": all.first, "files": files }),
    )?;
    Ok(all.mismatches == 0)
}
