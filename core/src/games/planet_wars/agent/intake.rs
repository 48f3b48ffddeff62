//! A state as the agent keeps it, and what can be done without any search.

use heapless::Vec;

use super::super::future::{MAX_SHIPS, ROW, Site, Tables, lane, pair, row, row_mut};
use super::super::plan::Launch;
use super::super::reach;
use super::super::space::Position;
use super::super::state::{MAX_PLANETS, Owner, Player};
use super::super::view::Reader;
use super::{HORIZON, PlanetWarsAgent};
use crate::games::StateError;

impl PlanetWarsAgent {
    /// Reads a state into the agent and the tables.
    pub(super) fn take_in(&mut self, state: &[u8], tables: &mut Tables<'_>) -> Result<(), StateError> {
        let mut reader = Reader::new(state)?;
        let mut positions = [Position::default(); MAX_PLANETS];
        let mut weights = [0_u32; MAX_PLANETS];
        let mut alive = [false; 2];
        let mut total = 0_u32;
        self.sites.clear();
        for (position, weight) in positions.iter_mut().zip(&mut weights).take(reader.planets()) {
            let planet = reader.planet()?;
            *position = planet.position;
            total = total.saturating_add(planet.ships).saturating_add(u32::from(planet.growth) * ROW as u32);
            if total > MAX_SHIPS {
                return Err(StateError::Capacity);
            }
            // What it will have at the horizon, if it is somebody's, or if it is taken half way there.
            let grown = u32::from(planet.growth) * HORIZON as u32;
            *weight = if planet.owner == Owner::Neutral { grown / 2 } else { planet.ships + grown };
            if let Some(player) = planet.owner.player() {
                alive[player.index()] = true;
            }
            let site =
                Site { owner: planet.owner, growth: planet.growth, ships: planet.ships as u16, ..Site::default() };
            self.sites.push(site).map_err(|_| StateError::Capacity)?;
        }
        self.distances.fill(self.sites.len(), |id| positions[id % MAX_PLANETS])?;
        tables.arrivals.fill(0);
        while let Some(force) = reader.force()? {
            total = total.saturating_add(force.ships);
            if total > MAX_SHIPS {
                return Err(StateError::Capacity);
            }
            alive[force.player.index()] = true;
            let destination = usize::from(force.destination);
            if let (Some(site), Some(weight)) = (self.sites.get_mut(destination), weights.get_mut(destination)) {
                site.awaited = true;
                *weight += force.ships;
            }
            let arrivals = row_mut(tables.arrivals, destination);
            if let Some(slot) = arrivals.get_mut(usize::from(force.remaining)) {
                *slot += pair(force.player.index(), force.ships as u16);
            }
        }
        if alive != [true; 2] || reader.turns_left() == 0 {
            return Err(StateError::GameOver);
        }
        self.horizon = HORIZON.min(usize::from(reader.turns_left())).max(1);
        self.hubs = reach::choose(weights.iter().copied().take(self.sites.len()));
        self.survey();
        Ok(())
    }

    /// How far each planet is from either side's nearest, and from its hub.
    fn survey(&mut self) {
        let mut owned: [Vec<u8, MAX_PLANETS>; 2] = [const { Vec::new() }; 2];
        for (planet, site) in self.sites.iter().enumerate() {
            if let Some(player) = site.owner.player() {
                // There is room for all planets.
                let _ = owned[player.index()].push(planet as u8);
            }
        }
        let Self { sites, distances, hubs, .. } = self;
        for (planet, site) in sites.iter_mut().enumerate() {
            for player in Player::BOTH {
                let rivals = owned[player.other().index()].iter();
                let nearest = rivals.map(|&other| distances.between(planet, other.into())).min();
                site.front[player.index()] = nearest.unwrap_or(0);
            }
            let approach = |&(_, &hub): &(usize, &u8)| match usize::from(hub) {
                hub if hub == planet => 0,
                hub => distances.between(planet, hub).max(1),
            };
            if let Some(nearest) = hubs.iter().enumerate().min_by_key(approach) {
                (site.hub, site.approach) = (nearest.0 as u8, approach(&nearest));
            }
        }
    }

    /// Something to do before anything is weighed, for whoever asks for very few nodes: the planet whose growth pays best
    /// of those that the strongest own planet can take alone.
    pub(super) fn first_thought(&mut self, tables: &Tables<'_>) {
        let own = (0..self.sites.len()).filter(|&planet| self.sites[planet].owner == Owner::One);
        let Some(source) = own.max_by_key(|&planet| self.sites[planet].ships) else { return };
        let ships = i32::from(self.sites[source].ships);
        let mut best = (0, None);
        for (target, site) in self.sites.iter().enumerate() {
            let trip = i32::from(self.distances.between(source, target)).max(1);
            let growth = i32::from(site.growth);
            let (needed, lost) = match site.owner {
                Owner::One => continue,
                Owner::Two => (i32::from(site.ships) + growth * trip + 1, 0),
                Owner::Neutral => (i32::from(site.ships) + 1, i32::from(site.ships)),
            };
            let gain = growth * (self.horizon as i32 - trip) - lost;
            let under_way = row(tables.arrivals, target).iter().any(|&arriving| lane(arriving, 0) > 0);
            if needed < ships && gain > best.0 && !under_way {
                best = (gain, Some((target, needed)));
            }
        }
        if let (_, Some((target, needed))) = best {
            let launch = Launch { source: source as u8, target: target as u8, turn: 0, ships: needed as u16 };
            // An empty plan has room.
            let _ = self.best.push(launch);
        }
    }
}
