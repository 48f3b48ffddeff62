//! `BattleTech` at the table: the referee, the original simulator's files, maps, designs and opponents.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use rival_core::games::GameId;
use rival_core::games::battletech::{Action, Phase};
use rival_core::wire::Limits;

use super::{PlaySettings, Position, Table, Words};
use crate::client::{Answer, Client};
use crate::duel::{MatchSettings, Report};
use crate::link::LinkSpec;
use crate::recording::Conformance;

pub mod agent;
#[cfg(test)]
mod agent_tests;
pub mod bot;
pub mod conform;
pub mod convert;
pub mod damage;
pub mod design;
pub mod designs;
pub mod draw;
pub mod files;
pub mod mapgen;
pub mod opponents;
mod play;
pub mod record;
pub mod referee;
pub mod routes;
pub mod series;

use agent::state_bytes;
use series::Setting;

/// The table.
pub struct Battletech;

/// The state of the first move of a game of seed 1, and its map.
fn first_move(text: &str, map: Option<&str>) -> Result<(Vec<u8>, Vec<u8>)> {
    if text != "start" {
        bail!("a state of BattleTech is `start`: the first move of the first game of seed 1, on the map of --map");
    }
    let mut game = Setting::new(map, &[])?.game(1, 0);
    game.begin_turn();
    Ok((state_bytes(&game, game.order[0], Phase::Movement)?, game.load_bytes()))
}

impl Table for Battletech {
    fn id(&self) -> GameId {
        GameId::Battletech
    }

    fn about(&self) -> &'static str {
        "a duel of mechs on a hex map: movement, sight, shots, heat, dice"
    }

    fn opponents(&self) -> &'static [(&'static str, &'static str)] {
        opponents::NAMES
    }

    fn state(&self, text: &str) -> Result<Vec<u8>> {
        Ok(first_move(text, None)?.0)
    }

    fn state_on(&self, text: &str, map: &str) -> Result<(Vec<u8>, Vec<Vec<u8>>)> {
        first_move(text, Some(map)).map(|(state, map)| (state, vec![map]))
    }

    fn map_of(&self, text: &str) -> Result<Vec<Vec<u8>>> {
        first_move(text, None).map(|(_, map)| vec![map])
    }

    fn draw(&self, state: &[u8]) -> String {
        format!("a state of {} bytes; the map is loaded before it", state.len())
    }

    fn words(&self, _state: &[u8], answer: &Answer) -> Words {
        let action =
            Action::decode(&answer.action).map_or_else(|error| error.to_string(), |action| draw::action_text(&action));
        Words { action, value: format!("{:+} thousandths of a mech", answer.statistics.value), line: String::new() }
    }

    fn positions(&self) -> Vec<Position> {
        conform::positions()
    }

    fn conform(&self, file: &Path, maps: &[PathBuf], link: &LinkSpec, limits: Limits) -> Result<Conformance> {
        if conform::is_recorded_game(file) {
            return record::conform(file, link, limits);
        }
        conform::conform(file, maps)
    }

    fn run_match(&self, settings: &MatchSettings) -> Result<Report> {
        series::run(settings)
    }

    fn show_match(&self, settings: &MatchSettings, out: &mut dyn Write) -> Result<Report> {
        series::show(settings, out)
    }

    fn play(&self, settings: &PlaySettings) -> Result<()> {
        play::play(settings)
    }

    fn bot(&self, open: &dyn Fn() -> Result<Client>, limits: Limits, arguments: &[String]) -> Result<()> {
        bot::run(open, limits, arguments)
    }
}
