//! Who else plays Mancala.

use std::collections::HashMap;

use anyhow::{Result, bail};
use rival_core::games::mancala::{Pit, Player as Side, State};

use super::Mancala;
use crate::client::Answer;
use crate::duel::Player;
use crate::random::Random;

/// How they are written, and what they do.
pub const NAMES: &[(&str, &str)] = &[
    ("random", "any legal pit"),
    ("greedy", "the pit that brings most seeds home at once, an extra turn among equals"),
    ("minimax:<depth>", "alpha-beta on the difference of the stores, to a fixed depth"),
    ("stray:<percent>:<name>", "another opponent, but any legal pit in so many of a hundred moves"),
    ("stark", "the source document's agent: alpha-beta to depth 10 with a heuristic of points"),
];

/// Makes one of them.
pub fn by_name(name: &str, seed: u64) -> Result<Box<dyn Player<Mancala>>> {
    let (kind, depth) = name.split_once(':').unwrap_or((name, ""));
    if kind == "stray" {
        let percent = depth.split_once(':').and_then(|(percent, of)| Some((percent.parse().ok()?, of)));
        let Some((percent @ 0..=100, of)) = percent else {
            bail!("write stray:<percent>:<name>, such as stray:20:stark")
        };
        let player = by_name(of, seed)?;
        return Ok(Box::new(Stray { player, percent, random: Random::new(seed ^ 0x5742_4159) }));
    }
    match (kind, depth.parse()) {
        ("random", _) => Ok(Box::new(Opponent { kind: Kind::Random(Random::new(seed)) })),
        ("greedy", _) => Ok(Box::new(Opponent { kind: Kind::Greedy })),
        ("minimax", Ok(depth @ 1..=20)) => Ok(Box::new(Opponent { kind: Kind::Minimax(Box::new(Stores::new(depth))) })),
        ("minimax", _) => bail!("minimax needs a depth from 1 to 20, such as minimax:6"),
        ("stark", _) => Ok(Box::new(Opponent { kind: Kind::Stark })),
        _ => {
            let names: Vec<_> = NAMES.iter().map(|(name, _)| *name).collect();
            bail!("nobody is called \"{name}\"; there are: agent, {}", names.join(", "))
        }
    }
}

struct Opponent {
    kind: Kind,
}

/// Somebody who does not always do what he would.
struct Stray {
    player: Box<dyn Player<Mancala>>,
    percent: usize,
    random: Random,
}

impl Player<Mancala> for Stray {
    fn choose(&mut self, state: &State) -> Result<(Pit, Option<Answer>)> {
        if self.random.below(100) >= self.percent {
            return self.player.choose(state);
        }
        let legal: Vec<Pit> = state.legal().collect();
        let pit = self.random.pick(&legal).copied();
        pit.map(|pit| (pit, None)).ok_or_else(|| anyhow::anyhow!("there is no move: the game is over"))
    }
}

enum Kind {
    Random(Random),
    Greedy,
    Minimax(Box<Stores>),
    Stark,
}

impl Player<Mancala> for Opponent {
    fn choose(&mut self, state: &State) -> Result<(Pit, Option<Answer>)> {
        let legal: Vec<Pit> = state.legal().collect();
        let chosen = match &mut self.kind {
            Kind::Random(random) => random.pick(&legal).copied(),
            Kind::Greedy => legal.iter().copied().max_by_key(|&pit| greed(state, pit)),
            Kind::Minimax(stores) => stores.choose(state),
            Kind::Stark => best(state, STARK_DEPTH, &stark_points),
        };
        chosen.map(|pit| (pit, None)).ok_or_else(|| anyhow::anyhow!("there is no move: the game is over"))
    }
}

fn greed(state: &State, pit: Pit) -> (u8, bool) {
    let after = state.play(pit);
    (after.store(state.turn()) - state.store(state.turn()), after.turn() == state.turn())
}

/// The best pit by depth-limited alpha-beta, in the order 1 to 6; the first of equals.
fn best(state: &State, depth: u8, value: &dyn Fn(&State, Side) -> i32) -> Option<Pit> {
    let side = state.turn();
    let mut best = None;
    let mut alpha = -i32::MAX;
    for pit in state.legal() {
        let worth = alphabeta(&state.play(pit), depth - 1, alpha, i32::MAX, side, value);
        if best.is_none() || worth > alpha {
            best = Some(pit);
            alpha = worth;
        }
    }
    best
}

/// The worth of a state for `side`: the plain recursion of the textbooks.
fn alphabeta(
    state: &State,
    depth: u8,
    mut alpha: i32,
    mut beta: i32,
    side: Side,
    value: &dyn Fn(&State, Side) -> i32,
) -> i32 {
    if depth == 0 || state.is_over() {
        return value(state, side);
    }
    let maximising = state.turn() == side;
    for pit in state.legal() {
        let worth = alphabeta(&state.play(pit), depth - 1, alpha, beta, side, value);
        if maximising {
            alpha = alpha.max(worth);
        } else {
            beta = beta.min(worth);
        }
        if alpha >= beta {
            break;
        }
    }
    if maximising { alpha } else { beta }
}

/// Alpha-beta on the difference of the stores. What it chose is kept for the next game, and what positions were worth
/// for as long as one choice takes: so that a depth of 14 can play a thousand games.
struct Stores {
    depth: u8,
    chosen: HashMap<State, Pit>,
    /// Least and most that a position is worth, so many plies deep, to the player to move.
    worth: HashMap<(State, u8), (i8, i8)>,
}

/// Positions with fewer plies left are quicker to search than to look up.
const KEPT_PLIES: u8 = 4;
/// More than any margin.
const BEYOND: i8 = 49;

impl Stores {
    fn new(depth: u8) -> Self {
        Self { depth, chosen: HashMap::new(), worth: HashMap::new() }
    }

    /// The best pit; the first of equals, as if all were looked at in the order 1 to 6.
    fn choose(&mut self, state: &State) -> Option<Pit> {
        if let Some(&pit) = self.chosen.get(state) {
            return Some(pit);
        }
        self.worth.clear();
        let mut best = None;
        let mut alpha = -BEYOND;
        for pit in state.legal() {
            let worth = self.worth_of(state, pit, self.depth - 1, (alpha, BEYOND));
            if worth > alpha {
                best = Some(pit);
                alpha = worth;
            }
        }
        self.chosen.extend(best.map(|pit| (*state, pit)));
        best
    }

    /// What a pit is worth to whoever plays it.
    fn worth_of(&mut self, state: &State, pit: Pit, depth: u8, (alpha, beta): (i8, i8)) -> i8 {
        let child = state.play(pit);
        if child.turn() == state.turn() {
            self.search(&child, depth, (alpha, beta))
        } else {
            -self.search(&child, depth, (-beta, -alpha))
        }
    }

    /// The worth of a state for the player to move: exact inside the window, a bound outside.
    fn search(&mut self, state: &State, depth: u8, (mut alpha, beta): (i8, i8)) -> i8 {
        if depth == 0 || state.is_over() {
            return if state.turn() == Side::J1 { state.margin() } else { -state.margin() };
        }
        let (mut least, mut most) = (-BEYOND, BEYOND);
        if depth >= KEPT_PLIES {
            (least, most) = self.worth.get(&(*state, depth)).copied().unwrap_or((least, most));
            if least >= beta || least == most {
                return least;
            }
            if most <= alpha {
                return most;
            }
        }
        let floor = alpha;
        let mut best = -BEYOND;
        let gives_a_turn = |pit: &Pit| state.seeds(state.turn(), *pit) == pit.number();
        let others = state.legal().filter(|pit| !gives_a_turn(pit));
        for pit in state.legal().filter(gives_a_turn).chain(others) {
            best = best.max(self.worth_of(state, pit, depth - 1, (alpha, beta)));
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        if depth >= KEPT_PLIES {
            if best > floor {
                least = least.max(best);
            }
            if best < beta {
                most = most.min(best);
            }
            self.worth.insert((*state, depth), (least, most));
        }
        best
    }
}

const STARK_DEPTH: u8 = 10;

/// The source document's points for a state, from one player's view.
///
/// It adds up what each of the player's own moves would do there: +10 for one that gives an extra turn; for one that
/// goes all the way round, +2 if it ends in an empty own pit, +2 if it gives an extra turn, −1 otherwise; for any other,
/// +2 if it takes an extra turn away from the opponent and −1 if it gives him one.
///
/// The document leaves open whose moves count, where the sum starts and what a finished game is worth. Here the moves
/// are those of the player who searches, whoever is to move; the sum starts at zero; a finished game, which has no moves,
/// is worth zero, since the document asks the heuristic there as well. The stores are not looked at: the document does
/// not either, and `minimax:10` is the opponent that does. "Taking away" means that the opponent has fewer moves that
/// give an extra turn after the move than before it, "giving" that he has more.
pub fn stark_points(state: &State, side: Side) -> i32 {
    let other = side.other();
    let mut points = 0;
    for pit in Pit::ALL {
        let seeds = state.seeds(side, pit);
        if seeds == 0 {
            continue;
        }
        // Places from the pit to the store; a lap passes thirteen.
        let home = pit.number();
        let lap = seeds >= 13;
        if seeds == home {
            points += 10;
        } else if lap {
            let last = (i32::from(home) - i32::from(seeds)).rem_euclid(13);
            let ends_in = Pit::new(last as u8);
            let empty = ends_in.is_some_and(|end| end == pit || state.seeds(side, end) == 0);
            points += if empty || last == 0 { 2 } else { -1 };
        } else {
            let before = extra_turns(state, other, [0; 7]);
            let mut sown = [0; 7];
            // What is left after the own pits and the store falls into the opponent's pits 6, 5, …
            let beyond = seeds.saturating_sub(home);
            for number in (7 - beyond.min(6)).max(1)..=6 {
                sown[usize::from(number)] = 1;
            }
            let after = extra_turns(state, other, sown);
            points += 2 * i32::from(after < before) - i32::from(after > before);
        }
    }
    points
}

/// Moves of `side` that end in its store, with some seeds added to its pits.
fn extra_turns(state: &State, side: Side, added: [u8; 7]) -> usize {
    Pit::ALL
        .into_iter()
        .filter(|&pit| state.seeds(side, pit) + added[usize::from(pit.number())] == pit.number())
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(board: [[u8; 7]; 2]) -> State {
        State::new(Side::J1, board).unwrap()
    }

    #[test]
    fn greedy_takes_the_largest_capture() {
        let mut greedy = by_name("greedy", 0).unwrap();
        let position = state([[20, 0, 1, 0, 0, 0, 3], [14, 2, 1, 1, 1, 1, 4]]);
        assert_eq!(greedy.choose(&position).unwrap().0, Pit::new(2).unwrap());
    }

    #[test]
    fn stark_counts_ten_for_an_extra_turn() {
        let quiet = state([[20, 0, 0, 0, 0, 0, 1], [20, 0, 0, 0, 0, 6, 1]]);
        let ready = state([[20, 1, 0, 0, 0, 0, 0], [20, 0, 0, 0, 0, 6, 1]]);
        assert_eq!(stark_points(&ready, Side::J1) - stark_points(&quiet, Side::J1), 10);
    }

    #[test]
    fn stark_counts_a_lap_by_where_it_ends() {
        // Thirteen seeds end in their own, emptied pit; fourteen one further.
        let same = state([[10, 0, 0, 0, 13, 0, 0], [24, 0, 0, 0, 0, 0, 1]]);
        assert_eq!(stark_points(&same, Side::J1), 2);
        let next = state([[10, 0, 0, 1, 14, 0, 0], [22, 0, 0, 0, 0, 0, 1]]);
        let lap_only = stark_points(&next, Side::J1)
            - stark_points(&state([[10, 0, 0, 1, 0, 0, 14], [22, 0, 0, 0, 0, 0, 1]]), Side::J1);
        assert_eq!(lap_only, -1 - 2, "a lap into a full pit against one from pit 6 into the empty pit 5");
    }

    #[test]
    fn wrong_names_are_explained() {
        for name in ["", "nobody", "minimax", "minimax:0", "minimax:x"] {
            assert!(by_name(name, 0).is_err(), "{name}");
        }
    }

    /// Order and memory change how long it takes, never what is chosen: the first of the best, by the plain recursion.
    #[test]
    fn minimax_chooses_as_the_plain_recursion_does() {
        let margin = |state: &State, side: Side| {
            let margin = i32::from(state.margin());
            if side == Side::J1 { margin } else { -margin }
        };
        let mut random = Random::new(14);
        for number in 0..120 {
            let position = super::super::random_position(&mut random, number % 40);
            for depth in [1, 3, 6, 9] {
                let mut stores = Stores::new(depth);
                let chosen = stores.choose(&position);
                assert_eq!(chosen, best(&position, depth, &margin), "{position:?}, depth {depth}");
                assert_eq!(stores.choose(&position), chosen, "from memory");
            }
        }
    }

    #[test]
    fn a_deeper_minimax_sees_what_a_shallow_one_does_not() {
        // Plain exhaustive values as a check of the pruning.
        fn exhaustive(state: &State, depth: u8, side: Side) -> i32 {
            if depth == 0 || state.is_over() {
                let margin = i32::from(state.margin());
                return if side == Side::J1 { margin } else { -margin };
            }
            let values = state.legal().map(|pit| exhaustive(&state.play(pit), depth - 1, side));
            if state.turn() == side { values.max().unwrap() } else { values.min().unwrap() }
        }
        let margin = |state: &State, side: Side| {
            let margin = i32::from(state.margin());
            if side == Side::J1 { margin } else { -margin }
        };
        for depth in 1..6 {
            let start = State::start();
            let pruned = alphabeta(&start, depth, -i32::MAX, i32::MAX, Side::J1, &margin);
            assert_eq!(pruned, exhaustive(&start, depth, Side::J1));
        }
    }
}
