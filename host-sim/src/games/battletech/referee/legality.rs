//! Whether an action may be done: whole or not at all, with the reason.

use rival_core::games::battletech::action::{Aim, Shot, Step};
use rival_core::games::battletech::attack::{bears, prone_allows};
use rival_core::games::battletech::equipment::Special;
use rival_core::games::battletech::mech::Mode;
use rival_core::games::battletech::physical;
use rival_core::games::battletech::reach::{Way, jump_clears};
use rival_core::games::battletech::sight::{Eye, line, sight};
use rival_core::games::battletech::{Action, Hex, Phase};

use super::Game;

/// Checks an action of a player in a phase.
pub fn check(game: &Game, who: usize, phase: Phase, action: &Action) -> Result<(), String> {
    match (phase, action) {
        (Phase::Movement, Action::Still) | (Phase::Reaction, Action::Twist(-1..=1)) => Ok(()),
        (Phase::Movement, Action::Go { run, masc, steps }) => price_of(game, who, *run, *masc, steps).map(|_| ()),
        (Phase::Movement, Action::Jump { to, .. }) => check_jump(game, who, *to),
        (Phase::Weapons, Action::PickUp) => check_pick_up(game, who),
        (Phase::Weapons, Action::Fire { primary, shots }) => check_fire(game, who, *primary, shots),
        (Phase::Physical, Action::Strike(blows)) => check_blows(game, who, blows),
        (Phase::End, Action::End { off, on, drop_club, eject }) => {
            let mech = &game.mechs[who];
            if *off > mech.sinks_on || *on > mech.sinks_off {
                return Err("it has not so many sinks to switch".into());
            }
            if *drop_club && mech.club == 0 {
                return Err("it has no club to drop".into());
            }
            let usable = |&bin: &u8| mech.bins.get(usize::from(bin)).is_some_and(|bin| bin.works && !bin.armed);
            if eject.iter().all(usable) { Ok(()) } else { Err("a bin to eject is not there".into()) }
        }
        _ => Err(format!("{action:?} is no action of the phase {}", phase.name())),
    }
}

/// Whether somebody else keeps a mech out of a hex.
pub(super) fn occupied(game: &Game, who: usize, hex: Hex) -> bool {
    let blocks = |other: &rival_core::games::battletech::Mech| other.operational || game.profile.wrecks_block;
    game.mechs.iter().enumerate().any(|(at, other)| at != who && other.hex == hex && blocks(other))
}

/// Checks a walk or run; gives what its steps cost.
pub(super) fn price_of(game: &Game, who: usize, run: bool, masc: bool, steps: &[Step]) -> Result<u8, String> {
    let (map, mech) = (game.view(), &game.mechs[who]);
    let mode = if run { Mode::Run } else { Mode::Walk };
    if mech.spent > 0 && mech.mode != mode {
        return Err("after a fall the move goes on in the same mode".into());
    }
    if masc && (!run || !mech.masc) {
        return Err("MASC is for running mechs that have it".into());
    }
    let points = match (run, masc) {
        (false, _) => mech.walk_points(),
        (true, false) => mech.run_points(),
        (true, true) => mech.masc_points(),
    };
    let points = points.saturating_sub(mech.spent);
    let mut place = mech.place();
    let (mut prone, mut sum) = (mech.prone, 0_u8);
    for (at, step) in steps.iter().enumerate() {
        let price = match step {
            Step::Stand(facing) => {
                if !prone {
                    return Err("it stands already".into());
                }
                if !mech.can_stand() {
                    return Err("it cannot stand up any more".into());
                }
                prone = false;
                place.facing = *facing;
                2
            }
            Step::Drop => {
                if prone {
                    return Err("it lies on the ground already".into());
                }
                prone = true;
                1
            }
            Step::Forward | Step::Backward | Step::Left | Step::Right => {
                let way = step.way().unwrap_or(Way::Forward);
                if prone && matches!(way, Way::Forward | Way::Backward) {
                    return Err("it lies on the ground".into());
                }
                let (next, price) = place
                    .after(&map, game.profile, way, run)
                    .ok_or_else(|| format!("step {} from {} is forbidden", at + 1, place.hex))?;
                if next.hex != place.hex && occupied(game, who, next.hex) {
                    return Err(format!("{} is taken", next.hex));
                }
                place = next;
                price
            }
        };
        sum = sum.saturating_add(price);
        let minimum_move = at == 0 && steps.len() == 1 && points >= 1 && mech.spent == 0;
        if sum > points && !minimum_move {
            return Err(format!("the steps cost {sum} of {points} points"));
        }
    }
    Ok(sum)
}

fn check_jump(game: &Game, who: usize, to: Hex) -> Result<(), String> {
    let (map, mech) = (game.view(), &game.mechs[who]);
    if mech.spent > 0 {
        return Err("after a fall the move goes on in the same mode".into());
    }
    if !map.holds(to) || occupied(game, who, to) {
        return Err(format!("{to} is off the map or taken"));
    }
    let points = mech.jump_points(&map);
    if jump_clears(&map, game.profile, mech.hex, to, points) {
        Ok(())
    } else {
        Err(format!("cannot jump to {to} with {points}"))
    }
}

fn check_pick_up(game: &Game, who: usize) -> Result<(), String> {
    let mech = &game.mechs[who];
    let index = game.view().index(mech.hex);
    let woods = game.view().tile(mech.hex).woods() > 0;
    if mech.prone || mech.club > 0 || game.map.ground[index].clubs == 0 && !woods {
        return Err("there is no club to pick up".into());
    }
    if !physical::can_hold_club(mech) {
        return Err("it has not both hands to hold a club".into());
    }
    Ok(())
}

fn check_fire(game: &Game, who: usize, primary: Option<u8>, shots: &[Shot]) -> Result<(), String> {
    let (map, mech) = (game.view(), &game.mechs[who]);
    if primary.is_some_and(|at| usize::from(at) >= game.mechs.len()) {
        return Err("the primary target does not exist".into());
    }
    let mut rounds: Vec<u8> = mech.bins.iter().map(|bin| bin.rounds).collect();
    let mut used = 0_u64;
    for shot in shots {
        let weapon = mech.weapons.get(usize::from(shot.weapon)).ok_or("there is no such weapon")?;
        if !mech.can_fire(weapon) {
            return Err(format!("the {} does not work", weapon.kind().name));
        }
        if used >> shot.weapon & 1 != 0 && !game.profile.repeated_weapons {
            return Err(format!("the {} fires once a turn", weapon.kind().name));
        }
        used |= 1 << shot.weapon;
        if shot.double && weapon.kind().special != Special::Ultra {
            return Err("only Ultra cannons fire at double rate".into());
        }
        if weapon.kind().needs_bin() {
            let at = usize::from(shot.bin.ok_or("a weapon without ammunition")?);
            let bin = mech.bins.get(at).ok_or("there is no such bin")?;
            let takes = 1 + u8::from(shot.double);
            if !bin.works || bin.armed || bin.load().weapon != weapon.kind().code || rounds[at] < takes {
                return Err(format!("no round for the {} in that bin", weapon.kind().name));
            }
            rounds[at] -= takes;
        } else if shot.bin.is_some() {
            return Err(format!("the {} takes no ammunition", weapon.kind().name));
        }
        let target = match shot.aim {
            Aim::Mech(at) => {
                let target =
                    game.mechs.get(usize::from(at)).filter(|target| target.operational && usize::from(at) != who);
                target.ok_or("there is no such target")?.hex
            }
            Aim::Hex(hex) if map.holds(hex) => hex,
            Aim::Hex(_) => return Err("that hex is off the map".into()),
        };
        if mech.hex.distance(target) > weapon.kind().ranges[3] {
            return Err(format!("{target} is out of range of the {}", weapon.kind().name));
        }
        if !bears(weapon, mech.hex, mech.facing, mech.torso, target) {
            return Err(format!("{target} is not in the arc of the {}", weapon.kind().name));
        }
        let from = Eye::new(&map, mech.hex, mech.prone);
        let prone = matches!(shot.aim, Aim::Mech(at) if game.mechs[usize::from(at)].prone);
        let to = Eye::new(&map, target, prone);
        let seen = sight(&map, game.profile, from, to, &line(&map, game.profile, from, to));
        if !seen.clear {
            return Err(format!("{target} is out of sight"));
        }
        if seen.cover && weapon.location.is_leg() {
            return Err("legs behind cover cannot fire".into());
        }
    }
    let locations =
        shots.iter().filter_map(|shot| mech.weapons.get(usize::from(shot.weapon)).map(|weapon| weapon.location));
    if prone_allows(mech, locations) {
        Ok(())
    } else {
        Err("a mech on the ground needs an arm to hold itself up".into())
    }
}

fn check_blows(game: &Game, who: usize, blows: &[(physical::Blow, u8)]) -> Result<(), String> {
    let mut chosen = Vec::new();
    for &(blow, target) in blows {
        let target = game.mechs.get(usize::from(target)).filter(|_| usize::from(target) != who);
        let target = target.filter(|target| target.operational).ok_or("there is no such target")?;
        physical::check(game.profile, &game.view(), &game.mechs[who], target, blow)
            .map_err(|refusal| format!("{blow:?}: {refusal:?}"))?;
        if !physical::compatible(game.profile, &chosen, blow) {
            return Err(format!("{blow:?} does not go with {chosen:?}"));
        }
        chosen.push(blow);
    }
    Ok(())
}
