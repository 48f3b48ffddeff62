//! Depth first: level 1. Any path will do, and the closed states' labels are all the memory it takes: the way back from
//! a dead end is the path itself.

use super::graph::Ground;
use crate::search::Progress;
use crate::search::astar::{Cost, Edge, Graph, Label, State, Visited};

/// A depth-first search in progress.
#[derive(Clone, Debug)]
pub(super) struct DepthFirst {
    start: State,
    state: State,
    /// Edges with smaller labels were tried.
    next: Label,
    pub(super) nodes: u32,
    pub(super) reached: bool,
    finished: bool,
}

impl DepthFirst {
    pub(super) const fn new() -> Self {
        Self { start: 0, state: 0, next: 0, nodes: 0, reached: false, finished: true }
    }

    pub(super) fn begin<G: Graph>(&mut self, graph: &G, start: State, visited: &mut impl Visited) {
        visited.clear();
        visited.close(start, 1, 0);
        let reached = graph.is_goal(&graph.spot(graph.recall(start)));
        *self = Self { start, state: start, next: 0, nodes: 0, reached, finished: reached };
    }

    pub(super) fn step<V: Visited>(&mut self, graph: &Ground<'_>, visited: &mut V, nodes: u32) -> Progress {
        // Which of two ways is cheaper is no matter here.
        let graph = &graph.with_all_turns();
        for _ in 0..nodes {
            if self.finished {
                return Progress::Done;
            }
            self.nodes += 1;
            let came_by = if self.state == self.start { 0 } else { visited.label(self.state) };
            let mut deeper: Option<(Label, State)> = None;
            graph.successors(&graph.spot(graph.recall(self.state)), came_by, visited, |visited: &mut V, edge: Edge| {
                if edge.label > self.next
                    && deeper.is_none_or(|(label, _)| edge.label < label)
                    && !graph.is_covered(edge.to, visited)
                {
                    deeper = Some((edge.label, edge.to));
                }
            });
            if let Some((label, to)) = deeper {
                let number = graph.number(to);
                visited.close(number, label, Cost::MAX);
                (self.state, self.next) = (number, 0);
                self.reached = graph.is_goal(&graph.spot(to));
                self.finished = self.reached;
            } else if self.state == self.start {
                self.finished = true;
            } else {
                self.next = visited.label(self.state);
                self.state = graph.predecessor(self.state, self.next, visited);
            }
        }
        if self.finished { Progress::Done } else { Progress::Pending }
    }

    /// Walks the path back, as [`AStar::path`](crate::search::astar::AStar::path) does.
    pub(super) fn path<G: Graph, V: Visited>(
        &self,
        graph: &G,
        visited: &V,
        mut edge: impl FnMut(u32, State, Label),
    ) -> u32 {
        let length = self.walk(graph, visited, |_, _, _| {});
        self.walk(graph, visited, |back, state, label| edge(length - 1 - back, state, label))
    }

    fn walk<G: Graph, V: Visited>(&self, graph: &G, visited: &V, mut edge: impl FnMut(u32, State, Label)) -> u32 {
        let (mut state, mut length) = (self.state, 0);
        while state != self.start && length < self.nodes {
            let label = visited.label(state);
            edge(length, state, label);
            state = graph.predecessor(state, label, visited);
            length += 1;
        }
        length
    }
}
