//! All games in turn, for hours, with faults: what goes wrong, and what comes of it.
//!
//! Every decision over the link is put to a second agent as well, which sits in this program behind a sound line, with
//! as many nodes as the first one used. The two answers have to be the same.

use core::sync::atomic::{AtomicBool, Ordering};
use core::time::Duration;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

use anyhow::{Result, bail};
use clap::Args;
use rival_core::games::{GameId, StateError};
use rival_core::wire::{Ending, Identity, Limits};
use serde_json::json;

use super::{LinkArgs, style, write_json};
use crate::client::{Answer, Client, LineCount, Witness, refusal};
use crate::duel::{INTERRUPTED, MatchSettings};
use crate::games::{TABLES, Table, example};
use crate::heap::{self, Growth};
use crate::link::faults::FaultCount;
use crate::link::{LinkSpec, OpenLink};

/// How long to play, and over what.
#[derive(Args, Debug)]
#[command(after_help = "Every game in turn: a match with a node limit, then decisions of a whole second.\n\
    Example: rival soak --hours 1 --link emulator --faults flip=1e-4,drop=1e-4,dup=1e-4,reset=1e-3,seed=1\n\
    Exit code 1 if a decision was late or wrong, or a game was lost.")]
pub struct SoakArgs {
    /// Hours; the game that is being played at the end is finished
    #[arg(long, default_value_t = 1.0)]
    hours: f64,
    /// Minutes instead
    #[arg(long, conflicts_with = "hours")]
    minutes: Option<f64>,
    /// Nodes a decision in the matches
    #[arg(long, default_value_t = 300)]
    nodes: u32,
    /// Decisions of a whole second after each match
    #[arg(long, default_value_t = 2)]
    seconds: usize,
    /// Seed of the games; the faults have one of their own
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Write the table as JSON to this file, `-` for standard output
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    #[command(flatten)]
    link: LinkArgs,
}

/// Wrong answers and board faults that are kept in full.
const KEPT: usize = 8;
/// The time a decision may take.
const SECOND_US: u32 = 1_000_000;
/// How often an agent that has forgotten a map is told again before one decision.
const TELLINGS: u32 = 8;
/// Between two lines.
const LINE: Duration = Duration::from_mins(1);

/// What has happened so far.
struct Tally {
    /// The agent that everything is compared with.
    twin: Client,
    decisions: u64,
    timed: u64,
    late: u64,
    wrong: u64,
    worst_us: u64,
    line: LineCount,
    /// Games or positions that came to an end in an error.
    lost: u64,
    games: [u64; TABLES.len()],
    /// What stays in this program's memory from one game to the next.
    growth: Growth,
    /// The first wrong answers, and what the board said about its own faults.
    notes: Vec<String>,
}

impl Tally {
    fn new() -> Result<Self> {
        Ok(Self {
            twin: Client::open(&LinkSpec::InProcess)?,
            decisions: 0,
            timed: 0,
            late: 0,
            wrong: 0,
            worst_us: 0,
            line: LineCount::default(),
            lost: 0,
            games: [0; TABLES.len()],
            growth: Growth::new(),
            notes: Vec::with_capacity(KEPT),
        })
    }

    /// Whether all went as it should.
    fn is_clean(&self) -> bool {
        self.late == 0 && self.wrong == 0 && self.lost == 0
    }

    fn note(&mut self, text: String) {
        if self.notes.len() < KEPT {
            eprintln!("rival: {text}");
            self.notes.push(text);
        }
    }
}

impl Witness for Tally {
    fn loaded(&mut self, game: GameId, data: &[u8]) {
        if let Err(error) = self.twin.load(game, data) {
            self.wrong += 1;
            self.note(format!("{}: the agent took in what its twin refuses: {error}", game.name()));
        }
    }

    fn decided(&mut self, game: GameId, state: &[u8], limits: Limits, answer: &Answer, baud: Option<u32>) {
        self.decisions += 1;
        let response = answer.response_us(baud);
        self.worst_us = self.worst_us.max(response);
        self.late += u64::from(limits.time_us > 0 && response >= u64::from(limits.time_us));
        self.timed += u64::from(answer.statistics.ending == Ending::Time);
        let nodes = if answer.statistics.ending == Ending::Time { answer.statistics.nodes } else { limits.nodes };
        let same = Limits { time_us: 0, nodes, depth: limits.depth };
        match self.twin.decide(game, state, same) {
            Ok(twin) if twin.action == answer.action && twin.statistics.value == answer.statistics.value => {}
            Ok(twin) => {
                self.wrong += 1;
                self.note(format!(
                    "{}: {:?} worth {} after {} nodes ({:?}), but the twin says {:?} worth {} after {}; state {state:02x?}",
                    game.name(),
                    answer.action,
                    answer.statistics.value,
                    answer.statistics.nodes,
                    answer.statistics.ending,
                    twin.action,
                    twin.statistics.value,
                    twin.statistics.nodes,
                ));
            }
            Err(error) => {
                self.wrong += 1;
                self.note(format!("{}: the agent answered what its twin refuses: {error}", game.name()));
            }
        }
    }

    fn restarted(&mut self, identity: &Identity) {
        // What the board has forgotten the twin forgets as well.
        match Client::open(&LinkSpec::InProcess) {
            Ok(twin) => self.twin = twin,
            Err(error) => self.note(format!("the twin cannot be started again: {error}")),
        }
        if let Some(fault) = &identity.last_fault {
            self.note(format!("the board fell over: {:?} at {}", fault.kind, fault.place));
        }
    }

    fn closed(&mut self, count: LineCount) {
        self.line.add(count);
    }
}

/// Memory that the system has given to this program, in kilobytes, where it tells. It gets less of it back than is no
/// longer used: see [`heap`].
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

fn look(tally: &Mutex<Tally>) -> MutexGuard<'_, Tally> {
    tally.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Plays. `false` if anything was late, wrong or lost.
pub fn run(args: &SoakArgs) -> Result<bool> {
    let minutes = args.minutes.unwrap_or(args.hours * 60.0);
    if !(minutes > 0.0 && minutes < 600_000.0) {
        bail!("--hours or --minutes has to be more than 0");
    }
    let spec = args.link.spec();
    let started = Instant::now();
    let end = started + Duration::from_secs_f64(minutes * 60.0);
    let mut link = OpenLink::new(spec.open()?, spec.baud());
    let tally = Arc::new(Mutex::new(Tally::new()?));
    link.witness = Some(Arc::clone(&tally) as Arc<Mutex<dyn Witness>>);
    let shared = LinkSpec::Open(link.clone());
    let board = Client::open(&shared)?.identity().clone();
    println!(
        "{} over {spec}, firmware {}; one line a minute, Ctrl-C ends it",
        style::bold(&board.board),
        board.firmware
    );

    let finished = AtomicBool::new(false);
    let played = thread::scope(|scope| {
        let lines = scope.spawn(|| lines(started, &tally, &link, &finished));
        let played = rounds(args, started, end, &shared, &tally);
        finished.store(true, Ordering::Relaxed);
        lines.thread().unpark();
        played
    });

    let faults = link.with(|link| link.faults()).unwrap_or_default();
    let tally = look(&tally);
    let growth = tally.growth.bytes();
    println!("{}", table(&tally, &faults, started.elapsed(), growth));
    let json = json!({
        "link": spec.to_string(), "board": board.board.as_str(), "firmware": board.firmware.as_str(),
        "seconds": started.elapsed().as_secs(), "nodes": args.nodes, "seed": args.seed,
        "decisions": tally.decisions, "timed_decisions": tally.timed,
        "games": TABLES.iter().zip(tally.games).map(|(table, games)| (table.id().name().to_owned(), json!(games)))
            .collect::<serde_json::Map<_, _>>(),
        "faults_injected": faults.total(), "faults": faults,
        "retries": tally.line.retries, "bad_frames": tally.line.bad_frames, "repeats": tally.line.repeats,
        "resets": tally.line.resets, "late": tally.late, "wrong": tally.wrong, "lost": tally.lost,
        "worst_response_us": tally.worst_us, "heap_growth_bytes": growth, "heap_bytes": heap::live(), "resident_kb": resident(),
        "notes": tally.notes,
    });
    write_json(args.json.as_ref(), &json)?;
    // What was played until then is told even if it could not go on.
    played?;
    Ok(tally.is_clean())
}

/// Plays every game in turn until the time is up.
fn rounds(args: &SoakArgs, started: Instant, end: Instant, link: &LinkSpec, tally: &Mutex<Tally>) -> Result<()> {
    let mut failures = 0;
    for round in 0_u64.. {
        for (number, &table) in TABLES.iter().enumerate() {
            if Instant::now() >= end || INTERRUPTED.load(Ordering::Relaxed) {
                return Ok(());
            }
            match one(args, table, round, link) {
                Ok(()) => failures = 0,
                // Ctrl-C at a terminal is heard by the emulator as well, which ends: the game is not lost but given up.
                Err(_) if interrupted_soon() => return Ok(()),
                Err(error) => {
                    failures += 1;
                    let mut tally = look(tally);
                    tally.lost += 1;
                    tally.note(format!("{}: {error:#}", table.id().name()));
                    if failures >= 3 {
                        return Err(error.context("three games in a row came to nothing"));
                    }
                }
            }
            let mut tally = look(tally);
            tally.games[number] += 1;
            // The first minute, and the first time that every game is played, are for whatever is done once.
            if round > 0 && started.elapsed() >= LINE {
                tally.growth.measure(heap::live());
            }
        }
    }
    Ok(())
}

/// Whether somebody wants an end of it: it may take a moment until that is known here.
fn interrupted_soon() -> bool {
    for _ in 0..10 {
        if INTERRUPTED.load(Ordering::Relaxed) {
            return true;
        }
        thread::sleep(Duration::from_millis(20));
    }
    false
}

/// One match with a node limit, and some decisions of a second each.
fn one(args: &SoakArgs, table: &dyn Table, round: u64, link: &LinkSpec) -> Result<()> {
    let opponents = table.opponents();
    let opponent = opponents.get(round as usize % opponents.len().max(1)).map_or("agent", |(name, _)| name);
    let p2 = example(opponent);
    let mut options = Vec::new();
    if table.id() == GameId::Belkan {
        // With the map, which has to be loaded, and without it.
        options.push(("level".into(), if round.is_multiple_of(2) { "3" } else { "4" }.into()));
    }
    let settings = MatchSettings {
        p1: "agent".into(),
        p2,
        games: 1,
        seed: args.seed.wrapping_add(round),
        opening: 2,
        link: link.clone(),
        limits: Limits { time_us: SECOND_US, nodes: args.nodes, depth: 0 },
        map: None,
        options,
        jobs: 1,
        quiet: true,
    };
    table.run_match(&settings)?;
    let positions = table.positions();
    let mut client = Client::open(link)?;
    for at in 0..args.seconds {
        let Some(position) = positions.get((round as usize * args.seconds + at) % positions.len().max(1)) else {
            break;
        };
        if INTERRUPTED.load(Ordering::Relaxed) {
            break;
        }
        let mut left = TELLINGS;
        loop {
            if let Some(data) = &position.load {
                client.load_all(table.id(), core::slice::from_ref(data))?;
            }
            match client.decide(table.id(), &position.state, Limits { time_us: SECOND_US, ..Limits::default() }) {
                // Reset after it was told.
                Err(error) if left > 0 && refusal(&error) == Some(StateError::NotLoaded) => left -= 1,
                other => break other.map(|_| ())?,
            }
        }
    }
    Ok(())
}

/// Prints a line a minute.
fn lines(started: Instant, tally: &Mutex<Tally>, link: &OpenLink, finished: &AtomicBool) {
    for minute in 1_u32.. {
        let next = started + LINE * minute;
        while !finished.load(Ordering::Relaxed) && Instant::now() < next {
            thread::park_timeout(next.saturating_duration_since(Instant::now()));
        }
        if finished.load(Ordering::Relaxed) {
            break;
        }
        let faults = link.with(|link| link.faults()).unwrap_or_default();
        // What is allocated for the line is gone before the tally is free for the next measure.
        let tally = look(tally);
        println!(
            "{minute:>4} min  {} games, {} decisions, {} faults, {} retries, {} resets, {} late, {} wrong, {} lost, {} KB kept",
            tally.games.iter().sum::<u64>(),
            tally.decisions,
            faults.total(),
            tally.line.retries,
            tally.line.resets,
            tally.late,
            tally.wrong,
            tally.lost,
            heap::live() / 1_024,
        );
    }
}

/// The figures for people.
fn table(tally: &Tally, faults: &FaultCount, took: Duration, growth: Option<i64>) -> String {
    let games: Vec<String> =
        TABLES.iter().zip(tally.games).map(|(table, games)| format!("{} {games}", table.id().name())).collect();
    let rows = [
        ("time", format!("{:.1} minutes", took.as_secs_f64() / 60.0)),
        ("games", games.join(", ")),
        ("decisions", format!("{}, {} of them ended by the clock", tally.decisions, tally.timed)),
        (
            "faults injected",
            format!(
                "{} in {} bytes: {} flipped, {} dropped, {} doubled, {} bursts, {} stalls, {} cuts ({} bytes), {} resets",
                faults.total(),
                faults.bytes,
                faults.flipped,
                faults.dropped,
                faults.doubled,
                faults.bursts,
                faults.stalls,
                faults.cuts,
                faults.cut_bytes,
                faults.resets
            ),
        ),
        ("damaged frames seen", tally.line.bad_frames.to_string()),
        ("retries", tally.line.retries.to_string()),
        ("answers twice", tally.line.repeats.to_string()),
        ("resets noticed", tally.line.resets.to_string()),
        ("late decisions", format!("{}, the slowest took {:.1} ms", tally.late, tally.worst_us as f64 / 1e3)),
        ("wrong results", tally.wrong.to_string()),
        ("games lost", tally.lost.to_string()),
        (
            "memory growth",
            growth.map_or_else(
                || "not measured: too short".into(),
                |growth| format!("{growth} bytes of {}", heap::live()),
            ),
        ),
    ];
    rows.map(|(name, figure)| format!("{name:<20} {figure}")).join("\n")
}

#[cfg(test)]
mod tests {
    use rival_core::games::mancala::State;

    use super::*;

    /// A tally after one decision at the start of Mancala, with something changed about it.
    fn after(change: impl FnOnce(&mut Answer)) -> Tally {
        let limits = Limits { time_us: SECOND_US, nodes: 100, depth: 0 };
        let state = State::start().encode();
        let mut answer = Client::open(&LinkSpec::InProcess).unwrap().decide(GameId::Mancala, &state, limits).unwrap();
        change(&mut answer);
        let mut tally = Tally::new().unwrap();
        tally.decided(GameId::Mancala, &state, limits, &answer, None);
        tally
    }

    #[test]
    fn a_decision_that_is_right_and_in_time_is_clean() {
        assert!(after(|_| ()).is_clean());
    }

    #[test]
    fn a_wrong_decision_is_found_out() {
        assert_eq!(after(|answer| answer.action[0] = answer.action[0] % 6 + 1).wrong, 1);
        assert!(!after(|answer| answer.statistics.value += 1).is_clean());
    }

    #[test]
    fn a_late_decision_is_found_out() {
        assert!(after(|answer| answer.statistics.answer_us = SECOND_US - 1).is_clean());
        assert!(!after(|answer| answer.statistics.answer_us = SECOND_US).is_clean());
    }

    #[test]
    fn a_lost_game_is_not_clean() {
        assert!(!Tally { lost: 1, ..after(|_| ()) }.is_clean());
    }
}
