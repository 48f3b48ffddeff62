//! What the opponent could do to a piece with the dice that it really has.

use super::geometry::{ENTRY, GOAL, HOME, RING, is_open, is_ring, progress};
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
    let [first, second] = exposed(state);
    let mut stakes =
        [Stakes { exposed: first, ..Stakes::default() }, Stakes { exposed: second, ..Stakes::default() }];
    for (owner, stakes) in stakes.iter_mut().enumerate() {
        let hand = state.dice[1 - owner].hand;
        if hand[0] != 0 {
            special_stakes(state, owner, hand, stakes);
        }
    }
    stakes
}

/// Squares that a hunter may come from: one to seven behind.
const BEHIND: u8 = 7;
/// By the set of normal dice: from how far behind a hunter may come, seven squares in the lowest bit, one in the seventh.
/// A six may be six or seven steps.
const FROM: [u8; 32] = {
    let mut table = [0; 32];
    let mut set = 0;
    while set < 32 {
        let mut die = 0;
        while die < 5 {
            if set >> die & 1 != 0 {
                table[set] |= [1 << 6, 1 << 5, 1 << 3, 1 << 2, 0b11][die];
            }
            die += 1;
        }
        set += 1;
    }
    table
};

/// Progress of either player's pieces on squares that a normal die of the opponent reaches.
#[inline]
fn exposed(state: &State) -> [i32; 2] {
    // The pieces of either player on the ring, a bit each, seven squares on: the last seven squares come again before
    // the first. Corridors lie behind the ring, where nobody looks.
    let mut ring = [[0_u32; 4]; 2];
    for (at, &square) in state.cells.iter().enumerate() {
        if square == HOME {
            continue;
        }
        let board = &mut ring[OWNER[at]];
        let bit = square + BEHIND;
        board[usize::from(bit >> 5) & 3] |= 1 << (bit & 31);
        if square > RING - BEHIND && square <= RING {
            board[0] |= 1 << (bit - RING);
        }
    }
    let from = [1, 0].map(|hunter: usize| u32::from(FROM[usize::from(state.dice[hunter].normal) & 31]));
    let mut sums = [0; 2];
    for (at, &square) in state.cells.iter().enumerate() {
        if !is_open(square) {
            continue;
        }
        let owner = OWNER[at];
        let board = &ring[1 - owner];
        let word = usize::from(square >> 5) & 3;
        let pair = u64::from(board[word]) | u64::from(board[(word + 1) & 3]) << 32;
        let near = (pair >> (square & 31)) as u32 & from[owner];
        if near != 0 && is_hunted(state, at, near) {
            sums[owner] += i32::from(progress(at as u8 / 3, square));
        }
    }
    sums
}

/// Player by piece.
const OWNER: [usize; PIECES] = [1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0];

/// Whether one of the opponent's pieces on the squares of `near` (see [`FROM`]) can eat the victim.
#[inline(never)]
fn is_hunted(state: &State, victim: usize, near: u32) -> bool {
    if matches!(Condition::of(state.modes[victim]), Condition::Boo | Condition::Star | Condition::Mega) {
        return false;
    }
    let square = state.cells[victim];
    let mut left = near;
    while left != 0 {
        let steps = BEHIND - left.trailing_zeros() as u8;
        left &= left - 1;
        let from = if square > steps { square - steps } else { square + RING - steps };
        let mut hunters = state.on(from) & OWNED[1 - OWNER[victim]];
        while hunters != 0 {
            let at = hunters.trailing_zeros() as usize % PIECES;
            hunters &= hunters - 1;
            let first = at / 3 * 3;
            let all_out =
                state.cells[first] != HOME && state.cells[first + 1] != HOME && state.cells[first + 2] != HOME;
            if steps != if all_out { 6 } else { 7 }
                && state.modes[at] & 7 == Condition::Normal as u8
                && progress(at as u8 / 3, from) + steps <= ENTRY
            {
                return true;
            }
        }
    }
    false
}

/// The first pieces of a player's colours.
const COLOURS: [[usize; 2]; 2] = [[3, 9], [0, 6]];

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

/// A few pieces, each as a number that is compared and what goes with it. There is room for all of them.
#[derive(Clone, Copy)]
struct Few {
    entries: [(u8, u8); PIECES],
    count: usize,
}

impl Few {
    const NONE: Self = Self { entries: [(0, 0); PIECES], count: 0 };

    #[inline]
    fn add(&mut self, entry: (u8, u8)) {
        if let Some(free) = self.entries.get_mut(self.count) {
            *free = entry;
            self.count += 1;
        }
    }

    #[inline]
    fn iter(&self) -> impl Iterator<Item = (u8, u8)> {
        self.entries.iter().take(self.count).copied()
    }
}

/// The furthest of a colour's pieces on their way, by the colour's first piece.
#[inline]
fn furthest(state: &State, first: usize) -> u8 {
    let way = |at: usize| match progress(first as u8 / 3, state.cells[at]) {
        GOAL => 0,
        way => way,
    };
    way(first).max(way(first + 1)).max(way(first + 2))
}

/// The owner's piece nearest to its goal, unless a blue shell would rather hit one of the shooter's.
fn leader(state: &State, owner: usize) -> i32 {
    let [one, other] = COLOURS[1 - owner];
    // The shooter spares the colour that it shoots with: the one that is ahead.
    let spared = furthest(state, one).min(furthest(state, other));
    let [one, other] = COLOURS[owner];
    let best = furthest(state, one).max(furthest(state, other));
    if best > spared { i32::from(best) } else { 0 }
}

/// The most that the nearest piece ahead of one of the shooter's is worth.
fn next_ahead(state: &State, owner: usize) -> i32 {
    let mut most = 0;
    for first in COLOURS[1 - owner] {
        let colour = first as u8 / 3;
        // How far the others on the ring have come on the shooter's way, and what each is worth.
        let mut targets = Few::NONE;
        for (at, &square) in state.cells.iter().enumerate() {
            if at / 3 == first / 3 || !is_ring(square) {
                continue;
            }
            let worth = match Condition::of(state.modes[at]) {
                Condition::Boo => continue,
                Condition::Star | Condition::Mega => 0,
                _ if OWNER[at] == owner => progress(at as u8 / 3, square),
                _ => 0,
            };
            targets.add((progress(colour, square), worth));
        }
        for &shooter in &state.cells[first..first + 3] {
            let from = progress(colour, shooter);
            let mut nearest = (u8::MAX, 0);
            for target in targets.iter() {
                if target.0 > from && target.0 < nearest.0 {
                    nearest = target;
                }
            }
            most = most.max(nearest.1);
        }
    }
    i32::from(most)
}

/// The most that one horn would send home.
fn within_two(state: &State, owner: usize) -> i32 {
    let mut targets = Few::NONE;
    for first in COLOURS[owner] {
        for at in first..first + 3 {
            let square = state.cells[at];
            let immune = matches!(Condition::of(state.modes[at]), Condition::Boo | Condition::Mega | Condition::Star);
            if is_ring(square) && !immune {
                targets.add((square, progress(first as u8 / 3, square)));
            }
        }
    }
    let mut most = 0;
    for first in COLOURS[1 - owner] {
        for &from in state.cells[first..first + 3].iter().filter(|&&from| is_ring(from)) {
            let mut sum = 0;
            for (square, way) in targets.iter() {
                // Two before to two behind, round the end of the ring.
                if matches!(square + RING + 2 - from, 0..=4 | RING..=72 | 136..) {
                    sum += i32::from(way);
                }
            }
            most = most.max(sum);
        }
    }
    most
}
