//! The position: planets and fleets.

use heapless::Vec;

use super::space::{Distances, Position};
use crate::games::StateError;

/// Planets on a map. Official maps have 15 to 30.
pub const MAX_PLANETS: usize = 64;
/// Fleets in flight. Recorded games of real bots reach 207, of random swarms 937.
pub const MAX_FLEETS: usize = 1_024;

/// The two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Player {
    /// Player 1.
    One = 1,
    /// Player 2.
    Two = 2,
}

impl Player {
    /// Both, in order.
    pub const BOTH: [Self; 2] = [Self::One, Self::Two];

    /// The opponent.
    #[inline]
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::One => Self::Two,
            Self::Two => Self::One,
        }
    }

    /// 0 or 1, for tables.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize - 1
    }

    /// As an owner of something.
    #[inline]
    pub const fn owner(self) -> Owner {
        match self {
            Self::One => Owner::One,
            Self::Two => Owner::Two,
        }
    }
}

/// Whose a planet or a fleet is. The numbers are the contest's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Owner {
    /// Nobody's.
    #[default]
    Neutral = 0,
    /// Player 1's.
    One = 1,
    /// Player 2's.
    Two = 2,
}

impl Owner {
    /// The owner with this number.
    pub const fn new(number: u8) -> Option<Self> {
        match number {
            0 => Some(Self::Neutral),
            1 => Some(Self::One),
            2 => Some(Self::Two),
            _ => None,
        }
    }

    /// The player, unless it is nobody.
    #[inline]
    pub const fn player(self) -> Option<Player> {
        match self {
            Self::Neutral => None,
            Self::One => Some(Player::One),
            Self::Two => Some(Player::Two),
        }
    }

    /// The owner as `viewer` sees it: the viewer is always player 1.
    #[must_use]
    pub const fn seen_by(self, viewer: Player) -> Self {
        match (viewer, self) {
            (Player::Two, Self::One) => Self::Two,
            (Player::Two, Self::Two) => Self::One,
            _ => self,
        }
    }
}

/// A planet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Planet {
    /// Where it is.
    pub position: Position,
    /// Whose it is.
    pub owner: Owner,
    /// Ships on it.
    pub ships: u32,
    /// Ships that it adds each turn while somebody owns it.
    pub growth: u8,
}

/// Ships on their way. Nothing can stop or turn them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fleet {
    /// Whose they are.
    pub owner: Owner,
    /// How many.
    pub ships: u32,
    /// Planet they left.
    pub source: u8,
    /// Planet they fly to.
    pub destination: u8,
    /// Turns of the whole trip.
    pub total: u8,
    /// Turns left.
    pub remaining: u8,
}

/// A position as the referee keeps it. The agent sees it as a [`View`](super::View).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    pub(super) planets: Vec<Planet, MAX_PLANETS>,
    pub(super) fleets: Vec<Fleet, MAX_FLEETS>,
    pub(super) distances: Distances,
}

impl State {
    /// A position.
    pub fn new(
        planets: impl IntoIterator<Item = Planet>,
        fleets: impl IntoIterator<Item = Fleet>,
    ) -> Result<Self, StateError> {
        let mut state = Self::default();
        for planet in planets {
            state.planets.push(planet).map_err(|_| StateError::Capacity)?;
        }
        if state.planets.is_empty() {
            return Err(StateError::Inconsistent);
        }
        let planets = &state.planets;
        state.distances.fill(planets.len(), |id| planets[id].position)?;
        for fleet in fleets {
            let inside = |id: u8| usize::from(id) < state.planets.len();
            if !inside(fleet.source) || !inside(fleet.destination) || fleet.remaining > fleet.total {
                return Err(StateError::OutOfRange);
            }
            if fleet.remaining == 0 || fleet.owner == Owner::Neutral {
                return Err(StateError::Inconsistent);
            }
            state.fleets.push(fleet).map_err(|_| StateError::Capacity)?;
        }
        Ok(state)
    }

    /// The planets, by id.
    pub fn planets(&self) -> &[Planet] {
        &self.planets
    }

    /// The fleets; their order means nothing.
    pub fn fleets(&self) -> &[Fleet] {
        &self.fleets
    }

    /// Turns between two planets.
    pub const fn distance(&self, from: usize, to: usize) -> u8 {
        self.distances.between(from, to)
    }

    /// Ships of a player, on planets and in flight.
    pub fn ships(&self, player: Player) -> u32 {
        let owner = player.owner();
        let landed: u32 = self.planets.iter().filter(|planet| planet.owner == owner).map(|planet| planet.ships).sum();
        let flying: u32 = self.fleets.iter().filter(|fleet| fleet.owner == owner).map(|fleet| fleet.ships).sum();
        landed + flying
    }

    /// Ships that a player's planets add each turn.
    pub fn growth(&self, player: Player) -> u32 {
        let owner = player.owner();
        self.planets.iter().filter(|planet| planet.owner == owner).map(|planet| u32::from(planet.growth)).sum()
    }

    /// Whether a player owns a planet or a fleet, be it without a single ship.
    pub fn is_alive(&self, player: Player) -> bool {
        let owner = player.owner();
        self.planets.iter().any(|planet| planet.owner == owner) || self.fleets.iter().any(|fleet| fleet.owner == owner)
    }
}
