//! `rival solve`: what every pit of a position is worth, with notes to go on from.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use rival_core::games::mancala::{Pit, State};
use serde_json::{Value, json};

use super::solver::{Range, Size, Solver};
use super::{Mancala, Table};
use crate::duel::progress;

/// What to solve.
#[derive(Clone, Debug)]
pub struct SolveSettings {
    /// The state, as a person writes it.
    pub state: String,
    /// Where to keep what is found.
    pub notes: Option<PathBuf>,
    /// How large the solver is.
    pub size: Size,
}

/// Solves a position and prints what every pit is worth.
pub fn solve(settings: &SolveSettings) -> Result<()> {
    let bytes = Mancala.state(&settings.state)?;
    let state = State::decode(&bytes).map_err(|error| anyhow::anyhow!("{error}"))?;
    ensure!(state.legal().next().is_some(), "the game is over: the margin is {:+}", state.margin());
    println!("{state}");
    let started = Instant::now();
    let bar = progress(0, false);
    bar.set_message("making the endgame table");
    let solver = Solver::new(settings.size);
    let tables = started.elapsed();
    let notes = Notes::open(settings.notes.clone(), &state)?;
    let known = notes.known;
    bar.set_message("asking");
    let learnt = |pit: Pit, range: Range| {
        bar.println(format!("pit {pit}: between {:+} and {:+}, {:.1?}", range.0, range.1, started.elapsed()));
        notes.add(pit, range);
    };
    let values = solver.values(&state, known, &learnt);
    bar.finish_and_clear();
    let Some(values) = values else {
        let advice =
            if settings.notes.is_some() { "the same command goes on" } else { "--notes FILE keeps what is found" };
        bail!("interrupted: {advice}");
    };
    let best = values.iter().flatten().max().copied().unwrap_or(0);
    for (pit, value) in Pit::ALL.into_iter().zip(values) {
        if let Some(value) = value {
            println!("pit {pit}  {value:+}{}", if value == best { "  best" } else { "" });
        }
    }
    let who = format!("J{}", state.turn() as u8 + 1);
    match best {
        0 => println!("a draw"),
        best if best > 0 => println!("{who} wins by {best}"),
        best => println!("{who} loses by {}", -best),
    }
    println!(
        "{} nodes, {:.1} s, {:.1} of them for the table of {} seeds",
        solver.nodes(),
        started.elapsed().as_secs_f64(),
        tables.as_secs_f64(),
        solver.endgame().seeds()
    );
    Ok(())
}

/// What is known of a position's pits, line by line in a file.
struct Notes {
    file: Option<Mutex<std::fs::File>>,
    state: Value,
    known: [Range; 6],
}

impl Notes {
    fn open(path: Option<PathBuf>, state: &State) -> Result<Self> {
        let mut known = [(-48, 48); 6];
        let state = json!(state.encode().to_vec());
        let Some(path) = path else { return Ok(Self { file: None, state, known }) };
        if path.exists() {
            for line in crate::recording::lines(&path)? {
                let (_, line) = line?;
                if line["state"] != state {
                    continue;
                }
                let (pit, low, high): (usize, i8, i8) = serde_json::from_value(line["range"].clone())
                    .with_context(|| format!("{}: no notes of the solver", path.display()))?;
                if let Some(range) = pit.checked_sub(1).and_then(|pit| known.get_mut(pit)) {
                    *range = (range.0.max(low), range.1.min(high));
                }
            }
        }
        let file = OpenOptions::new().create(true).append(true).open(&path);
        let file = file.with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Self { file: Some(Mutex::new(file)), state, known })
    }

    fn add(&self, pit: Pit, (low, high): Range) {
        if let Some(Ok(mut file)) = self.file.as_ref().map(Mutex::lock) {
            // A note that is lost is found out again.
            let _ = writeln!(file, "{}", json!({ "state": self.state, "range": [pit.number(), low, high] }));
        }
    }
}
