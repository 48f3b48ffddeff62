//! Recorded games of the official engine, replayed turn by turn.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use rival_core::games::GameId;
use rival_core::games::planet_wars::{Fleet, Kick, Line, Outcome, Owner, Player, Position, State, Turn, View};
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
    /// What each player was sent, where that is recorded.
    pub sent: [Option<String>; 2],
    /// Who was thrown out.
    pub kicked: Vec<Player>,
    /// Owners and ships of the planets, and the fleets, when all orders had been carried out and nothing had grown or
    /// flown on; where that is recorded.
    pub departed: Option<Standing>,
    /// The state after it.
    pub next: State,
}

/// What of a state changes from turn to turn: planets by id, fleets in ascending order. A fleet may have arrived already.
pub type Standing = (Vec<(Owner, u32)>, Vec<Fleet>);

fn standing(state: &State) -> Standing {
    let mut fleets = state.fleets().to_vec();
    fleets.sort_unstable();
    (state.planets().iter().map(|planet| (planet.owner, planet.ships)).collect(), fleets)
}

/// A record of a file of recordings.
#[derive(Debug)]
pub enum Record {
    /// A turn.
    Turn(Box<Recorded>),
    /// The end of a game: turns played of how many, the winner, 0 for a draw, and who was thrown out for what.
    End {
        /// Turns played.
        turns: u16,
        /// Turns there would have been.
        limit: u16,
        /// Number of the winner.
        winner: u8,
        /// Who was thrown out, and why.
        kicks: Vec<(Player, Kick)>,
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
                let kicked = record["kicked"].as_array().context("kicked")?.iter().map(player).collect();
                let sent = [0, 1].map(|player| record["msg"][player].as_str().map(str::to_owned));
                each(Record::Turn(Box::new(Recorded {
                    game: name.clone(),
                    players: players.clone(),
                    map: map.clone(),
                    turn: number("t") as u16,
                    state: state(map, &record["state"])?,
                    lines,
                    sent,
                    kicked,
                    departed: record.get("after_departure").map(recorded).transpose()?,
                    next: state(map, &record["next"])?,
                })))?;
            }
            Some("end") => {
                let (.., limit) = game.as_ref().context("an end before its game")?;
                let (turns, winner) = (number("turns") as u16, number("winner") as u8);
                let errors = record["errors"].as_array().map(Vec::as_slice).unwrap_or_default().iter();
                let kicks = errors.map(|error| Ok((player(&error[0]), kick(&error[1])?)));
                let mut kicks = kicks.collect::<Result<Vec<_>>>()?;
                // Two on the same turn stand in the order of their lines' arrival.
                kicks.sort_by_key(|&(player, _)| player as u8);
                each(Record::End { turns, limit: *limit, winner, kicks })?;
            }
            _ => bail!("line {place}: a record of no known type"),
        }
    }
    Ok(())
}

fn player(number: &Value) -> Player {
    if number == 1 { Player::One } else { Player::Two }
}

fn kick(name: &Value) -> Result<Kick> {
    match name.as_str() {
        Some("UNPARSEABLE_ORDER") => Ok(Kick::Unparseable),
        Some("BAD_ORDER") => Ok(Kick::BadOrder),
        Some("TIMEOUT") => Ok(Kick::Timeout),
        _ => bail!("{name} is no reason to be thrown out"),
    }
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

/// A recorded state, without what stays the same for a whole game.
fn recorded(record: &Value) -> Result<Standing> {
    let rows = |key: &str| -> Vec<Vec<u32>> {
        let rows = record[key].as_array().map(Vec::as_slice).unwrap_or_default();
        let numbers = |row: &Value| {
            row.as_array().map(|row| row.iter().map(|number| number.as_u64().unwrap_or_default() as u32).collect())
        };
        rows.iter().filter_map(numbers).collect()
    };
    let owner = |number: u32| Owner::new(number as u8).context("no such owner");
    let mut planets = Vec::new();
    for row in rows("planets") {
        let [number, ships] = row[..] else { bail!("a planet has two numbers") };
        planets.push((owner(number)?, ships));
    }
    let mut fleets = Vec::new();
    for row in rows("fleets") {
        let [number, ships, source, destination, total, remaining] = row[..] else { bail!("a fleet has six numbers") };
        let [source, destination, total, remaining] =
            [source, destination, total, remaining].map(|number| number as u8);
        let owner = owner(number)?;
        // What is left of the fleets of a player who was just thrown out.
        if owner != Owner::Neutral || ships > 0 {
            fleets.push(Fleet { owner, ships, source, destination, total, remaining });
        }
    }
    fleets.sort_unstable();
    Ok((planets, fleets))
}

fn state(map: &Map, record: &Value) -> Result<State> {
    let (recorded, fleets) = recorded(record)?;
    let mut planets = map.state.planets().to_vec();
    ensure!(recorded.len() == planets.len(), "planets are missing");
    for (planet, standing) in planets.iter_mut().zip(recorded) {
        (planet.owner, planet.ships) = standing;
    }
    Ok(State::new(planets, fleets)?)
}

/// A turn played again by the rules.
struct Replayed {
    departed: Standing,
    next: State,
    kicks: Vec<(Player, Kick)>,
}

fn replay(turn: &Recorded) -> Replayed {
    let mut next = turn.state.clone();
    let mut play = Turn::new(&mut next);
    let mut kicks = Vec::new();
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
        if let Err(kick) = answer() {
            play.kick(player);
            kicks.push((player, kick));
        }
    }
    let departed = standing(play.state());
    play.finish();
    Replayed { departed, next, kicks }
}

/// Whether what the players were sent is read as the state.
fn understood(turn: &Recorded) -> bool {
    Player::BOTH.into_iter().zip(&turn.sent).all(|(player, text)| {
        let Some(text) = text else { return true };
        let text = text.trim_end().strip_suffix("go").unwrap_or(text);
        let Ok(map) = Map::parse(text) else { return false };
        // Twelve digits are sent, the map has more: what counts is how far things are apart.
        let views = [(&map.state, Player::One), (&turn.state, player)].map(|(state, player)| {
            let mut view = View::new(state, player, turn.turn).ok()?;
            view.planets.iter_mut().for_each(|planet| planet.position = Position::default());
            let ids = 0..view.planets.len();
            let distances = ids.clone().flat_map(|from| ids.clone().map(move |to| state.distance(from, to)));
            Some((view, distances.collect::<Vec<_>>()))
        });
        views[0].is_some() && views[0] == views[1]
    })
}

/// Replays a whole file: a step for every turn, and one for the end of every game. Compared are the state after the orders
/// and the state after the turn, the text that was sent, who was thrown out and why, and who has won.
pub fn conform(path: &Path) -> Result<Conformance> {
    let mut result = Conformance::default();
    let mut last: Option<(String, State)> = None;
    let (mut games, mut turns, mut texts, mut thrown_out) = (0, 0, 0, 0);
    let mut kicks_of_game = Vec::new();
    read(path, |record| {
        match record {
            Record::Turn(turn) => {
                turns += 1;
                let Replayed { departed, next, kicks } = replay(&turn);
                texts += turn.sent.iter().flatten().count();
                thrown_out += kicks.len();
                let kicked: Vec<Player> = kicks.iter().map(|&(player, _)| player).collect();
                let place = format!("{} turn {}", turn.game, turn.turn);
                let differs = standing(&next) != standing(&turn.next)
                    || turn.departed.as_ref().is_some_and(|recorded| *recorded != departed)
                    || kicked != turn.kicked
                    || !understood(&turn);
                result.step(differs.then_some(|| {
                    format!(
                        "{place}\n  ours:     {kicks:?} thrown out, {departed:?}, then {next:?}\n  \
                         recorded: {:?} thrown out, {:?}, then {:?}\n  sent: {:?}",
                        turn.kicked, turn.departed, turn.next, turn.sent
                    )
                }));
                kicks_of_game.extend(kicks);
                last = Some((turn.game, next));
            }
            Record::End { turns, limit, winner, kicks } => {
                games += 1;
                let ours = core::mem::take(&mut kicks_of_game);
                let (game, state) = last.take().context("a game without turns")?;
                let expected = match winner {
                    1 => Outcome::Won(Player::One),
                    2 => Outcome::Won(Player::Two),
                    _ => Outcome::Draw,
                };
                let outcome = state.outcome(turns, limit);
                result.compare(format!("{game}: the end"), &(outcome, ours), &(expected, kicks));
            }
        }
        Ok(())
    })?;
    result
        .notes
        .push(format!("{games} games, {turns} turns, {texts} texts to players read, {thrown_out} players thrown out"));
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
