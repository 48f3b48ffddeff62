//! Who can point what at whom, and from which side a shot comes.

use super::hex::{Facing, Hex};
use super::map::Map;
use super::profile::Profile;
use super::sight::{Eye, line};

/// A quarter of the view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arc {
    /// The 120 degrees ahead, both edges included.
    Front,
    /// The right side.
    Right,
    /// The 120 degrees behind, seen from the hex behind.
    Rear,
    /// The left side.
    Left,
}

/// The side of a mech that a shot meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Front.
    Front,
    /// Right.
    Right,
    /// Rear.
    Rear,
    /// Left.
    Left,
    /// The simulator's list came out backwards and it knows no side; its shots then always hit the head.
    Lost,
}

/// The arc in which `target` lies for a mech in `from` that faces `facing`.
#[inline]
pub fn arc(from: Hex, facing: Facing, target: Hex) -> Arc {
    let way = from.way_to(target).seen_facing(facing);
    if way.y >= 0 && way.z <= 0 {
        Arc::Front
    } else if way.y <= -1 && way.z >= 1 {
        Arc::Rear
    } else if way.x > 0 {
        Arc::Right
    } else {
        Arc::Left
    }
}

/// The side of a mech with these feet that is towards hexside `from`.
#[inline]
pub const fn side_of_hexside(feet: Facing, from: Facing) -> Side {
    match feet.sides_to(from) {
        2 => Side::Right,
        3 => Side::Rear,
        4 => Side::Left,
        _ => Side::Front,
    }
}

/// The side that a shot over `list` meets, from `attacker` at a target with these feet.
pub fn hit_side_on(attacker: Hex, target: Hex, feet: Facing, list: &[Hex]) -> Side {
    let last = list.last().copied().unwrap_or(attacker);
    target.side_of(last).map_or(Side::Lost, |from| side_of_hexside(feet, from))
}

/// The side that a shot meets, from `attacker` at a target with these feet.
pub fn hit_side(map: &Map<'_>, profile: &Profile, attacker: Hex, target: Hex, feet: Facing) -> Side {
    let list = line(map, profile, Eye::above(map, attacker), Eye::above(map, target));
    hit_side_on(attacker, target, feet, &list)
}
