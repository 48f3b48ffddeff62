//! The decision, in slices: book, endgame table, or a search that also proves.

use heapless::Vec;

use super::book;
use super::endgame::TABLE_SEEDS;
use super::evaluation::{Kalah, SEED};
use super::state::{Pit, Player, SEEDS, State};
use crate::agent::{Budget, Decision, Job, Workspace, record};
use crate::games::StateError;
use crate::search::Progress;
use crate::search::alphabeta::{AlphaBeta, Game, Value, Verdict};
use crate::search::table::Table;
use crate::wire::{Ending, MAX_LINE, Source};

/// Deepest tree: a game of Kalah rarely lasts longer, and the table does not count further.
const PLIES: usize = 62;
/// Six moves for every ply.
const MOVES: usize = 6 * PLIES;
/// Words of the workspace that are the transposition table: 64 KB.
const TABLE_WORDS: usize = 8192;
/// Nodes between two looks at the clock: below a millisecond at 31 million instructions a second.
const SLICE: u32 = 100;

/// Nodes after which nothing more is proven: half of what a second gives on a part with 125 million instructions a
/// second, since a node of a proof takes about 470. Whoever gives fewer wants a weaker opponent, and gets one without a
/// book.
pub const PROOF_NODES: u32 = 130_000;
/// A win by this is as much as the first seat is worth.
const FULL: Value = SEED * book::MARGIN as Value;
/// Margins are even: one sixteenth of a seed is as good as two seeds.
const WIN: Value = 1;

/// Something to ask the search: whether the position is worth `goal`.
struct Question {
    /// The node after which it is asked, in the place of deepening, and the one after which it is given up.
    from: u32,
    until: u32,
    goal: Value,
    /// The estimate that it takes for the question to be worth its nodes, with [`FEW`] seeds in the pits or fewer.
    hope: Value,
}

/// The first two are for the many positions in which a proof takes almost nothing.
static QUESTIONS: [Question; 4] = [
    Question { from: 1_000, until: 4_000, goal: FULL, hope: 4 * SEED },
    Question { from: 1_000, until: 4_000, goal: WIN, hope: SEED },
    Question { from: 20_000, until: 100_000, goal: FULL, hope: 4 * SEED },
    Question { from: 20_000, until: PROOF_NODES, goal: WIN, hope: SEED },
];
/// Every two seeds more than this in the pits take another seed of hope: the end of the game is too far away.
const FEW: u8 = 30;
/// Up to here the first player goes on to ask for more than [`FULL`]. Few nodes, so that all of his lines can be walked
/// through. The second player, and the first once he has [`FULL`] in his store, ask up to [`PROOF_NODES`].
const MORE_NODES: u32 = 5_000;

/// Plays Mancala. The action is one byte, the pit's number; the value is in [`SEED`]ths of a seed.
pub struct MancalaAgent {
    search: AlphaBeta<Kalah, PLIES, MOVES>,
    /// Found without a search.
    found: Option<Found>,
    /// Which of the [`QUESTIONS`] comes next.
    next: usize,
    /// The node after which the question at hand is given up.
    asking: Option<u32>,
    /// What is proven of a won position. It ends the decision, at the latest after [`PROOF_NODES`].
    least: Option<Value>,
    /// What no play can exceed.
    most: Value,
    /// The node after which more than [`FULL`] is not asked for.
    more: u32,
    /// What the seeds in the pits add to the hope that a question needs.
    distance: Value,
}

/// A decision that needs no search.
#[derive(Clone, Copy)]
struct Found {
    pit: Pit,
    source: Source,
    value: Value,
    exact: bool,
}

impl Default for MancalaAgent {
    fn default() -> Self {
        Self::new()
    }
}

impl MancalaAgent {
    /// An idle agent.
    pub const fn new() -> Self {
        Self {
            search: AlphaBeta::new(),
            found: None,
            next: QUESTIONS.len(),
            asking: None,
            least: None,
            most: 0,
            more: 0,
            distance: 0,
        }
    }

    fn table(workspace: &mut Workspace) -> Table<'_> {
        Table::new(&mut workspace.words()[..TABLE_WORDS])
    }

    /// Lets the search deepen, or puts the next question to it. `false` if nothing more is to be found out.
    fn direct(&mut self) -> bool {
        let answered = self.asking.is_some() && self.search.verdict().is_some();
        if !answered && self.search.nodes() < self.turn() {
            return true;
        }
        let report = self.search.report();
        if let Some(until) = self.asking {
            let verdict = self.search.verdict();
            match verdict {
                None if report.nodes < until => return true,
                None => self.search.give_up(),
                Some(Verdict::AtLeast(value)) => self.least = Some(value),
                Some(Verdict::AtMost(value)) => self.most = value,
                Some(Verdict::Open) => {}
            }
            self.asking = None;
            if let Some(least) = self.least {
                let until = if least < FULL { PROOF_NODES } else { self.more };
                let answered = matches!(verdict, Some(Verdict::AtLeast(_)));
                if !answered || least >= self.most || report.nodes >= until {
                    return false;
                }
                self.ask(least + 1, until);
                return true;
            }
        }
        while let Some(question) = QUESTIONS.get(self.next) {
            if report.nodes < question.from {
                break;
            }
            self.next += 1;
            let possible = self.most >= question.goal && report.nodes < question.until;
            if possible && report.value >= question.hope + self.distance {
                self.ask(question.goal, question.until);
                break;
            }
        }
        true
    }

    fn ask(&mut self, goal: Value, until: u32) {
        self.search.prove(goal);
        self.asking = Some(until);
    }

    /// The node after which [`MancalaAgent::direct`] has something to do.
    fn turn(&self) -> u32 {
        self.asking.or_else(|| QUESTIONS.get(self.next).map(|question| question.from)).unwrap_or(u32::MAX)
    }
}

/// The best pit by the endgame table. Among equals, the one after which most of the opponent's replies are mistakes.
fn by_table(state: &State) -> Option<Found> {
    let best = state.legal().map(|pit| (worth(state, pit), mistakes(&state.play(pit), state.turn()), pit)).max_by_key(
        // The first of equals: pit 1 before pit 6.
        |&(value, mistakes, pit)| (value, mistakes, core::cmp::Reverse(pit)),
    )?;
    let (value, _, pit) = best;
    Some(Found { pit, source: Source::Table, value, exact: true })
}

/// The exact worth of a pit for the player to move. Only with few seeds.
fn worth(state: &State, pit: Pit) -> Value {
    let child = state.play(pit);
    let value = Kalah.terminal(&child).or_else(|| Kalah.known(&child)).unwrap_or(0);
    if child.turn() == state.turn() { value } else { -value }
}

/// How many of the replies to `player`'s move are worse than the best one.
fn mistakes(state: &State, player: Player) -> usize {
    if state.turn() == player {
        return 0;
    }
    let best = state.legal().map(|pit| worth(state, pit)).max();
    state.legal().filter(|&pit| Some(worth(state, pit)) < best).count()
}

impl Job for MancalaAgent {
    const SLICE: u32 = SLICE;
    const REPLY_BYTES: u32 = 136;

    fn begin(&mut self, state: &[u8], budget: &Budget, workspace: &mut Workspace) -> Result<(), StateError> {
        let state = State::decode(state)?;
        let depth = budget.depth.unwrap_or(u8::MAX);
        if state.legal().next().is_none() || !self.search.begin(&Kalah, state, depth, &mut Self::table(workspace)) {
            return Err(StateError::GameOver);
        }
        // A limit of plies asks for a search of so many, a small one of nodes for a weaker opponent.
        let at_full_strength = budget.depth.is_none() && budget.nodes.is_none_or(|nodes| nodes >= PROOF_NODES);
        let booked = if at_full_strength { book::find(&state) } else { None };
        self.found = match booked {
            Some(pit) => Some(Found { pit, source: Source::Book, value: FULL, exact: false }),
            // A position with an empty row and none of the rules' sweeping is no position of the table.
            None if state.in_play() <= TABLE_SEEDS && state.pits()[1] != 0 => by_table(&state),
            None => None,
        };
        self.next = if budget.depth.is_none() { 0 } else { QUESTIONS.len() };
        self.asking = None;
        self.least = None;
        self.most = Kalah.limits(&state).1;
        self.distance = SEED / 2 * Value::from(state.in_play().saturating_sub(FEW));
        let decided = 2 * state.store(Player::J1) >= SEEDS + book::MARGIN;
        self.more = if state.turn() == Player::J1 && !decided { MORE_NODES } else { PROOF_NODES };
        Ok(())
    }

    fn step(&mut self, workspace: &mut Workspace, nodes: u32) -> Progress {
        if self.found.is_some() {
            return Progress::Done;
        }
        let mut table = Self::table(workspace);
        let stop = self.nodes().saturating_add(nodes);
        while self.nodes() < stop {
            let until = stop.min(self.turn()).saturating_sub(self.nodes());
            if self.search.step(&Kalah, &mut table, until) == Progress::Done || !self.direct() {
                return Progress::Done;
            }
        }
        Progress::Pending
    }

    fn nodes(&self) -> u32 {
        self.search.nodes()
    }

    fn answer(&self, workspace: &mut Workspace, decision: &mut Decision) {
        let statistics = &mut decision.statistics;
        if let Some(found) = self.found {
            decision.action = core::iter::once(found.pit.number()).collect();
            statistics.source = found.source;
            statistics.value = found.value;
            statistics.guaranteed = Some(found.value);
            statistics.ending = if found.exact { Ending::Proven } else { Ending::Secured };
            statistics.line = decision.action.iter().copied().collect();
            return;
        }
        let table = Self::table(workspace);
        decision.action = self.search.best_move().map(Pit::number).into_iter().collect();
        record(&self.search, &table, statistics);
        if let Some(least) = self.least {
            statistics.value = least;
            statistics.guaranteed = Some(least);
            statistics.ending = if least >= self.most { Ending::Proven } else { Ending::Secured };
        }
        let mut line = [Pit::ALL[0]; MAX_LINE];
        let length = self.search.principal_variation(&Kalah, &table, &mut line);
        statistics.line = line[..length].iter().map(|pit| pit.number()).collect::<Vec<_, MAX_LINE>>();
    }
}
