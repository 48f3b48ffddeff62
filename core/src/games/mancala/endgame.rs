//! Every position with few seeds left in the pits, with its exact result.
//!
//! What the seeds in the pits will come to does not depend on those in the stores. So a position is its twelve pits, and
//! twelve numbers have a rank: with `s(k)` the sum of the first `k` of them, it is the sum of all `C(s(k) + k - 1, k)`.
//! Ranks have no gaps, and fewer seeds have smaller ranks than more.

use super::state::{Half, Player, SEEDS, State};

/// Most seeds in the pits that the table in the image knows.
pub const TABLE_SEEDS: u8 = 8;
/// Positions in it.
pub const TABLE_POSITIONS: usize = 125_970;
/// Bytes before the first position: a line of text that says what the file is and how it is made.
pub const HEADER: usize = 64;

/// Two positions a byte, the one with the even rank in the low half: what the player to move wins of the seeds in the
/// pits.
static TABLE: &[u8; HEADER + TABLE_POSITIONS.div_ceil(2)] = include_bytes!("../../../tables/mancala/endgame.bin");
static RANKING: Ranking<16> = Ranking::new();

/// What the player to move wins of the seeds in the pits, best play on both sides. For positions that are not over and
/// have at most [`TABLE_SEEDS`] in the pits.
#[inline]
pub(super) fn share(state: &State) -> u8 {
    let rank = RANKING.rank(state) as usize;
    let pair = TABLE.get(HEADER + rank / 2).copied().unwrap_or(0);
    (pair >> (rank % 2 * 4)) & 15
}

/// Pits of both players.
const PITS: usize = 12;
/// Multiplied by this, each byte of a word becomes the sum of itself and those below it.
const SUMS: u32 = 0x0101_0101;

/// The binomials that a rank is the sum of. `COLUMNS` is a power of two above the largest number of seeds.
pub struct Ranking<const COLUMNS: usize> {
    terms: [[u32; COLUMNS]; PITS],
}

impl<const COLUMNS: usize> Default for Ranking<COLUMNS> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const COLUMNS: usize> Ranking<COLUMNS> {
    /// The table of binomials.
    pub const fn new() -> Self {
        const { assert!(COLUMNS.is_power_of_two() && COLUMNS <= 32, "more seeds do not fit 32 bits") };
        let mut terms = [[0; COLUMNS]; PITS];
        let mut sum = 1;
        while sum < COLUMNS {
            // C(sum, 1), and C(n + 1, k + 1) = C(n, k) (n + 1) / (k + 1).
            let mut term = sum as u64;
            let mut pit = 0;
            while pit < PITS {
                terms[pit][sum] = term as u32;
                term = term * (sum + pit + 1) as u64 / (pit + 2) as u64;
                pit += 1;
            }
            sum += 1;
        }
        Self { terms }
    }

    /// The rank of a position by its pits. Positions with `COLUMNS` seeds or more in them have none.
    #[inline]
    pub fn rank(&self, state: &State) -> u32 {
        let ([a, b], [c, d]) = (state.own.0, state.facing.0);
        let first = a.wrapping_mul(SUMS);
        let second = (b & 0xFFFF).wrapping_add(first >> 24).wrapping_mul(SUMS);
        let third = c.wrapping_add((second >> 8) & 0xFF).wrapping_mul(SUMS);
        let fourth = (d & 0xFFFF).wrapping_add(third >> 24).wrapping_mul(SUMS);
        let term = |pit: usize, sums: u32, byte: u32| self.terms[pit][(sums >> (8 * byte)) as usize & (COLUMNS - 1)];
        term(0, first, 0)
            + term(1, first, 1)
            + term(2, first, 2)
            + term(3, first, 3)
            + term(4, second, 0)
            + term(5, second, 1)
            + term(6, third, 0)
            + term(7, third, 1)
            + term(8, third, 2)
            + term(9, third, 3)
            + term(10, fourth, 0)
            + term(11, fourth, 1)
    }

    /// The position of a rank, J1 to move, all other seeds in J2's store. `None` if it has `COLUMNS` seeds or more.
    pub fn position(&self, rank: u32) -> Option<State> {
        let mut rest = rank;
        let mut above = COLUMNS - 1;
        let mut halves = [Half::default(); 2];
        let mut seeds = 0;
        for pit in (0..PITS).rev() {
            // The largest sum whose term is not more than what is left.
            let sum = (0..=above).rev().find(|&sum| self.terms[pit][sum] <= rest).unwrap_or(0);
            if pit + 1 == PITS {
                seeds = sum;
            } else {
                let half = &mut halves[(pit + 1) / 6];
                *half = half.with((pit + 1) % 6, (above - sum) as u8);
            }
            rest -= self.terms[pit][sum];
            above = sum;
        }
        halves[0] = halves[0].with(0, above as u8);
        let [own, facing] = halves;
        let facing = facing.with(super::state::STORE, SEEDS - seeds as u8);
        (rest == 0).then_some(State { own, facing, turn: Player::J1 })
    }

    /// Positions with at most so many seeds in the pits.
    pub fn positions(&self, seeds: u8) -> Option<u32> {
        // The first one with more seeds has all of them in the last pit.
        self.terms[PITS - 1].get(usize::from(seeds) + 1).copied()
    }
}
