use std::vec::Vec;

use proptest::prelude::*;

use super::rules::{Order, generate, place, recall};
use super::*;
use crate::games::StateError;
use crate::search::Progress;
use crate::search::alphabeta::{AlphaBeta, Game, Value};
use crate::search::table::Table;

/// Leaves and the sum of their hashes, from the original program.
const PERFT: [(u64, u64); 3] =
    [(30, 0x6ee3_f7c2_bed2_b67c), (864, 0x5f03_8906_3d2c_4550), (23_616, 0x09d2_5332_f104_9ba4)];

#[test]
fn the_start_has_the_recorded_hash_and_the_state_is_small() {
    assert_eq!(State::start().hash(), 0x1f96_60fc_1b3f_4dc7);
    assert_eq!(size_of::<State>(), 48);
    assert_eq!(size_of::<Option<Move>>(), 4);
}

#[test]
fn perft_and_the_sums_of_hashes_are_those_of_the_original_program() {
    for (depth, expected) in (1..).zip(PERFT) {
        let mut sum = 0_u64;
        let leaves = State::start().perft(depth, |state| sum = sum.wrapping_add(state.hash()));
        assert_eq!((leaves, sum), expected, "depth {depth}");
    }
}

/// The start's bytes with something else in one place.
fn spoilt(at: usize, byte: u8) -> Result<State, StateError> {
    let mut bytes = State::start().encode();
    bytes[at] = byte;
    State::decode(&bytes)
}

#[test]
fn impossible_states_are_refused() {
    let start = State::start().encode();
    assert_eq!(State::decode(&start), Ok(State::start()));
    assert_eq!(State::decode(&[]), Err(StateError::Malformed));
    assert_eq!(State::decode(&start[..start.len() - 1]), Err(StateError::Malformed));
    assert_eq!(spoilt(1, 70), Err(StateError::OutOfRange), "a piece on square 70");
    assert_eq!(spoilt(0, 4), Err(StateError::OutOfRange), "a fifth kind of place");
    assert_eq!(spoilt(2, 6), Err(StateError::OutOfRange), "a seventh condition");
    assert_eq!(spoilt(48, 25), Err(StateError::Inconsistent), "a twenty-fifth item");
    assert_eq!(spoilt(49, 102), Err(StateError::Inconsistent), "a boo where a star lies");
    let player = start.len() - 8;
    assert_eq!(spoilt(player, 2), Err(StateError::OutOfRange), "a third player");
    assert_eq!(spoilt(player + 1, 1), Err(StateError::Inconsistent), "eaten, but no 20 to use");
    assert_eq!(spoilt(player + 7, 1), Err(StateError::Inconsistent), "a winner without pieces in the goal");
    assert_eq!(spoilt(player + 2, 31), Err(StateError::Inconsistent), "31 bounces and still playing");
}

#[test]
fn a_colour_with_four_pieces_is_refused() {
    let start = State::start().encode();
    let mut bytes = Vec::from(&start[..12]);
    bytes.extend([0, 40, 4, 0]);
    bytes.extend(&start[12..]);
    // The fourth piece is read as the next colour's first, and so on, until the count of items stands where a place should.
    assert_eq!(State::decode(&bytes), Err(StateError::OutOfRange));
}

#[test]
fn three_dice_in_a_hand_are_refused() {
    let start = State::start().encode();
    // Behind the pieces, the items, the traps and J1's normal dice.
    let hand = 48 + 49 + 1 + 6;
    let mut bytes = Vec::from(&start[..hand]);
    bytes.extend([3, 101, 102, 103]);
    bytes.extend(&start[hand + 1..]);
    assert_eq!(State::decode(&bytes), Err(StateError::Capacity));
    bytes.splice(hand..hand + 4, [2, 101, 102]);
    assert!(State::decode(&bytes).is_ok());
}

#[test]
fn a_winner_who_still_moves_is_refused() {
    let mut bytes = State::start().encode();
    for piece in 9..12 {
        bytes[4 * piece..4 * piece + 2].copy_from_slice(&[3, 0]);
    }
    assert_eq!(State::decode(&bytes), Err(StateError::Inconsistent));
    let last = bytes.len() - 1;
    bytes[last] = 1;
    let won = State::decode(&bytes).unwrap();
    assert_eq!(won.winner(), Some(Player::J1));
    assert!(won.legal().is_empty(), "a finished game has no actions");
}

#[test]
fn an_illegal_action_loses_at_once() {
    assert_eq!(State::start().forfeit().winner(), Some(Player::J2));
}

/// A position some random actions after the start.
pub(super) fn any_position() -> impl Strategy<Value = State> {
    proptest::collection::vec(any::<prop::sample::Index>(), 0..150).prop_map(|choices| {
        let mut state = State::start();
        for choice in choices {
            let legal = state.legal();
            let next = state.play(legal[choice.index(legal.len())]);
            if next.is_over() {
                break;
            }
            state = next;
        }
        state
    })
}

/// The plain definition, for comparison: values for the side to move, no pruning at all.
fn minimax(game: Parchis<'_>, state: &State, depth: u8) -> Value {
    if let Some(value) = game.terminal(state) {
        return value;
    }
    if depth == 0 {
        return game.evaluate(state);
    }
    let values = state.legal().into_iter().map(|mv| {
        let child = state.play(mv);
        let value = minimax(game, &child, depth - 1);
        // One ply further from the end.
        let value = value - if value.abs() > 29_000 { value.signum() } else { 0 };
        if child.turn() == state.turn() { value } else { -value }
    });
    values.max().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn decoding_undoes_encoding(state in any_position()) {
        prop_assert_eq!(State::decode(&state.encode()), Ok(state));
        for mv in state.legal() {
            let found = state.decode_move(&state.encode_move(mv));
            prop_assert_eq!(found.map(|found| state.play(found)), Some(state.play(mv)));
        }
    }

    #[test]
    fn any_bytes_are_a_state_or_an_error(bytes: Vec<u8>) {
        if let Ok(state) = State::decode(&bytes) {
            let encoded = state.encode();
            prop_assert_eq!(encoded.as_slice(), bytes.as_slice());
        }
    }

    /// One changed byte gives an error or another state, and never a panic, also when it is played on.
    #[test]
    fn damaged_states_are_refused_or_playable(state in any_position(), at: prop::sample::Index, byte: u8) {
        let mut bytes = state.encode();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        if let Ok(state) = State::decode(&bytes) {
            for mv in state.legal() {
                let child = state.play(mv);
                prop_assert!(child.is_over() || State::decode(&child.encode()) == Ok(child));
            }
        }
    }

    /// Leaving duplicates out loses no position: every child is there up to the numbers within a colour, which the
    /// search's hash does not see.
    #[test]
    fn distinct_actions_reach_every_position(state in any_position()) {
        let game = Parchis::new();
        let mut all: Vec<u64> = state.legal().into_iter().map(|mv| game.hash(&state.play(mv))).collect();
        let mut distinct = Vec::new();
        generate::<true>(&state, Order::NormalFirst, |mv| {
            distinct.push(game.hash(&state.play(mv)));
            false
        });
        all.sort_unstable();
        all.dedup();
        distinct.sort_unstable();
        distinct.dedup();
        prop_assert_eq!(all, distinct);
    }

    /// Every distinct action has a place of its own, by which it is found again; other places are no actions.
    #[test]
    fn an_action_is_recalled_by_its_place(state in any_position()) {
        let mut known = [None; 64];
        generate::<true>(&state, Order::Original, |mv| {
            let slot = &mut known[usize::from(place(&state, mv))];
            assert_eq!(*slot, None, "two actions of {state:?} have one place");
            *slot = Some(mv);
            false
        });
        for (place, mv) in (0..64).zip(known) {
            // What is spent for nothing is left to the list.
            prop_assert_eq!(recall(&state, place), mv.filter(|mv| mv.piece().is_some()), "place {}", place);
        }
    }

    /// Without a table the search is exactly minimax.
    #[test]
    fn the_value_is_the_one_of_plain_minimax(state in any_position(), depth in 1..4_u8) {
        let game = Parchis::new();
        let mut table = Table::new(&mut []);
        let mut search = std::boxed::Box::<AlphaBeta<Parchis<'static>, 8, 336>>::default();
        prop_assert!(search.begin(&game, state, depth, &mut table));
        while search.step(&game, &mut table, 1_000) == Progress::Pending {}
        let report = search.report();
        if report.depth == depth {
            prop_assert_eq!(report.value, minimax(game, &state, depth));
        }
    }
}
