//! The way to an enemy beyond this turn's reach: the bounded A\* over the graphs of [`Ways`].

use super::{BattletechAgent, Stage, TRAIL, Tables, WAY_ENTRIES};
use crate::games::battletech::approach::{Pace, Ways};
use crate::games::battletech::hex::Hex;
use crate::games::battletech::map::Map;
use crate::games::battletech::mech::Mech;
use crate::games::battletech::reach::Place;
use crate::search::Progress;
use crate::search::astar::{Codes, Outcome};

/// A hex beside the way costs so much a step, and what cannot be reached on foot so much more.
const ASIDE: i32 = 2;
const NO_WAY: i32 = 40;

impl BattletechAgent {
    /// The graph of ways to the nearest enemy at a pace.
    pub(super) fn ways<'a>(&'a self, map: &'a Map<'a>, pace: Pace) -> Ways<'a> {
        let (profile, me) = (self.state.head.profile(), self.state.head.me);
        let others = self.state.mechs.iter().enumerate().filter(|(at, _)| *at != usize::from(me));
        let in_the_way = |mech: &&Mech| mech.operational || profile.wrecks_block;
        Ways {
            map,
            profile,
            pace,
            goal: self.state.mech(self.nearest).hex,
            to_strike: self.arsenal(me).range == 0,
            taken: others.map(|(_, mech)| mech).filter(in_the_way).map(|mech| mech.hex).collect(),
            free_ground: Ways::has_free_ground(map, profile),
        }
    }

    /// Starts the search for the way to the nearest enemy.
    pub(super) fn begin_approach(&mut self, map: &Map<'_>, tables: &mut Tables<'_>, pace: Pace) -> Stage {
        self.trail.clear();
        if self.nearest == self.state.head.me {
            return Stage::Weigh(0);
        }
        let mut way = core::mem::take(&mut self.way);
        let start = self.start.place.index(map) as u32;
        way.begin(&self.ways(map, pace), start, u32::MAX, tables.pool, &mut Codes::<4>::new(tables.closed));
        self.way = way;
        Stage::Approach(pace)
    }

    /// One node of that search. Where one graph has no way the next one is tried.
    pub(super) fn search_way(&mut self, map: &Map<'_>, tables: &mut Tables<'_>, pace: Pace) {
        let mut way = core::mem::take(&mut self.way);
        let ways = self.ways(map, pace);
        let progress = way.step(&ways, tables.pool, &mut Codes::<4>::new(tables.closed), WAY_ENTRIES);
        if progress == Progress::Pending {
            self.way = way;
            return;
        }
        let report = way.report();
        if !report.reached
            && way.outcome() == Outcome::Unreachable
            && let Some(next) = pace.next()
        {
            self.lost += report.lost;
            self.stage = self.begin_approach(map, tables, next);
            return;
        }
        // From the end back to the mech: what is left to pay from each hex.
        let mut left = if report.reached && pace != Pace::Distance {
            0
        } else {
            NO_WAY + 4 * i32::from(Place::from_index(map, way.best() as usize).hex.distance(ways.goal))
        };
        let mut trail = heapless::Vec::<(Hex, i16), TRAIL>::new();
        let mut count = 0;
        way.path(&ways, &Codes::<4>::new(tables.closed), |_, state, label| {
            let entry = (Place::from_index(map, state as usize).hex, left as i16);
            // The end of a long way is forgotten first.
            if trail.push(entry).is_err()
                && let Some(oldest) = trail.get_mut(count % TRAIL)
            {
                *oldest = entry;
            }
            count += 1;
            left += ways.last_step(state, label).0 as i32;
        });
        let _ = trail.push((self.start.place.hex, left as i16));
        self.lost += report.lost;
        (self.way, self.trail) = (way, trail);
        self.stage = Stage::Weigh(0);
    }

    /// Movement points from a hex to the nearest enemy: along the way that was found, and aside to it.
    pub(super) fn left_to_go(&self, hex: Hex) -> i32 {
        let from = |&(at, left): &(Hex, i16)| i32::from(left) + ASIDE * i32::from(hex.distance(at));
        self.trail.iter().map(from).min().unwrap_or(0)
    }
}
