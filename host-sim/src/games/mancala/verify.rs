//! `rival verify`: every line against the agent in the first seat, and some of its positions again behind a link.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use rival_core::games::GameId;
use rival_core::games::mancala::{Pit, Player as Side, SEED, SEEDS, State};
use rival_core::wire::{Limits, Source};

use super::pit_of;
use super::walk::{Decider, Walk};
use crate::client::Client;
use crate::duel::{Times, progress};
use crate::link::LinkSpec;
use crate::random::Random;

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
                // With the margin in the store a decision uses all the time that it has: another budget, another answer.
                if 2 * state.store(Side::J1) as i8 - (SEEDS as i8) < settings.margin {
                    line.push((state, pit, decision.statistics.guaranteed));
                }
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
