//! What a player knows from one tick to the next: the map as far as it was seen, what it wears, what it has spent.
//!
//! It follows from the sensors alone, so both ends of the line can keep it. The host does, and when a board has lost
//! its memory it writes the knowledge into a few [`Request::Load`](crate::wire::Request::Load)s and asks again.

use super::map::{FRAME, Map};
use super::rules::{CHARGE, LIFETIME, Outfit, Place, Terrain};
use super::state::Sensors;
use crate::games::StateError;

/// Bytes before the rows in a piece.
const HEADER: usize = 16;
/// The longest piece: it fits a request with room to spare.
pub const MAX_PIECE: usize = 4_096;

/// When that many ticks of spending are known, the older half is worth half as much from then on: a player in shoes
/// spends less than the same player without.
const MEMORY: u16 = 400;

/// What a player knows.
#[derive(Clone, Debug, Default)]
pub struct Knowledge {
    /// The map.
    pub map: Map,
    /// What the player wears: the sensors do not say.
    pub outfit: Outfit,
    game: u16,
    /// Of the last tick that is part of it; `LIFETIME` before the first.
    life: u16,
    /// Of the last tick as well.
    place: Place,
    battery: u16,
    /// Battery spent so far.
    spent: u16,
    /// Ticks in which the player did not stand and charge.
    active: u16,
    /// Rows that a host has begun to send; 0 if it is complete.
    awaited: u8,
}

impl Knowledge {
    /// Nothing.
    pub const fn new() -> Self {
        Self {
            map: Map::new(),
            outfit: Outfit::NONE,
            game: 0,
            life: 0,
            place: Place::new(0, 0),
            battery: 0,
            spent: 0,
            active: 0,
            awaited: 0,
        }
    }

    /// Begins a game in which the whole map is known, or none of it.
    pub fn begin(&mut self, game: u16, size: u8) -> Result<(), StateError> {
        self.map.begin(size)?;
        // Field by field: a new value on the stack would hold a second map.
        self.outfit = Outfit::NONE;
        self.game = game;
        self.life = LIFETIME;
        self.place = Place::new(0, 0);
        (self.battery, self.spent, self.active, self.awaited) = (0, 0, 0, 0);
        Ok(())
    }

    /// The last tick that is part of it, as the life left then.
    pub const fn life(&self) -> u16 {
        self.life
    }

    /// Battery spent in the ticks that were not spent charging, and how many these were.
    pub const fn spending(&self) -> (u16, u16) {
        (self.spent, self.active)
    }

    /// Takes in a tick. The first tick of level 4 begins a new game; any other has to be the next one, or the same
    /// again. Whether something new was seen.
    pub fn observe(&mut self, sensors: &Sensors) -> Result<bool, StateError> {
        let first = sensors.life == LIFETIME - 1;
        if first && sensors.level == 4 {
            self.begin(sensors.game, sensors.size)?;
        }
        let follows = sensors.life == self.life || sensors.life + 1 == self.life;
        if self.game != sensors.game || self.map.size() != sensors.size || self.awaited != 0 || !follows {
            return Err(StateError::NotLoaded);
        }
        if !self.map.is_inside(sensors.place) {
            return Err(StateError::Inconsistent);
        }
        let mut new = false;
        for (place, terrain, _) in sensors.seen() {
            new |= self.map.learn(place, terrain);
        }
        let here = sensors.terrain[0];
        if sensors.life != self.life && !first {
            // Gifts are for those who step on them; whoever starts on one or stands on one gets nothing.
            if sensors.place != self.place {
                let outfit = self.outfit.with(here.gift());
                if outfit != self.outfit {
                    (self.spent, self.active) = (self.spent / 4, self.active / 4);
                }
                self.outfit = outfit;
            }
            let charged = if here == Terrain::Charger { CHARGE } else { 0 };
            if charged == 0 || sensors.place != self.place {
                self.spent += (self.battery + charged).saturating_sub(sensors.battery);
                self.active += 1;
                if self.active >= MEMORY {
                    (self.spent, self.active) = (self.spent / 2, self.active / 2);
                }
            }
        }
        self.life = sensors.life;
        self.place = sensors.place;
        self.battery = sensors.battery;
        Ok(new)
    }

    /// Writes a piece, starting with inner row `row` (3 for the first). Gives its length and the row to go on with;
    /// the piece that ends with the last row is the last.
    pub fn write_piece(&self, row: u8, piece: &mut [u8]) -> (usize, u8) {
        let Some((header, rows)) = piece.split_at_mut_checked(HEADER) else { return (0, row) };
        let (length, next) = self.map.write_rows(row, rows);
        header[0..2].copy_from_slice(&self.game.to_le_bytes());
        header[2..4].copy_from_slice(&self.life.to_le_bytes());
        header[4..6].copy_from_slice(&self.battery.to_le_bytes());
        header[6..8].copy_from_slice(&self.spent.to_le_bytes());
        header[8..10].copy_from_slice(&self.active.to_le_bytes());
        header[10] = self.map.size();
        header[11] = self.outfit.bits();
        header[12] = self.place.row;
        header[13] = self.place.column;
        header[14] = row;
        header[15] = next;
        (HEADER + length, next)
    }

    /// Reads a piece. They have to come in order; a first piece forgets everything before it.
    pub fn read_piece(&mut self, piece: &[u8]) -> Result<(), StateError> {
        let (header, rows) = piece.split_at_checked(HEADER).ok_or(StateError::Malformed)?;
        let word = |at: usize| u16::from_le_bytes([header[at], header[at + 1]]);
        let (size, row, next) = (header[10], header[14], header[15]);
        if row == FRAME {
            self.begin(word(0), size)?;
            self.awaited = FRAME;
        }
        if self.awaited != row || self.game != word(0) || self.map.size() != size {
            self.awaited = FRAME;
            return Err(StateError::Inconsistent);
        }
        if word(2) > LIFETIME {
            return Err(StateError::OutOfRange);
        }
        self.awaited = FRAME;
        if self.map.read_rows(row, rows)? != next {
            return Err(StateError::Malformed);
        }
        self.life = word(2);
        self.battery = word(4);
        self.spent = word(6);
        self.active = word(8);
        self.outfit = Outfit::from_bits(header[11]);
        self.place = Place::new(header[12], header[13]);
        self.awaited = if next == size - FRAME { 0 } else { next };
        Ok(())
    }
}
