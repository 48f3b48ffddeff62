//! The games at the table: what the desktop adds to the rules in `rival-core`.
//!
//! One folder a game, the same shape in each: referee, opponents, recordings, bot, and how it is shown.

use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use rival_core::games::GameId;
use rival_core::wire::Limits;

use crate::client::{Answer, Client};
use crate::duel::{MatchSettings, Report};
use crate::lab::{self, Suite};
use crate::link::LinkSpec;
use crate::recording::Conformance;

pub mod battletech;
pub mod belkan;
pub mod mancala;
pub mod parchis;
pub mod planet_wars;

/// A position to measure with.
#[derive(Clone, Debug)]
pub struct Position {
    /// What it is and where it comes from.
    pub name: String,
    /// Its bytes for the agent.
    pub state: Vec<u8>,
    /// What has to be loaded before.
    pub load: Option<Vec<u8>>,
}

/// How a game with a person is to be played.
#[derive(Clone, Debug)]
pub struct PlaySettings {
    /// The person's seat: 0 first, 1 second; `None` to watch.
    pub seat: Option<usize>,
    /// Who sits on the other side: `agent` or an opponent of the game.
    pub opponent: String,
    /// Where the agent is.
    pub link: LinkSpec,
    /// What a decision may cost.
    pub limits: Limits,
    /// Seed of everything left to chance.
    pub seed: u64,
    /// A map, for the games that have them.
    pub map: Option<String>,
    /// What only the game knows, as keys and values.
    pub options: Vec<(String, String)>,
}

/// A decision in words.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Words {
    /// The action.
    pub action: String,
    /// What the state is worth.
    pub value: String,
    /// The expected line of play, where there is one.
    pub line: String,
}

/// How weights are to be tuned.
#[derive(Clone, Copy, Debug)]
pub struct TuneSettings {
    /// Everything random follows from it.
    pub seed: u64,
    /// Games of self-play a round.
    pub games: u32,
    /// Nodes a decision.
    pub nodes: u32,
    /// Rounds of playing and learning.
    pub rounds: u32,
}

/// What stands for a parameter in an opponent's name, and what to put there when nobody says.
const PARAMETERS: &[(&str, &str)] =
    &[("<depth>", "3"), ("<percent>", "20"), ("<name>", "greedy"), ("<weight>=<value>,...", "stale=32")];

/// The parameters in an opponent's name, each with an example of it.
pub fn parameters(opponent: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    PARAMETERS.iter().copied().filter(move |(parameter, _)| opponent.contains(parameter))
}

/// An opponent's name with an example in the place of every parameter: one that can be played against.
///
/// ```
/// # use rival_sim::games::example;
/// assert_eq!(example("minimax:<depth>"), "minimax:3");
/// ```
pub fn example(opponent: &str) -> String {
    parameters(opponent).fold(opponent.to_owned(), |name, (parameter, value)| name.replace(parameter, value))
}

/// A game at the table.
pub trait Table: Sync {
    /// Which game.
    fn id(&self) -> GameId;
    /// A line about it.
    fn about(&self) -> &'static str;
    /// Its opponents besides `agent`: how they are written, and what they do. The last is who it is shown against.
    fn opponents(&self) -> &'static [(&'static str, &'static str)];
    /// The bytes of a state written by a person: `start`, or JSON as in the recordings.
    fn state(&self, text: &str) -> Result<Vec<u8>>;
    /// The bytes of a state on a map, and what has to be loaded before it, in pieces.
    fn state_on(&self, _text: &str, _map: &str) -> Result<(Vec<u8>, Vec<Vec<u8>>)> {
        bail!("{} takes no map here: the state says everything", self.id().name())
    }
    /// What has to be loaded before a state for which no map is named, in pieces.
    fn map_of(&self, _text: &str) -> Result<Vec<Vec<u8>>> {
        Ok(Vec::new())
    }
    /// A state drawn as text.
    fn draw(&self, state: &[u8]) -> String;
    /// A decision in words.
    fn words(&self, state: &[u8], answer: &Answer) -> Words;
    /// Fixed positions to measure with, each with its origin in its name.
    fn positions(&self) -> Vec<Position>;
    /// The positions of a suite.
    fn suite(&self, suite: Suite) -> Vec<Position> {
        let mut positions = self.positions();
        if suite == Suite::Full {
            positions.extend(lab::kept(self.id()));
        }
        positions
    }
    /// Whether its search goes deeper step by step, so that a depth can be asked for.
    fn deepens(&self) -> bool {
        matches!(self.id(), GameId::Mancala | GameId::Parchis)
    }
    /// What it weighs against each other, if it counts that in place of cut-offs.
    fn weighs(&self) -> Option<&'static str> {
        match self.id() {
            GameId::PlanetWars => Some("plans"),
            GameId::Battletech => Some("positions"),
            _ => None,
        }
    }
    /// Replays a recording through the rules.
    fn conform(&self, file: &Path, maps: &[PathBuf], link: &LinkSpec, limits: Limits) -> Result<Conformance>;
    /// Plays a match.
    fn run_match(&self, settings: &MatchSettings) -> Result<Report>;
    /// Plays one game, shown move by move, in a form that fits a log: what a run without a terminal shows.
    fn show_match(&self, settings: &MatchSettings, out: &mut dyn std::io::Write) -> Result<Report>;
    /// Plays with a person at the terminal.
    fn play(&self, settings: &PlaySettings) -> Result<()>;
    /// Plays inside another program, over its protocol on standard input and output. Opening the client is left to the
    /// bot, because some programs want a first answer at once.
    fn bot(&self, open: &dyn Fn() -> Result<Client>, limits: Limits, arguments: &[String]) -> Result<()>;
    /// Finds weights for the agent's evaluation by self-play and prints them as the source file has them.
    fn tune(&self, _settings: &TuneSettings) -> Result<()> {
        bail!("{} has no weights to tune", self.id().name())
    }
}

/// All tables, in the order of the games' numbers.
pub const TABLES: &[&dyn Table] =
    &[&mancala::Mancala, &parchis::Parchis, &planet_wars::PlanetWars, &belkan::Belkan, &battletech::Battletech];

/// The table of a game by its name.
pub fn table(name: &str) -> Result<&'static dyn Table> {
    TABLES.iter().copied().find(|table| table.id().name() == name).ok_or_else(|| {
        let names: Vec<_> = TABLES.iter().map(|table| table.id().name()).collect();
        anyhow!("there is no game \"{name}\"; there are: {}", names.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::LinkSpec;

    #[test]
    fn every_opponent_can_be_played_against() {
        for table in TABLES {
            for (name, _) in table.opponents() {
                let settings = MatchSettings {
                    p1: "agent".into(),
                    p2: example(name),
                    games: 1,
                    seed: 1,
                    opening: 2,
                    link: LinkSpec::InProcess,
                    limits: Limits { nodes: 20, ..Limits::default() },
                    map: None,
                    options: Vec::new(),
                    jobs: 1,
                    quiet: true,
                };
                let played = table.run_match(&settings);
                assert!(played.is_ok(), "{} against {name}: {:?}", table.id().name(), played.err());
            }
        }
    }
}
