//! Matches: many games, seats exchanged, on several maps with varied mechs.

use core::sync::atomic::{AtomicUsize, Ordering};
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::json;

use super::agent::AgentPlayer;
use super::convert::{self, Content};
use super::design::{Design, from_json};
use super::designs::{DESIGNS, LATER_DESIGNS};
use super::files::map::MapFile;
use super::mapgen::{Landscape, generate};
use super::opponents;
use super::record::{Recording, Start};
use super::referee::{Game, Player, Verdict};
use crate::client::Client;
use crate::duel::{INTERRUPTED, MatchSettings, Report, Times, progress};

/// How a match is set up.
#[derive(Clone, Debug)]
pub struct Setting {
    book: bool,
    landscape: Option<Landscape>,
    map: Option<MapFile>,
    designs: Vec<Design>,
    mirror: bool,
    more: Vec<String>,
    size: (u8, u8),
    playback: Option<String>,
}

impl Setting {
    /// Reads `--map` and the `--set` options: `rules=book`, `mechs=NAME[,NAME]`, `designs=FILE`, `more=PLAYER[,PLAYER]`,
    /// `size=COLSxROWS`, `playback=FILE`.
    pub fn new(map: Option<&str>, options: &[(String, String)]) -> Result<Self> {
        let mut setting = Self {
            book: false,
            landscape: None,
            map: None,
            designs: DESIGNS.iter().map(super::design::Order::build).collect::<Result<_>>()?,
            mirror: true,
            more: Vec::new(),
            size: (16, 17),
            playback: None,
        };
        for (key, value) in options {
            match key.as_str() {
                "rules" => {
                    setting.book = match value.as_str() {
                        "book" => true,
                        "ugr" => false,
                        _ => bail!("rules is ugr or book"),
                    }
                }
                "designs" => setting.designs = read_designs(Path::new(value))?,
                "more" => setting.more = value.split(',').map(str::to_owned).collect(),
                "size" => {
                    let parts = value.split_once('x').and_then(|(c, r)| Some((c.parse().ok()?, r.parse().ok()?)));
                    let size: (u8, u8) = parts.context("size is COLSxROWS, such as 16x17")?;
                    if !(6..=32).contains(&size.0) || !(6..=34).contains(&size.1) {
                        bail!("a map has 6 to 32 columns and 6 to 34 rows");
                    }
                    setting.size = size;
                }
                "mechs" => {}
                "playback" => setting.playback = Some(value.clone()),
                other => {
                    bail!("there is no option \"{other}\"; there are: rules, mechs, designs, more, size, playback")
                }
            }
        }
        if let Some((_, names)) = options.iter().find(|(key, _)| key == "mechs") {
            let chosen: Result<Vec<_>> = names.split(',').map(|name| setting.find(name)).collect();
            setting.designs = chosen?;
            setting.mirror = setting.designs.len() < 2;
        }
        if let Some(map) = map {
            setting.landscape = Landscape::ALL.into_iter().find(|landscape| landscape.name() == map);
            if setting.landscape.is_none() {
                let advice = || {
                    let names: Vec<_> = Landscape::ALL.iter().map(|landscape| landscape.name()).collect();
                    format!("a map is a file (.sbt, .bme, .json) or one of {}", names.join(", "))
                };
                match convert::read(Path::new(map)).with_context(advice)? {
                    Content::Map(map) => setting.map = Some(map),
                    Content::Mech(_) => bail!("{map} holds a mech; {}", advice()),
                }
            }
        }
        Ok(setting)
    }

    fn find(&self, name: &str) -> Result<Design> {
        let wanted = name.to_lowercase();
        let found = self.designs.iter().find(|design| design.name.to_lowercase().contains(&wanted));
        if let Some(found) = found {
            return Ok(found.clone());
        }
        let later = LATER_DESIGNS.iter().find(|order| order.name.to_lowercase().contains(&wanted));
        later.map_or_else(
            || {
                let names = self.designs.iter().map(|design| design.name.as_str());
                let names: Vec<_> = names.chain(LATER_DESIGNS.iter().map(|order| order.name)).collect();
                bail!("there is no mech \"{name}\"; there are: {}", names.join(", "))
            },
            super::design::Order::build,
        )
    }

    /// Who plays beside the first two.
    pub fn more(&self) -> &[String] {
        &self.more
    }

    /// Seats at the table.
    pub fn seats(&self) -> usize {
        2 + self.more.len()
    }

    /// The game of this number: two in a row are the same but for the seats.
    ///
    /// # Panics
    /// Never: a map that was read or made can be read again.
    pub fn game(&self, seed: u64, number: usize) -> Game {
        self.start(seed, number).game().expect("our own map")
    }

    /// What the game of this number starts from.
    pub fn start(&self, seed: u64, number: usize) -> Start {
        let pair = number as u64 / 2;
        let landscape = self.landscape.unwrap_or(Landscape::ALL[(pair % 6) as usize]);
        let map_seed = seed.wrapping_mul(0x9E37_79B9).wrapping_add(pair / 6 % 4);
        let map = self.map.clone().unwrap_or_else(|| generate(landscape, self.size.0, self.size.1, map_seed));
        let designs: Vec<Design> = (0..self.seats())
            .map(|seat| {
                let at = if self.mirror {
                    (pair as usize * 5 + pair as usize / 12) % self.designs.len()
                } else {
                    seat % self.designs.len()
                };
                self.designs[at].clone()
            })
            .collect();
        Start::new(self.book, seed.wrapping_mul(1_000_003).wrapping_add(pair), &map, designs)
    }
}

/// Designs from a JSON file: a list as in the recordings.
pub fn read_designs(path: &Path) -> Result<Vec<Design>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let values: Vec<serde_json::Value> = serde_json::from_str(&text)?;
    values.iter().map(from_json).collect()
}

/// Somebody at the table: the agent keeps its figures.
enum Seat {
    Agent(Box<AgentPlayer>),
    Other(Box<dyn Player + Send>),
}

impl Seat {
    fn new(settings: &MatchSettings, name: &str, seed: u64) -> Result<Self> {
        Ok(match name {
            "agent" => Self::Agent(Box::new(AgentPlayer::new(Client::open(&settings.link)?, settings.limits))),
            _ => Self::Other(opponents::by_name(name, seed)?),
        })
    }

    fn player(&mut self) -> &mut dyn Player {
        match self {
            Self::Agent(agent) => agent.as_mut(),
            Self::Other(other) => other.as_mut(),
        }
    }
}

/// What one game came to.
struct Outcome {
    points: f64,
    turns: u8,
    refused: [usize; 2],
    reasons: Vec<String>,
}

fn play_one(
    setting: &Setting,
    settings: &MatchSettings,
    seats: &mut [Seat],
    number: usize,
    keep_log: bool,
) -> Result<(Outcome, Game)> {
    let mut game = setting.game(settings.seed, number);
    game.dice.keep = keep_log;
    // In the second game of a pair the first two exchange their seats.
    let swapped = number % 2 == 1;
    let count = seats.len();
    let mut players: Vec<&mut dyn Player> = seats.iter_mut().map(Seat::player).collect();
    if swapped {
        players.swap(0, 1);
    }
    debug_assert_eq!(players.len(), count);
    let verdict = game.play(&mut players);
    let first = usize::from(swapped);
    let points = match verdict {
        Verdict::Draw => 0.5,
        Verdict::Winner(who) if who == first => 1.0,
        Verdict::Winner(_) => 0.0,
    };
    for seat in seats {
        if let Seat::Agent(agent) = seat
            && let Some(error) = agent.error.take()
        {
            return Err(error.context(format!("in game {number}")));
        }
    }
    let mut refused = [0, 0];
    for (who, _) in &game.refused {
        if *who < 2 {
            refused[usize::from((*who == 0) == swapped)] += 1;
        }
    }
    let reasons = game.refused.iter().map(|(who, reason)| format!("game {number}, player {who}: {reason}")).collect();
    Ok((Outcome { points, turns: game.turn, refused, reasons }, game))
}

/// Plays a match.
pub fn run(settings: &MatchSettings) -> Result<Report> {
    let setting = Setting::new(settings.map.as_deref(), &settings.options)?;
    let names: Vec<&str> = [settings.p1.as_str(), settings.p2.as_str()]
        .into_iter()
        .chain(setting.more.iter().map(String::as_str))
        .collect();
    let bar = progress(settings.games, settings.quiet);
    let next = AtomicUsize::new(0);
    let work = || -> Result<(Vec<(usize, Outcome)>, Times)> {
        let mut seats: Vec<Seat> = names
            .iter()
            .enumerate()
            .map(|(at, name)| Seat::new(settings, name, settings.seed ^ (at as u64 + 1) << 32))
            .collect::<Result<_>>()?;
        let mut outcomes = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= settings.games || INTERRUPTED.load(Ordering::Relaxed) {
                break;
            }
            let file = setting.playback.as_ref().filter(|_| number == 0);
            let (outcome, game) = play_one(&setting, settings, &mut seats, number, file.is_some())?;
            if let Some(file) = file {
                let out = std::fs::File::create(file).with_context(|| format!("cannot write {file}"))?;
                Recording::new(setting.start(settings.seed, number), &game).write(std::io::BufWriter::new(out))?;
            }
            outcomes.push((number, outcome));
            bar.inc(1);
        }
        let mut times = Times::default();
        for seat in seats {
            if let Seat::Agent(agent) = seat {
                times = agent.times;
                break;
            }
        }
        Ok((outcomes, times))
    };
    let results: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..settings.jobs.max(1)).map(|_| scope.spawn(work)).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().map_err(|_| anyhow::anyhow!("a game failed"))?)
            .collect::<Result<_>>()
    })?;
    bar.finish_and_clear();
    let mut times = Times::default();
    let mut outcomes = Vec::new();
    for (more, spent) in results {
        outcomes.extend(more);
        times.merge(spent);
    }
    outcomes.sort_by_key(|(number, _)| *number);
    Ok(report(&names, &setting, &outcomes, &times))
}

fn report(names: &[&str], setting: &Setting, outcomes: &[(usize, Outcome)], times: &Times) -> Report {
    let count = outcomes.len();
    let of = |points: f64| outcomes.iter().filter(|(_, outcome)| (outcome.points - points).abs() < 0.1).count();
    let (wins, draws, losses) = (of(1.0), of(0.5), of(0.0));
    let share = 100.0 * outcomes.iter().map(|(_, outcome)| outcome.points).sum::<f64>() / count.max(1) as f64;
    let turns = outcomes.iter().map(|(_, outcome)| f64::from(outcome.turns)).sum::<f64>() / count.max(1) as f64;
    let refused = outcomes.iter().fold([0, 0], |sum, (_, o)| [sum[0] + o.refused[0], sum[1] + o.refused[1]]);
    let rules = if setting.book { "book" } else { "ugr" };
    let (elo, error) = crate::duel::elo(outcomes.iter().map(|(_, outcome)| outcome.points));
    let mut summary = format!(
        "{} against {} ({rules} rules, {} seats): {wins} won, {draws} drawn, {losses} lost of {count}: {share:.1} % of the points\n\
         mean length {turns:.1} turns; actions refused: {} and {}",
        names[0],
        names[1..].join(", "),
        names.len(),
        refused[0],
        refused[1],
    );
    for reason in outcomes.iter().flat_map(|(_, outcome)| &outcome.reasons).take(3) {
        summary.push_str("\n  ");
        summary.push_str(reason);
    }
    if times.count() > 0 {
        summary.push('\n');
        summary.push_str(&times.summary());
    }
    let json = json!({ "p1": names[0], "p2": names[1], "players": names, "rules": rules, "games": count, "wins": wins,
        "draws": draws, "losses": losses, "points": share / 100.0 * count as f64, "elo": elo, "elo_error": error, "mean_turns": turns,
        "refused": refused, "p1_times": times.json() });
    Report { summary, json }
}

/// Plays one game and writes its log.
pub fn show(settings: &MatchSettings, out: &mut dyn Write) -> Result<Report> {
    let setting = Setting::new(settings.map.as_deref(), &settings.options)?;
    let names = [settings.p1.as_str(), settings.p2.as_str()];
    let mut seats = names
        .iter()
        .enumerate()
        .map(|(at, name)| Seat::new(settings, name, settings.seed ^ (at as u64 + 1) << 32))
        .collect::<Result<Vec<_>>>()?;
    let (outcome, game) = play_one(&Setting { more: Vec::new(), ..setting.clone() }, settings, &mut seats, 0, true)?;
    for line in &game.dice.log {
        writeln!(out, "{line}")?;
    }
    writeln!(out, "{}", super::draw::map_text(&game, false))?;
    let times = match seats.into_iter().next() {
        Some(Seat::Agent(agent)) => agent.times,
        _ => Times::default(),
    };
    Ok(report(&names, &setting, &[(0, outcome)], &times))
}
