//! Every line of play against the first player, who plays one way in each position.
//!
//! Seeds in the pits never become more, so that the positions of the first player are taken in the order of their seeds,
//! most first: however many ways lead to one, it is visited once. A line ends with the game, or as soon as the first
//! player's store is so full that nothing can take the margin away any more.

use core::sync::atomic::{AtomicUsize, Ordering};
use std::collections::HashSet;
use std::sync::Mutex;

use anyhow::{Context, Result, anyhow};
use indicatif::ProgressBar;
use rival_core::agent::{Agent, Budget, Decision, Workspace};
use rival_core::games::GameId;
use rival_core::games::mancala::{Pit, Player as Side, SEEDS, State};

use super::pit_of;
use crate::duel::INTERRUPTED;

/// Positions of the first player that a thread takes at a time.
const SHARE: usize = 64;

/// The agent of the firmware in this program, a decision at a time.
pub struct Decider {
    agent: Agent,
    workspace: Box<Workspace>,
    nodes: u32,
}

impl Decider {
    /// With so many nodes a decision.
    pub fn new(nodes: u32) -> Self {
        Self { agent: Agent::new(), workspace: Box::default(), nodes }
    }

    /// What the agent does in a position that is not over.
    pub fn decide(&mut self, state: &State) -> Result<(Pit, Decision)> {
        self.agent
            .begin(GameId::Mancala, &state.encode(), Budget::nodes(self.nodes), &mut self.workspace)
            .map_err(|error| anyhow!("the agent refuses {state:?}: {error}"))?;
        loop {
            if let Some(decision) = self.agent.step(&mut self.workspace, u32::MAX) {
                let pit = pit_of(state, &decision.action).context("the agent's action is illegal")?;
                return Ok((pit, decision));
            }
        }
    }
}

/// The positions still to visit, by the seeds in their pits, and what was found so far.
pub struct Walk {
    /// A line ends when the first player's margin is this whatever happens.
    enough: i8,
    levels: Vec<HashSet<State>>,
    /// Positions of the first player visited.
    pub positions: u64,
    /// The smallest margin at the end of a line.
    pub worst_margin: i8,
}

impl Walk {
    /// From the start of the game.
    pub fn new(enough: i8) -> Self {
        let mut levels = vec![HashSet::new(); usize::from(SEEDS) + 1];
        levels[usize::from(SEEDS)].insert(State::start());
        Self { enough, levels, positions: 0, worst_margin: SEEDS as i8 }
    }

    /// Visits all positions with as many seeds as the fullest ones left have. `decide` is called once for each, on so
    /// many threads, each with something of its own that `prepare` makes. `false` if there was nothing left to visit.
    pub fn next_level<C>(
        &mut self,
        jobs: usize,
        bar: &ProgressBar,
        prepare: impl Fn() -> C + Sync,
        decide: impl Fn(&mut C, &State) -> Result<Pit> + Sync,
    ) -> Result<bool> {
        let Some(level) = self.levels.iter().rposition(|positions| !positions.is_empty()) else { return Ok(false) };
        bar.set_message(match self.worst_margin {
            margin if margin == SEEDS as i8 => format!("positions, {level} seeds in the pits"),
            margin => format!("positions, {level} seeds in the pits, worst margin {margin:+}"),
        });
        let mut done = HashSet::new();
        // Two quiet moves lead from a position to another of the same number of seeds.
        while !self.levels[level].is_empty() {
            let batch: Vec<State> = self.levels[level].drain().filter(|state| done.insert(*state)).collect();
            bar.inc_length(batch.len() as u64);
            let next = AtomicUsize::new(0);
            let found: Mutex<Result<(Vec<State>, i8)>> = Mutex::new(Ok((Vec::new(), self.worst_margin)));
            let work = || -> Result<(Vec<State>, i8)> {
                let mut context = prepare();
                let (mut open, mut worst) = (Vec::new(), SEEDS as i8);
                loop {
                    let from = next.fetch_add(SHARE, Ordering::Relaxed);
                    if from >= batch.len() {
                        return Ok((open, worst));
                    }
                    for state in &batch[from..batch.len().min(from + SHARE)] {
                        if INTERRUPTED.load(Ordering::Relaxed) {
                            return Err(anyhow!("interrupted"));
                        }
                        let pit = decide(&mut context, state)?;
                        replies(&state.play(pit), self.enough, &mut open, &mut worst);
                        bar.inc(1);
                    }
                }
            };
            std::thread::scope(|scope| {
                for _ in 0..jobs.max(1) {
                    scope.spawn(|| {
                        let result = work();
                        let Ok(mut found) = found.lock() else { return };
                        match (&mut *found, result) {
                            (Ok((all, least)), Ok((open, worst))) => {
                                all.extend(open);
                                *least = worst.min(*least);
                            }
                            (Ok(_), Err(error)) => *found = Err(error),
                            (Err(_), _) => {}
                        }
                    });
                }
            });
            let (open, worst) = found.into_inner().map_err(|_| anyhow!("a thread of the walk crashed"))??;
            self.worst_margin = worst;
            for state in open {
                self.levels[usize::from(state.in_play())].insert(state);
            }
        }
        self.positions += done.len() as u64;
        Ok(true)
    }
}

/// The first player's next positions, whatever the second one does.
fn replies(state: &State, enough: i8, open: &mut Vec<State>, worst: &mut i8) {
    let certain = 2 * state.store(Side::J1) as i8 - SEEDS as i8;
    if state.is_over() || certain >= enough {
        *worst = (*worst).min(if state.is_over() { state.margin() } else { certain });
    } else if state.turn() == Side::J1 {
        open.push(*state);
    } else {
        for pit in state.legal() {
            replies(&state.play(pit), enough, open, worst);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::duel::progress;

    /// With the first legal pit in every position, walked and played out.
    #[test]
    fn a_walk_finds_the_worst_line() {
        fn worst(state: &State) -> i8 {
            if state.is_over() {
                return state.margin();
            }
            let moves = state.legal().map(|pit| worst(&state.play(pit)));
            if state.turn() == Side::J1 { moves.into_iter().next().unwrap() } else { moves.min().unwrap() }
        }
        let start = State::new(Side::J1, [[18, 1, 0, 2, 0, 1, 1], [18, 1, 1, 1, 0, 2, 2]]).unwrap();
        let mut walk = Walk::new(i8::MAX);
        walk.levels = vec![HashSet::new(); usize::from(SEEDS) + 1];
        walk.levels[12].insert(start);
        let first = |(): &mut (), state: &State| Ok(state.legal().next().unwrap());
        while walk.next_level(2, &progress(0, true), || (), first).unwrap() {}
        assert_eq!(walk.worst_margin, worst(&start));
        assert!(walk.positions > 20);
    }
}
