use proptest::prelude::*;

use super::super::tests::any_position;
use super::*;

fn pieces(owner: usize) -> impl Iterator<Item = usize> {
    (0..PIECES).filter(move |&at| OWNER[at] == owner)
}

fn way(state: &State, at: usize) -> u8 {
    progress(at as u8 / 3, state.cells[at])
}

fn condition(state: &State, at: usize) -> Condition {
    Condition::of(state.modes[at])
}

/// Squares from one piece forward to another, if both are on the ring.
fn steps(state: &State, from: usize, to: usize) -> Option<u8> {
    let [from, to] = [state.cells[from], state.cells[to]];
    (is_ring(from) && is_ring(to)).then(|| (to + RING - from) % RING)
}

/// Pair by pair: whether a normal die of its owner brings the hunter to the victim.
fn hunts(state: &State, hunter: usize, victim: usize) -> bool {
    let first = hunter / 3 * 3;
    let all_out = (first..first + 3).all(|at| state.cells[at] != HOME);
    let dice = [1, 2, 4, 5, if all_out { 7 } else { 6 }];
    let held = state.dice[OWNER[hunter]].normal;
    let comes = |steps: u8| (0..5).any(|die| held >> die & 1 != 0 && dice[die] == steps);
    condition(state, hunter) == Condition::Normal
        && steps(state, hunter, victim).is_some_and(|steps| comes(steps) && way(state, hunter) + steps <= ENTRY)
}

fn exposed(state: &State, owner: usize) -> i32 {
    pieces(owner)
        .filter(|&victim| is_open(state.cells[victim]))
        .filter(|&victim| !matches!(condition(state, victim), Condition::Boo | Condition::Star | Condition::Mega))
        .filter(|&victim| pieces(1 - owner).any(|hunter| hunts(state, hunter, victim)))
        .map(|victim| i32::from(way(state, victim)))
        .sum()
}

/// The most that the nearest piece ahead of a shooter is worth, the first of those on a square.
fn red_shell(state: &State, owner: usize) -> i32 {
    let hit = |shooter: usize| {
        let colour = shooter as u8 / 3;
        let ahead = |at: usize| progress(colour, state.cells[at]);
        let target = (0..PIECES)
            .filter(|&at| at / 3 != shooter / 3 && is_ring(state.cells[at]))
            .filter(|&at| condition(state, at) != Condition::Boo && ahead(at) > way(state, shooter))
            .min_by_key(|&at| ahead(at))?;
        let falls = !matches!(condition(state, target), Condition::Star | Condition::Mega);
        (falls && OWNER[target] == owner).then(|| i32::from(way(state, target)))
    };
    pieces(1 - owner).filter_map(hit).max().unwrap_or(0)
}

fn horn(state: &State, owner: usize) -> i32 {
    let blown = |from: usize| {
        pieces(owner)
            .filter(|&at| steps(state, from, at).is_some_and(|steps| steps <= HORN || steps >= RING - HORN))
            .filter(|&at| !matches!(condition(state, at), Condition::Boo | Condition::Star | Condition::Mega))
            .map(|at| i32::from(way(state, at)))
            .sum()
    };
    pieces(1 - owner).map(blown).max().unwrap_or(0)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn threats_are_those_found_pair_by_pair(state in any_position()) {
        let field = Field::of(&state);
        for owner in [0, 1] {
            prop_assert_eq!(field.exposed(&state, owner), exposed(&state, owner));
            prop_assert_eq!(field.aimed(&state, owner, Special::RedShell), red_shell(&state, owner));
            prop_assert_eq!(field.aimed(&state, owner, Special::Horn), horn(&state, owner));
        }
    }
}
