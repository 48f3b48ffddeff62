//! Where planets are, and how far apart.

use super::state::MAX_PLANETS;
use crate::games::StateError;

/// Fractional bits of a coordinate.
const FRACTION: u32 = 24;

/// A point on the map in fixed point: 8 bits of whole units, 24 bits behind the point, the map's lower left corner at
/// the origin.
///
/// The contest's engine works in double precision and rounds distances up. The closest that any distance on an official
/// map comes to a whole number is 0.000011; one step here is 0.00000006, so that the whole numbers are the same without
/// any floating point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// To the right.
    pub x: u32,
    /// Upwards.
    pub y: u32,
}

impl Position {
    /// Steps in a unit of the map.
    pub const UNIT: u32 = 1 << FRACTION;

    /// Turns that a fleet needs from here to there: the Euclidean distance, rounded up. `None` above 255.
    ///
    /// ```
    /// use rival_core::games::planet_wars::Position;
    ///
    /// let at = |x, y| Position { x: x * Position::UNIT, y: y * Position::UNIT };
    /// assert_eq!(at(0, 0).distance(at(3, 4)), Some(5), "whole distances stay whole");
    /// assert_eq!(at(0, 0).distance(at(1, 1)), Some(2), "others are rounded up");
    /// ```
    pub fn distance(self, other: Self) -> Option<u8> {
        let square = |a: u32, b: u32| u64::from(a.abs_diff(b)) * u64::from(a.abs_diff(b));
        let squared = square(self.x, other.x).checked_add(square(self.y, other.y))?;
        // ceil(sqrt(s)) is the least n with n * n >= s, and the same n for s rounded up: no fraction of s is needed.
        let (whole, rest) = (squared >> (2 * FRACTION), squared & ((1 << (2 * FRACTION)) - 1));
        let whole = whole as u32 + u32::from(rest != 0);
        let mut root = 0_u32;
        for bit in (0..8).rev() {
            let longer = root | 1 << bit;
            // The greatest root whose square is below `whole`.
            if longer * longer < whole {
                root = longer;
            }
        }
        u8::try_from(root + u32::from(whole > 0)).ok()
    }
}

/// Pairs of planets.
const PAIRS: usize = MAX_PLANETS * (MAX_PLANETS - 1) / 2;

/// Distances between all planets, worked out once: a triangle of bytes, because there and back are equally far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distances([u8; PAIRS]);

impl Default for Distances {
    fn default() -> Self {
        Self::new()
    }
}

impl Distances {
    /// A table without planets.
    pub const fn new() -> Self {
        Self([0; PAIRS])
    }

    /// Works out the distances between `planets` planets.
    pub fn fill(&mut self, planets: usize, position: impl Fn(usize) -> Position) -> Result<(), StateError> {
        if planets > MAX_PLANETS {
            return Err(StateError::Capacity);
        }
        for one in 1..planets {
            for other in 0..one {
                let distance = position(one).distance(position(other)).ok_or(StateError::OutOfRange)?;
                self.0[Self::place(one, other)] = distance;
            }
        }
        Ok(())
    }

    /// Turns between two planets.
    #[inline]
    pub const fn between(&self, from: usize, to: usize) -> u8 {
        match (from % MAX_PLANETS, to % MAX_PLANETS) {
            (from, to) if from > to => self.0[Self::place(from, to)],
            (from, to) if from < to => self.0[Self::place(to, from)],
            _ => 0,
        }
    }

    /// Where the triangle has a pair, the larger number first.
    #[inline]
    const fn place(larger: usize, smaller: usize) -> usize {
        larger * (larger - 1) / 2 + smaller
    }
}
