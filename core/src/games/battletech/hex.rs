//! Hexes and facings.

use core::fmt;

use serde::{Deserialize, Serialize};

/// One of the six sides of a hex, clockwise from north.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Facing(u8);

impl Facing {
    /// North.
    pub const NORTH: Self = Self(0);
    /// All six, clockwise from north.
    pub const ALL: [Self; 6] = [Self(0), Self(1), Self(2), Self(3), Self(4), Self(5)];

    /// The facing with this number, 1 (north) to 6 (north-west).
    pub const fn new(number: u8) -> Option<Self> {
        match number {
            1..=6 => Some(Self(number - 1)),
            _ => None,
        }
    }

    /// The facing `sides` clockwise of north.
    #[inline]
    pub const fn from_index(sides: u8) -> Self {
        Self(sides % 6)
    }

    /// Sides clockwise of north, 0 to 5.
    #[inline]
    pub const fn index(self) -> u8 {
        self.0
    }

    /// Its number, 1 to 6.
    pub const fn number(self) -> u8 {
        self.0 + 1
    }

    /// Turned clockwise by so many sides.
    #[inline]
    #[must_use]
    pub const fn turned(self, sides: u8) -> Self {
        let sum = self.0 + sides % 6;
        Self(if sum >= 6 { sum - 6 } else { sum })
    }

    /// The other way.
    #[inline]
    #[must_use]
    pub const fn opposite(self) -> Self {
        self.turned(3)
    }

    /// How many sides clockwise it is from here to `other`, 0 to 5.
    #[inline]
    pub const fn sides_to(self, other: Self) -> u8 {
        (other.0 + 6 - self.0) % 6
    }

    /// Fewest turns from here to `other`, 0 to 3.
    pub const fn turns_to(self, other: Self) -> u8 {
        let sides = self.sides_to(other);
        if sides > 3 { 6 - sides } else { sides }
    }
}

impl TryFrom<u8> for Facing {
    type Error = &'static str;

    fn try_from(index: u8) -> Result<Self, Self::Error> {
        if index < 6 { Ok(Self(index)) } else { Err("a facing is 0 to 5") }
    }
}

impl From<Facing> for u8 {
    fn from(facing: Facing) -> Self {
        facing.0
    }
}

impl fmt::Display for Facing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(["N", "NE", "SE", "S", "SW", "NW"][usize::from(self.0 % 6)])
    }
}

/// A hex by column and row from zero. Odd columns are drawn half a hex lower.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub struct Hex {
    /// Column, from the left.
    pub col: u8,
    /// Row, from the top.
    pub row: u8,
}

/// A hex, or the way from one to another, in cube coordinates: three numbers that add up to zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cube {
    /// East.
    pub x: i16,
    /// North-west.
    pub y: i16,
    /// South-west.
    pub z: i16,
}

impl Cube {
    /// The same way, turned counter-clockwise so that `facing` becomes north.
    #[inline]
    #[must_use]
    pub const fn seen_facing(self, facing: Facing) -> Self {
        let Self { x, y, z } = self;
        match facing.index() {
            0 => self,
            1 => Self { x: -y, y: -z, z: -x },
            2 => Self { x: z, y: x, z: y },
            3 => Self { x: -x, y: -y, z: -z },
            4 => Self { x: y, y: z, z: x },
            _ => Self { x: -z, y: -x, z: -y },
        }
    }

    /// How many steps it is long.
    #[inline]
    pub const fn length(self) -> u8 {
        let (x, y, z) = (self.x.unsigned_abs(), self.y.unsigned_abs(), self.z.unsigned_abs());
        let longest = if x > y { x } else { y };
        (if longest > z { longest } else { z }) as u8
    }
}

impl Hex {
    /// The hex in this column and row, both from zero.
    pub const fn new(col: u8, row: u8) -> Self {
        Self { col, row }
    }

    /// The hex called `CCRR`, column and row from one.
    pub const fn from_id(id: u16) -> Option<Self> {
        let (col, row) = (id / 100, id % 100);
        if col == 0 || row == 0 || col > 99 { None } else { Some(Self { col: (col - 1) as u8, row: (row - 1) as u8 }) }
    }

    /// Its name `CCRR` as a number.
    pub const fn id(self) -> u16 {
        (self.col as u16 + 1) * 100 + self.row as u16 + 1
    }

    /// Its cube coordinates.
    #[inline]
    pub const fn cube(self) -> Cube {
        let q = self.col as i16;
        let z = self.row as i16 - (q - (q & 1)) / 2;
        Cube { x: q, y: -q - z, z }
    }

    /// The way from here to `other`.
    #[inline]
    pub const fn way_to(self, other: Self) -> Cube {
        let (a, b) = (self.cube(), other.cube());
        Cube { x: b.x - a.x, y: b.y - a.y, z: b.z - a.z }
    }

    /// Steps from here to `other`.
    #[inline]
    pub const fn distance(self, other: Self) -> u8 {
        self.way_to(other).length()
    }

    /// The hex next to this one; `None` above the first row and left of the first column.
    #[inline]
    pub const fn neighbour(self, side: Facing) -> Option<Self> {
        let low = self.col & 1; // 1 in the columns that are half a hex lower
        let (dc, dr): (i16, i16) = match side.index() {
            0 => (0, -1),
            1 => (1, low as i16 - 1),
            2 => (1, low as i16),
            3 => (0, 1),
            4 => (-1, low as i16),
            _ => (-1, low as i16 - 1),
        };
        let (col, row) = (self.col as i16 + dc, self.row as i16 + dr);
        if col < 0 || row < 0 || col > 254 || row > 254 { None } else { Some(Self { col: col as u8, row: row as u8 }) }
    }

    /// The side on which `other` lies, if the two touch.
    pub fn side_of(self, other: Self) -> Option<Facing> {
        Facing::ALL.into_iter().find(|&side| self.neighbour(side) == Some(other))
    }

    /// The side of the first step of a shortest way to `other`, the lowest where there are two; `None` if it is the same.
    pub fn side_towards(self, other: Self) -> Option<Facing> {
        let distance = self.distance(other);
        if distance == 0 {
            return None;
        }
        Facing::ALL.into_iter().find(|&side| self.neighbour(side).is_some_and(|hex| hex.distance(other) < distance))
    }
}

impl fmt::Display for Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}", self.id())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_goes_where_the_cube_says() {
        let steps = [(0, 1, -1), (1, 0, -1), (1, -1, 0), (0, -1, 1), (-1, 0, 1), (-1, 1, 0)];
        for start in [Hex::new(4, 4), Hex::new(5, 4)] {
            for (side, (x, y, z)) in Facing::ALL.into_iter().zip(steps) {
                let way = start.way_to(start.neighbour(side).unwrap());
                assert_eq!(way, Cube { x, y, z });
                assert_eq!(way.seen_facing(side), Cube { x: 0, y: 1, z: -1 }, "every side is north to who faces it");
                assert_eq!(start.side_of(start.neighbour(side).unwrap()), Some(side));
            }
        }
    }

    #[test]
    fn facings_turn_round() {
        for a in Facing::ALL {
            for b in Facing::ALL {
                assert_eq!(a.turned(a.sides_to(b)), b);
            }
            assert_eq!(a.turns_to(a.opposite()), 3);
        }
    }
}
