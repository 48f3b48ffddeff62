//! Damage with everything that follows from it: criticals, explosions, lost limbs, wounds.

use rival_core::games::battletech::arcs::Side;
use rival_core::games::battletech::equipment::Special;
use rival_core::games::battletech::{Location, Mech};

use super::Game;
use crate::games::battletech::damage;
use crate::games::battletech::design::Part;

impl Game {
    /// Points on a location, with all that follows. `critical` is the extra roll of a location result of 2.
    pub(super) fn hit(&mut self, who: usize, side: Side, location: Location, points: u16, critical: bool) {
        let line = format!("  {} takes {points} on its {}", self.names[who], location.name());
        self.dice.say(|| line);
        if location.is_rear() {
            self.burst_armed(who);
        }
        self.damage(who, side, location, points, false);
        if location == Location::Head {
            self.wound(who, 1);
        }
        if critical && self.mechs[who].operational {
            self.roll_criticals(who, location.body(), "a critical hit through the armour", true);
        }
    }

    fn damage(&mut self, who: usize, side: Side, location: Location, points: u16, explosion: bool) {
        let mut next = Some((location, points));
        let hurt = &mut self.mechs[who].hurt;
        // From 200 on its roll for twenty points was made already.
        if *hurt < 200 {
            *hurt = hurt.saturating_add(points.min(199) as u8).min(199);
        }
        while let Some((location, points)) = next {
            let step = damage::step(self.profile, &mut self.mechs[who], side, location, points, explosion);
            if let Some(structure) = step.structure {
                let what = "a critical hit on the structure";
                if self.profile.single_critical {
                    let count = u8::from(self.dice.two(what) >= 8);
                    self.criticals(who, structure, count, false);
                } else {
                    self.roll_criticals(who, structure, what, false);
                }
            }
            if let Some(lost) = step.lost {
                self.lose(who, lost);
            }
            next = step.rest;
        }
    }

    /// Criticals by the table: 8 one, 10 two, 12 three in a torso; a limb or the head is blown off.
    pub(super) fn roll_criticals(&mut self, who: usize, location: Location, what: &str, inward: bool) {
        let torso = matches!(location, Location::LeftTorso | Location::RightTorso | Location::CentreTorso);
        let count = match self.dice.two(what) {
            0..=7 => 0,
            8 | 9 => 1,
            10 | 11 => 2,
            _ if torso => 3,
            _ => return self.blow_off(who, location),
        };
        self.criticals(who, location, count, inward);
    }

    /// A limb or the head goes whole, with what armour and structure it has left.
    pub(super) fn blow_off(&mut self, who: usize, location: Location) {
        if self.mechs[who].has(location) {
            let line = format!("  the {} of {} is blown off", location.name(), self.names[who]);
            self.dice.say(|| line);
            self.mechs[who].armour[location.index()] = 0;
            self.mechs[who].structure[location.index()] = 0;
            self.lose(who, location);
        }
    }

    /// A location is gone with everything in it.
    fn lose(&mut self, who: usize, lost: Location) {
        let line = format!("  {} loses its {}", self.names[who], lost.name());
        self.dice.say(|| line);
        damage::strip(self.profile, &mut self.mechs[who], lost);
        self.strip_slots(who, lost);
        if self.profile.torso_takes_arm {
            match lost {
                Location::LeftTorso => self.strip_slots(who, Location::LeftArm),
                Location::RightTorso => self.strip_slots(who, Location::RightArm),
                _ => {}
            }
        }
        if damage::is_fatal(&self.mechs[who], lost) {
            self.destroy(who, lost.name());
        } else if lost.is_leg() && !self.mechs[who].prone {
            self.fall(who, 0, Some("a lost leg"));
        }
        if lost.is_arm() || lost.is_leg() {
            let index = self.view().index(self.mechs[who].hex);
            self.change_clubs(index, 1);
        }
    }

    /// Everything in a location stops working; ammunition that goes with it does not explode.
    fn strip_slots(&mut self, who: usize, location: Location) {
        for slot in 0..self.layouts[who][location.index()].len() {
            if self.layouts[who][location.index()][slot].hit {
                continue;
            }
            let part = self.mark(who, location, slot);
            let mech = &mut self.mechs[who];
            match part {
                Part::Weapon(at) => mech.weapons[usize::from(at)].works = false,
                Part::Bin(at) => {
                    mech.bins[usize::from(at)].works = false;
                    mech.bins[usize::from(at)].rounds = 0;
                }
                Part::Sink => lose_sink(mech),
                Part::Jet => lose_jet(mech, location),
                Part::Blade => mech.blades[usize::from(location == Location::RightArm)] = 0,
                Part::Masc => mech.masc = false,
                Part::Ecm => mech.ecm = false,
                _ => {}
            }
        }
        if location.is_arm() {
            self.mechs[who].club = 0;
        }
    }

    pub(super) fn destroy(&mut self, who: usize, why: &str) {
        if self.mechs[who].operational {
            self.mechs[who].operational = false;
            let line = format!("  {} is destroyed ({why})", self.names[who]);
            self.dice.say(|| line);
        }
    }

    /// Marks a slot as hit and gives what is in it. A double sink takes three slots in a row and goes as a whole.
    fn mark(&mut self, who: usize, location: Location, slot: usize) -> Part {
        let slots = &mut self.layouts[who][location.index()];
        slots[slot].hit = true;
        let part = slots[slot].part;
        if part == Part::Sink && self.mechs[who].double_sinks {
            let first = slots[..slot].iter().rposition(|slot| slot.part != Part::Sink).map_or(0, |at| at + 1);
            let start = first + (slot - first) / 3 * 3;
            for mate in slots.iter_mut().skip(start).take(3).filter(|mate| mate.part == Part::Sink) {
                mate.hit = true;
            }
        }
        part
    }

    fn is_live(&self, who: usize, location: Location, slot: usize) -> bool {
        self.layouts[who][location.index()]
            .get(slot)
            .is_some_and(|slot| !slot.hit && !matches!(slot.part, Part::Empty | Part::Inert))
    }

    /// So many criticals in a location; without a live slot the next one inward, where the rule says so.
    fn criticals(&mut self, who: usize, location: Location, count: u8, inward: bool) {
        for _ in 0..count {
            let mut place = Some(location);
            while let Some(at) = place {
                if let Some(slot) = self.draw_slot(who, at) {
                    self.critical(who, at, slot);
                    break;
                }
                place = at.inward().filter(|_| inward);
            }
            if !self.mechs[who].operational {
                return;
            }
        }
    }

    /// Draws until a live slot comes up; nothing if none can.
    pub(super) fn draw_slot(&mut self, who: usize, location: Location) -> Option<usize> {
        let slots = usize::from(location.slots());
        let drawable = if self.profile.last_slot_safe { slots - 1 } else { slots };
        if !(0..drawable).any(|slot| self.is_live(who, location, slot)) {
            return None;
        }
        loop {
            let slot = self.dice.below(drawable as u32) as usize;
            self.dice.say(|| format!("  a slot of the {} is drawn: {}", location.name(), slot + 1));
            if self.is_live(who, location, slot) {
                return Some(slot);
            }
        }
    }

    pub(super) fn critical(&mut self, who: usize, location: Location, slot: usize) {
        let part = self.mark(who, location, slot);
        let line = format!("  critical hit on {}: {part:?} in the {}", self.names[who], location.name());
        self.dice.say(|| line);
        let mech = &mut self.mechs[who];
        match part {
            Part::Weapon(at) => {
                let weapon = &mut mech.weapons[usize::from(at)];
                let worked = core::mem::replace(&mut weapon.works, false);
                if worked && weapon.kind().special == Special::Gauss {
                    let blast = if weapon.kind().damage > 10 { 20 } else { 16 };
                    let (name, place) = (weapon.kind().name, location.name());
                    let line = format!("  the {name} of {} explodes: {blast} points in the {place}", self.names[who]);
                    self.dice.say(|| line);
                    self.damage(who, Side::Front, location, blast, true);
                }
            }
            Part::Bin(at) => self.explode(who, usize::from(at)),
            Part::Sink => lose_sink(mech),
            Part::Jet => lose_jet(mech, location),
            Part::Cockpit => self.destroy(who, "the cockpit"),
            Part::LifeSupport => mech.no_life_support = true,
            Part::Sensors => mech.sensor_hits += 1,
            Part::Engine => {
                mech.engine_hits += 1;
                if mech.engine_hits >= 3 {
                    self.destroy(who, "the engine");
                }
            }
            Part::Gyro => {
                mech.gyro_hits += 1;
                if mech.gyro_hits == 1 {
                    self.pending.push((who, 0, "a hit on the gyroscope"));
                } else if !mech.prone {
                    self.fall(who, 0, Some("the gyroscope is gone"));
                }
            }
            Part::Actuator(bit) => match location {
                Location::LeftArm | Location::RightArm => {
                    mech.arms[usize::from(location == Location::RightArm)].0 |= bit;
                }
                _ => {
                    mech.legs[usize::from(location == Location::RightLeg)].0 |= bit;
                    self.pending.push((who, 0, "a hit on a leg"));
                }
            },
            Part::Blade => mech.blades[usize::from(location == Location::RightArm)] = 0,
            Part::Masc => mech.masc = false,
            Part::Ecm => mech.ecm = false,
            Part::Empty | Part::Inert | Part::Other => {}
        }
    }

    /// A bin explodes with all its rounds.
    pub(super) fn explode(&mut self, who: usize, bin: usize) {
        let entry = &mut self.mechs[who].bins[bin];
        let points = u16::from(core::mem::take(&mut entry.rounds)) * entry.blast();
        let location = entry.location;
        entry.works = false;
        if points == 0 {
            return;
        }
        let line = format!("  ammunition of {} explodes: {points} points in the {}", self.names[who], location.name());
        self.dice.say(|| line);
        self.damage(who, Side::Front, location, points, true);
        self.wound(who, 2);
    }

    /// A hit from behind finds ammunition that is about to be ejected.
    fn burst_armed(&mut self, who: usize) {
        let armed = self.mechs[who].bins.iter().position(|bin| bin.armed && bin.works && bin.rounds > 0);
        if let Some(bin) = armed {
            self.explode(who, bin);
        }
    }

    /// Wounds of the pilot, each with its roll.
    pub(super) fn wound(&mut self, who: usize, count: u8) {
        for _ in 0..count {
            let mech = &mut self.mechs[who];
            if !mech.operational {
                return;
            }
            mech.wounds += 1;
            let line = format!("  the pilot of {} has {} wounds", self.names[who], self.mechs[who].wounds);
            self.dice.say(|| line);
            match wake_need(self.mechs[who].wounds) {
                None => {
                    self.wounded_to_death[who] = true;
                    self.destroy(who, "the pilot is dead");
                }
                Some(need) => {
                    if !self.dice.test(&format!("the pilot of {} stays awake", self.names[who]), need) {
                        self.mechs[who].conscious = false;
                    }
                }
            }
        }
    }
}

/// What two dice must show to stay awake, or to wake up; `None` for the dead.
pub(super) const fn wake_need(wounds: u8) -> Option<i32> {
    match wounds {
        0 | 1 => Some(3),
        2 => Some(5),
        3 => Some(7),
        4 => Some(10),
        5 => Some(11),
        _ => None,
    }
}

fn lose_sink(mech: &mut Mech) {
    if mech.sinks_on > 0 {
        mech.sinks_on -= 1;
    } else {
        mech.sinks_off = mech.sinks_off.saturating_sub(1);
    }
}

fn lose_jet(mech: &mut Mech, location: Location) {
    mech.jump = mech.jump.saturating_sub(1);
    if location.is_leg() {
        mech.leg_jets = mech.leg_jets.saturating_sub(1);
    }
}
