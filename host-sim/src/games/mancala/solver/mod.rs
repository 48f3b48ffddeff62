//! Exact values, by a search to the end of the game.
//!
//! The question is always the same: does the player to move win at least so many of the seeds in the pits? Stores do not
//! matter to it, so that positions which differ in nothing else share what is known. A position's value is found by
//! asking until the answers meet. Positions with few seeds come from a table ([`endgame`]).

use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::Mutex;

use rival_core::games::mancala::{Kalah, Pit, State};
use rival_core::search::alphabeta::Game;

use crate::duel::INTERRUPTED;

pub mod endgame;
mod memory;

use endgame::Endgame;
use memory::{Bounds, Memory, NO_PIT};

/// How large a solver is to be.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Seeds of the endgame table.
    pub seeds: u8,
    /// Megabytes of memory for positions.
    pub megabytes: usize,
    /// Threads.
    pub jobs: usize,
}

/// Solves positions. What it has learnt stays for the next one.
pub struct Solver {
    endgame: Endgame,
    memory: Memory,
    nodes: AtomicU64,
    jobs: usize,
}

/// What is known of a value while it is being found: it lies between the two, the ends included.
pub type Range = (i8, i8);

impl Solver {
    /// Makes the endgame table and clears the memory.
    pub fn new(size: Size) -> Self {
        Self {
            endgame: Endgame::new(size.seeds, size.jobs),
            memory: Memory::new(size.megabytes),
            nodes: AtomicU64::new(0),
            jobs: size.jobs.max(1),
        }
    }

    /// The endgame table.
    pub fn endgame(&self) -> &Endgame {
        &self.endgame
    }

    /// Positions visited since it was made.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// The final margin for the player to move, best play on both sides. `None` if Ctrl-C came first.
    pub fn value(&self, state: &State) -> Option<i8> {
        self.narrow(state, (-48, 48), &mut |_| {})
    }

    /// The value of every pit, for the player to move, pit 1 first; `None` for empty pits. The pits are shared among the
    /// threads. `known` holds what is known of each beforehand, and `learnt` is told whatever is found out.
    pub fn values(
        &self,
        state: &State,
        known: [Range; 6],
        learnt: &(dyn Fn(Pit, Range) + Sync),
    ) -> Option<[Option<i8>; 6]> {
        // Captures and extra turns are tried first everywhere; here the pits nearest to the store are the quick ones.
        let tasks: Mutex<Vec<Pit>> = Mutex::new(state.legal().collect());
        let found: Mutex<[Option<i8>; 6]> = Mutex::default();
        let failed = AtomicBool::new(false);
        let work = || {
            while let Some(pit) = tasks.lock().ok().and_then(|mut tasks| tasks.pop()) {
                let child = state.play(pit);
                let turns = child.turn() != state.turn();
                let (low, high) = known[usize::from(pit.number()) - 1];
                let flip = |(low, high): Range| if turns { (-high, -low) } else { (low, high) };
                let margin = if child.is_over() {
                    Some(mover_margin(&child))
                } else {
                    self.narrow(&child, flip((low, high)), &mut |range| learnt(pit, flip(range)))
                };
                match margin {
                    Some(margin) => {
                        if let Ok(mut found) = found.lock() {
                            found[usize::from(pit.number()) - 1] = Some(if turns { -margin } else { margin });
                        }
                    }
                    None => failed.store(true, Ordering::Relaxed),
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..self.jobs {
                scope.spawn(work);
            }
            work();
        });
        (!failed.load(Ordering::Relaxed)).then(|| found.into_inner().unwrap_or_default())
    }

    /// A pit that wins by `margin` or more against any defence, if there is one.
    pub fn pit_for(&self, state: &State, margin: i8) -> Option<Pit> {
        let mut search = Search { solver: self, nodes: 0, stopped: false };
        let goal = i32::from(margin) - i32::from(mover_margin(state));
        let won = search.at_least(state, goal) >= goal;
        // The position's own entry has the pit that did it, unless the answer needed no search.
        let remembered = self.memory.get(hash(state)).filter(|known| known.low >= goal).map(|known| known.pit);
        let mut pits: Vec<Child> = children(state, remembered.unwrap_or(NO_PIT)).into_iter().collect();
        pits.sort_by_key(|child| -child.order);
        let pit = pits.iter().find(|child| won && search.value(child, goal) >= goal && !search.stopped);
        search.count();
        pit.and_then(|child| Pit::new(child.pit))
    }

    /// Asks until the range is one value.
    fn narrow(&self, state: &State, known: Range, learnt: &mut dyn FnMut(Range)) -> Option<i8> {
        if state.is_over() {
            return Some(mover_margin(state));
        }
        let now = i32::from(mover_margin(state));
        let seeds = i32::from(state.in_play());
        let (mut low, mut high) = ((i32::from(known.0) - now).max(-seeds), (i32::from(known.1) - now).min(seeds));
        let mut search = Search { solver: self, nodes: 0, stopped: false };
        // A first guess: the seeds on either side go to their owners. Values are as odd or even as the seeds.
        let mut guess = (evaluation(state).clamp(low, high) - seeds).div_euclid(2) * 2 + seeds;
        while low < high {
            let goal = if guess <= low { low + 2 } else { guess.min(high) };
            let bound = search.at_least(state, goal);
            if search.stopped {
                break;
            }
            if bound < goal {
                high = bound;
            } else {
                low = bound;
            }
            guess = bound;
            learnt(((low + now) as i8, (high + now) as i8));
        }
        search.count();
        (!search.stopped).then_some((low + now) as i8)
    }
}

/// Store less the other's store, for the player to move.
fn mover_margin(state: &State) -> i8 {
    state.store(state.turn()) as i8 - state.store(state.turn().other()) as i8
}

fn evaluation(state: &State) -> i32 {
    let [own, facing] = state.pits().map(|pits| pits.to_le_bytes().iter().map(|&seeds| i32::from(seeds)).sum::<i32>());
    own - facing
}

/// A move, as far as its position needs to know it.
#[derive(Clone, Copy)]
struct Child {
    state: State,
    pit: u8,
    /// What the mover's margin grows by.
    gain: i32,
    turns: bool,
    order: i32,
}

/// One thread's search.
struct Search<'a> {
    solver: &'a Solver,
    nodes: u64,
    stopped: bool,
}

/// How often nodes are added to the solver's, and Ctrl-C is looked for, in nodes.
const LOOK: u64 = 1 << 16;
/// With more seeds than this, the memory is asked about all moves before the first is searched.
const LOOK_AHEAD: i32 = 28;

impl Search<'_> {
    /// Adds the nodes since the last look to the solver's.
    fn count(&self) {
        self.solver.nodes.fetch_add(self.nodes % LOOK, Ordering::Relaxed);
    }

    /// Whether the player to move gains `goal` or more on the other until the end. If the answer is `goal` or more, it
    /// is a lower bound of what he gains; if not, an upper one.
    fn at_least(&mut self, state: &State, goal: i32) -> i32 {
        self.nodes += 1;
        let seeds = i32::from(state.in_play());
        if goal <= -seeds {
            return -seeds;
        }
        if goal > seeds {
            return seeds;
        }
        if let Some(share) = self.solver.endgame.share(state) {
            return 2 * i32::from(share) - seeds;
        }
        if self.nodes.is_multiple_of(LOOK) {
            self.solver.nodes.fetch_add(LOOK, Ordering::Relaxed);
            self.stopped |= INTERRUPTED.load(Ordering::Relaxed);
        }
        if self.stopped {
            return 0;
        }
        let before = self.nodes;
        let hash = hash(state);
        let mut known = self.solver.memory.get(hash).unwrap_or(Bounds { low: -seeds, high: seeds, pit: NO_PIT });
        if known.low >= goal {
            return known.low;
        }
        if known.high < goal {
            return known.high;
        }
        let mut children = children(state, known.pit);
        if seeds > LOOK_AHEAD {
            for child in &children {
                let seeds = i32::from(child.state.in_play());
                if child.state.is_over() {
                    continue;
                }
                let Some(there) = self.solver.memory.get(self::hash(&child.state)) else { continue };
                let least = child.gain + if child.turns { -there.high.min(seeds) } else { there.low.max(-seeds) };
                if least >= goal {
                    let bounds = Bounds { low: least, pit: child.pit, ..known };
                    self.solver.memory.put(hash, bounds, 1);
                    return least;
                }
            }
        }
        children.sort_unstable_by_key(|child| -child.order);
        let mut best = -seeds;
        let mut best_pit = NO_PIT;
        for child in &children {
            let value = self.value(child, goal);
            if self.stopped {
                return 0;
            }
            if value > best || best_pit == NO_PIT {
                best = value;
                best_pit = child.pit;
            }
            if best >= goal {
                break;
            }
        }
        if best >= goal {
            known.low = best;
        } else {
            known.high = best;
        }
        known.pit = best_pit;
        self.solver.memory.put(hash, known, self.nodes - before);
        best
    }

    /// The same for a move: what its player gains by it.
    fn value(&mut self, child: &Child, goal: i32) -> i32 {
        if child.state.is_over() {
            child.gain
        } else if child.turns {
            child.gain - self.at_least(&child.state, child.gain - goal + 1)
        } else {
            child.gain + self.at_least(&child.state, goal - child.gain)
        }
    }
}

/// The moves with what they bring. The remembered one is to be tried first, then extra turns, captures, the rest.
fn children(state: &State, remembered: u8) -> heapless::Vec<Child, 6> {
    let mover = state.turn();
    let now = i32::from(mover_margin(state));
    let moves = state.legal().map(|pit| {
        let child = Kalah.make(state, pit);
        let turns = child.turn() != mover;
        let margin = i32::from(mover_margin(&child));
        let gain = if turns { -margin } else { margin } - now;
        let number = i32::from(pit.number());
        let order = if pit.number() == remembered {
            1_000
        } else if !turns {
            500 - number
        } else {
            10 * gain - number
        };
        Child { state: child, pit: pit.number(), gain, turns, order }
    });
    moves.collect()
}

/// The pits alone.
fn hash(state: &State) -> u64 {
    let [own, facing] = state.pits();
    let mut mixed =
        own.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ facing.wrapping_mul(0xC2B2_AE3D_27D4_EB4F).rotate_left(29);
    mixed = (mixed ^ (mixed >> 31)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 32)
}

#[cfg(test)]
mod tests;
