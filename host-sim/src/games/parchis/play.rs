//! Parchis at the terminal.

use core::sync::atomic::Ordering;
use core::time::Duration;
use std::io::{self, BufRead, IsTerminal, Write};
use std::thread::sleep;
use std::time::Instant;

use anyhow::Result;
use crossterm::event::{Event, KeyCode, KeyEventKind, KeyModifiers, read};
use crossterm::terminal::{disable_raw_mode, enable_raw_mode};
use rival_core::games::GameId;
use rival_core::games::parchis::{Die, Move, Special, State};

use super::board::{draw, draw_moved, explain};
use super::{Parchis, agent, line_words, opponents, seat, value_words};
use crate::client::{Answer, Client};
use crate::commands::style;
use crate::duel::{self, Duel, INTERRUPTED, MatchSettings, Player, Report};
use crate::games::PlaySettings;
use crate::link::LinkSpec;

/// What the agent thought, in a line.
fn thinking(state: &State, answer: &Answer) -> String {
    let statistics = &answer.statistics;
    format!(
        "depth {}, {}, line {}, {} nodes, {:.1} ms",
        statistics.depth,
        value_words(statistics.value, statistics.ending),
        line_words(state, &statistics.line),
        statistics.nodes,
        f64::from(statistics.search_us) / 1e3,
    )
}

/// Plays one game and writes it down action by action.
pub(super) fn show_match(settings: &MatchSettings, out: &mut dyn Write) -> Result<Report> {
    let settings = MatchSettings { games: 1, jobs: 1, quiet: true, ..settings.clone() };
    let mut before = duel::opening(&Parchis, settings.seed, 0, settings.opening);
    let seat = |name: &str, number| seat(&settings, name, number);
    duel::run_watched(&Parchis, &settings, seat, &mut |who, mv, after, answer| {
        let name = if who == 0 { &settings.p1 } else { &settings.p2 };
        let statistics = answer.map(|answer| &answer.statistics);
        let thought = statistics.map_or_else(String::new, |statistics| {
            format!("  [depth {}, {}]", statistics.depth, value_words(statistics.value, statistics.ending))
        });
        writeln!(out, "{name:>8}  {}{thought}", explain(&before, mv))?;
        before = *after;
        if after.is_over() {
            writeln!(out, "{}", draw(after))?;
        }
        Ok(())
    })
}

/// How long an action stays on the screen when two machines play.
const BETWEEN_ACTIONS: Duration = Duration::from_millis(700);

const HELP: &str = "  a die's key, then the number of what it shall do; Backspace goes back to the dice
  h  hint: what the agent would do      z  undo your last action
  ?  this text                          q  quit";

/// Plays with the person at the terminal, or shows two machines.
pub(super) fn play(settings: &PlaySettings) -> Result<()> {
    let mut table = Sitting::new(settings)?;
    let mut keys = Keys::new();
    println!("{}", draw(&table.state));
    if settings.seat.is_some() {
        println!("{HELP}");
    }
    while Parchis.points(&table.state).is_none() {
        if INTERRUPTED.load(Ordering::Relaxed) {
            println!("Stopped.");
            return Ok(());
        }
        let turn = table.state.turn() as usize;
        if settings.seat == Some(turn) {
            match choose(&mut table, &mut keys, settings)? {
                Some(mv) => {
                    table.past.push(table.state);
                    table.go(mv, "you");
                }
                None => return Ok(()),
            }
            continue;
        }
        let (player, name) = &mut table.machines[turn];
        let name = name.clone();
        let started = Instant::now();
        let (mv, answer) = player.choose(&table.state)?;
        if settings.seat.is_none() && io::stdout().is_terminal() {
            // Two quick machines would be too fast to follow.
            sleep(BETWEEN_ACTIONS.saturating_sub(started.elapsed()));
        }
        if let Some(answer) = &answer {
            println!("{}", style::dim(&thinking(&table.state, answer)));
        }
        table.go(mv, &name);
    }
    println!("{}", verdict(&table.state, settings.seat));
    Ok(())
}

fn verdict(state: &State, seat: Option<usize>) -> String {
    let winner = state.winner().map_or(0, |winner| winner as usize);
    let words = match seat {
        Some(seat) if winner == seat => "You win.".into(),
        Some(_) => "You lose.".into(),
        None => format!("J{} wins.", winner + 1),
    };
    style::bold(&words)
}

/// The key of a die: its number, or a letter.
fn die_key(die: Die) -> char {
    match die.special() {
        None if die.code() >= 10 => 'f',
        None => char::from(b'0' + die.code()),
        Some(Special::Star) => 's',
        Some(Special::Boo) => 'b',
        Some(Special::Bullet) => 'u',
        Some(Special::RedShell) => 'r',
        Some(Special::BlueShell) => 'e',
        Some(Special::Mushroom) => 'm',
        Some(Special::MegaMushroom) => 'g',
        Some(Special::Lightning) => 'l',
        Some(Special::Horn) => 'n',
        Some(Special::Banana) => 'a',
    }
}

/// Lets the person choose among the legal actions: first the die, then the piece. `None` to leave.
fn choose(table: &mut Sitting, keys: &mut Keys, settings: &PlaySettings) -> Result<Option<Move>> {
    loop {
        let legal = table.state.legal();
        let mut dice: Vec<Die> = Vec::new();
        for mv in &legal {
            if !dice.contains(&mv.die()) {
                dice.push(mv.die());
            }
        }
        let offer: Vec<_> =
            dice.iter().map(|&die| format!("{} {die}", style::bold(&format!("[{}]", die_key(die))))).collect();
        let Some(key) = keys.ask(&format!("your die?  {} ", offer.join("  ")))? else { return Ok(None) };
        match key {
            'q' | ESCAPE => return Ok(None),
            BACK => {}
            '?' => println!("{HELP}"),
            'z' => match table.past.pop() {
                Some(before) => {
                    table.state = before;
                    println!("{}", draw(&table.state));
                }
                None => println!("There is nothing to take back."),
            },
            'h' => {
                let state = table.state;
                let answer = table.adviser()?.decide(GameId::Parchis, &state.encode(), settings.limits)?;
                if let Some(mv) = state.decode_move(&answer.action) {
                    println!("{mv}  {}", style::dim(&thinking(&state, &answer)));
                }
            }
            key => match dice.iter().find(|&&die| die_key(die) == key) {
                Some(&die) => match choose_piece(&table.state, die, keys)? {
                    Chosen::Action(mv) => return Ok(Some(mv)),
                    Chosen::AnotherDie => {}
                    Chosen::Leave => return Ok(None),
                },
                None => println!("There is no die [{key}]. Press ? for help."),
            },
        }
    }
}

/// What came of asking for a piece.
enum Chosen {
    Action(Move),
    AnotherDie,
    Leave,
}

/// Lets the person choose a piece for the die.
fn choose_piece(state: &State, die: Die, keys: &mut Keys) -> Result<Chosen> {
    let mut moves: Vec<Move> = Vec::new();
    for mv in state.legal() {
        if mv.die() == die && !moves.contains(&mv) {
            moves.push(mv);
        }
    }
    for (number, &mv) in moves.iter().enumerate() {
        println!("  {} {}", style::bold(&format!("[{}]", number + 1)), explain(state, mv));
    }
    loop {
        let Some(key) = keys.ask("which? ")? else { return Ok(Chosen::Leave) };
        match key.to_digit(10).and_then(|number| moves.get((number as usize).wrapping_sub(1))) {
            Some(&mv) => return Ok(Chosen::Action(mv)),
            None if matches!(key, BACK | ESCAPE) => return Ok(Chosen::AnotherDie),
            None if key == 'q' => return Ok(Chosen::Leave),
            None => println!("Press a number from 1 to {}, or Backspace for another die.", moves.len()),
        }
    }
}

const BACK: char = '\u{8}';
const ESCAPE: char = '\u{1b}';

/// Single keys from a terminal, or characters of lines from anything else.
struct Keys {
    raw: bool,
    waiting: std::collections::VecDeque<char>,
}

impl Keys {
    fn new() -> Self {
        Self {
            raw: io::stdin().is_terminal() && io::stdout().is_terminal(),
            waiting: std::collections::VecDeque::new(),
        }
    }

    /// The next key. `None` at the end of input and after Ctrl-C.
    fn ask(&mut self, question: &str) -> Result<Option<char>> {
        print!("{question}");
        io::stdout().flush()?;
        if !self.raw {
            return self.typed();
        }
        enable_raw_mode()?;
        let key = Self::press();
        disable_raw_mode()?;
        let key = key?;
        println!("{}", key.filter(|key| !key.is_control()).map(String::from).unwrap_or_default());
        Ok(key)
    }

    fn press() -> Result<Option<char>> {
        loop {
            let Event::Key(event) = read()? else { continue };
            if event.kind == KeyEventKind::Release {
                continue;
            }
            match event.code {
                KeyCode::Char('c') if event.modifiers.contains(KeyModifiers::CONTROL) => return Ok(None),
                KeyCode::Char(key) => return Ok(Some(key.to_ascii_lowercase())),
                KeyCode::Backspace => return Ok(Some(BACK)),
                KeyCode::Esc => return Ok(Some(ESCAPE)),
                _ => {}
            }
        }
    }

    fn typed(&mut self) -> Result<Option<char>> {
        while self.waiting.is_empty() {
            let mut line = String::new();
            if io::stdin().lock().read_line(&mut line)? == 0 {
                println!();
                return Ok(None);
            }
            self.waiting.extend(line.chars().filter(|key| !key.is_whitespace()));
        }
        Ok(self.waiting.pop_front())
    }
}

struct Sitting {
    state: State,
    past: Vec<State>,
    /// Who plays a seat that is not the person's, with their names.
    machines: [(Box<dyn Player<Parchis>>, String); 2],
    adviser: Option<Client>,
    link: LinkSpec,
}

impl Sitting {
    fn new(settings: &PlaySettings) -> Result<Self> {
        let make = |name: &str| -> Result<(Box<dyn Player<Parchis>>, String)> {
            let player = if name == "agent" {
                agent(Client::open(&settings.link)?, settings.limits)
            } else {
                opponents::by_name(name, settings.seed)?
            };
            Ok((player, name.to_owned()))
        };
        // A person's seat is filled with somebody who is never asked; when two machines play, the agent moves first.
        let machines = match settings.seat {
            None => [make("agent")?, make(&settings.opponent)?],
            Some(0) => [make("random")?, make(&settings.opponent)?],
            Some(_) => [make(&settings.opponent)?, make("random")?],
        };
        Ok(Self { state: State::start(), past: Vec::new(), machines, adviser: None, link: settings.link.clone() })
    }

    fn go(&mut self, mv: Move, who: &str) {
        let words = explain(&self.state, mv);
        self.state = self.state.play(mv);
        println!("\n{}", draw_moved(&self.state, mv.piece()));
        println!("{}", style::bold(&format!("{who}: {words}")));
    }

    /// Who gives hints: an agent of its own, so that a hint needs no second board.
    fn adviser(&mut self) -> Result<&mut Client> {
        let link = self.link.second();
        match &mut self.adviser {
            Some(client) => Ok(client),
            none => Ok(none.insert(Client::open(&link)?)),
        }
    }
}
