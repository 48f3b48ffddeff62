use std::collections::BTreeMap;
use std::string::ToString;

use proptest::prelude::*;

use super::*;
use crate::games::StateError;
use crate::search::alphabeta::Game;

fn state(turn: u8, board: [[u8; 7]; 2]) -> State {
    State::new(if turn == 0 { Player::J1 } else { Player::J2 }, board).unwrap()
}

fn pit(number: u8) -> Pit {
    Pit::new(number).unwrap()
}

#[test]
fn perft_from_the_start() {
    let leaves = [1, 6, 35, 185, 942, 4_690, 23_233, 114_430, 563_055];
    for (depth, leaves) in leaves.into_iter().enumerate() {
        assert_eq!(State::start().perft(depth as u8), leaves, "depth {depth}");
    }
}

#[test]
fn the_last_seed_in_the_own_store_gives_an_extra_turn() {
    let after = State::start().play(pit(4));
    assert_eq!(after, state(0, [[1, 5, 5, 5, 0, 4, 4], [0, 4, 4, 4, 4, 4, 4]]));
}

#[test]
fn a_lone_last_seed_takes_what_faces_it() {
    let before = state(0, [[20, 0, 1, 0, 0, 0, 3], [14, 2, 1, 1, 1, 1, 4]]);
    // Pit 2 has one seed, it falls into the empty pit 1; pit 6 of the other faces pit 1.
    assert_eq!(before.play(pit(2)), state(1, [[25, 0, 0, 0, 0, 0, 3], [14, 2, 1, 1, 1, 1, 0]]));
}

#[test]
fn nothing_is_taken_when_the_facing_pit_is_empty() {
    let before = state(0, [[20, 0, 1, 0, 0, 0, 3], [18, 2, 1, 1, 1, 1, 0]]);
    assert_eq!(before.play(pit(2)), state(1, [[20, 1, 0, 0, 0, 0, 3], [18, 2, 1, 1, 1, 1, 0]]));
}

#[test]
fn a_lap_of_thirteen_ends_in_its_own_pit_and_captures() {
    let before = state(0, [[20, 0, 0, 13, 0, 0, 1], [9, 1, 1, 1, 1, 1, 0]]);
    // Pit 3 is emptied, every other place gets one, the last falls back into pit 3, facing pit 4 which has two by then.
    let after = before.play(pit(3));
    assert_eq!(after, state(1, [[24, 1, 1, 0, 1, 1, 2], [9, 2, 2, 2, 0, 2, 1]]));
}

#[test]
fn the_opponents_store_is_never_fed() {
    let before = state(0, [[20, 0, 0, 0, 0, 0, 8], [15, 1, 1, 1, 1, 1, 0]]);
    assert_eq!(before.play(pit(6)).store(Player::J2), 15);
}

#[test]
fn the_game_ends_when_either_row_is_empty_whoever_is_to_move() {
    // J1's last seed goes home: an extra turn, but the row is empty.
    let over = state(0, [[20, 1, 0, 0, 0, 0, 0], [20, 1, 1, 1, 1, 1, 2]]).play(pit(1));
    assert!(over.is_over());
    assert_eq!(over, state(0, [[21, 0, 0, 0, 0, 0, 0], [27, 0, 0, 0, 0, 0, 0]]));
    // A capture empties the other's row.
    let over = state(0, [[30, 0, 1, 5, 0, 0, 0], [8, 0, 0, 0, 0, 0, 4]]).play(pit(2));
    assert!(over.is_over());
    assert_eq!(over.margin(), 32);
}

#[test]
fn an_empty_pit_loses_everything() {
    let before = state(0, [[20, 0, 1, 0, 0, 0, 3], [18, 2, 1, 1, 1, 1, 0]]);
    assert_eq!(before.play(pit(1)), state(1, [[0; 7], [48, 0, 0, 0, 0, 0, 0]]));
}

#[test]
fn impossible_states_are_refused() {
    let mut bytes = State::start().encode();
    assert_eq!(State::decode(&bytes[..14]), Err(StateError::Malformed));
    assert_eq!(State::decode(&[]), Err(StateError::Malformed));
    bytes[3] = 5;
    assert_eq!(State::decode(&bytes), Err(StateError::Inconsistent), "49 seeds");
    bytes[3] = 200;
    assert_eq!(State::decode(&bytes), Err(StateError::OutOfRange));
    bytes[3] = 4;
    bytes[0] = 2;
    assert_eq!(State::decode(&bytes), Err(StateError::OutOfRange), "a third player");
}

#[test]
fn the_board_is_drawn_with_its_stores() {
    let text = state(0, [[20, 0, 1, 0, 0, 0, 3], [18, 2, 1, 1, 1, 1, 0]]).to_string();
    assert!(text.contains("18 [  2  1  1  1  1  0 ]"), "{text}");
    assert!(text.contains("[  3  0  0  0  1  0 ] 20"), "{text}");
}

/// A random position: seeds dropped one after the other, with any number already in the stores.
fn any_state() -> impl Strategy<Value = State> {
    (any::<bool>(), proptest::collection::vec(0..14_usize, usize::from(SEEDS))).prop_map(|(turn, places)| {
        let mut board = [[0; 7]; 2];
        for place in places {
            board[place / 7][place % 7] += 1;
        }
        state(u8::from(turn), board)
    })
}

proptest! {
    #[test]
    fn decoding_undoes_encoding(state in any_state()) {
        prop_assert_eq!(State::decode(&state.encode()), Ok(state));
    }

    #[test]
    fn any_bytes_are_a_state_or_an_error(bytes: std::vec::Vec<u8>) {
        if let Ok(state) = State::decode(&bytes) {
            let encoded = state.encode();
            prop_assert_eq!(encoded.as_slice(), bytes.as_slice());
        }
    }

    #[test]
    fn seeds_are_neither_made_nor_lost(state in any_state(), choice in 1..=6_u8) {
        let after = state.play(pit(choice));
        prop_assert_eq!(after.board().iter().flatten().map(|&n| u32::from(n)).sum::<u32>(), u32::from(SEEDS));
    }

    #[test]
    fn the_hash_does_not_depend_on_who_is_who(state in any_state()) {
        let [first, second] = state.board();
        let swapped = State::new(state.turn().other(), [second, first]).unwrap();
        prop_assert_eq!(Kalah.hash(&state), Kalah.hash(&swapped));
    }
}

#[test]
fn ranks_have_no_gaps_and_fewer_seeds_come_first() {
    let ranking: endgame::Ranking<8> = endgame::Ranking::new();
    let mut before = 0;
    for rank in 0..ranking.positions(6).unwrap() {
        let position = ranking.position(rank).unwrap();
        assert_eq!(ranking.rank(&position), rank);
        let seeds = SEEDS - position.store(Player::J1) - position.store(Player::J2);
        assert!(seeds == before || seeds == before + 1);
        before = seeds;
        assert!(State::new(position.turn(), position.board()).is_ok());
    }
    assert_eq!(before, 6);
    assert_eq!(endgame::Ranking::<16>::new().positions(8), Some(125_970));
    assert_eq!(ranking.positions(7), None);
}

/// The value of a position by every line to the end of the game, whatever the game knows by heart. Positions that are
/// reached in several ways are played on once: there are ten seeds with which all lines take minutes.
pub(crate) fn to_the_end(state: &State) -> i32 {
    fn below(state: &State, seen: &mut BTreeMap<heapless::Vec<u8, STATE_BYTES>, i32>) -> i32 {
        if let Some(value) = Kalah.terminal(state) {
            return value;
        }
        if let Some(&value) = seen.get(&state.encode()) {
            return value;
        }
        let values = state.legal().map(|pit| {
            let child = state.play(pit);
            let value = below(&child, seen);
            if child.turn() == state.turn() { value } else { -value }
        });
        let value = values.max().unwrap();
        seen.insert(state.encode(), value);
        value
    }
    below(state, &mut BTreeMap::new())
}

/// One position in a hundred or so, all lines.
#[test]
fn the_endgame_table_is_what_playing_to_the_end_gives() {
    let ranking: endgame::Ranking<16> = endgame::Ranking::new();
    let all = ranking.positions(endgame::TABLE_SEEDS).unwrap();
    assert_eq!(all as usize, endgame::TABLE_POSITIONS);
    for rank in (0..all).step_by(113) {
        let position = ranking.position(rank).unwrap();
        if position.pits().iter().all(|&pits| pits != 0) {
            assert_eq!(Kalah.known(&position), Some(to_the_end(&position)), "{position:?}");
        }
    }
    assert_eq!(Kalah.known(&State::start()), None);
}
