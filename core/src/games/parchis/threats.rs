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
    let ring = Ring::of(state);
    let [first, second] = exposed(state, &ring);
    let mut stakes = [Stakes { exposed: first, ..Stakes::default() }, Stakes { exposed: second, ..Stakes::default() }];
    for (owner, stakes) in stakes.iter_mut().enumerate() {
        let hand = state.dice[1 - owner].hand;
        if hand[0] != 0 {
            special_stakes(state, &ring, owner, hand, stakes);
        }
    }
    stakes
}

/// Squares that a hunter may come from: one to seven behind.
const BEHIND: u8 = 7;
/// Squares that a horn reaches, before and behind.
const HORN: u8 = 2;

/// Either player's pieces on the ring, a bit each, seven squares on: the last seven squares come again before the first,
/// and the first two behind the last.
struct Ring([[u32; 4]; 2]);

impl Ring {
    #[inline]
    fn of(state: &State) -> Self {
        let mut boards = [[0_u32; 4]; 2];
        for (at, &square) in state.cells.iter().enumerate() {
            if !is_ring(square) {
                continue;
            }
            let board = &mut boards[OWNER[at]];
            let bit = square + BEHIND;
            board[usize::from(bit >> 5) & 3] |= 1 << (bit & 31);
            if square > RING - BEHIND {
                board[0] |= 1 << (bit - RING);
            } else if square <= HORN {
                board[2] |= 1 << (bit + RING - 64);
            }
        }
        Self(boards)
    }

    /// The squares from seven behind this one on, lowest bit first. `square` may lie behind the ring as far as the squares
    /// that come again.
    #[inline]
    fn from(&self, owner: usize, square: u8) -> u32 {
        let board = &self.0[owner & 1];
        let word = usize::from(square >> 5) & 3;
        let pair = u64::from(board[word]) | u64::from(board[(word + 1) & 3]) << 32;
        (pair >> (square & 31)) as u32
    }
}

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
fn exposed(state: &State, ring: &Ring) -> [i32; 2] {
    let from = [1, 0].map(|hunter: usize| u32::from(FROM[usize::from(state.dice[hunter].normal) & 31]));
    let mut sums = [0; 2];
    for (at, &square) in state.cells.iter().enumerate() {
        if !is_open(square) {
            continue;
        }
        let owner = OWNER[at];
        let near = ring.from(1 - owner, square) & from[owner];
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
fn special_stakes(state: &State, ring: &Ring, owner: usize, hand: [u8; 2], stakes: &mut Stakes) {
    for special in hand.into_iter().filter_map(Special::new) {
        match special {
            // A horn in the own hand stops shells.
            Special::BlueShell if !holds_horn(state, owner) => stakes.blue_shell = leader(state, owner),
            Special::RedShell if !holds_horn(state, owner) => stakes.red_shell = next_ahead(state, owner),
            Special::Horn => stakes.horn = within_two(state, ring, owner),
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
fn within_two(state: &State, ring: &Ring, owner: usize) -> i32 {
    let mut most = 0;
    for first in COLOURS[1 - owner] {
        for &from in &state.cells[first..first + 3] {
            if !is_ring(from) {
                continue;
            }
            let mut near = ring.from(owner, from + BEHIND - HORN) & 0b1_1111;
            let mut sum = 0;
            while near != 0 {
                let offset = near.trailing_zeros() as u8;
                near &= near - 1;
                let square = match from + offset {
                    0..=HORN => from + offset + RING - HORN,
                    ahead if ahead > RING + HORN => ahead - HORN - RING,
                    ahead => ahead - HORN,
                };
                sum += blown_away(state, owner, square);
            }
            most = most.max(sum);
        }
    }
    most
}

/// Progress of the owner's pieces on a square that a horn moves.
#[inline(never)]
fn blown_away(state: &State, owner: usize, square: u8) -> i32 {
    let mut there = state.on(square) & OWNED[owner & 1];
    let mut sum = 0;
    while there != 0 {
        let at = there.trailing_zeros() as usize % PIECES;
        there &= there - 1;
        if !matches!(Condition::of(state.modes[at]), Condition::Boo | Condition::Mega | Condition::Star) {
            sum += i32::from(progress(at as u8 / 3, square));
        }
    }
    sum
}
