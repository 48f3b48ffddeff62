//! Recorded games of the official engine, replayed turn by turn.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use rival_core::games::GameId;
use rival_core::games::planet_wars::{Fleet, Kick, Line, Outcome, Owner, Player, State, Turn, View};
use rival_core::wire::Limits;
use serde_json::Value;

use super::map::Map;
use crate::client::{Answer, Client};
use crate::duel::{Times, progress};
use crate::link::LinkSpec;
use crate::recording::{Conformance, lines};

/// A recorded turn.
#[derive(Debug)]
pub struct Recorded {
    /// The game's name.
    pub game: String,
    /// Who played.
    pub players: [String; 2],
    /// The map at the start.
    pub map: Map,
    /// The turn, from 1 on.
    pub turn: u16,
    /// The state before it.
    pub state: State,
    /// What each player wrote; `None` for one that was not asked.
    pub lines: [Option<Vec<String>>; 2],
    /// Who was thrown out.
    pub kicked: Vec<Player>,
    /// The state after it.
    pub next: State,
}

/// A record of a file of recordings.
#[derive(Debug)]
pub enum Record {
    /// A turn.
    Turn(Box<Recorded>),
    /// The end of a game: turns played of how many, and the winner, 0 for a draw.
    End {
        /// Turns played.
        turns: u16,
        /// Turns there would have been.
        limit: u16,
        /// Number of the winner.
        winner: u8,
    },
}

/// Reads a file of recordings, calling `each` with every record.
pub fn read(path: &Path, mut each: impl FnMut(Record) -> Result<()>) -> Result<()> {
    let mut game: Option<(String, [String; 2], Map, u16)> = None;
    for line in lines(path)? {
        let (place, record) = line?;
        let text = |key: &str| record[key].as_str().unwrap_or_default().to_owned();
        let number = |key: &str| record[key].as_u64().unwrap_or_default();
        match record["type"].as_str() {
            Some("game") => {
                let map = map(&record["planets"]).context("planets of a game")?;
                game = Some((text("game"), [text("p1"), text("p2")], map, number("max_turns") as u16));
            }
            Some("turn") => {
                let (name, players, map, _) = game.as_ref().context("a turn before its game")?;
                let lines = [0, 1].map(|player| {
                    let list = record["lines"][player].as_array()?;
                    Some(list.iter().filter_map(Value::as_str).map(str::to_owned).collect())
                });
                let kicked = record["kicked"].as_array().context("kicked")?.iter();
                let kicked = kicked.map(|number| if number == 1 { Player::One } else { Player::Two }).collect();
                each(Record::Turn(Box::new(Recorded {
                    game: name.clone(),
                    players: players.clone(),
                    map: map.clone(),
                    turn: number("t") as u16,
                    state: state(map, &record["state"])?,
                    lines,
                    kicked,
                    next: state(map, &record["next"])?,
                })))?;
            }
            Some("end") => {
                let (.., limit) = game.as_ref().context("an end before its game")?;
                let (turns, winner) = (number("turns") as u16, number("winner") as u8);
                each(Record::End { turns, limit: *limit, winner })?;
            }
            _ => bail!("line {place}: a record of no known type"),
        }
    }
    Ok(())
}

fn map(planets: &Value) -> Result<Map> {
    let mut coordinates = Vec::new();
    let mut rest = Vec::new();
    for planet in planets.as_array().context("no planets")? {
        let coordinate = |index: usize| -> Result<f64> { Ok(planet[index].as_str().context("a coordinate")?.parse()?) };
        let number = |index: usize| planet[index].as_u64().unwrap_or_default();
        coordinates.push((coordinate(0)?, coordinate(1)?));
        rest.push((number(2) as u8, number(3) as u32, number(4) as u8));
    }
    Map::new(coordinates, &rest, Vec::new())
}

fn state(map: &Map, record: &Value) -> Result<State> {
    let rows = |key: &str| -> Vec<Vec<u32>> {
        let rows = record[key].as_array().map(Vec::as_slice).unwrap_or_default();
        let numbers = |row: &Value| {
            row.as_array().map(|row| row.iter().map(|number| number.as_u64().unwrap_or_default() as u32).collect())
        };
        rows.iter().filter_map(numbers).collect()
    };
    let mut planets = map.state.planets().to_vec();
    let recorded = rows("planets");
    ensure!(recorded.len() == planets.len(), "planets are missing");
    let owner = |number: u32| Owner::new(number as u8).context("no such owner");
    for (planet, row) in planets.iter_mut().zip(recorded) {
        (planet.owner, planet.ships) = (owner(row[0])?, row[1]);
    }
    let mut fleets = Vec::new();
    for row in rows("fleets") {
        let [number, ships, source, destination, total, remaining] = row[..] else { bail!("a fleet has six numbers") };
        let [source, destination, total, remaining] =
            [source, destination, total, remaining].map(|number| number as u8);
        fleets.push(Fleet { owner: owner(number)?, ships, source, destination, total, remaining });
    }
    Ok(State::new(planets, fleets)?)
}

/// Replays a turn by the rules. Gives the state after it and who was thrown out.
fn replay(turn: &Recorded) -> (State, Vec<Player>) {
    let mut state = turn.state.clone();
    let mut play = Turn::new(&mut state);
    let mut kicked = Vec::new();
    for (player, lines) in Player::BOTH.into_iter().zip(&turn.lines) {
        let Some(lines) = lines else { continue };
        let mut answer = || {
            for line in lines {
                match Line::parse(line)? {
                    Line::Go => return Ok(()),
                    Line::Order(order) => play.order(player, order)?,
                }
            }
            Err(Kick::Timeout)
        };
        if answer().is_err() {
            play.kick(player);
            kicked.push(player);
        }
    }
    play.finish();
    (state, kicked)
}

/// The same planets and, in whatever order, the same fleets.
fn same(a: &State, b: &State) -> bool {
    let sorted = |state: &State| {
        let mut fleets = state.fleets().to_vec();
        fleets.sort_unstable();
        fleets
    };
    a.planets() == b.planets() && sorted(a) == sorted(b)
}

/// Replays a whole file: a step for every turn, and one for the end of every game.
pub fn conform(path: &Path) -> Result<Conformance> {
    let mut result = Conformance::default();
    let mut last: Option<(String, State)> = None;
    let (mut games, mut turns, mut kicks) = (0, 0, 0);
    read(path, |record| {
        match record {
            Record::Turn(turn) => {
                turns += 1;
                let (state, kicked) = replay(&turn);
                kicks += kicked.len();
                let place = format!("{} turn {}", turn.game, turn.turn);
                let differs = !same(&state, &turn.next) || kicked != turn.kicked;
                result.step(differs.then_some(|| {
                    format!(
                        "{place}\n  ours:     {kicked:?} thrown out, {state:?}\n  recorded: {:?} thrown out, {:?}",
                        turn.kicked, turn.next
                    )
                }));
                last = Some((turn.game, state));
            }
            Record::End { turns, limit, winner } => {
                games += 1;
                let (game, state) = last.take().context("a game without turns")?;
                let expected = match winner {
                    1 => Outcome::Won(Player::One),
                    2 => Outcome::Won(Player::Two),
                    _ => Outcome::Draw,
                };
                result.compare(format!("{game}: the end"), &state.outcome(turns, limit), &expected);
            }
        }
        Ok(())
    })?;
    result.notes.push(format!("{games} games, {turns} turns, {kicks} players thrown out"));
    Ok(result)
}

/// Decisions that two agents are compared by.
const COMPARED: usize = 100;

/// Asks an agent behind a link and one in this program about the same recorded states: by nodes, both must decide the
/// same, bit for bit.
pub fn compare_decisions(path: &Path, link: &LinkSpec, limits: Limits) -> Result<Conformance> {
    if limits.time_us > 0 {
        bail!("decisions can only be compared by nodes: give --nodes instead of --time-ms");
    }
    let mut states = Vec::new();
    read(path, |record| {
        if let Record::Turn(turn) = record {
            let alive = Player::BOTH.into_iter().all(|player| turn.state.is_alive(player));
            if alive {
                states.push((
                    format!("{} turn {}", turn.game, turn.turn),
                    View::new(&turn.state, Player::One, turn.turn)?,
                ));
            }
        }
        Ok(())
    })?;
    let mut there = Client::open(link)?;
    let mut here = Client::open(&LinkSpec::InProcess)?;
    let mut result = Conformance::default();
    let mut times = Times::default();
    let bar = progress(COMPARED, false);
    for (place, view) in states.iter().step_by((states.len() / COMPARED).max(1)).take(COMPARED) {
        let bytes = view.encode()?;
        let ours = here.decide(GameId::PlanetWars, &bytes, limits)?;
        let theirs = there.decide(GameId::PlanetWars, &bytes, limits)?;
        times.add(&theirs, there.baud(), limits);
        let key = |answer: &Answer| (answer.action.clone(), answer.statistics.value, answer.statistics.nodes);
        result.compare(format!("{place}: decisions in-process and over {link}"), &key(&ours), &key(&theirs));
        bar.inc(1);
    }
    bar.finish_and_clear();
    result.notes.push(format!(
        "{} decisions over {link} compared with this program's: {}",
        result.steps,
        times.summary()
    ));
    Ok(result)
}

#[cfg(test)]
mod tests;
