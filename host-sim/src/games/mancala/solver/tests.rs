use std::path::Path;

use rival_core::games::mancala::Player;

use super::*;
use crate::games::mancala::{book, from_json};
use crate::random::Random;

fn small(seeds: u8) -> Solver {
    Solver::new(Size { seeds, megabytes: 32, jobs: 2 })
}

const NOTHING_KNOWN: [Range; 6] = [(-48, 48); 6];

/// The plain definition: every line to its end.
fn brute_force(state: &State) -> i8 {
    if state.is_over() {
        return mover_margin(state);
    }
    let values = state.legal().map(|pit| {
        let child = state.play(pit);
        let value = brute_force(&child);
        if child.turn() == state.turn() { value } else { -value }
    });
    values.max().unwrap()
}

/// Boards of seven to nine seeds, beyond the solver's table.
#[test]
fn the_solver_agrees_with_brute_force_on_small_boards() {
    let solver = small(3);
    let mut random = Random::new(48);
    let mut compared = 0;
    while compared < 40 {
        let seeds = 7 + compared % 3;
        let mut board = [[19, 0, 0, 0, 0, 0, 0], [29 - seeds as u8, 0, 0, 0, 0, 0, 0]];
        for _ in 0..seeds {
            let place = random.below(12);
            board[place / 6][1 + place % 6] += 1;
        }
        if board.iter().any(|side| side[1..].iter().all(|&seeds| seeds == 0)) {
            continue;
        }
        let state = State::new(if random.below(2) == 0 { Player::J1 } else { Player::J2 }, board).unwrap();
        let exact = brute_force(&state);
        assert_eq!(solver.value(&state), Some(exact), "{state:?}");
        let values = solver.values(&state, NOTHING_KNOWN, &|_, _| {}).unwrap();
        assert_eq!(values.into_iter().flatten().max(), Some(exact));
        assert!(solver.pit_for(&state, exact + 2).is_none());
        let pit = solver.pit_for(&state, exact).unwrap();
        assert_eq!(values[usize::from(pit.number()) - 1], Some(exact));
        compared += 1;
    }
}

#[test]
fn the_endgame_table_agrees_with_brute_force() {
    let table = Endgame::new(7, 2);
    let ranking: rival_core::games::mancala::endgame::Ranking<8> = rival_core::games::mancala::endgame::Ranking::new();
    for rank in (0..ranking.positions(6).unwrap()).step_by(9) {
        let state = ranking.position(rank).unwrap();
        if state.pits().iter().all(|&pits| pits != 0) {
            let share = i32::from(table.share(&state).unwrap());
            let gain = i32::from(brute_force(&state)) - i32::from(mover_margin(&state));
            assert_eq!(2 * share - i32::from(state.in_play()), gain, "{state:?}");
        }
    }
    assert_eq!(table.share(&State::start()), None);
}

/// Recorded positions with their exact values; those with many seeds take minutes and are left to `rival solve`.
#[test]
fn the_solver_agrees_with_solved_positions() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/mancala/solved.jsonl.gz");
    let solver = small(10);
    let mut compared = 0;
    for line in crate::recording::lines(&file).unwrap() {
        let (_, record) = line.unwrap();
        if record["seeds_in_pits"].as_u64().unwrap() > 26 {
            continue;
        }
        let state = from_json(&record).unwrap();
        let values = solver.values(&state, NOTHING_KNOWN, &|_, _| {}).unwrap();
        for (pit, value) in Pit::ALL.into_iter().zip(values) {
            let recorded = record["move_values"].get(pit.number().to_string()).and_then(serde_json::Value::as_i64);
            assert_eq!(value.map(i64::from), recorded, "{state:?}, pit {pit}");
        }
        compared += 1;
    }
    assert!(compared > 100, "{compared}");
}

fn committed(name: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(book::FOLDER).join(name)).unwrap()
}

#[test]
fn the_endgame_file_is_what_the_command_makes() {
    let table = Endgame::new(rival_core::games::mancala::endgame::TABLE_SEEDS, 2);
    assert!(book::endgame_file(&table) == committed("endgame.bin"));
}
