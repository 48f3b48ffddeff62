//! The map, at four bits a cell.

use super::rules::{Heading, Place, Terrain};
use crate::games::StateError;

/// The largest map.
pub const MAX_SIZE: u8 = 100;
/// The smallest: a frame with one cell in it.
pub const MIN_SIZE: u8 = 7;
/// Every map has a frame of this many cells of precipice: the sensors see that far.
pub const FRAME: u8 = 3;

/// An unknown cell may be thought to be like known ones. Beside [`Terrain::Unknown`], the map's four bits hold these
/// guesses: beside water, beside forest, where a wall or a precipice is short and may go on, beside plain ground, and in
/// line with a long wall or precipice.
pub(super) const GUESSES: [u8; 5] = [10, 11, 12, 13, 14];

/// A wall or a precipice of this many cells in line is long: it is thought to go on until something else is seen there.
/// The walls of a house are shorter, and they end.
const LONG: u8 = 16;

/// The guess that a known cell gives rise to, or plain unknown.
const fn guess(terrain: Terrain) -> u8 {
    match terrain {
        Terrain::Water => GUESSES[0],
        Terrain::Forest => GUESSES[1],
        _ => GUESSES[3],
    }
}

/// The number of an inner cell; see [`Map`].
pub type Cell = u16;

/// Rows and columns of the largest map inside its frame.
const INNER: usize = (MAX_SIZE - 2 * FRAME) as usize;
/// Cells of the largest map: its inner cells, one precipice at the end of every row (which also bounds the next row on
/// its other side), one row of precipice in the north and one in the south.
pub(super) const CELLS: usize = (INNER + 1) * (INNER + 2);

/// A map inside its frame. The cells are numbered row by row with one cell of the frame between two rows, so that the
/// cell next to another is a constant away and no step needs to know rows and columns.
#[derive(Clone, Debug)]
pub struct Map {
    nibbles: [u8; CELLS / 2],
    size: u8,
    /// From a cell to the one south of it.
    stride: u8,
    /// 2^22 divided by the stride, rounded up: turns the division by the stride into a product.
    reciprocal: u32,
    /// Changes whenever a cell does.
    edition: u16,
}

impl Map {
    /// No map.
    pub const fn new() -> Self {
        Self { nibbles: [0; CELLS / 2], size: 0, stride: 1, reciprocal: 0, edition: 0 }
    }

    /// Forgets everything and makes it a map of `size` by `size` cells. The frame is known.
    pub fn begin(&mut self, size: u8) -> Result<(), StateError> {
        if !(MIN_SIZE..=MAX_SIZE).contains(&size) {
            return Err(StateError::OutOfRange);
        }
        self.size = size;
        self.stride = size - 2 * FRAME + 1;
        self.reciprocal = (1_u32 << 22).div_ceil(u32::from(self.stride));
        self.edition = self.edition.wrapping_add(1);
        self.nibbles.fill(Terrain::Precipice as u8 * 0x11);
        for row in FRAME..size - FRAME {
            for column in FRAME..size - FRAME {
                self.put(Place::new(row, column), Terrain::Unknown as u8);
            }
        }
        Ok(())
    }

    /// Rows and columns, the frame included. 0 if there is no map.
    pub const fn size(&self) -> u8 {
        self.size
    }

    /// Changes whenever a cell does.
    pub const fn edition(&self) -> u16 {
        self.edition
    }

    /// How far apart the cells of two rows are.
    #[inline]
    pub const fn stride(&self) -> u16 {
        self.stride as u16
    }

    /// How many cell numbers there are.
    pub const fn cells(&self) -> Cell {
        self.stride as u16 * (self.stride as u16 + 1)
    }

    /// Whether a place is inside the frame.
    pub const fn is_inside(&self, place: Place) -> bool {
        place.row >= FRAME
            && place.column >= FRAME
            && place.row < self.size.saturating_sub(FRAME)
            && place.column < self.size.saturating_sub(FRAME)
    }

    /// The number of an inner place.
    #[inline]
    pub const fn cell(&self, place: Place) -> Option<Cell> {
        if self.is_inside(place) {
            Some((place.row - FRAME + 1) as Cell * self.stride as Cell + (place.column - FRAME) as Cell)
        } else {
            None
        }
    }

    /// Padded row of a cell.
    #[inline]
    pub(super) const fn row(&self, cell: u32) -> u32 {
        // Exact for every cell there is: see the test.
        cell.wrapping_mul(self.reciprocal) >> 22
    }

    /// Padded row and column of a cell.
    #[inline]
    pub const fn row_column(&self, cell: Cell) -> (u8, u8) {
        let row = self.row(cell as u32);
        (row as u8, (cell as u32 - row * self.stride as u32) as u8)
    }

    /// The place of an inner cell.
    #[inline]
    pub const fn place(&self, cell: Cell) -> Place {
        let (row, column) = self.row_column(cell);
        Place { row: row + FRAME - 1, column: column + FRAME }
    }

    /// The four bits of a cell; a precipice for a number that is none.
    #[inline]
    pub fn code(&self, cell: Cell) -> u8 {
        self.code_at(u32::from(cell))
    }

    /// The same for a number of any size.
    #[inline]
    pub(super) fn code_at(&self, cell: u32) -> u8 {
        let pair = self.nibbles.get((cell / 2) as usize).copied().unwrap_or(Terrain::Precipice as u8 * 0x11);
        (u32::from(pair) >> ((cell & 1) * 4)) as u8 & 15
    }

    /// The terrain of a cell.
    #[inline]
    pub fn terrain(&self, cell: Cell) -> Terrain {
        Terrain::from_code(self.code(cell)).unwrap_or(Terrain::Unknown)
    }

    /// The terrain of a place: outside it is precipice.
    pub fn get(&self, place: Place) -> Terrain {
        self.cell(place).map_or(Terrain::Precipice, |cell| self.terrain(cell))
    }

    /// Draws a place. Whether it was unknown before; places outside and unknown terrain change nothing.
    pub fn learn(&mut self, place: Place, terrain: Terrain) -> bool {
        let new = terrain != Terrain::Unknown && self.is_inside(place) && self.get(place) != terrain;
        if new {
            self.put(place, terrain as u8);
            self.edition = self.edition.wrapping_add(1);
            self.guess_beside(place, terrain);
        }
        new
    }

    /// Unknown cells next to a known one are thought to be like it; those one further as well, if nothing nearer to
    /// them is known. A wall is thought to go on a little where two cells of it are known, and a long one on and on.
    fn guess_beside(&mut self, place: Place, terrain: Terrain) {
        let guess = guess(terrain);
        for heading in Heading::ALL {
            for (ahead, aside) in [(1, 0), (2, 0), (1, 1)] {
                self.guess_at(place.towards(heading, ahead, aside), guess, ahead + aside == 1);
            }
        }
        if terrain.is_passable() {
            return;
        }
        for heading in Heading::ALL {
            if !self.get(place.towards(heading, 1, 0)).is_passable() {
                for ahead in [-2, -1, 2, 3] {
                    self.guess_at(place.towards(heading, ahead, 0), GUESSES[2], true);
                }
            }
        }
        for heading in [Heading::North, Heading::East] {
            let back = heading.left().left();
            let (ahead, behind) = (self.wall_end(place, heading), self.wall_end(place, back));
            if ahead.row.abs_diff(behind.row) + ahead.column.abs_diff(behind.column) + 1 >= LONG {
                self.prolong(ahead, heading);
                self.prolong(behind, back);
            }
        }
    }

    /// The last cell of the wall or precipice that a place is part of, as far as it is known.
    fn wall_end(&self, place: Place, heading: Heading) -> Place {
        let mut end = place;
        loop {
            let next = end.towards(heading, 1, 0);
            if !self.is_inside(next) || self.get(next).is_passable() {
                return end;
            }
            end = next;
        }
    }

    /// The unknown cells behind the end of a long wall, up to the first that is known.
    fn prolong(&mut self, end: Place, heading: Heading) {
        let mut place = end.towards(heading, 1, 0);
        while self.is_inside(place) && self.get(place) == Terrain::Unknown {
            self.put(place, GUESSES[4]);
            place = place.towards(heading, 1, 0);
        }
    }

    fn guess_at(&mut self, place: Place, guess: u8, near: bool) {
        let Some(cell) = self.cell(place) else { return };
        let code = self.code(cell);
        // What is beside a long wall's line says nothing about the line.
        if code == Terrain::Unknown as u8 || near && code != GUESSES[4] && GUESSES.contains(&code) {
            self.put(place, guess);
        }
    }

    fn put(&mut self, place: Place, code: u8) {
        let Some(cell) = self.cell(place) else { return };
        if let Some(pair) = self.nibbles.get_mut(usize::from(cell / 2)) {
            let shift = (cell & 1) * 4;
            *pair = (*pair & !(15 << shift)) | (code << shift);
        }
    }

    /// The inner places, row by row.
    pub fn places(&self) -> impl Iterator<Item = Place> + use<> {
        let inside = FRAME..self.size.saturating_sub(FRAME).max(FRAME);
        inside.clone().flat_map(move |row| inside.clone().map(move |column| Place { row, column }))
    }

    /// Writes rows `first..` of the inner map as runs, as many as fit `bytes`: a byte for each run, the terrain in its
    /// low four bits and the length less one above. Gives the bytes written and the first row left out.
    pub fn write_rows(&self, first: u8, bytes: &mut [u8]) -> (usize, u8) {
        let mut length = 0;
        let end = self.size.saturating_sub(FRAME);
        for row in first..end {
            let before = length;
            let mut column = FRAME;
            while column < end {
                let code = |column| self.cell(Place::new(row, column)).map_or(0, |cell| self.code(cell));
                let terrain = code(column);
                let mut run = 1;
                while run < 16 && column + run < end && code(column + run) == terrain {
                    run += 1;
                }
                let Some(byte) = bytes.get_mut(length) else { return (before, row) };
                *byte = (run - 1) << 4 | terrain;
                length += 1;
                column += run;
            }
        }
        (length, end)
    }

    /// Reads rows that [`Map::write_rows`] wrote. Gives the first row after them.
    pub fn read_rows(&mut self, first: u8, bytes: &[u8]) -> Result<u8, StateError> {
        let end = self.size.saturating_sub(FRAME);
        if first < FRAME {
            return Err(StateError::OutOfRange);
        }
        let (mut row, mut column) = (first, FRAME);
        for &byte in bytes {
            let code = byte & 15;
            if Terrain::from_code(code).is_none() && !GUESSES.contains(&code) {
                return Err(StateError::OutOfRange);
            }
            let run = (byte >> 4) + 1;
            if row >= end || column + run > end {
                return Err(StateError::Malformed);
            }
            for place in column..column + run {
                self.put(Place::new(row, place), code);
            }
            column += run;
            if column == end {
                (row, column) = (row + 1, FRAME);
            }
        }
        self.edition = self.edition.wrapping_add(1);
        if column == FRAME { Ok(row) } else { Err(StateError::Malformed) }
    }
}

impl Default for Map {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_and_places_are_each_others_inverse_on_every_size() {
        let mut map = Map::new();
        for size in MIN_SIZE..=MAX_SIZE {
            map.begin(size).unwrap();
            assert!(usize::from(map.cells()) <= CELLS);
            let mut last = 0;
            for place in map.places() {
                let cell = map.cell(place).unwrap();
                assert_eq!(map.place(cell), place, "size {size}");
                assert!(cell > last && cell < map.cells());
                assert_eq!(map.terrain(cell), Terrain::Unknown);
                last = cell;
            }
            for cell in 0..map.cells() {
                let (row, column) = map.row_column(cell);
                assert_eq!(u16::from(row) * map.stride() + u16::from(column), cell);
            }
        }
    }

    #[test]
    fn the_frame_is_known_and_stays() {
        let mut map = Map::new();
        map.begin(30).unwrap();
        for place in [Place::new(2, 10), Place::new(27, 10), Place::new(10, 2), Place::new(10, 27), Place::new(0, 255)]
        {
            assert!(!map.learn(place, Terrain::Stone));
            assert_eq!(map.get(place), Terrain::Precipice);
        }
        // Beside the first and the last column of a row lies the frame.
        let west = map.cell(Place::new(10, 3)).unwrap();
        let east = map.cell(Place::new(10, 26)).unwrap();
        assert_eq!((map.terrain(west - 1), map.terrain(east + 1)), (Terrain::Precipice, Terrain::Precipice));
        let (north, south) = (map.cell(Place::new(3, 10)).unwrap(), map.cell(Place::new(26, 10)).unwrap());
        assert_eq!(map.terrain(north - map.stride()), Terrain::Precipice);
        assert_eq!(map.terrain(south + map.stride()), Terrain::Precipice);
    }

    #[test]
    fn a_long_wall_is_thought_to_go_on_until_something_is_seen_there() {
        let mut map = Map::new();
        map.begin(60).unwrap();
        let code = |map: &Map, row, column| map.code(map.cell(Place::new(row, column)).unwrap());
        let (wall, unknown) = (GUESSES[4], Terrain::Unknown as u8);
        map.learn(Place::new(20, 45), Terrain::Sand);
        for column in 20..20 + LONG - 1 {
            map.learn(Place::new(20, column), Terrain::Wall);
        }
        assert!((3..57).all(|column| code(&map, 20, column) != wall), "{LONG} cells are long, not one less");
        map.learn(Place::new(20, 20 + LONG - 1), Terrain::Precipice);
        assert!((3..20).all(|column| code(&map, 20, column) == wall), "to the frame on one side");
        assert!((20 + LONG..45).all(|column| code(&map, 20, column) == wall), "to what is known on the other");
        assert!((46..57).all(|column| code(&map, 20, column) != wall), "and not behind it");
        assert_eq!((code(&map, 22, 10), code(&map, 18, 10)), (unknown, unknown));
        // It is a guess: what is seen counts, what is beside it does not.
        map.learn(Place::new(21, 8), Terrain::Water);
        assert_eq!(code(&map, 20, 8), wall);
        map.learn(Place::new(20, 8), Terrain::Stone);
        assert_eq!(map.get(Place::new(20, 8)), Terrain::Stone);
        assert_eq!(map.get(Place::new(20, 9)), Terrain::Unknown);
        // From north to south the same.
        for row in 30..30 + LONG {
            map.learn(Place::new(row, 50), Terrain::Wall);
        }
        assert!((21..30).chain(30 + LONG..57).all(|row| code(&map, row, 50) == wall));
    }

    #[test]
    fn any_map_travels_in_pieces() {
        let mut map = Map::new();
        map.begin(100).unwrap();
        let mut seed = 1_u32;
        for place in map.places() {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            // The northern half is incompressible, the southern half mostly unknown.
            let code = if place.row < 50 { seed >> 24 } else { (seed >> 24) / 240 };
            map.learn(place, Terrain::from_code((code % 10) as u8).unwrap());
        }
        let mut copy = Map::new();
        copy.begin(100).unwrap();
        let (mut row, mut pieces) = (FRAME, 0);
        while row < 97 {
            let mut bytes = [0; 4000];
            let (length, next) = map.write_rows(row, &mut bytes);
            assert_eq!(copy.read_rows(row, &bytes[..length]), Ok(next));
            (row, pieces) = (next, pieces + 1);
        }
        assert_eq!(map.nibbles, copy.nibbles);
        assert!(pieces <= 3, "{pieces} pieces");
        assert_eq!(copy.read_rows(FRAME, &[0xFF]), Err(StateError::OutOfRange));
        assert_eq!(copy.read_rows(FRAME, &[0xF1]), Err(StateError::Malformed));
        assert_eq!(copy.read_rows(96, &[0xF1; 20]), Err(StateError::Malformed));
        assert_eq!(copy.read_rows(0, &[]), Err(StateError::OutOfRange));
    }
}
