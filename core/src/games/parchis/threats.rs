//! What the opponent could do to a piece with the dice that it really has.

use super::geometry::{ENTRY, GOAL, HOME, ahead, is_open, is_ring, progress};
use super::rules::OWNED;
use super::state::{Condition, PIECES, Special, State};

/// Progress at stake for a player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Stakes {
    /// On squares that a normal die of the opponent reaches.
    pub(super) exposed: i32,
    /// Of the piece that a blue shell would hit.
    pub(super) blue_shell: i32,
    /// Of the best piece that a red shell would hit.
    pub(super) red_shell: i32,
    /// Of the pieces that the best horn would hit.
    pub(super) horn: i32,
}

/// What either player has at stake.
#[inline]
pub(super) fn stakes(state: &State) -> [Stakes; 2] {
    let mut stakes = [Stakes::default(); 2];
    for at in 0..PIECES {
        let square = state.cells[at];
        if is_open(square) {
            let owner = usize::from(OWNED[0] >> at & 1 == 0);
            let hunters = close_behind(state, square) & OWNED[1 - owner];
            if hunters != 0 && is_hunted(state, at, hunters, state.dice[1 - owner].normal) {
                stakes[owner].exposed += i32::from(progress(at as u8 / 3, square));
            }
        }
    }
    for (owner, stakes) in stakes.iter_mut().enumerate() {
        let hand = state.dice[1 - owner].hand;
        if hand[0] != 0 {
            special_stakes(state, owner, hand, stakes);
        }
    }
    stakes
}

/// The pieces one to seven squares behind a ring square, perhaps with some that are not on the ring.
#[inline]
fn close_behind(state: &State, square: u8) -> u16 {
    let near = |square: u8| {
        // Per byte: 128 + square - 1 - cell, which is 128 to 134 for a cell one to seven squares behind.
        let pattern = (u32::from(square) + 127) * 0x0101_0101;
        let mut mask = 0;
        for (at, chunk) in state.cells.as_chunks::<4>().0.iter().enumerate() {
            let behind = pattern.wrapping_sub(u32::from_le_bytes(*chunk));
            // The highest bit of a byte is set unless its upper five bits are exactly 10000.
            let far = ((behind ^ 0x8080_8080) >> 3 & 0x1F1F_1F1F).wrapping_add(0x7F7F_7F7F);
            mask |= ((!far >> 7 & 0x0101_0101).wrapping_mul(0x1020_4080) >> 28) << (4 * at);
        }
        mask as u16
    };
    if square <= 7 { near(square) | near(square + 68) } else { near(square) }
}

/// Whether one of these pieces can eat the victim with one of these dice.
#[inline]
fn is_hunted(state: &State, victim: usize, hunters: u16, normal: u8) -> bool {
    if matches!(Condition::of(state.modes[victim]), Condition::Boo | Condition::Star | Condition::Mega) {
        return false;
    }
    let square = state.cells[victim];
    let mut left = hunters;
    while left != 0 {
        let at = left.trailing_zeros() as usize % PIECES;
        left &= left - 1;
        let from = state.cells[at];
        if !is_ring(from) {
            continue;
        }
        let steps = ahead(from, square);
        let colour = at as u8 / 3;
        let first = at / 3 * 3;
        let all_out = state.cells[first] != HOME && state.cells[first + 1] != HOME && state.cells[first + 2] != HOME;
        // By steps: the dice that walk so far.
        let dice = [0, 1, 2, 0, 4, 8, if all_out { 0 } else { 16 }, if all_out { 16 } else { 0 }];
        if normal & dice[usize::from(steps & 7)] != 0
            && state.modes[at] & 7 == Condition::Normal as u8
            && progress(colour, from) + steps <= ENTRY
        {
            return true;
        }
    }
    false
}

/// What the special dice in the opponent's hand could do.
#[inline(never)]
fn special_stakes(state: &State, owner: usize, hand: [u8; 2], stakes: &mut Stakes) {
    for special in hand.into_iter().filter_map(Special::new) {
        match special {
            // A horn in the own hand stops shells.
            Special::BlueShell if !holds_horn(state, owner) => stakes.blue_shell = leader(state, owner),
            Special::RedShell if !holds_horn(state, owner) => stakes.red_shell = next_ahead(state, owner),
            Special::Horn => stakes.horn = within_two(state, owner),
            _ => {}
        }
    }
}

fn holds_horn(state: &State, owner: usize) -> bool {
    state.dice[owner].hand.contains(&(Special::Horn as u8))
}

/// Progress of a piece that is on its way.
fn way(state: &State, at: usize) -> Option<u8> {
    Some(progress(at as u8 / 3, state.cells[at])).filter(|&way| way != HOME && way != GOAL)
}

fn pieces(set: u16) -> impl Iterator<Item = usize> {
    (0..PIECES).filter(move |&at| set >> at & 1 != 0)
}

/// The owner's piece nearest to its goal, unless a blue shell would rather hit one of the shooter's.
fn leader(state: &State, owner: usize) -> i32 {
    let best = |set: u16| pieces(set).filter_map(|at| way(state, at)).max().unwrap_or(0);
    let other = OWNED[1 - owner];
    // The shooter spares the colour that it shoots with: the one that is ahead.
    let spared = best(other & 0b000_000_111_111).min(best(other & 0b111_111_000_000));
    let best = best(OWNED[owner]);
    if best > spared { i32::from(best) } else { 0 }
}

/// The most that the nearest piece ahead of one of the shooter's is worth.
fn next_ahead(state: &State, owner: usize) -> i32 {
    let mut most = 0;
    for shooter in pieces(OWNED[1 - owner]) {
        let colour = shooter as u8 / 3;
        let from = progress(colour, state.cells[shooter]);
        let mut nearest = u8::MAX;
        let mut worth = 0;
        for target in pieces(!(0b111 << (3 * colour))) {
            let square = state.cells[target];
            if !is_ring(square) || Condition::of(state.modes[target]) == Condition::Boo {
                continue;
            }
            let distance = progress(colour, square).saturating_sub(from);
            if distance > 0 && distance < nearest {
                nearest = distance;
                let own = OWNED[owner] >> target & 1 != 0;
                let solid = matches!(Condition::of(state.modes[target]), Condition::Star | Condition::Mega);
                worth = if own && !solid { progress(target as u8 / 3, square) } else { 0 };
            }
        }
        most = most.max(worth);
    }
    i32::from(most)
}

/// The most that one horn would send home.
fn within_two(state: &State, owner: usize) -> i32 {
    let mut most = 0;
    for shooter in pieces(OWNED[1 - owner]) {
        let from = state.cells[shooter];
        if !is_ring(from) {
            continue;
        }
        let hit = pieces(OWNED[owner]).filter(|&target| {
            let square = state.cells[target];
            is_ring(square)
                && (square == from || ahead(from, square) <= 2 || ahead(square, from) <= 2)
                && !matches!(Condition::of(state.modes[target]), Condition::Boo | Condition::Mega | Condition::Star)
        });
        most = most.max(hit.filter_map(|target| way(state, target)).map(i32::from).sum());
    }
    most
}
