//! One self-contained page: tables, and plots as SVG.

use core::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use super::plot::{Bar, COLOURS, bars, depth_lines, dots, escape, number};
use super::{FORMAT, Figures, Run};

/// What `cargo xtask size --json` writes, as far as it is drawn.
#[derive(Clone, Debug, Deserialize)]
pub struct Sizes {
    boards: Vec<BoardSize>,
}

#[derive(Clone, Debug, Deserialize)]
struct BoardSize {
    board: String,
    flash: u64,
    flash_of_part: u64,
    static_ram: u64,
    ram_of_part: u64,
    stack_bound: u64,
    panics: u64,
    flash_by_owner: std::collections::BTreeMap<String, u64>,
    ram_by_variable: Vec<(String, u64)>,
}

/// A file that a report can be made of.
#[derive(Clone, Debug)]
pub enum Source {
    /// What `rival bench run` writes.
    Run(String, Box<Run>),
    /// What `cargo xtask size --json` writes.
    Sizes(Sizes),
}

/// Reads a file of either kind.
pub fn read(file: &Path) -> Result<Source> {
    let name = file.display();
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {name}"))?;
    let value: serde_json::Value = serde_json::from_str(&text).with_context(|| format!("{name} is no JSON"))?;
    match value["kind"].as_str() {
        Some("run") => {
            let format = value["format"].as_u64();
            if format != Some(FORMAT.into()) {
                bail!("{name} has format {format:?}, this program reads {FORMAT}: measure again");
            }
            let run = serde_json::from_value(value).with_context(|| format!("{name} is no run of the lab"))?;
            let stem = file.file_stem().map_or_else(|| name.to_string(), |stem| stem.to_string_lossy().into_owned());
            Ok(Source::Run(stem, Box::new(run)))
        }
        Some("sizes") => {
            Ok(Source::Sizes(serde_json::from_value(value).with_context(|| format!("{name} has no sizes"))?))
        }
        _ => bail!("{name} comes neither from `rival bench run --out` nor from `cargo xtask size --json`"),
    }
}

/// Reads a run.
pub fn read_run(file: &Path) -> Result<Run> {
    match read(file)? {
        Source::Run(_, run) => Ok(*run),
        Source::Sizes(_) => bail!("{} holds sizes, not a run", file.display()),
    }
}

/// The page of several files.
pub fn page(files: &[PathBuf]) -> Result<String> {
    let mut runs = Vec::new();
    let mut sizes = Vec::new();
    for file in files {
        match read(file)? {
            Source::Run(name, run) => runs.push((name, *run)),
            Source::Sizes(found) => sizes.push(found),
        }
    }
    Ok(html(&runs, &sizes))
}

const STYLE: &str = "
:root { color-scheme: light dark; --ink: #1d2433; --soft: #667085; --line: #d9dee8; --paper: #ffffff; --limit: #c0392b; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e9f0; --soft: #98a2b3; --line: #344054; --paper: #14181f; --limit: #ff7b6b; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 980px;
  margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { margin-top: 2.2rem; border-bottom: 1px solid var(--line); padding-bottom: .2rem; }
p.note, .axis { color: var(--soft); } p.note { font-size: .9rem; }
svg { width: 100%; height: auto; font: 12px system-ui, sans-serif; }
svg text { fill: var(--ink); } svg text.axis { fill: var(--soft); font-size: 11px; }
svg line.grid { stroke: var(--line); } svg line.limit { stroke: var(--limit); stroke-width: 2; stroke-dasharray: 4 3; }
svg text.limit { fill: var(--limit); }
.scroll { overflow-x: auto; } table { border-collapse: collapse; font-size: .85rem; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .6rem; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; }
th:first-child, td:first-child { text-align: left; } td.words { text-align: left; white-space: normal; }
.key span { display: inline-block; width: .8em; height: .8em; border-radius: 2px; margin: 0 .4em 0 1.2em; }
details { margin: .6rem 0; } summary { cursor: pointer; }
";

fn html(runs: &[(String, Run)], sizes: &[Sizes]) -> String {
    let mut page = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>Rival: measured</title><style>{STYLE}</style></head><body><h1>Rival: measured</h1>"
    );
    overview(&mut page, runs);
    if !runs.is_empty() {
        depth_section(&mut page, runs);
        speed_section(&mut page, runs);
        response_section(&mut page, runs);
    }
    for found in sizes {
        size_section(&mut page, runs, found);
    }
    for (name, run) in runs {
        tables(&mut page, name, run);
    }
    page + "</body></html>\n"
}

fn overview(page: &mut String, runs: &[(String, Run)]) {
    page.push_str("<div class=\"scroll\"><table><tr><th>file</th><th>board</th><th>link</th><th>made</th><th>microseconds are</th><th>slowest response</th><th>late</th><th>static RAM</th><th>stack used</th></tr>");
    for (at, (name, run)) in runs.iter().enumerate() {
        let worst = run.games.iter().map(super::GameRun::worst_us).max().unwrap_or(0);
        let _ = write!(
            page,
            "<tr><td class=\"key\"><span style=\"background:{};margin-left:0\"></span>{}</td><td>{} {}</td><td>{}</td><td>{}</td><td class=\"words\">{}</td><td>{:.1} ms</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            COLOURS[at % COLOURS.len()],
            escape(name),
            escape(&run.board),
            escape(&run.firmware),
            escape(&run.link),
            escape(&run.made),
            escape(&run.label()),
            worst as f64 / 1e3,
            run.late(),
            number(run.static_ram.into()),
            number(run.stack_peak.into()),
        );
    }
    page.push_str("</table></div>");
    if runs.iter().any(|(_, run)| run.timing != runs[0].1.timing) {
        page.push_str("<p class=\"note\"><b>The files hold different kinds of microseconds.</b> Emulated ones count instructions, hardware ones are a board's timer: read each with its label, never one against the other.</p>");
    }
}

/// The name of a file with its kind of microseconds: no two kinds of number stand together without a label.
fn labelled(name: &str, run: &Run) -> String {
    format!("{name} ({})", run.timing.to_lowercase())
}

fn games(runs: &[(String, Run)]) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for game in runs.iter().flat_map(|(_, run)| &run.games) {
        if !names.contains(&game.game.as_str()) {
            names.push(&game.game);
        }
    }
    names
}

fn decisions<'a>(run: &'a Run, game: &str) -> &'a [Figures] {
    run.games.iter().find(|found| found.game == game).map_or(&[], |found| &found.decisions)
}

fn depth_section(page: &mut String, runs: &[(String, Run)]) {
    let mut plots = String::new();
    for game in games(runs) {
        let mut lines = Vec::new();
        let mut limit: u32 = 0;
        for (at, (name, run)) in runs.iter().enumerate() {
            for figures in decisions(run, game).iter().filter(|figures| figures.depths.len() > 1) {
                let points =
                    figures.depths.iter().map(|depth| (f64::from(depth.search_us), f64::from(depth.depth))).collect();
                lines.push((format!("{}: {}", labelled(name, run), figures.position), at, points));
                limit = limit.max(run.deadline_us);
            }
        }
        if !lines.is_empty() {
            let title = format!("{game}: depth against time");
            let limit = if limit > 0 { f64::from(limit) } else { 1e6 };
            let _ = write!(plots, "<h3>{}</h3>{}", escape(game), depth_lines(&title, &lines, limit));
        }
    }
    if !plots.is_empty() {
        let _ = write!(
            page,
            "<h2>Depth against time</h2><p class=\"note\">A line a position, a point for every depth that was completed. The dashed line is the deadline.</p>{plots}"
        );
    }
}

fn speed_section(page: &mut String, runs: &[(String, Run)]) {
    page.push_str("<h2>Nodes a second</h2><p class=\"note\">What a node is differs from game to game: compare files, not games.</p>");
    for game in games(runs) {
        let mut drawn = Vec::new();
        for (at, (name, run)) in runs.iter().enumerate() {
            let Some(found) = run.games.iter().find(|found| found.game == game) else { continue };
            let speed = found.nodes_per_s();
            let each = run.instructions_per_us.map_or_else(String::new, |rate| {
                format!(" ({} instructions each)", number((rate * 1e6 / speed.max(1e-9)).round()))
            });
            drawn.push(Bar {
                name: labelled(name, run),
                value: speed,
                label: format!("{}{each}", number(speed.round())),
                colour: at,
                limit: None,
            });
        }
        let _ = write!(page, "<h3>{}</h3>{}", escape(game), bars(&format!("{game}: nodes a second"), &drawn));
    }
}

fn response_section(page: &mut String, runs: &[(String, Run)]) {
    page.push_str("<h2>Response time</h2><p class=\"note\">From the first byte of the request to the last byte of the reply, in milliseconds; a dot a decision.</p>");
    let mut rows = Vec::new();
    for game in games(runs) {
        for (at, (name, run)) in runs.iter().enumerate() {
            let values: Vec<f64> =
                decisions(run, game).iter().map(|figures| figures.response_us as f64 / 1e3).collect();
            let name = if runs.len() > 1 { format!("{game}, {name}") } else { game.into() };
            if !values.is_empty() {
                rows.push((name, at, values));
            }
        }
    }
    let deadline = runs.iter().map(|(_, run)| run.deadline_us).max().filter(|&deadline| deadline > 0);
    page.push_str(&dots("response times", &rows, deadline.map(|deadline| f64::from(deadline) / 1e3), "ms"));
    page.push_str("<h3>Where the time goes</h3><div class=\"scroll\"><table><tr><th>game, file</th><th>receive</th><th>decode</th><th>search</th><th>encode</th><th>send</th><th>bytes there</th><th>back</th></tr>");
    for game in games(runs) {
        for (name, run) in runs {
            let found = decisions(run, game);
            let mean = |figure: fn(&Figures) -> f64| found.iter().map(figure).sum::<f64>() / found.len().max(1) as f64;
            let _ = write!(
                page,
                "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
                escape(&format!("{game}, {}", labelled(name, run))),
                number(mean(|figures| figures.receive_us.into()).round()),
                number(mean(|figures| figures.decode_us.into()).round()),
                number(mean(|figures| figures.search_us.into()).round()),
                number(mean(|figures| figures.encode_us.into()).round()),
                number(mean(|figures| figures.send_us.into()).round()),
                number(mean(|figures| figures.request_bytes as f64).round()),
                number(mean(|figures| figures.reply_bytes as f64).round()),
            );
        }
    }
    page.push_str("</table></div><p class=\"note\">Means in microseconds. The reply carries its own figures, so its encoding cannot be in them: \"encode\" is what passes between the last node and the moment that the figures are written down.</p>");
}

fn size_section(page: &mut String, runs: &[(String, Run)], sizes: &Sizes) {
    let kilobytes = |bytes: u64| bytes as f64 / 1024.0;
    page.push_str("<h2>Flash, RAM and stack</h2><p class=\"note\">From the linked images (<code>cargo xtask size</code>). The dashed line is what the part has. The stack is the bound that follows from the call graph; what was measured is less.</p>");
    let measured = runs.iter().map(|(_, run)| run.stack_peak).max().unwrap_or(0);
    for (title, bar) in [
        ("Flash, KB", (|board: &BoardSize| (board.flash, board.flash_of_part)) as fn(&BoardSize) -> (u64, u64)),
        ("RAM, KB: static memory and the bound on the stack", |board| {
            (board.static_ram + board.stack_bound, board.ram_of_part)
        }),
    ] {
        let drawn: Vec<Bar> = sizes
            .boards
            .iter()
            .map(|board| {
                let (used, part) = bar(board);
                Bar {
                    name: board.board.clone(),
                    value: kilobytes(used),
                    label: format!("{:.1} of {:.0}", kilobytes(used), kilobytes(part)),
                    colour: 0,
                    // A part with far more than is needed would press the bars flat.
                    limit: Some(kilobytes(part.min(used * 2))),
                }
            })
            .collect();
        let _ = write!(page, "<h3>{title}</h3>{}", bars(title, &drawn));
    }
    page.push_str("<div class=\"scroll\"><table><tr><th>board</th><th>flash</th><th>static RAM</th><th>stack, bound</th><th>stack, measured (emulator)</th><th>ways into a panic</th></tr>");
    for board in &sizes.boards {
        let _ = write!(
            page,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            escape(&board.board),
            number(board.flash as f64),
            number(board.static_ram as f64),
            number(board.stack_bound as f64),
            if board.board == "qemu" && measured > 0 { number(measured.into()) } else { "–".into() },
            board.panics
        );
    }
    page.push_str("</table></div>");
    if let Some(board) = sizes.boards.first() {
        let mut owners: Vec<_> = board.flash_by_owner.iter().collect();
        owners.sort_by_key(|(name, size)| (core::cmp::Reverse(**size), *name));
        let drawn: Vec<Bar> = owners
            .iter()
            .take(16)
            .map(|(name, size)| Bar {
                name: (*name).clone(),
                value: kilobytes(**size),
                label: format!("{:.1} KB", kilobytes(**size)),
                colour: 2,
                limit: None,
            })
            .collect();
        let _ = write!(page, "<h3>Flash by owner, {}</h3>{}", escape(&board.board), bars("flash by owner", &drawn));
        page.push_str(
            "<h3>Static RAM by variable</h3><div class=\"scroll\"><table><tr><th>variable</th><th>bytes</th></tr>",
        );
        for (name, size) in board.ram_by_variable.iter().filter(|(_, size)| *size >= 32) {
            let _ = write!(page, "<tr><td>{}</td><td>{}</td></tr>", escape(name), number(*size as f64));
        }
        page.push_str("</table></div>");
    }
}

fn tables(page: &mut String, name: &str, run: &Run) {
    let _ = write!(
        page,
        "<h2>{}: every decision</h2><p class=\"note\">{}</p>",
        escape(&labelled(name, run)),
        escape(&run.label())
    );
    for game in &run.games {
        let unit = if run.timing == "Hardware" { "cycles a node" } else { "instructions a node" };
        let _ = write!(
            page,
            "<details open><summary>{}</summary><div class=\"scroll\"><table><tr><th>position</th><th>depth</th><th>nodes</th><th>search µs</th><th>response µs</th><th>{unit}</th><th>ending</th><th>tables, used of room</th><th>action</th></tr>",
            escape(&game.game)
        );
        for figures in &game.decisions {
            let per_node = figures.instructions_per_node.or(figures.cycles_per_node);
            let marks: Vec<String> =
                figures.marks.iter().map(|mark| format!("{} {} of {}", mark.table, mark.used, mark.capacity)).collect();
            let _ = write!(
                page,
                "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
                escape(&figures.position),
                figures.depth,
                number(figures.nodes.into()),
                number(figures.search_us.into()),
                number(figures.response_us as f64),
                per_node.map_or_else(|| "–".into(), |figure| format!("{figure:.1}")),
                escape(&figures.ending.to_lowercase()),
                escape(&marks.join(", ")),
                escape(&figures.action),
            );
        }
        page.push_str("</table></div></details>");
    }
}
