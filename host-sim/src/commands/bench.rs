//! Figures of decisions on fixed positions.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use rival_core::wire::Timing;
use serde_json::json;

use super::{LimitArgs, LinkArgs, style, write_json};
use crate::client::Client;
use crate::duel::{Times, progress};
use crate::games::{TABLES, table};
use crate::link::LinkSpec;

/// What to measure, and how.
#[derive(Args, Debug)]
#[command(after_help = "Under emulation instructions and microseconds are exact and the same in every run.\n\
    Example: rival bench --link emulator --repeat 63   (504 decisions of one second each)")]
pub struct BenchArgs {
    /// Only this game
    #[arg(long)]
    game: Option<String>,
    /// Rounds over the positions
    #[arg(long, default_value_t = 1)]
    repeat: usize,
    /// Write the figures as JSON to this file, `-` for standard output
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    #[command(flatten)]
    link: LinkArgs,
    #[command(flatten)]
    limits: LimitArgs,
}

/// Measures. `false` if a decision came too late.
pub fn run(args: &BenchArgs) -> Result<bool> {
    let spec = args.link.spec();
    let limits = args.limits.limits();
    let tables = match &args.game {
        Some(name) => vec![table(name)?],
        None => TABLES.to_vec(),
    };
    let mut client = Client::open(&spec)?;
    let identity = client.identity().clone();
    let instructions_per_us = match spec {
        LinkSpec::Emulator { shift, .. } => Some(1_000.0 / f64::from(1_u32 << shift)),
        _ => None,
    };
    let kind = match identity.timing {
        Timing::Hardware => "microseconds of the board's timer",
        Timing::Emulated => "emulated microseconds: counted instructions, not a board's cycles",
        Timing::Desktop => "microseconds of this desktop: compare them only within one run",
    };
    println!("{} over {spec}, firmware {}; {kind}", style::bold(&identity.board), identity.firmware);
    let mut games = Vec::new();
    let mut worst = 0;
    let mut late = 0;
    for table in tables {
        let positions = table.positions();
        let bar = progress(positions.len() * args.repeat, false);
        let mut times = Times::default();
        let mut rows = Vec::new();
        for round in 0..args.repeat {
            for position in &positions {
                if let Some(data) = &position.load {
                    client.load(table.id(), data)?;
                }
                let answer = client.decide(table.id(), &position.state, limits)?;
                times.add(&answer, client.baud(), limits);
                bar.inc(1);
                if round > 0 {
                    continue;
                }
                let words = table.words(&position.state, &answer);
                let per_node = instructions_per_us.map(|rate| {
                    f64::from(answer.statistics.search_us) * rate / f64::from(answer.statistics.nodes.max(1))
                });
                let mut row = super::decide::to_json(&answer, &words, client.baud());
                row["position"] = json!(position.name);
                row["instructions_per_node"] = json!(per_node);
                rows.push(row);
            }
        }
        bar.finish_and_clear();
        print_rows(table.id().name(), &rows);
        println!("  {}", times.summary());
        worst = worst.max(times.worst_us());
        late += times.late();
        games.push(json!({ "game": table.id().name(), "positions": rows, "times": times.json() }));
    }
    let identity = client.hello()?.clone();
    println!("worst complete response {:.3} ms, the line included; {late} late", worst as f64 / 1e3);
    if identity.stack > 0 {
        let total = identity.static_ram + identity.stack_peak;
        println!(
            "memory: {} bytes static + {} of stack at most = {total} bytes of RAM ({:.1} KB)",
            identity.static_ram,
            identity.stack_peak,
            f64::from(total) / 1024.0
        );
    }
    let json = json!({
        "board": identity.board.as_str(), "firmware": identity.firmware.as_str(), "link": spec.to_string(),
        "timing": format!("{:?}", identity.timing), "clock_hz": identity.clock_hz,
        "static_ram": identity.static_ram, "stack_peak": identity.stack_peak, "workspace": identity.workspace,
        "limits": { "time_us": limits.time_us, "nodes": limits.nodes, "depth": limits.depth },
        "worst_response_us": worst, "late": late, "games": games,
    });
    write_json(args.json.as_ref(), &json)?;
    Ok(late == 0)
}

fn print_rows(game: &str, rows: &[serde_json::Value]) {
    println!(
        "{:<34} {:>6} {:>9} {:>10} {:>11} {:>11}  action",
        style::bold(game),
        "depth",
        "nodes",
        "search µs",
        "response µs",
        "instr/node"
    );
    for row in rows {
        let per_node =
            row["instructions_per_node"].as_f64().map_or_else(|| "-".into(), |figure| format!("{figure:.1}"));
        println!(
            "{:<34} {:>6} {:>9} {:>10} {:>11} {:>11}  {} ({})",
            row["position"].as_str().unwrap_or(""),
            row["depth"],
            row["nodes"],
            row["search_us"],
            row["response_us"],
            per_node,
            row["action"].as_str().unwrap_or(""),
            row["value_words"].as_str().unwrap_or("")
        );
    }
}
