//! Steps: what gives reason for one, and the launches that it takes.

use super::super::future::{Pair, Tables, lane, row};
use super::super::plan::{Kind, Launch, Step};
use super::PlanetWarsAgent;

impl PlanetWarsAgent {
    /// Steps for one planet: take it, take it for sure, take it from whoever takes it first, relieve it, move its ships
    /// towards the front.
    pub(super) fn propose(&mut self, tables: &Tables<'_>, planet: usize, reach: &[Pair], lost: u8, missing: u16) {
        let (side, earliest, horizon) = (self.side, self.earliest(), self.horizon);
        let timeline = self.world().timeline(tables.arrivals, planet);
        let own = side as u8;
        let other = 1 - own;
        let at_hand = |turn: usize| u32::from(lane(reach[turn - earliest], side));
        let target = planet as u8;
        let growth = self.sites[planet].growth;
        let step =
            |turn: usize, ships: u32, kind| Step { gain: 0, ships: ships as u16, target, turn: turn as u8, kind };
        let first = |from: usize, sure: bool| {
            (from.max(1 + earliest)..=horizon).find_map(|turn| {
                let against = if sure { u32::from(lane(reach[turn], 1 - side)) } else { 0 };
                let needed = u32::from(timeline.ships[turn]) + 1 + against;
                (timeline.owner[turn] != own && at_hand(turn) >= needed).then_some((turn, needed))
            })
        };
        if growth > 0 || timeline.owner[horizon] == other {
            let cheap = first(1, false);
            let sure = first(1, true);
            if let Some((turn, ships)) = cheap {
                self.suggest(step(turn, ships, Kind::Arrive));
                self.suggest(step(turn, ships, Kind::ArriveNear));
            }
            if sure != cheap
                && let Some((turn, ships)) = sure
            {
                self.suggest(step(turn, ships, Kind::Arrive));
            }
            // The turn after the opponent has paid for a neutral planet is the cheapest.
            let taken = (1..=horizon).find(|&turn| timeline.owner[turn - 1] > 1 && timeline.owner[turn] == other);
            if let Some(taken) = taken {
                let snipe = first(taken + 1, false);
                if snipe != cheap
                    && let Some((turn, ships)) = snipe
                {
                    self.suggest(step(turn, ships, Kind::Arrive));
                }
            }
            let fall = usize::from(lost);
            if fall > earliest && missing > 0 && timeline.owner[fall - 1] == own && at_hand(fall) >= u32::from(missing)
            {
                self.suggest(step(fall, u32::from(missing), Kind::Arrive));
                self.suggest(step(fall, u32::from(missing), Kind::ArriveNear));
            }
        }
        if lane(row(tables.spare, planet)[earliest], side) > 0
            && let Some(forward) = self.forward(tables, planet)
        {
            self.suggest(Step { gain: 0, ships: 0, target: forward, turn: target, kind: Kind::Move });
        }
    }

    /// The nearest own hub on the way to the front.
    fn forward(&self, tables: &Tables<'_>, planet: usize) -> Option<u8> {
        let world = self.world();
        let front = |planet: usize| usize::from(self.sites[planet].front[self.side]);
        let own = |other: &usize| lane(row(tables.spare, *other)[self.horizon], self.side) > 0;
        let detour = |other: &usize| world.trip(planet, *other) + front(*other) <= front(planet) + 3;
        let hubs = self.hubs.iter().map(|&hub| usize::from(hub));
        hubs.filter(|&other| other != planet && front(other) < front(planet))
            .filter(detour)
            .filter(own)
            .min_by_key(|&other| world.trip(planet, other))
            .map(|other| other as u8)
    }

    fn suggest(&mut self, step: Step) {
        if self.steps.push(step).is_err() {
            self.bound_met += 1;
        }
        self.steps_peak = self.steps_peak.max(self.steps.len() as u32);
    }

    /// Adds the launches of the step at hand to the plan. `false` if there are not enough ships, or none left to try.
    pub(super) fn apply(&mut self, tables: &Tables<'_>) -> bool {
        let (side, earliest) = (self.side, self.earliest());
        self.kept = self.work[side].launches().len();
        let Some(&step) = self.steps.get(self.next) else { return false };
        if step.kind != Kind::Move && self.served >> (step.target & 63) & 1 == 1 {
            return false;
        }
        self.touched.clear();
        // There is room for the first one.
        let _ = self.touched.push(step.target);
        let spare = |source: usize, turn: usize| lane(row(tables.spare, source)[turn], side);
        if step.kind == Kind::Move {
            let source = step.turn;
            let ships = spare(usize::from(source), earliest);
            let _ = self.touched.push(source);
            let launch = Launch { source, target: step.target, turn: earliest as u8, ships };
            return ships > 0 && self.work[side].push(launch);
        }
        let (target, arrival) = (usize::from(step.target), usize::from(step.turn));
        let mut missing = step.ships;
        let mut used = 1_u64 << (target & 63);
        while missing > 0 {
            let mut chosen: Option<(usize, usize)> = None;
            for source in 0..self.sites.len() {
                let trip = usize::from(self.distances.between(source, target)).max(1);
                if used >> source & 1 == 1 || trip + earliest > arrival || spare(source, arrival - trip) == 0 {
                    continue;
                }
                let better = chosen.is_none_or(|(_, best)| match step.kind {
                    Kind::ArriveNear => trip < best,
                    _ => trip > best,
                });
                if better {
                    chosen = Some((source, trip));
                }
            }
            let Some((source, trip)) = chosen else { return false };
            let turn = arrival - trip;
            let ships = missing.min(spare(source, turn));
            let launch = Launch { source: source as u8, target: step.target, turn: turn as u8, ships };
            if self.touched.push(source as u8).is_err() || !self.work[side].push(launch) {
                self.bound_met += 1;
                return false;
            }
            used |= 1 << source;
            missing -= ships;
        }
        true
    }
}
