//! The position.

use core::fmt;

use heapless::Vec;

use crate::games::StateError;

/// Seeds in the game, in pits and stores together.
pub const SEEDS: u8 = 48;
/// Bytes of a state on the line: whose turn, then store and pits 1 to 6 of J1, then of J2.
pub const STATE_BYTES: usize = 15;

/// The two players. J1 starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[repr(u8)]
pub enum Player {
    /// The first player.
    #[default]
    J1 = 0,
    /// The second player.
    J2 = 1,
}

impl Player {
    /// The opponent.
    #[inline]
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::J1 => Self::J2,
            Self::J2 => Self::J1,
        }
    }
}

/// A pit, 1 (next to its owner's store) to 6 (farthest from it).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pit(u8);

impl Pit {
    /// The six pits.
    pub const ALL: [Self; 6] = [Self(1), Self(2), Self(3), Self(4), Self(5), Self(6)];

    /// The pit with this number, if there is one.
    pub const fn new(number: u8) -> Option<Self> {
        match number {
            1..=6 => Some(Self(number)),
            _ => None,
        }
    }

    /// Its number, 1 to 6.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Its place in the order of sowing: 0 for pit 6, 5 for pit 1.
    #[inline]
    pub(super) const fn lane(self) -> usize {
        (6 - self.0) as usize
    }

    #[inline]
    pub(super) const fn from_lane(lane: usize) -> Self {
        Self((6 - lane % 6) as u8)
    }
}

impl fmt::Display for Pit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// One player's half of the board: eight bytes in the order of sowing, so that a sowing is two additions.
///
/// Lanes 0 to 5 are pits 6 to 1, lane 6 is the store, lane 7 is always empty. A lane holds at most 48, so that
/// additions never carry into the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub(super) struct Half(pub(super) [u32; 2]);

/// The lane of the store.
pub(super) const STORE: usize = 6;
/// The pits among the bytes of the second word of a [`Half`].
const PITS_HIGH: u32 = 0x0000_FFFF;

impl Half {
    #[inline]
    pub(super) const fn get(self, lane: usize) -> u8 {
        // A choice, not an index: the words are in registers.
        let word = if lane & 4 == 0 { self.0[0] } else { self.0[1] };
        (word >> ((lane & 3) * 8)) as u8
    }

    #[inline]
    pub(super) const fn with(self, lane: usize, seeds: u8) -> Self {
        let shift = (lane & 3) * 8;
        let [low, high] = self.0;
        if lane & 4 == 0 {
            Self([(low & !(0xFF << shift)) | ((seeds as u32) << shift), high])
        } else {
            Self([low, (high & !(0xFF << shift)) | ((seeds as u32) << shift)])
        }
    }

    #[inline]
    pub(super) const fn plus(self, seeds: Self) -> Self {
        Self([self.0[0].wrapping_add(seeds.0[0]), self.0[1].wrapping_add(seeds.0[1])])
    }

    /// The half with lane 7 empty, and what was there.
    #[inline]
    pub(super) const fn without_lane_7(self) -> (Self, usize) {
        (Self([self.0[0], self.0[1] & 0x00FF_FFFF]), (self.0[1] >> 24) as usize)
    }

    #[inline]
    pub(super) const fn store(self) -> u8 {
        (self.0[1] >> 16) as u8
    }

    #[inline]
    pub(super) const fn row_is_empty(self) -> bool {
        (self.0[0] | (self.0[1] & PITS_HIGH)) == 0
    }

    /// The seeds in the six pits.
    #[inline]
    pub(super) const fn row(self) -> u8 {
        // Multiplying by 0x01010101 adds up four bytes in the highest one; the sum of six pits is at most 48.
        let folded = self.0[0].wrapping_add(self.0[1] & PITS_HIGH);
        (folded.wrapping_mul(0x0101_0101) >> 24) as u8
    }

    #[inline]
    const fn pits(self) -> u64 {
        self.0[0] as u64 | ((self.0[1] & PITS_HIGH) as u64) << 32
    }

    /// The row swept into its owner's store.
    #[inline]
    pub(super) const fn swept(self) -> Self {
        Self([0, (self.store() as u32 + self.row() as u32) << 16])
    }
}

/// Marks on the pits of one half: the high bit of each lane.
#[derive(Clone, Copy)]
pub(super) struct Marks([u32; 2]);

impl Half {
    /// The pits that hold as many seeds as `other` has there. Lanes of both are below 128.
    #[inline]
    pub(super) const fn equal(self, other: Self) -> Marks {
        Half([self.0[0] ^ other.0[0], self.0[1] ^ other.0[1]]).empty()
    }

    #[inline]
    pub(super) const fn occupied(self) -> Marks {
        Marks([self.0[0].wrapping_add(0x7F7F_7F7F) & 0x8080_8080, self.0[1].wrapping_add(0x7F7F_7F7F) & 0x8080])
    }

    #[inline]
    pub(super) const fn empty(self) -> Marks {
        Marks([!self.0[0].wrapping_add(0x7F7F_7F7F) & 0x8080_8080, !self.0[1].wrapping_add(0x7F7F_7F7F) & 0x8080])
    }

    /// The pits whose last seed falls into one of these without going round the board. An empty pit counts as ending
    /// in itself.
    #[inline]
    pub(super) const fn ending_in(self, targets: Lanes) -> Lanes {
        // Lanes beyond the half are no targets, but only five bits of a lane are looked at: those from 32 on are moved
        // out of the targets' way.
        let low = self.0[0].wrapping_add(0x0302_0100);
        let high = self.0[1].wrapping_add(0x0504);
        let low = low | low >> 2 & 0x0808_0808;
        let high = high | high >> 2 & 0x0808;
        let targets = targets.0 as u32;
        let first = targets >> (low & 31) & 1 | (targets >> (low >> 8 & 31) & 1) << 1;
        let second = (targets >> (low >> 16 & 31) & 1) << 2 | (targets >> (low >> 24 & 31) & 1) << 3;
        let third = (targets >> (high & 31) & 1) << 4 | (targets >> (high >> 8 & 31) & 1) << 5;
        Lanes((first | second | third) as u8)
    }
}

impl Marks {
    /// The marked lanes as a set.
    #[inline]
    pub(super) const fn lanes(self) -> Lanes {
        // The two marks of the second word fit between the four of the first. The product has a copy of the six at each
        // of four distances, no two marks meet, and in the highest six bits there is one of each.
        let marks = self.0[0] >> 7 | self.0[1] >> 3;
        Lanes((marks.wrapping_mul(1 << 26 | 1 << 19 | 1 << 12 | 1 << 5) >> 26) as u8)
    }
}

/// A set of pits of one half, a bit for each lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lanes(u8);

impl Lanes {
    pub(super) const NONE: Self = Self(0);

    #[inline]
    pub(super) const fn of(lane: usize) -> Self {
        Self(1 << (lane & 7))
    }

    #[inline]
    pub(super) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline]
    pub(super) const fn among(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    #[inline]
    pub(super) const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// For each pit the one that faces it.
    #[inline]
    pub(super) const fn facing(self) -> Self {
        Self(self.0.reverse_bits() >> (8 - STORE))
    }

    /// Removes the lane nearest to the store.
    #[inline]
    pub(super) const fn take_highest(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let lane = (self.0 as u32).ilog2();
        self.0 ^= 1 << lane;
        Some(lane as usize)
    }
}

/// A position, kept from the view of the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct State {
    pub(super) own: Half,
    pub(super) facing: Half,
    pub(super) turn: Player,
}

impl State {
    /// Four seeds in every pit, J1 to move.
    pub const fn start() -> Self {
        let half = Half([0x0404_0404, 0x0000_0404]);
        Self { own: half, facing: half, turn: Player::J1 }
    }

    /// A position from the numbers that people write: for each player the store, then pits 1 to 6.
    pub fn new(turn: Player, board: [[u8; 7]; 2]) -> Result<Self, StateError> {
        if board.iter().flatten().any(|&seeds| seeds > SEEDS) {
            return Err(StateError::OutOfRange);
        }
        let total: u32 = board.iter().flatten().map(|&seeds| u32::from(seeds)).sum();
        if total != u32::from(SEEDS) {
            return Err(StateError::Inconsistent);
        }
        let half = |side: [u8; 7]| {
            let [store, one, two, three, four, five, six] = side;
            Half([u32::from_le_bytes([six, five, four, three]), u32::from_le_bytes([two, one, store, 0])])
        };
        let [first, second] = board.map(half);
        let (own, facing) = if turn == Player::J1 { (first, second) } else { (second, first) };
        Ok(Self { own, facing, turn })
    }

    /// The numbers that people write; see [`State::new`].
    pub fn board(&self) -> [[u8; 7]; 2] {
        [Player::J1, Player::J2].map(|player| {
            let mut side = [self.store(player); 7];
            for pit in Pit::ALL {
                side[usize::from(pit.number())] = self.seeds(player, pit);
            }
            side
        })
    }

    /// Whose turn it is.
    #[inline]
    pub const fn turn(&self) -> Player {
        self.turn
    }

    #[inline]
    fn half(&self, player: Player) -> Half {
        if player == self.turn { self.own } else { self.facing }
    }

    /// Seeds in a player's store.
    #[inline]
    pub fn store(&self, player: Player) -> u8 {
        self.half(player).store()
    }

    /// The six pits of the player to move, then those of the other, a byte a pit in the order of sowing: pit 6 is the
    /// lowest byte.
    #[inline]
    pub const fn pits(&self) -> [u64; 2] {
        [self.own.pits(), self.facing.pits()]
    }

    /// Seeds in all pits.
    #[inline]
    pub const fn in_play(&self) -> u8 {
        SEEDS - self.own.store() - self.facing.store()
    }

    /// Seeds in a pit.
    #[inline]
    pub fn seeds(&self, player: Player, pit: Pit) -> u8 {
        self.half(player).get(pit.lane())
    }

    /// Whether all pits are empty, so that the stores are the result.
    #[inline]
    pub const fn is_over(&self) -> bool {
        // Every seed is in a store: less to look at than twelve pits.
        self.in_play() == 0
    }

    /// J1's store less J2's: the result, once the game is over.
    pub fn margin(&self) -> i8 {
        self.store(Player::J1) as i8 - self.store(Player::J2) as i8
    }

    /// The bytes for the line.
    pub fn encode(&self) -> Vec<u8, STATE_BYTES> {
        let mut bytes = Vec::new();
        let numbers = core::iter::once(self.turn as u8).chain(self.board().into_iter().flatten());
        bytes.extend(numbers);
        bytes
    }

    /// A position from the line: anything that is not one is refused.
    pub fn decode(bytes: &[u8]) -> Result<Self, StateError> {
        let &[turn, ref seeds @ ..] = bytes else { return Err(StateError::Malformed) };
        let seeds: &[u8; STATE_BYTES - 1] = seeds.try_into().map_err(|_| StateError::Malformed)?;
        let turn = match turn {
            0 => Player::J1,
            1 => Player::J2,
            _ => return Err(StateError::OutOfRange),
        };
        let mut board = [[0; 7]; 2];
        board[0].copy_from_slice(&seeds[..7]);
        board[1].copy_from_slice(&seeds[7..]);
        Self::new(turn, board)
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] = self.board();
        write!(f, "{:?} to move, J1 {first:?}, J2 {second:?}", self.turn)
    }
}

/// The board as text: J2's row on top, both rows drawn so that seeds are sown counter-clockwise.
impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "  pit      1  2  3  4  5  6")?;
        write!(f, "  J2  {:>2} [", self.store(Player::J2))?;
        for pit in Pit::ALL {
            write!(f, " {:>2}", self.seeds(Player::J2, pit))?;
        }
        write!(f, " ]\n  J1     [")?;
        for pit in Pit::ALL.into_iter().rev() {
            write!(f, " {:>2}", self.seeds(Player::J1, pit))?;
        }
        writeln!(f, " ] {:<2}", self.store(Player::J1))?;
        write!(f, "  pit      6  5  4  3  2  1")
    }
}
