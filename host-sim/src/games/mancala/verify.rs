//! `rival verify`: every line against the agent in the first seat, and some of its positions again behind a link.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use rival_core::games::GameId;
use rival_core::games::mancala::{Pit, Player as Side, SEED, SEEDS, State};
use rival_core::wire::{Limits, Source};
use serde_json::{Value, json};

use super::pit_of;
use super::walk::{Decider, Walk};
use crate::client::Client;
use crate::duel::{Times, progress, progress_of_unknown_end};
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
    /// Say nothing on standard output: the caller does.
    pub quiet: bool,
}

/// What a verification came to.
#[derive(Clone, Debug)]
pub struct Verified {
    /// Whether all lines are won, and all answers behind the link the same and in time.
    pub good: bool,
    /// The figures.
    pub json: Value,
}

impl VerifySettings {
    fn say(&self, text: &str) {
        if !self.quiet {
            println!("{text}");
        }
    }
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

/// Walks through all lines, and asks again behind the link.
pub fn verify(settings: &VerifySettings) -> Result<Verified> {
    if settings.no_walk {
        let (good, sample) = replay(settings, &random_lines(settings)?)?;
        return Ok(Verified { good, json: json!({ "sample": sample }) });
    }
    let started = Instant::now();
    let tally: Mutex<Tally> = Mutex::default();
    let mut walk = Walk::new(settings.margin);
    let bar = progress_of_unknown_end(0, false);
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
    while walk.next_level(settings.jobs, &bar, || Decider::new(settings.nodes), decide)? {}
    bar.finish_and_clear();
    let tally = tally.into_inner().unwrap_or_default();
    let [booked, tabled, searched] = tally.by_source;
    settings.say(&format!(
        "decisions: {booked} by the book, {tabled} by the table, {searched} by search, {} nodes in all",
        tally.nodes
    ));
    if let Some(least) = tally.least {
        settings.say(&format!(
            "{} of {} decisions guarantee a margin, the least of it {:+}; the others had one legal pit",
            tally.guaranteed,
            walk.positions,
            least / SEED
        ));
    }
    settings.say(&format!("lines end with the game, or with a margin of {} certain in the store", settings.margin));
    let won = walk.worst_margin > 0;
    let seconds = started.elapsed().as_secs_f64();
    settings.say(&format!(
        "{} positions, {}, worst margin {}, worst nodes {} ({seconds:.0} s)",
        walk.positions,
        if won { "all won" } else { "NOT ALL WON" },
        walk.worst_margin,
        tally.worst_nodes,
    ));
    let mut json = json!({
        "positions": walk.positions, "all_won": won, "worst_margin": walk.worst_margin, "worst_nodes": tally.worst_nodes,
        "book": booked, "table": tabled, "search": searched, "nodes": tally.nodes, "guaranteed": tally.guaranteed,
        "least_guarantee": tally.least.map(|least| least / SEED), "nodes_a_decision": settings.nodes,
        "enough": settings.margin, "seconds": seconds,
    });
    let mut good = won;
    if settings.sample > 0 {
        let (same, sample) = replay(settings, &tally)?;
        good &= same;
        json["sample"] = sample;
    }
    Ok(Verified { good, json })
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
fn replay(settings: &VerifySettings, tally: &Tally) -> Result<(bool, Value)> {
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
    settings.say(&format!(
        "{} positions again over {}, seed {}: {different} answers differ; {}",
        tally.sample.len(),
        settings.link,
        settings.seed,
        times.summary()
    ));
    let json = json!({
        "positions": tally.sample.len(), "link": settings.link.to_string(), "seed": settings.seed,
        "different": different, "times": times.json(),
    });
    Ok((different == 0 && times.late() == 0, json))
}
