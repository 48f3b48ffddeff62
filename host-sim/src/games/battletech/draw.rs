//! Maps and record sheets as text.

use core::fmt::Write as _;

use rival_core::games::battletech::map::{Object, Terrain};
use rival_core::games::battletech::{Hex, Location};

use super::referee::Game;

/// The map, two characters of ground a hex and a mech's number with its facing; odd columns half a line lower.
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
        Some(who) if !game.mechs[who].operational => format!("{ground}{level}X{who} "),
        Some(who) => {
            let arrow = ['↑', '↗', '↘', '↓', '↙', '↖'][usize::from(game.mechs[who].facing.index())];
            let lying = if game.mechs[who].prone { '_' } else { arrow };
            format!("{ground}{level}{who}{lying} ")
        }
        None => format!("{ground}{level}   "),
    };
    if !colour {
        return plain;
    }
    let code = match (mech, ground) {
        (Some(_), _) => "1;37;41",
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

/// A mech's record sheet.
pub fn sheet_text(game: &Game, who: usize) -> String {
    let mech = &game.mechs[who];
    let mut text = format!(
        "{}: {} t at {} facing {} torso {}, heat {}, walk {} run {} jump {}, sinks {}, wounds {}{}{}{}\n",
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
        if mech.prone { ", on the ground" } else { "" },
        if mech.shut_down { ", shut down" } else { "" },
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
        let here = mech.weapons.iter().filter(|weapon| weapon.location == location);
        let names: Vec<String> = here
            .map(|weapon| format!("{}{}", weapon.kind().name, if mech.can_fire(weapon) { "" } else { " (out)" }))
            .collect();
        text += &names.join(", ");
        text.push('\n');
    }
    let bins: Vec<String> = mech
        .bins
        .iter()
        .filter(|bin| bin.rounds > 0)
        .map(|bin| {
            let name = rival_core::games::battletech::equipment::weapon_by_code(bin.load().weapon)
                .map_or("?", |at| rival_core::games::battletech::equipment::WEAPONS[usize::from(at)].name);
            format!("{name}: {} rounds", bin.rounds)
        })
        .collect();
    if !bins.is_empty() {
        let _ = writeln!(text, "  ammunition: {}", bins.join(", "));
    }
    text
}
