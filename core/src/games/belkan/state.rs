//! What the player is told in a tick, and its bytes on the line.

use super::map::{MAX_SIZE, MIN_SIZE};
use super::rules::{FULL_BATTERY, Heading, LIFETIME, Place, Terrain};
use crate::games::StateError;

/// Cells that the sensors see: the player's own and a cone of three rows ahead.
pub const SIGHT: usize = 16;
/// Bytes of a state on the line.
pub const STATE_BYTES: usize = 28;

/// Where the sensors look, as cells ahead and to the right.
pub const CONE: [(i8, i8); SIGHT] = [
    (0, 0),
    (1, -1),
    (1, 0),
    (1, 1),
    (2, -2),
    (2, -1),
    (2, 0),
    (2, 1),
    (2, 2),
    (3, -3),
    (3, -2),
    (3, -1),
    (3, 0),
    (3, 1),
    (3, 2),
    (3, 3),
];
/// The cell straight ahead.
pub const AHEAD: usize = 2;

/// Who stands on a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Figure {
    /// Nobody.
    #[default]
    Nobody = 0,
    /// The player.
    Player = 1,
    /// A villager.
    Villager = 2,
}

impl Figure {
    /// The letter of recordings: `_`, `j` or `a`.
    pub const fn letter(self) -> char {
        ['_', 'j', 'a'][self as usize]
    }
}

/// Everything the player is told in a tick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sensors {
    /// The host's number for this game, so that the agent knows when another one begins.
    pub game: u16,
    /// 1 depth first, 2 fewest actions, 3 least battery, 4 unknown map.
    pub level: u8,
    /// Rows and columns of the map.
    pub size: u8,
    /// Ticks left after this one.
    pub life: u16,
    /// Battery left.
    pub battery: u16,
    /// The last action was a bump.
    pub collision: bool,
    /// The player fell.
    pub reset: bool,
    /// Where the player is.
    pub place: Place,
    /// Where it looks.
    pub heading: Heading,
    /// Where it shall go.
    pub target: Place,
    /// What the cells of the cone are.
    pub terrain: [Terrain; SIGHT],
    /// Who stands there.
    pub figures: [Figure; SIGHT],
}

impl Sensors {
    /// Nothing, to fill memory with.
    pub(super) const NONE: Self = Self {
        game: 0,
        level: 0,
        size: 0,
        life: 0,
        battery: 0,
        collision: false,
        reset: false,
        place: Place::new(0, 0),
        heading: Heading::North,
        target: Place::new(0, 0),
        terrain: [Terrain::Unknown; SIGHT],
        figures: [Figure::Nobody; SIGHT],
    };

    /// The bytes of the line: game, level, size, life, battery, flags, row, column, heading, target, then the cone's
    /// terrain at four bits and its figures at two.
    pub fn encode(&self) -> [u8; STATE_BYTES] {
        let mut bytes = [0; STATE_BYTES];
        bytes[0..2].copy_from_slice(&self.game.to_le_bytes());
        bytes[2] = self.level;
        bytes[3] = self.size;
        bytes[4..6].copy_from_slice(&self.life.to_le_bytes());
        bytes[6..8].copy_from_slice(&self.battery.to_le_bytes());
        bytes[8] = u8::from(self.collision) | u8::from(self.reset) << 1;
        bytes[9] = self.place.row;
        bytes[10] = self.place.column;
        bytes[11] = self.heading as u8;
        bytes[12] = self.target.row;
        bytes[13] = self.target.column;
        // Two bytes are kept free.
        for (index, (terrain, figure)) in self.terrain.iter().zip(self.figures).enumerate() {
            bytes[16 + index / 2] |= (*terrain as u8) << (index % 2 * 4);
            bytes[24 + index / 4] |= (figure as u8) << (index % 4 * 2);
        }
        bytes
    }

    /// Reads and checks a state.
    pub fn decode(bytes: &[u8]) -> Result<Self, StateError> {
        let bytes: &[u8; STATE_BYTES] = bytes.try_into().map_err(|_| StateError::Malformed)?;
        let mut sensors = Self {
            game: u16::from_le_bytes([bytes[0], bytes[1]]),
            level: bytes[2],
            size: bytes[3],
            life: u16::from_le_bytes([bytes[4], bytes[5]]),
            battery: u16::from_le_bytes([bytes[6], bytes[7]]),
            collision: bytes[8] & 1 != 0,
            reset: bytes[8] & 2 != 0,
            place: Place::new(bytes[9], bytes[10]),
            heading: Heading::from_bits(bytes[11]),
            target: Place::new(bytes[12], bytes[13]),
            ..Self::default()
        };
        if bytes[8] > 3 || bytes[11] > 3 || bytes[14..16] != [0, 0] {
            return Err(StateError::Malformed);
        }
        for index in 0..SIGHT {
            let code = bytes[16 + index / 2] >> (index % 2 * 4) & 15;
            sensors.terrain[index] = Terrain::from_code(code).ok_or(StateError::OutOfRange)?;
            sensors.figures[index] = match bytes[24 + index / 4] >> (index % 4 * 2) & 3 {
                0 => Figure::Nobody,
                1 => Figure::Player,
                2 => Figure::Villager,
                _ => return Err(StateError::OutOfRange),
            };
        }
        sensors.validate()?;
        Ok(sensors)
    }

    /// Whether such a tick can be.
    pub fn validate(&self) -> Result<(), StateError> {
        let inside = |place: Place| place.row < self.size && place.column < self.size;
        if !(1..=4).contains(&self.level)
            || !(MIN_SIZE..=MAX_SIZE).contains(&self.size)
            || self.life >= LIFETIME
            || self.battery > FULL_BATTERY
            || !inside(self.place)
            || !inside(self.target)
        {
            return Err(StateError::OutOfRange);
        }
        if !self.terrain[0].is_passable() || self.terrain.contains(&Terrain::Unknown) {
            return Err(StateError::Inconsistent);
        }
        Ok(())
    }

    /// The cells of the cone, with what is on them.
    pub fn seen(&self) -> impl Iterator<Item = (Place, Terrain, Figure)> + '_ {
        CONE.iter().zip(self.terrain).zip(self.figures).map(|((&(ahead, aside), terrain), figure)| {
            (self.place.towards(self.heading, ahead, aside), terrain, figure)
        })
    }
}
