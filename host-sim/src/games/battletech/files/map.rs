//! Maps: the simulator's own (`.sbt`) and the map editor's (`.bme`).

use std::path::Path;

use rival_core::games::battletech::map::{MAX_COLS, MAX_ROWS, Map, Object, Terrain, Tile};

use super::{FileError, Reader, Style, Writer};

/// A hex with what the referee alone keeps count of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ground {
    /// What everybody sees.
    pub tile: Tile,
    /// Construction factor left.
    pub factor: u8,
    /// Clubs that lie there.
    pub clubs: u8,
}

/// A whole map in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapFile {
    /// Rows.
    pub rows: u8,
    /// Columns.
    pub cols: u8,
    /// Hexes, column by column.
    pub ground: Vec<Ground>,
    /// How the file's lines end.
    pub style: Style,
}

impl MapFile {
    /// The tiles as the rules want them.
    pub fn tiles(&self) -> Vec<u32> {
        self.ground
            .iter()
            .map(|ground| {
                ground
                    .tile
                    .with_condition(ground.tile.collapsed(), ground.tile.fire(), ground.tile.smoke(), ground.clubs > 0)
                    .bits()
            })
            .collect()
    }

    /// The bytes that the agent loads.
    pub fn load_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![self.rows, self.cols, 0, 0];
        bytes.extend(self.tiles().iter().flat_map(|tile| tile.to_le_bytes()));
        bytes
    }

    /// Looks at its tiles as a map.
    ///
    /// # Panics
    /// If the tiles are not this map's.
    pub fn view<'a>(&self, tiles: &'a [u32]) -> Map<'a> {
        Map::new(self.rows, self.cols, tiles).expect("the reader checked the size")
    }

    /// Reads a map of either of the simulator's kinds, by the first word in it.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        let reader = Reader::open(path)?;
        if reader.lines.first().is_some_and(|line| line.trim() == "BME_3") {
            Self::read_bme(reader)
        } else {
            Self::read(reader)
        }
    }

    /// Reads the simulator's format.
    pub fn read(mut reader: Reader) -> Result<Self, FileError> {
        reader.word("mapaSBT")?;
        let rows = size(&mut reader, "height", MAX_ROWS)?;
        let cols = size(&mut reader, "width", MAX_COLS)?;
        let mut ground = Vec::with_capacity(usize::from(rows) * usize::from(cols));
        for _ in 0..usize::from(rows) * usize::from(cols) {
            let level = reader.number("level")?;
            let terrain = reader.parse("terrain, 0 to 3", |line| terrain(line.parse().ok()?))?;
            let object = reader.parse("object, 0 to 7 or 255", |line| Object::from_code(line.parse().ok()?))?;
            let factor = reader.number("construction factor")?;
            let [collapsed, fire, smoke] = reader.many(|reader| reader.boolean("condition"))?;
            let clubs = reader.number("clubs")?;
            let river: [bool; 6] = reader.many(|reader| reader.boolean("river side"))?;
            let road: [bool; 6] = reader.many(|reader| reader.boolean("road side"))?;
            let tile = Tile::new(level, terrain, object).with_sides(sides(river), sides(road)).with_condition(
                collapsed,
                fire,
                smoke,
                clubs > 0,
            );
            ground.push(Ground { tile, factor, clubs });
        }
        reader.finish()?;
        Ok(Self { rows, cols, ground, style: reader.style() })
    }

    /// Writes the simulator's format.
    pub fn write(&self) -> Vec<u8> {
        let mut writer = Writer::new(self.style);
        writer.line("mapaSBT").line(self.rows).line(self.cols);
        for Ground { tile, factor, clubs } in &self.ground {
            writer.line(tile.level()).line(tile.terrain() as u8).line(tile.object().code()).line(factor);
            writer.boolean(tile.collapsed()).boolean(tile.fire()).boolean(tile.smoke()).line(clubs);
            for set in [tile.rivers(), tile.roads()] {
                for side in 0..6 {
                    writer.boolean(set >> side & 1 != 0);
                }
            }
        }
        writer.bytes()
    }

    /// Reads the map editor's format.
    pub fn read_bme(mut reader: Reader) -> Result<Self, FileError> {
        reader.word("BME_3")?;
        let cols = size(&mut reader, "width", MAX_COLS)?;
        let rows = size(&mut reader, "height", MAX_ROWS)?;
        reader.text("a line that is not used")?;
        let mut ground = Vec::with_capacity(usize::from(rows) * usize::from(cols));
        for _ in 0..usize::from(rows) * usize::from(cols) {
            let level: i16 = reader.number("level plus 100")?;
            let level =
                i8::try_from(level - 100).map_err(|_| reader.wrong("a level between -28 and 227, 100 added"))?;
            let plain = reader.parse("terrain, 0 to 3", |line| terrain(line.parse().ok()?))?;
            reader.text("a flag")?;
            let object = reader.parse("object, 0 to 7 or 255", |line| Object::from_code(line.parse().ok()?))?;
            let paved = flag(&mut reader)?;
            let river: [bool; 6] = reader.many(flag)?;
            let swamp = flag(&mut reader)?;
            let road: [bool; 6] = reader.many(flag)?;
            for _ in 0..56 {
                reader.text("a line that is not used")?;
            }
            let terrain = match (swamp, paved) {
                (true, _) => Terrain::Swamp,
                (_, true) => Terrain::Paved,
                _ if level < 0 => Terrain::Water,
                _ => plain,
            };
            let tile = Tile::new(level, terrain, object).with_sides(sides(river), sides(road));
            ground.push(Ground { tile, factor: object.full_factor(), clubs: 0 });
        }
        Ok(Self { rows, cols, ground, style: Style { closed: true, ..reader.style() } })
    }
}

impl MapFile {
    /// Writes the map editor's format. What it does not know is left out: strength lost, fire, smoke, clubs.
    pub fn write_bme(&self) -> Vec<u8> {
        let mut writer = Writer::new(Style { crlf: true, ..Style::default() });
        let flag = |set: bool| if set { "TRUE" } else { "FALSE" };
        writer.line("BME_3").line(self.cols).line(self.rows).line(0);
        for Ground { tile, .. } in &self.ground {
            let plain = if tile.terrain() == Terrain::Water && tile.level() >= 0 { 2 } else { 0 };
            writer.line(i16::from(tile.level()) + 100).line(plain).line(flag(false)).line(tile.object().code());
            writer.line(flag(tile.terrain() == Terrain::Paved));
            let sides = |writer: &mut Writer, set: u8| {
                for side in 0..6 {
                    writer.line(flag(set >> side & 1 != 0));
                }
            };
            sides(&mut writer, tile.rivers());
            writer.line(flag(tile.terrain() == Terrain::Swamp));
            sides(&mut writer, tile.roads());
            for _ in 0..56 {
                writer.line(0);
            }
        }
        writer.bytes()
    }
}

fn size(reader: &mut Reader, what: &str, most: usize) -> Result<u8, FileError> {
    reader.parse(&format!("{what}, 1 to {most}"), |line| {
        line.parse().ok().filter(|&n: &u8| n > 0 && usize::from(n) <= most)
    })
}

fn flag(reader: &mut Reader) -> Result<bool, FileError> {
    reader.parse("a flag", |line| Some(!line.eq_ignore_ascii_case("FALSE")))
}

fn terrain(code: u8) -> Option<Terrain> {
    [Terrain::Open, Terrain::Paved, Terrain::Water, Terrain::Swamp].get(usize::from(code)).copied()
}

fn sides(flags: [bool; 6]) -> u8 {
    flags.into_iter().enumerate().map(|(side, set)| u8::from(set) << side).sum()
}
