//! What `rival` does when it is told nothing.

use std::io::{self, BufRead, IsTerminal, Write};

use anyhow::Result;
use rival_core::agent::Level;
use rival_core::wire::Limits;

use super::style;
use crate::duel::MatchSettings;
use crate::games::{PlaySettings, TABLES, Table, example, parameters};
use crate::link::LinkSpec;

/// A menu on a terminal; without one, a short shown match of every game.
pub(super) fn run() -> Result<()> {
    if io::stdin().is_terminal() && io::stdout().is_terminal() { menu() } else { show_all() }
}

fn show_all() -> Result<()> {
    let mut rows = Vec::new();
    for table in TABLES {
        println!("== {}: {}", table.id().name(), table.about());
        let settings = MatchSettings {
            p1: "agent".into(),
            p2: table.opponents().last().map_or_else(|| "agent".into(), |(name, _)| example(name)),
            games: 1,
            seed: 1,
            opening: 2,
            link: LinkSpec::InProcess,
            limits: Limits { time_us: 50_000, ..Limits::default() },
            map: None,
            options: Vec::new(),
            jobs: 1,
            quiet: true,
        };
        let report = table.show_match(&settings, &mut io::stdout())?;
        rows.push((table.id().name(), settings, report));
        println!();
    }
    println!(
        "{:<12} {:<8} {:<17} {:>7} {:>10} {:>9} {:>9} {:>5}",
        "game", "p1", "p2", "points", "decisions", "mean ms", "worst ms", "late"
    );
    for (name, settings, report) in rows {
        let times = &report.json["p1_times"];
        let ms = |key: &str| times[key].as_f64().unwrap_or(0.0) / 1e3;
        println!(
            "{name:<12} {:<8} {:<17} {:>7} {:>10} {:>9.1} {:>9.1} {:>5}",
            settings.p1,
            settings.p2,
            report.json["points"].as_f64().unwrap_or(0.0),
            times["decisions"].as_u64().unwrap_or(0),
            ms("mean_us"),
            ms("worst_us"),
            times["late"].as_u64().unwrap_or(0)
        );
    }
    println!("\nOn a terminal this opens a menu. `rival --help` lists the commands.");
    Ok(())
}

fn menu() -> Result<()> {
    println!("{}", style::bold("Rival, an opponent that lives on a microcontroller"));
    let games: Vec<String> = TABLES.iter().map(|table| format!("{}: {}", table.id().name(), table.about())).collect();
    let Some(game) = choose("Which game?", &games)? else { return Ok(()) };
    let table: &dyn Table = TABLES[game];
    let mut opponents = vec![("agent", "this project's own")];
    opponents.extend(table.opponents());
    let shown: Vec<String> = opponents.iter().map(|(name, about)| format!("{name}: {about}")).collect();
    let Some(opponent) = choose("Who is your opponent?", &shown)? else { return Ok(()) };
    let mut name = opponents[opponent].0.to_owned();
    for (parameter, value) in parameters(opponents[opponent].0) {
        let Some(answer) = ask(&format!("{name}: {parameter}?"), value)? else { return Ok(()) };
        name = name.replace(parameter, &answer);
    }
    let seats = ["first".to_owned(), "second".to_owned(), "watch: the agent moves first".to_owned()];
    let Some(seat) = choose("Your seat?", &seats)? else { return Ok(()) };
    let Some(level) = ask("Level, 1 to 10?", "10")? else { return Ok(()) };
    let level = level.parse().ok().and_then(Level::new).unwrap_or(Level::STRONGEST);
    let Some(link) = ask("Link: in-process, serial:<port>, emulator?", "in-process")? else { return Ok(()) };
    let link = link.parse().map_err(|error: String| anyhow::anyhow!(error))?;
    let seat = (seat < 2).then_some(seat);
    table.play(&PlaySettings {
        seat,
        opponent: name,
        link,
        limits: level.limits(),
        seed: 1,
        map: None,
        options: Vec::new(),
    })
}

/// Lets the person pick a number; `None` at the end of input.
fn choose(question: &str, choices: &[String]) -> Result<Option<usize>> {
    for (number, choice) in choices.iter().enumerate() {
        println!("  {} {choice}", style::bold(&(number + 1).to_string()));
    }
    loop {
        let Some(text) = ask(question, "1")? else { return Ok(None) };
        match text.parse::<usize>() {
            Ok(number) if (1..=choices.len()).contains(&number) => return Ok(Some(number - 1)),
            _ => println!("Type a number from 1 to {}.", choices.len()),
        }
    }
}

/// Asks for a line; an empty one stands for the default. `None` at the end of input.
fn ask(question: &str, default: &str) -> Result<Option<String>> {
    print!("{question} [{default}] ");
    io::stdout().flush()?;
    let mut line = String::new();
    if io::stdin().lock().read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let line = line.trim();
    Ok(Some(if line.is_empty() { default } else { line }.to_owned()))
}
