//! Maps of the project's own, from a seed.

use rival_core::games::battletech::map::{Object, Terrain, Tile};
use rival_core::games::battletech::{Facing, Hex};

use super::files::Style;
use super::files::map::{Ground, MapFile};
use super::referee::Dice;

/// What a map looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Landscape {
    /// Open ground with a few woods.
    Plain,
    /// Rolling hills.
    Hills,
    /// Steep mountains.
    Mountains,
    /// Woods with clearings.
    Forest,
    /// Lakes, swamps and a river.
    Lakes,
    /// Streets, buildings and ruins.
    Town,
}

impl Landscape {
    /// All of them.
    pub const ALL: [Self; 6] = [Self::Plain, Self::Hills, Self::Mountains, Self::Forest, Self::Lakes, Self::Town];

    /// Its name for commands.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Hills => "hills",
            Self::Mountains => "mountains",
            Self::Forest => "forest",
            Self::Lakes => "lakes",
            Self::Town => "town",
        }
    }
}

/// Makes a map.
pub fn generate(landscape: Landscape, cols: u8, rows: u8, seed: u64) -> MapFile {
    let mut dice = Dice::new(seed ^ 0x6D61_7000, 6);
    let count = usize::from(rows) * usize::from(cols);
    let (bumps, height, woods, wet) = match landscape {
        Landscape::Plain => (2, 1, 12, 0),
        Landscape::Hills => (7, 3, 14, 0),
        Landscape::Mountains => (10, 6, 8, 0),
        Landscape::Forest => (3, 2, 40, 0),
        Landscape::Lakes => (3, 2, 12, 6),
        Landscape::Town => (0, 0, 6, 0),
    };
    let mut levels = vec![0_i8; count];
    let hex_at = |index: usize| Hex::new((index / usize::from(rows)) as u8, (index % usize::from(rows)) as u8);
    for _ in 0..bumps {
        let centre = hex_at(dice.below(count as u32) as usize);
        let (peak, slope) = (1 + dice.below(height) as i8, 1 + dice.below(2) as u8);
        for (index, level) in levels.iter_mut().enumerate() {
            *level = (*level).max(peak - (hex_at(index).distance(centre) / slope) as i8);
        }
    }
    let mut ground: Vec<Ground> = levels
        .iter()
        .map(|&level| Ground { tile: Tile::new(level.max(0), Terrain::Open, Object::None), factor: 0, clubs: 0 })
        .collect();
    for _ in 0..wet {
        let centre = hex_at(dice.below(count as u32) as usize);
        let (radius, swamp) = (1 + dice.below(2) as u8, dice.below(3) == 0);
        for (index, ground) in ground.iter_mut().enumerate() {
            let away = hex_at(index).distance(centre);
            if away < radius + 1 {
                let depth = if away == 0 && radius > 1 { -2 } else { -1 };
                ground.tile = if swamp {
                    Tile::new(0, Terrain::Swamp, Object::None)
                } else {
                    Tile::new(depth, Terrain::Water, Object::None)
                };
            }
        }
    }
    let patches = count as u32 * woods / 100 / 3 + 1;
    for _ in 0..patches {
        let mut hex = hex_at(dice.below(count as u32) as usize);
        for _ in 0..2 + dice.below(4) {
            let index = usize::from(hex.col) * usize::from(rows) + usize::from(hex.row);
            if ground[index].tile.terrain() == Terrain::Open {
                let object = match dice.below(5) {
                    0 => Object::Rubble,
                    1 => Object::HeavyWoods,
                    _ => Object::LightWoods,
                };
                ground[index].tile = Tile::new(ground[index].tile.level(), Terrain::Open, object);
            }
            let next = hex.neighbour(Facing::from_index(dice.below(6) as u8));
            hex = next.filter(|next| next.col < cols && next.row < rows).unwrap_or(hex);
        }
    }
    if landscape == Landscape::Town {
        for (index, ground) in ground.iter_mut().enumerate() {
            let hex = hex_at(index);
            if hex.col % 4 == 1 || hex.row % 4 == 1 {
                ground.tile = Tile::new(0, Terrain::Paved, Object::None);
            } else if dice.below(3) == 0 {
                let object = Object::Building(dice.below(4) as u8);
                ground.tile = Tile::new(1 + dice.below(2) as i8, Terrain::Open, object);
                ground.factor = object.full_factor();
            }
        }
    }
    MapFile { rows, cols, ground, style: Style::default() }
}
