//! Belkan at the terminal: watch somebody walk, or walk.

use core::time::Duration;
use std::io::{IsTerminal, stdout};

use anyhow::{Result, bail};
use crossterm::event::KeyCode;
use rival_core::games::belkan::{Action, Knowledge, Sensors};

use super::arena::{Seat, Stage, stages};
use super::draw::{LEGEND, Picture};
use super::world::{Setup, World};
use crate::commands::style;
use crate::games::PlaySettings;
use crate::screen::Screen;

const KEYS: &str = "space stop/go   . one tick   + - speed   f fog on/off   q quit";
const WALKING: &str =
    "up: step   left, right: turn   i: idle   h: hint   enter: do what the agent would   f: fog on/off   q: quit";

/// A game on the screen.
struct Show<'a> {
    stage: &'a Stage,
    known: Knowledge,
    plan: Vec<Action>,
    fog: bool,
    thought: String,
    keys: &'static str,
}

impl Show<'_> {
    fn draw(&self, screen: &Screen, world: &World, sensors: &Sensors) -> Result<()> {
        let (columns, rows) = screen.size()?;
        let picture = Picture {
            known: &self.known,
            truth: (!self.fog).then_some(&self.stage.map),
            sensors,
            plan: &self.plan,
            rows: rows.saturating_sub(5).max(1),
            columns: columns.max(1),
            coloured: style::coloured(),
        };
        let score = world.score();
        let gauge = usize::from(score.battery) / 150;
        let status = format!(
            "battery {:>4} [{:<20}]  ticks left {:>4}  targets {:>3}  bumps {}  target at row {}, column {}",
            score.battery,
            "#".repeat(gauge),
            score.life,
            score.goals,
            score.collisions,
            sensors.target.row,
            sensors.target.column
        );
        let below = [status.as_str(), self.thought.as_str(), LEGEND, self.keys];
        let below = below.map(|line| line.chars().take(columns).collect::<String>());
        screen.draw(picture.draw().lines().chain(below.iter().map(String::as_str)))
    }
}

/// Watches the opponent walk, or lets the person walk with the agent as adviser.
pub(super) fn play(settings: &PlaySettings) -> Result<()> {
    if !stdout().is_terminal() {
        bail!("this needs a terminal; `rival match belkan` plays without one");
    }
    let stage = stages(settings.map.as_deref().unwrap_or("generated:1:40"), &[])?.swap_remove(0);
    let setup = Setup { seed: settings.seed as u32, ..stage.setup.clone() };
    let mut world = World::new(&stage.map, &setup)?;
    let walking = settings.seat.is_some();
    let name = if walking { "agent" } else { settings.opponent.as_str() };
    let mut seat = Seat::new(name, &settings.link, settings.limits)?;
    seat.begin(setup.seed as u16, None)?;
    let keys = if walking { WALKING } else { KEYS };
    let mut show =
        Show { stage: &stage, known: Knowledge::new(), plan: Vec::new(), fog: true, thought: String::new(), keys };
    let screen = Screen::open()?;
    let (mut running, mut delay) = (true, 60_u64);
    'game: while !world.is_over() {
        let sensors = world.sense();
        show.known.observe(&sensors)?;
        let mut action;
        match &mut seat {
            Seat::Agent(agent) => {
                let (decided, answer) = agent.decide(&sensors)?;
                action = decided;
                let codes = answer.statistics.line.iter();
                let ahead = codes.filter_map(|&code| Action::from_code(code));
                show.plan = core::iter::once(decided).chain(ahead).collect();
                let plan: String = show.plan.iter().map(|action| action.letter()).collect();
                show.thought = format!(
                    "plan {plan}  {} searches, {} nodes, {:.1} ms",
                    answer.statistics.depth,
                    answer.statistics.nodes,
                    f64::from(answer.statistics.search_us) / 1e3
                );
            }
            Seat::Opponent(walker) => action = walker.decide(&sensors),
        }
        if walking {
            // The adviser's thoughts are shown when they are asked for.
            let thought = core::mem::take(&mut show.thought);
            let plan = core::mem::take(&mut show.plan);
            loop {
                show.draw(&screen, &world, &sensors)?;
                match screen.key(Duration::from_secs(1))? {
                    Some(KeyCode::Char('q') | KeyCode::Esc) => break 'game,
                    Some(KeyCode::Up) => action = Action::Forward,
                    Some(KeyCode::Left) => action = Action::Left,
                    Some(KeyCode::Right) => action = Action::Right,
                    Some(KeyCode::Char('i' | ' ')) => action = Action::Idle,
                    Some(KeyCode::Enter) => {}
                    Some(KeyCode::Char('h')) => {
                        show.thought.clone_from(&thought);
                        show.plan.clone_from(&plan);
                        continue;
                    }
                    Some(KeyCode::Char('f')) => {
                        show.fog = !show.fog;
                        continue;
                    }
                    _ => continue,
                }
                break;
            }
        } else {
            loop {
                show.draw(&screen, &world, &sensors)?;
                let wait = if running { Duration::from_millis(delay) } else { Duration::from_secs(1) };
                match screen.key(wait)? {
                    Some(KeyCode::Char('q') | KeyCode::Esc) => break 'game,
                    Some(KeyCode::Char(' ')) => running = !running,
                    Some(KeyCode::Char('.')) => break,
                    Some(KeyCode::Char('+')) => delay = (delay / 2).max(1),
                    Some(KeyCode::Char('-')) => delay = (delay * 2).min(2_000),
                    Some(KeyCode::Char('f')) => show.fog = !show.fog,
                    _ if running => break,
                    _ => {}
                }
            }
        }
        world.act(action);
    }
    drop(screen);
    let score = world.score();
    let end = if score.deaths > 0 { ", over the edge" } else { "" };
    println!(
        "{} targets, {} ticks and {} battery left, {} bumps{end}",
        score.goals, score.life, score.battery, score.collisions
    );
    Ok(())
}
