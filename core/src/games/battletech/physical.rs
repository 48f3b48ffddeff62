//! Fists, feet and clubs.

use serde::{Deserialize, Serialize};

use super::arcs::{Arc, arc};
use super::attack::location_bears;
use super::hex::Facing;
use super::location::Location;
use super::map::Map;
use super::mech::{Limb, Mech, Mode, target_movement};
use super::profile::Profile;
use super::sight::terrain_modifier;

/// A way to hit with the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Blow {
    /// With the left fist.
    LeftPunch,
    /// With the right fist.
    RightPunch,
    /// With the left foot.
    LeftKick,
    /// With the right foot.
    RightKick,
    /// With a club in both hands.
    Club,
    /// With the hatchet or sword in the left arm.
    LeftBlade,
    /// With the hatchet or sword in the right arm.
    RightBlade,
}

impl Blow {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::LeftPunch,
        Self::RightPunch,
        Self::LeftKick,
        Self::RightKick,
        Self::Club,
        Self::LeftBlade,
        Self::RightBlade,
    ];

    /// The limb that does it; the left arm for a club.
    pub const fn limb(self) -> Location {
        match self {
            Self::LeftPunch | Self::LeftBlade | Self::Club => Location::LeftArm,
            Self::RightPunch | Self::RightBlade => Location::RightArm,
            Self::LeftKick => Location::LeftLeg,
            Self::RightKick => Location::RightLeg,
        }
    }

    /// Whether it is a kick.
    pub const fn is_kick(self) -> bool {
        matches!(self, Self::LeftKick | Self::RightKick)
    }

    /// Whether it is a punch.
    pub const fn is_punch(self) -> bool {
        matches!(self, Self::LeftPunch | Self::RightPunch)
    }

    /// Limbs in use, one bit a location.
    pub const fn limbs(self) -> u8 {
        match self {
            Self::Club => 1 << Location::LeftArm as u8 | 1 << Location::RightArm as u8,
            other => 1 << other.limb() as u8,
        }
    }
}

/// Why a blow cannot be struck.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The attacker lies down or cannot act.
    Unable,
    /// The limb is missing, broken or has nothing in it.
    Limb,
    /// The limb fired a weapon this turn.
    Fired,
    /// The target is not next to the attacker.
    Distance,
    /// The target is not in the limb's arc.
    Arc,
    /// The levels do not allow it.
    Level,
}

/// Which table a blow that hits is located on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// The punch table.
    Punch,
    /// The kick table.
    Kick,
    /// The whole body.
    Full,
}

/// Whether the blow can be struck at all.
pub fn check(profile: &Profile, map: &Map<'_>, attacker: &Mech, target: &Mech, blow: Blow) -> Result<(), Refusal> {
    check_turned(profile, map, attacker, attacker.torso, target, blow)
}

/// [`check`] with the torso turned so.
pub fn check_turned(
    profile: &Profile,
    map: &Map<'_>,
    attacker: &Mech,
    torso: Facing,
    target: &Mech,
    blow: Blow,
) -> Result<(), Refusal> {
    if attacker.prone || !attacker.can_act() {
        return Err(Refusal::Unable);
    }
    check_limb(attacker, blow)?;
    if attacker.hex.distance(target.hex) != 1 {
        return Err(Refusal::Distance);
    }
    let all_round = profile.weaponless_all_round && !attacker.is_armed();
    if !all_round {
        let limb = blow.limb();
        let facing = if limb.is_leg() { attacker.facing } else { torso };
        let seen = arc(attacker.hex, facing, target.hex);
        let reaches = if blow == Blow::Club { seen == Arc::Front } else { location_bears(limb, false, seen) };
        if !reaches {
            return Err(Refusal::Arc);
        }
    }
    let rise = i16::from(map.tile(attacker.hex).footing()) - i16::from(map.tile(target.hex).footing());
    let allowed = match rise {
        0 => !target.prone || blow.is_kick(),
        1 => !blow.is_punch() && !target.prone,
        -1 => !blow.is_kick(),
        _ => false,
    };
    if allowed { Ok(()) } else { Err(Refusal::Level) }
}

/// Whether it has two arms with sound shoulders and hands: what a club asks for.
pub fn can_hold_club(mech: &Mech) -> bool {
    let holds = |side: usize, location| {
        let (arm, lacking) = (mech.arms[side], mech.lacking[side]);
        mech.has(location) && !arm.hit(Limb::JOINT) && !arm.hit(Limb::END) && !lacking.hit(Limb::END)
    };
    holds(0, Location::LeftArm) && holds(1, Location::RightArm)
}

fn check_limb(mech: &Mech, blow: Blow) -> Result<(), Refusal> {
    if mech.fired & blow.limbs() != 0 {
        return Err(Refusal::Fired);
    }
    let arm = |side: usize, location| mech.has(location) && !mech.arms[side].hit(Limb::JOINT);
    let usable = match blow {
        Blow::LeftPunch => arm(0, Location::LeftArm),
        Blow::RightPunch => arm(1, Location::RightArm),
        Blow::LeftBlade => arm(0, Location::LeftArm) && mech.blades[0] > 0,
        Blow::RightBlade => arm(1, Location::RightArm) && mech.blades[1] > 0,
        Blow::Club => mech.club > 0 && can_hold_club(mech),
        Blow::LeftKick | Blow::RightKick => {
            // A kick stands on the other leg: neither hip may be broken, neither leg missing.
            mech.legs_lost() == 0 && !mech.legs[0].hit(Limb::JOINT) && !mech.legs[1].hit(Limb::JOINT)
        }
    };
    if usable { Ok(()) } else { Err(Refusal::Limb) }
}

/// Whether the limbs of a blow could strike anything at all.
pub fn limb_ready(mech: &Mech, blow: Blow) -> bool {
    check_limb(mech, blow).is_ok()
}

/// Whether a further blow may be struck beside those chosen already.
pub fn compatible(profile: &Profile, chosen: &[Blow], blow: Blow) -> bool {
    let kick = blow.is_kick();
    chosen.iter().all(|other| {
        other.limbs() & blow.limbs() == 0
            && !(kick && other.is_kick())
            && (profile.punch_and_kick || other.is_kick() == kick && other.is_punch() == blow.is_punch())
    })
}

/// What two dice must show for the blow to hit, the terrain's part included.
pub fn need(profile: &Profile, map: &Map<'_>, attacker: &Mech, target: &Mech, blow: Blow) -> i8 {
    need_on(profile, attacker, target, blow, terrain_modifier(map, profile, attacker.hex, target.hex))
}

/// [`need`] where the terrain's part is known.
pub fn need_on(profile: &Profile, attacker: &Mech, target: &Mech, blow: Blow, terrain: i8) -> i8 {
    let limb = attacker.limb(blow.limb());
    let base = match blow {
        Blow::LeftKick | Blow::RightKick => profile.kick_base + 2 * limb.middle() as i8 + i8::from(limb.hit(Limb::END)),
        Blow::LeftPunch | Blow::RightPunch => 4 + i8::from(limb.hit(Limb::END)),
        Blow::Club => 4 + 2 * (attacker.arms[0].middle() + attacker.arms[1].middle()) as i8,
        Blow::LeftBlade | Blow::RightBlade => blade_base(attacker, blow) + 2 * limb.middle() as i8,
    };
    let movement =
        if !target.conscious && target.mode == Mode::Still { -4 } else { target_movement(target.mode, target.moved) };
    base + attacker.mode.attack_modifier() + movement - 2 * i8::from(target.prone) - 2 * i8::from(target.stuck)
        + terrain
}

fn blade_base(mech: &Mech, blow: Blow) -> i8 {
    if mech.blades[usize::from(blow == Blow::RightBlade)] == 2 { 2 } else { 4 }
}

/// Points of the blow.
pub fn damage(attacker: &Mech, blow: Blow) -> u8 {
    let limb = attacker.limb(blow.limb());
    let (points, halvings) = match blow {
        Blow::LeftPunch | Blow::RightPunch => (attacker.tons.div_ceil(10), limb.middle()),
        Blow::LeftKick | Blow::RightKick => (attacker.tons.div_ceil(5), limb.middle()),
        Blow::Club => (attacker.tons.div_ceil(5), 0),
        Blow::LeftBlade | Blow::RightBlade => {
            let sword = blade_base(attacker, blow) == 2;
            (if sword { attacker.tons.div_ceil(10) + 1 } else { attacker.tons.div_ceil(5) }, 0)
        }
    };
    let strength = if attacker.tsm && attacker.heat >= 9 { 2 } else { 1 };
    (points >> halvings) * strength
}

/// The table that locates the blow.
pub fn table(map: &Map<'_>, attacker: &Mech, target: &Mech, blow: Blow) -> Table {
    let rise = i16::from(map.tile(attacker.hex).footing()) - i16::from(map.tile(target.hex).footing());
    match rise {
        1.. => Table::Punch,
        ..=-1 if target.prone => Table::Punch,
        ..=-1 => Table::Kick,
        0 if blow.is_kick() => Table::Kick,
        0 if blow.is_punch() => Table::Punch,
        0 => Table::Full,
    }
}
