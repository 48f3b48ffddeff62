//! Mancala at the table.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use rival_core::games::GameId;
use rival_core::games::mancala::{Pit, Player as Side, SEED, State};
use rival_core::wire::{Ending, Limits, Statistics};
use serde_json::Value;

use super::{PlaySettings, Position, Table, Words};
use crate::client::{Answer, Client};
use crate::duel::{self, AgentPlayer, Duel, MatchSettings, Player, Report};
use crate::link::LinkSpec;
use crate::random::Random;
use crate::recording::Conformance;

pub mod book;
mod bot;
mod conform;
pub mod opponents;
mod play;
pub mod solve;
pub mod solver;
pub mod verify;
pub mod walk;

/// The table.
pub struct Mancala;

impl Duel for Mancala {
    type State = State;
    type Move = Pit;

    fn start(&self) -> State {
        State::start()
    }

    fn to_move(&self, state: &State) -> usize {
        state.turn() as usize
    }

    fn legal(&self, state: &State) -> Vec<Pit> {
        state.legal().collect()
    }

    fn play(&self, state: &State, pit: Pit) -> State {
        state.play(pit)
    }

    fn points(&self, state: &State) -> Option<f64> {
        state.is_over().then(|| match state.margin() {
            0 => 0.5,
            margin if margin > 0 => 1.0,
            _ => 0.0,
        })
    }

    fn longest(&self) -> usize {
        1_000
    }
}

/// The pit in an action's bytes, if it may be played.
pub(super) fn pit_of(state: &State, action: &[u8]) -> Option<Pit> {
    let &[number] = action else { return None };
    Pit::new(number).filter(|&pit| state.is_legal(pit))
}

/// A position as the recordings write it: `{"turn": 0, "p": [[store, pit 1, …], […]]}`.
pub fn from_json(value: &Value) -> Result<State> {
    let turn = match value["turn"].as_u64() {
        Some(0) => Side::J1,
        Some(1) => Side::J2,
        _ => bail!("\"turn\" has to be 0 or 1"),
    };
    let board: [[u8; 7]; 2] = serde_json::from_value(value["p"].clone())
        .context("\"p\" has to be two lists of seven numbers: store, pit 1, …, pit 6")?;
    State::new(turn, board).map_err(|error| anyhow!("{error} (48 seeds in all, counting the stores)"))
}

/// Makes a player by its name.
fn seat(settings: &MatchSettings, name: &str, number: u64) -> Result<Box<dyn Player<Mancala>>> {
    match name {
        "agent" => Ok(agent(Client::open(&settings.link)?, settings.limits)),
        _ => opponents::by_name(name, settings.seed ^ (number << 32)),
    }
}

/// The agent behind a link as a player.
fn agent(client: Client, limits: Limits) -> Box<dyn Player<Mancala>> {
    let encode = |state: &State| state.encode().to_vec();
    Box::new(AgentPlayer::new(client, limits, GameId::Mancala, encode, pit_of))
}

/// What a decision says about the result.
pub(super) fn value_words(statistics: &Statistics) -> String {
    let margin = |value: i32| value / SEED;
    match (statistics.ending, statistics.guaranteed.map(margin)) {
        (Ending::Proven, Some(0)) => "draw, proven".into(),
        (Ending::Proven, Some(margin)) if margin > 0 => format!("win by {margin}, proven"),
        (Ending::Proven, Some(margin)) => format!("loss by {}, proven", -margin),
        (_, Some(margin)) if margin > 0 => format!("win proven by {margin} or more"),
        _ => format!("{:+.1} seeds", f64::from(statistics.value) / f64::from(SEED)),
    }
}

impl Table for Mancala {
    fn id(&self) -> GameId {
        GameId::Mancala
    }

    fn about(&self) -> &'static str {
        "Kalah, six pits and four seeds: sow, capture, move again"
    }

    fn opponents(&self) -> &'static [(&'static str, &'static str)] {
        opponents::NAMES
    }

    fn state(&self, text: &str) -> Result<Vec<u8>> {
        let state = if text == "start" {
            State::start()
        } else {
            let advice = "a state is `start`, or JSON such as {\"turn\":0,\"p\":[[0,4,4,4,4,4,4],[0,4,4,4,4,4,4]]}";
            from_json(&serde_json::from_str(text).context(advice)?)?
        };
        Ok(state.encode().to_vec())
    }

    fn draw(&self, state: &[u8]) -> String {
        State::decode(state).map_or_else(|error| error.to_string(), |state| state.to_string())
    }

    fn words(&self, _state: &[u8], answer: &Answer) -> Words {
        let pits: Vec<_> = answer.statistics.line.iter().map(ToString::to_string).collect();
        Words {
            action: answer.action.first().map_or_else(|| "nothing".into(), |pit| format!("pit {pit}")),
            value: value_words(&answer.statistics),
            line: pits.join(" "),
        }
    }

    fn positions(&self) -> Vec<Position> {
        let named = |name: String, state: &State| Position { name, state: state.encode().to_vec(), load: None };
        // The start as J2 would see it: the same search, but no position of the first seat's book.
        let [first, second] = State::start().board();
        let start = State::new(Side::J2, [first, second]).unwrap_or(State::start());
        let mut positions = vec![named("start, J2 to move".into(), &start)];
        for (number, plies) in [2, 4, 8, 12, 16, 20, 24].into_iter().enumerate() {
            let state = duel::opening(self, 2018, number, plies);
            positions.push(named(format!("{plies} random plies, seed 2018.{number}"), &state));
        }
        positions
    }

    fn conform(&self, file: &Path, _maps: &[PathBuf], link: &LinkSpec, limits: Limits) -> Result<Conformance> {
        conform::conform(file, link, limits)
    }

    fn run_match(&self, settings: &MatchSettings) -> Result<Report> {
        duel::run(self, settings, |name, number| seat(settings, name, number))
    }

    fn show_match(&self, settings: &MatchSettings, out: &mut dyn Write) -> Result<Report> {
        play::show_match(settings, out)
    }

    fn play(&self, settings: &PlaySettings) -> Result<()> {
        play::play(settings)
    }

    fn bot(&self, open: &dyn Fn() -> Result<Client>, limits: Limits, _arguments: &[String]) -> Result<()> {
        bot::run(open, limits, std::io::stdin().lock(), std::io::stdout().lock())
    }
}

/// A position some random moves after the start, for tests and benchmarks.
pub fn random_position(random: &mut Random, plies: usize) -> State {
    let mut state = State::start();
    for _ in 0..plies {
        let legal: Vec<Pit> = state.legal().collect();
        let Some(&pit) = random.pick(&legal) else { break };
        let next = state.play(pit);
        if next.is_over() {
            break;
        }
        state = next;
    }
    state
}
