//! The heat scale.

use super::profile::Profile;

/// Heat of ending a turn in a burning hex.
pub const IN_FIRE: u8 = 5;
/// Heat of each burning hex that was left behind in a move.
pub const THROUGH_FIRE: u8 = 2;

/// Walking points lost at this heat.
#[inline]
pub const fn walk_penalty(heat: u8) -> u8 {
    match heat {
        0..=4 => 0,
        5..=9 => 1,
        10..=14 => 2,
        15..=19 => 3,
        20..=24 => 4,
        _ => 5,
    }
}

/// Added to the own to-hit numbers at this heat.
#[inline]
pub const fn attack_modifier(heat: u8) -> i8 {
    match heat {
        0..=7 => 0,
        8..=12 => 1,
        13..=16 => 2,
        17..=23 => 3,
        _ => 4,
    }
}

/// What two dice must show so that the reactor stays on; `None` if nothing is rolled, 99 if it goes off for certain.
pub const fn shutdown_need(heat: u8) -> Option<u8> {
    match heat {
        0..=13 => None,
        14..=17 => Some(4),
        18..=21 => Some(6),
        22..=25 => Some(8),
        26..=29 => Some(10),
        _ => Some(99),
    }
}

/// What two dice must show so that no ammunition explodes; `None` if nothing is rolled.
pub const fn explosion_need(profile: &Profile, heat: u8) -> Option<u8> {
    match heat {
        0..=18 => None,
        19..=22 => Some(4),
        23..=27 => Some(6),
        _ => Some(profile.ammo_28),
    }
}

/// What two dice must show so that no inferno rounds go off; `None` if nothing is rolled. They have a roll of their own,
/// from lower heat on than other ammunition.
pub const fn inferno_need(heat: u8) -> Option<u8> {
    match heat {
        0..=9 => None,
        10..=13 => Some(4),
        14..=18 => Some(6),
        19..=22 => Some(8),
        23..=27 => Some(10),
        _ => Some(12),
    }
}

/// Heat that sinks take away in a turn. Water helps by up to six: all sinks at depth 2, those in the legs at depth 1.
pub const fn cooling(sinks_on: u8, double: bool, leg_sinks: u8, depth: u8) -> u8 {
    let each = if double { 2 } else { 1 };
    let wet = match depth {
        0 => 0,
        1 => leg_sinks,
        _ => sinks_on,
    };
    let wet = wet.saturating_mul(each);
    sinks_on.saturating_mul(each).saturating_add(if wet > 6 { 6 } else { wet })
}

/// Heat after a turn.
pub const fn after(heat: u8, made: u8, cooling: u8) -> u8 {
    heat.saturating_add(made).saturating_sub(cooling)
}
