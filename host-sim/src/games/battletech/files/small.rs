//! The small files: options, order of play, movements, and the answer of the sight helper.

use rival_core::games::battletech::mech::Mode;
use rival_core::games::battletech::sight::{Eye, line, sight};
use rival_core::games::battletech::{Facing, Hex, Map, Profile};

use super::{FileError, Reader, Style, Writer};

/// `configJ<n>.sbt`: the options of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConfigFile {
    /// Fires.
    pub fires: bool,
    /// Wind.
    pub wind: bool,
    /// Where the wind blows, as the file has it: see [`wind_side`](Self::wind_side); -1 for none.
    pub wind_direction: i8,
    /// The eleven switches that follow, in order: physical attacks, heat phase, clearing of woods, collapse of
    /// buildings, piloting rolls, roll for twenty points, shutdown rolls, criticals, ammunition explosions, sinks may be
    /// turned off, time is limited.
    pub switches: [bool; 11],
    /// The limit in seconds.
    pub seconds: u32,
    /// How the file's lines end.
    pub style: Style,
}

impl ConfigFile {
    /// Everything on.
    pub fn new() -> Self {
        Self {
            fires: true,
            wind: false,
            wind_direction: -1,
            switches: [true; 11],
            seconds: 300,
            style: Style::default(),
        }
    }

    /// The side to which the wind blows. The simulator counts sides from 0 in this one place; its manual says from 1.
    pub fn wind_side(&self, profile: &Profile) -> Option<Facing> {
        let first = i8::from(profile.wind_from_one);
        let number = u8::try_from(self.wind_direction - first + 1).ok()?;
        Facing::new(number).filter(|_| self.wind)
    }

    /// Reads the file.
    pub fn read(mut reader: Reader) -> Result<Self, FileError> {
        reader.word("configSBT")?;
        let config = Self {
            fires: reader.boolean("fires")?,
            wind: reader.boolean("wind")?,
            wind_direction: reader.number("wind direction")?,
            switches: reader.many(|reader| reader.boolean("option"))?,
            seconds: reader.number("time limit")?,
            style: reader.style(),
        };
        reader.finish()?;
        Ok(config)
    }

    /// Writes the file.
    pub fn write(&self) -> Vec<u8> {
        let mut writer = Writer::new(self.style);
        writer.line("configSBT").boolean(self.fires).boolean(self.wind).line(self.wind_direction);
        for switch in self.switches {
            writer.boolean(switch);
        }
        writer.line(self.seconds);
        writer.bytes()
    }
}

impl Default for ConfigFile {
    fn default() -> Self {
        Self::new()
    }
}

/// `iniciativaJ<n>.sbt`: the order of play, who acts first first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InitiativeFile {
    /// Players in order.
    pub order: Vec<u8>,
    /// How the file's lines end.
    pub style: Style,
}

impl InitiativeFile {
    /// Reads the file.
    pub fn read(mut reader: Reader) -> Result<Self, FileError> {
        let count: u8 = reader.number("number of players")?;
        let order = (0..count).map(|_| reader.number("player")).collect::<Result<_, _>>()?;
        reader.finish()?;
        Ok(Self { order, style: reader.style() })
    }

    /// Writes the file.
    pub fn write(&self) -> Vec<u8> {
        let mut writer = Writer::new(self.style);
        writer.line(self.order.len());
        for player in &self.order {
            writer.line(player);
        }
        writer.bytes()
    }
}

/// `mov.sbt`: how everybody moved this turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MovementsFile {
    /// By player.
    pub modes: Vec<Mode>,
    /// How the file's lines end.
    pub style: Style,
}

/// The simulator's word for a movement.
pub const fn mode_word(mode: Mode) -> &'static str {
    match mode {
        Mode::Still => "Inmovil",
        Mode::Walk => "Andar",
        Mode::Run => "Correr",
        Mode::Jump => "Saltar",
    }
}

/// The movement of that word.
pub fn mode_of_word(word: &str) -> Option<Mode> {
    [Mode::Still, Mode::Walk, Mode::Run, Mode::Jump].into_iter().find(|&mode| mode_word(mode) == word)
}

impl MovementsFile {
    /// Reads the file.
    pub fn read(mut reader: Reader) -> Result<Self, FileError> {
        reader.word("movSBT")?;
        let count: u8 = reader.number("number of mechs")?;
        let modes = (0..count)
            .map(|_| reader.parse("Inmovil, Andar, Correr or Saltar", mode_of_word))
            .collect::<Result<_, _>>()?;
        reader.finish()?;
        Ok(Self { modes, style: reader.style() })
    }

    /// Writes the file.
    pub fn write(&self) -> Vec<u8> {
        let mut writer = Writer::new(self.style);
        writer.line("movSBT").line(self.modes.len());
        for &mode in &self.modes {
            writer.line(mode_word(mode));
        }
        writer.bytes()
    }
}

/// `LDV.sbt`: what the sight helper answers. Its last line is the cover of the hex one looks from, though its readme
/// says of the one that is looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SightFile {
    /// Hexes on the line.
    pub hexes: Vec<Hex>,
    /// Whether there is sight.
    pub clear: bool,
    /// Cover of one of the two ends: see [`look`](Self::look).
    pub cover: bool,
    /// How the file's lines end.
    pub style: Style,
}

impl SightFile {
    /// What the helper answers about two hexes, each with whether somebody stands there upright. Unlike the game it does
    /// not look lower from a river.
    pub fn look(map: &Map<'_>, profile: &Profile, from: (Hex, bool), to: (Hex, bool)) -> Self {
        let eye =
            |(hex, standing): (Hex, bool)| Eye { hex, level: map.tile(hex).level() + i8::from(standing), standing };
        let (from, to) = (eye(from), eye(to));
        let list = line(map, profile, from, to);
        let there = sight(map, profile, from, to, &list);
        let cover = if profile.helper_covers_origin {
            there.cover
        } else {
            sight(map, profile, to, from, &line(map, profile, to, from)).cover
        };
        Self { hexes: list.to_vec(), clear: there.clear, cover, style: Style::default() }
    }

    /// Reads the file.
    pub fn read(mut reader: Reader) -> Result<Self, FileError> {
        let hexes = reader.parse("hexes separated by blanks", |line| {
            line.split_whitespace().map(|id| Hex::from_id(id.parse().ok()?)).collect::<Option<Vec<_>>>()
        })?;
        let (clear, cover) = (reader.boolean("line of sight")?, reader.boolean("cover")?);
        reader.finish()?;
        Ok(Self { hexes, clear, cover, style: reader.style() })
    }

    /// Writes the file.
    pub fn write(&self) -> Vec<u8> {
        let mut writer = Writer::new(self.style);
        writer.line(self.hexes.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "));
        writer.boolean(self.clear).boolean(self.cover);
        writer.bytes()
    }
}
