//! The evaluation's weights and the tables made of them.

use super::geometry::{self, GOAL, HOME};
use super::state::Special;

/// Where the worth of progress is given; in between it is interpolated.
pub const KNOTS: [u8; 11] = [1, 11, 21, 31, 41, 51, 61, 68, 69, 75, 76];

/// How far before a wall a piece counts as held up.
pub(super) const HELD: u8 = 12;

/// What the evaluation adds up, in hundredths of about a step. The evaluation is linear in each of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// A piece of the colour that is ahead, by progress. Home is 0.
    pub lead: [i16; KNOTS.len()],
    /// A piece of the colour that is behind.
    pub trail: [i16; KNOTS.len()],
    /// Standing on a safe square, for either colour.
    pub safe: [i16; 2],
    /// Each special die in the hand.
    pub hand: [i16; 10],
    /// Each normal die that is not used up.
    pub dice: [i16; 5],
    /// Star, boo, mega, small, bananed: for being so, and for every turn left.
    pub conditions: [[i16; 2]; 5],
    /// Each bounce beyond 15: the limit comes near.
    pub bounce: i16,
    /// Sixteen steps of progress on squares that the opponent's normal dice reach: with the opponent to act, and
    /// with the owner to act.
    pub exposed: [i16; 2],
    /// The same for what a blue shell, a red shell or a horn in the opponent's hand would hit.
    pub aimed: [i16; 3],
    /// A wall of two on the ring, and each piece of the opponent that comes up to it within `HELD` squares.
    pub barrier: [i16; 2],
    /// What threats count for at the most, either way. Not tuned but tried: the evaluation is not linear in it, and the
    /// smaller it is, the more leaves need not look at threats at all.
    pub limit: i16,
    /// Having the turn; a 20, a 10, an extra turn after a six to come.
    pub turn: [i16; 4],
}

/// The weights that the agent plays with.
///
/// Made by `rival tune parchis --seed 2 --games 1500 --nodes 600 --rounds 4`, which prints them. The same command repeats
/// itself exactly; a revision that searches in another order plays other games from the same seed and ends at other
/// weights.
pub const WEIGHTS: Weights = Weights {
    lead: [44, 52, 83, 114, 106, 163, 180, 205, 232, 213, 260],
    trail: [31, 23, 28, 30, 21, 42, 0, 40, 46, 58, 10],
    safe: [14, 11],
    hand: [31, 66, 72, 59, 66, 14, 42, 64, 69, -2],
    dice: [-17, -7, -18, 17, 40],
    conditions: [[8, 10], [15, -3], [-4, 6], [1, -3], [-11, -7]],
    bounce: 0,
    exposed: [-28, -10],
    aimed: [-4, -11, -13],
    barrier: [-13, 3],
    limit: 96,
    turn: [15, 32, 8, 15],
};

/// Weights by hand: where tuning starts.
pub const PLAIN: Weights = Weights {
    lead: [20, 40, 62, 84, 106, 128, 150, 168, 176, 190, 230],
    trail: [14, 26, 38, 50, 62, 74, 86, 98, 104, 112, 130],
    safe: [6, 4],
    hand: [20, 20, 50, 35, 40, 16, 25, 20, 20, 8],
    dice: [-1, 0, 2, 3, 6],
    conditions: [[10, 4], [4, 2], [10, 3], [-6, -3], [-4, 0]],
    bounce: -4,
    exposed: [-16, -5],
    aimed: [-4, -4, -4],
    barrier: [4, 2],
    limit: 96,
    turn: [8, 30, 16, 8],
};

/// The weights as the evaluation reads them.
#[derive(Clone, Debug)]
pub struct Tables {
    /// By colour and cell: progress in the highest eight bits, worth of a piece of the colour ahead in the next twelve,
    /// of the colour behind in the lowest twelve. Three pieces add up without touching each other.
    pub(super) pieces: [[u32; 128]; 4],
    /// By the number of a special die, 0 for none.
    pub(super) hand: [i16; 16],
    /// By the set of normal dice.
    pub(super) dice: [i16; 32],
    /// By the byte in which a state keeps a condition and its turns left.
    pub(super) conditions: [i16; 128],
    pub(super) bounces: [i16; 32],
    pub(super) exposed: [i16; 2],
    /// By the number of a special die: what each step of progress at stake counts; 0 for dice that do not aim.
    pub(super) aimed: [i16; 16],
    pub(super) barrier: [i16; 2],
    pub(super) limit: i16,
    pub(super) tempo: i16,
    pub(super) twenty: i16,
    pub(super) ten: i16,
    pub(super) six: i16,
}

/// The most that one piece may be worth: a third of what twelve bits hold.
const MOST: i32 = 0xFFF / 3;

impl Tables {
    /// Works the weights out.
    pub const fn new(weights: &Weights) -> Self {
        let mut tables = Self {
            pieces: [[0; 128]; 4],
            hand: [0; 16],
            dice: [0; 32],
            conditions: [0; 128],
            bounces: [0; 32],
            exposed: weights.exposed,
            aimed: [0; 16],
            barrier: weights.barrier,
            limit: weights.limit,
            tempo: weights.turn[0],
            twenty: weights.turn[1],
            ten: weights.turn[2],
            six: weights.turn[3],
        };
        let mut colour = 0;
        while colour < 4 {
            let mut progress = 0;
            while progress <= GOAL {
                let cell = geometry::cell(colour, progress);
                let (lead, trail) = (
                    piece(&weights.lead, weights.safe[0], cell, progress),
                    piece(&weights.trail, weights.safe[1], cell, progress),
                );
                let come = if progress == HOME { 2 } else { progress as u32 };
                tables.pieces[colour as usize][cell as usize] = come << 24 | lead << 12 | trail;
                progress += 1;
            }
            colour += 1;
        }
        let mut at = 0;
        while at < 10 {
            tables.hand[at + 1] = weights.hand[at];
            at += 1;
        }
        tables.aimed[Special::BlueShell as usize] = weights.aimed[0];
        tables.aimed[Special::RedShell as usize] = weights.aimed[1];
        tables.aimed[Special::Horn as usize] = weights.aimed[2];
        let mut set = 0;
        while set < 32 {
            let mut die = 0;
            while die < 5 {
                if set >> die & 1 != 0 {
                    tables.dice[set] += weights.dice[die];
                }
                die += 1;
            }
            let over = if set > 15 { set as i16 - 15 } else { 0 };
            tables.bounces[set] = over * weights.bounce;
            set += 1;
        }
        let mut at = 0;
        while at < 5 {
            let [fixed, by_turn] = weights.conditions[at];
            let mut left = 0;
            while left < 16 {
                tables.conditions[left << 3 | (at + 1)] = fixed + by_turn * left as i16;
                left += 1;
            }
            at += 1;
        }
        tables
    }
}

/// The worth of a piece.
const fn piece(knots: &[i16; KNOTS.len()], safe: i16, cell: u8, progress: u8) -> u32 {
    if progress == HOME {
        return 0;
    }
    let mut at = 0;
    while KNOTS[at] < progress {
        at += 1;
    }
    let mut worth = knots[at] as i32;
    if KNOTS[at] > progress {
        let (low, high) = (KNOTS[at - 1] as i32, KNOTS[at] as i32);
        let part = (progress as i32 - low) * (worth - knots[at - 1] as i32);
        worth = knots[at - 1] as i32 + part / (high - low);
    }
    if geometry::is_safe(cell) {
        worth += safe as i32;
    }
    if worth < 0 {
        0
    } else if worth > MOST {
        MOST as u32
    } else {
        worth as u32
    }
}
