//! The decision, in slices.

use heapless::Vec;

use super::evaluation::Parchis;
use super::rules::{MOST_MOVES, Move};
use super::state::State;
use crate::agent::{Budget, Decision, Job, Workspace, record};
use crate::games::StateError;
use crate::search::Progress;
use crate::search::alphabeta::{AlphaBeta, Game};
use crate::search::table::Table;
use crate::wire::MAX_LINE;

/// Deepest tree: three times what a second allows in the middle of a game.
const PLIES: usize = 24;
/// Twelve positions with all the moves there can be; the average position has fourteen.
const MOVES: usize = 12 * MOST_MOVES;
/// Words of the workspace that are the transposition table: 64 KB.
const TABLE_WORDS: usize = 8192;
/// Nodes between two looks at the clock: below a millisecond at 31 million instructions a second, also when the last of
/// them brings 42 leaves with it.
const SLICE: u32 = 4;

/// Plays Parchis. The action is three bytes: die, colour and piece as in [`State::encode_move`]; the value is in
/// hundredths of about a step.
pub struct ParchisAgent {
    search: AlphaBeta<Parchis<'static>, PLIES, MOVES>,
    state: State,
}

impl Default for ParchisAgent {
    fn default() -> Self {
        Self::new()
    }
}

const GAME: Parchis<'static> = Parchis::new();

impl ParchisAgent {
    /// An idle agent.
    pub const fn new() -> Self {
        Self { search: AlphaBeta::new(), state: State::start() }
    }

    fn table(workspace: &mut Workspace) -> Table<'_> {
        Table::new(&mut workspace.words()[..TABLE_WORDS])
    }
}

impl Job for ParchisAgent {
    const SLICE: u32 = SLICE;
    const REPLY_BYTES: u32 = 128;

    fn begin(&mut self, state: &[u8], budget: &Budget, workspace: &mut Workspace) -> Result<(), StateError> {
        let state = State::decode(state)?;
        if state.is_over() {
            return Err(StateError::GameOver);
        }
        self.state = state;
        let depth = budget.depth.unwrap_or(u8::MAX);
        if !self.search.begin(&GAME, state, depth, &mut Self::table(workspace)) {
            return Err(StateError::GameOver);
        }
        Ok(())
    }

    fn step(&mut self, workspace: &mut Workspace, nodes: u32) -> Progress {
        self.search.step(&GAME, &mut Self::table(workspace), nodes)
    }

    fn nodes(&self) -> u32 {
        self.search.nodes()
    }

    fn answer(&self, workspace: &mut Workspace, decision: &mut Decision) {
        let table = Self::table(workspace);
        let best = self.search.best_move();
        decision.action = best.map(|mv| self.state.encode_move(mv)).into_iter().flatten().collect();
        let statistics = &mut decision.statistics;
        record(&self.search, &table, statistics);
        let mut line = [Parchis::BLANK_MOVE; MAX_LINE];
        let length = self.search.principal_variation(&GAME, &table, &mut line);
        statistics.line = line[..length].iter().map(|mv| mv.short_code()).collect::<Vec<_, MAX_LINE>>();
    }
}

impl Move {
    /// One byte for the expected line of play: the die's place among 1, 2, 4, 5, 6, 10, 20 and the special dice, times
    /// eight, plus the piece's number and three for the player's second colour; seven for a skip.
    pub const fn short_code(self) -> u8 {
        let piece = match self.piece {
            0..=2 | 9..=11 => self.piece % 3,
            3..=8 => 3 + self.piece % 3,
            _ => 7,
        };
        self.die.place() << 3 | piece
    }
}
