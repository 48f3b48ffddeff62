use std::vec;

use proptest::prelude::*;

use super::*;
use crate::games::mancala::tests::to_the_end;
use crate::games::mancala::{Kalah, Pit, Player, SEED, State};
use crate::games::parchis::{self, Parchis};

type Search = AlphaBeta<Kalah, 62, 6>;

fn search(state: State, depth: u8, words: usize) -> (Pit, Report) {
    let mut memory = vec![0; words];
    let mut table = Table::new(&mut memory);
    let mut search = std::boxed::Box::new(Search::new());
    assert!(search.begin(&Kalah, state, depth, &mut table));
    while search.step(&Kalah, &mut table, 1_000) == Progress::Pending {}
    (search.best_move().unwrap(), search.report())
}

/// The plain definition, for comparison: values for the side to move, no pruning at all. What the game knows by heart it
/// says for every position that would be searched further.
fn minimax(state: &State, depth: u8) -> Value {
    if let Some(value) = Kalah.terminal(state) {
        return value;
    }
    if depth == 0 {
        return Kalah.evaluate(state);
    }
    let values = state.legal().map(|pit| {
        let child = state.play(pit);
        let known = if depth > 1 && !child.is_over() { Kalah.known(&child) } else { None };
        let value = known.unwrap_or_else(|| minimax(&child, depth - 1));
        if child.turn() == state.turn() { value } else { -value }
    });
    values.max().unwrap()
}

/// A position some random moves after the start.
fn any_position() -> impl Strategy<Value = State> {
    proptest::collection::vec(any::<prop::sample::Index>(), 0..60).prop_map(|choices| {
        let mut state = State::start();
        for choice in choices {
            let legal: vec::Vec<Pit> = state.legal().collect();
            let next = state.play(legal[choice.index(legal.len())]);
            if next.is_over() {
                break;
            }
            state = next;
        }
        state
    })
}

proptest! {
    #![proptest_config(crate::cases(60))]

    /// Without a table the search is exactly minimax, at every depth.
    #[test]
    fn the_value_is_the_one_of_plain_minimax(state in any_position(), depth in 1..7_u8) {
        let (_, report) = search(state, depth, 0);
        if report.depth == depth {
            prop_assert_eq!(report.value, minimax(&state, depth));
        } else {
            prop_assert!(report.proven || state.legal().count() == 1);
        }
    }

    /// The game's quick way over the leaves finds what making every move finds.
    #[test]
    fn leaves_without_sowing_are_worth_the_same(places in proptest::collection::vec(0..14_usize, 48)) {
        let mut board = [[0; 7]; 2];
        for place in places {
            board[place % 2][place / 2 % 7] += 1;
        }
        prop_assume!(board.iter().all(|side| side[1..].iter().any(|&seeds| seeds > 0)));
        let state = State::new(Player::J1, board).unwrap();
        let mut plain = Frontier::NOTHING;
        for pit in state.legal() {
            let child = state.play(pit);
            let value = Kalah.terminal(&child).unwrap_or_else(|| Kalah.evaluate(&child));
            let value = if child.turn() == state.turn() { value } else { -value };
            plain.add(value, child.is_over(), INFINITE);
        }
        let mut list = Moves { free: &mut [], len: 0, full: false };
        prop_assert_eq!(Kalah.frontier(&state, (-INFINITE, INFINITE), &mut list), plain);
    }

    /// What the search calls proven is true: with few seeds left, plain minimax to the end says the same.
    #[test]
    fn a_proven_value_is_the_exact_result(places in proptest::collection::vec(0..12_usize, 1..9), turn: bool) {
        let mut board = [[20, 0, 0, 0, 0, 0, 0], [20, 0, 0, 0, 0, 0, 0]];
        for &place in &places {
            board[place / 6][1 + place % 6] += 1;
        }
        board[0][0] += 8 - places.len() as u8;
        let state = State::new(if turn { Player::J2 } else { Player::J1 }, board).unwrap();
        prop_assume!(state.legal().next().is_some() && state.play(state.legal().next().unwrap()).board() != board);
        let rows_live = board.iter().all(|side| side[1..].iter().any(|&seeds| seeds > 0));
        prop_assume!(rows_live);
        let (_, report) = search(state, u8::MAX, 4096);
        if report.proven {
            prop_assert_eq!(report.value, to_the_end(&state));
            prop_assert_eq!(report.value % SEED, 0);
        } else {
            prop_assert_eq!(state.legal().count(), 1);
        }
    }
}

proptest! {
    #![proptest_config(crate::cases(40))]

    /// A question is answered with what is true, whatever is asked, and the move of a yes does it.
    #[test]
    fn what_is_proven_holds(places in proptest::collection::vec(0..12_usize, 9..11), goal in -12..12_i32, nodes in 0..200_u32) {
        let mut board = [[19, 0, 0, 0, 0, 0, 0], [19, 0, 0, 0, 0, 0, 0]];
        for &place in &places {
            board[place / 6][1 + place % 6] += 1;
        }
        board[0][0] += 10 - places.len() as u8;
        prop_assume!(board.iter().all(|side| side[1..].iter().any(|&seeds| seeds > 0)));
        let state = State::new(Player::J1, board).unwrap();
        let mut memory = vec![0; 512];
        let mut table = Table::new(&mut memory);
        let mut search = std::boxed::Box::new(Search::new());
        prop_assert!(search.begin(&Kalah, state, u8::MAX, &mut table));
        if search.step(&Kalah, &mut table, nodes) == Progress::Done {
            return Ok(());
        }
        let goal = goal * SEED;
        search.prove(goal);
        while search.verdict().is_none() {
            prop_assert_eq!(search.step(&Kalah, &mut table, 7), Progress::Pending);
        }
        let exact = to_the_end(&state);
        match search.verdict() {
            Some(Verdict::AtLeast(value)) => {
                prop_assert!(goal <= value && value <= exact);
                let child = state.play(search.best_move().unwrap());
                let worth = to_the_end(&child);
                let worth = if child.turn() == state.turn() { worth } else { -worth };
                prop_assert!(value <= worth);
            }
            Some(Verdict::AtMost(value)) => prop_assert!(exact <= value && value < goal),
            other => prop_assert!(false, "{other:?}"),
        }
        // And the search goes on to the exact value as if nothing had been asked.
        while search.step(&Kalah, &mut table, 1_000) == Progress::Pending {}
        if search.report().proven {
            prop_assert_eq!(search.report().value, exact);
        }
    }
}

#[test]
fn a_question_can_be_given_up() {
    let mut memory = vec![0; 8192];
    let mut table = Table::new(&mut memory);
    let mut search = std::boxed::Box::new(Search::new());
    search.begin(&Kalah, State::start(), 9, &mut table);
    search.step(&Kalah, &mut table, 500);
    let before = search.best_move();
    search.prove(SEED);
    search.step(&Kalah, &mut table, 500);
    assert_eq!((search.verdict(), search.best_move()), (None, before));
    search.give_up();
    while search.step(&Kalah, &mut table, 1_000) == Progress::Pending {}
    assert_eq!(search.report().depth, 9);
}

#[test]
fn a_position_without_a_move_is_not_searched() {
    let mut table = Table::new(&mut []);
    let mut search = Search::new();
    let over = State::new(Player::J1, [[30, 0, 0, 0, 0, 0, 0], [18, 0, 0, 0, 0, 0, 0]]).unwrap();
    assert!(!search.begin(&Kalah, over, 5, &mut table));
    assert_eq!(search.step(&Kalah, &mut table, 10), Progress::Done);
    assert_eq!(search.best_move(), None);
}

#[test]
fn a_full_ply_stack_or_move_stack_only_makes_the_search_shallower() {
    let mut memory = vec![0; 64];
    let mut table = Table::new(&mut memory);
    let mut small: AlphaBeta<Kalah, 4, 6> = AlphaBeta::new();
    assert!(small.begin(&Kalah, State::start(), 20, &mut table));
    while small.step(&Kalah, &mut table, 1_000) == Progress::Pending {}
    assert_eq!(small.report().depth, 3);
    // A game that lists its moves may find the list full as well.
    let game = Parchis::new();
    let mut narrow: AlphaBeta<Parchis<'_>, 24, 20> = AlphaBeta::new();
    assert!(narrow.begin(&game, parchis::State::start(), 6, &mut table));
    while narrow.step(&game, &mut table, 1_000) == Progress::Pending {}
    assert!(narrow.report().bound_met > 0);
    assert!(narrow.report().moves_peak <= 20);
    assert!(narrow.best_move().is_some());
}

#[test]
fn the_first_cutoffs_are_most_of_all_cutoffs() {
    let (_, report) = search(State::start(), 12, 8192);
    assert!(report.first_cutoffs * 10 > report.cutoffs * 8, "{report:?}");
}

#[test]
fn the_line_of_best_play_can_be_played() {
    let mut memory = vec![0; 8192];
    let mut table = Table::new(&mut memory);
    let mut search = std::boxed::Box::new(Search::new());
    search.begin(&Kalah, State::start(), 9, &mut table);
    while search.step(&Kalah, &mut table, 1_000) == Progress::Pending {}
    let mut line = [Pit::ALL[0]; 16];
    let length = search.principal_variation(&Kalah, &table, &mut line);
    assert!(length >= 4);
    let mut state = State::start();
    for pit in &line[..length] {
        assert!(state.is_legal(*pit));
        state = state.play(*pit);
    }
}
