//! Request in, decision out, in resumable slices, for whichever game.

use heapless::Vec;

pub use crate::search::budget::{Budget, Clock};

use crate::games::battletech::BattletechAgent;
use crate::games::belkan::BelkanAgent;
use crate::games::mancala::MancalaAgent;
use crate::games::parchis::ParchisAgent;
use crate::games::planet_wars::PlanetWarsAgent;
use crate::games::{GameId, StateError};
use crate::search::Progress;
use crate::search::alphabeta::{AlphaBeta, Game};
use crate::search::table::Table;
use crate::wire::{Bounded, Ending, Limits, MAX_ACTION, Mark, Statistics};

/// Words of the workspace. 72 KB: with the line's buffers, the agents and the stack it stays inside 96 KB.
pub const WORKSPACE_WORDS: usize = 72 * 1024 / 8;

/// The one large piece of memory. The games use it in turn, each in its own way: one game runs at a time.
#[derive(Debug)]
pub struct Workspace {
    words: [u64; WORKSPACE_WORDS],
}

impl Default for Workspace {
    fn default() -> Self {
        Self::new()
    }
}

impl Workspace {
    /// An empty workspace. Meant for a `static`: it is far too large for a board's stack.
    #[expect(clippy::large_stack_arrays, reason = "it is made at compile time")]
    pub const fn new() -> Self {
        Self { words: [0; WORKSPACE_WORDS] }
    }

    /// All of it.
    pub fn words(&mut self) -> &mut [u64] {
        &mut self.words
    }
}

/// A game's agent at work. What its `step` counts is a *node*: a position, an expansion, a plan weighed.
pub trait Job {
    /// Nodes between two looks at the clock: chosen so that a slice stays below a millisecond on the slowest board.
    const SLICE: u32;
    /// Bytes of a reply, for the time that the line will take to carry it.
    const REPLY_BYTES: u32;

    /// Takes in a state and prepares the search. From here on there is an answer, however poor.
    fn begin(&mut self, state: &[u8], budget: &Budget, workspace: &mut Workspace) -> Result<(), StateError>;
    /// Visits at most `nodes` more nodes. Where it takes much stack it is not to be inlined: the other games would pay.
    fn step(&mut self, workspace: &mut Workspace, nodes: u32) -> Progress;
    /// Nodes visited since `begin`.
    fn nodes(&self) -> u32;
    /// The best action so far, and how it was found.
    fn answer(&self, workspace: &mut Workspace, decision: &mut Decision);
    /// Something that stays between requests, such as a map. Most games have no such thing.
    fn load(&mut self, _data: &[u8], _workspace: &mut Workspace) -> Result<(), StateError> {
        Err(StateError::Malformed)
    }
}

/// An action in its game's own bytes, and how it came about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decision {
    /// The action.
    pub action: Vec<u8, MAX_ACTION>,
    /// How it was found.
    pub statistics: Statistics,
}

/// How strong an opponent somebody wants, 1 to 10: four times the nodes from each level to the next. The strongest has
/// no node limit. Every level answers inside the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(u8);

impl Level {
    /// All that the second gives.
    pub const STRONGEST: Self = Self(10);

    /// The level with this number, if there is one.
    pub const fn new(number: u8) -> Option<Self> {
        match number {
            1..=10 => Some(Self(number)),
            _ => None,
        }
    }

    /// What a decision may cost at this level.
    pub const fn limits(self) -> Limits {
        let nodes = if self.0 < Self::STRONGEST.0 { 10 << (2 * (self.0 - 1)) } else { 0 };
        Limits { time_us: 1_000_000, nodes, depth: 0 }
    }
}

/// Writes what an alpha-beta search found and cost into the statistics of a decision.
pub(crate) fn record<G: Game, const PLIES: usize, const MOVES: usize>(
    search: &AlphaBeta<G, PLIES, MOVES>,
    table: &Table<'_>,
    statistics: &mut Statistics,
) {
    let report = search.report();
    statistics.nodes = report.nodes;
    statistics.depth = report.depth;
    statistics.value = report.value;
    statistics.table_hits = report.table_hits;
    statistics.cutoffs = report.cutoffs;
    statistics.first_cutoffs = report.first_cutoffs;
    statistics.bound_met = report.bound_met;
    if report.proven {
        statistics.ending = Ending::Proven;
        statistics.guaranteed = Some(report.value);
    }
    let marks = [
        (Bounded::Plies, usize::from(report.ply_peak), PLIES),
        (Bounded::Moves, usize::from(report.moves_peak), MOVES),
        (Bounded::Transpositions, table.len(), table.capacity()),
    ];
    statistics.marks = marks
        .map(|(table, used, capacity)| Mark { table, used: used as u32, capacity: capacity as u32 })
        .into_iter()
        .collect();
}

/// The agents of all games in the memory of the largest.
#[allow(clippy::large_enum_variant, reason = "the agents take turns in this memory, and there is no heap")]
enum Jobs {
    Mancala(MancalaAgent),
    Parchis(ParchisAgent),
    PlanetWars(PlanetWarsAgent),
    Belkan(BelkanAgent),
    Battletech(BattletechAgent),
}

/// Runs `$body` with `$job` bound to the agent of the game at hand.
macro_rules! with_job {
    ($jobs:expr, $job:ident => $body:expr) => {
        match $jobs {
            Jobs::Mancala($job) => $body,
            Jobs::Parchis($job) => $body,
            Jobs::PlanetWars($job) => $body,
            Jobs::Belkan($job) => $body,
            Jobs::Battletech($job) => $body,
        }
    };
}

// Each game's first and last steps on their own: inlined together, every game would pay with its stack for the most demanding one.

#[inline(never)]
fn begin_of<J: Job>(job: &mut J, state: &[u8], budget: &Budget, workspace: &mut Workspace) -> Result<(), StateError> {
    job.begin(state, budget, workspace)
}

#[inline(never)]
fn answer_of<J: Job>(job: &J, workspace: &mut Workspace, decision: &mut Decision) {
    job.answer(workspace, decision);
}

fn slice_of<J: Job>(_: &J) -> u32 {
    J::SLICE
}

fn reply_bytes_of<J: Job>(_: &J) -> u32 {
    J::REPLY_BYTES
}

/// The opponent: takes requests one after the other and works on one at a time.
///
/// The crate's front page has an example.
pub struct Agent {
    jobs: Jobs,
    budget: Budget,
    running: bool,
}

impl Default for Agent {
    fn default() -> Self {
        Self::new()
    }
}

impl Agent {
    /// An idle agent.
    pub const fn new() -> Self {
        Self {
            jobs: Jobs::Mancala(MancalaAgent::new()),
            budget: Budget { deadline_us: None, nodes: None, depth: None },
            running: false,
        }
    }

    /// Makes `game` the one that the agent's memory belongs to.
    fn sit_down(&mut self, game: GameId) {
        match (game, &self.jobs) {
            (GameId::Mancala, Jobs::Mancala(_))
            | (GameId::Parchis, Jobs::Parchis(_))
            | (GameId::PlanetWars, Jobs::PlanetWars(_))
            | (GameId::Belkan, Jobs::Belkan(_))
            | (GameId::Battletech, Jobs::Battletech(_)) => {}
            _ => self.change_to(game),
        }
    }

    /// Gives the memory to another game. On its own, and from constants: an agent that is made on the way would take
    /// its size in stack from every request.
    #[cold]
    #[inline(never)]
    fn change_to(&mut self, game: GameId) {
        match game {
            GameId::Mancala => self.jobs = const { Jobs::Mancala(MancalaAgent::new()) },
            GameId::Parchis => self.jobs = const { Jobs::Parchis(ParchisAgent::new()) },
            GameId::PlanetWars => self.jobs = const { Jobs::PlanetWars(PlanetWarsAgent::new()) },
            GameId::Belkan => self.jobs = const { Jobs::Belkan(BelkanAgent::new()) },
            GameId::Battletech => self.jobs = const { Jobs::Battletech(BattletechAgent::new()) },
        }
    }

    /// Starts on a request. Whatever was running is forgotten, also if the request is refused.
    pub fn begin(
        &mut self,
        game: GameId,
        state: &[u8],
        budget: Budget,
        workspace: &mut Workspace,
    ) -> Result<(), StateError> {
        self.running = false;
        self.sit_down(game);
        with_job!(&mut self.jobs, job => begin_of(job, state, &budget, workspace))?;
        self.budget = budget;
        self.running = true;
        Ok(())
    }

    /// Takes in what a game needs before its requests.
    pub fn load(&mut self, game: GameId, data: &[u8], workspace: &mut Workspace) -> Result<(), StateError> {
        self.running = false;
        self.sit_down(game);
        with_job!(&mut self.jobs, job => job.load(data, workspace))
    }

    /// Whether a request is being worked on.
    pub const fn is_running(&self) -> bool {
        self.running
    }

    /// Gives the running request another deadline.
    pub const fn set_deadline(&mut self, deadline_us: Option<u64>) {
        self.budget.deadline_us = deadline_us;
    }

    /// When the running request has to be answered, if there is such a time.
    pub const fn deadline(&self) -> Option<u64> {
        self.budget.deadline_us
    }

    /// Bytes of the reply to expect from the game at hand.
    pub fn reply_bytes(&self) -> u32 {
        with_job!(&self.jobs, job => reply_bytes_of(job))
    }

    /// Works on, for at most `nodes` nodes, without looking at any clock. Gives the decision when there is nothing left
    /// to do within the budget's nodes and depth.
    pub fn step(&mut self, workspace: &mut Workspace, nodes: u32) -> Option<Decision> {
        if !self.running {
            return None;
        }
        let used = with_job!(&self.jobs, job => job.nodes());
        let slice = self.budget.slice(used, nodes);
        if slice == 0 {
            return self.finish(workspace, Ending::Nodes);
        }
        match with_job!(&mut self.jobs, job => job.step(workspace, slice)) {
            Progress::Done => self.finish(workspace, Ending::Complete),
            Progress::Pending => None,
        }
    }

    /// Works for one slice, then looks at the clock.
    pub fn run(&mut self, workspace: &mut Workspace, clock: &impl Clock) -> Option<Decision> {
        if self.budget.is_late(clock.now_us()) {
            return self.finish(workspace, Ending::Time);
        }
        let slice = with_job!(&self.jobs, job => slice_of(job));
        self.step(workspace, slice)
    }

    /// Ends the running request with the best so far.
    pub fn stop(&mut self, workspace: &mut Workspace) -> Option<Decision> {
        self.finish(workspace, Ending::Stopped)
    }

    fn finish(&mut self, workspace: &mut Workspace, ending: Ending) -> Option<Decision> {
        if !self.running {
            return None;
        }
        self.running = false;
        let mut decision = Decision::default();
        decision.statistics.ending = ending;
        with_job!(&self.jobs, job => answer_of(job, workspace, &mut decision));
        Some(decision)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::mancala::State;

    fn decide(nodes: u32, slice: u32) -> Decision {
        let mut workspace = std::boxed::Box::new(Workspace::new());
        let mut agent = Agent::new();
        agent.begin(GameId::Mancala, &State::start().encode(), Budget::nodes(nodes), &mut workspace).unwrap();
        loop {
            if let Some(decision) = agent.step(&mut workspace, slice) {
                return decision;
            }
        }
    }

    #[test]
    fn the_size_of_the_slices_does_not_change_the_decision() {
        let whole = decide(20_000, u32::MAX);
        // The last twig is searched to its end.
        assert!((20_000..20_042).contains(&whole.statistics.nodes));
        for slice in [1, 7, 1_000] {
            assert_eq!(decide(20_000, slice), whole, "slices of {slice}");
        }
    }

    #[test]
    fn a_stopped_agent_answers_with_a_legal_move_at_once() {
        let mut workspace = std::boxed::Box::new(Workspace::new());
        let mut agent = Agent::new();
        agent.begin(GameId::Mancala, &State::start().encode(), Budget::default(), &mut workspace).unwrap();
        let decision = agent.stop(&mut workspace).unwrap();
        assert_eq!(decision.statistics.nodes, 0);
        assert!((1..=6).contains(&decision.action[0]));
        assert!(agent.stop(&mut workspace).is_none(), "a decision is given once");
    }

    #[test]
    fn the_book_answers_at_full_strength_only() {
        let booked = decide(crate::games::mancala::PROOF_NODES, 100);
        assert_eq!((booked.action.as_slice(), booked.statistics.nodes), ([4].as_slice(), 0));
        assert_eq!(booked.statistics.source, crate::wire::Source::Book);
        let searched = decide(1_000, 100);
        assert_eq!(searched.statistics.source, crate::wire::Source::Search);
        assert_eq!(searched.statistics.guaranteed, None);
    }

    #[test]
    fn a_refused_state_leaves_the_agent_idle() {
        let mut workspace = std::boxed::Box::new(Workspace::new());
        let mut agent = Agent::new();
        let refused = agent.begin(GameId::Mancala, &[0; 15], Budget::default(), &mut workspace);
        assert_eq!(refused, Err(StateError::Inconsistent));
        assert!(!agent.is_running());
        assert!(agent.step(&mut workspace, 1).is_none());
    }
}
