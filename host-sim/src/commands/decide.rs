//! One decision with its statistics.

use anyhow::Result;
use clap::Args;
use serde_json::json;

use super::{LimitArgs, LinkArgs};
use crate::client::{Answer, Client};
use crate::games::{Words, table};

#[derive(Args, Debug)]
pub(super) struct DecideArgs {
    /// The game
    game: String,
    /// The state: `start`, or JSON as in the recordings; Planet Wars also takes generated:<seed> and the contest's own P
    /// and F lines
    #[arg(long)]
    state: String,
    /// A map that the state is on. Belkan: a file, a course map's name, or generated:<seed>:<size>; BattleTech: a file
    /// or a landscape
    #[arg(long)]
    map: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    link: LinkArgs,
    #[command(flatten)]
    limits: LimitArgs,
}

pub(super) fn run(args: &DecideArgs) -> Result<()> {
    let table = table(&args.game)?;
    let (state, pieces) = match &args.map {
        Some(map) => table.state_on(&args.state, map)?,
        None => (table.state(&args.state)?, table.map_of(&args.state)?),
    };
    let mut client = Client::open(&args.link.spec())?;
    for piece in &pieces {
        client.load(table.id(), piece)?;
    }
    let answer = client.decide(table.id(), &state, args.limits.limits())?;
    let words = table.words(&state, &answer);
    if args.json {
        println!("{}", serde_json::to_string_pretty(&to_json(&answer, &words, client.baud()))?);
        return Ok(());
    }
    let statistics = &answer.statistics;
    println!("{}", table.draw(&state));
    println!("action    {}", words.action);
    println!("value     {}", words.value);
    if !words.line.is_empty() {
        println!("line      {}", words.line);
    }
    println!("depth     {} ({:?})", statistics.depth, statistics.ending);
    println!("source    {}", statistics.source.name());
    println!("nodes     {}", statistics.nodes);
    println!(
        "time      {} µs search, {} µs whole response ({} bytes there, {} back)",
        statistics.search_us,
        answer.response_us(client.baud()),
        answer.request_bytes,
        answer.reply_bytes
    );
    if let Some(what) = table.weighs() {
        println!("weighed   {} {what}", statistics.cutoffs);
    }
    if statistics.cutoffs > 0 && table.weighs().is_none() {
        let share = 100.0 * f64::from(statistics.first_cutoffs) / f64::from(statistics.cutoffs);
        println!(
            "search    {} table hits, {} cut-offs, {share:.0} % at the first move",
            statistics.table_hits, statistics.cutoffs
        );
    }
    for mark in &statistics.marks {
        println!("{:<9} {} of {}", mark.table.name(), mark.used, mark.capacity);
    }
    if statistics.stack_peak > 0 {
        println!("stack     {} bytes at most", statistics.stack_peak);
    }
    Ok(())
}

/// A decision for programs.
pub(super) fn to_json(answer: &Answer, words: &Words, baud: Option<u32>) -> serde_json::Value {
    let statistics = &answer.statistics;
    json!({
        "action": words.action, "action_bytes": answer.action, "value": statistics.value, "value_words": words.value,
        "line": words.line, "depth": statistics.depth, "ending": format!("{:?}", statistics.ending),
        "source": statistics.source.name(), "guaranteed": statistics.guaranteed,
        "nodes": statistics.nodes, "receive_us": statistics.receive_us, "decode_us": statistics.decode_us,
        "search_us": statistics.search_us, "search_cycles": statistics.search_cycles,
        "answer_us": statistics.answer_us, "response_us": answer.response_us(baud),
        "request_bytes": answer.request_bytes, "reply_bytes": answer.reply_bytes,
        "table_hits": statistics.table_hits, "cutoffs": statistics.cutoffs, "first_cutoffs": statistics.first_cutoffs,
        "bound_met": statistics.bound_met, "stack_peak": statistics.stack_peak,
        "marks": statistics.marks.iter().map(|mark| json!({
            "table": mark.table.name(), "used": mark.used, "capacity": mark.capacity })).collect::<Vec<_>>(),
    })
}
