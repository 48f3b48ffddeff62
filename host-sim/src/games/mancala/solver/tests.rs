use super::*;
use crate::games::mancala::random_position;
use crate::random::Random;

fn small() -> Solver {
    Solver::new(Size { seeds: 6, megabytes: 32, jobs: 2 })
}

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
