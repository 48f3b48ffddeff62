//! Matches: two walkers on the same maps with the same seeds.

use core::fmt::Write as _;
use core::ops::RangeInclusive;
use core::sync::atomic::Ordering;
use std::io::Write;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use rival_core::games::belkan::{Heading, LIFETIME, Map, Place, Sensors, Terrain};
use serde_json::{Value, json};

use super::contest::{BENCHMARK, Walker, benchmark, pieces, whole};
use super::linked::Linked;
use super::world::{Score, Setup, World};
use super::{action_name, draw, maps, opponents};
use crate::client::Client;
use crate::duel::{INTERRUPTED, MatchSettings, Report, Times, progress};
use crate::games::Position;

/// A map to walk on, and how the game on it is set up.
pub(super) struct Stage {
    pub(super) name: String,
    pub(super) map: Map,
    pub(super) setup: Setup,
}

/// The map that is written `generated:<seed>:<size>`, by the name of a course map, or as the path of a file.
fn map_of(name: &str) -> Result<Map> {
    if let Some(words) = name.strip_prefix("generated:") {
        let (seed, size) = words.split_once(':').context("a generated map is written generated:<seed>:<size>")?;
        return maps::generate(seed.parse().context("the seed has to be a number")?, size.parse()?);
    }
    if Path::new(name).is_file() {
        return maps::read(Path::new(name));
    }
    maps::course(name).with_context(|| {
        format!(
            "no map \"{name}\": give a file, generated:<seed>:<size>, the name of a map in ../shared/maps/belkan, \
            `course` for all ten of them, or `benchmark` for the course's six benchmark lines"
        )
    })
}

/// A pair that is walkable both ways round: the first target is transposed, the second is not.
fn first_pair(map: &Map) -> Result<Place> {
    let middle = i32::from(map.size() / 2);
    let off = |place: &Place| (i32::from(place.row) - middle).abs() + (i32::from(place.column) - middle).abs();
    map.places()
        .filter(|&Place { row, column }| {
            map.get(Place::new(row, column)).is_passable() && map.get(Place::new(column, row)).is_passable()
        })
        .min_by_key(off)
        .context("the map has no cell for a target")
}

/// The stages that a map's name stands for.
pub(super) fn stages(name: &str, options: &[(String, String)]) -> Result<Vec<Stage>> {
    let stage = |name: &str| -> Result<Stage> {
        let map = map_of(name)?;
        let setup = Setup { seed: 1, level: 4, start: None, heading: Heading::North, targets: vec![first_pair(&map)?] };
        Ok(Stage { name: name.to_owned(), map, setup })
    };
    let mut stages: Vec<Stage> = match name {
        "course" => maps::COURSE.into_iter().map(stage).collect::<Result<_>>()?,
        "benchmark" => BENCHMARK
            .into_iter()
            .map(|(name, line)| Ok(Stage { setup: benchmark(line, 1), ..stage(name)? }))
            .collect::<Result<_>>()?,
        one => vec![stage(one)?],
    };
    for (key, value) in options {
        for stage in &mut stages {
            let setup = &mut stage.setup;
            match key.as_str() {
                "level" => setup.level = value.parse().context("level has to be 1 to 4")?,
                "heading" => setup.heading = Heading::from_bits(value.parse().context("heading has to be 0 to 3")?),
                "start" => setup.start = Some(pair(value)?),
                "targets" => setup.targets = value.split(';').map(pair).collect::<Result<_>>()?,
                "seeds" => {}
                other => bail!("Belkan does not know \"{other}\": there are level, heading, start, targets and seeds"),
            }
        }
    }
    Ok(stages)
}

fn pair(text: &str) -> Result<Place> {
    let (row, column) = text.split_once(',').with_context(|| format!("\"{text}\" has to be row,column"))?;
    Ok(Place::new(row.trim().parse()?, column.trim().parse()?))
}

/// The seeds of a match: `--set seeds=1..5`, or as many as there are games from the match's own on.
fn seeds(settings: &MatchSettings) -> Result<RangeInclusive<u32>> {
    let given = settings.options.iter().find(|(key, _)| key == "seeds");
    let Some((_, text)) = given else {
        let first = settings.seed as u32;
        return Ok(first..=first + settings.games.max(1) as u32 - 1);
    };
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    Ok(first.parse().context("seeds are written 1..5")?..=last.trim_start_matches('=').parse()?)
}

/// Whoever walks: the agent behind its link, or an opponent.
pub(super) enum Seat {
    Agent(Box<Linked>),
    Opponent(Box<dyn Walker>),
}

impl Seat {
    pub(super) fn new(name: &str, link: &crate::link::LinkSpec, limits: rival_core::wire::Limits) -> Result<Self> {
        Ok(match name {
            "agent" => Self::Agent(Box::new(Linked::new(Client::open(link)?, limits))),
            other => Self::Opponent(opponents::by_name(other)?),
        })
    }

    pub(super) fn begin(&mut self, game: u16, map: Option<&Map>) -> Result<()> {
        match self {
            Self::Agent(agent) => agent.begin(game, map),
            Self::Opponent(walker) => {
                walker.begin(game, map);
                Ok(())
            }
        }
    }

    fn times(&self) -> Times {
        match self {
            Self::Agent(agent) => agent.times.clone(),
            Self::Opponent(_) => Times::default(),
        }
    }
}

/// Plays a game. Beside the score whether a charger was seen.
fn play(stage: &Stage, seed: u32, seat: &mut Seat) -> Result<(Score, bool)> {
    let setup = Setup { seed, ..stage.setup.clone() };
    let mut world = World::new(&stage.map, &setup)?;
    seat.begin(seed as u16, (setup.level < 4).then_some(&stage.map))?;
    let mut found = false;
    while !world.is_over() {
        let sensors = world.sense();
        found |= sensors.seen().any(|(_, terrain, _)| terrain == Terrain::Charger);
        let action = match seat {
            Seat::Agent(agent) => agent.decide(&sensors)?.0,
            Seat::Opponent(walker) => walker.decide(&sensors),
        };
        world.act(action);
    }
    Ok((world.score(), found))
}

fn map_name(settings: &MatchSettings) -> &str {
    settings.map.as_deref().unwrap_or("generated:1:50")
}

/// Plays a match.
pub(super) fn run(settings: &MatchSettings) -> Result<Report> {
    let started = Instant::now();
    let stages = stages(map_name(settings), &settings.options)?;
    let seeds = seeds(settings)?;
    let bar = progress(stages.len() * seeds.clone().count() * 2, settings.quiet);
    let names = [&settings.p1, &settings.p2];
    let mut seats = [
        Seat::new(&settings.p1, &settings.link, settings.limits)?,
        Seat::new(&settings.p2, &settings.link, settings.limits)?,
    ];
    let mut summary = format!(
        "{:<18} {:<10} {:>7} {:>7}  {:<24} {:>9} {:>7} {:>8} {:>7} {:>6}\n",
        "map", "walker", "goals", "mean", "by seed", "battery", "ticks", "chargers", "bumps", "falls"
    );
    let (mut rows, mut points, mut games) = (Vec::new(), 0.0, 0);
    let mut totals = [0; 2];
    'all: for stage in &stages {
        let mut scores: [Vec<Score>; 2] = Default::default();
        let mut chargers = [0_u32; 2];
        for seed in seeds.clone() {
            for ((seat, scores), chargers) in seats.iter_mut().zip(&mut scores).zip(&mut chargers) {
                if INTERRUPTED.load(Ordering::Relaxed) {
                    let _ = writeln!(summary, "interrupted");
                    break 'all;
                }
                bar.set_message(format!("{} seed {seed}", stage.name));
                let (score, found) = play(stage, seed, seat)?;
                scores.push(score);
                *chargers += u32::from(found);
                bar.inc(1);
            }
        }
        for (first, second) in scores[0].iter().zip(&scores[1]) {
            points += match first.goals.cmp(&second.goals) {
                core::cmp::Ordering::Greater => 1.0,
                core::cmp::Ordering::Equal => 0.5,
                core::cmp::Ordering::Less => 0.0,
            };
            games += 1;
        }
        for (((name, scores), total), found) in names.iter().zip(&scores).zip(&mut totals).zip(chargers) {
            let goals: u32 = scores.iter().map(|score| score.goals).sum();
            let count = scores.len().max(1) as f64;
            let by_seed: Vec<_> = scores.iter().map(|score| score.goals.to_string()).collect();
            let sum = |of: fn(&Score) -> u32| scores.iter().map(of).sum::<u32>();
            let _ = writeln!(
                summary,
                "{:<18} {name:<10} {goals:>7} {:>7.1}  {:<24} {:>9.0} {:>7.0} {found:>8} {:>7} {:>6}",
                stage.name,
                f64::from(goals) / count,
                by_seed.join(" "),
                f64::from(sum(|score| score.battery.into())) / count,
                f64::from(sum(|score| score.life.into())) / count,
                sum(|score| score.collisions),
                sum(|score| score.deaths),
            );
            *total += goals;
            rows.push(json!({ "map": stage.name, "walker": name, "goals": goals, "chargers": found,
                "runs": scores.iter().map(|score| json!({ "goals": score.goals, "battery": score.battery,
                    "life": score.life, "collisions": score.collisions, "deaths": score.deaths })).collect::<Vec<_>>() }));
        }
    }
    bar.finish_and_clear();
    let ratio = f64::from(totals[0]) / f64::from(totals[1].max(1));
    let _ = writeln!(summary, "in all: {} {}, {} {} ({ratio:.2} times)", names[0], totals[0], names[1], totals[1]);
    let times = [seats[0].times(), seats[1].times()];
    for (name, times) in names.iter().zip(&times) {
        if times.count() > 0 {
            let _ = writeln!(summary, "  {name}: {}", times.summary());
        }
    }
    let _ = write!(summary, "  {:.1} s in all", started.elapsed().as_secs_f64());
    let json = json!({ "p1": names[0], "p2": names[1], "games": games, "points": points, "goals": totals, "runs": rows,
        "p1_times": times[0].json(), "p2_times": times[1].json(), "link": settings.link.to_string() });
    Ok(Report { summary, json })
}

/// Plays one game of the first player and writes down every target it reaches.
pub(super) fn show(settings: &MatchSettings, out: &mut dyn Write) -> Result<Report> {
    let settings = MatchSettings { games: 1, quiet: true, ..settings.clone() };
    let stage = stages(map_name(&settings), &settings.options)?.swap_remove(0);
    let seed = *seeds(&settings)?.start();
    let mut seat = Seat::new(&settings.p1, &settings.link, settings.limits)?;
    let mut world = World::new(&stage.map, &Setup { seed, ..stage.setup.clone() })?;
    seat.begin(seed as u16, (stage.setup.level < 4).then_some(&stage.map))?;
    let mut goals = 0;
    while !world.is_over() {
        let sensors = world.sense();
        let score = world.score();
        if score.goals > goals {
            goals = score.goals;
            let Place { row, column } = sensors.place;
            writeln!(
                out,
                "tick {:>4}  target {goals:>3} at {row:>2},{column:<2}  battery {:>4}",
                LIFETIME - 1 - score.life,
                score.battery
            )?;
        }
        let action = match &mut seat {
            Seat::Agent(agent) => {
                let (action, answer) = agent.decide(&sensors)?;
                if sensors.life == LIFETIME - 1 {
                    writeln!(out, "{}", draw::cone(&sensors))?;
                    let nodes = answer.statistics.nodes;
                    writeln!(out, "first decision: {}, {nodes} nodes", action_name(action as u8))?;
                }
                action
            }
            Seat::Opponent(walker) => walker.decide(&sensors),
        };
        world.act(action);
    }
    run(&settings)
}

/// The sensors of a game's first tick.
pub(super) fn first_tick(name: &str, level: u8) -> Result<Sensors> {
    let stage = stages(name, &[("level".into(), level.to_string())])?.swap_remove(0);
    Ok(World::new(&stage.map, &stage.setup)?.sense())
}

/// The first tick on a map as a person writes it: `start` for level 3 across the map, or JSON with any of level, start,
/// heading and target. Beside it the map, where the level has it known.
pub(super) fn first_tick_on(text: &str, map: &str) -> Result<(Vec<u8>, Vec<Vec<u8>>)> {
    let advice = "with a map a state is `start`, or JSON such as \
        {\"level\":3,\"start\":[5,5],\"heading\":0,\"target\":[30,40]}; whatever is left out is chosen";
    let map = map_of(map)?;
    let written: Value = if text == "start" { json!({}) } else { serde_json::from_str(text).context(advice)? };
    if written
        .as_object()
        .is_none_or(|all| all.keys().any(|key| !["level", "start", "heading", "target"].contains(&&**key)))
    {
        bail!("{advice}");
    }
    let walkable: Vec<Place> = map.places().filter(|&place| map.get(place).is_passable()).collect();
    let number = |value: &Value| value.as_u64().and_then(|number| u8::try_from(number).ok()).context(advice);
    let place = |name: &str, otherwise: Option<&Place>| match written.get(name) {
        Some(pair) => Ok(Place::new(number(&pair[0])?, number(&pair[1])?)),
        None => otherwise.copied().context("nobody can stand on this map"),
    };
    let small = |name: &str, otherwise: u8| written.get(name).map_or(Ok(otherwise), number);
    let target = place("target", walkable.last())?;
    if !map.get(target).is_passable() {
        bail!("the target is a wall or a precipice");
    }
    let setup = Setup {
        seed: 1,
        level: small("level", 3)?,
        start: Some(place("start", walkable.first())?),
        heading: Heading::from_bits(small("heading", 0)?),
        targets: vec![Place::new(target.column, target.row)],
    };
    let sensors = World::new(&map, &setup)?.sense();
    let load = if setup.level < 4 { pieces(&whole(sensors.game, &map)) } else { Vec::new() };
    Ok((sensors.encode().to_vec(), load))
}

/// Cold plans across generated maps: the first tick of levels 1 to 4, the target in the far corner.
pub(super) fn positions() -> Result<Vec<Position>> {
    let mut positions = Vec::new();
    for (seed, size) in [(1, 30), (2, 50), (3, 75), (4, 100), (5, 100), (6, 100)] {
        let map = maps::generate(seed, size)?;
        let walkable: Vec<Place> = map.places().filter(|&place| map.get(place).is_passable()).collect();
        let (Some(&first), Some(&last)) = (walkable.first(), walkable.last()) else { continue };
        for level in 1..=4 {
            let setup = Setup {
                seed: 1,
                level,
                start: Some(first),
                heading: Heading::North,
                targets: vec![Place::new(last.column, last.row)],
            };
            let sensors = World::new(&map, &setup)?.sense();
            let load = if level < 4 { pieces(&whole(1, &map)).into_iter().next() } else { None };
            let name = format!("generated:{seed}:{size} level {level}");
            positions.push(Position { name, state: sensors.encode().to_vec(), load });
        }
    }
    Ok(positions)
}
