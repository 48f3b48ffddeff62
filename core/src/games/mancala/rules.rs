//! What a move does.

use super::state::{Half, Pit, SEEDS, STORE, State};

/// What sowing a pit adds to either half. The emptied pit's seeds are taken off in the same addition; the unused lane 7
/// of `own` says in which place of the cycle the last seed falls: 0 to 5 own pits, 6 own store, 7 to 12 beyond.
#[derive(Clone, Copy)]
struct Sowing {
    own: Half,
    facing: Half,
}

/// Own six pits, own store, the other's six pits.
const CYCLE: usize = 13;
/// By the pit's lane and its seeds. Powers of two in either dimension, so that a mask is all the check an index needs.
static SOWINGS: [[Sowing; 64]; 8] = sowings();

const fn sowings() -> [[Sowing; 64]; 8] {
    let nothing = Sowing { own: Half([0; 2]), facing: Half([0; 2]) };
    let mut table = [[nothing; 64]; 8];
    let mut lane = 0;
    while lane < 6 {
        let mut sown = nothing;
        let mut seeds = 1;
        while seeds <= SEEDS as usize {
            let place = last_place(lane, seeds as u8);
            if place <= STORE {
                sown.own = sown.own.with(place, sown.own.get(place) + 1);
            } else {
                let lane = place - STORE - 1;
                sown.facing = sown.facing.with(lane, sown.facing.get(lane) + 1);
            }
            let mut own = sown.own.with(7, place as u8).0;
            own[lane / 4] = own[lane / 4].wrapping_sub((seeds as u32) << (lane % 4 * 8));
            table[lane][seeds] = Sowing { own: Half(own), facing: sown.facing };
            seeds += 1;
        }
        lane += 1;
    }
    table
}

/// The place in the cycle where the last of `seeds` from `lane` falls.
pub(super) const fn last_place(lane: usize, seeds: u8) -> usize {
    (lane + seeds as usize) % CYCLE
}

impl State {
    /// The pits that the player to move may choose; none when the game is over.
    pub fn legal(&self) -> impl Iterator<Item = Pit> {
        let own = self.own;
        Pit::ALL.into_iter().filter(move |pit| own.get(pit.lane()) > 0)
    }

    /// Whether the player to move may choose this pit.
    pub fn is_legal(&self, pit: Pit) -> bool {
        self.own.get(pit.lane()) > 0
    }

    /// The position after a move.
    ///
    /// An empty pit loses the whole game at once, 48 to 0: the original program's rule for an illegal choice.
    #[must_use]
    pub fn play(&self, pit: Pit) -> Self {
        if self.is_legal(pit) { self.sow(pit.lane()) } else { self.forfeit() }
    }

    /// All seeds to the opponent, who would move next.
    #[must_use]
    pub fn forfeit(&self) -> Self {
        let empty = Half([0; 2]);
        Self { own: empty.with(STORE, SEEDS), facing: empty, turn: self.turn.other() }
    }

    /// The position after sowing a pit that is not empty. Always inlined: the search keeps the result in registers.
    #[inline(always)]
    pub(super) fn sow(&self, lane: usize) -> Self {
        let seeds = usize::from(self.own.get(lane));
        let sown = &SOWINGS[lane & 7][seeds & 63];
        let (mut own, last) = self.own.plus(sown.own).without_lane_7();
        let mut facing = self.facing.plus(sown.facing);
        // Capture: the last seed is alone in an own pit and the pit that faces it is not empty.
        if last < STORE && own.get(last) == 1 {
            let across = STORE - 1 - last;
            let taken = facing.get(across);
            if taken > 0 {
                own = own.with(last, 0).plus(Half([0, (u32::from(taken) + 1) << 16]));
                facing = facing.with(across, 0);
            }
        }
        // Either row empty, whoever is to move: everyone keeps what lies on the own side.
        if own.row_is_empty() || facing.row_is_empty() {
            own = own.swept();
            facing = facing.swept();
        }
        if last == STORE {
            Self { own, facing, turn: self.turn }
        } else {
            Self { own: facing, facing: own, turn: self.turn.other() }
        }
    }

    /// Leaves at exactly `depth` moves from here: the fingerprint of a move generator.
    ///
    /// ```
    /// use rival_core::games::mancala::State;
    /// assert_eq!(State::start().perft(4), 942);
    /// ```
    pub fn perft(&self, depth: u8) -> u64 {
        // One position and the next lane to try for every ply: an explicit stack instead of a recursion.
        const DEEPEST: usize = 32;
        let mut stack = [(*self, 0_usize); DEEPEST];
        let depth = usize::from(depth).min(DEEPEST - 1);
        let (mut ply, mut leaves) = (0, 0);
        loop {
            let (state, lane) = stack[ply];
            if ply == depth || lane == 6 {
                leaves += u64::from(ply == depth);
                if ply == 0 {
                    return leaves;
                }
                ply -= 1;
                continue;
            }
            stack[ply].1 += 1;
            if state.own.get(lane) > 0 {
                ply += 1;
                stack[ply] = (state.sow(lane), 0);
            }
        }
    }
}
