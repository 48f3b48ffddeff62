//! The decision, in slices: book, endgame table, or a search that also proves.

use super::book;
use super::endgame::TABLE_SEEDS;
use super::evaluation::{Kalah, SEED};
use super::lure::{GLANCE, Lure};
use super::state::{Pit, Player, SEEDS, State};
use crate::agent::{Budget, Decision, Job, Workspace, record};
use crate::games::StateError;
use crate::search::Progress;
use crate::search::alphabeta::{AlphaBeta, Game, Report, Value, Verdict};
use crate::search::table::Table;
use crate::wire::{Ending, MAX_LINE, Source};

/// Deepest tree: a game of Kalah rarely lasts longer, and the table does not count further.
const PLIES: usize = 62;
/// Only the moves of the position itself are listed.
const MOVES: usize = 6;
/// Words of the workspace that are the transposition table: 64 KB.
const TABLE_WORDS: usize = 8192;
/// Nodes between two looks at the clock: below a millisecond at 31 million instructions a second.
const SLICE: u32 = 100;

/// Nodes after which the first seat's wins are proven or not at all: half of what a second gives on a part with 125
/// million instructions a second, since a node of a proof takes about 315. Whoever gives fewer wants a weaker opponent, and
/// gets one without a book.
pub const PROOF_NODES: u32 = 190_000;
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
    Question { from: 20_000, until: 150_000, goal: FULL, hope: 4 * SEED },
    Question { from: 20_000, until: PROOF_NODES, goal: WIN, hope: SEED },
];
/// Every two seeds more than this in the pits take another seed of hope: the end of the game is too far away.
const FEW: u8 = 30;
/// Up to here the first player goes on to ask for more than [`FULL`]. Few nodes, so that all of his lines can be walked
/// through. The second player, and the first once he has [`FULL`] in his store, ask as long as there is time.
const MORE_NODES: u32 = 5_000;

/// A player whose estimate is this or less does not only look for his best pit: see [`Lure`].
const WORSE: Value = -5 * SEED;
/// Plies that have to be completed before, and nodes.
const LURE_PLIES: u8 = 9;
const LURE_NODES: u32 = 4_000;
/// With so many seeds in the pits or fewer the search soon sees the end, and every seed counts.
const LURE_SEEDS: u8 = 28;
/// Plies less than completed ones with which the positions after own pits and after replies are valued: what costs a
/// tenth or less of the nodes so far, each.
const OWN_LESS: u8 = 4;
const REPLY_LESS: u8 = 6;

/// Plays Mancala. The action is one byte, the pit's number; the value is in [`SEED`]ths of a seed.
pub struct MancalaAgent {
    search: AlphaBeta<Kalah, PLIES, MOVES>,
    /// Found without a search.
    found: Option<Found>,
    /// Which of the [`QUESTIONS`] comes next.
    next: usize,
    /// The node after which the question at hand is given up.
    asking: Option<u32>,
    /// What is proven of a won position, and the pit that keeps it.
    least: Option<(Value, Pit)>,
    /// What no play can exceed.
    most: Value,
    /// J1 without [`FULL`] in his store. What he proves depends on the position alone, not on the nodes that happen to be
    /// left: all his lines are walked through.
    first_seat: bool,
    /// The estimate before the last question that was answered with yes, and the node from which more is asked for.
    estimate: Value,
    resume: u32,
    /// What the seeds in the pits add to the hope that a question needs.
    distance: Value,
    root: State,
    /// What searches came to that were left for others, on the way to the present one.
    spent: Report,
    /// Pits that are being weighed against each other, and whose turn it is in the position that is searched for it.
    lure: Option<(Lure, Player)>,
    lure_until: u32,
    /// What was last found so.
    lured: Lured,
}

/// A finished [`Lure`], or one to fall back from.
#[derive(Clone, Copy)]
struct Lured {
    /// The deepening that it rests on: nodes, plies, value and pit.
    nodes: u32,
    depth: u8,
    value: Value,
    best: Pit,
    /// What to play as long as that is the best pit.
    chosen: Pit,
}

impl Lured {
    const NOTHING: Self = Self { nodes: 0, depth: 0, value: 0, best: Pit::ALL[0], chosen: Pit::ALL[0] };
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
            first_seat: false,
            estimate: 0,
            resume: 0,
            distance: 0,
            root: Kalah::BLANK_STATE,
            spent: Report::NOTHING,
            lure: None,
            lure_until: 0,
            lured: Lured::NOTHING,
        }
    }

    fn table(workspace: &mut Workspace) -> Table<'_> {
        Table::new(workspace.words().get_mut(..TABLE_WORDS).unwrap_or_default())
    }

    /// Lets the search deepen, or puts the next question to it. `false` if nothing more is to be found out.
    fn direct(&mut self) -> bool {
        let answered = self.asking.is_some() && self.search.verdict().is_some();
        if !answered && self.nodes() < self.turn() {
            return true;
        }
        let report = Report { nodes: self.nodes(), ..self.report() };
        if let Some(until) = self.asking {
            let verdict = self.search.verdict();
            match verdict {
                None if report.nodes < until => return true,
                None => self.search.give_up(),
                Some(Verdict::AtLeast(value)) => self.least = self.best().map(|pit| (value, pit)),
                Some(Verdict::AtMost(value)) => self.most = value,
                Some(Verdict::Open) => {}
            }
            self.asking = None;
            if let Some((least, _)) = self.least {
                return self.go_on(least, matches!(verdict, Some(Verdict::AtLeast(_))), report.nodes);
            }
        } else if let Some((least, _)) = self.least {
            self.ask_for_more(least, &report);
            return true;
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

    /// What to do with a win after a question: `answered` if that was a yes. `false` if nothing more is wanted.
    fn go_on(&mut self, least: Value, answered: bool, nodes: u32) -> bool {
        if least >= self.most {
            return false;
        }
        if self.first_seat {
            let until = if least < FULL { PROOF_NODES } else { MORE_NODES };
            if answered && nodes < until {
                self.ask(least + 1, until);
                return true;
            }
            if least >= FULL {
                return false;
            }
        }
        // A question that was too hard is asked again after a deeper look.
        self.resume = if answered { nodes } else { nodes.saturating_add(nodes / 2) };
        true
    }

    /// Asks for half of what the estimate promises beyond what is proven. It may take as many nodes as all before.
    fn ask_for_more(&mut self, least: Value, report: &Report) {
        // Right after a yes the search's value is what was proven, which is no estimate.
        if report.value != least {
            self.estimate = report.value;
        }
        let goal = i32::midpoint(least, self.estimate.min(self.most));
        self.ask(goal.max(least + 1), report.nodes.saturating_mul(2).max(2 * MORE_NODES));
    }

    fn ask(&mut self, goal: Value, until: u32) {
        if self.least.is_none() {
            self.estimate = self.report().value;
        }
        self.search.prove(goal);
        self.asking = Some(until);
    }

    /// The node after which [`MancalaAgent::direct`] has something to do.
    fn turn(&self) -> u32 {
        if self.asking.is_none() && self.least.is_some() {
            return self.resume;
        }
        self.asking.or_else(|| QUESTIONS.get(self.next).map(|question| question.from)).unwrap_or(u32::MAX)
    }
}

/// The second seat's way out: see [`Lure`]. Its positions are searched in the place of the decision's own, with the same
/// table; the deepening then starts anew and finds most of what it knew there. All by counts of nodes and plies, so that
/// it is the same everywhere.
impl MancalaAgent {
    /// Begins to weigh pits, if a deepening has just been completed that asks for it.
    #[cold]
    #[inline(never)]
    fn consider(&mut self) {
        let report = self.report();
        let nodes = self.nodes();
        let undecided = self.least.is_none() && self.asking.is_none() && self.search.is_paused();
        let stands_worse = self.root.turn() == Player::J2 && report.value <= WORSE && self.root.in_play() > LURE_SEEDS;
        // Not after every iteration: half as many nodes again are to lie between two.
        let due = nodes >= LURE_NODES.max(self.lured.nodes.saturating_add(self.lured.nodes / 2));
        let deeper = report.depth >= LURE_PLIES && report.depth > self.lured.depth;
        if !(undecided && stands_worse && due && deeper && self.next > 0) {
            return;
        }
        let Some(best) = self.best() else { return };
        self.lured = Lured { nodes, depth: report.depth, value: report.value, best, chosen: best };
        if let Some(lure) = Lure::new(self.root, best) {
            self.lure = Some((lure, Player::J2));
            self.lure_until = nodes.saturating_add(nodes / 2);
            self.value_next();
        }
    }

    /// Starts on the next position to value, or goes back to the decision's own.
    #[cold]
    #[inline(never)]
    fn value_next(&mut self) {
        let report = self.report();
        let Some((lure, turn)) = &mut self.lure else { return };
        add(&mut self.spent, &report);
        // No table to clear: what is in it stays.
        let mut kept = Table::new(&mut []);
        match lure.next() {
            Some((position, after_reply)) if self.spent.nodes < self.lure_until => {
                *turn = position.turn();
                let less = if after_reply { REPLY_LESS } else { OWN_LESS };
                self.search_from(position, self.lured.depth.saturating_sub(less), &mut kept);
            }
            next => {
                if next.is_none() {
                    self.lured.chosen = lure.chosen();
                }
                self.lure = None;
                self.search_from(self.root, u8::MAX, &mut kept);
            }
        }
    }

    /// What the search at hand has found. On its own for the same reason as [`MancalaAgent::search_from`].
    #[inline(never)]
    fn report(&self) -> Report {
        self.search.report()
    }

    /// The line that the search at hand expects, as far as the table knows it. On its own as well.
    #[inline(never)]
    fn line(&self, table: &Table<'_>, line: &mut [Pit]) -> usize {
        self.search.principal_variation(&Kalah, table, line)
    }

    /// The best pit of the search at hand: where its line begins.
    fn best(&self) -> Option<Pit> {
        let mut line = [Pit::ALL[0]];
        let length = self.line(&Table::new(&mut []), &mut line);
        line.first().copied().filter(|_| length > 0)
    }

    /// Begins a search. One place for all of them: its code is in the image once.
    #[cold]
    #[inline(never)]
    fn search_from(&mut self, position: State, depth: u8, table: &mut Table<'_>) -> bool {
        self.search.begin(&Kalah, position, depth, table)
    }

    /// Takes in what a step on a position of the lure came to. On its own: the search's loop is to be compiled as if there were none of this.
    #[cold]
    #[inline(never)]
    fn value(&mut self, progress: Progress) {
        let report = self.report();
        let Some((lure, turn)) = &mut self.lure else { return };
        let value = if *turn == self.root.turn() { report.value } else { -report.value };
        if self.search.is_paused() && report.depth <= GLANCE {
            lure.glance(value);
        }
        if progress == Progress::Done {
            lure.take(value);
            self.value_next();
        }
    }

    /// What was found by weighing pits, as long as the deepening has not changed its mind.
    fn lured(&self) -> Option<&Lured> {
        let report = self.report();
        let resuming = self.lure.is_some() || report.depth < self.lured.depth;
        let holds = self.lured.depth > 0 && self.least.is_none() && (self.lure.is_some() || !report.proven);
        (holds && (resuming || self.best() == Some(self.lured.best))).then_some(&self.lured)
    }
}

/// Adds what a search cost.
fn add(spent: &mut Report, report: &Report) {
    spent.nodes = spent.nodes.saturating_add(report.nodes);
    spent.table_hits = spent.table_hits.saturating_add(report.table_hits);
    spent.cutoffs = spent.cutoffs.saturating_add(report.cutoffs);
    spent.first_cutoffs = spent.first_cutoffs.saturating_add(report.first_cutoffs);
    spent.bound_met = spent.bound_met.saturating_add(report.bound_met);
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
        if state.legal().next().is_none() || !self.search_from(state, depth, &mut Self::table(workspace)) {
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
        self.first_seat = state.turn() == Player::J1 && !decided;
        self.root = state;
        self.spent = Report::NOTHING;
        self.lure = None;
        self.lured = Lured::NOTHING;
        Ok(())
    }

    fn step(&mut self, workspace: &mut Workspace, nodes: u32) -> Progress {
        if self.found.is_some() {
            return Progress::Done;
        }
        let mut table = Self::table(workspace);
        let stop = self.nodes().saturating_add(nodes);
        while self.nodes() < stop {
            let until = if self.lure.is_some() { stop } else { stop.min(self.turn()) }.saturating_sub(self.nodes());
            let progress = self.search.step(&Kalah, &mut table, until);
            if self.lure.is_some() {
                self.value(progress);
                continue;
            }
            if progress == Progress::Done {
                if self.report().proven {
                    // The exact value, whatever was proven on the way to it.
                    self.least = None;
                }
                return Progress::Done;
            }
            if !self.direct() {
                return Progress::Done;
            }
            self.consider();
        }
        Progress::Pending
    }

    fn nodes(&self) -> u32 {
        self.spent.nodes.saturating_add(self.search.nodes())
    }

    fn answer(&self, workspace: &mut Workspace, decision: &mut Decision) {
        let statistics = &mut decision.statistics;
        if let Some(found) = self.found {
            decision.action = core::iter::once(found.pit.number()).collect();
            statistics.source = found.source;
            statistics.value = found.value;
            statistics.guaranteed = Some(found.value);
            statistics.ending = if found.exact { Ending::Proven } else { Ending::Secured };
            statistics.line = core::iter::once(found.pit.number()).collect();
            return;
        }
        let table = Self::table(workspace);
        record(&self.search, &table, statistics);
        statistics.nodes = self.nodes();
        statistics.table_hits = statistics.table_hits.saturating_add(self.spent.table_hits);
        statistics.cutoffs = statistics.cutoffs.saturating_add(self.spent.cutoffs);
        statistics.first_cutoffs = statistics.first_cutoffs.saturating_add(self.spent.first_cutoffs);
        statistics.bound_met = statistics.bound_met.saturating_add(self.spent.bound_met);
        let mut pit = self.best();
        if let Some((least, kept)) = self.least {
            pit = Some(kept);
            statistics.value = least;
            statistics.guaranteed = Some(least);
            statistics.ending = if least >= self.most { Ending::Proven } else { Ending::Secured };
        } else if let Some(lured) = self.lured() {
            pit = Some(lured.chosen);
            if lured.depth > statistics.depth || self.lure.is_some() {
                statistics.depth = lured.depth;
                statistics.value = lured.value;
            }
        }
        decision.action = pit.map(Pit::number).into_iter().collect();
        if pit != self.best() || self.lure.is_some() {
            // The line that the search expects is another pit's, or another position's.
            statistics.line = pit.map(Pit::number).into_iter().collect();
            return;
        }
        let mut line = [Pit::ALL[0]; MAX_LINE];
        let length = self.line(&table, &mut line);
        // One place for each; what has none would be left out.
        statistics.line.clear();
        let _room = line.iter().take(length).try_for_each(|pit| statistics.line.push(pit.number()));
    }
}

#[cfg(test)]
mod tests {
    use std::boxed::Box;

    use super::*;

    struct Run {
        agent: MancalaAgent,
        workspace: Box<Workspace>,
    }

    impl Run {
        fn of(state: &State) -> Self {
            let mut run = Self { agent: MancalaAgent::new(), workspace: Box::new(Workspace::new()) };
            run.agent.begin(&state.encode(), &Budget::default(), &mut run.workspace).unwrap();
            run
        }

        /// Steps by so many nodes until there are `nodes`.
        fn until(&mut self, nodes: u32, slice: u32) -> &mut Self {
            while self.agent.nodes() < nodes {
                let left = nodes - self.agent.nodes();
                if self.agent.step(&mut self.workspace, slice.min(left)) == Progress::Done {
                    break;
                }
            }
            self
        }

        fn decision(&mut self) -> Decision {
            let mut decision = Decision::default();
            self.agent.answer(&mut self.workspace, &mut decision);
            decision
        }
    }

    /// Lost by 8 with the best play on both sides.
    fn lost() -> State {
        State::new(Player::J2, LOST).unwrap()
    }

    const LOST: [[u8; 7]; 2] = [[4, 8, 2, 0, 2, 0, 5], [3, 7, 1, 6, 8, 2, 0]];

    #[test]
    fn slices_do_not_change_how_pits_are_weighed() {
        let whole = Run::of(&lost()).until(60_000, u32::MAX).decision();
        assert!(Run::of(&lost()).until(60_000, u32::MAX).agent.lured.depth > 0, "nothing was weighed");
        for slice in [1, 7, 1_000] {
            assert_eq!(Run::of(&lost()).until(60_000, slice).decision(), whole, "slices of {slice}");
        }
    }

    /// At any moment the pit is the deepening's best one or the one that was weighed against it.
    #[test]
    fn weighing_can_be_interrupted_at_any_time() {
        let mut run = Run::of(&lost());
        let (mut weighing, mut resuming) = (0, 0);
        for nodes in (1_000..60_000).step_by(50) {
            let decision = run.until(nodes, u32::MAX).decision();
            let agent = &run.agent;
            let pit = decision.action.first().copied();
            assert!(pit.and_then(Pit::new).is_some_and(|pit| lost().is_legal(pit)));
            assert!(decision.statistics.nodes >= nodes && decision.statistics.nodes < nodes + 42);
            assert!(decision.statistics.depth >= agent.lured.depth, "a completed depth stays completed");
            if agent.lure.is_some() {
                weighing += 1;
                assert_eq!(pit, Some(agent.lured.best.number()));
                assert_eq!(decision.statistics.value, agent.lured.value);
            } else if agent.search.report().depth < agent.lured.depth {
                resuming += 1;
                assert_eq!(pit, Some(agent.lured.chosen.number()));
            }
        }
        assert!(weighing > 0 && resuming > 0, "{weighing} {resuming}");
    }

    #[test]
    fn the_first_seat_weighs_nothing() {
        let [first, second] = LOST;
        let mirrored = State::new(Player::J1, [second, first]).unwrap();
        assert_eq!(Run::of(&mirrored).until(60_000, u32::MAX).agent.lured.depth, 0);
    }

    /// A win that is proven is not given back while more is asked for.
    #[test]
    fn what_is_proven_only_grows() {
        let state = State::new(Player::J2, WON).unwrap();
        let mut run = Run::of(&state);
        let mut least = None;
        let mut steps = 0;
        for nodes in (1_000..1_000_000).step_by(500) {
            let now = run.until(nodes, u32::MAX).decision().statistics.guaranteed;
            assert!(now >= least, "{now:?} after {least:?}");
            steps += u32::from(now > least);
            least = now;
        }
        assert!(steps > 1, "more than one question was answered with yes");
    }

    /// Won by 22.
    const WON: [[u8; 7]; 2] = [[6, 1, 1, 1, 4, 0, 0], [12, 8, 8, 2, 1, 3, 1]];
}
