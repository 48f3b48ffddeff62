//! Parchis at the table.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use rival_core::games::GameId;
use rival_core::games::parchis::{Move, Player as Side, State};
use rival_core::search::alphabeta::{DECIDED, WIN};
use rival_core::wire::{Ending, Limits};

use super::{PlaySettings, Position, Table, TuneSettings, Words};
use crate::client::{Answer, Client};
use crate::duel::{self, AgentPlayer, Duel, MatchSettings, Player, Report};
use crate::link::LinkSpec;
use crate::recording::Conformance;

mod board;
mod bot;
pub mod conform;
pub mod opponents;
mod play;
#[cfg(test)]
mod quirks;
pub mod record;
pub mod reference;
pub mod tune;

use record::StateRecord;

/// The table.
pub struct Parchis;

impl Duel for Parchis {
    type State = State;
    type Move = Move;

    fn start(&self) -> State {
        State::start()
    }

    fn to_move(&self, state: &State) -> usize {
        state.turn() as usize
    }

    fn legal(&self, state: &State) -> Vec<Move> {
        state.legal().into_iter().collect()
    }

    fn play(&self, state: &State, mv: Move) -> State {
        state.play(mv)
    }

    fn points(&self, state: &State) -> Option<f64> {
        state.winner().map(|winner| if winner == Side::J1 { 1.0 } else { 0.0 })
    }

    /// The longest recorded game of random players has some 600 actions.
    fn longest(&self) -> usize {
        2_000
    }
}

/// Makes a player by its name.
fn seat(settings: &MatchSettings, name: &str, number: u64) -> Result<Box<dyn Player<Parchis>>> {
    match name {
        "agent" => Ok(agent(Client::open(&settings.link)?, settings.limits)),
        _ => opponents::by_name(name, settings.seed ^ (number << 32)),
    }
}

/// The agent behind a link as a player.
fn agent(client: Client, limits: Limits) -> Box<dyn Player<Parchis>> {
    let encode = |state: &State| state.encode().to_vec();
    Box::new(AgentPlayer::new(client, limits, GameId::Parchis, encode, State::decode_move))
}

/// What a value means to people.
fn value_words(value: i32, ending: Ending) -> String {
    match value {
        _ if value >= DECIDED => format!("win in {}", WIN - value),
        _ if value <= -DECIDED => format!("loss in {}", WIN + value),
        _ if ending == Ending::Proven => "proven".into(),
        _ => format!("{:+.1} steps", f64::from(value) / STEP),
    }
}

/// About what the evaluation gives for one step of a piece of the colour ahead.
const STEP: f64 = 2.5;

/// The expected line of play, from the bytes that the statistics carry. It ends where it is not legal any more.
fn line_words(state: &State, line: &[u8]) -> String {
    let mut state = *state;
    let mut words = Vec::new();
    for &code in line {
        let Some(mv) = state.legal().into_iter().find(|mv| mv.short_code() == code) else { break };
        words.push(mv.to_string());
        state = state.play(mv);
    }
    words.join(", ")
}

impl Table for Parchis {
    fn id(&self) -> GameId {
        GameId::Parchis
    }

    fn about(&self) -> &'static str {
        "Parchis with special dice: two colours a player, dice chosen instead of thrown"
    }

    fn opponents(&self) -> &'static [(&'static str, &'static str)] {
        opponents::NAMES
    }

    fn state(&self, text: &str) -> Result<Vec<u8>> {
        let state = if text == "start" {
            State::start()
        } else {
            let advice = "a state is `start`, or JSON as in the recordings, with p, it, tr, d, pl, bo, f, ob";
            let record: StateRecord = serde_json::from_str(text).context(advice)?;
            record.state().map_err(|error| anyhow!("{error}"))?
        };
        Ok(state.encode().to_vec())
    }

    fn draw(&self, state: &[u8]) -> String {
        State::decode(state).map_or_else(|error| error.to_string(), |state| board::draw(&state))
    }

    fn words(&self, state: &[u8], answer: &Answer) -> Words {
        let state = State::decode(state).unwrap_or(State::start());
        let statistics = &answer.statistics;
        Words {
            action: state.decode_move(&answer.action).map_or_else(|| "nothing".into(), |mv| mv.to_string()),
            value: value_words(statistics.value, statistics.ending),
            line: line_words(&state, &statistics.line),
        }
    }

    fn positions(&self) -> Vec<Position> {
        let named = |name: String, state: &State| Position { name, state: state.encode().to_vec(), load: None };
        let mut positions = vec![named("start".into(), &State::start())];
        for (number, actions) in [4, 10, 20, 40, 60, 80, 100].into_iter().enumerate() {
            let state = duel::opening(self, 2023, number, actions);
            positions.push(named(format!("{actions} random actions, seed 2023.{number}"), &state));
        }
        positions
    }

    fn conform(&self, file: &Path, _maps: &[PathBuf], _link: &LinkSpec, _limits: Limits) -> Result<Conformance> {
        conform::conform(file)
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

    fn tune(&self, settings: &TuneSettings) -> Result<()> {
        tune::run(settings);
        Ok(())
    }
}
