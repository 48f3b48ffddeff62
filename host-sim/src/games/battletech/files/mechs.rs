//! `mechsJ<n>.sbt`: the state of all mechs, and more of the player's own.

use rival_core::games::battletech::{Facing, Hex, Location};

use super::{FileError, Reader, Style, Writer};

/// Slots of a mech.
pub const SLOTS: usize = 78;

/// A state of all mechs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MechsFile {
    /// One each.
    pub mechs: Vec<MechLines>,
    /// How the file's lines end.
    pub style: Style,
}

/// What everybody knows of a mech.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MechLines {
    /// Its player.
    pub player: u8,
    /// Still in the game.
    pub operational: bool,
    /// Reactor off.
    pub shut_down: bool,
    /// Stuck in a swamp.
    pub stuck: bool,
    /// On the ground.
    pub prone: bool,
    /// Where.
    pub hex: Hex,
    /// Feet.
    pub facing: Facing,
    /// Torso.
    pub torso: Facing,
    /// Heat at the end of the last turn.
    pub heat: i32,
    /// On fire.
    pub burning: bool,
    /// Has a club.
    pub club: bool,
    /// 0 ordinary, 1 tree.
    pub club_type: u8,
    /// Armour.
    pub armour: [u8; 11],
    /// Structure.
    pub structure: [u8; 8],
    /// What only its owner knows.
    pub own: Option<OwnLines>,
    /// Beacons it has put on the others.
    pub narc: Vec<bool>,
    /// Improved ones.
    pub inarc: Vec<bool>,
}

/// What only the owner knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnLines {
    /// Points now: walk, run, jump.
    pub points: [u8; 3],
    /// Sinks that are on, and off.
    pub sinks: [u8; 2],
    /// Wounds.
    pub wounds: u8,
    /// Pilot awake.
    pub conscious: bool,
    /// Slots hit, location by location.
    pub slots_hit: Vec<bool>,
    /// Locations that fired.
    pub fired: [bool; 8],
    /// Bins counted as armed for ejection; those out of order are counted but not listed.
    pub armed_count: usize,
    /// Those listed.
    pub armed: Vec<(Location, u8)>,
}

impl MechsFile {
    /// Reads the file. The owner is the mech with more lines: the number of lines says how many it must have.
    pub fn read(mut reader: Reader, owner: Option<u8>) -> Result<Self, FileError> {
        reader.word("mechsSBT")?;
        let count: usize = reader
            .parse("number of mechs, 1 to 64", |line| line.parse().ok().filter(|count| (1..=64).contains(count)))?;
        let mut mechs = Vec::with_capacity(count);
        for _ in 0..count {
            mechs.push(read_mech(&mut reader, count, owner)?);
        }
        reader.finish()?;
        Ok(Self { mechs, style: reader.style() })
    }

    /// Writes the file.
    pub fn write(&self) -> Vec<u8> {
        let mut writer = Writer::new(self.style);
        writer.line("mechsSBT").line(self.mechs.len());
        for mech in &self.mechs {
            writer.line(mech.player);
            for flag in [mech.operational, mech.shut_down, mech.stuck, mech.prone] {
                writer.boolean(flag);
            }
            writer.line(mech.hex).line(mech.facing.number()).line(mech.torso.number()).line(mech.heat);
            writer.boolean(mech.burning).boolean(mech.club).line(mech.club_type);
            for points in mech.armour.iter().chain(&mech.structure) {
                writer.line(points);
            }
            if let Some(own) = &mech.own {
                for number in own.points.iter().chain(&own.sinks) {
                    writer.line(number);
                }
                writer.line(own.wounds).boolean(own.conscious);
                for &flag in own.slots_hit.iter().chain(&own.fired) {
                    writer.boolean(flag);
                }
                writer.line(own.armed_count);
                for (location, slot) in &own.armed {
                    writer.line(location.code()).line(slot);
                }
            }
            for &flag in mech.narc.iter().chain(&mech.inarc) {
                writer.boolean(flag);
            }
        }
        writer.bytes()
    }
}

fn read_mech(reader: &mut Reader, count: usize, owner: Option<u8>) -> Result<MechLines, FileError> {
    let player = reader.number("player")?;
    let [operational, shut_down, stuck, prone] = reader.many(|reader| reader.boolean("condition"))?;
    let hex = super::hex(reader, "position")?;
    let facing = super::facing(reader)?;
    let torso = super::facing(reader)?;
    let heat = reader.number("heat")?;
    let [burning, club] = reader.many(|reader| reader.boolean("condition"))?;
    let club_type = reader.number("club type")?;
    let armour = reader.many(|reader| reader.number("armour"))?;
    let structure = reader.many(|reader| reader.number("structure"))?;
    // The player's own mech has 94 lines more. Where the owner is not known, the next line tells: a foreign mech goes
    // on with True or False, the own one with a number.
    let own =
        owner.map_or_else(|| reader.peek().is_some_and(|line| line.parse::<u8>().is_ok()), |owner| owner == player);
    let own = if own { Some(read_own(reader)?) } else { None };
    let mut beacons = || (0..count).map(|_| reader.boolean("beacon")).collect::<Result<Vec<_>, _>>();
    let (narc, inarc) = (beacons()?, beacons()?);
    Ok(MechLines {
        player,
        operational,
        shut_down,
        stuck,
        prone,
        hex,
        facing,
        torso,
        heat,
        burning,
        club,
        club_type,
        armour,
        structure,
        own,
        narc,
        inarc,
    })
}

fn read_own(reader: &mut Reader) -> Result<OwnLines, FileError> {
    let points = reader.many(|reader| reader.number("movement points"))?;
    let sinks = reader.many(|reader| reader.number("sinks"))?;
    let wounds = reader.number("wounds")?;
    let conscious = reader.boolean("conscious")?;
    let slots_hit = (0..SLOTS).map(|_| reader.boolean("slot hit")).collect::<Result<_, _>>()?;
    let fired = reader.many(|reader| reader.boolean("fired from"))?;
    let armed_count: usize = reader.number("bins armed for ejection")?;
    let mut armed = Vec::new();
    while armed.len() < armed_count && reader.peek().is_some_and(|line| Location::from_code(line).is_some()) {
        armed.push((super::location(reader)?, reader.number("slot")?));
    }
    Ok(OwnLines { points, sinks, wounds, conscious, slots_hit, fired, armed_count, armed })
}
