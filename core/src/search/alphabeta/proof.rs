//! Questions: is the root worth at least so much?
//!
//! A search to the end of the game that looks for yes or no and for nothing else. Whoever moves wants to reach a
//! *target*, the goal itself for one side and one more than its refusal for the other, so that a node needs neither a
//! window nor a best value: the first move that reaches the target settles it. That makes it half as dear as a node of
//! the iterations, which it shares its stacks and its table with: their moves lead it.

use super::{AlphaBeta, Game, LISTED, Moves, Value};
use crate::search::table::{Bound, Entry, NO_MOVE, PROVEN, Table};

/// The answer to [`AlphaBeta::prove`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The position is worth at least this, by the move that is now [`AlphaBeta::best_move`].
    AtLeast(Value),
    /// The position is worth at most this.
    AtMost(Value),
    /// The tree is higher than the stack of plies.
    Open,
}

/// Whether a position, or a move, reaches the target of the side to move.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Answer {
    Yes,
    No,
    /// A stack was full.
    Open,
}

impl Answer {
    #[inline]
    const fn of(yes: bool) -> Self {
        if yes { Self::Yes } else { Self::No }
    }

    /// The same for the side above, where the move handed the turn over or not.
    #[inline]
    const fn seen_from_above(self, turns: bool) -> Self {
        match self {
            Self::Yes if turns => Self::No,
            Self::No if turns => Self::Yes,
            _ => self,
        }
    }
}

impl<G: Game, const PLIES: usize, const MOVES: usize> AlphaBeta<G, PLIES, MOVES> {
    /// Asks whether the root is worth at least `goal`, a margin, in the place of what is being searched. The next pause
    /// has the [verdict](AlphaBeta::verdict); after it the search looks one ply deeper again.
    pub fn prove(&mut self, goal: Value) {
        if self.finished {
            return;
        }
        self.ply = 0;
        self.goal = Some(goal);
        self.verdict = None;
        self.start_iteration(PROVEN, goal - 1, goal);
    }

    /// Gives the question of [`AlphaBeta::prove`] up, if one is being worked on.
    pub fn give_up(&mut self) {
        if self.goal.take().is_some() {
            self.ply = 0;
            self.deepen();
        }
    }

    /// Works on the question until the limit of nodes is met or it is answered.
    #[inline(never)]
    pub(super) fn step_proof(&mut self, game: &G, table: &mut Table<'_>, stop: u32) {
        while self.running {
            if self.report.nodes >= stop {
                return;
            }
            let mut answer = if self.advance(game) {
                self.try_move(game, table)
            } else {
                let answer = if self.frames[self.ply].all_proven { Answer::No } else { Answer::Open };
                self.settle(table, answer)
            };
            while answer == Some(Answer::Yes) {
                answer = self.settle(table, Answer::Yes);
            }
            if answer == Some(Answer::Open) {
                self.frames[self.ply].all_proven = false;
            }
        }
    }

    /// Makes the move at hand. Either it is known at once whether it reaches the target, or a frame is put on the stack.
    #[inline]
    fn try_move(&mut self, game: &G, table: &Table<'_>) -> Option<Answer> {
        let ply = self.ply;
        let frame = &mut self.frames[ply];
        let child = game.make(&frame.state, frame.mv);
        let turns = game.side(&child) != game.side(&frame.state);
        frame.turns = turns;
        let target = if turns { 1 - frame.beta } else { frame.beta };
        let end = frame.end;
        self.report.nodes += 1;
        let known = |yes| Some(Answer::of(yes).seen_from_above(turns));
        if let Some(value) = game.terminal(&child) {
            return known(value >= target);
        }
        let (least, most) = game.limits(&child);
        if least >= target || most < target {
            return known(least >= target);
        }
        if let Some(value) = game.known(&child) {
            return known(value >= target);
        }
        let hash = game.hash(&child);
        let mut remembered = NO_MOVE;
        if let Some(entry) = table.probe(hash) {
            remembered = entry.place;
            if entry.depth == PROVEN {
                if entry.bound != Bound::Upper && entry.value >= target {
                    self.report.table_hits += 1;
                    return known(true);
                }
                if entry.bound != Bound::Lower && entry.value < target {
                    self.report.table_hits += 1;
                    return known(false);
                }
            }
        }
        let free = self.moves.get_mut(usize::from(end)..).unwrap_or_default();
        let mut list = Moves { free, len: 0, full: false };
        if !G::ORDERED {
            game.moves(&child, &mut list);
        }
        let (len, full) = (list.len as u16, list.full);
        let Some(frame) = self.frames.get_mut(ply + 1).filter(|_| !full) else {
            self.report.bound_met += 1;
            return Some(Answer::Open);
        };
        frame.state = child;
        frame.hash = hash;
        frame.beta = target;
        frame.tried = 0;
        frame.recalled = LISTED;
        frame.cursor = game.cursor(&child, remembered);
        frame.place = remembered;
        frame.all_proven = true;
        self.ply = ply + 1;
        self.report.ply_peak = self.report.ply_peak.max(ply as u16 + 1);
        if !G::ORDERED {
            frame.next = end;
            frame.end = end + len;
            self.report.moves_peak = self.report.moves_peak.max(end + len);
        }
        None
    }

    /// Completes the node at hand: keeps its answer in the table and hands it to the node above.
    #[inline]
    fn settle(&mut self, table: &mut Table<'_>, answer: Answer) -> Option<Answer> {
        let frame = &self.frames[self.ply];
        let (hash, target) = (frame.hash, frame.beta);
        let (value, bound, place) = if answer == Answer::Yes {
            self.report.cutoffs += 1;
            self.report.first_cutoffs += u32::from(frame.tried == 1);
            (target, Bound::Lower, frame.at)
        } else {
            (target - 1, Bound::Upper, frame.place)
        };
        if self.ply == 0 {
            self.conclude(answer, target, place);
            return None;
        }
        if answer != Answer::Open {
            table.store(hash, self.report.depth, Entry { value, depth: PROVEN, bound, place });
        }
        self.ply -= 1;
        Some(answer.seen_from_above(self.frames[self.ply].turns))
    }

    /// The question is answered.
    #[cold]
    fn conclude(&mut self, answer: Answer, goal: Value, place: u8) {
        self.running = false;
        self.goal = None;
        self.verdict = Some(match answer {
            Answer::Yes => {
                self.keep(place, goal);
                Verdict::AtLeast(goal)
            }
            Answer::No => Verdict::AtMost(goal - 1),
            Answer::Open => Verdict::Open,
        });
        self.deepen();
    }
}
