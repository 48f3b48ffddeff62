//! Matches of two-player games, and what their results mean.

use core::fmt::Write as _;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use core::time::Duration;
use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::Instant;

use anyhow::{Result, anyhow};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rival_core::wire::Limits;
use serde_json::json;

use crate::client::{Answer, Client};
use crate::link::LinkSpec;
use crate::random::Random;

/// A two-player game as the referee of a match sees it.
pub trait Duel: Sync {
    /// A position.
    type State: Clone + Send;
    /// A move.
    type Move: Copy + Send;

    /// The start of a game.
    fn start(&self) -> Self::State;
    /// Who is to move, 0 or 1.
    fn to_move(&self, state: &Self::State) -> usize;
    /// All legal moves.
    fn legal(&self, state: &Self::State) -> Vec<Self::Move>;
    /// The position after a legal move.
    fn play(&self, state: &Self::State, mv: Self::Move) -> Self::State;
    /// Once the game is over, what the first player gets: 1, 1/2 or 0.
    fn points(&self, state: &Self::State) -> Option<f64>;
    /// Moves after which a game that does not end is called a draw.
    fn longest(&self) -> usize;
}

/// Whoever sits on one side.
pub trait Player<D: Duel> {
    /// Chooses a legal move. A program behind a link adds how it came to it.
    fn choose(&mut self, state: &D::State) -> Result<(D::Move, Option<Answer>)>;
    /// The speed of its line, where it has one.
    fn baud(&self) -> Option<u32> {
        None
    }
}

/// How a match is to be played.
#[derive(Clone, Debug)]
pub struct MatchSettings {
    /// Name of the first player: `agent` or an opponent of the game.
    pub p1: String,
    /// Name of the second.
    pub p2: String,
    /// How many games. Two in a row share an opening and exchange the seats.
    pub games: usize,
    /// Seed of the openings and of everything else that is left to chance.
    pub seed: u64,
    /// Random legal moves before the players take over.
    pub opening: usize,
    /// Where the agent is.
    pub link: LinkSpec,
    /// What a decision of the agent may cost.
    pub limits: Limits,
    /// A map, for the games that have them.
    pub map: Option<String>,
    /// Everything else that only some games know, as `key=value`.
    pub options: Vec<(String, String)>,
    /// Games played at the same time; only the in-process link can do more than one.
    pub jobs: usize,
    /// No progress bar.
    pub quiet: bool,
}

impl MatchSettings {
    /// The seat of `p1` in a game: they exchange them, unless `seat=first` or `seat=second` is set.
    fn seat(&self, number: usize) -> usize {
        match self.options.iter().find(|(key, _)| key == "seat").map(|(_, seat)| seat.as_str()) {
            Some("first") => 0,
            Some("second") => 1,
            _ => number % 2,
        }
    }
}

/// A finished match, for people and for programs.
#[derive(Clone, Debug)]
pub struct Report {
    /// A few lines of text.
    pub summary: String,
    /// The same and more.
    pub json: serde_json::Value,
}

/// Set by Ctrl-C: long work ends at the next good moment and reports what it has.
pub static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// A progress bar that is seen on a terminal only.
pub fn progress(length: usize, quiet: bool) -> ProgressBar {
    let bar = ProgressBar::new(length as u64);
    if quiet || !std::io::stderr().is_terminal() {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    let style = ProgressStyle::with_template("{wide_bar:.cyan/blue} {pos}/{len} {msg} {eta}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}

/// The same for work of which nobody knows how much is left: it says how long it has taken.
pub fn progress_of_unknown_end(length: usize, quiet: bool) -> ProgressBar {
    let bar = progress(length, quiet);
    let style = ProgressStyle::with_template("{elapsed} {wide_bar:.cyan/blue} {pos}/{len} {msg}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

/// What one game came to.
#[derive(Clone, Debug)]
struct Game {
    /// For `p1`, whichever seat it had.
    points: f64,
    seat: usize,
    plies: usize,
}

/// How long decisions took, in the microseconds of whoever made them.
#[derive(Clone, Debug, Default)]
pub struct Times {
    responses_us: Vec<u64>,
    nodes: u64,
    depths: u64,
    late: usize,
}

impl Times {
    /// Counts a decision.
    pub fn add(&mut self, answer: &Answer, baud: Option<u32>, limits: Limits) {
        let response = answer.response_us(baud);
        self.responses_us.push(response);
        self.nodes += u64::from(answer.statistics.nodes);
        self.depths += u64::from(answer.statistics.depth);
        self.late += usize::from(limits.time_us > 0 && response >= u64::from(limits.time_us));
    }

    /// Adds up the decisions of two games.
    pub fn merge(&mut self, other: Self) {
        self.responses_us.extend(other.responses_us);
        self.nodes += other.nodes;
        self.depths += other.depths;
        self.late += other.late;
    }

    /// Decisions counted.
    pub fn count(&self) -> usize {
        self.responses_us.len()
    }

    /// The slowest.
    pub fn worst_us(&self) -> u64 {
        self.responses_us.iter().copied().max().unwrap_or(0)
    }

    /// Decisions that came too late.
    pub fn late(&self) -> usize {
        self.late
    }

    /// Mean response in microseconds.
    pub fn mean_us(&self) -> f64 {
        self.responses_us.iter().sum::<u64>() as f64 / self.count().max(1) as f64
    }

    /// A line for people.
    pub fn summary(&self) -> String {
        let count = self.count().max(1) as f64;
        format!(
            "{} decisions, mean {:.1} ms, worst {:.1} ms, {} late, mean depth {:.1}, mean nodes {:.0}",
            self.count(),
            self.mean_us() / 1e3,
            self.worst_us() as f64 / 1e3,
            self.late,
            self.depths as f64 / count,
            self.nodes as f64 / count,
        )
    }

    /// The same for programs.
    pub fn json(&self) -> serde_json::Value {
        let count = self.count().max(1) as f64;
        json!({ "decisions": self.count(), "mean_us": self.mean_us(), "worst_us": self.worst_us(), "late": self.late,
            "mean_depth": self.depths as f64 / count, "mean_nodes": self.nodes as f64 / count })
    }
}

/// Plays a match. `seat` makes the players: it is called once for every thread and player, with the player's name and a
/// number that is another one for each.
pub fn run<D: Duel>(
    duel: &D,
    settings: &MatchSettings,
    seat: impl Fn(&str, u64) -> Result<Box<dyn Player<D>>> + Sync,
) -> Result<Report> {
    let started = Instant::now();
    let bar = progress(settings.games, settings.quiet);
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<Option<Game>>> = Mutex::new(vec![None; settings.games]);
    let times: Mutex<[Times; 2]> = Mutex::default();
    let failed = AtomicBool::new(false);
    let work = |worker: u64| -> Result<()> {
        let mut players = [seat(&settings.p1, 2 * worker)?, seat(&settings.p2, 2 * worker + 1)?];
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let stop = INTERRUPTED.load(Ordering::Relaxed) || failed.load(Ordering::Relaxed);
            if number >= settings.games || stop {
                return Ok(());
            }
            let (game, spent) = play_one(duel, settings, &mut players, number, &mut |_, _, _, _| Ok(()))?;
            let [first, second] = spent;
            let mut results = results.lock().map_err(|_| anyhow!("another game of the match failed"))?;
            results[number] = Some(game);
            let (points, count) =
                results.iter().flatten().fold((0.0, 0), |(points, count), game| (points + game.points, count + 1));
            drop(results);
            bar.set_message(format!("{points}/{count}"));
            bar.inc(1);
            let mut times = times.lock().map_err(|_| anyhow!("another game of the match failed"))?;
            times[0].merge(first);
            times[1].merge(second);
        }
    };
    std::thread::scope(|scope| -> Result<()> {
        let workers: Vec<_> = (0..settings.jobs.max(1) as u64)
            .map(|worker| {
                let (work, failed) = (&work, &failed);
                scope.spawn(move || work(worker).inspect_err(|_| failed.store(true, Ordering::Relaxed)))
            })
            .collect();
        workers.into_iter().try_for_each(|worker| worker.join().map_err(|_| anyhow!("a game crashed"))?)
    })?;
    bar.finish_and_clear();
    let games: Vec<Game> = results.into_inner().unwrap_or_default().into_iter().flatten().collect();
    let times = times.into_inner().unwrap_or_default();
    Ok(report(settings, &games, &times, started.elapsed().as_secs_f64()))
}

/// Plays one game of a match with somebody looking on: `watch` is told who moved (0 for `p1`), the move, the position
/// after it and how the mover came to it.
pub fn run_watched<D: Duel>(
    duel: &D,
    settings: &MatchSettings,
    seat: impl Fn(&str, u64) -> Result<Box<dyn Player<D>>>,
    watch: &mut Watch<'_, D>,
) -> Result<Report> {
    let started = Instant::now();
    let mut players = [seat(&settings.p1, 0)?, seat(&settings.p2, 1)?];
    let (game, times) = play_one(duel, settings, &mut players, 0, watch)?;
    Ok(report(settings, &[game], &times, started.elapsed().as_secs_f64()))
}

/// Whoever looks on; see [`run_watched`].
pub type Watch<'a, D> = dyn FnMut(usize, <D as Duel>::Move, &<D as Duel>::State, Option<&Answer>) -> Result<()> + 'a;

fn play_one<D: Duel>(
    duel: &D,
    settings: &MatchSettings,
    players: &mut [Box<dyn Player<D>>; 2],
    number: usize,
    watch: &mut Watch<'_, D>,
) -> Result<(Game, [Times; 2])> {
    let mut state = opening(duel, settings.seed, number / 2, settings.opening);
    let seat = settings.seat(number);
    let mut times: [Times; 2] = Default::default();
    let mut plies = 0;
    let points = loop {
        if let Some(points) = duel.points(&state) {
            break if seat == 0 { points } else { 1.0 - points };
        }
        if plies >= duel.longest() {
            break 0.5;
        }
        let who = duel.to_move(&state) ^ seat;
        let (mv, answer) = players[who].choose(&state)?;
        if let Some(answer) = &answer {
            times[who].add(answer, players[who].baud(), settings.limits);
        }
        state = duel.play(&state, mv);
        plies += 1;
        watch(who, mv, &state, answer.as_ref())?;
    };
    Ok((Game { points, seat, plies }, times))
}

/// A position some random legal moves after the start. The same seed and number give the same one.
pub fn opening<D: Duel>(duel: &D, seed: u64, number: usize, plies: usize) -> D::State {
    let mut random = Random::new(seed.wrapping_mul(0x1_0000).wrapping_add(number as u64));
    let mut state = duel.start();
    for _ in 0..plies {
        let legal = duel.legal(&state);
        let Some(&mv) = random.pick(&legal) else { break };
        let next = duel.play(&state, mv);
        if duel.points(&next).is_some() {
            break;
        }
        state = next;
    }
    state
}

fn report(settings: &MatchSettings, games: &[Game], times: &[Times; 2], seconds: f64) -> Report {
    let played = games.len();
    let total: f64 = games.iter().map(|game| game.points).sum();
    let tally = |seat: Option<usize>| {
        let of = games.iter().filter(|game| seat.is_none_or(|seat| game.seat == seat));
        let (mut wins, mut draws, mut losses) = (0, 0, 0);
        for game in of {
            match game.points {
                points if points > 0.5 => wins += 1,
                points if points < 0.5 => losses += 1,
                _ => draws += 1,
            }
        }
        (wins, draws, losses)
    };
    let (wins, draws, losses) = tally(None);
    let (elo, error) = elo(games.iter().map(|game| game.points));
    let mut summary = String::new();
    let share = 100.0 * total / played.max(1) as f64;
    let MatchSettings { p1, p2, .. } = settings;
    let _ =
        writeln!(summary, "{p1} against {p2}: {total} of {played} points ({share:.1} %), +{wins} ={draws} -{losses}");
    for (seat, name) in ["first", "second"].iter().enumerate() {
        let (wins, draws, losses) = tally(Some(seat));
        let _ = writeln!(summary, "  {p1} moving {name}: +{wins} ={draws} -{losses}");
    }
    let _ = writeln!(summary, "  Elo difference {}", elo_text(elo, error));
    for (name, times) in [p1, p2].into_iter().zip(times) {
        if times.count() > 0 {
            let _ = writeln!(summary, "  {name}: {}", times.summary());
        }
    }
    let mean_plies = games.iter().map(|game| game.plies).sum::<usize>() as f64 / played.max(1) as f64;
    let _ = write!(summary, "  {mean_plies:.1} moves a game, {seconds:.1} s in all");
    if played < settings.games {
        let _ = write!(summary, "\n  interrupted: {} games were not played", settings.games - played);
    }
    let json = json!({
        "p1": p1, "p2": p2, "games": played, "points": total, "wins": wins, "draws": draws, "losses": losses,
        "elo": elo.is_finite().then_some(elo), "elo_error": error.is_finite().then_some(error),
        "seed": settings.seed, "opening": settings.opening, "link": settings.link.to_string(),
        "limits": { "time_us": settings.limits.time_us, "nodes": settings.limits.nodes, "depth": settings.limits.depth },
        "p1_times": times[0].json(), "p2_times": times[1].json(),
        "results": games.iter().map(|game| json!({ "points": game.points, "seat": game.seat, "plies": game.plies }))
            .collect::<Vec<_>>(),
    });
    Report { summary, json }
}

/// The Elo difference that would give these points, and half the width of its 95 % interval.
pub fn elo(points: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let count = points.clone().count() as f64;
    if count == 0.0 {
        return (0.0, f64::INFINITY);
    }
    let mean = points.clone().sum::<f64>() / count;
    let variance = points.map(|point| (point - mean).powi(2)).sum::<f64>() / count;
    let spread = 1.96 * (variance / count).sqrt();
    let of = |share: f64| -400.0 * (1.0 / share - 1.0).log10();
    let (low, high) = (of((mean - spread).max(0.0)), of((mean + spread).min(1.0)));
    (of(mean), (high - low) / 2.0)
}

fn elo_text(elo: f64, error: f64) -> String {
    match (elo.is_finite(), error.is_finite()) {
        (true, true) => format!("{elo:+.0} ± {error:.0}"),
        (true, false) => format!("{elo:+.0}, too few games for an error bar"),
        _ => if elo > 0.0 { "beyond measure: every point won" } else { "beyond measure: every point lost" }.into(),
    }
}

/// The agent behind a link as a player. `encode` gives a state's bytes, `decode` finds the move in an action's.
pub struct AgentPlayer<D: Duel> {
    client: Client,
    game: rival_core::games::GameId,
    limits: Limits,
    encode: fn(&D::State) -> Vec<u8>,
    decode: fn(&D::State, &[u8]) -> Option<D::Move>,
}

impl<D: Duel> AgentPlayer<D> {
    /// An agent that is given these limits for each decision.
    pub fn new(
        client: Client,
        limits: Limits,
        game: rival_core::games::GameId,
        encode: fn(&D::State) -> Vec<u8>,
        decode: fn(&D::State, &[u8]) -> Option<D::Move>,
    ) -> Self {
        Self { client, game, limits, encode, decode }
    }
}

impl<D: Duel> Player<D> for AgentPlayer<D> {
    fn choose(&mut self, state: &D::State) -> Result<(D::Move, Option<Answer>)> {
        let answer = self.client.decide(self.game, &(self.encode)(state), self.limits)?;
        let mv = (self.decode)(state, &answer.action)
            .ok_or_else(|| anyhow!("the agent answered with an illegal action {:?}", answer.action))?;
        Ok((mv, Some(answer)))
    }

    fn baud(&self) -> Option<u32> {
        self.client.baud()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elo_of_known_results() {
        let (even, _) = elo([1.0, 0.0, 0.5, 0.5].into_iter());
        assert!(even.abs() < 1e-9);
        // 75 % is 190.8 Elo.
        let (three_quarters, error) = elo([1.0, 1.0, 1.0, 0.0].repeat(100).into_iter());
        assert!((three_quarters - 190.8).abs() < 0.1);
        assert!((30.0..50.0).contains(&error), "{error}");
        assert!(elo([1.0; 5].into_iter()).0.is_infinite());
    }
}
