//! Games and matches: both players answer, then the turn is played.

use core::fmt::Write as _;
use core::sync::atomic::{AtomicUsize, Ordering};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;

use anyhow::{Context, Result, anyhow, bail};
use rival_core::games::GameId;
use rival_core::games::planet_wars::{Kick, Order, Outcome, Player, State, TURNS, Turn, View};
use rival_core::wire::Limits;
use serde_json::json;

use super::map::Map;
use super::opponents::{Kind, Opponent};
use super::playback;
use super::program::Program;
use crate::client::{Answer, Client};
use crate::duel::{INTERRUPTED, MatchSettings, Report, Times, progress};

/// What a player ordered, and how the agent came to it.
pub type Said = (Vec<Order>, Option<Answer>);

/// Somebody who gives orders.
pub trait Seat {
    /// Orders for the next turn. The agent adds how it came to them.
    fn orders(&mut self, game: &Game, me: Player) -> Result<Said>;
    /// The speed of its line, where it has one.
    fn baud(&self) -> Option<u32> {
        None
    }
}

impl Seat for Opponent {
    fn orders(&mut self, game: &Game, me: Player) -> Result<Said> {
        Ok((Self::orders(self, &game.state, me, game.turn + 1), None))
    }
}

/// The agent behind a link.
pub struct Agent {
    client: Client,
    limits: Limits,
}

impl Agent {
    /// An agent that is given these limits for each decision.
    pub const fn new(client: Client, limits: Limits) -> Self {
        Self { client, limits }
    }
}

impl Seat for Agent {
    fn orders(&mut self, game: &Game, me: Player) -> Result<Said> {
        let bytes = View::new(&game.state, me, game.turn + 1)?.encode()?;
        let answer = self.client.decide(GameId::PlanetWars, &bytes, self.limits)?;
        Ok((orders_of(&answer.action)?, Some(answer)))
    }

    fn baud(&self) -> Option<u32> {
        self.client.baud()
    }
}

/// The orders in an action's bytes.
pub fn orders_of(action: &[u8]) -> Result<Vec<Order>> {
    let (orders, rest) = action.as_chunks::<4>();
    if !rest.is_empty() {
        bail!("the agent's action has {} bytes, which are no orders of four each", action.len());
    }
    let order = |&[source, destination, low, high]: &[u8; 4]| Order {
        source: source.into(),
        destination: destination.into(),
        ships: u16::from_le_bytes([low, high]).into(),
    };
    Ok(orders.iter().map(order).collect())
}

/// A player by its name: `agent`, `agent:<depth>` (the same with as many plans as that), `bot:<command>` (a program that
/// speaks the contest's protocol), or an opponent.
pub fn seat(settings: &MatchSettings, name: &str, seed: u64) -> Result<Box<dyn Seat>> {
    let agent =
        |limits: Limits| -> Result<Box<dyn Seat>> { Ok(Box::new(Agent::new(Client::open(&settings.link)?, limits))) };
    match name.split_once(':') {
        None if name == "agent" => agent(settings.limits),
        Some(("agent", depth)) => {
            agent(Limits { depth: depth.parse().context("agent:<depth> wants a number")?, ..settings.limits })
        }
        Some(("bot", command)) => Ok(Box::new(Program::new(command))),
        _ => Ok(Box::new(opponent(name, seed)?)),
    }
}

/// An opponent by its name.
pub fn opponent(name: &str, seed: u64) -> Result<Opponent> {
    let kind = Kind::named(name).ok_or_else(|| {
        let names = Kind::ALL.map(Kind::name).join(", ");
        anyhow!("nobody is called \"{name}\"; there are: agent, agent:<depth>, bot:<command>, {names}")
    })?;
    Ok(Opponent::new(kind, seed))
}

/// A game in progress.
#[derive(Clone, Debug)]
pub struct Game {
    /// The map as it was at the start.
    pub map: Map,
    /// The state now.
    pub state: State,
    /// Turns played.
    pub turn: u16,
    /// Who was thrown out and why.
    pub kicks: Vec<(Player, Kick)>,
}

impl Game {
    /// A game on a map.
    pub fn new(map: Map) -> Self {
        let state = map.state.clone();
        Self { map, state, turn: 0, kicks: Vec::new() }
    }

    /// How it stands.
    pub fn outcome(&self) -> Outcome {
        self.state.outcome(self.turn, TURNS)
    }

    /// Plays a turn with what the two players ordered; a bad order throws its player out.
    pub fn play(&mut self, orders: &[Vec<Order>; 2]) {
        self.turn += 1;
        let mut turn = Turn::new(&mut self.state);
        for (player, orders) in Player::BOTH.into_iter().zip(orders) {
            if let Err(kick) = orders.iter().try_for_each(|&order| turn.order(player, order)) {
                turn.kick(player);
                self.kicks.push((player, kick));
            }
        }
        turn.finish();
    }

    /// Asks both players, who is asked first being nobody's advantage, and plays a turn. Gives how they came to it.
    pub fn round(&mut self, seats: [&mut dyn Seat; 2]) -> Result<[Said; 2]> {
        let [one, two] = seats;
        let (orders_one, answer_one) = one.orders(self, Player::One)?;
        let (orders_two, answer_two) = two.orders(self, Player::Two)?;
        let orders = [orders_one, orders_two];
        self.play(&orders);
        let [orders_one, orders_two] = orders;
        Ok([(orders_one, answer_one), (orders_two, answer_two)])
    }
}

/// The maps of a match: a file, all files of a folder, or generated ones.
pub enum Maps {
    /// These, in turn.
    Files(Vec<PathBuf>),
    /// One, whatever the number of the game.
    One(Box<Map>),
    /// A new one for every two games.
    Generated(u64),
}

impl Maps {
    /// From what a user typed.
    pub fn named(name: Option<&str>, seed: u64) -> Result<Self> {
        let Some(name) = name else { return Ok(Self::Generated(seed)) };
        let path = Path::new(name);
        if !path.is_dir() {
            return Ok(Self::One(Box::new(Map::named(name)?)));
        }
        let folder = path.read_dir().with_context(|| format!("cannot read {name}"))?;
        let mut files: Vec<PathBuf> = folder
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|file| file.extension().is_some_and(|extension| extension == "txt"))
            .collect();
        // map2 before map10.
        files.sort_by_key(|file| (file.as_os_str().len(), file.clone()));
        if files.is_empty() {
            bail!("{name} holds no maps: they end in .txt");
        }
        Ok(Self::Files(files))
    }

    /// The map of the game with this number; two in a row share one and exchange the seats.
    pub fn of_game(&self, number: usize) -> Result<Map> {
        match self {
            Self::Files(files) => Map::load(&files[number / 2 % files.len()]),
            Self::One(map) => Ok((**map).clone()),
            Self::Generated(seed) => Map::generate(seed.wrapping_add(number as u64 / 2)),
        }
    }
}

/// What one game came to.
#[derive(Clone, Debug)]
struct Finished {
    /// For `p1`, whichever seat it had.
    points: f64,
    seat: usize,
    turns: u16,
    kicked: [bool; 2],
}

/// Whoever looks on.
type Watch<'a> = dyn FnMut(&Game, &[Said; 2]) -> Result<()> + 'a;

/// Plays one game. `watch` sees every turn.
fn play_one(
    maps: &Maps,
    settings: &MatchSettings,
    players: &mut [Box<dyn Seat>; 2],
    number: usize,
    watch: &mut Watch<'_>,
) -> Result<(Finished, [Times; 2])> {
    let mut game = Game::new(maps.of_game(number)?);
    let mut times: [Times; 2] = Default::default();
    // p1 sits first in even games.
    let place = number % 2;
    while game.outcome() == Outcome::Running {
        let [p1, p2] = players.each_mut();
        let bauds = [p1.baud(), p2.baud()];
        let seats: [&mut dyn Seat; 2] = if place == 0 { [&mut **p1, &mut **p2] } else { [&mut **p2, &mut **p1] };
        let said = game.round(seats)?;
        for (index, (_, answer)) in said.iter().enumerate() {
            if let Some(answer) = answer {
                times[index ^ place].add(answer, bauds[index ^ place], settings.limits);
            }
        }
        watch(&game, &said)?;
    }
    let points = match game.outcome() {
        Outcome::Won(player) if player.index() == place => 1.0,
        Outcome::Won(_) => 0.0,
        _ => 0.5,
    };
    let kicked = [place, 1 - place].map(|seat| game.kicks.iter().any(|(player, _)| player.index() == seat));
    Ok((Finished { points, seat: place, turns: game.turn, kicked }, times))
}

fn option<'a>(settings: &'a MatchSettings, key: &str) -> Option<&'a str> {
    settings.options.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
}

/// Plays a match; with `playback` or `svg` among the options the first game is written down.
pub fn run_match(settings: &MatchSettings) -> Result<Report> {
    if let Some((key, _)) = settings.options.iter().find(|(key, _)| !["playback", "svg"].contains(&key.as_str())) {
        bail!("Planet Wars knows no option \"{key}\"; there are: playback, svg");
    }
    let started = Instant::now();
    let maps = Maps::named(settings.map.as_deref(), settings.seed)?;
    let bar = progress(settings.games, settings.quiet);
    let next = AtomicUsize::new(0);
    let results: Mutex<(Vec<Option<Finished>>, [Times; 2])> =
        Mutex::new((vec![None; settings.games], Default::default()));
    let work = |worker: u64| -> Result<()> {
        let seed = |number: u64| settings.seed ^ ((2 * worker + number) << 32);
        let mut players = [seat(settings, &settings.p1, seed(0))?, seat(settings, &settings.p2, seed(1))?];
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= settings.games || INTERRUPTED.load(Ordering::Relaxed) {
                return Ok(());
            }
            let mut record = None;
            let (game, [first, second]) = play_one(&maps, settings, &mut players, number, &mut |game, _| {
                if number == 0 {
                    record.get_or_insert_with(|| playback::Writer::new(&game.map)).frame(&game.state);
                }
                Ok(())
            })?;
            if let Some(record) = record {
                write_down(settings, record)?;
            }
            let mut results = results.lock().map_err(|_| anyhow!("another game of the match failed"))?;
            results.0[number] = Some(game);
            results.1[0].merge(first);
            results.1[1].merge(second);
            let played = results.0.iter().flatten();
            let (points, count) = played.fold((0.0, 0), |(points, count), game| (points + game.points, count + 1));
            bar.set_message(format!("{points}/{count}"));
            bar.inc(1);
        }
    };
    std::thread::scope(|scope| -> Result<()> {
        let workers: Vec<_> = (0..settings.jobs.max(1) as u64)
            .map(|worker| {
                scope.spawn({
                    let work = &work;
                    move || work(worker)
                })
            })
            .collect();
        workers.into_iter().try_for_each(|worker| worker.join().map_err(|_| anyhow!("a game crashed"))?)
    })?;
    bar.finish_and_clear();
    let (games, times) = results.into_inner().unwrap_or_default();
    let games: Vec<Finished> = games.into_iter().flatten().collect();
    Ok(report(settings, &games, &times, started.elapsed().as_secs_f64()))
}

fn write_down(settings: &MatchSettings, record: playback::Writer) -> Result<()> {
    let text = record.finish();
    let write = |file: &str, text: &str| std::fs::write(file, text).with_context(|| format!("cannot write {file}"));
    if let Some(file) = option(settings, "svg") {
        write(file, &playback::Playback::parse(&text)?.svg())?;
    }
    if let Some(file) = option(settings, "playback") {
        write(file, &text)?;
    }
    Ok(())
}

/// Plays one game and writes it down turn by turn.
pub fn show_match(settings: &MatchSettings, out: &mut dyn std::io::Write) -> Result<Report> {
    let started = Instant::now();
    let maps = Maps::named(settings.map.as_deref(), settings.seed)?;
    let mut players = [seat(settings, &settings.p1, settings.seed)?, seat(settings, &settings.p2, settings.seed ^ 1)?];
    let (game, times) = play_one(&maps, settings, &mut players, 0, &mut |game, said| {
        if game.turn % 10 == 0 || game.outcome() != Outcome::Running {
            writeln!(out, "{}", super::play::standing(game.turn, &game.state))?;
            if let Some(answer) = said.iter().find_map(|(_, answer)| answer.as_ref()) {
                writeln!(out, "          {}", super::play::thinking(answer))?;
            }
        }
        Ok(())
    })?;
    Ok(report(settings, &[game], &times, started.elapsed().as_secs_f64()))
}

fn report(settings: &MatchSettings, games: &[Finished], times: &[Times; 2], seconds: f64) -> Report {
    let MatchSettings { p1, p2, .. } = settings;
    let played = games.len();
    let total: f64 = games.iter().map(|game| game.points).sum();
    let tally = |seat: Option<usize>| {
        let of = || games.iter().filter(|game| seat.is_none_or(|seat| game.seat == seat));
        let wins = of().filter(|game| game.points > 0.5).count();
        let losses = of().filter(|game| game.points < 0.5).count();
        (wins, of().count() - wins - losses, losses)
    };
    let (wins, draws, losses) = tally(None);
    let mut won: Vec<u16> = games.iter().filter(|game| game.points > 0.5).map(|game| game.turns).collect();
    won.sort_unstable();
    let median = won.get(won.len() / 2).copied();
    let kicked = [0, 1].map(|player| games.iter().filter(|game| game.kicked[player]).count());
    let mut summary = String::new();
    // Writing to a string cannot fail.
    let share = 100.0 * total / played.max(1) as f64;
    let _ =
        writeln!(summary, "{p1} against {p2}: {total} of {played} points ({share:.1} %), +{wins} ={draws} -{losses}");
    for (seat, name) in ["first", "second"].iter().enumerate() {
        let (wins, draws, losses) = tally(Some(seat));
        let _ = writeln!(summary, "  {p1} as {name} player: +{wins} ={draws} -{losses}");
    }
    if let (Some(median), Some(longest)) = (median, won.last()) {
        let _ = writeln!(summary, "  won games: median {median} turns, longest {longest}");
    }
    for (name, kicked) in [p1, p2].into_iter().zip(kicked).filter(|(_, kicked)| *kicked > 0) {
        let _ = writeln!(summary, "  {name} was thrown out of {kicked} games");
    }
    for (name, times) in [p1, p2].into_iter().zip(times).filter(|(_, times)| times.count() > 0) {
        let _ = writeln!(summary, "  {name}: {}", times.summary());
    }
    let mean = games.iter().map(|game| f64::from(game.turns)).sum::<f64>() / played.max(1) as f64;
    let _ = write!(summary, "  {mean:.1} turns a game, {seconds:.1} s in all");
    if played < settings.games {
        let _ = write!(summary, "\n  interrupted: {} games were not played", settings.games - played);
    }
    let json = json!({
        "p1": p1, "p2": p2, "games": played, "points": total, "wins": wins, "draws": draws, "losses": losses,
        "median_turns_won": median, "p1_kicked": kicked[0], "p2_kicked": kicked[1],
        "seed": settings.seed, "map": settings.map, "link": settings.link.to_string(),
        "limits": { "time_us": settings.limits.time_us, "nodes": settings.limits.nodes, "depth": settings.limits.depth },
        "p1_times": times[0].json(), "p2_times": times[1].json(),
        "results": games.iter().map(|game| json!({ "points": game.points, "seat": game.seat, "turns": game.turns }))
            .collect::<Vec<_>>(),
    });
    Report { summary, json }
}

#[cfg(test)]
mod tests;
