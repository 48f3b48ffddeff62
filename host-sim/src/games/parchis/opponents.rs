//! Who may sit on the other side.

use std::str::FromStr;

use anyhow::{Error, bail};
use rival_core::games::parchis::{Move, Parchis, Piece, Place, Player, State, Tables};
use rival_core::search::Progress;
use rival_core::search::alphabeta::{AlphaBeta, Report};
use rival_core::search::table::Table;

use super::reference::{search, test_heuristic};

/// Small, fast and the same everywhere: splitmix64.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A sequence that depends on the seed alone.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    /// A number below `end`, which is not 0.
    pub const fn below(&mut self, end: usize) -> usize {
        ((self.next() >> 32) * end as u64 >> 32) as usize
    }

    /// One of the legal actions.
    pub fn action(&mut self, state: &State) -> Option<Move> {
        let legal = state.legal();
        if legal.is_empty() { None } else { legal.get(self.below(legal.len())).copied() }
    }
}

/// An opponent that needs no board.
#[derive(Clone, Debug)]
pub enum Opponent {
    /// Any legal action.
    Random(Random),
    /// The action after which the own pieces are furthest ahead of the others.
    Greedy,
    /// The search and the evaluation that come with the exercise.
    TestHeuristic {
        /// Actions that it looks ahead.
        depth: u8,
    },
}

/// How deep the exercise's opponent looks unless told otherwise.
pub const TEST_DEPTH: u8 = 6;

impl FromStr for Opponent {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let (name, argument) = text.split_once(':').map_or((text, None), |(name, argument)| (name, Some(argument)));
        Ok(match (name, argument) {
            ("random", None) => Self::Random(Random::new(0)),
            ("greedy", None) => Self::Greedy,
            ("test-heuristic", None) => Self::TestHeuristic { depth: TEST_DEPTH },
            ("test-heuristic", Some(depth)) => match depth.parse() {
                Ok(depth @ 1..=10) => Self::TestHeuristic { depth },
                _ => bail!("{depth:?} is not a depth: write test-heuristic:1 to test-heuristic:10"),
            },
            _ => bail!("there is no opponent {text:?} for parchis: choose random, greedy or test-heuristic:<depth>"),
        })
    }
}

impl Opponent {
    /// Starts a game: random opponents play another one for every seed.
    pub fn seat(&mut self, seed: u64) {
        if let Self::Random(random) = self {
            *random = Random::new(seed);
        }
    }

    /// What it plays. `None` if the game is over.
    pub fn choose(&mut self, state: &State) -> Option<Move> {
        match self {
            Self::Random(random) => random.action(state),
            Self::Greedy => greedy(state),
            Self::TestHeuristic { depth } => search(state, *depth, &test_heuristic).0,
        }
    }
}

/// Steps that the player's pieces have left, against the opponent's.
fn advantage(state: &State, player: Player) -> i32 {
    let steps = |piece: Piece| {
        let left = match state.place(piece) {
            // Worse than the original program's 74: a five is needed as well.
            Place::Home => 80,
            Place::Goal => -10,
            _ => i32::from(state.distance_to_goal(piece)),
        };
        if piece.colour().owner() == player { -left } else { left }
    };
    Piece::all().map(steps).sum()
}

fn greedy(state: &State) -> Option<Move> {
    let player = state.turn();
    let worth = |&mv: &Move| {
        let after = state.play(mv);
        let extra = if after.turn() == player { 5 } else { 0 };
        match after.winner() {
            Some(winner) if winner == player => i32::MAX,
            _ => advantage(&after, player) + extra,
        }
    };
    // The first of equals, as in the original order.
    state.legal().into_iter().rev().max_by_key(worth)
}

/// The agent's search on the desktop, with any weights.
pub struct Searcher<'a> {
    game: Parchis<'a>,
    search: Box<AlphaBeta<Parchis<'a>, 24, 504>>,
    words: Vec<u64>,
}

impl<'a> Searcher<'a> {
    /// A search with these weights and the agent's table size.
    pub fn new(tables: &'a Tables) -> Self {
        Self { game: Parchis::with(tables), search: Box::new(AlphaBeta::new()), words: vec![0; 8192] }
    }

    /// The best action within so many nodes.
    pub fn choose(&mut self, state: &State, nodes: u32) -> (Option<Move>, Report) {
        let mut table = Table::new(&mut self.words);
        if !self.search.begin(&self.game, *state, u8::MAX, &mut table) {
            return (None, Report::default());
        }
        let progress = self.search.step(&self.game, &mut table, nodes);
        debug_assert!(progress == Progress::Done || self.search.report().nodes >= nodes);
        (self.search.best_move(), self.search.report())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opponents_are_known_by_name_and_errors_say_which_there_are() {
        assert!(matches!("test-heuristic".parse(), Ok(Opponent::TestHeuristic { depth: 6 })));
        assert!(matches!("test-heuristic:3".parse(), Ok(Opponent::TestHeuristic { depth: 3 })));
        assert!("greedy".parse::<Opponent>().is_ok() && "random".parse::<Opponent>().is_ok());
        let error = "ninja".parse::<Opponent>().unwrap_err().to_string();
        assert!(error.contains("test-heuristic:<depth>"), "{error}");
        assert!("test-heuristic:0".parse::<Opponent>().is_err());
    }

    #[test]
    fn every_opponent_plays_whole_games_by_the_rules() {
        for (seat, name) in ["random", "greedy", "test-heuristic:2"].into_iter().enumerate() {
            let mut players = [name.parse::<Opponent>().unwrap(), "random".parse::<Opponent>().unwrap()];
            players[0].seat(seat as u64);
            players[1].seat(7);
            let mut state = State::start();
            for _ in 0..2_000 {
                let Some(mv) = players[state.turn() as usize].choose(&state) else { break };
                assert!(state.legal().contains(&mv));
                state = state.play(mv);
            }
            assert!(state.is_over(), "{name} did not finish");
        }
    }
}
