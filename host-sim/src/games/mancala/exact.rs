//! `rival solve`, `rival book` and `rival verify`.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use rival_core::games::GameId;
use rival_core::games::mancala::endgame::TABLE_SEEDS;
use rival_core::games::mancala::{Pit, Player as Side, SEED, State, book as entries};
use rival_core::wire::{Limits, Source};
use serde_json::{Value, json};

use super::book::{build, endgame_file, settle};
use super::solver::{Range, Size, Solver};
use super::walk::{Decider, Walk};
use super::{Mancala, Table, pit_of};
use crate::client::Client;
use crate::duel::{Times, progress};
use crate::link::LinkSpec;
use crate::random::Random;

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

/// Which tables to make.
#[derive(Clone, Debug)]
pub struct BookSettings {
    /// The margin that the book keeps.
    pub margin: u8,
    /// Compare instead of writing.
    pub check: bool,
    /// Folder of the files.
    pub folder: PathBuf,
    /// How large the solver is.
    pub size: Size,
}

/// Makes the tables. `false` if one differs from what there is.
pub fn book(settings: &BookSettings) -> Result<bool> {
    let started = Instant::now();
    let solver = Solver::new(settings.size);
    ensure!(solver.endgame().seeds() >= TABLE_SEEDS, "the image's table needs --seeds {TABLE_SEEDS} or more");
    let name =
        if settings.margin == entries::MARGIN { "book.bin".into() } else { format!("book-{}.bin", settings.margin) };
    let mut good = settle(&settings.folder, "endgame.bin", &endgame_file(solver.endgame()), settings.check)?;
    let book = build(&solver, settings.margin, settings.size.jobs, false)?;
    good &= settle(&settings.folder, &name, &book.bytes, settings.check)?;
    println!(
        "{} entries keep a margin of {} on all lines, {} positions; {} nodes of the solver, {:.1} s",
        book.entries,
        settings.margin,
        book.positions,
        solver.nodes(),
        started.elapsed().as_secs_f64()
    );
    Ok(good)
}

/// What to verify, and how.
#[derive(Clone, Debug)]
pub struct VerifySettings {
    /// Nodes a decision.
    pub nodes: u32,
    /// The margin at which a line is as good as over.
    pub margin: i8,
    /// Threads.
    pub jobs: usize,
    /// Positions to ask about again behind the link.
    pub sample: usize,
    /// Seed of the sample.
    pub seed: u64,
    /// Where they are asked.
    pub link: LinkSpec,
    /// Draw the sample from random lines instead of walking through all.
    pub no_walk: bool,
}

/// What all decisions of a walk came to.
#[derive(Clone, Debug, Default)]
struct Tally {
    worst_nodes: u32,
    nodes: u64,
    by_source: [u64; 3],
    /// Decisions that say how much they guarantee, and the least of it.
    guaranteed: u64,
    least: Option<i32>,
    /// The positions with the smallest numbers drawn by the seed, with their decisions.
    sample: BTreeMap<u64, (State, Pit, Option<i32>)>,
}

/// Positions of lines with random replies: one of each line, until there are enough.
fn random_lines(settings: &VerifySettings) -> Result<Tally> {
    let mut random = Random::new(settings.seed);
    let mut decider = Decider::new(settings.nodes);
    let mut tally = Tally::default();
    while tally.sample.len() < settings.sample {
        let mut state = State::start();
        let mut line = Vec::new();
        while !state.is_over() {
            let pit = if state.turn() == Side::J1 {
                let (pit, decision) = decider.decide(&state)?;
                line.push((state, pit, decision.statistics.guaranteed));
                pit
            } else {
                let legal: Vec<Pit> = state.legal().collect();
                random.pick(&legal).copied().context("there is no reply")?
            };
            state = state.play(pit);
        }
        ensure!(state.margin() >= settings.margin, "a line ends at a margin of {}", state.margin());
        if let Some(&position) = random.pick(&line) {
            tally.sample.insert(draw(settings.seed, &position.0), position);
        }
    }
    Ok(tally)
}

/// Walks through all lines. `false` if one is not won.
pub fn verify(settings: &VerifySettings) -> Result<bool> {
    if settings.no_walk {
        return replay(settings, &random_lines(settings)?);
    }
    let started = Instant::now();
    let tally: Mutex<Tally> = Mutex::default();
    let mut walk = Walk::new(settings.margin);
    let bar = progress(0, false);
    let decide = |decider: &mut Decider, state: &State| -> Result<Pit> {
        let (pit, decision) = decider.decide(state)?;
        let statistics = &decision.statistics;
        let Ok(mut tally) = tally.lock() else { bail!("another thread crashed") };
        tally.worst_nodes = tally.worst_nodes.max(statistics.nodes);
        tally.nodes += u64::from(statistics.nodes);
        tally.by_source[match statistics.source {
            Source::Book => 0,
            Source::Table => 1,
            Source::Search => 2,
        }] += 1;
        if let Some(least) = statistics.guaranteed {
            tally.guaranteed += 1;
            tally.least = Some(tally.least.map_or(least, |other| other.min(least)));
        }
        if settings.sample > 0 {
            tally.sample.insert(draw(settings.seed, state), (*state, pit, statistics.guaranteed));
            if tally.sample.len() > settings.sample {
                tally.sample.pop_last();
            }
        }
        Ok(pit)
    };
    while walk.next_level(settings.jobs, &bar, || Decider::new(settings.nodes), decide)? {
        bar.set_message(format!("worst margin {:+}", walk.worst_margin));
    }
    bar.finish_and_clear();
    let tally = tally.into_inner().unwrap_or_default();
    let [booked, tabled, searched] = tally.by_source;
    println!(
        "decisions: {booked} by the book, {tabled} by the table, {searched} by search, {} nodes in all",
        tally.nodes
    );
    if let Some(least) = tally.least {
        println!(
            "{} of {} decisions guarantee a margin, the least of it {:+}; the others had one legal pit",
            tally.guaranteed,
            walk.positions,
            least / SEED
        );
    }
    println!("lines end with the game, or with a margin of {} certain in the store", settings.margin);
    let won = walk.worst_margin > 0;
    println!(
        "{} positions, {}, worst margin {}, worst nodes {} ({:.0} s)",
        walk.positions,
        if won { "all won" } else { "NOT ALL WON" },
        walk.worst_margin,
        tally.worst_nodes,
        started.elapsed().as_secs_f64()
    );
    let sampled = settings.sample == 0 || replay(settings, &tally)?;
    Ok(won && sampled)
}

/// A number for a position that depends on nothing but the seed and the position.
fn draw(seed: u64, state: &State) -> u64 {
    state
        .board()
        .iter()
        .flatten()
        .fold(Random::new(seed), |mut random, &seeds| Random::new(random.next_u64() ^ u64::from(seeds)))
        .next_u64()
}

/// Asks the same behind a link, with a second for each. `false` if an answer differs or is late.
fn replay(settings: &VerifySettings, tally: &Tally) -> Result<bool> {
    let mut client = Client::open(&settings.link)?;
    let limits = Limits { time_us: 1_000_000, ..Limits::default() };
    let bar = progress(tally.sample.len(), false);
    let mut times = Times::default();
    let mut different = 0;
    for (state, pit, guaranteed) in tally.sample.values() {
        let answer = client.decide(GameId::Mancala, &state.encode(), limits)?;
        times.add(&answer, client.baud(), limits);
        let same = pit_of(state, &answer.action) == Some(*pit) && answer.statistics.guaranteed == *guaranteed;
        if !same {
            different += 1;
            bar.println(format!("{state:?}: pit {pit} here, {:?} there", answer.action));
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    println!(
        "{} positions again over {}, seed {}: {different} answers differ; {}",
        tally.sample.len(),
        settings.link,
        settings.seed,
        times.summary()
    );
    Ok(different == 0 && times.late() == 0)
}
