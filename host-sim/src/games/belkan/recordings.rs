//! The recordings of the original program, and the comparison with them.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use anyhow::{Context, bail};
use flate2::read::GzDecoder;
use rival_core::games::belkan::{Action, Figure, Heading, Map, Outfit, Place, Sensors, Terrain};
use rival_core::wire::Ending;
use serde_json::Value;

use super::contest::{Direct, Walker};
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

/// Has every recorded case of levels 1 to 3 answered and compares lengths and costs.
///
/// A plan is carried out by the referee: it must reach the target without a bump, at level 2 with the fewest actions,
/// at level 3 with the least battery, and the agent must call both proven.
pub fn answers(
    path: &Path,
    map: impl Fn(&str) -> anyhow::Result<Map>,
    agent: &mut Direct,
) -> anyhow::Result<Comparison> {
    let mut comparison = Comparison::default();
    let mut at_hand: Option<(String, Map)> = None;
    for line in lines(path)? {
        let line = line?;
        let name = line["map"].as_str().context("a case without a map")?;
        if at_hand.as_ref().is_none_or(|(known, _)| known != name) {
            at_hand = Some((name.to_owned(), map(name)?));
        }
        let Some((_, map)) = &at_hand else { continue };
        comparison.runs += 1;
        for level in 1..=3 {
            if let Some(difference) = answer(&line, level, map, agent, &mut comparison.ticks)? {
                comparison.mismatches.push(format!("{} level {level}: {difference}", line["id"]));
            }
        }
    }
    Ok(comparison)
}

fn answer(case: &Value, level: u8, map: &Map, agent: &mut Direct, ticks: &mut u32) -> anyhow::Result<Option<String>> {
    let target = place(&case["target"])?.context("a case without a target")?;
    let setup = Setup {
        seed: 1,
        level,
        start: place(&case["start"])?,
        heading: Heading::from_bits(number(&case["orient"])? as u8),
        targets: vec![Place::new(target.column, target.row)],
    };
    let mut world = World::new(map, &setup)?;
    agent.begin(setup.seed as u16, Some(map));
    let (mut proven, mut actions, mut drain) = (false, 0_i64, 0_i64);
    // A level-1 plan may be longer than a life, a dear one may empty the battery: what counts is the plan itself.
    while !world.is_over() {
        let sensors = world.sense();
        let player = *world.player();
        let decision = agent.decision(&sensors)?;
        if actions == 0 {
            proven = decision.statistics.ending == Ending::Proven;
            let reachable = !decision.statistics.line.is_empty() || decision.action.first() != Some(&3);
            let at_target = player.place == target;
            if case["reachable"] == false || at_target {
                return Ok((reachable && !at_target).then(|| "a way where there is none".to_owned()));
            }
            if level > 1 {
                let plan: Vec<_> = decision.action.first().copied().into_iter().collect();
                debug_assert!(!plan.is_empty());
                let told = if level == 2 { &case["bfs_len"] } else { &case["ucs_cost"] };
                if *told != i64::from(decision.statistics.value) {
                    return Ok(Some(format!("{} instead of {told}", decision.statistics.value)));
                }
            }
        }
        if world.player().place == target {
            break;
        }
        let action = decision.action.first().and_then(|&code| Action::from_code(code)).unwrap_or_default();
        world.act(action);
        *ticks += 1;
        actions += 1;
        drain += i64::from(map.get(player.place).cost(world.player().outfit));
    }
    let score = world.score();
    if !proven {
        return Ok(Some("not proven".to_owned()));
    }
    if score.collisions + score.deaths > 0 {
        return Ok(Some(format!("{} collisions, {} deaths", score.collisions, score.deaths)));
    }
    let worn_out = score.battery == 0 || score.life == 0;
    let arrived = world.player().place == target;
    let right = match level {
        1 => arrived,
        2 => arrived && case["bfs_len"] == actions && case["sim_bfs"]["instantes"] == i64::from(score.life),
        _ => arrived && case["ucs_cost"] == drain,
    };
    Ok((!right && !worn_out).then(|| format!("{actions} actions, {drain} battery, arrived: {arrived}")))
}
