//! Exact results of all positions with few seeds left, made by going back from the end of the game.

use core::sync::atomic::{AtomicU8, AtomicU32, Ordering};

use rival_core::games::mancala::endgame::Ranking;
use rival_core::games::mancala::{Kalah, State};
use rival_core::search::alphabeta::Game;

/// Most seeds that a table can be made for: 86 million positions.
pub const MOST_SEEDS: u8 = 18;
const UNKNOWN: u8 = u8::MAX;
/// Positions that a thread takes at a time.
const SHARE: u32 = 4_096;

static RANKING: Ranking<32> = Ranking::new();

/// How many of the seeds in the pits the player to move will win, by the position's rank.
///
/// A move that reaches the store leaves fewer seeds to play for. One that does not brings seeds nearer to the store they
/// belong to, and nothing ever brings them back. So the positions of one number of seeds never repeat, and those of
/// fewer seeds are known before.
pub struct Endgame {
    seeds: u8,
    shares: Vec<AtomicU8>,
}

impl Endgame {
    /// Makes the table, layer by layer, on so many threads. Clipped to [`MOST_SEEDS`].
    pub fn new(seeds: u8, jobs: usize) -> Self {
        let seeds = seeds.min(MOST_SEEDS);
        let positions = RANKING.positions(seeds).unwrap_or(1);
        let shares = (0..positions).map(|_| AtomicU8::new(UNKNOWN)).collect();
        let table = Self { seeds, shares };
        let mut from = 0;
        for layer in 0..=seeds {
            let to = RANKING.positions(layer).unwrap_or(positions);
            let next = AtomicU32::new(from);
            std::thread::scope(|scope| {
                for _ in 0..jobs.max(1) {
                    scope.spawn(|| {
                        loop {
                            let start = next.fetch_add(SHARE, Ordering::Relaxed);
                            if start >= to {
                                break;
                            }
                            for rank in start..to.min(start + SHARE) {
                                if let Some(position) = RANKING.position(rank) {
                                    table.settle(&position);
                                }
                            }
                        }
                    });
                }
            });
            from = to;
        }
        table
    }

    /// Most seeds that it knows.
    pub fn seeds(&self) -> u8 {
        self.seeds
    }

    /// What the player to move wins of the seeds in the pits, best play on both sides. `None` if there are too many.
    #[inline]
    pub fn share(&self, state: &State) -> Option<u8> {
        (state.in_play() <= self.seeds).then(|| self.shares[RANKING.rank(state) as usize].load(Ordering::Relaxed))
    }

    /// All results in the order of the ranks, for at most so many seeds.
    pub fn shares(&self, seeds: u8) -> impl Iterator<Item = u8> {
        let positions = RANKING.positions(seeds.min(self.seeds)).unwrap_or(1) as usize;
        self.shares[..positions].iter().map(|share| share.load(Ordering::Relaxed))
    }

    /// The result of a position whose smaller layers are done. Two threads may do the same: they find the same.
    fn settle(&self, state: &State) -> u8 {
        let slot = &self.shares[RANKING.rank(state) as usize];
        let known = slot.load(Ordering::Relaxed);
        if known != UNKNOWN {
            return known;
        }
        let mover = state.turn();
        let [own, facing] = state.pits();
        let share = if own == 0 || facing == 0 {
            // No move leads here, because the rest is swept at once; the rank exists all the same.
            own.to_le_bytes().iter().sum()
        } else {
            let moves = state.legal().map(|pit| {
                let child = Kalah.make(state, pit);
                let won = child.store(mover) - state.store(mover);
                if child.is_over() {
                    return won;
                }
                let share = self.settle(&child);
                won + if child.turn() == mover { share } else { child.in_play() - share }
            });
            moves.max().unwrap_or(0)
        };
        slot.store(share, Ordering::Relaxed);
        share
    }
}
