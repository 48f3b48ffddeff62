//! Damage to armour and structure, one location at a time. What the dice decide lies between two steps.

use rival_core::games::battletech::arcs::Side;
use rival_core::games::battletech::{Location, Mech, Profile};

/// What a step of damage came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// The location whose structure was hit: a critical hit is possible.
    pub structure: Option<Location>,
    /// The location that this step destroyed.
    pub lost: Option<Location>,
    /// What moves on, and where.
    pub rest: Option<(Location, u16)>,
}

/// Applies points to one location. An explosion starts at the structure.
pub fn step(profile: &Profile, mech: &mut Mech, side: Side, location: Location, points: u16, explosion: bool) -> Step {
    let mut points = points;
    if !explosion {
        let armour = &mut mech.armour[location.index()];
        let absorbed = points.min(u16::from(*armour));
        *armour -= absorbed as u8;
        points -= absorbed;
        if points == 0 {
            return Step::default();
        }
    }
    if location.is_rear() && profile.rear_leaks {
        // The program sends what passes a side's rear armour to the front of the centre and loses the centre's.
        let rest = (location != Location::CentreRear).then_some((Location::CentreTorso, points));
        return Step { rest, ..Step::default() };
    }
    let body = location.body();
    let structure = &mut mech.structure[body.index()];
    let whole = *structure > 0;
    if u16::from(*structure) > points {
        *structure -= points as u8;
        return Step { structure: Some(body), ..Step::default() };
    }
    points -= u16::from(*structure);
    *structure = 0;
    if body.is_arm() || body.is_leg() {
        mech.armour[body.index()] = 0; // a limb is gone with its plates; a torso keeps them
    }
    let shielded = explosion && has_case(mech, body);
    let next = body.inward().map(|next| match next {
        Location::LeftTorso if side == Side::Rear => Location::LeftRear,
        Location::RightTorso if side == Side::Rear => Location::RightRear,
        next => next,
    });
    Step {
        structure: whole.then_some(body),
        lost: whole.then_some(body),
        rest: next.filter(|_| points > 0 && !shielded).map(|next| (next, points)),
    }
}

/// Whether an explosion in this location stays there.
pub fn has_case(mech: &Mech, location: Location) -> bool {
    match location {
        Location::LeftTorso => mech.case & 1 != 0,
        Location::RightTorso => mech.case & 2 != 0,
        Location::CentreTorso => mech.case & 4 != 0,
        _ => false,
    }
}

/// Whether the loss of this location is the end of the mech.
pub fn is_fatal(mech: &Mech, lost: Location) -> bool {
    match lost {
        Location::Head | Location::CentreTorso => true,
        Location::LeftTorso | Location::RightTorso => mech.xl,
        _ => false,
    }
}

/// Everything at once, without criticals: what the recordings hold. Gives whether the mech is still in the game.
pub fn apply(profile: &Profile, mech: &mut Mech, side: Side, location: Location, points: u16, explosion: bool) -> bool {
    let mut next = Some((location, points));
    let mut alive = true;
    while let Some((location, points)) = next {
        let step = step(profile, mech, side, location, points, explosion);
        if let Some(lost) = step.lost {
            alive &= !is_fatal(mech, lost);
            strip(profile, mech, lost);
        }
        next = step.rest;
    }
    alive
}

/// Takes off what hangs on a lost location.
pub fn strip(profile: &Profile, mech: &mut Mech, lost: Location) {
    let arm = match lost {
        Location::LeftTorso => Location::LeftArm,
        Location::RightTorso => Location::RightArm,
        _ => return,
    };
    if profile.torso_takes_arm {
        mech.structure[arm.index()] = 0;
        mech.armour[arm.index()] = 0;
    }
}
