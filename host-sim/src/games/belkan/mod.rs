//! Belkan at the table: the hidden world, those who walk in it, and the recordings of the original.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use rival_core::games::GameId;
use rival_core::games::belkan::{Action, Figure, Heading, LIFETIME, Place, Sensors, Terrain};
use rival_core::wire::{Ending, Limits};
use serde_json::Value;

use super::{PlaySettings, Position, Table, Words};
use crate::client::{Answer, Client};
use crate::duel::{MatchSettings, Report};
use crate::link::LinkSpec;
use crate::recording::{Conformance, find_map};

mod arena;
pub mod contest;
mod draw;
pub mod glibc;
pub mod linked;
pub mod maps;
pub mod opponents;
mod play;
pub mod recordings;
pub mod world;

/// The table.
pub struct Belkan;

/// A tick as the recordings write it, with the size of the map beside.
fn from_json(value: &Value) -> Result<Sensors> {
    // A line of a recording, or its sensors alone.
    let told = value.get("in").unwrap_or(value);
    let number = |name: &str| {
        let number = told[name].as_u64().with_context(|| format!("\"{name}\" has to be a number"))?;
        u16::try_from(number).with_context(|| format!("\"{name}\" is too large"))
    };
    let small = |name: &str| Ok::<u8, anyhow::Error>(u8::try_from(number(name)?)?);
    let letters = |name: &str| {
        let text = told[name].as_str().filter(|text| text.len() == 16);
        text.with_context(|| format!("\"{name}\" has to be 16 letters"))
    };
    let mut sensors = Sensors {
        level: small("nivel")?,
        size: value["size"].as_u64().or(told["size"].as_u64()).context("\"size\" has to be the map's size")? as u8,
        life: number("vida")?,
        battery: number("bateria")?,
        collision: told["colision"] == 1,
        reset: told["reset"] == 1,
        place: Place::new(small("posF")?, small("posC")?),
        heading: Heading::from_bits(small("sentido")?),
        target: Place::new(small("destinoF")?, small("destinoC")?),
        ..Sensors::default()
    };
    for (slot, letter) in sensors.terrain.iter_mut().zip(letters("terreno")?.bytes()) {
        *slot = Terrain::from_letter(letter).with_context(|| format!("no terrain is called {}", letter as char))?;
    }
    for (slot, letter) in sensors.figures.iter_mut().zip(letters("superficie")?.bytes()) {
        *slot = match letter {
            b'j' => Figure::Player,
            b'a' => Figure::Villager,
            _ => Figure::Nobody,
        };
    }
    sensors.validate().map_err(|error| anyhow!("{error}"))?;
    Ok(sensors)
}

/// What an action is called.
fn action_name(code: u8) -> &'static str {
    match Action::from_code(code) {
        Some(Action::Forward) => "forward",
        Some(Action::Left) => "turn left",
        Some(Action::Right) => "turn right",
        Some(Action::Idle) => "idle",
        None => "nothing",
    }
}

impl Table for Belkan {
    fn id(&self) -> GameId {
        GameId::Belkan
    }

    fn about(&self) -> &'static str {
        "a walker with a battery on a map that it cannot see: as many targets as possible in 3,000 ticks"
    }

    fn opponents(&self) -> &'static [(&'static str, &'static str)] {
        opponents::NAMES
    }

    fn state(&self, text: &str) -> Result<Vec<u8>> {
        if text == "start" {
            return Ok(arena::first_tick("generated:1:50", 4)?.encode().to_vec());
        }
        let advice = "a state is `start`, or JSON: a tick of level 4 as in the recordings, with \"size\" beside it. An \
            agent that has not seen the ticks before can only be asked about the first one (\"vida\": 2999). For \
            levels 1 to 3 name a map with --map";
        let sensors = from_json(&serde_json::from_str(text).context(advice)?).context(advice)?;
        if sensors.level != 4 || sensors.life != LIFETIME - 1 {
            bail!("{advice}");
        }
        Ok(sensors.encode().to_vec())
    }

    fn state_on(&self, text: &str, map: &str) -> Result<(Vec<u8>, Vec<Vec<u8>>)> {
        arena::first_tick_on(text, map)
    }

    fn draw(&self, state: &[u8]) -> String {
        Sensors::decode(state).map_or_else(|error| error.to_string(), |sensors| draw::cone(&sensors))
    }

    fn words(&self, _state: &[u8], answer: &Answer) -> Words {
        let statistics = &answer.statistics;
        let proven = if statistics.ending == Ending::Proven { ", proven" } else { "" };
        Words {
            action: action_name(answer.action.first().copied().unwrap_or(u8::MAX)).into(),
            value: format!("path costs {}{proven}", statistics.value),
            line: statistics.line.iter().filter_map(|&code| Action::from_code(code)).map(Action::letter).collect(),
        }
    }

    fn positions(&self) -> Vec<Position> {
        arena::positions().unwrap_or_default()
    }

    fn conform(&self, file: &Path, folders: &[PathBuf], link: &LinkSpec, limits: Limits) -> Result<Conformance> {
        let map = |name: &str| maps::read(&find_map(&format!("{name}.map"), file, folders)?);
        recordings::conform(file, map, link, limits)
    }

    fn run_match(&self, settings: &MatchSettings) -> Result<Report> {
        arena::run(settings)
    }

    fn show_match(&self, settings: &MatchSettings, out: &mut dyn Write) -> Result<Report> {
        arena::show(settings, out)
    }

    fn play(&self, settings: &PlaySettings) -> Result<()> {
        play::play(settings)
    }

    fn bot(&self, _open: &dyn Fn() -> Result<Client>, _limits: Limits, _arguments: &[String]) -> Result<()> {
        bail!("the original Belkan simulator links its agents in; it has no protocol for programs")
    }
}
