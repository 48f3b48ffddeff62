//! A game at the terminal: the map, the record sheets, and choices that are legal.
//!
//! A person moves by words (`run f f r f`, `jump 0507 3`), aims by numbers, and may ask `why` for the numbers behind a
//! choice or `hint` for what the agent would do.

use std::io::{BufRead, IsTerminal, Write};

use anyhow::{Context, Result};
use rival_core::games::battletech::action::{Aim, Bins, Blows, Shot, Shots, Step, Steps};
use rival_core::games::battletech::physical::{self, Blow};
use rival_core::games::battletech::{Action, Facing, Hex, Phase};

use super::agent::AgentPlayer;
use super::draw::{map_text, sheet_text};
use super::opponents;
use super::referee::{Game, LAST_TURN, Player, check};
use super::series::Setting;
use crate::client::Client;
use crate::games::PlaySettings;

/// Somebody at the keyboard, with the agent to ask for advice.
struct Person {
    advisor: AgentPlayer,
    shown: usize,
    gone: bool,
}

impl Person {
    fn show(&mut self, game: &Game, who: usize) {
        for line in &game.dice.log[self.shown.min(game.dice.log.len())..] {
            println!("{line}");
        }
        self.shown = game.dice.log.len();
        println!("\n{}", map_text(game, std::io::stdout().is_terminal()));
        for at in 0..game.mechs.len() {
            println!("{}{}", if at == who { "you: " } else { "" }, sheet_text(game, at));
        }
    }

    fn line(&mut self, prompt: &str) -> Option<String> {
        print!("{prompt} ");
        let _ = std::io::stdout().flush();
        let mut text = String::new();
        match std::io::stdin().lock().read_line(&mut text) {
            Ok(1..) if text.trim() != "quit" => Some(text.trim().to_owned()),
            _ => {
                self.gone = true;
                None
            }
        }
    }
}

/// What can be typed in a phase.
const fn help(phase: Phase) -> &'static str {
    match phase {
        Phase::Movement => "stay | walk f b l r … | run f l r … | stand 1-6 | drop | jump CCRR 1-6 | hint | why | quit",
        Phase::Reaction => "left | right | ahead | hint | quit",
        Phase::Weapons => "fire 1 2 … (weapons by number) | none | club | why | hint | quit",
        Phase::Physical => "lp rp lk rk club lb rb (fists, feet, club, blades) | none | why | hint | quit",
        Phase::End => "done | off N | on N | eject N … | drop | hint | quit",
    }
}

fn parse(game: &Game, who: usize, phase: Phase, text: &str) -> Option<Action> {
    let mut words = text.split_whitespace();
    let first = words.next().unwrap_or("");
    let foe = nearest(game, who)?;
    let numbers =
        |words: core::str::SplitWhitespace<'_>| words.filter_map(|word| word.parse::<u8>().ok()).collect::<Vec<_>>();
    match (phase, first) {
        (Phase::Movement, "stay") => Some(Action::Still),
        (Phase::Movement, "jump") => {
            let to = Hex::from_id(words.next()?.parse().ok()?)?;
            Some(Action::Jump { to, facing: Facing::new(words.next()?.parse().ok()?)? })
        }
        (Phase::Movement, "walk" | "run" | "stand" | "drop") => {
            let mut steps = Steps::new();
            let mut words = text.split_whitespace().skip(usize::from(matches!(first, "walk" | "run")));
            while let Some(word) = words.next() {
                let step = match word {
                    "f" => Step::Forward,
                    "b" => Step::Backward,
                    "l" => Step::Left,
                    "r" => Step::Right,
                    "drop" => Step::Drop,
                    "stand" => Step::Stand(Facing::new(words.next()?.parse().ok()?)?),
                    _ => return None,
                };
                steps.push(step).ok()?;
            }
            Some(Action::Go { run: first == "run", masc: false, steps })
        }
        (Phase::Reaction, "left") => Some(Action::Twist(-1)),
        (Phase::Reaction, "right") => Some(Action::Twist(1)),
        (Phase::Reaction, "ahead") => Some(Action::Twist(0)),
        (Phase::Weapons, "club") => Some(Action::PickUp),
        (Phase::Weapons | Phase::Physical, "none") | (Phase::End, "done") => Some(Action::nothing(phase)),
        (Phase::Weapons, "fire") => {
            let mech = &game.mechs[who];
            let mut shots = Shots::new();
            let mut taken = vec![0; mech.bins.len()];
            for number in numbers(words) {
                let at = number.checked_sub(1)?;
                let kind = mech.weapons.get(usize::from(at))?.kind();
                let bin = mech.bins.iter().enumerate().position(|(index, bin)| {
                    bin.works && !bin.armed && bin.load().weapon == kind.code && bin.rounds > taken[index]
                });
                let bin = bin.filter(|_| kind.needs_bin());
                if let Some(bin) = bin {
                    taken[bin] += 1;
                }
                shots
                    .push(Shot { weapon: at, bin: bin.map(|bin| bin as u8), double: false, aim: Aim::Mech(foe as u8) })
                    .ok()?;
            }
            Some(Action::Fire { primary: Some(foe as u8), shots })
        }
        (Phase::Physical, _) => {
            let mut blows = Blows::new();
            for word in text.split_whitespace() {
                let at = ["lp", "rp", "lk", "rk", "club", "lb", "rb"].iter().position(|name| *name == word)?;
                blows.push((Blow::ALL[at], foe as u8)).ok()?;
            }
            Some(Action::Strike(blows))
        }
        (Phase::End, "off" | "on" | "eject" | "drop") => {
            let numbers = numbers(words);
            let count = numbers.first().copied().unwrap_or(0);
            Some(Action::End {
                off: if first == "off" { count } else { 0 },
                on: if first == "on" { count } else { 0 },
                drop_club: first == "drop",
                eject: if first == "eject" {
                    numbers.iter().filter_map(|at| at.checked_sub(1)).collect()
                } else {
                    Bins::new()
                },
            })
        }
        _ => None,
    }
}

fn nearest(game: &Game, who: usize) -> Option<usize> {
    let me = &game.mechs[who];
    game.alive().into_iter().filter(|&at| at != who).min_by_key(|&at| (me.hex.distance(game.mechs[at].hex), at))
}

/// The numbers behind the choices of a phase.
fn why(game: &Game, who: usize, phase: Phase) {
    let Some(foe) = nearest(game, who) else { return };
    let (me, enemy) = (&game.mechs[who], &game.mechs[foe]);
    println!(
        "distance {}, your heat {} (+{} this turn, -{} cooling)",
        me.hex.distance(enemy.hex),
        me.heat,
        me.heating,
        me.cooling(&game.view())
    );
    let odds = |need: i32| 100.0 * f64::from(game.profile.ways_at_least(need)) / f64::from(game.profile.outcomes());
    match phase {
        Phase::Physical => {
            for blow in Blow::ALL {
                match physical::check(game.profile, &game.view(), me, enemy, blow) {
                    Ok(()) => {
                        let need = i32::from(physical::need(game.profile, &game.view(), me, enemy, blow));
                        println!(
                            "  {blow:?}: needs {need} ({:.0} %), {} points",
                            odds(need),
                            physical::damage(me, blow)
                        );
                    }
                    Err(refusal) => println!("  {blow:?}: not possible ({refusal:?})"),
                }
            }
        }
        _ => {
            for (at, weapon) in me.weapons.iter().enumerate() {
                let number = at + 1;
                let text = format!("fire {number}");
                let verdict = parse(game, who, Phase::Weapons, &text)
                    .map(|action| (check(game, who, Phase::Weapons, &action), action));
                let name = weapon.kind().name;
                match verdict {
                    Some((Ok(()), Action::Fire { shots, .. })) if !shots.is_empty() => {
                        let need = game.shot_need(who, &shots[0], foe, Some(foe as u8));
                        println!("  {number} {name}: needs {need} ({:.0} %), heat {}", odds(need), weapon.kind().heat);
                    }
                    Some((Err(reason), _)) => println!("  {number} {name}: {reason}"),
                    _ => println!("  {number} {name}: not possible"),
                }
            }
        }
    }
}

impl Player for Person {
    fn act(&mut self, game: &Game, who: usize, phase: Phase) -> Action {
        if self.gone {
            return Action::nothing(phase);
        }
        self.show(game, who);
        if phase == Phase::Weapons || phase == Phase::Physical {
            why(game, who, phase);
        }
        loop {
            let Some(text) = self.line(&format!("{} [{}]", phase.name(), help(phase))) else {
                return Action::nothing(phase);
            };
            match text.as_str() {
                "why" => why(game, who, phase),
                "hint" => match self.advisor.ask(game, who, phase) {
                    Ok(action) => println!("the agent would: {action:?}"),
                    Err(error) => println!("no advice: {error:#}"),
                },
                "" => return Action::nothing(phase),
                text => match parse(game, who, phase, text) {
                    None => println!("that is not one of: {}", help(phase)),
                    Some(action) => match check(game, who, phase, &action) {
                        Ok(()) => return action,
                        Err(reason) => println!("not allowed: {reason}"),
                    },
                },
            }
        }
    }
}

/// Plays with a person, or shows two machines.
pub(super) fn play(settings: &PlaySettings) -> Result<()> {
    let setting = Setting::new(settings.map.as_deref(), &settings.options)?;
    let mut game = setting.game(settings.seed, settings.seed as usize % 12 * 2);
    let machine = |name: &str| -> Result<Box<dyn Player>> {
        Ok(match name {
            "agent" => Box::new(AgentPlayer::new(Client::open(&settings.link)?, settings.limits)),
            name => opponents::by_name(name, settings.seed)?,
        })
    };
    let mut other = machine(&settings.opponent)?;
    let Some(seat) = settings.seat else {
        let mut agent = machine("agent")?;
        while game.turn < LAST_TURN && game.play_turn(&mut [agent.as_mut(), other.as_mut()]).is_none() {}
        for line in &game.dice.log {
            println!("{line}");
        }
        println!("{}", map_text(&game, std::io::stdout().is_terminal()));
        return Ok(());
    };
    let advisor = AgentPlayer::new(Client::open(&settings.link).context("the agent gives hints")?, settings.limits);
    let mut person = Person { advisor, shown: 0, gone: false };
    let mut verdict = None;
    while game.turn < LAST_TURN && verdict.is_none() && !person.gone {
        let mut seats: Vec<&mut dyn Player> = vec![&mut person, other.as_mut()];
        if seat == 1 {
            seats.swap(0, 1);
        }
        verdict = game.play_turn(&mut seats);
    }
    person.show(&game, seat.min(1));
    println!("{:?}", verdict.unwrap_or_else(|| game.verdict_by_points()));
    Ok(())
}
