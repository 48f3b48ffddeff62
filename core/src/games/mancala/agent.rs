//! The decision, in slices.

use heapless::Vec;

use super::evaluation::Kalah;
use super::state::{Pit, State};
use crate::agent::{Budget, Decision, Job, Workspace, record};
use crate::games::StateError;
use crate::search::Progress;
use crate::search::alphabeta::AlphaBeta;
use crate::search::table::Table;
use crate::wire::MAX_LINE;

/// Deepest tree: a game of Kalah rarely lasts longer, and the table does not count further.
const PLIES: usize = 62;
/// Six moves for every ply.
const MOVES: usize = 6 * PLIES;
/// Words of the workspace that are the transposition table: 64 KB.
const TABLE_WORDS: usize = 8192;
/// Nodes between two looks at the clock: below a millisecond at 31 million instructions a second.
const SLICE: u32 = 100;

/// Plays Mancala. The action is one byte, the pit's number; the value is in [`SEED`](super::SEED)ths of a seed.
pub struct MancalaAgent {
    search: AlphaBeta<Kalah, PLIES, MOVES>,
}

impl Default for MancalaAgent {
    fn default() -> Self {
        Self::new()
    }
}

impl MancalaAgent {
    /// An idle agent.
    pub const fn new() -> Self {
        Self { search: AlphaBeta::new() }
    }

    fn table(workspace: &mut Workspace) -> Table<'_> {
        Table::new(&mut workspace.words()[..TABLE_WORDS])
    }
}

impl Job for MancalaAgent {
    const SLICE: u32 = SLICE;
    const REPLY_BYTES: u32 = 128;

    fn begin(&mut self, state: &[u8], budget: &Budget, workspace: &mut Workspace) -> Result<(), StateError> {
        let state = State::decode(state)?;
        let depth = budget.depth.unwrap_or(u8::MAX);
        if state.legal().next().is_none() || !self.search.begin(&Kalah, state, depth, &mut Self::table(workspace)) {
            return Err(StateError::GameOver);
        }
        Ok(())
    }

    fn step(&mut self, workspace: &mut Workspace, nodes: u32) -> Progress {
        self.search.step(&Kalah, &mut Self::table(workspace), nodes)
    }

    fn nodes(&self) -> u32 {
        self.search.report().nodes
    }

    fn answer(&self, workspace: &mut Workspace, decision: &mut Decision) {
        let table = Self::table(workspace);
        decision.action = self.search.best_move().map(Pit::number).into_iter().collect();
        let statistics = &mut decision.statistics;
        record(&self.search, &table, statistics);
        let mut line = [Pit::ALL[0]; MAX_LINE];
        let length = self.search.principal_variation(&Kalah, &table, &mut line);
        statistics.line = line[..length].iter().map(|pit| pit.number()).collect::<Vec<_, MAX_LINE>>();
    }
}
