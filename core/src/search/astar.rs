//! A\* over any graph, in memory of a fixed size.
//!
//! * The open list and the table of closed states have the capacity that the caller's memory gives them. A full open
//!   list lets its worst entry go, a full table does not close any more states; the search remembers the least estimate
//!   that it lost that way and goes on.
//! * So it can always say which of three things it found ([`Outcome`]): the cheapest path, the best it could do, or the
//!   proof that there is no path. A path is called optimal only if it is no dearer than the least estimate lost: every
//!   path that the search did not look at costs at least that much.
//! * It is one engine for four searches: breadth-first (every edge costs 1, no heuristic), uniform cost (no heuristic),
//!   A\*, and a flood of everything within a limit (no goal).
//! * No state carries its path. A closed state remembers the *label* of the edge that reached it, in as little as two
//!   bits, and the graph walks the path back.
//!
//! The heuristic has to be *admissible* (never more than the true cost left) and *consistent* (along an edge it falls by
//! no more than the edge's cost). Consistency is checked on every edge that is looked at; where it fails, nothing is
//! called optimal any more. A graph that keeps edges from the search vouches for them itself.
//!
//! A *node* is an entry taken from the open list.
//!
//! ```
//! use rival_core::search::Progress;
//! use rival_core::search::astar::{AStar, Buckets, Codes, Cost, Edge, Graph, Label, Outcome, State, Visited};
//!
//! /// Places 0 to 99 on a line: a step to the right costs 2, a leap over four places costs 5.
//! struct Line;
//! impl Graph for Line {
//!     type Spot = State;
//!     fn spot(&self, state: State) -> State {
//!         state
//!     }
//!     fn successors<V: Visited>(&self, state: &State, _: Label, v: &mut V, mut edge: impl FnMut(&mut V, Edge)) {
//!         for (label, far, cost) in [(1, 1, 2), (2, 5, 5)] {
//!             let to = state + far;
//!             if to < 100 {
//!                 edge(v, Edge { to, label, cost, heuristic: self.heuristic(&to) });
//!             }
//!         }
//!     }
//!     fn heuristic(&self, state: &State) -> Cost {
//!         98_u32.saturating_sub(*state)
//!     }
//!     fn is_goal(&self, state: &State) -> bool {
//!         *state == 98
//!     }
//!     fn predecessor<V: Visited>(&self, state: State, label: Label, _: &V) -> State {
//!         if label == 1 { state - 1 } else { state - 5 }
//!     }
//! }
//!
//! let (mut open, mut closed) = ([0; 64], [0; Codes::<2>::words(100)]);
//! let mut search: AStar<Buckets<8>> = AStar::new();
//! search.begin(&Line, 0, u32::MAX, &mut open, &mut Codes::<2>::new(&mut closed));
//! while search.step(&Line, &mut open, &mut Codes::<2>::new(&mut closed), 10) == Progress::Pending {}
//! assert_eq!((search.outcome(), search.report().cost), (Outcome::Optimal, 19 * 5 + 3 * 2));
//! ```

use super::Progress;

mod queue;
mod visited;

pub use queue::{Buckets, Heap, Queue};
pub use visited::{Codes, Costs, Hashed, Visited};

/// A state's number, below [`STATES`].
pub type State = u32;
/// The number of an edge among those that reach the same state. From 1 up; 0 means "none".
pub type Label = u8;
/// What edges and paths cost.
pub type Cost = u32;

/// More states than this cannot be told apart.
pub const STATES: u32 = 1 << 24;
/// The dearest path that can be found; anything beyond counts as lost.
pub const MAX_COST: Cost = (1 << 24) - 1;
/// The heuristic of a state from which no path leads to a goal.
pub const NO_PATH: Cost = Cost::MAX;

/// A way from one state to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Where it leads.
    pub to: State,
    /// How it is told apart from the other edges into `to`.
    pub label: Label,
    /// What it costs.
    pub cost: Cost,
    /// The heuristic of `to`: whoever follows an edge mostly has what it is made of at hand.
    pub heuristic: Cost,
}

/// A graph, as the search sees it.
pub trait Graph {
    /// A state taken apart: what several of the questions below are answered from, so that it is looked up once.
    type Spot;
    /// Whether [`Graph::successors`] leaves out edges to covered states by itself. Only for graphs whose heuristic is
    /// known to be consistent: the search cannot check what it is not shown.
    const TERSE: bool = false;

    /// Takes a state apart.
    fn spot(&self, state: State) -> Self::Spot;
    /// A lower bound of what is left to pay. It is asked again for every state taken from the open list: the open list
    /// does not carry what a path has cost, only the sum of both. [`NO_PATH`] says that nothing leads on from here.
    fn heuristic(&self, spot: &Self::Spot) -> Cost;
    /// Whether the search may end here.
    fn is_goal(&self, spot: &Self::Spot) -> bool;
    /// The edges out of a state. `label` is the edge by which the search reached it (0 at the start), so that a graph
    /// can leave out what another path does as well, such as a turn back.
    fn successors<V: Visited>(&self, spot: &Self::Spot, label: Label, visited: &mut V, edge: impl FnMut(&mut V, Edge));
    /// The state from which the edge `label` led to `state`. Where that alone does not tell, the closed states do.
    fn predecessor<V: Visited>(&self, state: State, label: Label, visited: &V) -> State;
    /// Whether the closed states make this one needless. A graph may know more than that it is closed itself: that a
    /// state which is as good in every respect was closed before it. Such a pair must have the same heuristic.
    #[inline]
    fn is_covered<V: Visited>(&self, state: State, _spot: &Self::Spot, visited: &V) -> bool {
        visited.label(state) != 0
    }
}

/// What a search came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A path to a goal, and there is none that costs less.
    Optimal,
    /// The best so far: a path to a goal that may not be the cheapest ([`Report::reached`]), or else to the state that
    /// the heuristic thinks nearest to one.
    Partial,
    /// There is no path within the limit: everything within it was looked at.
    Unreachable,
}

/// What a search has found and what it cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Entries taken from the open list.
    pub nodes: u32,
    /// Of them, those whose edges were followed.
    pub expanded: u32,
    /// Whether the path leads to a goal.
    pub reached: bool,
    /// What the path costs.
    pub cost: Cost,
    /// Most entries in the open list at once.
    pub open_peak: u32,
    /// Entries that there is room for.
    pub open_capacity: u32,
    /// Closed states.
    pub visited: u32,
    /// Entries that were lost to a full open list or a full table of closed states.
    pub lost: u32,
}

/// Why a finished search is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Running,
    Goal,
    Exhausted,
}

/// A search in progress. What it keeps between two steps is small; the lists are in the caller's memory.
#[derive(Clone, Debug)]
pub struct AStar<Q> {
    queue: Q,
    start: State,
    best: State,
    best_heuristic: Cost,
    /// The least estimate that was lost: below it the search has seen everything.
    lost: Cost,
    limit: Cost,
    phase: Phase,
    report: Report,
}

impl<Q: Queue> Default for AStar<Q> {
    fn default() -> Self {
        Self::new()
    }
}

impl<Q: Queue> AStar<Q> {
    /// A search of nothing, ready for [`AStar::begin`].
    pub const fn new() -> Self {
        Self {
            queue: Q::NEW,
            start: 0,
            best: 0,
            best_heuristic: 0,
            lost: Cost::MAX,
            limit: 0,
            phase: Phase::Exhausted,
            report: Report {
                nodes: 0,
                expanded: 0,
                reached: false,
                cost: 0,
                open_peak: 0,
                open_capacity: 0,
                visited: 0,
                lost: 0,
            },
        }
    }

    /// Starts from a state and forgets everything before it. Paths dearer than `limit` are not looked at. The same
    /// memory, with what the search left in it, has to be given to every [`AStar::step`].
    pub fn begin<G: Graph>(
        &mut self,
        graph: &G,
        start: State,
        limit: Cost,
        open: &mut [u64],
        visited: &mut impl Visited,
    ) {
        visited.clear();
        self.report = Report { open_capacity: self.queue.begin(open), ..Report::default() };
        self.start = start;
        self.best = start;
        self.best_heuristic = Cost::MAX;
        let heuristic = graph.heuristic(&graph.spot(start));
        self.lost = Cost::MAX;
        self.limit = limit.min(MAX_COST);
        self.phase = Phase::Running;
        if heuristic <= self.limit {
            visited.offer(start, 0, 0);
            let mut memory = Q::split(open);
            if let Some(estimate) = self.queue.push(&mut memory, heuristic, heuristic, start, 0) {
                self.lose(estimate);
            }
        }
    }

    /// What is known by now. Before the search is over that is the best so far.
    pub fn outcome(&self) -> Outcome {
        match self.phase {
            Phase::Goal if self.report.cost <= self.lost => Outcome::Optimal,
            Phase::Exhausted if self.lost == Cost::MAX => Outcome::Unreachable,
            _ => Outcome::Partial,
        }
    }

    /// What the search has found and cost so far.
    pub fn report(&self) -> Report {
        // Every closed state was expanded, except a goal.
        let visited = self.report.expanded + u32::from(self.report.reached);
        Report { open_peak: self.queue.peak(), visited, ..self.report }
    }

    /// Where the path ends: at a goal, or else at the closed state nearest to one.
    pub const fn best(&self) -> State {
        self.best
    }

    /// Takes at most `nodes` entries from the open list.
    pub fn step<G: Graph, V: Visited>(&mut self, graph: &G, open: &mut [u64], visited: &mut V, nodes: u32) -> Progress {
        if self.phase != Phase::Running {
            return Progress::Done;
        }
        let mut memory = Q::split(open);
        for taken in 0..nodes {
            let Some((estimate, state, label)) = self.queue.pop(&mut memory) else {
                if !self.queue.is_empty() {
                    // Not the memory of `begin`: whatever the search knew is gone.
                    self.lost = 0;
                }
                self.phase = Phase::Exhausted;
                self.report.nodes += taken;
                return Progress::Done;
            };
            let spot = graph.spot(state);
            if graph.is_covered(state, &spot, visited) {
                continue;
            }
            let heuristic = graph.heuristic(&spot);
            let cost = estimate - heuristic.min(estimate);
            if visited.is_stale(state, cost) {
                continue;
            }
            if !visited.close(state, label.max(1), cost) {
                self.lose(estimate);
                continue;
            }
            // Of two equally near states the one closed first is the cheaper one.
            if heuristic < self.best_heuristic {
                self.best = state;
                self.best_heuristic = heuristic;
                self.report.cost = cost;
            }
            if graph.is_goal(&spot) {
                self.best = state;
                self.report.cost = cost;
                self.report.reached = true;
                self.phase = Phase::Goal;
                self.report.nodes += taken + 1;
                return Progress::Done;
            }
            self.report.expanded += 1;
            graph.successors(&spot, label, visited, |visited, edge| {
                let cost = cost.saturating_add(edge.cost);
                let next = cost.saturating_add(edge.heuristic);
                if next > self.limit {
                    // A path that is too long to be told is lost; one that leads nowhere is not.
                    if self.limit == MAX_COST && edge.heuristic != NO_PATH {
                        self.lose(MAX_COST);
                    }
                    return;
                }
                if next < estimate {
                    // The heuristic is not consistent: a closed state may have a cheaper path after all.
                    self.lost = 0;
                }
                if !G::TERSE && visited.label(edge.to) != 0 || !visited.offer(edge.to, edge.label, cost) {
                    return;
                }
                if let Some(estimate) = self.queue.push(&mut memory, next, edge.heuristic, edge.to, edge.label) {
                    self.lose(estimate);
                }
            });
        }
        self.report.nodes += nodes;
        Progress::Pending
    }

    /// Walks the path from [`AStar::best`] back to the start. `edge` gets the place of each edge in the path, counted
    /// from the start, the state that it leads to, and its label. Gives the number of edges.
    pub fn path<G: Graph, V: Visited>(&self, graph: &G, visited: &V, mut edge: impl FnMut(u32, State, Label)) -> u32 {
        let length = self.walk(graph, visited, |_, _, _| {});
        self.walk(graph, visited, |back, state, label| edge(length - 1 - back, state, label))
    }

    /// The same, with the places counted from the end.
    pub fn walk<G: Graph, V: Visited>(&self, graph: &G, visited: &V, mut edge: impl FnMut(u32, State, Label)) -> u32 {
        let mut state = self.best;
        let mut length = 0;
        // No path is longer than the number of closed states, whatever became of the memory in the meantime.
        while state != self.start && length <= self.report.expanded {
            let label = visited.label(state);
            if label == 0 {
                break;
            }
            edge(length, state, label);
            state = graph.predecessor(state, label, visited);
            length += 1;
        }
        length
    }

    fn lose(&mut self, estimate: Cost) {
        self.lost = self.lost.min(estimate);
        self.report.lost = self.report.lost.saturating_add(1);
    }
}

#[cfg(test)]
mod tests;
