//! Who may sit on the other side.

use anyhow::{Result, anyhow, bail};
use rival_core::games::parchis::{Move, Parchis as Game, Piece, Place, Player as Side, State, Tables};
use rival_core::search::alphabeta::{AlphaBeta, Report};
use rival_core::search::table::Table;

use super::Parchis;
use super::reference::{search, test_heuristic};
use crate::client::Answer;
use crate::duel::Player;
use crate::random::Random;

/// How they are written, and what they do.
pub const NAMES: &[(&str, &str)] = &[
    ("random", "any legal action"),
    ("greedy", "the action after which its pieces are furthest ahead"),
    (
        "test-heuristic:<depth>",
        "the exercise's alpha-beta and evaluation: safe squares and pieces in the goal; depth 6 unless given",
    ),
];

/// Makes one of them.
pub fn by_name(name: &str, seed: u64) -> Result<Box<dyn Player<Parchis>>> {
    Ok(Box::new(Opponent::parse(name, seed)?))
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

impl Opponent {
    /// By its name.
    pub fn parse(text: &str, seed: u64) -> Result<Self> {
        let (name, argument) = text.split_once(':').map_or((text, None), |(name, argument)| (name, Some(argument)));
        Ok(match (name, argument) {
            ("random", None) => Self::Random(Random::new(seed)),
            ("greedy", None) => Self::Greedy,
            ("test-heuristic", None) => Self::TestHeuristic { depth: TEST_DEPTH },
            ("test-heuristic", Some(depth)) => match depth.parse() {
                Ok(depth @ 1..=10) => Self::TestHeuristic { depth },
                _ => bail!("test-heuristic needs a depth from 1 to 10, such as test-heuristic:6"),
            },
            _ => {
                let names: Vec<_> = NAMES.iter().map(|(name, _)| *name).collect();
                bail!("nobody is called \"{text}\"; there are: agent, {}", names.join(", "))
            }
        })
    }

    /// What it plays. `None` if the game is over.
    pub fn choose(&mut self, state: &State) -> Option<Move> {
        match self {
            Self::Random(random) => random.pick(&state.legal()).copied(),
            Self::Greedy => greedy(state),
            Self::TestHeuristic { depth } => search(state, *depth, &test_heuristic).0,
        }
    }
}

impl Player<Parchis> for Opponent {
    fn choose(&mut self, state: &State) -> Result<(Move, Option<Answer>)> {
        let chosen = Self::choose(self, state);
        chosen.map(|mv| (mv, None)).ok_or_else(|| anyhow!("there is nothing to choose: the game is over"))
    }
}

/// Steps that the player's pieces have left, against the opponent's.
fn advantage(state: &State, player: Side) -> i32 {
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
    game: Game<'a>,
    search: Box<AlphaBeta<Game<'a>, 24, 504>>,
    words: Vec<u64>,
}

impl<'a> Searcher<'a> {
    /// A search with these weights and the agent's table size.
    pub fn new(tables: &'a Tables) -> Self {
        Self { game: Game::with(tables), search: Box::new(AlphaBeta::new()), words: vec![0; 8192] }
    }

    /// The best action within so many nodes.
    pub fn choose(&mut self, state: &State, nodes: u32) -> (Option<Move>, Report) {
        let mut table = Table::new(&mut self.words);
        if !self.search.begin(&self.game, *state, u8::MAX, &mut table) {
            return (None, Report::default());
        }
        self.search.step(&self.game, &mut table, nodes);
        (self.search.best_move(), self.search.report())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opponents_are_known_by_name_and_errors_say_which_there_are() {
        assert!(matches!(Opponent::parse("test-heuristic", 0), Ok(Opponent::TestHeuristic { depth: 6 })));
        assert!(matches!(Opponent::parse("test-heuristic:3", 0), Ok(Opponent::TestHeuristic { depth: 3 })));
        assert!(by_name("greedy", 0).is_ok() && by_name("random", 0).is_ok());
        let error = Opponent::parse("ninja", 0).unwrap_err().to_string();
        assert!(error.contains("test-heuristic:<depth>"), "{error}");
        assert!(by_name("test-heuristic:0", 0).is_err());
    }

    #[test]
    fn every_opponent_plays_whole_games_by_the_rules() {
        for name in ["random", "greedy", "test-heuristic:2"] {
            let mut players = [Opponent::parse(name, 3).unwrap(), Opponent::parse("random", 7).unwrap()];
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
