//! Mancala at the terminal.

use std::io::{self, BufRead, Write};

use anyhow::Result;
use rival_core::games::GameId;
use rival_core::games::mancala::{Pit, Player as Side, State};
use rival_core::wire::Source;

use super::{Mancala, agent, opponents, pit_of, seat, value_words};
use crate::client::{Answer, Client};
use crate::commands::style;
use crate::duel::{self, Duel, MatchSettings, Player, Report};
use crate::games::PlaySettings;

/// What the agent thought, in a line.
fn thinking(answer: &Answer) -> String {
    let statistics = &answer.statistics;
    let line: Vec<_> = statistics.line.iter().map(ToString::to_string).collect();
    if statistics.source != Source::Search {
        return format!("{}, {}", statistics.source.name(), value_words(statistics));
    }
    format!(
        "depth {}, {}, line {}, {} nodes, {:.1} ms",
        statistics.depth,
        value_words(statistics),
        line.join(" "),
        statistics.nodes,
        f64::from(statistics.search_us) / 1e3,
    )
}

/// Plays one game and writes it down move by move.
pub(super) fn show_match(settings: &MatchSettings, out: &mut dyn Write) -> Result<Report> {
    let settings = MatchSettings { games: 1, jobs: 1, quiet: true, ..settings.clone() };
    duel::run_watched(
        &Mancala,
        &settings,
        |name, number| seat(&settings, name, number),
        &mut |who, pit, after, answer| {
            let name = if who == 0 { &settings.p1 } else { &settings.p2 };
            let thought = answer.map(thinking).unwrap_or_default();
            writeln!(out, "{name:>8} pit {pit}  {:>2}:{:<2} {thought}", after.store(Side::J1), after.store(Side::J2))?;
            if after.is_over() {
                writeln!(out, "{after}")?;
            }
            Ok(())
        },
    )
}

const HELP: &str = "  1..6   sow that pit (1 is next to your store)
  h      hint: what the agent would do
  u      undo your last move
  q      quit";

/// Plays with the person at the terminal, or shows two machines.
pub(super) fn play(settings: &PlaySettings) -> Result<()> {
    let stdin = io::stdin();
    let mut lines = stdin.lock().lines();
    let mut table = Sitting::new(settings)?;
    println!("{}", table.drawn());
    if settings.seat.is_some() {
        println!("{HELP}");
    }
    while Mancala.points(&table.state).is_none() {
        if settings.seat != Some(table.state.turn() as usize) {
            let (pit, answer) = table.opponent.choose(&table.state)?;
            let thought = answer.as_ref().map(thinking).unwrap_or_default();
            println!("{} sows pit {pit}  {}", settings.opponent, style::dim(&thought));
            table.state = table.state.play(pit);
            println!("{}", table.drawn());
            continue;
        }
        print!("{} ", style::bold("your pit?"));
        io::stdout().flush()?;
        let Some(line) = lines.next().transpose()? else { return Ok(()) };
        match line.trim() {
            "" | "?" | "help" => println!("{HELP}"),
            "q" | "quit" => return Ok(()),
            "u" | "undo" => match table.past.pop() {
                Some(before) => {
                    table.state = before;
                    println!("{}", table.drawn());
                }
                None => println!("There is nothing to take back."),
            },
            "h" | "hint" => {
                let state = table.state.encode();
                let answer = table.adviser()?.decide(GameId::Mancala, &state, settings.limits)?;
                if let Some(pit) = pit_of(&table.state, &answer.action) {
                    println!("pit {pit}  {}", style::dim(&thinking(&answer)));
                }
            }
            text => match text.parse().ok().and_then(Pit::new) {
                Some(pit) if table.state.is_legal(pit) => {
                    table.past.push(table.state);
                    table.state = table.state.play(pit);
                    println!("{}", table.drawn());
                }
                Some(pit) => println!("Pit {pit} is empty."),
                None => println!("\"{text}\" is no pit: type a number from 1 to 6, or ? for help."),
            },
        }
    }
    println!("{}", verdict(&table.state, settings.seat));
    Ok(())
}

fn verdict(state: &State, seat: Option<usize>) -> String {
    let (first, second) = (state.store(Side::J1), state.store(Side::J2));
    let winner = match state.margin() {
        0 => None,
        margin => Some(usize::from(margin < 0)),
    };
    let words = match (winner, seat) {
        (None, _) => "A draw".into(),
        (Some(winner), Some(seat)) if winner == seat => "You win".into(),
        (Some(_), Some(_)) => "You lose".into(),
        (Some(winner), None) => format!("J{} wins", winner + 1),
    };
    style::bold(&format!("{words}, {first} to {second}."))
}

struct Sitting {
    state: State,
    past: Vec<State>,
    opponent: Box<dyn Player<Mancala>>,
    adviser: Option<Client>,
    link: crate::link::LinkSpec,
}

impl Sitting {
    fn new(settings: &PlaySettings) -> Result<Self> {
        let opponent = if settings.opponent == "agent" {
            agent(Client::open(&settings.link)?, settings.limits)
        } else {
            opponents::by_name(&settings.opponent, settings.seed)?
        };
        Ok(Self { state: State::start(), past: Vec::new(), opponent, adviser: None, link: settings.link.clone() })
    }

    /// Who gives hints: an agent of its own, so that a hint needs no second board.
    fn adviser(&mut self) -> Result<&mut Client> {
        let link = self.link.second();
        match &mut self.adviser {
            Some(client) => Ok(client),
            none => Ok(none.insert(Client::open(&link)?)),
        }
    }

    fn drawn(&self) -> String {
        let turn = format!("J{} to move", self.state.turn() as usize + 1);
        format!("\n{}\n{}", self.state, style::dim(&turn))
    }
}
