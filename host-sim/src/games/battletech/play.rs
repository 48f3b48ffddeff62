//! A game at the terminal: the map, the record sheets, and choices that are legal.
//!
//! A person moves by naming a hex (`run 0507 3`) or step by step (`run f f r f`), aims by numbers, and may ask `why` for
//! the numbers behind a choice or `hint` for what the agent would do. What is not allowed is refused with the reason.

use std::io::{BufRead, IsTerminal, Write};

use anyhow::{Context, Result};
use rival_core::games::battletech::action::{Aim, Blows, Shot, Shots, Step, Steps};
use rival_core::games::battletech::attack::HIGHEST_NEED;
use rival_core::games::battletech::equipment::Special;
use rival_core::games::battletech::heat::{after, attack_modifier, shutdown_need, walk_penalty};
use rival_core::games::battletech::mech::Mode;
use rival_core::games::battletech::physical::{self, Blow};
use rival_core::games::battletech::reach::Place;
use rival_core::games::battletech::{Action, Facing, Hex, Phase};

use super::agent::AgentPlayer;
use super::draw::{BLOW_WORDS, LEGEND, action_text, map_text, sheet_text};
use super::opponents;
use super::referee::{Game, LAST_TURN, Player, check};
use super::routes::{Routes, landings};
use super::series::Setting;
use crate::client::Client;
use crate::games::PlaySettings;

/// Somebody at the keyboard, with the agent to ask for advice.
struct Person {
    advisor: AgentPlayer,
    shown: usize,
    turn: u8,
    gone: bool,
}

impl Person {
    /// What happened since the last look; the map and the sheets at the start of a turn and before shots and blows.
    fn show(&mut self, game: &Game, who: usize, whole: bool) {
        for line in &game.dice.log[self.shown.min(game.dice.log.len())..] {
            println!("{line}");
        }
        self.shown = game.dice.log.len();
        if !whole {
            return;
        }
        println!("\n{}{LEGEND}", map_text(game, std::io::stdout().is_terminal()));
        let wind = game.wind.map_or(String::new(), |wind| format!("; the wind blows {wind}"));
        println!("turn {} of {LAST_TURN}, order of play {:?}{wind}\n", game.turn, game.order);
        for at in 0..game.mechs.len() {
            println!("{}{}", if at == who { "you: " } else { "" }, sheet_text(game, at));
        }
    }

    fn line(&mut self, prompt: &str) -> Option<String> {
        print!("{prompt} > ");
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
        Phase::Movement => {
            "where            lists the hexes in reach\n\
             walk 0507 3      to a hex and a facing (1 north, then clockwise); run and jump likewise\n\
             run f f r        step by step: f b l r, stand 1-6, drop; masc for a run with MASC\n\
             why 0507 3       the shots from there, and those of the enemies as they stand\n\
             stay | why | hint | map | quit"
        }
        Phase::Reaction => "left | ahead | right     the torso\nwhy | hint | map | quit",
        Phase::Weapons => {
            "fire 1 3         weapons by number at the nearest enemy\n\
             fire 1 at 1 3 at 2   at others: the first named is the primary target; 3x fires at double rate\n\
             fire 2 at 0507   at a hex\n\
             none | club (pick one up) | why | hint | map | quit"
        }
        Phase::Physical => {
            "lp rp lk rk club lb rb   left and right punch and kick, club, left and right blade; `at 1` for the target\n\
             none | why | hint | map | quit"
        }
        Phase::End => "done | off N | on N (sinks) | eject N … (bins) | drop (the club) | hint | map | quit",
    }
}

fn parse(game: &Game, who: usize, phase: Phase, text: &str) -> Option<Action> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let (&first, rest) = words.split_first()?;
    let numbers = || rest.iter().filter_map(|word| word.parse::<u8>().ok()).collect::<Vec<_>>();
    match (phase, first) {
        (Phase::Movement, "stay") => Some(Action::Still),
        (Phase::Movement, "jump") => {
            let to = Hex::from_id(rest.first()?.parse().ok()?)?;
            let facing = rest.get(1).map_or(Some(game.mechs[who].facing), |word| Facing::new(word.parse().ok()?))?;
            Some(Action::Jump { to, facing })
        }
        (Phase::Movement, "walk" | "run")
            if rest.first().is_some_and(|word| word.len() == 4 && word.parse::<u16>().is_ok()) =>
        {
            let hex = Hex::from_id(rest[0].parse().ok()?)?;
            let mut routes = Routes::new(game, who, first == "run")?;
            let facings = match rest.get(1) {
                Some(word) => vec![Facing::new(word.parse().ok()?)?],
                None => Facing::ALL.to_vec(),
            };
            facings.into_iter().find_map(|facing| routes.to(game, who, Place { hex, facing }))
        }
        (Phase::Movement, "walk" | "run" | "masc" | "stand" | "drop") => {
            let mut steps = Steps::new();
            let mut words = words.iter().skip(usize::from(matches!(first, "walk" | "run" | "masc")));
            while let Some(&word) = words.next() {
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
            Some(Action::Go { run: first == "run" || first == "masc", masc: first == "masc", steps })
        }
        (Phase::Reaction, "left") => Some(Action::Twist(-1)),
        (Phase::Reaction, "right") => Some(Action::Twist(1)),
        (Phase::Reaction, "ahead") => Some(Action::Twist(0)),
        (Phase::Weapons, "club") => Some(Action::PickUp),
        (Phase::Weapons | Phase::Physical, "none") | (Phase::End, "done") => Some(Action::nothing(phase)),
        (Phase::Weapons, "fire") => parse_fire(game, who, rest),
        (Phase::Physical, _) => parse_blows(game, who, &words),
        (Phase::End, "off" | "on" | "eject" | "drop") => {
            let numbers = numbers();
            let count = numbers.first().copied().unwrap_or(0);
            Some(Action::End {
                off: if first == "off" { count } else { 0 },
                on: if first == "on" { count } else { 0 },
                drop_club: first == "drop",
                eject: numbers.iter().filter(|_| first == "eject").filter_map(|at| at.checked_sub(1)).collect(),
            })
        }
        _ => None,
    }
}

/// `1 3 at 1 2x at 0507`: weapons, then what they are fired at; the nearest enemy if nothing is said.
fn parse_fire(game: &Game, who: usize, words: &[&str]) -> Option<Action> {
    let mech = &game.mechs[who];
    let mut shots = Shots::new();
    let mut taken = vec![0; mech.bins.len()];
    let mut primary = None;
    let mut waiting: Vec<(u8, bool)> = Vec::new();
    let mut words = words.iter();
    loop {
        let word = words.next();
        let aim = match word {
            Some(&"at") => match words.next()? {
                hex if hex.len() == 4 => Aim::Hex(Hex::from_id(hex.parse().ok()?)?),
                at => Aim::Mech(at.parse().ok()?),
            },
            None => Aim::Mech(nearest(game, who)? as u8),
            Some(word) => {
                let number: u8 = word.trim_end_matches('x').parse().ok()?;
                waiting.push((number.checked_sub(1)?, word.ends_with('x')));
                continue;
            }
        };
        if let (Aim::Mech(at), None, false) = (aim, primary, waiting.is_empty()) {
            primary = Some(at);
        }
        for (at, double) in waiting.drain(..) {
            let kind = mech.weapons.get(usize::from(at))?.kind();
            let rounds = 1 + u8::from(double);
            let bin = mech.bins.iter().enumerate().position(|(index, bin)| {
                bin.works && !bin.armed && bin.load().weapon == kind.code && bin.rounds >= taken[index] + rounds
            });
            let bin = bin.filter(|_| kind.needs_bin());
            if let Some(bin) = bin {
                taken[bin] += rounds;
            }
            shots.push(Shot { weapon: at, bin: bin.map(|bin| bin as u8), double, aim }).ok()?;
        }
        if word.is_none() {
            return Some(Action::Fire { primary, shots });
        }
    }
}

fn parse_blows(game: &Game, who: usize, words: &[&str]) -> Option<Action> {
    let mut blows = Blows::new();
    let mut words = words.iter().peekable();
    while let Some(word) = words.next() {
        let blow = Blow::ALL[BLOW_WORDS.iter().position(|name| name == word)?];
        let target = if words.next_if(|next| **next == "at").is_some() {
            words.next()?.parse().ok()?
        } else {
            nearest(game, who)? as u8
        };
        blows.push((blow, target)).ok()?;
    }
    Some(Action::Strike(blows))
}

fn nearest(game: &Game, who: usize) -> Option<usize> {
    let me = &game.mechs[who];
    game.alive().into_iter().filter(|&at| at != who).min_by_key(|&at| (me.hex.distance(game.mechs[at].hex), at))
}

fn percent(game: &Game, need: i32) -> f64 {
    100.0 * f64::from(game.profile.ways_at_least(need)) / f64::from(game.profile.outcomes())
}

/// The hexes in reach.
fn where_to(game: &Game, who: usize) {
    let list = |name: &str, hexes: Vec<String>| {
        if !hexes.is_empty() {
            println!("{name}: {} hexes", hexes.len());
            hexes.chunks(14).for_each(|row| println!("  {}", row.join(" ")));
        }
    };
    for (name, run) in [("walk, with the points it takes", false), ("run", true)] {
        let hexes = Routes::new(game, who, run).map(|routes| routes.hexes(game)).unwrap_or_default();
        list(name, hexes.iter().map(|(hex, cost)| format!("{hex}:{cost}")).collect());
    }
    list("jump", landings(game, who).iter().map(ToString::to_string).collect());
}

/// What every weapon of a mech needs to hit another, and why.
fn shots(game: &Game, who: usize, foe: usize) {
    for (at, weapon) in game.mechs[who].weapons.iter().enumerate() {
        let (number, kind) = (at + 1, weapon.kind());
        let name = format!("{number} {}", kind.name);
        let Some(action) = parse(game, who, Phase::Weapons, &format!("fire {number} at {foe}")) else { continue };
        let Action::Fire { shots, .. } = &action else { continue };
        if let Err(reason) = check(game, who, Phase::Weapons, &action) {
            println!("  {name:<22} {reason}");
            continue;
        }
        let parts = game.shot_parts(who, &shots[0], foe, Some(foe as u8));
        let need: i32 = parts.iter().map(|(_, part)| i32::from(*part)).sum();
        let sum: Vec<String> =
            parts.iter().filter(|(_, part)| *part != 0).map(|(name, part)| format!("{name} {part:+}")).collect();
        let average = f64::from(kind.hit_average(game.profile)) / f64::from(game.profile.outcomes());
        let expected = average * percent(game, need) / 100.0;
        let never = if need > i32::from(HIGHEST_NEED) || percent(game, need) == 0.0 { ", never hits" } else { "" };
        let ultra = if kind.special == Special::Ultra { format!(", {number}x for double rate") } else { String::new() };
        println!(
            "  {name:<22} needs {need:>2} ({:>3.0} %){never}, {expected:.1} points to be expected, heat {}{ultra}  [{}]",
            percent(game, need),
            kind.heat,
            sum.join(", ")
        );
    }
}

/// The game as it would be with a mech at another place: `0507`, or `0507 3` with a facing. Nothing if it cannot get there.
fn moved_to(game: &Game, who: usize, words: &str) -> Option<Game> {
    let mut words = words.split_whitespace();
    let hex = Hex::from_id(words.next()?.parse().ok()?)?;
    let facing = words.next().map_or(Some(game.mechs[who].facing), |word| Facing::new(word.parse().ok()?))?;
    let on_foot =
        |run| Routes::new(game, who, run).is_some_and(|routes| routes.hexes(game).iter().any(|(at, _)| *at == hex));
    let mode = if hex == game.mechs[who].hex {
        Mode::Still
    } else if on_foot(false) {
        Mode::Walk
    } else if on_foot(true) {
        Mode::Run
    } else if landings(game, who).contains(&hex) {
        Mode::Jump
    } else {
        return None;
    };
    let mut there = game.clone();
    let me = &mut there.mechs[who];
    let moved = me.hex.distance(hex);
    (me.hex, me.facing, me.torso, me.mode, me.moved, me.prone) = (hex, facing, facing, mode, moved, false);
    Some(there)
}

/// The shots from a place in reach, and those of the enemies as they stand.
fn why_there(game: &Game, who: usize, words: &str) {
    let Some(there) = moved_to(game, who, words) else {
        println!("that place is not in reach; `where` lists the hexes that are");
        return;
    };
    let me = &there.mechs[who];
    let how = match me.mode {
        Mode::Still => "without moving",
        Mode::Walk => "by walking",
        Mode::Run => "by running",
        Mode::Jump => "by jumping",
    };
    println!("at {} facing {}, {how}", me.hex, me.facing);
    for foe in there.alive().into_iter().filter(|&at| at != who) {
        println!("at {}, distance {}", there.names[foe], me.hex.distance(there.mechs[foe].hex));
        shots(&there, who, foe);
        println!("from {}, as it stands", there.names[foe]);
        shots(&there, foe, who);
    }
}

/// The numbers behind the choices of a phase.
fn why(game: &Game, who: usize, phase: Phase) {
    let me = &game.mechs[who];
    let cooling = me.cooling(&game.view());
    let made = me.heating + me.engine_heat();
    println!("heat {} + {made} this turn - {cooling} cooling = {}", me.heat, after(me.heat, made, cooling));
    println!(
        "standing up or keeping your feet needs {} ({:.0} %)",
        me.piloting_need(0),
        percent(game, me.piloting_need(0))
    );
    for foe in game.alive().into_iter().filter(|&at| at != who) {
        let enemy = &game.mechs[foe];
        println!("{} at {}, distance {}", game.names[foe], enemy.hex, me.hex.distance(enemy.hex));
        if phase == Phase::Physical {
            for (blow, word) in Blow::ALL.into_iter().zip(BLOW_WORDS) {
                if let Ok(()) = physical::check(game.profile, &game.view(), me, enemy, blow) {
                    let need = i32::from(physical::need(game.profile, &game.view(), me, enemy, blow));
                    let points = physical::damage(me, blow);
                    println!("  {word:<4} needs {need} ({:.0} %), {points} points", percent(game, need));
                }
            }
            continue;
        }
        shots(game, who, foe);
    }
    if phase == Phase::Weapons {
        for more in [0, 5, 10, 15, 20, 25, 30] {
            let heat = after(me.heat, made + more, cooling);
            if heat > 0 {
                let off = match shutdown_need(heat) {
                    None => String::new(),
                    Some(99) => ", shuts down".to_owned(),
                    Some(need) => format!(", shuts down but for {need}"),
                };
                let (slow, aim) = (walk_penalty(heat), attack_modifier(heat));
                println!("  firing for {more} heat ends at {heat}: {slow} slower, {aim} worse aim{off}");
            }
        }
    }
}

impl Player for Person {
    fn act(&mut self, game: &Game, who: usize, phase: Phase) -> Action {
        if self.gone {
            return Action::nothing(phase);
        }
        let whole = self.turn != game.turn || phase == Phase::Weapons;
        self.turn = game.turn;
        self.show(game, who, whole);
        if matches!(phase, Phase::Weapons | Phase::Physical) {
            why(game, who, phase);
        }
        println!("\n{}: type `help` for what there is", phase.name());
        loop {
            let Some(text) = self.line(phase.name()) else { return Action::nothing(phase) };
            match text.as_str() {
                "help" | "?" => println!("{}", help(phase)),
                "why" => why(game, who, phase),
                text if phase == Phase::Movement && text.starts_with("why ") => why_there(game, who, &text[4..]),
                "map" => self.show(game, who, true),
                "where" if phase == Phase::Movement => where_to(game, who),
                "hint" => match self.advisor.ask(game, who, phase) {
                    Ok(action) => {
                        let value = self.advisor.last.as_ref().map_or(0, |answer| answer.statistics.value);
                        println!("the agent would: {} (worth {value:+} thousandths of a mech)", action_text(&action));
                    }
                    Err(error) => println!("no advice: {error:#}"),
                },
                "" => return Action::nothing(phase),
                text => match parse(game, who, phase, text) {
                    None => println!("that cannot be done or is not understood; `help` says what there is"),
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
    let mut others: Vec<Box<dyn Player>> = vec![machine(&settings.opponent)?];
    for name in setting.more() {
        others.push(machine(name)?);
    }
    let Some(seat) = settings.seat else {
        let mut agent = machine("agent")?;
        let mut seats: Vec<&mut dyn Player> = vec![agent.as_mut()];
        for other in &mut others {
            seats.push(other.as_mut());
        }
        let verdict = game.play(&mut seats);
        for line in &game.dice.log {
            println!("{line}");
        }
        println!("{}{}", map_text(&game, std::io::stdout().is_terminal()), game.verdict_text(verdict));
        return Ok(());
    };
    let advisor = AgentPlayer::new(Client::open(&settings.link).context("the agent gives hints")?, settings.limits);
    let mut person = Person { advisor, shown: 0, turn: 0, gone: false };
    let mut verdict = None;
    // Where a dead pilot does not end the match, a person need not walk about alone until the last turn.
    while verdict.is_none() && !person.gone && game.alive().len() > 1 {
        let mut seats: Vec<&mut dyn Player> = vec![&mut person];
        for other in &mut others {
            seats.push(other.as_mut());
        }
        seats.swap(0, seat.min(1));
        verdict = game.play_turn(&mut seats);
    }
    if person.gone {
        println!("left before the end");
    } else {
        person.show(&game, seat.min(1), true);
        println!("{}", game.verdict_text(verdict.unwrap_or_else(|| game.verdict_by_points())));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_can_be_typed() {
        let game = Setting::new(Some("plain"), &[]).unwrap().game(5, 8);
        for (phase, text) in [
            (Phase::Movement, "run f f r stand 3"),
            (Phase::Movement, "jump 0507 3"),
            (Phase::Reaction, "left"),
            (Phase::Weapons, "fire 1 3 at 1"),
            (Phase::Weapons, "none"),
            (Phase::Physical, "lp at 1 rk at 1"),
            (Phase::End, "eject 1"),
        ] {
            assert_eq!(action_text(&parse(&game, 0, phase, text).unwrap()), text);
        }
        for text in ["fire", "fly", "run x", "jump here", "walk 9999 1"] {
            let action = parse(&game, 0, Phase::Movement, text);
            assert!(action.is_none_or(|action| check(&game, 0, Phase::Movement, &action).is_err()), "{text}");
        }
    }

    #[test]
    fn a_place_can_be_asked_about_only_if_it_is_in_reach() {
        let game = Setting::new(Some("hills"), &[]).unwrap().game(5, 8);
        let reach = Routes::new(&game, 0, true).unwrap().hexes(&game);
        let far = game.view().hexes().find(|hex| reach.iter().all(|(at, _)| at != hex)).unwrap();
        let (near, _) = *reach.iter().find(|(hex, _)| *hex != game.mechs[0].hex).unwrap();
        let there = moved_to(&game, 0, &format!("{near} 4")).unwrap();
        let (me, south) = (&there.mechs[0], Facing::new(4).unwrap());
        assert_eq!((me.hex, me.facing, me.moved), (near, south, game.mechs[0].hex.distance(near)));
        assert_ne!(me.mode, Mode::Still);
        assert!(moved_to(&game, 0, &far.to_string()).is_none() || game.mechs[0].jump > 0);
        for text in ["", "here", "0000", "9999", "0507 9"] {
            assert!(moved_to(&game, 0, text).is_none(), "{text}");
        }
    }

    #[test]
    fn every_hex_in_reach_can_be_walked_to() {
        let game = Setting::new(Some("hills"), &[]).unwrap().game(5, 8);
        for run in [false, true] {
            let hexes = Routes::new(&game, 0, run).unwrap().hexes(&game);
            assert!(hexes.len() > 5);
            for (hex, _) in hexes.into_iter().filter(|(hex, _)| *hex != game.mechs[0].hex) {
                let text = format!("{} {hex}", if run { "run" } else { "walk" });
                assert!(parse(&game, 0, Phase::Movement, &text).is_some(), "{text}");
            }
        }
    }
}
