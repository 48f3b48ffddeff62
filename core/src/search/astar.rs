//! A\* over any graph, in memory of a fixed size.
//!
//! * The open list and the table of closed states have the capacity that the caller's memory gives them. A full open
//!   list lets its worst entries go, a full table does not close any more states; the search remembers the least estimate
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
//! called optimal any more. A graph that keeps edges from the search ([`Graph::TERSE`]) vouches for it itself.
//!
//! A *node* is an entry taken from the open list. An edge that does not raise the estimate is followed at once where the
//! graph allows it ([`Graph::AT_ONCE`]): of several the last one waits outside the list, and counts as a node when its turn
//! comes.
//!
//! ```
//! use rival_core::search::Progress;
//! use rival_core::search::astar::{AStar, Buckets, Codes, Cost, Edge, Follow, Graph, Label, Outcome, State, Visited};
//!
//! /// Places 0 to 99 on a line: a step to the right costs 2, a leap over four places costs 5.
//! struct Line;
//! impl Graph for Line {
//!     type Spot = State;
//!     fn spot(&self, state: State) -> State {
//!         state
//!     }
//!     fn successors<V: Visited>(&self, state: &State, _: Label, v: &mut V, mut edges: impl Follow<V>) {
//!         for (label, far, cost) in [(1, 1, 2), (2, 5, 5)] {
//!             let to = state + far;
//!             if to < 100 {
//!                 edges.follow(v, Edge { to, label, cost, heuristic: self.heuristic(&to) });
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

pub use queue::{Buckets, Heap, Lost, Queue};
pub use visited::{Codes, Costs, Hashed, Refusal, Visited};

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
/// In the label of an entry: the state was closed when it was reached.
const SETTLED: Label = 0x80;
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

/// What is done with the edges out of a state. Any closure will do; the search itself has a type for it, because what
/// it does with an edge has to be compiled in wherever a graph names one.
pub trait Follow<V> {
    /// Takes an edge.
    fn follow(&mut self, visited: &mut V, edge: Edge);
}

impl<V, F: FnMut(&mut V, Edge)> Follow<V> for F {
    #[inline]
    fn follow(&mut self, visited: &mut V, edge: Edge) {
        self(visited, edge);
    }
}

/// A graph, as the search sees it.
pub trait Graph {
    /// A state taken apart: what several of the questions below are answered from, so that it is looked up once.
    type Spot;
    /// Whether [`Graph::successors`] leaves out edges to covered states by itself. Only for graphs whose heuristic is
    /// known to be consistent: the search cannot check what it is not shown, and checks nothing there.
    const TERSE: bool = false;

    /// The label of the start: one after which no edge is left out.
    const START: Label = 1;

    /// Whether a state that is reached by raising the estimate by exactly [`Graph::rise`] is closed there and then, so that
    /// it comes up once. Labels are below 128 then.
    const AT_ONCE: bool = false;
    /// Whether a search that gets to no goal remembers the state that the heuristic thinks nearest to one. It costs a
    /// heuristic for every state.
    const NEAREST: bool = true;

    /// How much a state's estimate may be above that of the state from which it is reached, to be closed at once.
    ///
    /// 0 is right wherever the heuristic is consistent: nothing in the open list is better, so no cheaper path to the
    /// state is left. More than 0 is right only where *every* edge raises the estimate by just this much, and no state
    /// covers another ([`Graph::close`]): then all states are closed when they are first reached, in the order of their
    /// estimates, and the first path to each is as cheap as any.
    #[inline]
    fn rise(&self) -> Cost {
        0
    }

    /// The number of a state among the closed ones. A graph may put more into a state than this, as long as it is below
    /// [`STATES`]: what was at hand when the state was reached and will be asked for again.
    #[inline]
    fn number(&self, state: State) -> State {
        state
    }
    /// The state with a number.
    #[inline]
    fn recall(&self, number: State) -> State {
        number
    }
    /// Takes a state apart.
    fn spot(&self, state: State) -> Self::Spot;
    /// A lower bound of what is left to pay. It is asked again for every state taken from the open list: the open list
    /// does not carry what a path has cost, only the sum of both. [`NO_PATH`] says that nothing leads on from here.
    fn heuristic(&self, spot: &Self::Spot) -> Cost;
    /// Whether the search may end here. Only asked where the heuristic is 0, as it has to be at a goal.
    fn is_goal(&self, spot: &Self::Spot) -> bool;
    /// The edges out of a state. `label` is the edge by which the search reached it ([`Graph::START`] at the start), so
    /// that a graph can leave out what another path does as well, such as a turn back.
    fn successors<V: Visited>(&self, spot: &Self::Spot, label: Label, visited: &mut V, edges: impl Follow<V>);
    /// The number of the state from which the edge `label` led to the one with this number. Where that alone does not
    /// tell, the closed states do.
    fn predecessor<V: Visited>(&self, number: State, label: Label, visited: &V) -> State;
    /// Closes a state that comes out of the open list and takes it apart, unless the closed states make it needless. A
    /// graph may know more than that it is closed itself: that a state which is as good in every respect was closed before
    /// it. Such a pair must have the same heuristic.
    #[inline]
    fn close<V: Visited>(
        &self,
        state: State,
        label: Label,
        estimate: Cost,
        visited: &mut V,
    ) -> Result<Self::Spot, Refusal> {
        let (number, spot) = (self.number(state), self.spot(state));
        // The estimate is the sum of both.
        let cost = estimate.wrapping_sub(self.heuristic(&spot));
        if visited.label(number) != 0 || visited.is_stale(number, cost) {
            Err(Refusal::Needless)
        } else if visited.close(number, label, cost) {
            Ok(spot)
        } else {
            Err(Refusal::Full)
        }
    }
    /// Takes a state apart that was closed when it was reached.
    #[inline]
    fn reopen<V: Visited>(&self, state: State, _visited: &V) -> Self::Spot {
        self.spot(state)
    }
}

/// What a search came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A path to a goal, and there is none that costs less.
    Optimal,
    /// The best so far: a path to a goal that may not be the cheapest ([`Report::reached`]), or else to where
    /// [`AStar::best`] is.
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
    /// Most entries that the open list had taken room for at once.
    pub open_peak: u32,
    /// Entries that there is room for.
    pub open_capacity: u32,
    /// Closed states, without those that are still to be expanded.
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
    /// An entry that is as good as the last one taken and newer than all others: it comes next. 0 if there is none.
    held: u32,
    /// The estimate of the last entry taken.
    estimate: Cost,
    phase: Phase,
    // What goes into the report.
    nodes: u32,
    expanded: u32,
    cost: Cost,
    open_capacity: u32,
    losses: u32,
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
            held: 0,
            estimate: 0,
            phase: Phase::Exhausted,
            nodes: 0,
            expanded: 0,
            cost: 0,
            open_capacity: 0,
            losses: 0,
        }
    }

    /// Starts from the state with a number and forgets everything before it. Paths dearer than `limit` are not looked at. The same
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
        self.limit = limit.min(MAX_COST);
        self.open_capacity = self.queue.begin(open, self.limit);
        (self.nodes, self.expanded, self.cost, self.losses) = (0, 0, 0, 0);
        self.start = start;
        self.best = start;
        self.best_heuristic = Cost::MAX;
        let first = graph.recall(start);
        let heuristic = graph.heuristic(&graph.spot(first));
        self.lost = Cost::MAX;
        self.held = 0;
        self.phase = Phase::Running;
        if heuristic <= self.limit {
            visited.offer(start, G::START, 0);
            self.push(&mut Q::split(open), heuristic, heuristic, first, G::START);
        }
    }

    /// What is known by now. Before the search is over that is the best so far.
    pub fn outcome(&self) -> Outcome {
        match self.phase {
            Phase::Goal if self.cost <= self.lost => Outcome::Optimal,
            Phase::Exhausted if self.lost == Cost::MAX => Outcome::Unreachable,
            _ => Outcome::Partial,
        }
    }

    /// What the search has found and cost so far.
    pub fn report(&self) -> Report {
        let reached = self.phase == Phase::Goal;
        Report {
            nodes: self.nodes,
            expanded: self.expanded,
            reached,
            cost: self.cost,
            open_peak: self.queue.peak(),
            open_capacity: self.open_capacity,
            // Every closed state was expanded, except a goal.
            visited: self.expanded + u32::from(reached),
            lost: self.losses,
        }
    }

    /// Where the path ends: at a goal, or else at the closed state nearest to one, or at the start where nobody asks for
    /// that ([`Graph::NEAREST`]).
    pub const fn best(&self) -> State {
        self.best
    }

    /// Takes at most `nodes` entries from the open list.
    pub fn step<G: Graph, V: Visited>(&mut self, graph: &G, open: &mut [u64], visited: &mut V, nodes: u32) -> Progress {
        if self.phase != Phase::Running {
            return Progress::Done;
        }
        let mut memory = Q::split(open);
        let mut needless = 0;
        let mut left = nodes;
        let (mut held, mut estimate) = (self.held, self.estimate);
        while left > 0 {
            let (state, label) = if held != 0 {
                queue::unpack(held)
            } else if let Some((least, state, label)) = self.queue.pop(&mut memory) {
                estimate = least;
                (state, label)
            } else {
                if !self.queue.is_empty() {
                    // Not the memory of `begin`: whatever the search knew is gone.
                    self.lost = 0;
                }
                self.phase = Phase::Exhausted;
                self.count(nodes - left, needless);
                return Progress::Done;
            };
            held = 0;
            left -= 1;
            let settled = G::AT_ONCE && label & SETTLED != 0;
            let label = if G::AT_ONCE { label & !SETTLED } else { label };
            let spot = if settled {
                graph.reopen(state, visited)
            } else {
                match graph.close(state, label, estimate, visited) {
                    Ok(spot) => spot,
                    Err(refusal) => {
                        needless += 1;
                        if refusal == Refusal::Full {
                            self.lose(Lost { estimate, entries: 1 });
                        }
                        continue;
                    }
                }
            };
            let (number, heuristic) = (graph.number(state), graph.heuristic(&spot));
            let cost = estimate.wrapping_sub(heuristic);
            // Of two equally near states the one closed first is the cheaper one.
            if G::NEAREST && heuristic < self.best_heuristic {
                self.nearest(number, heuristic, cost);
            }
            // Whatever has something left to pay is no goal.
            if (!G::NEAREST || heuristic == 0) && graph.is_goal(&spot) {
                self.nearest(number, 0, estimate);
                self.phase = Phase::Goal;
                // A goal is not expanded.
                self.count(nodes - left, needless + 1);
                return Progress::Done;
            }
            let opener = Opener { search: self, memory: &mut memory, graph, estimate, cost, held: &mut held };
            graph.successors(&spot, label, visited, opener);
        }
        (self.held, self.estimate) = (held, estimate);
        self.count(nodes, needless);
        Progress::Pending
    }

    /// Counts entries that were taken from the open list, and those of them that were not expanded.
    fn count(&mut self, taken: u32, needless: u32) {
        self.nodes += taken;
        self.expanded += taken - needless;
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
        while state != self.start && length <= self.expanded {
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

    /// Where the path ends, as far as is known. Few states are nearer than all before.
    #[cold]
    #[inline(never)]
    fn nearest(&mut self, number: State, heuristic: Cost, cost: Cost) {
        self.best = number;
        self.best_heuristic = heuristic;
        self.cost = cost;
    }

    #[cold]
    #[inline(never)]
    fn lose(&mut self, lost: Lost) {
        self.lost = self.lost.min(lost.estimate);
        self.losses = self.losses.saturating_add(lost.entries);
    }

    /// Adds an entry for which the open list has no place at hand.
    #[inline(never)]
    fn push(&mut self, memory: &mut Q::Memory<'_>, estimate: Cost, heuristic: Cost, state: State, label: Label) {
        if estimate > self.limit {
            // A path that is too long to be told is lost.
            if self.limit == MAX_COST {
                self.lose(Lost { estimate: MAX_COST, entries: 1 });
            }
        } else if let Some(lost) = self.queue.push(memory, estimate, heuristic, state, label) {
            self.lose(lost);
        }
    }
}

/// Puts edges into the open list.
struct Opener<'s, 'm, Q: Queue, G> {
    search: &'s mut AStar<Q>,
    memory: &'s mut Q::Memory<'m>,
    /// Of the state that the edges lead out of.
    estimate: Cost,
    cost: Cost,
    graph: &'s G,
    /// See [`AStar`].
    held: &'s mut u32,
}

impl<Q: Queue, G: Graph, V: Visited> Follow<V> for Opener<'_, '_, Q, G> {
    #[expect(
        clippy::inline_always,
        reason = "a graph names edges in several places; a call would put each into memory"
    )]
    #[inline(always)]
    fn follow(&mut self, visited: &mut V, edge: Edge) {
        let search = &mut *self.search;
        let number = self.graph.number(edge.to);
        let cost = self.cost.wrapping_add(edge.cost);
        let next = if G::TERSE {
            cost.wrapping_add(edge.heuristic)
        } else {
            let next = self.cost.saturating_add(edge.cost).saturating_add(edge.heuristic);
            if edge.heuristic == NO_PATH || next > search.limit {
                // A path that is too long to be told is lost; one that leads nowhere is not.
                if search.limit == MAX_COST && edge.heuristic != NO_PATH {
                    search.lose(Lost { estimate: MAX_COST, entries: 1 });
                }
                return;
            }
            if next < self.estimate {
                // The heuristic is not consistent: a closed state may have a cheaper path after all.
                search.lost = 0;
            }
            if visited.label(number) != 0 {
                return;
            }
            next
        };
        if !visited.offer(number, edge.label, cost) {
            return;
        }
        let (mut to, mut label) = (edge.to, edge.label);
        let rise = self.graph.rise();
        if G::AT_ONCE && next == self.estimate.wrapping_add(rise) && (rise == 0 || next <= search.limit) {
            if !visited.close(number, label, cost) {
                search.lose(Lost { estimate: next, entries: 1 });
                return;
            }
            label |= SETTLED;
            if rise == 0 {
                // The newest waits outside, where it comes next; the one before it goes into the list.
                let before = core::mem::replace(self.held, queue::pack(to, label));
                if before == 0 {
                    return;
                }
                (to, label) = queue::unpack(before);
            }
        }
        let near = G::TERSE || next >= self.estimate;
        if !near || !search.queue.push_near(self.memory, next, to, label) {
            search.push(self.memory, next, edge.heuristic, to, label);
        }
    }
}

#[cfg(test)]
mod tests;
