//! Planet Wars at the terminal.

use core::fmt::Write as _;
use core::sync::atomic::Ordering;
use core::time::Duration;
use std::io::{self, BufRead, IsTerminal, Write};
use std::thread::sleep;

use anyhow::Result;
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

/// What the agent thought, in a line.
pub(super) fn thinking(answer: &Answer) -> String {
    let statistics = &answer.statistics;
    format!(
        "{:+.0} ships, {} rounds of answers, {} nodes, {:.1} ms",
        f64::from(statistics.value) / f64::from(SHIP),
        statistics.depth,
        statistics.nodes,
        f64::from(statistics.search_us) / 1e3,
    )
}

/// Who has what, in a line.
pub(super) fn standing(turn: u16, state: &State) -> String {
    let side = |player: Player| {
        let planets = state.planets().iter().filter(|planet| planet.owner == player.owner()).count();
        let (ships, growth) = (state.ships(player), state.growth(player));
        let sign = sign(player.owner());
        format!("player {}{sign} {ships:>4} ships, {planets:>2} planets, {growth:+}", player as u8)
    };
    format!("turn {turn:>3}  {}   {}", side(Player::One), side(Player::Two))
}

const WIDE: usize = 76;
const HIGH: usize = 24;
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
    let far = |axis: fn(&Planet) -> u32| planets.iter().map(axis).max().unwrap_or(1).max(1) as f64;
    let (right, top) = (far(|planet| planet.position.x), far(|planet| planet.position.y));
    let mut cells: Vec<(usize, usize, String, Owner)> = Vec::new();
    for (id, planet) in planets.iter().enumerate() {
        let label = format!("{id}{}{}+{}", sign(planet.owner), planet.ships, planet.growth);
        let x = (f64::from(planet.position.x) / right * (WIDE - LABEL) as f64) as usize;
        let y = ((1.0 - f64::from(planet.position.y) / top) * (HIGH - 1) as f64) as usize;
        // Two labels do not share a place: the later one moves down.
        let taken = |y: usize| {
            cells.iter().any(|(ox, oy, other, _)| *oy == y && x < ox + other.len() + 1 && *ox < x + label.len() + 1)
        };
        let y = (y..HIGH + 8).find(|&y| !taken(y)).unwrap_or(y);
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

/// The fleets by arrival, a line each; the first few.
fn fleets(state: &State) -> String {
    let mut list = state.fleets().to_vec();
    list.sort_unstable_by_key(|fleet| (fleet.remaining, fleet.destination));
    let mut text = String::new();
    for fleet in list.iter().take(12) {
        let line = format!(
            "  player {}: {:>4} ships {:>2} to {:>2}, {} turns\n",
            fleet.owner as u8, fleet.ships, fleet.source, fleet.destination, fleet.remaining
        );
        text.push_str(&coloured(fleet.owner, line));
    }
    if list.len() > 12 {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  and {} more fleets", list.len() - 12);
    }
    text
}

fn show(turn: u16, state: &State) {
    println!("\n{}\n{}\n{}", style::bold(&standing(turn, state)), draw(state.planets()), fleets(state));
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
    let second = settings.seat == Some(1);
    while game.outcome() == Outcome::Running && !INTERRUPTED.load(Ordering::Relaxed) {
        show(game.turn, &game.state);
        if settings.seat.is_none() && io::stdout().is_terminal() {
            sleep(BETWEEN_TURNS);
        }
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
    let words = match game.outcome() {
        Outcome::Won(player) => format!("Player {} wins after {} turns.", player as u8, game.turn),
        Outcome::Draw => format!("A draw after {} turns.", game.turn),
        Outcome::Running => "Interrupted.".into(),
    };
    println!("{}", style::bold(&words));
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

/// Shows a recorded game: every turn on a terminal, every tenth in a log.
pub fn replay(playback: &Playback, out: &mut dyn Write, every: usize) -> Result<()> {
    let states: Vec<&State> = core::iter::once(&playback.map.state).chain(&playback.frames).collect();
    let last = states.len() - 1;
    for (turn, state) in states.into_iter().enumerate() {
        if turn % every.max(1) == 0 || turn == last {
            writeln!(out, "\n{}\n{}", style::bold(&standing(turn as u16, state)), draw(state.planets()))?;
            if io::stdout().is_terminal() {
                out.flush()?;
                sleep(BETWEEN_TURNS);
            }
        }
        if INTERRUPTED.load(Ordering::Relaxed) {
            break;
        }
    }
    Ok(())
}
