//! Map files, and maps of our own.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use rival_core::games::belkan::{FRAME, Heading, MAX_SIZE, MIN_SIZE, Map, Place, Terrain};

use crate::random::Random;

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

/// A map of our own: a frame, stone and sand, lakes and forests, walls with gaps, precipices, and a few cells each of
/// bikinis, shoes and chargers. The same seed and size give the same map.
pub fn generate(seed: u64, size: u8) -> anyhow::Result<Map> {
    if !(30..=MAX_SIZE).contains(&size) {
        bail!("{size}: a generated map has 30 to {MAX_SIZE} rows");
    }
    let mut random = Random::new(seed);
    let mut map = Map::new();
    map.begin(size)?;
    let inner = usize::from(size - 2 * FRAME);
    for place in map.places() {
        map.learn(place, Terrain::Stone);
    }
    let area = inner * inner;
    let anywhere =
        move |random: &mut Random| Place::new(FRAME + random.below(inner) as u8, FRAME + random.below(inner) as u8);
    // Patches, each a walk that leaves its terrain wherever it comes by.
    for (terrain, share, patch) in
        [(Terrain::Sand, 3, 60), (Terrain::Forest, 6, 40), (Terrain::Water, 6, 50), (Terrain::Precipice, 60, 6)]
    {
        for _ in 0..(area / share / patch).max(1) {
            let mut at = anywhere(&mut random);
            for _ in 0..patch * 2 {
                map.learn(at, terrain);
                map.learn(at.towards(Heading::North, 0, 1), terrain);
                at = at.towards(Heading::from_bits(random.below(4) as u8), 1, 0);
            }
        }
    }
    // Walls, straight, with a gap every few cells.
    for _ in 0..inner / 6 {
        let heading = Heading::from_bits(random.below(4) as u8);
        let (start, length) = (anywhere(&mut random), 4 + random.below(inner / 3) as i8);
        for cell in 0..length {
            if random.below(6) > 0 {
                map.learn(start.towards(heading, cell, 0), Terrain::Wall);
            }
        }
    }
    for terrain in [Terrain::Bikini, Terrain::Shoes, Terrain::Charger] {
        for _ in 0..(area / 1_500).max(1) {
            map.learn(anywhere(&mut random), terrain);
        }
    }
    Ok(map)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_maps_have_everything_and_are_the_same_every_time() {
        for seed in 0..20 {
            for size in [30, 64, 100] {
                let map = generate(seed, size).unwrap();
                let again = generate(seed, size).unwrap();
                let all: Vec<_> = map.places().map(|place| map.get(place)).collect();
                assert_eq!(all, again.places().map(|place| again.get(place)).collect::<Vec<_>>());
                for terrain in Terrain::ALL.into_iter().skip(1) {
                    assert!(all.contains(&terrain), "seed {seed}, size {size}: no {terrain:?}");
                }
                assert!(!all.contains(&Terrain::Unknown));
            }
        }
        assert!(generate(1, 29).is_err() && generate(1, 101).is_err());
    }

    #[test]
    fn damaged_map_files_are_refused() {
        let good = format!("7\n7\n{}", "PPPPPPP\n".repeat(7));
        assert!(parse(&good).is_ok());
        for bad in ["", "7", "7 8", "6 6", "7 7 PPP", &good.replace('7', "101"), &good.replacen('P', "S", 1)] {
            assert!(parse(bad).is_err(), "{bad:?}");
        }
        assert!(parse(&good.replacen('P', "Z", 1)).unwrap_err().to_string().contains("no terrain"));
    }
}
