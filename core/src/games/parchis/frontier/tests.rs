use std::boxed::Box;
use std::vec::Vec;

use proptest::prelude::*;

use super::super::tests::any_position;
use super::*;
use crate::games::parchis::rules::generate;
use crate::search::Progress;
use crate::search::alphabeta::{AlphaBeta, Moves};
use crate::search::table::Table;

/// The plain way: every leaf is made and evaluated.
fn plain(game: Parchis<'_>, state: &State, mv: Move) -> (Value, bool) {
    let child = state.play(mv);
    let terminal = game.terminal(&child);
    let value = terminal.unwrap_or_else(|| game.evaluate(&child));
    (if child.turn() == state.turn() { value } else { -value }, terminal.is_some())
}

fn actions(state: &State) -> Vec<Move> {
    let mut list = Vec::new();
    generate::<true>(state, Order::NormalFirst, |mv| {
        list.push(mv);
        false
    });
    list
}

/// The game with the plain way in the place of the quick one.
struct Plain(Parchis<'static>);

impl Game for Plain {
    type State = State;
    type Move = Move;
    type Cursor = ();

    const BLANK_STATE: State = Parchis::BLANK_STATE;
    const BLANK_MOVE: Move = Parchis::BLANK_MOVE;
    const BLANK_CURSOR: () = ();
    const ASPIRATION: Value = Parchis::ASPIRATION;

    fn side(&self, state: &State) -> u8 {
        self.0.side(state)
    }

    fn moves(&self, state: &State, list: &mut Moves<'_, Move>) {
        self.0.moves(state, list);
    }

    fn make(&self, state: &State, mv: Move) -> State {
        state.play(mv)
    }

    fn terminal(&self, state: &State) -> Option<Value> {
        self.0.terminal(state)
    }

    fn evaluate(&self, state: &State) -> Value {
        self.0.evaluate(state)
    }

    fn hash(&self, state: &State) -> u64 {
        self.0.hash(state)
    }

    fn recall(&self, state: &State, place: u8) -> Option<Move> {
        self.0.recall(state, place)
    }

    fn frontier(&self, state: &State, (_, beta): (Value, Value), _list: &mut Moves<'_, Move>) -> Frontier {
        let mut found = Frontier::NOTHING;
        for mv in actions(state) {
            let (value, over) = plain(self.0, state, mv);
            if found.add(value, over, beta) {
                break;
            }
        }
        found
    }
}

/// The best action and its value, the table left out.
fn search<G: Game<State = State, Move = Move>>(game: &G, state: State, depth: u8) -> (Option<Move>, Value, u8) {
    let mut table = Table::new(&mut []);
    let mut search = Box::<AlphaBeta<G, 8, 336>>::default();
    assert!(search.begin(game, state, depth, &mut table));
    while search.step(game, &mut table, 1_000) == Progress::Pending {}
    (search.best_move(), search.report().value, search.report().depth)
}

#[test]
fn the_search_decides_as_with_leaves_that_are_made() {
    let mut random = 1_u32;
    let mut state = State::start();
    for round in 0..300 {
        assert_eq!(
            search(&Parchis::new(), state, 3),
            search(&Plain(Parchis::new()), state, 3),
            "round {round}: {state:?}"
        );
        for _ in 0..7 {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let legal = state.legal();
            state = state.play(legal[(random >> 8) as usize % legal.len()]);
            if state.is_over() {
                state = State::start();
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Exact inside the window, and on the right side of it, between the true value and the window, outside.
    #[test]
    fn a_leaf_is_worth_what_it_is_when_made(state in any_position(), windows: [(i16, u8); 42]) {
        let game = Parchis::new();
        let tables = Tables::new(&super::super::WEIGHTS);
        let mut quiet = Quiet::of(&tables, &state, &Scene::of(&state));
        let exact: Vec<_> = actions(&state).into_iter().map(|mv| (mv, plain(game, &state, mv))).collect();
        for (&(mv, (exact, over)), (offset, width)) in exact.iter().zip(windows) {
            let best = exact + Value::from(offset % 256);
            let beta = best + 1 + Value::from(width);
            let (found, found_over) = value(game, &mut quiet, &state, mv, best, beta);
            prop_assert_eq!(found_over, over);
            if exact <= best {
                prop_assert!((exact..=best).contains(&found), "{:?}: {} for {} up to {}", mv, found, exact, best);
            } else if exact >= beta {
                prop_assert!((beta..=exact).contains(&found), "{:?}: {} for {} from {}", mv, found, exact, beta);
            } else {
                prop_assert_eq!(found, exact, "{:?}", mv);
            }
        }
    }
}
