//! Finds positions worth measuring: middle games of the agent, and among them the slowest.

use core::fmt::Write as _;
use core::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Result, bail};
use rival_core::games::GameId;
use rival_core::wire::{Identity, Limits};

use super::Kept;
use super::run::ask;
use crate::client::{Answer, Client, LineCount, Witness};
use crate::duel::{INTERRUPTED, MatchSettings, progress};
use crate::games::{Position, Table};
use crate::link::{LinkSpec, OpenLink};

/// What to look for.
#[derive(Clone, Copy, Debug)]
pub struct Search {
    /// Seed of the games.
    pub seed: u64,
    /// Games of the agent against itself.
    pub games: usize,
    /// Nodes a decision in them: they only have to get somewhere.
    pub nodes: u32,
    /// Positions measured, spread evenly over all that came up.
    pub candidates: usize,
    /// Of these, the slowest to be kept.
    pub slowest: usize,
    /// And as many again, spread evenly over the games.
    pub spread: usize,
}

/// What the agent was asked, in order.
#[derive(Default)]
struct Questions {
    load: Option<Vec<u8>>,
    asked: Vec<Position>,
}

impl Witness for Questions {
    fn loaded(&mut self, _game: GameId, data: &[u8]) {
        self.load = Some(data.to_vec());
    }

    fn decided(&mut self, _game: GameId, state: &[u8], _limits: Limits, _answer: &Answer, _baud: Option<u32>) {
        let name = format!("decision {}", self.asked.len() + 1);
        self.asked.push(Position { name, state: state.to_vec(), load: self.load.clone() });
    }

    fn restarted(&mut self, _identity: &Identity) {}

    fn closed(&mut self, _count: LineCount) {}
}

/// Plays, measures and keeps. `link` is where the positions are measured.
pub(crate) fn find(table: &dyn Table, link: &LinkSpec, search: &Search, limits: Limits) -> Result<Vec<Kept>> {
    let mut candidates = spread(played(table, search)?, search.candidates);
    let mut client = Client::open(link)?;
    let bar = progress(candidates.len(), false);
    let mut measured = Vec::new();
    for position in candidates.drain(..) {
        if INTERRUPTED.load(Ordering::Relaxed) {
            bail!("interrupted: nothing was written");
        }
        // A question that only makes sense after the one before it is none to be kept.
        if let Ok(answer) = ask(&mut client, table, &position, limits) {
            measured.push((answer.response_us(client.baud()), position));
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    let game = table.id().name();
    let origin = format!("{game}, agent against itself, seed {}, {} nodes", search.seed, search.nodes);
    let mut kept: Vec<Kept> = spread(measured.iter().map(|(_, position)| position.clone()).collect(), search.spread)
        .into_iter()
        .map(|position| keep(game, &format!("{}, {origin}", position.name), &position))
        .collect();
    measured.sort_by_key(|(time, position)| (core::cmp::Reverse(*time), position.state.clone()));
    for (rank, (_, position)) in measured.iter().take(search.slowest).enumerate() {
        let of = measured.len();
        kept.push(keep(game, &format!("slowest {} of {of}: {}, {origin}", rank + 1, position.name), position));
    }
    Ok(kept)
}

/// The questions of some games.
fn played(table: &dyn Table, search: &Search) -> Result<Vec<Position>> {
    let questions = Arc::new(Mutex::new(Questions::default()));
    let mut link = OpenLink::new(LinkSpec::InProcess.open()?, None);
    link.witness = Some(questions.clone());
    table.run_match(&MatchSettings {
        p1: "agent".into(),
        p2: "agent".into(),
        games: search.games,
        seed: search.seed,
        opening: 2,
        link: LinkSpec::Open(link),
        limits: Limits { time_us: 0, nodes: search.nodes, depth: 0 },
        map: None,
        options: Vec::new(),
        jobs: 1,
        quiet: true,
    })?;
    let mut questions = questions.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(core::mem::take(&mut questions.asked))
}

/// At most `count` of them, evenly spread.
fn spread<T>(all: Vec<T>, count: usize) -> Vec<T> {
    let total = all.len();
    if total <= count || count == 0 {
        return all.into_iter().take(count).collect();
    }
    let wanted: std::collections::BTreeSet<usize> = (0..count).map(|at| at * total / count).collect();
    all.into_iter().enumerate().filter(|(at, _)| wanted.contains(at)).map(|(_, item)| item).collect()
}

fn keep(game: &str, name: &str, position: &Position) -> Kept {
    let hexadecimal = |bytes: &[u8]| {
        bytes.iter().fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })
    };
    Kept {
        game: game.into(),
        name: name.into(),
        state: hexadecimal(&position.state),
        load: position.load.as_deref().map(hexadecimal),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_spread_evenly() {
        assert_eq!(spread((0..10).collect(), 5), [0, 2, 4, 6, 8]);
        assert_eq!(spread(vec![1, 2], 5), [1, 2]);
        assert!(spread(vec![1, 2], 0).is_empty());
    }

    #[test]
    fn what_is_found_can_be_asked_again() {
        let search = Search { seed: 3, games: 2, nodes: 50, candidates: 4, slowest: 1, spread: 2 };
        let limits = Limits { nodes: 100, ..Limits::default() };
        let kept = find(&crate::games::mancala::Mancala, &LinkSpec::InProcess, &search, limits).unwrap();
        assert_eq!(kept.len(), 3);
        for kept in kept {
            assert_eq!(kept.position().unwrap().state.len() * 2, kept.state.len(), "{}", kept.name);
        }
    }
}
