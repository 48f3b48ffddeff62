//! The contest's text form of a state, map files, and maps of one's own.

use core::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use rival_core::games::planet_wars::{Fleet, Owner, Planet, Player, Position, State};

use crate::random::Random;

/// A state and the coordinates as they were written: the rules need no more than the distances between them.
#[derive(Clone, Debug)]
pub struct Map {
    /// Planets and fleets.
    pub state: State,
    /// `x` and `y` of each planet.
    pub coordinates: Vec<(f64, f64)>,
}

impl Map {
    /// Reads `P` and `F` lines: a map file, or a state as either of the contest's engines prints it. Comments (`#`) and
    /// empty lines are skipped.
    pub fn parse(text: &str) -> Result<Self> {
        let mut coordinates = Vec::new();
        let mut planets = Vec::new();
        let mut fleets = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default();
            let words: Vec<&str> = line.split_whitespace().collect();
            let place = || format!("line {}: {line:?}", number + 1);
            match words.as_slice() {
                [] => {}
                ["P" | "p", x, y, owner, ships, growth] => {
                    let read = || -> Result<_> {
                        Ok(((x.parse()?, y.parse()?), (owner.parse()?, ships.parse()?, growth.parse()?)))
                    };
                    let (coordinate, rest): ((f64, f64), (u8, u32, u8)) = read().with_context(place)?;
                    ensure!(coordinate.0.is_finite() && coordinate.1.is_finite(), "{}: no such place", place());
                    coordinates.push(coordinate);
                    planets.push(rest);
                }
                ["F" | "f", owner, numbers @ ..] if numbers.len() == 5 => {
                    let read = || -> Result<_> {
                        let byte = |index: usize| numbers[index].parse::<u8>();
                        let owner = Owner::new(owner.parse()?).context("no such owner")?;
                        let (ships, source, destination) = (numbers[0].parse()?, byte(1)?, byte(2)?);
                        Ok(Fleet { owner, ships, source, destination, total: byte(3)?, remaining: byte(4)? })
                    };
                    fleets.push(read().with_context(place)?);
                }
                _ => bail!("{}: expected `P x y owner ships growth` or a fleet's `F` with six numbers", place()),
            }
        }
        Self::new(coordinates, &planets, fleets)
    }

    /// A map from numbers: for each planet owner, ships and growth.
    pub fn new(coordinates: Vec<(f64, f64)>, planets: &[(u8, u32, u8)], fleets: Vec<Fleet>) -> Result<Self> {
        ensure!(!planets.is_empty(), "there are no planets");
        let least = |axis: fn(&(f64, f64)) -> f64| coordinates.iter().map(axis).fold(f64::INFINITY, f64::min);
        let corner = (least(|place| place.0), least(|place| place.1));
        let fixed = |value: f64| -> Result<u32> {
            let steps = (value * f64::from(Position::UNIT)).round();
            ensure!((0.0..=f64::from(u32::MAX)).contains(&steps), "planets are more than 255 apart");
            Ok(steps as u32)
        };
        let mut list = Vec::new();
        for (place, &(owner, ships, growth)) in coordinates.iter().zip(planets) {
            let position = Position { x: fixed(place.0 - corner.0)?, y: fixed(place.1 - corner.1)? };
            let owner = Owner::new(owner).context("an owner is 0, 1 or 2")?;
            list.push(Planet { position, owner, ships, growth });
        }
        // Fleets without ships or owner are possible in one of the engines and change nothing.
        let fleets = fleets.into_iter().filter(|fleet| fleet.ships > 0 && fleet.owner != Owner::Neutral);
        Ok(Self { state: State::new(list, fleets)?, coordinates })
    }

    /// Reads a map file.
    pub fn load(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read the map {}", path.display()))?;
        Self::parse(&text).with_context(|| format!("{} is no map", path.display()))
    }

    /// A map from what a user typed: `generated:<seed>` or the name of a file.
    pub fn named(name: &str) -> Result<Self> {
        match name.strip_prefix("generated:") {
            Some(seed) => Self::generate(seed.parse().context("generated:<seed> wants a whole number")?),
            None => Self::load(Path::new(name)),
        }
    }

    /// A state as the contest sends it to a player.
    pub fn text(&self, state: &State, viewer: Player) -> String {
        let mut text = String::new();
        for (planet, (x, y)) in state.planets().iter().zip(&self.coordinates) {
            let owner = planet.owner.seen_by(viewer) as u8;
            // Writing to a string cannot fail.
            let _ = writeln!(text, "P {x} {y} {owner} {} {}", planet.ships, planet.growth);
        }
        for fleet in state.fleets() {
            let owner = fleet.owner.seen_by(viewer) as u8;
            let Fleet { ships, source, destination, total, remaining, .. } = fleet;
            let _ = writeln!(text, "F {owner} {ships} {source} {destination} {total} {remaining}");
        }
        text
    }

    /// A map in the manner of the contest's: a planet in the centre, everything else in symmetric pairs (by a point or by
    /// a line), homes with 100 ships and growth 5, 22 to 30 planets, no two closer than 2 or at an all but whole distance.
    pub fn generate(seed: u64) -> Result<Self> {
        let mut random = Random::new(seed);
        let pairs = 11 + random.below(4);
        // Half of the larger maps do without the planet in the centre.
        let centre = pairs == 11 || random.below(2) == 0;
        Self::of_size(&mut random, pairs, centre).with_context(|| format!("seed {seed} leads to no map"))
    }

    /// A map with so many pairs of planets, with or without one in the centre.
    pub fn of_size(random: &mut Random, pairs: usize, with_centre: bool) -> Result<Self> {
        // Larger maps are wider, so that planets stay as dense as on the contest's.
        let centre = 14.0 * (pairs.max(11) as f64 / 11.0).sqrt();
        let mirror = random.below(2) == 0;
        let partner = |(x, y): (f64, f64)| if mirror { (y, x) } else { (2.0 * centre - x, 2.0 * centre - y) };
        let apart = |a: (f64, f64), b: (f64, f64)| (a.0 - b.0).hypot(a.1 - b.1);
        let clear = |a, b| apart(a, b) >= 2.0 && (apart(a, b) - apart(a, b).round()).abs() > 0.002;
        // Ten digits behind the point, as the contest's files have.
        let round = |value: f64| (value * 1e10).round() / 1e10;
        let mut coordinates = Vec::new();
        let mut planets = Vec::new();
        if with_centre {
            coordinates.push((centre, centre));
            planets.push((0, 1 + random.below(120) as u32, random.below(6) as u8));
        }
        let all = planets.len() + 2 * pairs;
        let homes_at = planets.len();
        for _ in 0..100_000 {
            if planets.len() == all {
                return Self::new(coordinates, &planets, Vec::new());
            }
            let angle = fraction(random) * core::f64::consts::TAU;
            let radius = centre * fraction(random).sqrt();
            let place = (round(centre + radius * angle.cos()), round(centre + radius * angle.sin()));
            let other = partner(place);
            let home = planets.len() == homes_at;
            let crowded = coordinates.iter().any(|&old| !clear(place, old) || !clear(other, old));
            if !clear(place, other) || crowded || (home && apart(place, other) < 8.0) {
                continue;
            }
            let (ships, growth) = if home { (100, 5) } else { (1 + random.below(100) as u32, random.below(6) as u8) };
            let owners = if home { [1, 2] } else { [0, 0] };
            coordinates.extend([place, other]);
            planets.extend(owners.map(|owner| (owner, ships, growth)));
        }
        bail!("there is no room for {all} planets")
    }
}

/// A number from 0 up to but not including 1.
fn fraction(random: &mut Random) -> f64 {
    (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_maps_are_symmetric_and_like_the_contests() {
        for seed in 0..200 {
            let map = Map::generate(seed).unwrap();
            let planets = map.state.planets();
            assert!((22..=30).contains(&planets.len()), "seed {seed}: {} planets", planets.len());
            let homes: Vec<usize> = (0..planets.len()).filter(|&id| planets[id].owner != Owner::Neutral).collect();
            assert_eq!(homes.len(), 2);
            assert!(homes.iter().all(|&id| planets[id].ships == 100 && planets[id].growth == 5));
            let sees = |home: usize| {
                let mut list: Vec<_> = (0..planets.len())
                    .filter(|id| !homes.contains(id))
                    .map(|id| (map.state.distance(home, id), planets[id].ships, planets[id].growth))
                    .collect();
                list.sort_unstable();
                list
            };
            assert_eq!(sees(homes[0]), sees(homes[1]), "seed {seed} is not fair");
        }
    }

    #[test]
    fn what_either_engine_prints_is_read() {
        let text = "# a comment\nP 0 1.5e1 1 34 2 # home\n\nP 7.0 9 2 34 2\nF 1 15 0 1 12 2\nF 2 0 1 0 12 2\n";
        let map = Map::parse(text).unwrap();
        assert_eq!(map.coordinates, [(0.0, 15.0), (7.0, 9.0)]);
        assert_eq!(map.state.fleets().len(), 1, "the fleet without ships is dropped");
        assert_eq!(map.text(&map.state, Player::Two), "P 0 15 2 34 2\nP 7 9 1 34 2\nF 2 15 0 1 12 2\n");
        assert!(Map::parse("P 1 2 3").is_err());
        assert!(Map::parse("P 1 2 3 4 5").is_err(), "a third player");
        assert!(Map::parse("P 1 nan 1 4 5").is_err());
    }
}
