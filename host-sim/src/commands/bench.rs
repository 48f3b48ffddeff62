//! The lab: measure, compare, draw.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Args, Subcommand};
use rival_core::agent::Level;

use super::{LimitArgs, LinkArgs, style};
use crate::games::{TABLES, table};
use crate::lab::find::{Search, find};
use crate::lab::peers::peers;
use crate::lab::run::measure;
use crate::lab::{Run, Suite, calibrate, compare, report};
use crate::link::LinkSpec;

/// What to measure, or what to do with what was measured.
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(after_help = "Under emulation instructions and microseconds are exact and the same in every run.\n\
    Without a further word: `run`, with the figures shown and not kept.\n\
    Examples:\n  rival bench run --link emulator --out now.json\n  \
    rival bench compare bench/baseline.json now.json\n  \
    rival bench report now.json --html report.html")]
pub struct BenchArgs {
    #[command(subcommand)]
    command: Option<BenchCommand>,
    #[command(flatten)]
    run: RunArgs,
}

#[derive(Subcommand, Debug)]
enum BenchCommand {
    /// Measure every position of a suite
    Run(RunArgs),
    /// Make one self-contained page of one or several runs, and of `cargo xtask size --json`
    Report(ReportArgs),
    /// What got better or worse between two runs; exit code 1 if something got worse than it may
    Compare(CompareArgs),
    /// Cycles an instruction: the same decisions on a real board and in the emulator
    Calibrate(LinkArgs),
    /// Look for positions worth measuring: middle games of the agent, and the slowest among them
    Find(FindArgs),
    /// Our searches against a plain recursive one and against the crates minimax, pathfinding and petgraph
    Peers,
}

#[derive(Args, Debug)]
struct RunArgs {
    /// Only this game
    #[arg(long)]
    game: Option<String>,
    /// Which positions
    #[arg(long, value_enum, default_value_t)]
    suite: Suite,
    /// The emulated part's clock in MHz, instead of emulator:<shift>
    #[arg(long, value_name = "MHZ", value_parser = ["168", "84", "48"])]
    clock: Option<String>,
    /// Rounds over the positions; what is kept is the last
    #[arg(long, default_value_t = 1)]
    repeat: usize,
    /// Write the run to this file
    #[arg(long, visible_alias = "json", value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    link: LinkArgs,
    #[command(flatten)]
    limits: LimitArgs,
}

#[derive(Args, Debug)]
#[command(after_help = "The full suite's file: rival bench find --link emulator --out bench/positions.json")]
struct FindArgs {
    /// Only this game
    #[arg(long)]
    game: Option<String>,
    /// Seed of the games
    #[arg(long, default_value_t = 7)]
    seed: u64,
    /// Games of the agent against itself
    #[arg(long, default_value_t = 4)]
    games: usize,
    /// Nodes a decision in these games
    #[arg(long, default_value_t = 2_000)]
    nodes: u32,
    /// Positions of them that are measured, for one second each
    #[arg(long, default_value_t = 40)]
    candidates: usize,
    /// The slowest that are kept
    #[arg(long, default_value_t = 4)]
    slowest: usize,
    /// Others that are kept
    #[arg(long, default_value_t = 8)]
    spread: usize,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    link: LinkArgs,
}

#[derive(Args, Debug)]
struct ReportArgs {
    /// Files of `rival bench run --out` and of `cargo xtask size --json`
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The page
    #[arg(long, value_name = "FILE")]
    html: PathBuf,
}

#[derive(Args, Debug)]
struct CompareArgs {
    /// The run before
    old: PathBuf,
    /// The run after
    new: PathBuf,
    /// Share of nodes a second that a game may lose, in per cent
    #[arg(long, default_value_t = 3.0)]
    threshold: f64,
}

/// Does it. `false` if a decision came too late or a comparison was lost.
pub fn run(args: &BenchArgs) -> Result<bool> {
    match &args.command {
        None => run_suite(&args.run),
        Some(BenchCommand::Run(args)) => run_suite(args),
        Some(BenchCommand::Report(args)) => {
            let page = report::page(&args.files)?;
            std::fs::write(&args.html, page).with_context(|| format!("cannot write {}", args.html.display()))?;
            println!("{}", args.html.display());
            Ok(true)
        }
        Some(BenchCommand::Compare(args)) => {
            let (old, new) = (report::read_run(&args.old)?, report::read_run(&args.new)?);
            let comparison = compare(&old, &new, args.threshold / 100.0)?;
            print!("{comparison}");
            let losses = comparison.losses();
            for loss in &losses {
                println!("worse: {loss}");
            }
            Ok(losses.is_empty())
        }
        Some(BenchCommand::Find(args)) => run_find(args).map(|()| true),
        Some(BenchCommand::Peers) => run_peers().map(|()| true),
        Some(BenchCommand::Calibrate(args)) => run_calibration(&args.spec()).map(|()| true),
    }
}

fn run_suite(args: &RunArgs) -> Result<bool> {
    let mut spec = args.link.spec();
    if let Some(clock) = &args.clock {
        spec = spec.with_shift(match clock.as_str() {
            "168" => 3,
            "84" => 4,
            _ => 5,
        });
    }
    let tables = match &args.game {
        Some(name) => vec![table(name)?],
        None => TABLES.to_vec(),
    };
    let limits = args.limits.limits();
    let mut decisions = 0;
    let (mut worst, mut late) = (0, 0);
    let mut kept = None;
    for _ in 0..args.repeat.max(1) {
        let run = measure(&spec, &tables, args.suite, limits)?;
        decisions += run.games.iter().map(|game| game.decisions.len()).sum::<usize>();
        worst = worst.max(run.games.iter().map(crate::lab::GameRun::worst_us).max().unwrap_or(0));
        late += run.late();
        kept = Some(run);
    }
    let Some(run) = kept else { return Ok(true) };
    show(&run);
    println!("worst complete response {:.3} ms of {decisions}, the line included; {late} late", worst as f64 / 1e3);
    if run.stack > 0 {
        let total = run.static_ram + run.stack_peak;
        println!(
            "memory: {} bytes static + {} of stack at most = {total} bytes of RAM ({:.1} KB)",
            run.static_ram,
            run.stack_peak,
            f64::from(total) / 1024.0
        );
    }
    if let Some(file) = &args.out {
        super::write_json(Some(file), &serde_json::to_value(&run)?)?;
    }
    Ok(late == 0)
}

fn show(run: &Run) {
    println!("{} over {}, firmware {}; {}", style::bold(&run.board), run.link, run.firmware, run.label());
    let unit = if run.timing == "Hardware" { "cycl/node" } else { "instr/node" };
    for game in &run.games {
        println!(
            "{:<34} {:>6} {:>9} {:>10} {:>11} {:>11} {:>10}  action",
            style::bold(&game.game),
            "depth",
            "nodes",
            "search µs",
            "response µs",
            unit,
            "/expanded"
        );
        for figures in &game.decisions {
            let per_node = figures.instructions_per_node.or(figures.cycles_per_node);
            println!(
                "{:<34} {:>6} {:>9} {:>10} {:>11} {:>11} {:>10}  {}",
                figures.position,
                figures.depth,
                figures.nodes,
                figures.search_us,
                figures.response_us,
                per_node.map_or_else(|| "-".into(), |figure| format!("{figure:.1}")),
                figures.instructions_per_expanded.map_or_else(|| "-".into(), |figure| format!("{figure:.1}")),
                figures.action,
            );
        }
        let weighed = table(&game.game).ok().and_then(crate::games::Table::weighs);
        let weighed = weighed.map_or(String::new(), |what| format!(", {:.0} {what} weighed", game.weighed_per_s()));
        println!("  {:.0} nodes a second{weighed}, slowest {:.1} ms", game.nodes_per_s(), game.worst_us() as f64 / 1e3);
    }
}

fn run_calibration(spec: &LinkSpec) -> Result<()> {
    let (clock_hz, calibrations) = calibrate(spec)?;
    println!("cycles an instruction at {} MHz, the same nodes on the board and in the emulator", clock_hz / 1_000_000);
    for calibration in &calibrations {
        println!(
            "{:<12} {:>6.2} cycles an instruction ({:.0} cycles, {:.0} instructions): emulator:{} comes closest",
            calibration.game,
            calibration.ratio(),
            calibration.cycles,
            calibration.instructions,
            calibration.shift(clock_hz)
        );
    }
    Ok(())
}

fn run_peers() -> Result<()> {
    println!("microseconds of this desktop, the middle of five runs: only the ratios mean anything");
    for peers in peers()? {
        println!("\n{}", style::bold(peers.title));
        println!("  {}", peers.note);
        print!("{:<46}", "");
        peers.names.iter().for_each(|name| print!(" {name:>16}"));
        println!();
        for row in &peers.rows {
            print!("{:<46}", row.task);
            row.times.iter().for_each(|time| print!(" {:>16}", time.as_micros()));
            println!();
        }
        for (at, name) in peers.names.iter().enumerate().skip(1) {
            let (all, least) = peers.ratio(at);
            println!("{name}: {all:.1} times as long over all, {least:.1} times where it does best");
        }
    }
    Ok(())
}

fn run_find(args: &FindArgs) -> Result<()> {
    let tables = match &args.game {
        Some(name) => vec![table(name)?],
        None => TABLES.to_vec(),
    };
    let FindArgs { seed, games, nodes, candidates, slowest, spread, .. } = *args;
    let search = Search { seed, games, nodes, candidates, slowest, spread };
    let limits = Level::STRONGEST.limits();
    let mut kept = Vec::new();
    for table in tables {
        let found = find(table, &args.link.spec(), &search, limits)?;
        println!("{:<12} {} positions", table.id().name(), found.len());
        kept.extend(found);
    }
    super::write_json(Some(&args.out), &serde_json::to_value(&kept)?)
}
