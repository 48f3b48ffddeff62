//! Maps and record sheets as text.

use core::fmt::Write as _;

use rival_core::games::battletech::action::{Aim, Step};
use rival_core::games::battletech::map::{Object, Terrain};
use rival_core::games::battletech::mech::Limb;
use rival_core::games::battletech::physical::Blow;
use rival_core::games::battletech::{Action, Hex, Location, Mech};

use super::referee::Game;

/// The map, two characters of ground a hex, before them a mech's number with its facing; odd columns half a line lower.
pub fn map_text(game: &Game, colour: bool) -> String {
    let map = game.view();
    let mut text = String::from("    ");
    for col in 0..map.cols() {
        let _ = write!(text, "{:02}   ", col + 1);
    }
    text.push('\n');
    for line in 0..=2 * usize::from(map.rows()) {
        let row = line / 2;
        if line % 2 == 0 && row < usize::from(map.rows()) {
            let _ = write!(text, "{:02}  ", row + 1);
        } else {
            text += "    ";
        }
        for col in 0..map.cols() {
            let low = usize::from(col & 1);
            let here = line >= low && (line - low) % 2 == 0 && (line - low) / 2 < usize::from(map.rows());
            if here {
                text += &cell(game, Hex::new(col, ((line - low) / 2) as u8), colour);
            } else {
                text += "     ";
            }
        }
        while text.ends_with(' ') {
            text.pop();
        }
        text.push('\n');
    }
    text
}

fn cell(game: &Game, hex: Hex, colour: bool) -> String {
    let tile = game.view().tile(hex);
    let ground = match (tile.terrain(), tile.object()) {
        _ if tile.fire() => '*',
        (_, Object::HeavyWoods) => 'W',
        (_, Object::LightWoods) => 'w',
        (_, Object::Rubble) => ':',
        (_, Object::Building(_)) if tile.collapsed() => ':',
        (_, Object::Building(_)) => '#',
        (Terrain::Water, _) => '~',
        (Terrain::Swamp, _) => '%',
        (Terrain::Paved, _) => '=',
        (Terrain::Open, Object::None) if tile.open_river() => '~',
        _ => '.',
    };
    let level = if tile.level() == 0 { ' '.to_string() } else { tile.level().abs().to_string() };
    let mech = game.mechs.iter().position(|mech| mech.hex == hex);
    let plain = match mech {
        Some(who) if !game.mechs[who].operational => format!("X{who}{ground}{level} "),
        Some(who) => {
            let arrow = ['↑', '↗', '↘', '↓', '↙', '↖'][usize::from(game.mechs[who].facing.index())];
            let lying = if game.mechs[who].prone { '_' } else { arrow };
            format!("{who}{lying}{ground}{level} ")
        }
        None if tile.smoke() => format!("{ground}{level}s  "),
        None if tile.club() => format!("{ground}{level}c  "),
        None => format!("{ground}{level}   "),
    };
    if !colour {
        return plain;
    }
    let code = match (mech, ground) {
        (Some(who), _) if !game.mechs[who].operational => "30;47",
        (Some(who), _) => ["1;37;44", "1;37;41", "1;37;45", "1;30;43"][who % 4],
        (_, 'W' | 'w') => "32",
        (_, '~') => "34",
        (_, '%') => "36",
        (_, '#' | '=' | ':') => "90",
        (_, '*') => "31",
        _ => "33",
    };
    format!("\u{1b}[{code}m{}\u{1b}[0m ", plain.trim_end_matches(' '))
        + &" ".repeat(4_usize.saturating_sub(plain.trim_end_matches(' ').chars().count()))
}

/// What the signs of the map mean.
pub const LEGEND: &str = "w W light and heavy woods, : rubble, ~ water, % swamp, = paved, # building, * fire, s smoke, c club;\n\
the digit is the level or the depth; 0↑ a mech and its feet, 0_ one on the ground, X0 a wreck";

/// An action in words.
pub fn action_text(action: &Action) -> String {
    match action {
        Action::Still => "stay".to_owned(),
        Action::Jump { to, facing } => format!("jump {to} {}", facing.number()),
        Action::Go { run, masc, steps } => {
            let words = steps.iter().map(|step| match step {
                Step::Forward => "f".to_owned(),
                Step::Backward => "b".to_owned(),
                Step::Left => "l".to_owned(),
                Step::Right => "r".to_owned(),
                Step::Stand(facing) => format!("stand {}", facing.number()),
                Step::Drop => "drop".to_owned(),
            });
            let gait = match (run, masc) {
                (_, true) => "masc",
                (true, _) => "run",
                _ => "walk",
            };
            format!("{gait} {}", words.collect::<Vec<_>>().join(" "))
        }
        Action::Twist(sides) => ["left", "ahead", "right"][(sides.clamp(&-1, &1) + 1) as usize].to_owned(),
        Action::PickUp => "club".to_owned(),
        Action::Fire { shots, .. } if shots.is_empty() => "none".to_owned(),
        Action::Fire { primary, shots } => {
            let mut targets: Vec<Aim> = Vec::new();
            for shot in shots {
                if !targets.contains(&shot.aim) {
                    targets.push(shot.aim);
                }
            }
            // The primary target is named first.
            targets.sort_by_key(|aim| !matches!(aim, Aim::Mech(at) if Some(*at) == *primary));
            let volley = |aim: &Aim| {
                let shots = shots.iter().filter(|shot| shot.aim == *aim);
                let words = shots.map(|shot| format!("{}{}", shot.weapon + 1, if shot.double { "x" } else { "" }));
                let at = match aim {
                    Aim::Mech(at) => at.to_string(),
                    Aim::Hex(hex) => hex.to_string(),
                };
                format!("{} at {at}", words.collect::<Vec<_>>().join(" "))
            };
            format!("fire {}", targets.iter().map(volley).collect::<Vec<_>>().join(" "))
        }
        Action::Strike(blows) if blows.is_empty() => "none".to_owned(),
        Action::Strike(blows) => {
            let word = |&(blow, at): &(Blow, u8)| {
                let name = Blow::ALL.iter().position(|other| *other == blow).map_or("?", |at| BLOW_WORDS[at]);
                format!("{name} at {at}")
            };
            blows.iter().map(word).collect::<Vec<_>>().join(" ")
        }
        Action::End { off, on, drop_club, eject } => {
            let mut words = Vec::new();
            if *off > 0 {
                words.push(format!("off {off}"));
            }
            if *on > 0 {
                words.push(format!("on {on}"));
            }
            if *drop_club {
                words.push("drop".to_owned());
            }
            if !eject.is_empty() {
                let bins: Vec<String> = eject.iter().map(|bin| (bin + 1).to_string()).collect();
                words.push(format!("eject {}", bins.join(" ")));
            }
            if words.is_empty() { "done".to_owned() } else { words.join(", ") }
        }
    }
}

/// Short words for the blows, in the order of [`Blow::ALL`].
pub const BLOW_WORDS: [&str; 7] = ["lp", "rp", "lk", "rk", "club", "lb", "rb"];

/// A mech's record sheet.
pub fn sheet_text(game: &Game, who: usize) -> String {
    let mech = &game.mechs[who];
    let mut text = format!(
        "{}: {} t at {} facing {} torso {}, heat {}, walk {} run {} jump {}, sinks {}, wounds {}{}{}\n",
        game.names[who],
        mech.tons,
        mech.hex,
        mech.facing,
        mech.torso,
        mech.heat,
        mech.walk_points(),
        mech.run_points(),
        mech.jump_points(&game.view()),
        mech.sinks_on,
        mech.wounds,
        condition_text(mech),
        if mech.operational { "" } else { ", destroyed" },
    );
    for location in Location::BODY {
        let rear = Location::ALL.into_iter().find(|other| other.is_rear() && other.body() == location);
        let rear = rear.map_or(String::new(), |rear| format!("/{}", mech.armour[rear.index()]));
        let _ = write!(
            text,
            "  {:<13}{:>3}{rear:<4} + {:<3}",
            location.name(),
            mech.armour[location.index()],
            mech.structure[location.index()]
        );
        let here = mech.weapons.iter().enumerate().filter(|(_, weapon)| weapon.location == location);
        let names: Vec<String> = here
            .map(|(at, weapon)| {
                let state = if mech.can_fire(weapon) { "" } else { " (out)" };
                format!("{}: {}{state}", at + 1, weapon.kind().name)
            })
            .collect();
        text += &names.join(", ");
        text.push('\n');
    }
    let bins: Vec<String> = mech
        .bins
        .iter()
        .enumerate()
        .filter(|(_, bin)| bin.rounds > 0)
        .map(|(at, bin)| {
            let name = rival_core::games::battletech::equipment::weapon_by_code(bin.load().weapon)
                .map_or("?", |at| rival_core::games::battletech::equipment::WEAPONS[usize::from(at)].name);
            let armed = if bin.armed { ", to be ejected" } else { "" };
            format!("{}: {} rounds for the {name} in the {}{armed}", at + 1, bin.rounds, bin.location.name())
        })
        .collect();
    if !bins.is_empty() {
        let _ = writeln!(text, "  ammunition  {}", bins.join("; "));
    }
    text.push_str(&damage_text(mech));
    text
}

fn condition_text(mech: &Mech) -> String {
    let words = [
        (mech.prone, "on the ground"),
        (mech.shut_down, "shut down"),
        (!mech.conscious, "pilot unconscious"),
        (mech.stuck, "stuck in the swamp"),
        (mech.burning, "burning"),
        (mech.club > 0, "carries a club"),
    ];
    words.into_iter().filter(|(is, _)| *is).flat_map(|(_, word)| [", ", word]).collect()
}

/// Hits on what has no weapon's name.
fn damage_text(mech: &Mech) -> String {
    let limb = |name: &str, limb: Limb, parts: [&str; 4]| -> Vec<String> {
        let hit = (0..4).filter(|bit| limb.0 >> bit & 1 != 0);
        hit.map(|bit| format!("{name} {}", parts[bit])).collect()
    };
    let arm = ["shoulder", "upper arm", "lower arm", "hand"];
    let leg = ["hip", "thigh", "shin", "foot"];
    let mut hits: Vec<String> = Vec::new();
    hits.extend(limb("left", mech.arms[0], arm));
    hits.extend(limb("right", mech.arms[1], arm));
    hits.extend(limb("left", mech.legs[0], leg));
    hits.extend(limb("right", mech.legs[1], leg));
    for (count, name) in [(mech.engine_hits, "engine"), (mech.gyro_hits, "gyroscope"), (mech.sensor_hits, "sensors")] {
        if count > 0 {
            hits.push(format!("{name} ({count})"));
        }
    }
    if hits.is_empty() { String::new() } else { format!("  hits        {}\n", hits.join(", ")) }
}
