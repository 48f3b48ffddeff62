//! The parts of a mech, and where hits land.

use serde::{Deserialize, Serialize};

use super::arcs::Side;
use super::profile::Profile;

/// A part of a mech. The numbers are the order of the simulator's files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[repr(u8)]
pub enum Location {
    /// Left arm.
    LeftArm,
    /// Left torso.
    LeftTorso,
    /// Left leg.
    LeftLeg,
    /// Right leg.
    RightLeg,
    /// Right torso.
    RightTorso,
    /// Right arm.
    RightArm,
    /// Centre torso.
    CentreTorso,
    /// Head.
    Head,
    /// Rear of the left torso.
    LeftRear,
    /// Rear of the right torso.
    RightRear,
    /// Rear of the centre torso.
    CentreRear,
}

use Location::{
    CentreRear, CentreTorso, Head, LeftArm, LeftLeg, LeftRear, LeftTorso, RightArm, RightLeg, RightRear, RightTorso,
};

impl Location {
    /// All of them, in order.
    pub const ALL: [Self; 11] = [
        LeftArm,
        LeftTorso,
        LeftLeg,
        RightLeg,
        RightTorso,
        RightArm,
        CentreTorso,
        Head,
        LeftRear,
        RightRear,
        CentreRear,
    ];

    /// Those that have structure and slots.
    pub const BODY: [Self; 8] = [LeftArm, LeftTorso, LeftLeg, RightLeg, RightTorso, RightArm, CentreTorso, Head];

    /// The part with this number.
    pub fn from_index(index: usize) -> Option<Self> {
        Self::ALL.get(index).copied()
    }

    /// Its number.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The part of the body it belongs to: itself, or the torso of a rear.
    #[must_use]
    pub const fn body(self) -> Self {
        match self {
            LeftRear => LeftTorso,
            RightRear => RightTorso,
            CentreRear => CentreTorso,
            other => other,
        }
    }

    /// Whether it is the rear of a torso.
    pub const fn is_rear(self) -> bool {
        matches!(self, LeftRear | RightRear | CentreRear)
    }

    /// Whether it is an arm.
    pub const fn is_arm(self) -> bool {
        matches!(self, LeftArm | RightArm)
    }

    /// Whether it is a leg.
    pub const fn is_leg(self) -> bool {
        matches!(self, LeftLeg | RightLeg)
    }

    /// The next part inward: arms and legs to their torso, side torsos to the centre; `None` for centre and head.
    pub const fn inward(self) -> Option<Self> {
        match self {
            LeftArm | LeftLeg => Some(LeftTorso),
            RightArm | RightLeg => Some(RightTorso),
            LeftTorso | RightTorso | LeftRear | RightRear => Some(CentreTorso),
            CentreTorso | CentreRear | Head => None,
        }
    }

    /// Its slots.
    pub const fn slots(self) -> u8 {
        match self {
            LeftLeg | RightLeg | Head => 6,
            LeftRear | RightRear | CentreRear => 0,
            _ => 12,
        }
    }

    /// Its name in the simulator's files.
    pub const fn code(self) -> &'static str {
        ["BI", "TI", "PI", "PD", "TD", "BD", "TC", "CAB", "TIa", "TDa", "TCa"][self as usize]
    }

    /// The part that the simulator's files call so.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|location| location.code() == code)
    }

    /// Its name for people.
    pub const fn name(self) -> &'static str {
        [
            "left arm",
            "left torso",
            "left leg",
            "right leg",
            "right torso",
            "right arm",
            "centre torso",
            "head",
            "left rear",
            "right rear",
            "centre rear",
        ][self as usize]
    }
}

/// Where a shot lands, by side and a roll of 2 to 12.
const SHOTS: [[Location; 11]; 4] = [
    [CentreTorso, RightArm, RightArm, RightLeg, RightTorso, CentreTorso, LeftTorso, LeftLeg, LeftArm, LeftArm, Head],
    [RightTorso, RightLeg, RightArm, RightArm, RightLeg, RightTorso, CentreTorso, LeftTorso, LeftArm, LeftLeg, Head],
    [CentreRear, RightArm, RightArm, RightLeg, RightRear, CentreRear, LeftRear, LeftLeg, LeftArm, LeftArm, Head],
    [LeftTorso, LeftLeg, LeftArm, LeftArm, LeftLeg, LeftTorso, CentreTorso, RightTorso, RightArm, RightLeg, Head],
];

/// Where a punch lands, by side and a die of 1 to 6.
const PUNCHES: [[Location; 6]; 4] = [
    [LeftArm, LeftTorso, CentreTorso, RightTorso, RightArm, Head],
    [RightTorso, RightTorso, CentreTorso, RightArm, RightArm, Head],
    [LeftArm, LeftRear, CentreRear, RightRear, RightArm, Head],
    [LeftTorso, LeftTorso, CentreTorso, LeftArm, LeftArm, Head],
];

/// Where a shot of this roll lands. A shot from no side at all hits the head.
pub fn shot_location(side: Side, roll: u8) -> Location {
    match SHOTS.get(side as usize) {
        Some(table) => table[usize::from(roll.clamp(2, 12) - 2)],
        None => Head,
    }
}

/// Where a punch, or a shot at a covered target, of this die lands.
pub fn punch_location(side: Side, die: u8) -> Location {
    match PUNCHES.get(side as usize) {
        Some(table) => table[usize::from(die.clamp(1, 6) - 1)],
        None => Head,
    }
}

/// Where a kick of this die lands.
pub fn kick_location(profile: &Profile, side: Side, die: u8) -> Location {
    match side {
        Side::Left => LeftLeg,
        Side::Right => RightLeg,
        _ if (die <= 3) == profile.kick_low_left => LeftLeg,
        _ => RightLeg,
    }
}
