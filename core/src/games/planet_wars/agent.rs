//! The decision, in slices: the best plan against an opponent who answers.
//!
//! A *round* has three parts. First the best plan for this side is put together, against what the opponent is thought to
//! do: every step that could pay is weighed alone, then the best few are each combined with all others that still pay.
//! Then, in the same way, the opponent's best answer to that plan, from the next turn on. Then every plan of one side
//! found so far is weighed against every plan of the other, and the plan whose worst case is best is the decision so far.
//!
//! A node is the future of one planet over the horizon; weighing a plan takes one for every planet.

use heapless::Vec;

use super::future::{DELAY, MAX_TOUCHED, ROW, SHIP, Site, TABLE_WORDS, Tables, World, lane, row, row_mut};
use super::plan::{Kind, MAX_STEPS, Plan, Step};
use super::reach::{Hubs, add_late};
use super::space::Distances;
use super::state::{MAX_PLANETS, Owner};
use crate::agent::{Budget, Decision, Job, Workspace};
use crate::games::StateError;
use crate::search::Progress;
use crate::wire::{Bounded, MAX_ACTION, Mark};

mod intake;
mod rounds;
mod steps;

/// Turns looked ahead.
const HORIZON: usize = 40;
/// Best steps that a plan is begun with.
const STARTS: usize = 4;
/// Rounds at most. Each adds a plan to either side, next to the plan of doing nothing.
const ROUNDS: usize = 3;
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
    /// Ships that each planet can spare, and that pass the hubs.
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
    hubs: Hubs,
    horizon: usize,
    nodes: u32,
    goal: Goal,
    phase: Phase,
    /// Planet or touched planet that is next.
    at: usize,
    /// Who plans: 0 this side, 1 the opponent.
    side: usize,
    round: usize,
    /// Plans made so far, this side's and the opponent's in turn, and how many may be made.
    depth: u8,
    deepest: u8,
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
            hubs: Hubs::new(),
            horizon: HORIZON,
            nodes: 0,
            goal: Goal::Base,
            phase: Phase::Done,
            at: 0,
            side: 0,
            round: 0,
            depth: 0,
            deepest: u8::MAX,
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
        World {
            sites: &self.sites,
            distances: &self.distances,
            horizon: self.horizon,
            plans: [mine, his],
            hubs: &self.hubs,
        }
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
        self.sum = 0;
    }

    /// Works on one node.
    fn node(&mut self, tables: &mut Tables<'_>) {
        match self.phase {
            Phase::Spare => {
                let at = self.at;
                let world = self.world();
                world.spare(tables.arrivals, at, row_mut(tables.spare, at));
                world.pass(tables, at);
                self.at += 1;
                if self.at == self.sites.len() {
                    self.enter(Phase::Reach);
                }
            }
            Phase::Reach => {
                self.world().gather(tables, self.at);
                self.at += 1;
                if self.at == self.sites.len() {
                    self.reached();
                }
            }
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

    /// The spare ships are where they can be.
    fn reached(&mut self) {
        if self.goal == Goal::Together {
            self.base = self.empty;
            self.next = self.start;
            self.enter(Phase::Apply);
        } else {
            self.enter(Phase::Value);
        }
    }

    /// What a planet is worth to the side that plans, and, if asked, the steps that it gives reason for.
    fn worth(&mut self, tables: &Tables<'_>, planet: usize, propose: bool) -> i32 {
        let site = self.sites[planet];
        let world = self.world();
        if !propose && world.is_quiet(planet) {
            return 0;
        }
        let mut rush = [0; ROW + DELAY];
        let (_, reach) = rush.split_at_mut(DELAY);
        reach.copy_from_slice(row(tables.reach, planet));
        let mut spare = row(tables.spare, planet)[self.horizon];
        if self.phase == Phase::Weigh {
            for (index, &touched) in self.touched.iter().enumerate() {
                let change = row(tables.change, index);
                let touched = usize::from(touched);
                if touched == planet {
                    spare = spare.wrapping_add(change[self.horizon]);
                } else {
                    add_late(&mut reach[..=self.horizon], change, world.route(touched, planet));
                }
            }
        }
        let stands = i32::from(lane(spare, self.side)) * (64 - i32::from(site.front[self.side].min(64)));
        let siege = if propose {
            let siege = world.siege::<true>(tables.arrivals, planet, &rush, self.side);
            self.propose(tables, planet, &rush[DELAY..], siege.lost[self.side], siege.missing[self.side]);
            siege
        } else {
            world.siege::<false>(tables.arrivals, planet, &rush, self.side)
        };
        siege.value + stands
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
        let world = self.world();
        let reach = row_mut(tables.reach, planet);
        for (index, &touched) in self.touched.iter().enumerate() {
            let touched = usize::from(touched);
            if touched != planet {
                add_late(&mut reach[..=world.horizon], row(tables.change, index), world.route(touched, planet));
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
}

impl Job for PlanetWarsAgent {
    const SLICE: u32 = SLICE;
    const REPLY_BYTES: u32 = 160;

    fn begin(&mut self, state: &[u8], budget: &Budget, workspace: &mut Workspace) -> Result<(), StateError> {
        let mut tables = Tables::new(workspace.words());
        self.phase = Phase::Done;
        self.best.clear();
        for plans in &mut self.found {
            plans.iter_mut().for_each(Plan::clear);
        }
        self.work.iter_mut().for_each(Plan::clear);
        (self.nodes, self.round, self.best_value) = (0, 0, 0);
        (self.depth, self.deepest) = (0, budget.depth.unwrap_or(u8::MAX));
        (self.steps_peak, self.bound_met) = (0, 0);
        (self.weighed, self.paid) = (0, 0);
        self.take_in(state, &mut tables)?;
        let planets = 0..self.sites.len();
        planets.for_each(|planet| self.world().lay(tables.ways, planet));
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
        statistics.depth = self.depth;
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
