//! The search that comes with the exercise, and its evaluation: an opponent and a reference for node counts.
//!
//! Depth-limited alpha-beta, depth counted in actions, the player to act decides who maximises, children in the
//! original order and made one at a time, the first of equal values kept.

use rival_core::games::parchis::{Move, Piece, Place, Player, State, is_safe_square};

/// The worth of a won game.
pub const WON: i64 = 9_999_999_998;

/// What a reference search did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Positions whose children were looked at.
    pub expanded: u64,
    /// Children made.
    pub generated: u64,
}

/// The evaluation that comes with the exercise: a point for each piece on a safe square, five for each in the goal.
pub fn test_heuristic(state: &State, player: Player) -> i64 {
    if let Some(winner) = state.winner() {
        return if winner == player { WON } else { -WON };
    }
    let worth = |piece: Piece| {
        let points = match state.place(piece) {
            Place::Goal => 5,
            Place::Ring(square) if is_safe_square(square) => 1,
            _ => 0,
        };
        if piece.colour().owner() == player { points } else { -points }
    };
    Piece::all().map(worth).sum()
}

/// The best action to `depth` actions by `evaluate`, its value, and what it took. `None` if the game is over.
pub fn search(state: &State, depth: u8, evaluate: &impl Fn(&State, Player) -> i64) -> (Option<Move>, i64, Counts) {
    let mut counts = Counts::default();
    let mut best = None;
    let value = visit(state, depth.max(1), (-WON - 1, WON + 1), state.turn(), evaluate, &mut counts, Some(&mut best));
    (best, value, counts)
}

fn visit(
    state: &State,
    depth: u8,
    (mut alpha, mut beta): (i64, i64),
    player: Player,
    evaluate: &impl Fn(&State, Player) -> i64,
    counts: &mut Counts,
    mut chosen: Option<&mut Option<Move>>,
) -> i64 {
    if depth == 0 || state.is_over() {
        return evaluate(state, player);
    }
    counts.expanded += 1;
    let maximises = state.turn() == player;
    for mv in state.legal() {
        counts.generated += 1;
        let value = visit(&state.play(mv), depth - 1, (alpha, beta), player, evaluate, counts, None);
        let improves = if maximises { value > alpha } else { value < beta };
        if improves {
            *(if maximises { &mut alpha } else { &mut beta }) = value;
            if let Some(chosen) = &mut chosen {
                **chosen = Some(mv);
            }
            if alpha >= beta {
                break;
            }
        }
    }
    if maximises { alpha } else { beta }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::parchis::record::action_record;

    /// Four independent programs agree on these figures.
    #[test]
    fn the_reference_search_from_the_start_is_the_students() {
        let start = State::start();
        let (best, _, counts) = search(&start, 6, &test_heuristic);
        assert_eq!(best.map(|mv| action_record(&start, mv)), Some((6, 3, 0)), "die 6, yellow, piece 0");
        assert_eq!(counts, Counts { expanded: 14_575, generated: 65_228 });
    }

    #[test]
    fn the_test_heuristic_is_balanced_at_the_start() {
        assert_eq!(test_heuristic(&State::start(), Player::J1), 0);
    }
}
