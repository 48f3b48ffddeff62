//! The way to an enemy that is beyond this turn's reach: three graphs over (hex, facing), none of them stored, searched
//! by the bounded A\*.
//!
//! *Running* asks for the ground's price without water and backward steps, *walking* for its price with both, and the
//! *distance* graph for none: every step and every turn costs 1. The agent tries them in this order, so that a mech that
//! cannot get somewhere on foot still knows which way to jump.

use super::hex::Hex;
use super::map::{Map, Terrain};
use super::profile::Profile;
use super::reach::{Place, Way};
use super::state::MAX_MECHS;
use crate::search::astar::{Cost, Edge, Follow, Graph, Label, State, Visited};

/// Which of the three graphs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// On the run.
    Run,
    /// At a walk.
    Walk,
    /// As if nothing lay between.
    Distance,
}

impl Pace {
    /// The next one to try.
    pub const fn next(self) -> Option<Self> {
        match self {
            Self::Run => Some(Self::Walk),
            Self::Walk => Some(Self::Distance),
            Self::Distance => None,
        }
    }
}

/// A graph of ways towards a hex.
#[derive(Clone, Debug)]
pub struct Ways<'a> {
    /// The ground.
    pub map: &'a Map<'a>,
    /// The rules in force.
    pub profile: &'a Profile,
    /// Which graph.
    pub pace: Pace,
    /// The enemy's hex: the way ends next to it.
    pub goal: Hex,
    /// Whether it has to end facing the enemy, no more than a level above or below: what a blow asks for.
    pub to_strike: bool,
    /// Hexes that may not be entered.
    pub taken: heapless::Vec<Hex, MAX_MECHS>,
    /// Whether some ground costs nothing, which no distance bounds from below.
    pub free_ground: bool,
}

/// Ways by their labels, from 1.
const WAYS: [Way; 4] = [Way::Forward, Way::Backward, Way::Left, Way::Right];

impl Ways<'_> {
    /// Whether a map has ground that costs nothing to enter.
    pub fn has_free_ground(map: &Map<'_>, profile: &Profile) -> bool {
        let free = |hex: Hex| map.tile(hex).terrain() == Terrain::Water && map.tile(hex).level() > 0;
        profile.hill_water_free && map.hexes().any(free)
    }

    fn place(&self, state: State) -> Place {
        Place::from_index(self.map, state as usize)
    }

    /// Where the way of a label leads and what it costs.
    fn follow(&self, place: Place, label: Label) -> Option<(Place, Cost)> {
        let way = *WAYS.get(usize::from(label).checked_sub(1)?)?;
        let (next, price) = match (self.pace, way) {
            (Pace::Distance, Way::Backward) => return None,
            (Pace::Distance, Way::Forward) => (Place { hex: self.map.neighbour(place.hex, place.facing)?, ..place }, 1),
            _ => place.after(self.map, self.profile, way, self.pace == Pace::Run)?,
        };
        let blocked = next.hex != place.hex && (next.hex == self.goal || self.taken.contains(&next.hex));
        (!blocked).then_some((next, Cost::from(price)))
    }

    /// The cost of the last step of a path to a state, and whether it entered a new hex.
    pub fn last_step(&self, state: State, label: Label) -> (Cost, bool) {
        let Some(before) = self.before(state, label) else { return (0, false) };
        self.follow(before, label).map_or((0, false), |(after, price)| (price, after.hex != before.hex))
    }

    fn before(&self, state: State, label: Label) -> Option<Place> {
        let way = *WAYS.get(usize::from(label).checked_sub(1)?)?;
        self.place(state).before(self.map, way)
    }
}

impl Graph for Ways<'_> {
    type Spot = Place;

    fn spot(&self, state: State) -> Place {
        self.place(state)
    }

    fn successors<V: Visited>(&self, place: &Place, _: Label, visited: &mut V, mut edges: impl Follow<V>) {
        for label in 1..=WAYS.len() as Label {
            if let Some((next, cost)) = self.follow(*place, label) {
                let heuristic = self.heuristic(&next);
                edges.follow(visited, Edge { to: next.index(self.map) as State, label, cost, heuristic });
            }
        }
    }

    fn heuristic(&self, place: &Place) -> Cost {
        if self.free_ground && self.pace != Pace::Distance {
            return 0;
        }
        Cost::from(place.hex.distance(self.goal).saturating_sub(1))
    }

    fn is_goal(&self, place: &Place) -> bool {
        if place.hex.distance(self.goal) > 1 {
            return false;
        }
        let rise = self.map.tile(place.hex).footing().abs_diff(self.map.tile(self.goal).footing());
        !self.to_strike || rise <= 1 && self.map.neighbour(place.hex, place.facing) == Some(self.goal)
    }

    fn predecessor<V: Visited>(&self, state: State, label: Label, _visited: &V) -> State {
        self.before(state, label).map_or(state, |place| place.index(self.map) as State)
    }
}

#[cfg(test)]
mod tests {
    use super::super::hex::Facing;
    use super::super::map::{Object, Tile};
    use super::super::reach::{Flood, Gait, Reach, Start};
    use super::*;
    use crate::search::Progress;
    use crate::search::astar::{AStar, Buckets, Codes, Outcome};
    use proptest::prelude::*;
    use std::vec::Vec;

    fn search(ways: &Ways<'_>, start: Place) -> (Outcome, Cost, u32) {
        let (mut open, mut closed) = ([0; 1024], [0; Codes::<4>::words(16 * 16 * 6)]);
        let mut search: AStar<Buckets<32>> = AStar::new();
        let from = start.index(ways.map) as State;
        search.begin(ways, from, u32::MAX, &mut open, &mut Codes::<4>::new(&mut closed));
        while search.step(ways, &mut open, &mut Codes::<4>::new(&mut closed), 50) == Progress::Pending {}
        let mut sum = 0;
        search.path(ways, &Codes::<4>::new(&mut closed), |_, state, label| sum += ways.last_step(state, label).0);
        (search.outcome(), search.report().cost, sum)
    }

    proptest! {
        #![proptest_config(crate::cases(64))]
        /// The search finds what a flood of everything finds, on any ground, in both profiles.
        #[test]
        fn the_search_agrees_with_a_flood(
            ground in prop::collection::vec((-2..4_i8, 0..4_u8, 0..8_u8), 144),
            from in 0..144_usize, to in 0..144_usize, book: bool, run: bool, to_strike: bool,
        ) {
            let tiles: Vec<u32> = ground.iter().map(|&(level, terrain, object)| {
                let terrain = [Terrain::Open, Terrain::Open, Terrain::Water, Terrain::Swamp][usize::from(terrain)];
                let object = Object::from_code(object).filter(|_| object < 3).unwrap_or(Object::None);
                Tile::new(level, terrain, object).bits()
            }).collect();
            let map = Map::new(12, 12, &tiles).unwrap();
            let profile = if book { &Profile::BOOK } else { &Profile::UGR };
            let (start, goal) = (Place { hex: map.hex(from), facing: Facing::NORTH }, map.hex(to));
            prop_assume!(start.hex != goal);
            let pace = if run { Pace::Run } else { Pace::Walk };
            let free_ground = Ways::has_free_ground(&map, profile);
            let ways = Ways { map: &map, profile, pace, goal, to_strike, taken: heapless::Vec::new(), free_ground };
            let (outcome, cost, sum) = search(&ways, start);
            let (mut costs, mut trace, mut pool) = ([0; 864], [0; 864], [0; 1024]);
            let mut reach = Reach { cost: &mut costs, trace: &mut trace };
            let mut flood = Flood::new();
            flood.begin(&map, Start { place: start, rise: 0 }, &mut reach, &mut pool);
            let gait = Gait { running: run, points: 250, minimum_move: false };
            flood.run(&map, profile, gait, &mut reach, &mut pool, |hex| hex == goal, u32::MAX);
            let nearest = (0..864).filter(|&at| ways.is_goal(&ways.spot(at as u32)) && reach.reached(at)).map(|at| reach.cost[at]).min();
            if let Some(nearest) = nearest {
                prop_assert_eq!((outcome, cost, sum), (Outcome::Optimal, nearest.into(), nearest.into()));
            } else {
                prop_assert_eq!(outcome, Outcome::Unreachable);
            }
        }
    }
}
