//! Planet Wars at the table: maps, opponents, the referee, recordings and playbacks.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use rival_core::games::GameId;
use rival_core::games::planet_wars::{Owner, Player, SHIP, TURNS, View};
use rival_core::wire::Limits;
use serde_json::Value;

use super::{PlaySettings, Position, Table, Words};
use crate::client::{Answer, Client};
use crate::duel::{MatchSettings, Report};
use crate::link::LinkSpec;
use crate::random::Random;
use crate::recording::Conformance;

mod bot;
pub mod map;
pub mod opponents;
pub mod play;
pub mod playback;
pub mod program;
pub mod recordings;
pub mod referee;

pub use map::Map;
pub use opponents::{Kind, Opponent};
pub use referee::{Game, Seat};

/// The table.
pub struct PlanetWars;

/// How the opponents are written, and what they do.
const NAMES: &[(&str, &str)] = &{
    let mut names = [("", ""); Kind::ALL.len()];
    let mut at = 0;
    while at < names.len() {
        names[at] = (Kind::ALL[at].name(), Kind::ALL[at].about());
        at += 1;
    }
    names
};

/// A state as people and recordings write it: the contest's own text, or JSON
/// `{"planets": [[x, y, owner, ships, growth], …], "fleets": [[owner, ships, source, target, total, left], …]}`.
fn read_state(text: &str) -> Result<Map> {
    if !text.trim_start().starts_with('{') {
        return Map::parse(&text.replace("\\n", "\n"));
    }
    let value: Value = serde_json::from_str(text).context("the state is no JSON")?;
    let rows = |key: &str, sign: &str| -> String {
        let rows = value[key].as_array().map(Vec::as_slice).unwrap_or_default();
        let row = |row: &Value| -> String {
            let words = row.as_array().map(Vec::as_slice).unwrap_or_default().iter();
            let words: Vec<String> =
                words.map(|word| word.as_str().map_or_else(|| word.to_string(), ToOwned::to_owned)).collect();
            format!("{sign} {}\n", words.join(" "))
        };
        rows.iter().map(row).collect()
    };
    Map::parse(&(rows("planets", "P") + &rows("fleets", "F")))
}

/// A state some turns into a game of two opponents.
fn mid_game(seed: u64, turns: u16, kinds: [Kind; 2]) -> Result<Game> {
    let mut game = Game::new(Map::generate(seed)?);
    let [mut one, mut two] = kinds.map(|kind| Opponent::new(kind, seed));
    while game.turn < turns {
        game.round([&mut one, &mut two])?;
    }
    Ok(game)
}

impl Table for PlanetWars {
    fn id(&self) -> GameId {
        GameId::PlanetWars
    }

    fn about(&self) -> &'static str {
        "planets that breed ships, fleets that take planets, both players at once"
    }

    fn opponents(&self) -> &'static [(&'static str, &'static str)] {
        NAMES
    }

    fn state(&self, text: &str) -> Result<Vec<u8>> {
        let map = match text {
            "start" => Map::generate(1)?,
            name if name.starts_with("generated:") => Map::named(name)?,
            text => read_state(text)
                .context("a state is `start`, `generated:<seed>`, the contest's P and F lines, or JSON with planets")?,
        };
        Ok(View::new(&map.state, Player::One, 1)?.encode()?.to_vec())
    }

    fn draw(&self, state: &[u8]) -> String {
        match View::decode(state) {
            Ok(view) => {
                let ships = |player: Player| -> u32 {
                    let landed = view.planets.iter().filter(|planet| planet.owner == player.owner());
                    let flying = view.forces.iter().filter(|force| force.player == player);
                    landed.map(|planet| planet.ships).sum::<u32>() + flying.map(|force| force.ships).sum::<u32>()
                };
                let neutral = view.planets.iter().filter(|planet| planet.owner == Owner::Neutral).count();
                format!(
                    "{}\n{} planets, {neutral} of them neutral, {} forces in flight, {} to {} ships, turn {} of {TURNS}",
                    play::draw(&view.planets),
                    view.planets.len(),
                    view.forces.len(),
                    ships(Player::One),
                    ships(Player::Two),
                    (TURNS + 1).saturating_sub(view.turns_left),
                )
            }
            Err(error) => error.to_string(),
        }
    }

    fn words(&self, _state: &[u8], answer: &Answer) -> Words {
        let orders = referee::orders_of(&answer.action).unwrap_or_default();
        let orders: Vec<String> =
            orders.iter().map(|order| format!("{}>{} {}", order.source, order.destination, order.ships)).collect();
        Words {
            action: if orders.is_empty() { "wait".into() } else { orders.join(", ") },
            value: format!("{:+.0} ships", f64::from(answer.statistics.value) / f64::from(SHIP)),
            // The plan beyond this turn stays with the agent.
            line: String::new(),
        }
    }

    /// Maps of 10 to 60 planets, to see how the cost grows, and games between opponents.
    fn positions(&self) -> Vec<Position> {
        let position = |name: String, game: &Game| -> Option<Position> {
            let state = View::new(&game.state, Player::One, game.turn + 1).ok()?.encode().ok()?.to_vec();
            Some(Position { name, state, load: None })
        };
        let mut random = Random::new(2010);
        let sizes = [10, 20, 40, 60].into_iter().filter_map(|planets| {
            let map = Map::of_size(&mut random, planets / 2, false).ok()?;
            position(format!("{planets} planets"), &Game::new(map))
        });
        let mut positions: Vec<Position> = sizes.collect();
        let games = [(1, 0), (2, 20), (3, 40), (4, 60), (5, 80), (6, 100)];
        positions.extend(games.into_iter().filter_map(|(seed, turns)| {
            let game = mid_game(seed, turns, [Kind::Gene, Kind::Dual]).ok()?;
            position(format!("generated:{seed}, turn {}", turns + 1), &game)
        }));
        positions
    }

    fn conform(&self, file: &Path, _maps: &[PathBuf], link: &LinkSpec, limits: Limits) -> Result<Conformance> {
        let mut result = recordings::conform(file)?;
        if *link != LinkSpec::InProcess {
            result.add(recordings::compare_decisions(file, link, limits)?);
        }
        Ok(result)
    }

    fn run_match(&self, settings: &MatchSettings) -> Result<Report> {
        referee::run_match(settings)
    }

    fn show_match(&self, settings: &MatchSettings, out: &mut dyn Write) -> Result<Report> {
        referee::show_match(settings, out)
    }

    fn play(&self, settings: &PlaySettings) -> Result<()> {
        play::play(settings)
    }

    fn bot(&self, open: &dyn Fn() -> Result<Client>, limits: Limits, arguments: &[String]) -> Result<()> {
        bot::run(open, limits, arguments, std::io::stdin().lock(), std::io::stdout().lock())
    }
}
