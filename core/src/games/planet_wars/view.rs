//! A state as it travels over the line: what one player needs to decide, and nothing else.
//!
//! Fleets that share owner, destination and turn of arrival are one [`Force`] for every future, wherever they come from.
//! The player who decides is always player 1.
//!
//! ```text
//! planets: u8    turns left: u16
//! per planet     x: u32   y: u32   owner + 4 * growth: u8   ships: varint
//! per planet     forces, in the order of their arrival, player 1 before player 2:
//!                1 + 2 * (turns after the force before) + (player 2): varint   ships: varint
//!                0
//! ```
//!
//! Numbers are little-endian; a varint has seven bits a byte, the lowest first. Every state has one encoding only.

use heapless::Vec;

use super::rules::TURNS;
use super::space::Position;
use super::state::{MAX_FLEETS, MAX_PLANETS, Owner, Planet, Player, State};
use crate::games::StateError;
use crate::search::sort;
use crate::wire::MAX_REQUEST;

/// The longest encoded state: a request less the rest of its message.
pub const MAX_STATE: usize = MAX_REQUEST - 32;
/// The greatest growth of a planet: six bits. Official maps have at most 5.
pub const MAX_GROWTH: u8 = 63;

/// All ships of a player that reach a planet on the same turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Force {
    /// Whose: player 1 is who decides.
    pub player: Player,
    /// Planet they fly to.
    pub destination: u8,
    /// Turns until they arrive, 1 for the end of this turn.
    pub remaining: u8,
    /// How many.
    pub ships: u32,
}

/// A state as one player sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// Turns that will be played, this one included.
    pub turns_left: u16,
    /// The planets, by id.
    pub planets: Vec<Planet, MAX_PLANETS>,
    /// The forces by destination, then arrival, then player.
    pub forces: Vec<Force, MAX_FLEETS>,
}

/// Ships in one place that the line can carry: four bytes of seven bits.
const MOST_SHIPS: u32 = (1 << 28) - 1;

impl View {
    /// The state as `viewer` sees it before turn `turn` (from 1 on) of [`TURNS`].
    pub fn new(state: &State, viewer: Player, turn: u16) -> Result<Self, StateError> {
        let mut view = Self { turns_left: (TURNS + 1).saturating_sub(turn), ..Self::default() };
        for &planet in state.planets() {
            if planet.growth > MAX_GROWTH || planet.ships > MOST_SHIPS {
                return Err(StateError::OutOfRange);
            }
            let planet = Planet { owner: planet.owner.seen_by(viewer), ..planet };
            view.planets.push(planet).map_err(|_| StateError::Capacity)?;
        }
        for fleet in state.fleets() {
            let Some(player) = fleet.owner.seen_by(viewer).player() else { continue };
            let force =
                Force { player, destination: fleet.destination, remaining: fleet.remaining, ships: fleet.ships };
            // No more forces than fleets, and the state holds no more of those.
            view.forces.push(force).map_err(|_| StateError::Capacity)?;
        }
        let key = |force: &Force| (force.destination, force.remaining, force.player as u8);
        sort::by_key(&mut view.forces, key);
        let mut kept = 0;
        for index in 0..view.forces.len() {
            let force = view.forces[index];
            if kept > 0 && key(&view.forces[kept - 1]) == key(&force) {
                view.forces[kept - 1].ships = view.forces[kept - 1].ships.saturating_add(force.ships);
            } else if force.ships > 0 {
                view.forces[kept] = force;
                kept += 1;
            }
        }
        view.forces.truncate(kept);
        if view.forces.iter().any(|force| force.ships > MOST_SHIPS) {
            return Err(StateError::OutOfRange);
        }
        Ok(view)
    }

    /// The bytes for the line. A state that would not fit a request is refused.
    pub fn encode(&self) -> Result<Vec<u8, MAX_STATE>, StateError> {
        let mut bytes = Vec::new();
        let mut put = |part: &[u8]| bytes.extend_from_slice(part).map_err(|_| StateError::Capacity);
        put(&[self.planets.len() as u8])?;
        put(&self.turns_left.to_le_bytes())?;
        for planet in &self.planets {
            put(&planet.position.x.to_le_bytes())?;
            put(&planet.position.y.to_le_bytes())?;
            put(&[planet.owner as u8 | planet.growth << 2])?;
            put(&varint(planet.ships))?;
        }
        let mut forces = self.forces.iter().peekable();
        for destination in 0..self.planets.len() {
            let mut before = 0;
            while let Some(force) = forces.next_if(|force| usize::from(force.destination) == destination) {
                let later = u32::from(force.remaining - before);
                put(&varint(1 + 2 * later + u32::from(force.player == Player::Two)))?;
                put(&varint(force.ships))?;
                before = force.remaining;
            }
            put(&[0])?;
        }
        Ok(bytes)
    }

    /// A state from the line: anything that is not one is refused.
    pub fn decode(bytes: &[u8]) -> Result<Self, StateError> {
        let mut reader = Reader::new(bytes)?;
        let mut view = Self { turns_left: reader.turns_left(), ..Self::default() };
        for _ in 0..reader.planets() {
            view.planets.push(reader.planet()?).map_err(|_| StateError::Capacity)?;
        }
        while let Some(force) = reader.force()? {
            view.forces.push(force).map_err(|_| StateError::Capacity)?;
        }
        Ok(view)
    }
}

/// Seven bits a byte, the lowest first, in as few bytes as possible.
fn varint(mut number: u32) -> Vec<u8, 5> {
    let mut bytes = Vec::new();
    loop {
        let low = (number & 0x7F) as u8;
        number >>= 7;
        // Five times seven bits hold every number.
        let _ = bytes.push(if number == 0 { low } else { low | 0x80 });
        if number == 0 {
            return bytes;
        }
    }
}

/// Reads an encoded state piece by piece, so that the board keeps each in the form it needs: first every planet, then
/// forces until there are none.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    rest: &'a [u8],
    planets: u8,
    turns_left: u16,
    destination: u8,
    /// Turn of the force before, and whether it was player 2's.
    before: (u8, bool),
}

impl<'a> Reader<'a> {
    /// Reads the head.
    pub fn new(bytes: &'a [u8]) -> Result<Self, StateError> {
        let &[planets, low, high, ref rest @ ..] = bytes else { return Err(StateError::Malformed) };
        match planets {
            0 => return Err(StateError::Inconsistent),
            1..=64 => {}
            _ => return Err(StateError::Capacity),
        }
        let turns_left = u16::from_le_bytes([low, high]);
        Ok(Self { rest, planets, turns_left, destination: 0, before: (0, true) })
    }

    /// How many planets there are.
    pub const fn planets(&self) -> usize {
        self.planets as usize
    }

    /// Turns that will be played, this one included.
    pub const fn turns_left(&self) -> u16 {
        self.turns_left
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], StateError> {
        let (&taken, rest) = self.rest.split_first_chunk::<N>().ok_or(StateError::Malformed)?;
        self.rest = rest;
        Ok(taken)
    }

    fn varint(&mut self) -> Result<u32, StateError> {
        let mut number = 0;
        for shift in (0..28).step_by(7) {
            let [byte] = self.take()?;
            number |= u32::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                // A last byte of zero would be a second way to write the same number.
                return if byte == 0 && shift > 0 { Err(StateError::Malformed) } else { Ok(number) };
            }
        }
        Err(StateError::OutOfRange)
    }

    /// The next planet.
    pub fn planet(&mut self) -> Result<Planet, StateError> {
        let x = u32::from_le_bytes(self.take()?);
        let y = u32::from_le_bytes(self.take()?);
        let [kind] = self.take()?;
        let owner = Owner::new(kind & 3).ok_or(StateError::OutOfRange)?;
        let ships = self.varint()?;
        Ok(Planet { position: Position { x, y }, owner, ships, growth: kind >> 2 })
    }

    /// The next force; `None` after the last one, if nothing is left over.
    pub fn force(&mut self) -> Result<Option<Force>, StateError> {
        loop {
            if self.destination == self.planets {
                return if self.rest.is_empty() { Ok(None) } else { Err(StateError::Malformed) };
            }
            let head = self.varint()?;
            if head == 0 {
                self.destination += 1;
                self.before = (0, true);
                continue;
            }
            let (later, second) = ((head - 1) / 2, (head - 1) % 2 == 1);
            // On the same turn player 2 may follow player 1, and nobody else anybody.
            if later == 0 && (self.before.1 || !second) {
                return Err(StateError::Inconsistent);
            }
            let remaining = u8::try_from(u32::from(self.before.0) + later).map_err(|_| StateError::OutOfRange)?;
            self.before = (remaining, second);
            let ships = self.varint()?;
            if ships == 0 {
                return Err(StateError::Inconsistent);
            }
            let player = if second { Player::Two } else { Player::One };
            return Ok(Some(Force { player, destination: self.destination, remaining, ships }));
        }
    }
}
