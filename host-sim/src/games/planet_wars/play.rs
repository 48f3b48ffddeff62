//! Planet Wars at the terminal.

use core::fmt::Write as _;
use core::sync::atomic::Ordering;
use core::time::Duration;
use std::io::{self, BufRead, IsTerminal, Write};

use anyhow::Result;
use crossterm::event::KeyCode;
use crossterm::style::Stylize;
use rival_core::games::GameId;
use rival_core::games::planet_wars::{Line, Order, Outcome, Owner, Planet, Player, SHIP, State, Turn, View};

use super::map::Map;
use super::playback::Playback;
use super::referee::{Agent, Game, Said, Seat, opponent, orders_of};
use crate::client::{Answer, Client};
use crate::commands::style;
use crate::duel::INTERRUPTED;
use crate::games::PlaySettings;
use crate::screen::Screen;

/// What the agent thought, in a line.
pub(super) fn thinking(answer: &Answer) -> String {
    let statistics = &answer.statistics;
    format!(
        "{:+.0} ships, {} plans weighed, {} plans deep, {} nodes, {:.1} ms",
        f64::from(statistics.value) / f64::from(SHIP),
        statistics.cutoffs,
        statistics.depth,
        statistics.nodes,
        f64::from(statistics.search_us) / 1e3,
    )
}

/// Who has what, in a line of less than 80 characters.
pub(super) fn standing(turn: u16, state: &State) -> String {
    let side = |player: Player| {
        let planets = state.planets().iter().filter(|planet| planet.owner == player.owner()).count();
        let (ships, growth) = (state.ships(player), state.growth(player));
        let sign = sign(player.owner());
        format!("{}{sign} {ships:>4} ships, {planets:>2} planets, {growth:>+3}", player as u8)
    };
    format!("turn {turn:>3}  player {}  {}", side(Player::One), side(Player::Two))
}

/// Columns and rows of the map, but for labels that have to give way.
const SIZE: (usize, usize) = (76, 24);
/// Room that the label of a planet at the right edge needs.
const LABEL: usize = 9;

fn coloured(owner: Owner, text: String) -> String {
    if !style::coloured() {
        return text;
    }
    match owner {
        Owner::One => text.red().to_string(),
        Owner::Two => text.blue().to_string(),
        Owner::Neutral => text.dark_grey().to_string(),
    }
}

/// Behind a planet's number: whose it is.
const fn sign(owner: Owner) -> char {
    match owner {
        Owner::One => '*',
        Owner::Two => '#',
        Owner::Neutral => '.',
    }
}

/// The map: each planet as its number, the sign of its owner, its ships and its growth.
pub(super) fn draw(planets: &[Planet]) -> String {
    draw_in(planets, SIZE)
}

/// How far down a label may give way.
const AWAY: usize = 8;

fn draw_in(planets: &[Planet], (wide, high): (usize, usize)) -> String {
    let far = |axis: fn(&Planet) -> u32| planets.iter().map(axis).max().unwrap_or(1).max(1) as f64;
    let (right, top) = (far(|planet| planet.position.x), far(|planet| planet.position.y));
    let mut cells: Vec<(usize, usize, String, Owner)> = Vec::new();
    for (id, planet) in planets.iter().enumerate() {
        let label = format!("{id}{}{}+{}", sign(planet.owner), planet.ships, planet.growth);
        let x = (f64::from(planet.position.x) / right * wide.saturating_sub(LABEL) as f64) as usize;
        let y = ((1.0 - f64::from(planet.position.y) / top) * (high - 1) as f64) as usize;
        // Two labels do not share a place: the later one moves down.
        let taken = |y: usize| {
            cells.iter().any(|(ox, oy, other, _)| *oy == y && x < ox + other.len() + 1 && *ox < x + label.len() + 1)
        };
        let y = (y..high + AWAY).find(|&y| !taken(y)).unwrap_or(y);
        cells.push((x, y, label, planet.owner));
    }
    cells.sort_by_key(|(x, y, ..)| (*y, *x));
    let mut text = String::new();
    let mut row = 0;
    let mut column = 0;
    for (x, y, label, owner) in cells {
        while row < y {
            text.push('\n');
            row += 1;
            column = 0;
        }
        text.push_str(&" ".repeat(x.saturating_sub(column)));
        column = x.max(column) + label.len();
        text.push_str(&coloured(owner, label));
    }
    text
}

/// The fleets by arrival, a line each, as many as there is room for.
fn fleets(state: &State, room: usize) -> String {
    let mut list = state.fleets().to_vec();
    list.sort_unstable_by_key(|fleet| (fleet.remaining, fleet.destination));
    let mut text = String::new();
    for fleet in list.iter().take(room) {
        let line = format!(
            "  player {}: {:>4} ships {:>2} to {:>2}, {} turns",
            fleet.owner as u8, fleet.ships, fleet.source, fleet.destination, fleet.remaining
        );
        text.push_str(&coloured(fleet.owner, line));
        text.push('\n');
    }
    if list.len() > room {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  and {} more fleets", list.len() - room);
    }
    text
}

fn show(turn: u16, state: &State) {
    println!("\n{}\n{}\n{}", style::bold(&standing(turn, state)), draw(state.planets()), fleets(state, 12));
}

/// A turn on the whole screen: who has what, the map as large as it fits, the next fleets, and a line below.
fn show_on(screen: &Screen, turn: u16, state: &State, below: &str) -> Result<()> {
    let (columns, rows) = screen.size()?;
    // Two lines are the first and the last, one says how many more fleets there are.
    let listed = rows.saturating_sub(27).min(10);
    let room = rows.saturating_sub(if listed > 0 { listed + 3 } else { 2 }).max(1);
    let map = (1..=room.min(40)).rev().map(|high| draw_in(state.planets(), (columns.min(140), high)));
    let map = map.into_iter().find(|map| map.lines().count() <= room).unwrap_or_default();
    let fleets = if listed > 0 { fleets(state, listed) } else { String::new() };
    let empty = room.saturating_sub(map.lines().count());
    let standing = style::bold(&standing(turn, state).chars().take(columns).collect::<String>());
    let lines = core::iter::once(standing.as_str()).chain(map.lines());
    let fleets = fleets.lines().chain(core::iter::repeat("")).take(rows.saturating_sub(room + 2));
    let below: String = below.chars().take(columns).collect();
    screen.draw(lines.chain(core::iter::repeat_n("", empty)).chain(fleets).chain([below.as_str()]))
}

/// How a game ended, in a sentence.
fn verdict(outcome: Outcome, turns: u16) -> String {
    match outcome {
        Outcome::Won(player) => format!("Player {} wins after {turns} turns.", player as u8),
        Outcome::Draw => format!("A draw after {turns} turns."),
        Outcome::Running => "Interrupted.".into(),
    }
}

const HELP: &str = "  On the map 7.20+5 is planet 7, nobody's, 20 ships, 5 more a turn for an owner.
  Player 1 has *, player 2 has #. Fleets are listed below, the next to arrive
  first.
  1 7 20   send 20 ships from planet 1 to planet 7
  go       end your turn (also an empty line)
  h        hint: what the agent would do
  c        take this turn's orders back
  q        quit";

/// How long a turn stays on the screen when two machines play, or a recorded game is shown.
const BETWEEN_TURNS: Duration = Duration::from_millis(250);

/// Plays with the person at the terminal, or shows two machines.
pub(super) fn play(settings: &PlaySettings) -> Result<()> {
    let name = settings.map.clone().unwrap_or_else(|| format!("generated:{}", settings.seed));
    let mut game = Game::new(Map::named(&name)?);
    let mut other: Box<dyn Seat> = if settings.opponent == "agent" {
        Box::new(Agent::new(Client::open(&settings.link)?, settings.limits))
    } else {
        Box::new(opponent(&settings.opponent, settings.seed)?)
    };
    let mut me: Box<dyn Seat> = if settings.seat.is_some() {
        println!("{HELP}");
        Box::new(Person { settings: settings.clone(), adviser: None })
    } else {
        Box::new(Agent::new(Client::open(&settings.link.second())?, settings.limits))
    };
    if settings.seat.is_none() && io::stdin().is_terminal() && io::stdout().is_terminal() {
        watch(&mut game, [&mut *me, &mut *other])?;
    }
    let second = settings.seat == Some(1);
    while game.outcome() == Outcome::Running && !INTERRUPTED.load(Ordering::Relaxed) {
        show(game.turn, &game.state);
        let seats: [&mut dyn Seat; 2] = if second { [&mut *other, &mut *me] } else { [&mut *me, &mut *other] };
        match game.round(seats) {
            Ok(said) => {
                for answer in said.iter().filter_map(|(_, answer)| answer.as_ref()) {
                    println!("{}", style::dim(&thinking(answer)));
                }
            }
            Err(error) if error.is::<Quit>() => return Ok(()),
            Err(error) => return Err(error),
        }
    }
    show(game.turn, &game.state);
    println!("{}", style::bold(&verdict(game.outcome(), game.turn)));
    Ok(())
}

/// Shows two machines on the whole screen.
fn watch(game: &mut Game, [one, two]: [&mut dyn Seat; 2]) -> Result<()> {
    let screen = Screen::open()?;
    let mut thought = String::from("q quit");
    while game.outcome() == Outcome::Running {
        show_on(&screen, game.turn, &game.state, &thought)?;
        if matches!(screen.key(BETWEEN_TURNS)?, Some(KeyCode::Char('q') | KeyCode::Esc)) {
            INTERRUPTED.store(true, Ordering::Relaxed);
            break;
        }
        let said = game.round([&mut *one, &mut *two])?;
        let answer = said.iter().find_map(|(_, answer)| answer.as_ref());
        thought = answer.map_or_else(|| "q quit".into(), |answer| format!("q quit   {}", thinking(answer)));
    }
    Ok(())
}

/// The person does not want to go on.
#[derive(Debug, thiserror::Error)]
#[error("the game was left")]
struct Quit;

struct Person {
    settings: PlaySettings,
    adviser: Option<Client>,
}

impl Person {
    fn hint(&mut self, state: &State, me: Player, turn: u16) -> Result<()> {
        let client = match &mut self.adviser {
            Some(client) => client,
            none => none.insert(Client::open(&self.settings.link.second())?),
        };
        let bytes = View::new(state, me, turn)?.encode()?;
        let answer = client.decide(GameId::PlanetWars, &bytes, self.settings.limits)?;
        for order in orders_of(&answer.action)? {
            println!("  {} {} {}", order.source, order.destination, order.ships);
        }
        println!("  {}", style::dim(&thinking(&answer)));
        Ok(())
    }
}

impl Seat for Person {
    fn orders(&mut self, game: &Game, me: Player) -> Result<Said> {
        let (state, turn) = (&game.state, game.turn + 1);
        let mut orders: Vec<Order> = Vec::new();
        loop {
            print!("{} ", style::bold(&format!("player {}, your orders?", me as u8)));
            io::stdout().flush()?;
            let mut line = String::new();
            let length = io::stdin().lock().read_line(&mut line)?;
            if length == 0 || INTERRUPTED.load(Ordering::Relaxed) {
                return Err(Quit.into());
            }
            match line.trim() {
                "" => return Ok((orders, None)),
                "?" | "help" => println!("{HELP}"),
                "q" | "quit" => return Err(Quit.into()),
                "c" | "clear" => orders.clear(),
                "h" | "hint" => self.hint(state, me, turn)?,
                text => match Line::parse(text) {
                    Ok(Line::Go) => return Ok((orders, None)),
                    Ok(Line::Order(order)) => {
                        // Tried out first: a bad order would lose the game.
                        let mut copy = state.clone();
                        let mut turn = Turn::new(&mut copy);
                        let all = orders.iter().chain([&order]);
                        if all.into_iter().try_for_each(|&order| turn.order(me, order)).is_ok() {
                            orders.push(order);
                            let [from, to] = [order.source, order.destination].map(|id| state.planets()[id as usize]);
                            let turns = from.position.distance(to.position).unwrap_or(u8::MAX).max(1);
                            println!("  {} ships will be there in {turns} turns", order.ships);
                        } else {
                            println!("That cannot be done: your own planets, and no more ships than they have.");
                        }
                    }
                    Err(_) => println!("\"{text}\" is no order: source, target, ships. Type ? for help."),
                },
            }
        }
    }
}

/// Shows a recorded game in a log, every so many turns.
pub fn replay(playback: &Playback, out: &mut dyn Write, every: usize) -> Result<()> {
    let states: Vec<&State> = playback.states().collect();
    let last = states.len() - 1;
    for (turn, state) in states.iter().enumerate() {
        if turn % every.max(1) == 0 || turn == last {
            writeln!(out, "\n{}\n{}", style::bold(&standing(turn as u16, state)), draw(state.planets()))?;
        }
    }
    writeln!(out, "\n{}", style::bold(&ending(playback)))?;
    Ok(())
}

/// How a recorded game ended: its last turn was the limit, if nothing else ended it.
fn ending(playback: &Playback) -> String {
    let turns = playback.frames.len() as u16;
    verdict(playback.states().last().map_or(Outcome::Draw, |state| state.outcome(turns, turns)), turns)
}

const KEYS: &str = "space stop/go   , . a turn back or on   + - speed   q quit";

/// Shows a recorded game on the whole screen, so many turns at a time.
pub fn replay_on_screen(playback: &Playback, every: usize) -> Result<()> {
    let states: Vec<&State> = playback.states().collect();
    let last = states.len() - 1;
    let (mut turn, mut running, mut wait) = (0, true, BETWEEN_TURNS);
    let screen = Screen::open()?;
    loop {
        let below = if turn == last { format!("{}   {KEYS}", ending(playback)) } else { KEYS.into() };
        show_on(&screen, turn as u16, states[turn], &below)?;
        let on = (turn + every.max(1)).min(last);
        let moving = running && turn < last;
        match screen.key(if moving { wait } else { Duration::from_secs(1) })? {
            Some(KeyCode::Char('q') | KeyCode::Esc) => break,
            Some(KeyCode::Char(' ')) => running = !running,
            Some(KeyCode::Char('.') | KeyCode::Right) => (turn, running) = (on, false),
            Some(KeyCode::Char(',') | KeyCode::Left) => (turn, running) = (turn.saturating_sub(every.max(1)), false),
            Some(KeyCode::Char('+')) => wait = (wait / 2).max(Duration::from_millis(10)),
            Some(KeyCode::Char('-')) => wait = (wait * 2).min(Duration::from_secs(2)),
            None if moving => turn = on,
            _ => {}
        }
    }
    drop(screen);
    println!("{}\n{}", standing(turn as u16, states[turn]), style::bold(&ending(playback)));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_planet_has_a_label_on_maps_of_every_size() {
        for (seed, size) in [(1, SIZE), (2, (80, 20)), (3, (200, 40)), (4, (60, 12))] {
            let state = Map::generate(seed).unwrap().state;
            let text = draw_in(state.planets(), size);
            assert!(text.lines().count() <= size.1 + AWAY, "{size:?}\n{text}");
            for (id, planet) in state.planets().iter().enumerate() {
                let label = format!("{id}{}{}+{}", sign(planet.owner), planet.ships, planet.growth);
                assert!(text.split_whitespace().any(|word| word == label), "{label} is not in {size:?}\n{text}");
            }
        }
    }

    #[test]
    fn a_replay_ends_with_who_has_won() {
        let text = "0,0,1,10,0:4,0,2,0,1|1.1,2.1,1.9.0.1.4.3:1.1,2.2,1.9.0.1.4.2:1.1,2.3,1.9.0.1.4.1:1.1,1.5:";
        let playback = Playback::parse(text).unwrap();
        let mut log = Vec::new();
        replay(&playback, &mut log, 10).unwrap();
        let log = String::from_utf8(log).unwrap();
        assert!(log.contains("turn   0 ") && log.contains("turn   4 ") && !log.contains("turn   3 "), "{log}");
        assert!(log.ends_with("Player 1 wins after 4 turns.\n"), "{log}");
        assert!(standing(200, &playback.map.state).len() < 80);
    }
}
