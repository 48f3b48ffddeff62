//! `rival solve`: what every pit of a position is worth, with notes to go on from.

use core::sync::atomic::{AtomicBool, Ordering};
use core::time::Duration;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Mutex;
use std::thread::sleep;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use indicatif::ProgressBar;
use rival_core::games::mancala::{Pit, State};
use serde_json::{Value, json};

use super::solver::{Range, Size, Solver};
use super::{Mancala, Table};
use crate::duel::progress_of_unknown_end;

/// What to solve.
#[derive(Clone, Debug)]
pub struct SolveSettings {
    /// The state, as a person writes it.
    pub state: String,
    /// Where to keep what is found.
    pub notes: Option<PathBuf>,
    /// How large the solver is.
    pub size: Size,
    /// Say nothing on standard output: the caller does.
    pub quiet: bool,
}

/// Solves a position and prints what every pit is worth. Gives the same for programs.
pub fn solve(settings: &SolveSettings) -> Result<Value> {
    let bytes = Mancala.state(&settings.state)?;
    let state = State::decode(&bytes).map_err(|error| anyhow::anyhow!("{error}"))?;
    ensure!(state.legal().next().is_some(), "the game is over: the margin is {:+}", state.margin());
    let say = |text: String| {
        if !settings.quiet {
            println!("{text}");
        }
    };
    say(state.to_string());
    let started = Instant::now();
    let bar = progress_of_unknown_end(state.legal().count(), false);
    bar.set_message("pits; making the endgame table");
    let solver = Solver::new(settings.size);
    let tables = started.elapsed();
    let notes = Notes::open(settings.notes.clone(), &state)?;
    bar.inc(notes.known.iter().filter(|range| range.0 == range.1).count() as u64);
    let learnt = |pit: Pit, range: Range| {
        let what = if range.0 == range.1 {
            bar.inc(1);
            format!("exactly {:+}", range.0)
        } else {
            format!("between {:+} and {:+}", range.0, range.1)
        };
        bar.println(format!("pit {pit}: {what}, after {:.1} s", started.elapsed().as_secs_f64()));
        notes.add(pit, range);
    };
    let values = while_counting(&bar, &solver, || solver.values(&state, notes.known, &learnt));
    bar.finish_and_clear();
    let Some(values) = values else {
        let advice =
            if settings.notes.is_some() { "the same command goes on" } else { "--notes FILE keeps what is found" };
        bail!("interrupted: {advice}");
    };
    let best = values.iter().flatten().max().copied().unwrap_or(0);
    for (pit, value) in Pit::ALL.into_iter().zip(values) {
        if let Some(value) = value {
            say(format!("pit {pit}  {value:+}{}", if value == best { "  best" } else { "" }));
        }
    }
    let who = format!("J{}", state.turn() as u8 + 1);
    say(match best {
        0 => "a draw".into(),
        best if best > 0 => format!("{who} wins by {best}"),
        best => format!("{who} loses by {}", -best),
    });
    let seconds = started.elapsed().as_secs_f64();
    say(format!(
        "{} nodes, {seconds:.1} s, {:.1} of them for the table of {} seeds",
        solver.nodes(),
        tables.as_secs_f64(),
        solver.endgame().seeds()
    ));
    // As the recordings of solved positions have it.
    let pits = || Pit::ALL.into_iter().zip(values).filter_map(|(pit, value)| Some((pit.number(), value?)));
    let best_pits: Vec<u8> = pits().filter(|&(_, value)| value == best).map(|(pit, _)| pit).collect();
    let move_values: serde_json::Map<_, _> = pits().map(|(pit, value)| (pit.to_string(), json!(value))).collect();
    Ok(json!({
        "turn": state.turn() as u8, "p": state.board(), "value": best, "best": best_pits, "move_values": move_values,
        "nodes": solver.nodes(), "seconds": seconds,
    }))
}

/// Does something while the bar counts the solver's nodes.
fn while_counting<T>(bar: &ProgressBar, solver: &Solver, work: impl FnOnce() -> T) -> T {
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                bar.set_message(format!("pits, {} million nodes", solver.nodes() / 1_000_000));
                sleep(Duration::from_millis(100));
            }
        });
        let result = work();
        done.store(true, Ordering::Relaxed);
        result
    })
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
