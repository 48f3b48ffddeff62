//! The decision, in slices: the best plan against an opponent who answers.
//!
//! A *round* has three parts. First the best plan for this side is put together, against what the opponent is thought to
//! do: every step that could pay is weighed alone, then the best few are each combined with all others that still pay.
//! Then, in the same way, the opponent's best answer to that plan, from the next turn on. Then every plan of one side
//! found so far is weighed against every plan of the other, and the plan whose worst case is best is the decision so far.
//!
//! A node is the future of one planet over the horizon; weighing a plan takes one for every planet.

use heapless::Vec;

use super::future::{
    MAX_SHIPS, MAX_TOUCHED, Pair, ROW, SHIP, Site, TABLE_WORDS, Tables, World, lane, pair, row, row_mut,
};
use super::plan::{Kind, Launch, MAX_STEPS, Plan, Step};
use super::space::{Distances, Position};
use super::state::{MAX_PLANETS, Owner, Player};
use super::view::Reader;
use crate::agent::{Budget, Decision, Job, Workspace};
use crate::games::StateError;
use crate::search::Progress;
use crate::wire::{Bounded, MAX_ACTION, Mark};

/// Turns looked ahead.
const HORIZON: usize = 40;
/// Best steps that a plan is begun with.
const STARTS: usize = 4;
/// Rounds at most. Each adds a plan to either side, next to the plan of doing nothing.
const ROUNDS: usize = 3;
/// Sources whose spare ships one node adds up.
const CHUNK: usize = 8;
/// Nodes between two looks at the clock: below a millisecond at 31 million instructions a second.
const SLICE: u32 = 8;
/// Bytes of an order on the line.
const ORDER_BYTES: usize = 4;

/// What is being worked out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Goal {
    /// A plan for a side: its base.
    Base,
    /// What each step is worth alone.
    Alone,
    /// Steps on top of each other, beginning with one of the best.
    Together,
    /// A plan of this side against one of the other.
    Payoff,
}

/// The part of it at hand; each goes through the planets one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Ships that each planet can spare.
    Spare,
    /// Spare ships that can reach each planet.
    Reach,
    /// The worth of the plans.
    Value,
    /// The next step's launches.
    Apply,
    /// What the step changes at the planets it touches.
    Touch,
    /// The worth with the step.
    Weigh,
    /// The step becomes part of the plan.
    Commit,
    /// Nothing is left to do.
    Done,
}

/// Plays Planet Wars. The action is a list of orders of four bytes each: source, target, ships (little-endian). The value
/// is in [`SHIP`]ths of a ship, the lead that the siege of every planet leaves after the horizon.
pub struct PlanetWarsAgent {
    sites: Vec<Site, MAX_PLANETS>,
    distances: Distances,
    horizon: usize,
    nodes: u32,
    goal: Goal,
    phase: Phase,
    /// Planet, chunk or touched planet that is next.
    at: usize,
    chunk: usize,
    /// Who plans: 0 this side, 1 the opponent.
    side: usize,
    round: usize,
    /// Worth summed up so far.
    sum: i32,
    /// Worth of the plan without the step at hand.
    base: i32,
    /// Worth of a side's empty plan.
    empty: i32,
    /// Worth of the best combination of this search, and which start it is at.
    top: i32,
    start: usize,
    next: usize,
    steps: Vec<Step, MAX_STEPS>,
    scored: usize,
    touched: Vec<u8, MAX_TOUCHED>,
    /// The plan at work of either side, and its length before the step at hand.
    work: [Plan; 2],
    kept: usize,
    /// A bit for each planet that a step of the plan at work sends ships to: its other steps are alternatives.
    served: u64,
    /// Plans found so far; the first of each side is to do nothing.
    found: [[Plan; ROUNDS + 1]; 2],
    payoff: [[i32; ROUNDS + 1]; ROUNDS + 1],
    pairing: (usize, usize),
    best: Plan,
    best_value: i32,
    /// Plans weighed, those of the opponent included, and how many of them paid.
    weighed: u32,
    paid: u32,
    steps_peak: u32,
    bound_met: u32,
}

impl Default for PlanetWarsAgent {
    fn default() -> Self {
        Self::new()
    }
}

impl PlanetWarsAgent {
    /// An idle agent.
    pub const fn new() -> Self {
        Self {
            sites: Vec::new(),
            distances: Distances::new(),
            horizon: HORIZON,
            nodes: 0,
            goal: Goal::Base,
            phase: Phase::Done,
            at: 0,
            chunk: 0,
            side: 0,
            round: 0,
            sum: 0,
            base: 0,
            empty: 0,
            top: 0,
            start: 0,
            next: 0,
            steps: Vec::new(),
            scored: 0,
            touched: Vec::new(),
            work: [const { Plan::new() }; 2],
            kept: 0,
            served: 0,
            found: [const { [const { Plan::new() }; ROUNDS + 1] }; 2],
            payoff: [[0; ROUNDS + 1]; ROUNDS + 1],
            pairing: (0, 0),
            best: Plan::new(),
            best_value: 0,
            weighed: 0,
            paid: 0,
            steps_peak: 0,
            bound_met: 0,
        }
    }

    fn world(&self) -> World<'_> {
        let [mine, his] = &self.work;
        World { sites: &self.sites, distances: &self.distances, horizon: self.horizon, plans: [mine, his] }
    }

    /// First turn on which the planning side may launch: the opponent answers what he has seen, a turn later.
    const fn earliest(&self) -> usize {
        self.side
    }

    /// Begins the search for a plan of `side` against the other side's plan at work.
    fn plan_for(&mut self, side: usize) {
        self.side = side;
        self.work[side].clear();
        self.served = 0;
        self.steps.clear();
        self.scored = 0;
        self.goal = Goal::Base;
        self.enter(Phase::Spare);
    }

    fn enter(&mut self, phase: Phase) {
        self.phase = phase;
        self.at = 0;
        self.chunk = 0;
        self.sum = 0;
    }

    /// Works on one node.
    fn node(&mut self, tables: &mut Tables<'_>) {
        match self.phase {
            Phase::Spare => {
                let at = self.at;
                self.world().spare(tables.arrivals, at, row_mut(tables.spare, at));
                self.at += 1;
                if self.at == self.sites.len() {
                    self.enter(Phase::Reach);
                }
            }
            Phase::Reach => self.add_reach(tables),
            Phase::Value => {
                self.sum += self.worth(tables, self.at, self.goal == Goal::Base);
                self.at += 1;
                if self.at == self.sites.len() {
                    self.valued();
                }
            }
            Phase::Apply => {
                if self.apply(tables) {
                    self.enter(Phase::Touch);
                } else {
                    self.turn_down();
                }
            }
            Phase::Touch => {
                let (index, planet) = (self.at, usize::from(self.touched[self.at]));
                let change = row_mut(tables.change, index);
                self.world().spare(tables.arrivals, planet, change);
                for (change, before) in change.iter_mut().zip(row(tables.spare, planet)) {
                    *change = change.wrapping_sub(*before);
                }
                self.at += 1;
                if self.at == self.touched.len() {
                    self.enter(Phase::Weigh);
                }
            }
            Phase::Weigh => {
                self.sum += self.worth(tables, self.at, false);
                self.at += 1;
                if self.at == self.sites.len() {
                    self.weighed();
                }
            }
            Phase::Commit => self.commit(tables),
            Phase::Done => {}
        }
    }

    /// Adds the spare ships of some planets to those that can reach the planet at hand.
    fn add_reach(&mut self, tables: &mut Tables<'_>) {
        let target = self.at;
        let planets = self.sites.len();
        let first = self.chunk * CHUNK;
        let world = self.world();
        let reach = row_mut(tables.reach, target);
        if first == 0 {
            reach.fill(0);
        }
        for source in first..(first + CHUNK).min(planets) {
            if source != target {
                add_late(&mut reach[..=self.horizon], row(tables.spare, source), world.trip(source, target));
            }
        }
        self.chunk += 1;
        if self.chunk * CHUNK >= planets {
            self.chunk = 0;
            self.at += 1;
        }
        if self.at == planets {
            match self.goal {
                Goal::Together => {
                    self.base = self.empty;
                    self.next = self.start;
                    self.enter(Phase::Apply);
                }
                _ => self.enter(Phase::Value),
            }
        }
    }

    /// What a planet is worth to the side that plans, and, if asked, the steps that it gives reason for.
    fn worth(&mut self, tables: &Tables<'_>, planet: usize, propose: bool) -> i32 {
        let site = self.sites[planet];
        let world = self.world();
        let mut reach = *row(tables.reach, planet);
        let mut spare = row(tables.spare, planet)[self.horizon];
        if self.phase == Phase::Weigh {
            for (index, &touched) in self.touched.iter().enumerate() {
                let change = row(tables.change, index);
                let touched = usize::from(touched);
                if touched == planet {
                    spare = spare.wrapping_add(change[self.horizon]);
                } else {
                    add_late(&mut reach[..=self.horizon], change, world.trip(touched, planet));
                }
            }
        }
        let stands = i32::from(lane(spare, self.side)) * (64 - i32::from(site.front[self.side].min(64)));
        let siege = if propose {
            let siege = world.siege::<true>(tables.arrivals, planet, &reach, self.side);
            self.propose(tables, planet, &reach, siege.lost[self.side], siege.missing[self.side]);
            siege
        } else {
            world.siege::<false>(tables.arrivals, planet, &reach, self.side)
        };
        let value = if self.side == 0 { siege.value } else { -siege.value };
        value + stands
    }

    /// Steps for one planet: take it, take it for sure, take it from whoever takes it first, relieve it, move its ships
    /// towards the front.
    fn propose(&mut self, tables: &Tables<'_>, planet: usize, reach: &[Pair; ROW], lost: u8, missing: u16) {
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

    /// The nearest own planet on the way to the front.
    fn forward(&self, tables: &Tables<'_>, planet: usize) -> Option<u8> {
        let world = self.world();
        let front = |planet: usize| usize::from(self.sites[planet].front[self.side]);
        let own = |other: &usize| lane(row(tables.spare, *other)[self.horizon], self.side) > 0;
        let detour = |other: &usize| world.trip(planet, *other) + front(*other) <= front(planet) + 3;
        (0..self.sites.len())
            .filter(|&other| other != planet && front(other) < front(planet))
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
    fn apply(&mut self, tables: &Tables<'_>) -> bool {
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

    /// The plans without a step have their worth.
    fn valued(&mut self) {
        self.weighed += 1;
        if self.goal == Goal::Payoff {
            let (mine, his) = self.pairing;
            self.payoff[mine][his] = self.sum;
            self.next_payoff();
            return;
        }
        (self.base, self.empty, self.top) = (self.sum, self.sum, self.sum);
        let slot = self.round + 1;
        self.found[self.side][slot].clear();
        self.goal = Goal::Alone;
        self.next = 0;
        self.enter(Phase::Apply);
    }

    /// The step at hand cannot be done, or does not pay.
    fn turn_down(&mut self) {
        let kept = self.kept;
        self.work[self.side].truncate(kept);
        self.advance();
    }

    /// The step at hand has been weighed.
    fn weighed(&mut self) {
        let gain = self.sum - self.base;
        self.weighed += 1;
        self.paid += u32::from(gain > 0);
        match self.goal {
            Goal::Alone => {
                let mut step = self.steps[self.next];
                step.gain = gain;
                // Those that pay are kept at the front, the best first.
                if gain > 0 {
                    if self.scored == 0 || gain > self.steps[0].gain {
                        self.prefer(self.sum);
                    }
                    let place = self.steps[..self.scored].iter().position(|other| other.gain < gain);
                    let place = place.unwrap_or(self.scored);
                    self.steps.copy_within(place..self.next, place + 1);
                    self.steps[place] = step;
                    self.scored += 1;
                }
                self.turn_down();
            }
            _ => {
                if gain > 0 || self.next == self.start {
                    self.base = self.sum;
                    if let Some(step) = self.steps.get(self.next).filter(|step| step.kind != Kind::Move) {
                        self.served |= 1 << (step.target & 63);
                    }
                    self.enter(Phase::Commit);
                } else {
                    self.turn_down();
                }
            }
        }
    }

    /// The step becomes part of the plan: what it changes is carried to every planet.
    fn commit(&mut self, tables: &mut Tables<'_>) {
        let planet = self.at;
        let horizon = self.horizon;
        let distances = &self.distances;
        let reach = row_mut(tables.reach, planet);
        for (index, &touched) in self.touched.iter().enumerate() {
            let touched = usize::from(touched);
            if touched != planet {
                let trip = usize::from(distances.between(touched, planet)).max(1);
                add_late(&mut reach[..=horizon], row(tables.change, index), trip);
            }
        }
        self.at += 1;
        if self.at == self.sites.len() {
            for (index, &touched) in self.touched.iter().enumerate() {
                let change = row(tables.change, index);
                for (spare, change) in row_mut(tables.spare, usize::from(touched)).iter_mut().zip(change) {
                    *spare = spare.wrapping_add(*change);
                }
            }
            if self.base > self.top {
                self.top = self.base;
                let slot = self.round + 1;
                let plan = &self.work[self.side];
                self.found[self.side][slot].copy_from(plan);
                self.prefer(self.base);
            }
            self.advance();
        }
    }

    /// Until the first round is over, the best plan so far is the decision.
    fn prefer(&mut self, value: i32) {
        if self.side == 0 && self.round == 0 {
            let [mine, _] = &self.work;
            self.best.copy_from(mine);
            self.best_value = value;
        }
    }

    /// Something to do before anything is weighed, for whoever asks for very few nodes: the planet whose growth pays best
    /// of those that the strongest own planet can take alone.
    fn first_thought(&mut self, tables: &Tables<'_>) {
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

    /// On to the next step.
    fn advance(&mut self) {
        if self.goal == Goal::Alone {
            self.next += 1;
            if self.next < self.steps.len() {
                self.enter(Phase::Apply);
            } else if self.scored == 0 {
                self.prefer(self.empty);
                self.planned();
            } else {
                self.steps.truncate(self.scored);
                self.goal = Goal::Together;
                (self.start, self.next) = (0, 0);
                self.base = self.empty;
                self.enter(Phase::Apply);
            }
            return;
        }
        // After the start come all others, the best first.
        let after = if self.next == self.start { 0 } else { self.next + 1 };
        self.next = if after == self.start { after + 1 } else { after };
        if self.next < self.steps.len() {
            self.enter(Phase::Apply);
            return;
        }
        self.start += 1;
        if self.start < STARTS.min(self.steps.len()) {
            self.work[self.side].clear();
            self.served = 0;
            self.enter(Phase::Spare);
        } else {
            self.planned();
        }
    }

    /// The plan of the side is as good as it gets.
    fn planned(&mut self) {
        let slot = self.round + 1;
        if self.side == 0 {
            let known = (0..slot).any(|index| same(&self.found[0][index], &self.found[0][slot]));
            if known && self.round > 0 {
                self.phase = Phase::Done;
                return;
            }
            let [mine, _] = &mut self.work;
            mine.copy_from(&self.found[0][slot]);
            self.plan_for(1);
        } else {
            self.goal = Goal::Payoff;
            self.side = 0;
            self.pairing = (0, slot);
            self.pay();
        }
    }

    fn pay(&mut self) {
        let (mine, his) = self.pairing;
        self.work[0].copy_from(&self.found[0][mine]);
        self.work[1].copy_from(&self.found[1][his]);
        self.enter(Phase::Spare);
    }

    /// On to the next pair of plans: all old ones against the new one of the opponent, then the new one against all.
    fn next_payoff(&mut self) {
        let slot = self.round + 1;
        self.pairing = match self.pairing {
            (mine, his) if his == slot && mine < slot => (mine + 1, if mine + 1 == slot { 0 } else { slot }),
            (mine, his) if his < slot => (mine, his + 1),
            _ => {
                self.settle();
                return;
            }
        };
        self.pay();
    }

    /// The round is over: the plan whose worst case is best is the decision so far, and the next round is against the
    /// opponent's answer to it.
    fn settle(&mut self) {
        let slot = self.round + 1;
        let worst = |mine: usize| (0..=slot).map(|his| self.payoff[mine][his]).min().unwrap_or(i32::MIN);
        let mut chosen = 0;
        for mine in 1..=slot {
            if worst(mine) > worst(chosen) {
                chosen = mine;
            }
        }
        self.best_value = worst(chosen);
        let answer = (0..=slot).min_by_key(|&his| self.payoff[chosen][his]).unwrap_or(0);
        self.best.copy_from(&self.found[0][chosen]);
        self.round += 1;
        if self.round == ROUNDS {
            self.phase = Phase::Done;
            return;
        }
        self.work[1].copy_from(&self.found[1][answer]);
        self.plan_for(0);
    }

    /// Reads a state into the agent and the tables.
    fn take_in(&mut self, state: &[u8], tables: &mut Tables<'_>) -> Result<(), StateError> {
        let mut reader = Reader::new(state)?;
        let mut positions = [Position::default(); MAX_PLANETS];
        let mut ships = [0_u32; 2];
        let mut alive = [false; 2];
        let mut total = 0_u32;
        self.sites.clear();
        for position in positions.iter_mut().take(reader.planets()) {
            let planet = reader.planet()?;
            *position = planet.position;
            total = total.saturating_add(planet.ships).saturating_add(u32::from(planet.growth) * ROW as u32);
            if total > MAX_SHIPS {
                return Err(StateError::Capacity);
            }
            if let Some(player) = planet.owner.player() {
                ships[player.index()] += planet.ships;
                alive[player.index()] = true;
            }
            let site = Site { owner: planet.owner, growth: planet.growth, ships: planet.ships as u16, front: [64; 2] };
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
            let arrivals = row_mut(tables.arrivals, usize::from(force.destination));
            if let Some(slot) = arrivals.get_mut(usize::from(force.remaining)) {
                *slot += pair(force.player.index(), force.ships as u16);
            }
        }
        if alive != [true; 2] || reader.turns_left() == 0 {
            return Err(StateError::GameOver);
        }
        self.horizon = HORIZON.min(usize::from(reader.turns_left())).max(1);
        for planet in 0..self.sites.len() {
            for player in Player::BOTH {
                let rivals = (0..self.sites.len()).filter(|&other| self.sites[other].owner == player.other().owner());
                let nearest = rivals.map(|other| self.distances.between(planet, other)).min();
                self.sites[planet].front[player.index()] = nearest.unwrap_or(0);
            }
        }
        Ok(())
    }
}

/// Adds a row to another, so many turns later.
#[inline]
fn add_late(sum: &mut [Pair], row: &[Pair; ROW], late: usize) {
    if let Some(sum) = sum.get_mut(late..) {
        for (sum, add) in sum.iter_mut().zip(row) {
            *sum = sum.wrapping_add(*add);
        }
    }
}

fn same(one: &Plan, other: &Plan) -> bool {
    one.launches() == other.launches()
}

impl Job for PlanetWarsAgent {
    const SLICE: u32 = SLICE;
    const REPLY_BYTES: u32 = 160;

    fn begin(&mut self, state: &[u8], _budget: &Budget, workspace: &mut Workspace) -> Result<(), StateError> {
        let mut tables = Tables::new(workspace.words());
        self.phase = Phase::Done;
        self.best.clear();
        for plans in &mut self.found {
            plans.iter_mut().for_each(Plan::clear);
        }
        self.work.iter_mut().for_each(Plan::clear);
        (self.nodes, self.round, self.best_value) = (0, 0, 0);
        (self.steps_peak, self.bound_met) = (0, 0);
        (self.weighed, self.paid) = (0, 0);
        self.take_in(state, &mut tables)?;
        self.first_thought(&tables);
        self.plan_for(0);
        Ok(())
    }

    fn step(&mut self, workspace: &mut Workspace, nodes: u32) -> Progress {
        let mut tables = Tables::new(workspace.words());
        for _ in 0..nodes {
            if self.phase == Phase::Done {
                return Progress::Done;
            }
            self.node(&mut tables);
            self.nodes += 1;
        }
        if self.phase == Phase::Done { Progress::Done } else { Progress::Pending }
    }

    fn nodes(&self) -> u32 {
        self.nodes
    }

    fn answer(&self, _workspace: &mut Workspace, decision: &mut Decision) {
        let mut left = [0_u16; MAX_PLANETS];
        for (left, site) in left.iter_mut().zip(&self.sites) {
            *left = if site.owner == Owner::One { site.ships } else { 0 };
        }
        let mut orders: Vec<[u8; ORDER_BYTES], { MAX_ACTION / ORDER_BYTES }> = Vec::new();
        for launch in self.best.launches().iter().filter(|launch| launch.turn == 0) {
            // Never more than there are, whatever the plan says.
            let left = &mut left[usize::from(launch.source) % MAX_PLANETS];
            let ships = launch.ships.min(*left);
            *left -= ships;
            let [low, high] = ships.to_le_bytes();
            let ends = |order: &&mut [u8; ORDER_BYTES]| order[..2] == [launch.source, launch.target];
            if let Some([.., old_low, old_high]) = orders.iter_mut().find(ends) {
                let together = u16::from_le_bytes([*old_low, *old_high]) + ships;
                [*old_low, *old_high] = together.to_le_bytes();
            } else if ships > 0 {
                // A plan has fewer launches than there is room for orders.
                let _ = orders.push([launch.source, launch.target, low, high]);
            }
        }
        decision.action = orders.iter().flatten().copied().collect();
        let statistics = &mut decision.statistics;
        statistics.nodes = self.nodes;
        statistics.depth = self.round as u8;
        statistics.value = self.best_value;
        statistics.bound_met = self.bound_met;
        (statistics.cutoffs, statistics.first_cutoffs) = (self.weighed, self.paid);
        let mark = Mark { table: Bounded::Plans, used: self.steps_peak, capacity: MAX_STEPS as u32 };
        let _ = statistics.marks.push(mark);
    }
}

const _: () = assert!(TABLE_WORDS <= crate::agent::WORKSPACE_WORDS);
const _: () = assert!(HORIZON < ROW && SHIP > 64);

#[cfg(test)]
mod tests;
