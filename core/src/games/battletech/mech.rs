//! A mech: its design as far as the rules ask for it, its place and its condition.

use heapless::Vec;
use serde::{Deserialize, Serialize};

use super::equipment::{Charge, Family, Kind, LOADS, Load, Special, WEAPONS};
use super::hex::{Facing, Hex};
use super::location::Location;
use super::map::Map;
use super::profile::Profile;
use super::reach::Place;
use crate::games::StateError;

/// Slots of a mech that its design may fill: 78, less engine, gyroscope, cockpit with its systems, legs, and the two
/// upper actuators that every arm has. Every weapon and every bin takes at least one.
pub const MAX_ITEMS: usize = 51;

/// Most heat that is counted: far more than turns any reactor off.
pub const HOTTEST: u8 = 200;

/// How a mech moved this turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[repr(u8)]
pub enum Mode {
    /// It did not.
    #[default]
    Still,
    /// It walked.
    Walk,
    /// It ran.
    Run,
    /// It jumped.
    Jump,
}

impl Mode {
    /// What it adds to the own to-hit numbers.
    #[inline]
    pub const fn attack_modifier(self) -> i8 {
        self as i8
    }
}

/// A weapon in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Weapon {
    /// Its place in [`WEAPONS`].
    pub kind: u8,
    /// Where it is mounted.
    pub location: Location,
    /// Whether it points backwards.
    pub rear: bool,
    /// Whether it can fire.
    pub works: bool,
}

impl Weapon {
    /// Its figures.
    #[inline]
    pub fn kind(&self) -> &'static Kind {
        WEAPONS.get(usize::from(self.kind)).unwrap_or(&WEAPONS[0])
    }
}

/// Ammunition in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bin {
    /// Its place in [`LOADS`].
    pub load: u8,
    /// Where it lies.
    pub location: Location,
    /// Rounds left.
    pub rounds: u8,
    /// Whether it can be used: not destroyed.
    pub works: bool,
    /// Whether it is to be ejected at the end of the turn: no shots from it.
    pub armed: bool,
}

impl Bin {
    /// Its figures.
    #[inline]
    pub fn load(&self) -> &'static Load {
        LOADS.get(usize::from(self.load)).unwrap_or(&LOADS[0])
    }

    /// Points that one of its rounds does when it explodes.
    pub fn blast(&self) -> u16 {
        let load = self.load();
        if load.charge == Charge::Inert {
            return 0;
        }
        let weapon = super::equipment::weapon_by_code(load.weapon).map_or(&WEAPONS[0], |at| &WEAPONS[usize::from(at)]);
        let shots = if weapon.family == Family::Scatter { 1 } else { weapon.shots };
        u16::from(weapon.damage) * u16::from(shots)
    }
}

/// Hits on an arm or a leg, one bit each from the body outward: shoulder or hip, upper, lower, hand or foot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Limb(pub u8);

impl Limb {
    /// Shoulder or hip.
    pub const JOINT: u8 = 1;
    /// Upper arm or thigh.
    pub const UPPER: u8 = 2;
    /// Lower arm or leg.
    pub const LOWER: u8 = 4;
    /// Hand or foot.
    pub const END: u8 = 8;

    /// Whether this actuator was hit.
    #[inline]
    pub const fn hit(self, actuator: u8) -> bool {
        self.0 & actuator != 0
    }

    /// How many of upper and lower were hit.
    #[inline]
    pub const fn middle(self) -> u8 {
        self.hit(Self::UPPER) as u8 + self.hit(Self::LOWER) as u8
    }
}

/// A mech in play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mech {
    /// Tons.
    pub tons: u8,
    /// Walking points of the design.
    pub walk: u8,
    /// Jumping points of the jets that work.
    pub jump: u8,
    /// Of them, in the legs.
    pub leg_jets: u8,
    /// Whether its sinks are double.
    pub double_sinks: bool,
    /// Whether it has MASC that works.
    pub masc: bool,
    /// Turns in a row, up to the last one, in which it pushed its MASC.
    pub masc_turns: u8,
    /// Whether it has triple-strength muscles.
    pub tsm: bool,
    /// Whether it has an ECM suite that works.
    pub ecm: bool,
    /// Whether its engine reaches into the side torsos.
    pub xl: bool,
    /// Cases of the left, right and centre torso, bits 0 to 2.
    pub case: u8,
    /// Where its feet are and which way they point.
    pub hex: Hex,
    /// Which way the feet point.
    pub facing: Facing,
    /// Which way the torso points.
    pub torso: Facing,
    /// Whether it is still in the game.
    pub operational: bool,
    /// Whether its reactor is off.
    pub shut_down: bool,
    /// Whether it is stuck in a swamp.
    pub stuck: bool,
    /// Whether it lies on the ground.
    pub prone: bool,
    /// Whether its pilot is awake.
    pub conscious: bool,
    /// Whether it carries a club: 1 a limb or beam, 2 a tree.
    pub club: u8,
    /// Whether burning gel sticks to it.
    pub burning: bool,
    /// Whether it had partial cover in its own last weapon phase.
    pub cover: bool,
    /// Heat at the end of the last turn.
    pub heat: u8,
    /// Heat of this turn so far.
    pub heating: u8,
    /// Sinks that are on.
    pub sinks_on: u8,
    /// Sinks that are off.
    pub sinks_off: u8,
    /// Sinks in the legs.
    pub leg_sinks: u8,
    /// Wounds of the pilot.
    pub wounds: u8,
    /// Armour by [`Location`].
    pub armour: [u8; 11],
    /// Structure by [`Location`].
    pub structure: [u8; 8],
    /// Hits on the left and right arm.
    pub arms: [Limb; 2],
    /// Actuators of the left and right arm that the design lacks.
    pub lacking: [Limb; 2],
    /// Hits on the left and right leg.
    pub legs: [Limb; 2],
    /// Hits on the engine.
    pub engine_hits: u8,
    /// Hits on the gyroscope.
    pub gyro_hits: u8,
    /// Hits on the sensors.
    pub sensor_hits: u8,
    /// Whether life support is out.
    pub no_life_support: bool,
    /// How it moved this turn; before its move, how it moved in the last.
    pub mode: Mode,
    /// Hexes it moved this turn.
    pub moved: u8,
    /// Whether it has moved this turn.
    pub has_moved: bool,
    /// Movement points spent before a fall interrupted the move; the rest is to be spent in the same mode.
    pub spent: u8,
    /// Points of damage it took this turn.
    pub hurt: u8,
    /// Locations that fired this turn, one bit each.
    pub fired: u8,
    /// A hatchet (1) or a sword (2) in the left and right arm, 0 for none.
    pub blades: [u8; 2],
    /// Its weapons.
    pub weapons: Vec<Weapon, MAX_ITEMS>,
    /// Its ammunition.
    pub bins: Vec<Bin, MAX_ITEMS>,
}

impl Mech {
    /// A mech that is not there yet.
    pub const fn new() -> Self {
        Self {
            tons: 20,
            walk: 0,
            jump: 0,
            leg_jets: 0,
            double_sinks: false,
            masc: false,
            masc_turns: 0,
            tsm: false,
            ecm: false,
            xl: false,
            case: 0,
            hex: Hex::new(0, 0),
            facing: Facing::NORTH,
            torso: Facing::NORTH,
            operational: false,
            shut_down: false,
            stuck: false,
            prone: false,
            conscious: true,
            club: 0,
            burning: false,
            cover: false,
            heat: 0,
            heating: 0,
            sinks_on: 0,
            sinks_off: 0,
            leg_sinks: 0,
            wounds: 0,
            armour: [0; 11],
            structure: [0; 8],
            arms: [Limb(0); 2],
            lacking: [Limb(0); 2],
            legs: [Limb(0); 2],
            engine_hits: 0,
            gyro_hits: 0,
            sensor_hits: 0,
            no_life_support: false,
            mode: Mode::Still,
            moved: 0,
            has_moved: false,
            spent: 0,
            hurt: 0,
            fired: 0,
            blades: [0; 2],
            weapons: Vec::new(),
            bins: Vec::new(),
        }
    }

    /// Checks what its bytes cannot say by themselves.
    pub fn validate(&self, map: &Map<'_>) -> Result<(), StateError> {
        if !map.holds(self.hex) || self.tons < 10 || self.tons > 100 || self.walk > 20 || self.jump > 12 {
            return Err(StateError::OutOfRange);
        }
        if self.weapons.iter().any(|weapon| usize::from(weapon.kind) >= WEAPONS.len() || weapon.location.is_rear())
            || self.bins.iter().any(|bin| usize::from(bin.load) >= LOADS.len() || bin.location.is_rear())
            || self.sinks_on > 100
            || self.sinks_off > 100
            || self.heat > HOTTEST
            || self.heating > HOTTEST
        {
            return Err(StateError::OutOfRange);
        }
        Ok(())
    }

    /// Where it stands.
    #[inline]
    pub const fn place(&self) -> Place {
        Place { hex: self.hex, facing: self.facing }
    }

    /// Whether the part is still there.
    #[inline]
    pub fn has(&self, location: Location) -> bool {
        self.structure.get(location.body().index()).is_some_and(|&points| points > 0)
    }

    /// Hits on an arm or a leg; none for other parts.
    #[inline]
    pub fn limb(&self, location: Location) -> Limb {
        match location {
            Location::LeftArm => self.arms[0],
            Location::RightArm => self.arms[1],
            Location::LeftLeg => self.legs[0],
            Location::RightLeg => self.legs[1],
            _ => Limb(0),
        }
    }

    /// Whether it can act at all.
    #[inline]
    pub const fn can_act(&self) -> bool {
        self.operational && self.conscious && !self.shut_down
    }

    /// Legs lost.
    pub fn legs_lost(&self) -> u8 {
        u8::from(!self.has(Location::LeftLeg)) + u8::from(!self.has(Location::RightLeg))
    }

    /// Whether it could get up: a gyroscope, and legs for it.
    pub fn can_stand(&self) -> bool {
        self.gyro_hits < 2 && !self.lame()
    }

    /// Whether its legs carry it no more: both hips, a hip and the other leg, or both legs gone.
    pub fn lame(&self) -> bool {
        let useless = |leg: usize, location| !self.has(location) || self.legs[leg].hit(Limb::JOINT);
        useless(0, Location::LeftLeg) && useless(1, Location::RightLeg)
    }

    /// Walking points now: damage to the legs, then heat.
    pub fn walk_points(&self) -> u8 {
        if self.lame() {
            return 0;
        }
        if self.legs_lost() == 1 {
            return u8::from(!self.prone);
        }
        let mut points = self.walk;
        if self.tsm {
            points += match self.heat {
                0..=8 => 0,
                9 => 2,
                _ => 1,
            };
        }
        for leg in [self.legs[1], self.legs[0]] {
            points = if leg.hit(Limb::JOINT) {
                points.div_ceil(2)
            } else {
                points.saturating_sub(leg.middle() + u8::from(leg.hit(Limb::END)))
            };
        }
        points.saturating_sub(super::heat::walk_penalty(self.heat))
    }

    /// Running points now.
    pub fn run_points(&self) -> u8 {
        if self.legs_lost() > 0 { 0 } else { (3 * self.walk_points()).div_ceil(2) }
    }

    /// Running points with MASC: twice the walk; those of a plain run if it has none that works.
    pub fn masc_points(&self) -> u8 {
        if self.masc && self.legs_lost() == 0 { 2 * self.walk_points() } else { self.run_points() }
    }

    /// Jumping points now, from the ground it stands on.
    pub fn jump_points(&self, map: &Map<'_>) -> u8 {
        if self.prone {
            return 0;
        }
        match map.tile(self.hex).depth() {
            0 => self.jump,
            1 => self.jump.saturating_sub(self.leg_jets),
            _ => 0,
        }
    }

    /// Piloting modifiers that stay.
    pub fn piloting_modifier(&self) -> i8 {
        let mut sum = if self.gyro_hits > 0 { 3 } else { 0 };
        for (leg, location) in [(self.legs[0], Location::LeftLeg), (self.legs[1], Location::RightLeg)] {
            sum += if !self.has(location) {
                5
            } else if leg.hit(Limb::JOINT) {
                2
            } else {
                leg.middle() as i8 + i8::from(leg.hit(Limb::END))
            };
        }
        sum
    }

    /// Piloting modifier of getting up.
    pub fn standing_modifier(&self) -> i8 {
        let mut sum = 0;
        for (arm, location) in [(self.arms[0], Location::LeftArm), (self.arms[1], Location::RightArm)] {
            sum += if self.has(location) { arm.middle() as i8 } else { 2 };
        }
        sum
    }

    /// To-hit modifier of a weapon's place: sensors, and the arm it hangs on.
    #[inline]
    pub fn mount_modifier(&self, location: Location) -> i8 {
        let sensors = if self.sensor_hits > 0 { 2 } else { 0 };
        if !location.is_arm() {
            return sensors;
        }
        let arm = self.limb(location);
        sensors + if arm.hit(Limb::JOINT) { 4 } else { arm.middle() as i8 }
    }

    /// Whether a weapon can fire: it works, its place is there, and the sensors see something.
    #[inline]
    pub fn can_fire(&self, weapon: &Weapon) -> bool {
        weapon.works && self.sensor_hits < 2 && self.has(weapon.location)
    }

    /// Whether any weapon can fire.
    pub fn is_armed(&self) -> bool {
        self.weapons.iter().any(|weapon| self.can_fire(weapon))
    }

    /// Rounds that a weapon could fire from all its bins; `None` if it needs none.
    pub fn rounds_for(&self, weapon: &Weapon) -> Option<u16> {
        let kind = weapon.kind();
        kind.needs_bin().then(|| {
            let usable = self.bins.iter().filter(|bin| bin.works && !bin.armed && bin.load().weapon == kind.code);
            usable.map(|bin| u16::from(bin.rounds)).sum()
        })
    }

    /// Heat that the sinks take away in a turn, with what water adds.
    pub fn cooling(&self, map: &Map<'_>) -> u8 {
        super::heat::cooling(self.sinks_on, self.double_sinks, self.leg_sinks, map.tile(self.hex).depth())
    }

    /// Heat that a damaged engine makes in a turn.
    pub const fn engine_heat(&self) -> u8 {
        match self.engine_hits {
            0 => 0,
            1 => 5,
            _ => 10,
        }
    }

    /// Armour and structure left, all together.
    pub fn points_left(&self) -> u16 {
        self.armour.iter().chain(&self.structure).map(|&points| u16::from(points)).sum()
    }

    /// Number of two dice that a piloting roll of this extra modifier needs.
    pub fn piloting_need(&self, extra: i8) -> i32 {
        let rattled = i32::from(self.hurt >= 20);
        5 + i32::from(self.piloting_modifier()) + i32::from(extra) + rattled
    }
}

impl Default for Mech {
    fn default() -> Self {
        Self::new()
    }
}

/// Whether the special property means that all missiles hit or none.
pub const fn is_streak(kind: &Kind) -> bool {
    matches!(kind.special, Special::Streak | Special::StreakOneShot)
}

/// What an enemy's movement adds to the number to hit it.
#[inline]
pub const fn target_movement(mode: Mode, moved: u8) -> i8 {
    let distance = match moved {
        0..=2 => 0,
        3..=4 => 1,
        5..=6 => 2,
        7..=9 => 3,
        _ => 4,
    };
    distance + matches!(mode, Mode::Jump) as i8
}

/// Profile-dependent count of hexes moved: steps, or the way between start and end.
pub const fn hexes_counted(profile: &Profile, steps: u8, from: Hex, to: Hex) -> u8 {
    if profile.net_movement { from.distance(to) } else { steps }
}
