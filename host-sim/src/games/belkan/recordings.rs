//! The recordings of the original program, and the comparison with them.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use anyhow::{Context, bail};
use flate2::read::GzDecoder;
use rival_core::games::belkan::{Action, Figure, Heading, Map, Outfit, Place, Sensors, Terrain};
use serde_json::Value;

use super::world::{Setup, World};

/// The lines of a compressed recording.
pub fn lines(path: &Path) -> anyhow::Result<impl Iterator<Item = anyhow::Result<Value>> + use<>> {
    let file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
    let name = path.display().to_string();
    Ok(BufReader::new(GzDecoder::new(file)).lines().map(move |line| {
        let line = line.with_context(|| format!("{name} is damaged"))?;
        serde_json::from_str(&line).with_context(|| format!("{name} has a line that is no JSON"))
    }))
}

/// A whole number in a recording.
pub fn number(value: &Value) -> anyhow::Result<i64> {
    value.as_i64().with_context(|| format!("{value} is no number"))
}

/// A cell in a recording; `None` for `[-1, -1]`.
pub fn place(value: &Value) -> anyhow::Result<Option<Place>> {
    let (row, column) = (number(&value[0])?, number(&value[1])?);
    if (row, column) == (-1, -1) {
        return Ok(None);
    }
    Ok(Some(Place::new(u8::try_from(row)?, u8::try_from(column)?)))
}

/// What the comparison of a file came to.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// Runs or cases.
    pub runs: u32,
    /// Ticks compared.
    pub ticks: u32,
    /// What differs.
    pub mismatches: Vec<String>,
}

/// Replays recorded runs tick by tick and compares sensors, true state and the final numbers.
pub fn replay(path: &Path, map: impl Fn(&str) -> anyhow::Result<Map>) -> anyhow::Result<Comparison> {
    let mut comparison = Comparison::default();
    let mut at_hand: Option<(String, World, Value)> = None;
    for line in lines(path)? {
        let line = line?;
        if let Some(run) = line.get("run") {
            let setup = setup(run)?;
            let map = map(run["map"].as_str().context("a run without a map")?)?;
            at_hand = Some((run["id"].to_string(), World::new(&map, &setup)?, run["printed"].clone()));
            comparison.runs += 1;
            continue;
        }
        let Some((id, world, printed)) = &mut at_hand else { bail!("a tick before the first run") };
        if let Some(end) = line.get("end") {
            let mut differences = differences(world, end);
            let score = world.score();
            let figures = [
                ("instantes", i64::from(score.life)),
                ("bateria", i64::from(score.battery)),
                ("colisiones", i64::from(score.collisions)),
                ("muertes", i64::from(score.deaths)),
                ("objetivos", i64::from(score.goals)),
            ];
            differences.extend(figures.iter().filter(|(name, value)| printed[*name] != *value).map(|(name, _)| *name));
            if !world.is_over() {
                differences.push("over");
            }
            if !differences.is_empty() {
                comparison.mismatches.push(format!("{id} at the end: {}", differences.join(", ")));
            }
            continue;
        }
        if world.is_over() {
            comparison.mismatches.push(format!("{id}: over before tick {}", line["t"]));
            at_hand = None;
            continue;
        }
        let sensors = world.sense();
        let mut differences = sensor_differences(&sensors, &line["in"]);
        differences.extend(self::differences(world, &line["st"]));
        if !differences.is_empty() {
            comparison.mismatches.push(format!("{id} tick {}: {}", line["t"], differences.join(", ")));
        }
        comparison.ticks += 1;
        let action = line["a"].as_str().and_then(|action| Action::from_letter(action.chars().next()?));
        world.act(action.with_context(|| format!("{id}: no action is called {}", line["a"]))?);
    }
    Ok(comparison)
}

/// The arguments of a recorded run.
pub fn setup(run: &Value) -> anyhow::Result<Setup> {
    let targets = run["targets"].as_array().context("a run without targets")?;
    let targets = targets.iter().map(|pair| place(pair)?.context("a target at -1 -1"));
    Ok(Setup {
        seed: u32::try_from(number(&run["seed"])?)?,
        level: u8::try_from(number(&run["level"])?)?,
        start: place(&run["start"])?,
        heading: Heading::from_bits(number(&run["orient"])? as u8),
        targets: targets.collect::<anyhow::Result<_>>()?,
    })
}

fn sensor_differences(sensors: &Sensors, told: &Value) -> Vec<&'static str> {
    let terrain: String = sensors.terrain.iter().map(|terrain| Terrain::letter(*terrain)).collect();
    let figures: String = sensors.figures.iter().map(|figure| Figure::letter(*figure)).collect();
    let numbers = [
        ("nivel", i64::from(sensors.level)),
        ("vida", i64::from(sensors.life)),
        ("bateria", i64::from(sensors.battery)),
        ("colision", i64::from(sensors.collision)),
        ("reset", i64::from(sensors.reset)),
        ("posF", i64::from(sensors.place.row)),
        ("posC", i64::from(sensors.place.column)),
        ("sentido", sensors.heading as i64),
        ("destinoF", i64::from(sensors.target.row)),
        ("destinoC", i64::from(sensors.target.column)),
    ];
    let mut differences: Vec<_> =
        numbers.iter().filter(|(name, value)| told[*name] != *value).map(|(name, _)| *name).collect();
    for (name, text) in [("terreno", terrain), ("superficie", figures)] {
        if told[name] != *text {
            differences.push(name);
        }
    }
    differences
}

/// Compares the true state; names that the recording does not have are left out.
fn differences(world: &World, told: &Value) -> Vec<&'static str> {
    let player = world.player();
    let score = world.score();
    let numbers = [
        ("vida", i64::from(score.life)),
        ("deaths", i64::from(score.deaths)),
        ("r", i64::from(player.place.row)),
        ("c", i64::from(player.place.column)),
        ("o", player.heading as i64),
        ("bat", i64::from(player.battery)),
        ("bik", i64::from(player.outfit.has(Outfit::BIKINI))),
        ("zap", i64::from(player.outfit.has(Outfit::SHOES))),
        ("goals", i64::from(score.goals)),
        ("cols", i64::from(score.collisions)),
    ];
    let told_of = |name: &&(&'static str, i64)| told.get(name.0).is_some_and(|value| *value != name.1);
    let mut differences: Vec<_> = numbers.iter().filter(told_of).map(|(name, _)| *name).collect();
    let villagers: Vec<_> = world
        .villagers()
        .iter()
        .map(|villager| serde_json::json!([villager.place.row, villager.place.column, villager.heading as u8]))
        .collect();
    if told["npc"] != Value::Array(villagers) {
        differences.push("npc");
    }
    differences
}
