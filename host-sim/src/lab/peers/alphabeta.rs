//! The alpha-beta search against a plain recursive one over the same games, and against the crate `minimax`.

use minimax::{Evaluation, IterativeOptions, IterativeSearch, Strategy, Winner};
use rival_core::games::{mancala, parchis};
use rival_core::search::Progress;
use rival_core::search::alphabeta::{AlphaBeta, Game, MoveList, Value};
use rival_core::search::table::Table;

use super::{Row, time};
use crate::duel;
use crate::games;

/// Words of our own table: what the board has.
const TABLE_WORDS: usize = 64 * 1024 / 8;
/// Bytes of the other's.
const PEER_TABLE: usize = 1 << 20;

/// Alpha-beta as a textbook has it.
fn plain<G: Game, const MOVES: usize>(game: &G, state: &G::State, depth: u8, mut alpha: Value, beta: Value) -> Value {
    if let Some(value) = game.terminal(state) {
        return value;
    }
    if depth == 0 {
        return game.evaluate(state);
    }
    for mv in MoveList::<G, MOVES>::of(game, state).moves() {
        let child = game.make(state, mv);
        let value = if game.side(&child) == game.side(state) {
            plain::<G, MOVES>(game, &child, depth - 1, alpha, beta)
        } else {
            -plain::<G, MOVES>(game, &child, depth - 1, -beta, -alpha)
        };
        alpha = alpha.max(value);
        if alpha >= beta {
            break;
        }
    }
    alpha
}

const INFINITE: Value = 32_000;

fn ours<G: Game, const PLIES: usize, const MOVES: usize>(
    game: &G,
    state: &G::State,
    depth: u8,
    search: &mut AlphaBeta<G, PLIES, MOVES>,
    words: &mut [u64],
) -> Value {
    let mut table = Table::new(words);
    table.clear();
    search.begin(game, *state, depth, &mut table);
    while search.step(game, &mut table, u32::MAX) == Progress::Pending {}
    search.report().value
}

pub(super) fn mancala() -> Vec<Row> {
    const DEPTH: u8 = 15;
    let game = mancala::Kalah;
    let mut search: Box<AlphaBeta<mancala::Kalah, 64, 512>> = Box::new(AlphaBeta::new());
    let mut words = vec![0; TABLE_WORDS];
    let positions = (0..6).map(|number| duel::opening(&games::mancala::Mancala, 77, number, 4 * number));
    positions
        .enumerate()
        .map(|(number, state)| {
            let (_, rival) = time(|| (), |()| ours(&game, &state, DEPTH, &mut search, &mut words));
            let (_, recursion) = time(|| (), |()| plain::<_, 8>(&game, &state, DEPTH, -INFINITE, INFINITE));
            let prepare = || {
                let options = IterativeOptions::new().with_table_byte_size(PEER_TABLE);
                let mut peer = IterativeSearch::new(SameEvaluation, options);
                peer.set_max_depth(DEPTH);
                peer
            };
            let board = Board { state, skipped: false };
            let (_, minimax) = time(prepare, |mut peer| peer.choose_move(&board));
            let task = format!("depth {DEPTH}, {} random plies, seed 77.{number}", 4 * number);
            Row { task, times: vec![rival, recursion, minimax] }
        })
        .collect()
}

pub(super) fn parchis() -> Vec<Row> {
    const DEPTH: u8 = 6;
    let game = parchis::Parchis::new();
    let mut search: Box<AlphaBeta<parchis::Parchis<'static>, 64, 2_048>> = Box::new(AlphaBeta::new());
    let mut words = vec![0; TABLE_WORDS];
    let positions = (0..4).map(|number| duel::opening(&games::parchis::Parchis, 77, number, 12 * number));
    positions
        .enumerate()
        .map(|(number, state)| {
            let (_, rival) = time(|| (), |()| ours(&game, &state, DEPTH, &mut search, &mut words));
            let (_, recursion) = time(|| (), |()| plain::<_, 128>(&game, &state, DEPTH, -INFINITE, INFINITE));
            let task = format!("depth {DEPTH}, {} random actions, seed 77.{number}", 12 * number);
            Row { task, times: vec![rival, recursion] }
        })
        .collect()
}

/// Mancala as `minimax` wants it.
#[derive(Clone, Copy)]
struct Board {
    state: mancala::State,
    /// The side to move has to pass, because the other one has an extra turn.
    skipped: bool,
}

struct Peer;

/// A pit, or `None` for a pass.
type PeerMove = Option<mancala::Pit>;

impl minimax::Game for Peer {
    type S = Board;
    type M = PeerMove;

    fn generate_moves(board: &Board, moves: &mut Vec<PeerMove>) -> Option<Winner> {
        if board.skipped {
            moves.push(None);
            return None;
        }
        if let Some(winner) = Self::get_winner(board) {
            return Some(winner);
        }
        moves.extend(MoveList::<mancala::Kalah, 8>::of(&mancala::Kalah, &board.state).moves().map(Some));
        None
    }

    fn apply(board: &mut Board, mv: PeerMove) -> Option<Board> {
        let Some(pit) = mv else { return Some(Board { state: board.state, skipped: false }) };
        let state = board.state.play(pit);
        Some(Board { state, skipped: state.turn() == board.state.turn() && !state.is_over() })
    }

    fn get_winner(board: &Board) -> Option<Winner> {
        let value = mancala::Kalah.terminal(&board.state)?;
        Some(match value {
            0 => Winner::Draw,
            1.. => Winner::PlayerToMove,
            _ => Winner::PlayerJustMoved,
        })
    }

    fn zobrist_hash(board: &Board) -> u64 {
        mancala::Kalah.hash(&board.state) ^ u64::from(board.skipped)
    }
}

struct SameEvaluation;

impl minimax::Evaluator for SameEvaluation {
    type G = Peer;

    fn evaluate(&self, board: &Board) -> Evaluation {
        let value = mancala::Kalah.evaluate(&board.state) as Evaluation;
        if board.skipped { -value } else { value }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plain_search_finds_the_same_values() {
        let mut search: Box<AlphaBeta<mancala::Kalah, 64, 512>> = Box::new(AlphaBeta::new());
        let mut words = vec![0; TABLE_WORDS];
        for number in 0..20 {
            let state = duel::opening(&games::mancala::Mancala, 5, number, number);
            for depth in [1, 3, 5] {
                let value = ours(&mancala::Kalah, &state, depth, &mut search, &mut words);
                let expected = plain::<_, 8>(&mancala::Kalah, &state, depth, -INFINITE, INFINITE);
                // Deeper entries of the table may know more than a search to this depth can.
                if depth < 4 {
                    assert_eq!(value, expected, "{number}, depth {depth}");
                }
            }
        }
    }
}
