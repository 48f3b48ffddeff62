//! The recordings of the original program, and the comparison with them.

use std::path::Path;

use anyhow::{Context, bail};
use rival_core::games::belkan::{Action, Figure, Heading, Map, Outfit, Place, Sensors, Terrain};
use rival_core::wire::{Bounded, Ending, Limits, Statistics};
use serde_json::Value;

use super::linked::Linked;
use super::world::{Setup, World};
use crate::client::Client;
use crate::link::LinkSpec;
use crate::recording::{Conformance, lines};

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

/// Compares a recording with our rules, and answers with exact answers.
pub fn conform(
    path: &Path,
    map: impl Fn(&str) -> anyhow::Result<Map>,
    link: &LinkSpec,
    limits: Limits,
) -> anyhow::Result<Conformance> {
    let first = lines(path)?.next().transpose()?;
    if first.is_some_and(|(_, line)| line.get("run").is_some()) {
        return replay(path, map);
    }
    // A plan is cold only once: whatever limit is set, the first decision must be allowed to finish.
    let limits = Limits { nodes: 0, ..limits };
    answers(path, map, &mut Linked::new(Client::open(link)?, limits))
}

/// Replays recorded runs tick by tick and compares sensors, true state and the final numbers.
pub fn replay(path: &Path, map: impl Fn(&str) -> anyhow::Result<Map>) -> anyhow::Result<Conformance> {
    let mut result = Conformance::default();
    let mut at_hand: Option<(String, World, Value)> = None;
    let mut runs = 0;
    for line in lines(path)? {
        let (number, line) = line?;
        if let Some(run) = line.get("run") {
            let setup = setup(run)?;
            let map = map(run["map"].as_str().context("a run without a map")?)?;
            at_hand = Some((run["id"].to_string(), World::new(&map, &setup)?, run["printed"].clone()));
            runs += 1;
            continue;
        }
        let Some((id, world, printed)) = &mut at_hand else { bail!("line {number}: a tick before the first run") };
        let mut differences;
        if let Some(end) = line.get("end") {
            differences = self::differences(world, end);
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
        } else if world.is_over() {
            differences = vec!["over too early"];
        } else {
            let sensors = world.sense();
            differences = sensor_differences(&sensors, &line["in"]);
            differences.extend(self::differences(world, &line["st"]));
            let action = line["a"].as_str().and_then(|action| Action::from_letter(action.chars().next()?));
            world.act(action.with_context(|| format!("{id}: no action is called {}", line["a"]))?);
        }
        let wrong = !differences.is_empty();
        result.step(wrong.then_some(|| format!("line {number}, run {id}: {}", differences.join(", "))));
    }
    result.notes.push(format!("{runs} runs"));
    Ok(result)
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
    agent: &mut Linked,
) -> anyhow::Result<Conformance> {
    let mut result = Conformance::default();
    let mut at_hand: Option<(String, Map)> = None;
    let mut peaks = Peaks::default();
    for line in lines(path)? {
        let (_, line) = line?;
        let name = line["map"].as_str().context("a case without a map")?;
        if at_hand.as_ref().is_none_or(|(known, _)| known != name) {
            at_hand = Some((name.to_owned(), map(name)?));
        }
        let Some((_, map)) = &at_hand else { continue };
        for level in 1..=3 {
            let difference = answer(&line, level, map, agent, &mut peaks)?;
            let id = &line["id"];
            result.step(difference.map(|difference| move || format!("{id} level {level}: {difference}")));
        }
    }
    result.notes.push(format!(
        "longest plan: {} nodes, {} µs; open list {} of {} entries, closed {} of {} states",
        peaks.nodes, peaks.search_us, peaks.open.0, peaks.open.1, peaks.visited.0, peaks.visited.1
    ));
    result.notes.push(agent.times.summary());
    Ok(result)
}

/// The largest figures of any decision.
#[derive(Default)]
struct Peaks {
    nodes: u32,
    search_us: u32,
    open: (u32, u32),
    visited: (u32, u32),
}

impl Peaks {
    fn add(&mut self, statistics: &Statistics) {
        self.nodes = self.nodes.max(statistics.nodes);
        self.search_us = self.search_us.max(statistics.search_us);
        for mark in &statistics.marks {
            match mark.table {
                Bounded::Open => self.open = self.open.max((mark.used, mark.capacity)),
                Bounded::Visited => self.visited = self.visited.max((mark.used, mark.capacity)),
                _ => {}
            }
        }
    }
}

fn answer(case: &Value, level: u8, map: &Map, agent: &mut Linked, peaks: &mut Peaks) -> anyhow::Result<Option<String>> {
    let target = place(&case["target"])?.context("a case without a target")?;
    let setup = Setup {
        seed: 1,
        level,
        start: place(&case["start"])?,
        heading: Heading::from_bits(number(&case["orient"])? as u8),
        targets: vec![Place::new(target.column, target.row)],
    };
    let mut world = World::new(map, &setup)?;
    agent.begin(setup.seed as u16, Some(map))?;
    let (mut proven, mut actions, mut drain) = (false, 0_i64, 0_i64);
    // A level-1 plan may be longer than a life, a dear one may empty the battery: what counts is the plan itself.
    while !world.is_over() {
        let sensors = world.sense();
        let player = *world.player();
        let (action, decision) = agent.decide(&sensors)?;
        if actions == 0 {
            peaks.add(&decision.statistics);
            proven = decision.statistics.ending == Ending::Proven;
            let reachable = !decision.statistics.line.is_empty() || action != Action::Idle;
            let at_target = player.place == target;
            if case["reachable"] == false || at_target {
                return Ok((reachable && !at_target).then(|| "a way where there is none".to_owned()));
            }
            if level > 1 {
                let told = if level == 2 { &case["bfs_len"] } else { &case["ucs_cost"] };
                if *told != i64::from(decision.statistics.value) {
                    return Ok(Some(format!("{} instead of {told}", decision.statistics.value)));
                }
            }
        }
        if world.player().place == target {
            break;
        }
        world.act(action);
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
