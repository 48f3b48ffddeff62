//! Map files, and maps of our own.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use rival_core::games::belkan::{FRAME, MAX_SIZE, MIN_SIZE, Map, Place, Terrain};

/// Reads a map from the text of a file: columns, rows, then a letter for each cell.
pub fn parse(text: &str) -> anyhow::Result<Map> {
    let mut words = text.split_whitespace();
    let mut number = |what| words.next().and_then(|word| word.parse::<u8>().ok()).with_context(|| format!("no {what}"));
    let (columns, rows) = (number("number of columns")?, number("number of rows")?);
    if columns != rows || !(MIN_SIZE..=MAX_SIZE).contains(&rows) {
        bail!("{columns} x {rows}: a map is square and has {MIN_SIZE} to {MAX_SIZE} rows");
    }
    let letters: Vec<u8> = words.flat_map(str::bytes).collect();
    let size = usize::from(rows);
    if letters.len() != size * size {
        bail!("{} cells instead of {}", letters.len(), size * size);
    }
    let mut map = Map::new();
    map.begin(rows)?;
    for (index, &letter) in letters.iter().enumerate() {
        let place = Place::new((index / size) as u8, (index % size) as u8);
        let terrain = Terrain::from_letter(letter)
            .filter(|&terrain| terrain != Terrain::Unknown)
            .with_context(|| format!("row {}: no terrain is called {:?}", place.row, letter as char))?;
        if !map.is_inside(place) && terrain != Terrain::Precipice {
            bail!("row {}, column {}: the outer {FRAME} cells have to be P", place.row, place.column);
        }
        map.learn(place, terrain);
    }
    Ok(map)
}

/// Reads a map file.
pub fn read(path: &Path) -> anyhow::Result<Map> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    parse(&text).with_context(|| format!("{} is no map", path.display()))
}

/// Where the course's maps and recordings would be: beside the repository.
pub fn shared() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared")
}

/// The ten maps of the course.
pub const COURSE: [&str; 10] =
    ["mapa30", "mapa50", "mapa75", "mapa100", "mapa100b", "mapa100c", "islas", "medieval", "cuadricula", "vertigo"];

/// A map of the course by its name.
pub fn course(name: &str) -> anyhow::Result<Map> {
    read(&shared().join("maps/belkan").join(name).with_extension("map"))
}
