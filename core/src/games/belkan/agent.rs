//! The decision, in slices: one search after the other until it is clear where to go.

mod unknown;

use super::depth::DepthFirst;
use super::graph::{Errand, Goal, Ground, Metric, Prices, STATES, Unknown, action_of};
use super::knowledge::Knowledge;
use super::map::Cell;
use super::plan::Plan;
use super::policy::{Leg, Outlook, Seen, Tuning};
use super::rules::{Action, Heading, Outfit, Place, Terrain};
use super::state::{AHEAD, Figure, Sensors};
use crate::agent::{Budget, Decision, Job, Workspace};
use crate::games::StateError;
use crate::search::Progress;
use crate::search::astar::{AStar, Buckets, Codes, Outcome, Report};
use crate::wire::{Bounded, Ending, MAX_LINE, Mark};

/// Words of the workspace that are labels of closed states: 36 KB for the largest map. The rest, 36 KB, is the open
/// list: 8,730 entries.
const VISITED_WORDS: usize = Codes::<2>::words(STATES);
/// Buckets of the open list. The dearest action costs 416 in the metrics of [`Outlook::metric`], and the heuristic grows
/// by at most three of the cheapest along an edge, which are no more than 21 each.
const SPAN: usize = 512;
const _: () = {
    const WEIGHTS: Tuning = Tuning::DEFAULT;
    let water = Terrain::Water.cost(Outfit::NONE);
    let guess = if WEIGHTS.wall > WEIGHTS.closed { WEIGHTS.wall } else { WEIGHTS.closed };
    let dearest = if guess > water { guess } else { water };
    let dearest = WEIGHTS.tick_poor + WEIGHTS.battery_poor * dearest;
    assert!((dearest + 3 * (WEIGHTS.tick_rich + 1)) as usize <= SPAN, "an action has to fit the open list's buckets");
};
/// Nodes between two looks at the clock: below a millisecond at 31 million instructions a second.
const SLICE: u32 = 100;
/// The same for the search depth first, whose nodes cost twice as much.
const DEPTH_SLICE: u32 = 50;
/// Nodes that a question on the side is worth: whether a charger or a gift is near.
const ASIDE: u32 = 60_000;
/// Nodes after which a decision asks no more questions, so that it is complete inside a second at 125 million
/// instructions a second.
const TOTAL: u32 = 180_000;
/// What is being searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Nothing: the action is known.
    Settled,
    /// A path, depth first.
    Depth,
    /// The way to the target.
    Target,
    /// The way to where the plan leads, on a map that has changed.
    Again,
    /// The same, round the villager ahead.
    Around,
    /// The way to a charger.
    Charger,
    /// From the charger to the target.
    ChargerOn,
    /// From the target to a charger.
    TargetOn,
    /// To the nearest gift.
    Gift,
    /// From the gift to the target.
    GiftOn,
    /// To the gift again, for it is worth it.
    GiftWay,
    /// To the nearest place from where much can be seen that is new.
    View,
    /// To the nearest unknown cell.
    Unknown,
}

/// What the plan leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    Target,
    Charger,
    Gift,
    Unknown,
}

/// Plays Belkan. The action is one byte, the action's number; the value is the cost of the way in the metric of the
/// level.
///
/// It keeps what it has seen from tick to tick. A request that does not follow the last one is refused with
/// [`StateError::NotLoaded`]: the host then sends the knowledge again.
pub struct BelkanAgent {
    knowledge: Knowledge,
    sensors: Sensors,
    tuning: Tuning,
    search: AStar<Buckets<SPAN>>,
    depth: DepthFirst,
    errand: Errand,
    prices: Prices,
    metric: Metric,
    stage: Stage,
    outlook: Outlook,
    seen: Seen,
    seen_edition: u16,
    to_target: Leg,
    to_charger: Leg,
    to_gift: Leg,
    straight: Leg,
    gift: Terrain,
    must_charge: bool,
    // The plan at hand, what it is for, and when it was made.
    plan: Plan,
    purpose: Purpose,
    plan_target: Place,
    plan_goal: Goal,
    plan_edition: u16,
    /// What the rest of it was thought to cost.
    plan_expected: u32,
    /// When it was decided where to go, and what was known and worn then.
    plan_life: u16,
    plan_landmarks: u8,
    plan_outfit: Outfit,
    /// Ticks that a villager has been waited for.
    waited: u16,
    action: Action,
    nodes: u32,
    searches: u32,
    open_peak: u32,
    visited_peak: u32,
    bound_met: u32,
    proven: bool,
}

impl Default for BelkanAgent {
    fn default() -> Self {
        Self::new()
    }
}

impl BelkanAgent {
    /// An idle agent that knows nothing.
    pub const fn new() -> Self {
        const NO_LEG: Leg = Leg { found: false, ticks: 0, battery: 0 };
        Self {
            knowledge: Knowledge::new(),
            sensors: Sensors::NONE,
            tuning: Tuning::DEFAULT,
            search: AStar::new(),
            depth: DepthFirst::new(),
            errand: Errand::NONE,
            prices: Prices::new(),
            metric: Metric::ACTIONS,
            stage: Stage::Settled,
            outlook: Outlook::NONE,
            seen: Seen::NOTHING,
            seen_edition: 0,
            to_target: NO_LEG,
            to_charger: NO_LEG,
            to_gift: NO_LEG,
            straight: NO_LEG,
            gift: Terrain::Unknown,
            must_charge: false,
            plan: Plan::new(),
            purpose: Purpose::Target,
            plan_target: Place::new(0, 0),
            plan_goal: Goal::Cell(0),
            plan_edition: 0,
            plan_expected: 0,
            plan_life: 0,
            plan_landmarks: 0,
            plan_outfit: Outfit::NONE,
            waited: 0,
            action: Action::Idle,
            nodes: 0,
            searches: 0,
            open_peak: 0,
            visited_peak: 0,
            bound_met: 0,
            proven: false,
        }
    }

    /// The same agent with other weights.
    #[must_use]
    pub const fn with_tuning(mut self, tuning: Tuning) -> Self {
        self.tuning = tuning;
        self
    }

    /// What the agent knows of the world.
    pub const fn knowledge(&self) -> &Knowledge {
        &self.knowledge
    }

    /// What is left of its plan.
    pub fn plan(&self) -> impl Iterator<Item = Action> + '_ {
        self.plan.actions()
    }

    fn memory(workspace: &mut Workspace) -> (Codes<'_, 2>, &mut [u64]) {
        let (visited, open) = workspace.words().split_at_mut(VISITED_WORDS);
        (Codes::new(visited), open)
    }

    fn ground(&self) -> Ground<'_> {
        Ground::new(&self.knowledge.map, &self.prices, &self.errand)
    }

    /// Starts a search from a cell.
    fn send(
        &mut self,
        stage: Stage,
        from: (Cell, u8, Outfit),
        goal: Goal,
        blocked: Option<Cell>,
        workspace: &mut Workspace,
    ) {
        let (cell, heading, outfit) = from;
        self.errand = Errand::new(&self.knowledge.map, cell, heading, outfit, goal, blocked);
        self.stage = stage;
        self.searches += 1;
        let (visited, open) = Self::memory(workspace);
        // Only the labels of this map's cells are cleared.
        let used = Codes::<2>::words(usize::from(self.knowledge.map.cells()) * 16);
        let mut visited = visited.shortened(used);
        let ground = Ground::new(&self.knowledge.map, &self.prices, &self.errand);
        if stage == Stage::Depth {
            self.depth.begin(&ground, self.errand.start(), &mut visited);
        } else {
            self.search.begin(&ground, self.errand.start(), u32::MAX, open, &mut visited);
        }
    }

    fn here(&self) -> (Cell, u8, Outfit) {
        let cell = self.knowledge.map.cell(self.sensors.place).unwrap_or(0);
        (cell, self.sensors.heading as u8, self.knowledge.outfit)
    }

    /// What the finished search found.
    fn leg(&mut self, workspace: &mut Workspace) -> Leg {
        let (visited, _) = Self::memory(workspace);
        let report = self.search.report();
        let (ground, mut battery) = (self.ground(), 0);
        let ticks = self.search.walk(&ground, &visited, |_, state, label| battery += ground.battery(state, label));
        Leg { found: report.reached, ticks, battery }
    }

    /// Makes the path of the finished search the plan.
    fn adopt(&mut self, purpose: Purpose, workspace: &mut Workspace) {
        let (visited, _) = Self::memory(workspace);
        let ground = Ground::new(&self.knowledge.map, &self.prices, &self.errand);
        let plan = &mut self.plan;
        if self.stage == Stage::Depth {
            let length = self.depth.path(&ground, &visited, |_, _, _| {});
            plan.begin(length);
            self.depth.path(&ground, &visited, |place, _, label| plan.set(place, action_of(label)));
        } else {
            let length = self.search.path(&ground, &visited, |_, _, _| {});
            plan.begin(length);
            self.search.path(&ground, &visited, |place, _, label| plan.set(place, action_of(label)));
            self.plan_goal = self.errand.goal();
        }
        self.purpose = purpose;
        self.plan_target = self.sensors.target;
        self.plan_edition = self.knowledge.map.edition();
        self.plan_expected = self.search.report().cost;
        if self.stage != Stage::Again && self.stage != Stage::Around {
            self.plan_life = self.sensors.life;
            self.plan_landmarks = self.landmarks();
            self.plan_outfit = self.knowledge.outfit;
        }
    }

    /// Acts by the plan, if it can be trusted with the next step.
    fn follow(&mut self) {
        self.stage = Stage::Settled;
        self.action = match self.plan.peek() {
            Some(Action::Forward) if !self.sensors.terrain[AHEAD].is_passable() => {
                self.plan.clear();
                Action::Idle
            }
            Some(action) => {
                self.plan.advance();
                action
            }
            None => Action::Idle,
        };
    }

    /// The action of a decision that is cut short: the plan's next one, if there is a plan and nothing is in its way.
    fn in_hand(&self) -> Action {
        match self.plan.peek() {
            Some(Action::Forward) if !self.sensors.terrain[AHEAD].is_passable() || self.villager_ahead() => {
                Action::Idle
            }
            Some(action) => action,
            None => Action::Idle,
        }
    }

    /// Where the last action should have led.
    fn expected(&self) -> (Place, Heading) {
        let (place, heading) = (self.sensors.place, self.sensors.heading);
        match self.action {
            Action::Forward => (place.towards(heading, 1, 0), heading),
            Action::Left => (place, heading.left()),
            Action::Right => (place, heading.right()),
            Action::Idle => (place, heading),
        }
    }

    fn rest(&mut self) {
        self.stage = Stage::Settled;
        self.action = Action::Idle;
    }

    fn villager_ahead(&self) -> bool {
        self.sensors.figures[AHEAD] == Figure::Villager
    }

    fn begin_known(&mut self, workspace: &mut Workspace) {
        let arrived = self.sensors.place == self.sensors.target;
        if arrived || self.plan.len() > 0 && self.plan_target == self.sensors.target {
            self.follow();
            return;
        }
        let (stage, metric) = match self.sensors.level {
            1 => (Stage::Depth, Metric::ACTIONS),
            2 => (Stage::Target, Metric::ACTIONS),
            _ => (Stage::Target, Metric::BATTERY),
        };
        self.metric = metric;
        self.prices.set(metric, Unknown::NONE);
        if self.sensors.level == 2 {
            // Breadth first: with every action at one price the heuristic only makes the open list longer.
            self.prices.trust_nothing();
        }
        let (cell, heading, mut outfit) = self.here();
        if self.sensors.level < 3 {
            // What one wears changes no path here. Wearing everything leaves four states to a cell instead of sixteen.
            outfit = Outfit::from_bits(3);
        }
        match self.knowledge.map.cell(self.sensors.target) {
            Some(goal) => self.send(stage, (cell, heading, outfit), Goal::Cell(goal), None, workspace),
            None => self.rest(),
        }
    }

    /// Where the finished search ended.
    fn end(&self) -> (Cell, u8, Outfit) {
        let state = self.search.best();
        let ground = self.ground();
        (ground.cell(state), (state >> 2 & 3) as u8, ground.outfit(state))
    }

    /// Nodes that the search at hand may take.
    fn enough(&self) -> u32 {
        if self.sensors.level < 4 || self.stage == Stage::Target {
            u32::MAX
        } else {
            // What the decision took before this search leaves less for it.
            let before = self.nodes - self.search.report().nodes.min(self.nodes);
            ASIDE.min(TOTAL.saturating_sub(before))
        }
    }

    /// A search is over: what next?
    fn advance(&mut self, workspace: &mut Workspace) {
        if self.stage != Stage::Depth {
            let report = self.search.report();
            self.open_peak = self.open_peak.max(report.open_peak);
            self.visited_peak = self.visited_peak.max(report.visited);
            self.bound_met = self.bound_met.saturating_add(report.lost);
        }
        if self.sensors.level < 4 {
            self.proven = self.stage == Stage::Depth || self.search.outcome() != Outcome::Partial;
            let found = if self.stage == Stage::Depth { self.depth.reached } else { self.search.report().reached };
            if found {
                self.adopt(Purpose::Target, workspace);
                self.follow();
            } else {
                self.rest();
            }
            return;
        }
        self.advance_unknown(workspace);
    }
}

impl Job for BelkanAgent {
    const SLICE: u32 = SLICE;
    const REPLY_BYTES: u32 = 96;

    fn begin(&mut self, state: &[u8], _budget: &Budget, workspace: &mut Workspace) -> Result<(), StateError> {
        let sensors = Sensors::decode(state)?;
        self.knowledge.observe(&sensors)?;
        let as_planned = (sensors.place, sensors.heading) == self.expected();
        self.sensors = sensors;
        if self.stage != Stage::Settled || !as_planned {
            // The last decision was cut short, or another action was done, or none: the plan leads from elsewhere.
            self.plan.clear();
            self.stage = Stage::Settled;
        }
        (self.nodes, self.searches) = (0, 0);
        (self.open_peak, self.visited_peak, self.bound_met) = (0, 0, 0);
        self.proven = false;
        self.action = Action::Idle;
        if sensors.life == super::rules::LIFETIME - 1 {
            self.plan.clear();
            self.waited = 0;
        }
        if sensors.level < 4 {
            self.begin_known(workspace);
        } else {
            self.begin_unknown(workspace);
        }
        Ok(())
    }

    fn step(&mut self, workspace: &mut Workspace, nodes: u32) -> Progress {
        let mut left = nodes;
        while self.stage != Stage::Settled {
            if left == 0 {
                return Progress::Pending;
            }
            let (visited, open) = Self::memory(workspace);
            let used = Codes::<2>::words(usize::from(self.knowledge.map.cells()) * 16);
            let mut visited = visited.shortened(used);
            let ground = Ground::new(&self.knowledge.map, &self.prices, &self.errand);
            let (before, progress, after) = if self.stage == Stage::Depth {
                let before = self.depth.nodes;
                let progress = self.depth.step(&ground, &mut visited, left.min(DEPTH_SLICE));
                if progress == Progress::Pending {
                    self.nodes += self.depth.nodes - before;
                    return Progress::Pending;
                }
                (before, progress, self.depth.nodes)
            } else {
                let before = self.search.report().nodes;
                let enough = self.enough();
                let progress = self.search.step(&ground, open, &mut visited, left.min(enough.saturating_sub(before)));
                (before, progress, self.search.report().nodes)
            };
            // A search that ends without taking a node still costs something.
            let used = (after - before).max(1).min(left);
            left -= used;
            self.nodes += used;
            if progress == Progress::Done || self.search.report().nodes >= self.enough() {
                self.advance(workspace);
            }
        }
        Progress::Done
    }

    fn nodes(&self) -> u32 {
        self.nodes
    }

    fn answer(&self, _workspace: &mut Workspace, decision: &mut Decision) {
        let report: Report = self.search.report();
        decision.action.clear();
        let action = if self.stage == Stage::Settled { self.action } else { self.in_hand() };
        let _ = decision.action.push(action as u8);
        let statistics = &mut decision.statistics;
        statistics.nodes = self.nodes;
        statistics.value = report.cost as i32;
        statistics.bound_met = self.bound_met;
        statistics.depth = self.searches.min(255) as u8;
        if self.proven {
            statistics.ending = Ending::Proven;
        }
        let marks = [
            (Bounded::Open, self.open_peak, report.open_capacity),
            (Bounded::Visited, self.visited_peak, u32::from(self.knowledge.map.cells()) * 16),
        ];
        statistics.marks = marks.into_iter().map(|(table, used, capacity)| Mark { table, used, capacity }).collect();
        statistics.line = self.plan.actions().take(MAX_LINE).map(|action| action as u8).collect();
    }

    fn load(&mut self, data: &[u8], _workspace: &mut Workspace) -> Result<(), StateError> {
        self.plan.clear();
        self.stage = Stage::Settled;
        self.knowledge.read_piece(data)
    }
}
