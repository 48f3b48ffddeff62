//! The ground: what a hex holds, and what a step over it costs.

use super::hex::{Facing, Hex};
use super::profile::Profile;
use crate::games::StateError;

/// Most columns of a map.
pub const MAX_COLS: usize = 32;
/// Most rows of a map.
pub const MAX_ROWS: usize = 34;
/// Most hexes of a map; the largest of the original simulator has 900.
pub const MAX_HEXES: usize = MAX_COLS * MAX_ROWS;
/// Bytes of a map's head on the line: rows, columns, and two that are zero.
pub const MAP_HEAD: usize = 4;

/// What the ground is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Terrain {
    /// Open ground.
    #[default]
    Open,
    /// Paved.
    Paved,
    /// Water; its depth is how far the level lies below zero.
    Water,
    /// Swamp.
    Swamp,
}

/// What stands on the ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Object {
    /// Rubble or rough ground.
    Rubble,
    /// Light woods.
    LightWoods,
    /// Heavy woods.
    HeavyWoods,
    /// A building of class 0 (light), 1 (medium), 2 (heavy), 3 (hardened) or 4 (bunker).
    Building(u8),
    /// Nothing.
    #[default]
    None,
}

impl Object {
    /// Its number in the simulator's files; 255 for nothing.
    pub const fn code(self) -> u8 {
        match self {
            Self::Rubble => 0,
            Self::LightWoods => 1,
            Self::HeavyWoods => 2,
            Self::Building(class) => 3 + class,
            Self::None => 255,
        }
    }

    /// The object with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        match code {
            0 => Some(Self::Rubble),
            1 => Some(Self::LightWoods),
            2 => Some(Self::HeavyWoods),
            3..=7 => Some(Self::Building(code - 3)),
            255 => Some(Self::None),
            _ => None,
        }
    }

    /// Construction factor of a building of this kind when it is whole.
    pub const fn full_factor(self) -> u8 {
        match self {
            Self::Building(0) => 15,
            Self::Building(1) => 40,
            Self::Building(2) => 90,
            Self::Building(_) => 120,
            _ => 0,
        }
    }
}

/// One hex of ground in four bytes: level, terrain, object, collapsed, fire, smoke, river sides, road sides, a club.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Tile(u32);

const COLLAPSED: u32 = 1 << 14;
const FIRE: u32 = 1 << 15;
const SMOKE: u32 = 1 << 16;
const RIVER: u32 = 17;
const ROAD: u32 = 23;
const CLUB: u32 = 1 << 29;
const NOTHING: u32 = 15;

impl Tile {
    /// Plain ground of this level.
    pub const fn new(level: i8, terrain: Terrain, object: Object) -> Self {
        let object = match object {
            Object::None => NOTHING,
            object => object.code() as u32,
        };
        Self(level as u8 as u32 | (terrain as u32) << 8 | object << 10)
    }

    /// Sets river and road sides, bit `i` for the side of index `i`.
    #[must_use]
    pub const fn with_sides(self, river: u8, road: u8) -> Self {
        let kept = self.0 & !(0x3F << RIVER) & !(0x3F << ROAD);
        Self(kept | ((river & 0x3F) as u32) << RIVER | ((road & 0x3F) as u32) << ROAD)
    }

    /// Sets what may change during a game.
    #[must_use]
    #[expect(clippy::fn_params_excessive_bools, reason = "four flags of a tile")]
    pub const fn with_condition(self, collapsed: bool, fire: bool, smoke: bool, club: bool) -> Self {
        let kept = self.0 & !(COLLAPSED | FIRE | SMOKE | CLUB);
        let set = (collapsed as u32 * COLLAPSED) | (fire as u32 * FIRE) | (smoke as u32 * SMOKE) | (club as u32 * CLUB);
        Self(kept | set)
    }

    /// The same ground with something else standing on it, not collapsed.
    #[must_use]
    pub const fn with_object(self, object: Object) -> Self {
        let object = Self::new(0, Terrain::Open, object).0 & (NOTHING << 10);
        Self(self.0 & !(NOTHING << 10) & !COLLAPSED | object)
    }

    /// The same ground with its building fallen to level 0.
    #[must_use]
    pub const fn fallen(self) -> Self {
        Self(self.0 & !0xFF | COLLAPSED)
    }

    /// The same ground, burning or not.
    #[must_use]
    pub const fn with_fire(self, burns: bool) -> Self {
        Self(self.0 & !FIRE | (burns as u32 * FIRE))
    }

    /// The same ground, under smoke or not.
    #[must_use]
    pub const fn with_smoke(self, smokes: bool) -> Self {
        Self(self.0 & !SMOKE | (smokes as u32 * SMOKE))
    }

    /// Whether it can burn: woods, or a building that stands.
    pub const fn burns(self) -> bool {
        self.woods() > 0 || matches!(self.object(), Object::Building(_)) && !self.collapsed()
    }

    /// The four bytes as a number.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The tile with these bits; any bits are one.
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    /// Height above the plain, negative in water and pits.
    #[inline]
    pub const fn level(self) -> i8 {
        self.0 as u8 as i8
    }

    /// What the ground is made of.
    #[inline]
    pub const fn terrain(self) -> Terrain {
        match self.0 >> 8 & 3 {
            0 => Terrain::Open,
            1 => Terrain::Paved,
            2 => Terrain::Water,
            _ => Terrain::Swamp,
        }
    }

    /// What stands on it.
    #[inline]
    pub const fn object(self) -> Object {
        match self.0 >> 10 & 15 {
            0 => Object::Rubble,
            1 => Object::LightWoods,
            2 => Object::HeavyWoods,
            class @ 3..=7 => Object::Building(class as u8 - 3),
            _ => Object::None,
        }
    }

    /// Whether its building has collapsed.
    pub const fn collapsed(self) -> bool {
        self.0 & COLLAPSED != 0
    }

    /// Whether it burns.
    pub const fn fire(self) -> bool {
        self.0 & FIRE != 0
    }

    /// Whether smoke hangs over it.
    #[inline]
    pub const fn smoke(self) -> bool {
        self.0 & SMOKE != 0
    }

    /// Whether a club lies there.
    pub const fn club(self) -> bool {
        self.0 & CLUB != 0
    }

    /// River sides.
    pub const fn rivers(self) -> u8 {
        (self.0 >> RIVER & 0x3F) as u8
    }

    /// Road sides.
    #[inline]
    pub const fn roads(self) -> u8 {
        (self.0 >> ROAD & 0x3F) as u8
    }

    /// Whether a river runs through it, bridge or not.
    #[inline]
    pub const fn river(self) -> bool {
        self.rivers() != 0
    }

    /// Whether a river runs through it and no road bridges it: the hex then acts one level lower.
    #[inline]
    pub const fn open_river(self) -> bool {
        self.river() && self.roads() == 0
    }

    /// The level on which a mech's feet are.
    #[inline]
    pub const fn footing(self) -> i8 {
        self.level().saturating_sub(self.open_river() as i8)
    }

    /// Woods points: 1 light, 2 heavy.
    #[inline]
    pub const fn woods(self) -> u8 {
        match self.object() {
            Object::LightWoods => 1,
            Object::HeavyWoods => 2,
            _ => 0,
        }
    }

    /// What woods or smoke add to a to-hit number or take from sight: smoke counts as heavy woods.
    #[inline]
    pub const fn veil(self) -> u8 {
        let woods = self.woods();
        if self.smoke() && woods < 2 { 2 } else { woods }
    }

    /// How far under water a mech's legs are here: 0 on dry ground.
    pub const fn depth(self) -> u8 {
        let river = self.open_river() as i8;
        if matches!(self.terrain(), Terrain::Water) && self.level() <= 0 {
            self.level().unsigned_abs() + river as u8
        } else {
            river as u8
        }
    }

    /// Rubble, or what a collapsed building leaves.
    #[inline]
    pub const fn rough(self) -> bool {
        matches!(self.object(), Object::Rubble) || self.collapsed()
    }
}

/// A map somebody else keeps: hexes column by column.
#[derive(Clone, Copy, Debug)]
pub struct Map<'a> {
    rows: u8,
    cols: u8,
    tiles: &'a [u32],
}

/// A step of a walking or running mech.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Go {
    /// Into the hex it faces.
    Forward,
    /// Into the hex behind, facing kept.
    Backward,
}

impl<'a> Map<'a> {
    /// A map of these tiles, given as bits.
    pub fn new(rows: u8, cols: u8, tiles: &'a [u32]) -> Result<Self, StateError> {
        if rows == 0 || cols == 0 {
            return Err(StateError::OutOfRange);
        }
        if usize::from(rows) > MAX_ROWS || usize::from(cols) > MAX_COLS {
            return Err(StateError::Capacity);
        }
        if tiles.len() < usize::from(rows) * usize::from(cols) {
            return Err(StateError::Malformed);
        }
        Ok(Self { rows, cols, tiles })
    }

    /// Rows.
    pub const fn rows(&self) -> u8 {
        self.rows
    }

    /// Columns.
    pub const fn cols(&self) -> u8 {
        self.cols
    }

    /// How many hexes.
    pub const fn len(&self) -> usize {
        self.rows as usize * self.cols as usize
    }

    /// Never: a map has at least one hex.
    pub const fn is_empty(&self) -> bool {
        false
    }

    /// Whether the hex is on the map.
    #[inline]
    pub const fn holds(&self, hex: Hex) -> bool {
        hex.col < self.cols && hex.row < self.rows
    }

    /// The hex's place in arrays over the map.
    #[inline]
    pub const fn index(&self, hex: Hex) -> usize {
        hex.col as usize * self.rows as usize + hex.row as usize
    }

    /// The hex in that place.
    #[inline]
    pub const fn hex(&self, index: usize) -> Hex {
        let rows = self.rows as usize;
        Hex { col: (index / rows) as u8, row: (index % rows) as u8 }
    }

    /// All hexes, column by column.
    pub fn hexes(&self) -> impl Iterator<Item = Hex> + use<> {
        let rows = self.rows;
        (0..self.cols).flat_map(move |col| (0..rows).map(move |row| Hex { col, row }))
    }

    /// The ground of a hex; open ground outside the map.
    #[inline]
    pub fn tile(&self, hex: Hex) -> Tile {
        Tile(self.tiles.get(self.index(hex)).copied().unwrap_or(NOTHING << 10))
    }

    /// The hex next to this one, if it is on the map.
    #[inline]
    pub fn neighbour(&self, hex: Hex, side: Facing) -> Option<Hex> {
        hex.neighbour(side).filter(|&next| self.holds(next))
    }

    /// The hex that a step enters, if it is on the map.
    #[inline]
    pub fn ahead(&self, hex: Hex, facing: Facing, go: Go) -> Option<Hex> {
        self.neighbour(hex, if go == Go::Forward { facing } else { facing.opposite() })
    }

    /// Whether a road leads from one hex to its neighbour on that side.
    #[inline]
    pub fn road_link(&self, from: Hex, to: Hex, side: Facing) -> bool {
        self.tile(from).roads() >> side.index() & 1 != 0 && self.tile(to).roads() >> side.opposite().index() & 1 != 0
    }

    /// Movement points of the step from `from` into its neighbour `to`; `None` if it is forbidden.
    pub fn step_cost(
        &self,
        profile: &Profile,
        from: Hex,
        to: Hex,
        facing: Facing,
        go: Go,
        running: bool,
    ) -> Option<u8> {
        let (here, there) = (self.tile(from), self.tile(to));
        if running && go == Go::Backward {
            return None;
        }
        let side = if go == Go::Forward || profile.road_by_facing { facing } else { facing.opposite() };
        let road = self.road_link(from, to, side);
        let rise = here.level().abs_diff(there.level());
        if !road && (rise >= 3 || rise > 0 && go == Go::Backward) {
            return None;
        }
        let wet = there.terrain() == Terrain::Water || there.river();
        let base = if there.terrain() == Terrain::Paved || road || there.terrain() == Terrain::Open && !there.river() {
            1
        } else if wet && there.level() <= 0 {
            if running && (there.level() < 0 || there.river()) {
                return None;
            }
            match there.level().unsigned_abs() + u8::from(there.river()) {
                0 => 1,
                1 => 2,
                _ => 4,
            }
        } else if there.river() {
            if running {
                return None;
            }
            2
        } else if there.terrain() == Terrain::Water {
            u8::from(!profile.hill_water_free)
        } else {
            2 // swamp
        };
        if road {
            return Some(base);
        }
        let object = match there.object() {
            _ if there.collapsed() => 1,
            Object::Rubble | Object::LightWoods => 1,
            Object::HeavyWoods => 2,
            _ => 0,
        };
        Some(base + rise + object)
    }
}

/// Reads a map's bytes from the line into words: head, then four bytes a hex, little endian. Gives rows and columns.
pub fn decode_map(bytes: &[u8], tiles: &mut [u32]) -> Result<(u8, u8), StateError> {
    let (head, body) = bytes.split_at_checked(MAP_HEAD).ok_or(StateError::Malformed)?;
    let (rows, cols) = (head[0], head[1]);
    let hexes = usize::from(rows) * usize::from(cols);
    if usize::from(rows) > MAX_ROWS || usize::from(cols) > MAX_COLS || hexes > tiles.len() {
        return Err(StateError::Capacity);
    }
    if hexes == 0 || body.len() != 4 * hexes || head[2] != 0 || head[3] != 0 {
        return Err(StateError::Malformed);
    }
    for (tile, bytes) in tiles.iter_mut().zip(body.chunks_exact(4)) {
        *tile = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    }
    Ok((rows, cols))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two(here: Tile, there: Tile) -> [u32; 2] {
        [here.bits(), there.bits()]
    }

    fn cost(tiles: [u32; 2], profile: &Profile, running: bool) -> Option<u8> {
        let map = Map::new(2, 1, &tiles).unwrap();
        map.step_cost(profile, Hex::new(0, 0), Hex::new(0, 1), Facing::new(4).unwrap(), Go::Forward, running)
    }

    #[test]
    fn steps_cost_what_the_table_says() {
        let plain = Tile::new(0, Terrain::Open, Object::None);
        let ugr = &Profile::UGR;
        for (there, walk, run) in [
            (plain, Some(1), Some(1)),
            (Tile::new(1, Terrain::Open, Object::LightWoods), Some(3), Some(3)),
            (Tile::new(2, Terrain::Open, Object::HeavyWoods), Some(5), Some(5)),
            (Tile::new(3, Terrain::Open, Object::None), None, None),
            (Tile::new(-1, Terrain::Water, Object::None), Some(3), None),
            (Tile::new(-2, Terrain::Water, Object::None), Some(6), None),
            (Tile::new(0, Terrain::Swamp, Object::None), Some(2), Some(2)),
            (Tile::new(1, Terrain::Water, Object::None), Some(1), Some(1)),
            (plain.with_sides(1, 0), Some(2), None),
            (
                Tile::new(0, Terrain::Open, Object::Building(1)).with_condition(true, false, false, false),
                Some(2),
                Some(2),
            ),
        ] {
            assert_eq!(cost(two(plain, there), ugr, false), walk, "{there:?}");
            assert_eq!(cost(two(plain, there), ugr, true), run, "{there:?}");
        }
        let hill_water = two(plain, Tile::new(1, Terrain::Water, Object::None));
        assert_eq!(cost(hill_water, &Profile::BOOK, false), Some(2));
    }

    #[test]
    fn a_road_forgets_slope_and_woods() {
        let here = Tile::new(0, Terrain::Open, Object::None).with_sides(0, 1 << 3);
        let there = Tile::new(2, Terrain::Swamp, Object::HeavyWoods).with_sides(0, 1);
        assert_eq!(cost(two(here, there), &Profile::UGR, true), Some(1));
    }

    #[test]
    fn tiles_keep_what_they_are_given() {
        for code in (0..=7).chain([255]) {
            let object = Object::from_code(code).unwrap();
            assert_eq!(object.code(), code);
            let tile = Tile::new(-7, Terrain::Swamp, object).with_sides(0b10_1010, 0b01_0111);
            let tile = tile.with_condition(true, false, true, true);
            assert_eq!(tile.level(), -7);
            assert_eq!(tile.terrain(), Terrain::Swamp);
            assert_eq!(tile.object(), object);
            assert_eq!((tile.rivers(), tile.roads()), (0b10_1010, 0b01_0111));
            assert!(tile.collapsed() && !tile.fire() && tile.smoke() && tile.club());
        }
    }
}
