//! Shooting: to-hit numbers, who may fire what, and the best set of weapons under a heat limit.

use super::arcs::{Arc, arc};
use super::heat;
use super::hex::{Facing, Hex};
use super::location::Location;
use super::map::Map;
use super::mech::{MAX_ITEMS, Mech, Mode, Weapon, target_movement};
use super::profile::Profile;
use super::sight::{Eye, line};
use crate::games::battletech::equipment::Special;
use crate::search::sort;

/// Gunnery of every pilot.
pub const GUNNERY: i8 = 4;
/// Numbers above this are never rolled.
pub const HIGHEST_NEED: i8 = 12;
/// Most heat that a [`Selection`] counts: more would shut any reactor down.
pub const MAX_HEAT: usize = 64;

/// Bit of a [`Selection`] that says that the first weapon with the choice fires at double rate; the others follow.
pub const DOUBLES: u64 = 1 << MAX_ITEMS;
/// Weapons that may have the choice: what is left of a word. The lightest of them weigh seven tons, so that a mech has
/// room for fewer.
pub const MAX_DOUBLES: usize = 64 - MAX_ITEMS;

/// What a to-hit number knows of the shooter.
#[derive(Clone, Copy, Debug)]
pub struct Shooter {
    /// How it moved.
    pub mode: Mode,
    /// Whether it lies down.
    pub prone: bool,
    /// Whether an arm is missing.
    pub armless: bool,
    /// Heat before this turn.
    pub heat: u8,
}

impl Shooter {
    /// A mech as it is.
    pub fn new(mech: &Mech) -> Self {
        let armless = !mech.has(Location::LeftArm) || !mech.has(Location::RightArm);
        Self { mode: mech.mode, prone: mech.prone, armless, heat: mech.heat }
    }

    /// Its part of the number, gunnery included.
    #[inline]
    pub const fn modifier(&self) -> i8 {
        let prone = if self.prone { 2 + self.armless as i8 } else { 0 };
        GUNNERY + self.mode.attack_modifier() + prone + heat::attack_modifier(self.heat)
    }
}

/// What a to-hit number knows of the target.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// How it moved.
    pub mode: Mode,
    /// Hexes it moved.
    pub moved: u8,
    /// Whether it lies down.
    pub prone: bool,
    /// Whether it is stuck.
    pub stuck: bool,
    /// Shut down or unconscious.
    pub helpless: bool,
    /// Whether it has partial cover.
    pub cover: bool,
}

impl Target {
    /// A mech as it is.
    pub const fn new(mech: &Mech) -> Self {
        Self {
            mode: mech.mode,
            moved: mech.moved,
            prone: mech.prone,
            stuck: mech.stuck,
            helpless: mech.shut_down || !mech.conscious,
            cover: mech.cover,
        }
    }

    /// Its part of the number.
    #[inline]
    pub const fn modifier(&self, distance: u8) -> i8 {
        let movement =
            if self.helpless && matches!(self.mode, Mode::Still) { -4 } else { target_movement(self.mode, self.moved) };
        let prone = match (self.prone, distance) {
            (false, _) => 0,
            (true, 0 | 1) => -2,
            _ => 1,
        };
        movement + prone - 2 * self.stuck as i8 + 3 * self.cover as i8
    }
}

/// Added for a target that is not the primary one.
pub fn secondary_modifier(from: Hex, torso: Facing, target: Hex) -> i8 {
    if arc(from, torso, target) == Arc::Front { 1 } else { 2 }
}

/// What the profile makes of pulse lasers.
#[inline]
pub fn weapon_modifier(profile: &Profile, weapon: &Weapon) -> i8 {
    if weapon.kind().special == Special::Pulse { profile.pulse } else { 0 }
}

/// How far an ECM suite reaches.
const ECM_RADIUS: u8 = 6;

/// Whether the line of a shot touches the bubble of somebody else's ECM, so that nothing guides its missiles.
// On its own: its line would lie on the stack below everything else that the caller calls.
#[inline(never)]
pub fn jammed(map: &Map<'_>, profile: &Profile, mechs: &[Mech], shooter: usize, target: usize) -> bool {
    let (Some(from), Some(to)) = (mechs.get(shooter), mechs.get(target)) else { return false };
    let disturbs = |(at, mech): (usize, &Mech)| {
        if at == shooter || !mech.ecm || !mech.operational || mech.shut_down {
            return false;
        }
        let near = |hex: &Hex| mech.hex.distance(*hex) <= ECM_RADIUS;
        near(&from.hex)
            || near(&to.hex)
            || line(map, profile, Eye::above(map, from.hex), Eye::above(map, to.hex)).iter().any(near)
    };
    mechs.iter().enumerate().any(disturbs)
}

/// Whether a weapon mounted there can point at `target`.
#[inline]
pub fn bears(weapon: &Weapon, from: Hex, feet: Facing, torso: Facing, target: Hex) -> bool {
    let facing = if weapon.location.is_leg() { feet } else { torso };
    location_bears(weapon.location, weapon.rear, arc(from, facing, target))
}

/// Whether something mounted there points into an arc that was seen with its own facing.
#[inline]
pub const fn location_bears(location: Location, rear: bool, arc: Arc) -> bool {
    match (arc, location) {
        (Arc::Rear, _) => rear,
        (Arc::Front, _) | (Arc::Left, Location::LeftArm) | (Arc::Right, Location::RightArm) => !rear,
        _ => false,
    }
}

/// Which weapons may be fired together by a mech on the ground: not legs, and one arm only; without both arms nothing.
pub fn prone_allows(mech: &Mech, locations: impl Iterator<Item = Location> + Clone) -> bool {
    if !mech.prone {
        return true;
    }
    let (left, right) = (mech.has(Location::LeftArm), mech.has(Location::RightArm));
    let mut locations = locations.peekable();
    if locations.peek().is_none() {
        return true;
    }
    if !left && !right {
        return false;
    }
    let mut uses = [false; 2];
    for location in locations {
        match location {
            Location::LeftArm => uses[0] = true,
            Location::RightArm => uses[1] = true,
            Location::LeftLeg | Location::RightLeg => return false,
            _ => {}
        }
    }
    // One arm must hold the mech up.
    match (left, right) {
        (true, true) => !(uses[0] && uses[1]),
        (true, false) => !uses[0],
        (false, true) => !uses[1],
        (false, false) => false,
    }
}

/// A weapon that could be fired: what it costs and what it is worth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Offer {
    /// Heat.
    pub heat: u8,
    /// Worth, in any unit.
    pub worth: u32,
}

/// The exact best subset of weapons for every heat: a table over heat, one word of chosen weapons each.
#[derive(Clone, Debug)]
pub struct Selection {
    best: [u32; MAX_HEAT + 1],
    chosen: [u64; MAX_HEAT + 1],
}

impl Default for Selection {
    fn default() -> Self {
        Self::new()
    }
}

impl Selection {
    /// No weapons yet.
    pub const fn new() -> Self {
        Self { best: [0; MAX_HEAT + 1], chosen: [0; MAX_HEAT + 1] }
    }

    /// Offers weapon number `index`. Worthless ones are never chosen.
    pub fn offer(&mut self, index: usize, offer: Offer) {
        self.offer_either(index, offer, None);
    }

    /// Offers weapon number `index` in one of two ways: as usual, or at double rate. The number in `double` is its
    /// place among those that have the choice.
    pub fn offer_either(&mut self, index: usize, single: Offer, double: Option<(usize, Offer)>) {
        if index >= MAX_ITEMS {
            return;
        }
        let bit = 1 << index;
        let double =
            double.filter(|(place, _)| *place < MAX_DOUBLES).map(|(place, offer)| (offer, bit | DOUBLES << place));
        let ways = [Some((single, bit)), double];
        for cap in (0..=MAX_HEAT).rev() {
            let (mut best, mut chosen) = (self.best[cap], self.chosen[cap]);
            for &(offer, bits) in ways.iter().flatten() {
                // The caps below have not been touched yet, so that no weapon is taken twice.
                let Some(below) = cap.checked_sub(usize::from(offer.heat)) else { continue };
                let with = self.best[below] + offer.worth;
                if offer.worth > 0 && with > best {
                    (best, chosen) = (with, self.chosen[below] | bits);
                }
            }
            (self.best[cap], self.chosen[cap]) = (best, chosen);
        }
    }

    /// Worth of the best subset that makes at most `cap` heat.
    #[inline]
    pub fn worth(&self, cap: u8) -> u32 {
        self.best[usize::from(cap).min(MAX_HEAT)]
    }

    /// That subset, one bit a weapon, and above them one for each that fires at double rate ([`DOUBLES`]).
    #[inline]
    pub fn chosen(&self, cap: u8) -> u64 {
        self.chosen[usize::from(cap).min(MAX_HEAT)]
    }
}

/// Expected damage of a shot that needs `need`, times the square of the [`outcomes`](Profile::outcomes): exact.
#[inline]
pub fn expected_damage(profile: &Profile, weapon: &super::equipment::Kind, need: i8) -> u32 {
    if need > HIGHEST_NEED {
        return 0;
    }
    profile.ways_at_least(i32::from(need)) * weapon.hit_average(profile)
}

/// The source document's choice: easiest shots first, until one does not fit any more. Gives the indices in order.
pub fn easiest_first(offers: &[(i8, u8)], mut budget: i16) -> heapless::Vec<u8, MAX_ITEMS> {
    let mut order: heapless::Vec<u8, MAX_ITEMS> = (0..offers.len().min(MAX_ITEMS) as u8).collect();
    // Stable by construction: equal numbers keep the order of the record sheet.
    sort::by_key(&mut order, |&at| (offers[usize::from(at)].0, at));
    let mut chosen = heapless::Vec::new();
    for at in order {
        if offers[usize::from(at)].0 > HIGHEST_NEED {
            break;
        }
        budget -= i16::from(offers[usize::from(at)].1);
        if budget < 0 {
            break;
        }
        let _ = chosen.push(at);
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Every subset, tried one by one, against the table over heat.
        #[test]
        fn the_selection_is_the_exact_optimum(
            weapons in prop::collection::vec((0..12_u8, 0..50_u32, prop::option::of((0..20_u8, 0..80_u32))), 0..7),
            cap in 0..40_u8,
        ) {
            let mut selection = Selection::new();
            let mut doubles = 0;
            for (index, &(heat, worth, double)) in weapons.iter().enumerate() {
                let double = double.map(|(heat, worth)| {
                    doubles += 1;
                    (doubles - 1, Offer { heat, worth })
                });
                selection.offer_either(index, Offer { heat, worth }, double);
            }
            let mut best = 0;
            for choice in 0..3_u32.pow(weapons.len() as u32) {
                let (mut left, mut heat, mut worth) = (choice, 0, 0);
                for &(h, w, double) in &weapons {
                    let (h, w) = match left % 3 {
                        0 => (0, 0),
                        1 => (h, w),
                        _ => double.unwrap_or((0, 0)),
                    };
                    left /= 3;
                    heat += u32::from(h);
                    worth += w;
                }
                if heat <= u32::from(cap) {
                    best = best.max(worth);
                }
            }
            prop_assert_eq!(selection.worth(cap), best);
        }
    }
}
