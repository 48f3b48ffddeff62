//! The decision, in slices.
//!
//! Movement is the search. Two floods find where the mech can get by walking and running, and the bounded A\* finds the
//! way to the nearest enemy beyond that. Every hex in reach is weighed against the enemies as they stand, for every facing and
//! every way to get there. If an enemy has yet to move, the best of them are weighed again against the places that it
//! could go to: it is taken to like what hurts most, but not to be perfect. The other phases are plans without search.

use super::action::{Action, Step, Steps};
use super::approach::Pace;
use super::attack::Selection;
use super::evaluation::Arsenal;
use super::hex::{Facing, Hex};
use super::map::{MAX_HEXES, Map, decode_map};
use super::mech::{Mech, Mode};
use super::plan;
use super::profile::Profile;
use super::reach::{FAR, Flood, Gait, Place, Reach, Start};
use super::state::{MAX_MECHS, Phase, State};
use crate::agent::{Budget, Decision, Job, Workspace};
use crate::games::StateError;
use crate::search::Progress;
use crate::search::astar::{AStar, Buckets, Codes};
use crate::wire::{Bounded, Mark};

mod place;
mod reply;
#[cfg(test)]
mod tests;
mod way;

use place::Candidate;
use reply::Answer;

/// Places in the arrays over (hex, facing).
const PLACES: usize = MAX_HEXES * 6;
/// Entries for places that wait during a flood. The frontier of a run of 14 on open ground has about 300.
const POOL: usize = 2048;
/// Positions that are weighed again against the enemy's replies.
const CANDIDATES: usize = 20;
/// Places of an enemy that are thought of as its replies.
const REPLIES: usize = 48;
/// Heat at which a turn should end: no worse aim, one hex slower.
const WARM: u8 = 7;
/// How much a point taken weighs, in tenths of one dealt. Two mechs that shoot at each other both resolve what they
/// declared, so that an even exchange is a gamble for a draw.
const CAUTION: i32 = 20;
/// Two agents as cautious as that only circle each other. So after this turn a point taken weighs so much less with every
/// turn, down to the last of these numbers.
const PATIENCE: u8 = 12;
const IMPATIENCE: i32 = 2;
const BOLD: i32 = 6;
/// Places that one node of a flood visits: about the work of weighing one pair of positions.
const FLOOD_PLACES: u32 = 24;
/// Entries that one node of the search for a way takes from its open list.
const WAY_ENTRIES: u32 = 12;
/// Hexes of the way to the enemy that are remembered: those nearest to the mech. Twice the longest straight way.
const TRAIL: usize = 96;
/// Words of the workspace before the closed places of the search for a way.
const FLOOD_WORDS: usize = (MAX_HEXES * 4 + PLACES * 6 + POOL * 4) / 8;
/// Words of the workspace.
const WORDS: usize = FLOOD_WORDS + Codes::<4>::words(PLACES);

const _: () =
    assert!(WORDS <= crate::agent::WORKSPACE_WORDS && (MAX_HEXES * 4 + PLACES * 6 + POOL * 4).is_multiple_of(8));

/// The workspace, divided.
struct Tables<'a> {
    tiles: &'a [u32],
    /// Places that wait: a flood's, or the open list of the search for a way.
    pool: &'a mut [u64],
    /// Closed places of the search for a way.
    closed: &'a mut [u64],
    walk: Reach<'a>,
    run: Reach<'a>,
    /// Where an enemy that has yet to move can get.
    foe: Reach<'a>,
}

fn divide(workspace: &mut Workspace) -> Tables<'_> {
    let (flooded, closed) = workspace.words()[..WORDS].split_at_mut(FLOOD_WORDS);
    let (tiles, rest) = flooded.split_at_mut(MAX_HEXES / 2);
    let (pool, rest) = rest.split_at_mut(POOL / 2);
    let tiles: &[u32] = bytemuck::cast_slice(tiles);
    let bytes: &mut [u8] = bytemuck::cast_slice_mut(rest);
    let (walk_cost, bytes) = bytes.split_at_mut(PLACES);
    let (walk_trace, bytes) = bytes.split_at_mut(PLACES);
    let (run_cost, bytes) = bytes.split_at_mut(PLACES);
    let (run_trace, bytes) = bytes.split_at_mut(PLACES);
    let (foe_cost, foe_trace) = bytes.split_at_mut(PLACES);
    Tables {
        tiles,
        pool,
        closed,
        walk: Reach { cost: walk_cost, trace: walk_trace },
        run: Reach { cost: run_cost, trace: run_trace },
        foe: Reach { cost: foe_cost, trace: foe_trace },
    }
}

/// Where the search of a move is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Not a move: one step makes the plan.
    Plan,
    /// Flooding by walking.
    Walk,
    /// Flooding by running.
    Run,
    /// Looking for the way to the nearest enemy.
    Approach(Pace),
    /// Weighing hexes, next this one.
    Weigh(u16),
    /// Flooding an enemy that has yet to move, for its replies.
    Cloud,
    /// Collecting its replies.
    Gather,
    /// Weighing candidate and reply of these numbers.
    Reply(u8, u8),
    /// Nothing left.
    Done,
}

/// Plays `BattleTech`. The state is a [`State`], the map is loaded before; the action is an [`Action`]; the value is in
/// thousandths of a mech.
pub struct BattletechAgent {
    rows: u8,
    cols: u8,
    state: State,
    arsenals: [Arsenal; MAX_MECHS],
    stage: Stage,
    flood: Flood,
    start: Start,
    best: Candidate,
    candidates: heapless::Vec<Candidate, CANDIDATES>,
    replies: heapless::Vec<Answer, REPLIES>,
    /// The search for the way to the nearest enemy, and the hexes of what it found with the points left from each.
    way: AStar<Buckets<32>>,
    trail: heapless::Vec<(Hex, i16), TRAIL>,
    /// The enemy whose replies are weighed.
    foe: u8,
    nearest: u8,
    /// Sums and worst cases over the replies to one candidate, by facing.
    total: [i32; 6],
    worst: [i32; 6],
    action: Option<Action>,
    value: i32,
    nodes: u32,
    lost: u32,
    /// Positions weighed: a place of the mech and a way to get there against a place of an enemy, all facings at once.
    /// In the phases without search, plans compared.
    weighed: u32,
    selection: Selection,
}

impl Default for BattletechAgent {
    fn default() -> Self {
        Self::new()
    }
}

impl BattletechAgent {
    /// An idle agent.
    pub const fn new() -> Self {
        Self {
            rows: 0,
            cols: 0,
            state: State::new(),
            arsenals: [const { Arsenal::new() }; MAX_MECHS],
            stage: Stage::Done,
            flood: Flood::new(),
            start: Start { place: Place { hex: Hex::new(0, 0), facing: Facing::NORTH }, rise: 0 },
            best: Candidate::NONE,
            candidates: heapless::Vec::new(),
            replies: heapless::Vec::new(),
            way: AStar::new(),
            trail: heapless::Vec::new(),
            foe: 0,
            nearest: 0,
            total: [0; 6],
            worst: [0; 6],
            action: None,
            value: 0,
            nodes: 0,
            lost: 0,
            weighed: 0,
            selection: Selection::new(),
        }
    }

    /// What a mech has to fight with.
    fn arsenal(&self, at: u8) -> &Arsenal {
        &self.arsenals[usize::from(at) % MAX_MECHS]
    }

    /// How much a point taken weighs now, in tenths of one dealt.
    fn caution(&self) -> i32 {
        let late = i32::from(self.state.head.turn.saturating_sub(PATIENCE));
        (CAUTION - IMPATIENCE * late).max(BOLD)
    }

    fn blocked(state: &State, profile: &Profile, who: u8, hex: Hex) -> bool {
        let others = state.mechs.iter().enumerate().filter(|(at, _)| *at != usize::from(who));
        others.into_iter().any(|(_, other)| other.hex == hex && (other.operational || profile.wrecks_block))
    }

    /// Movement points of a mode, less what was spent before a fall; a run's with MASC where there is one.
    fn points(mech: &Mech, mode: Mode) -> u8 {
        if mech.spent > 0 && mech.mode != mode {
            return 0;
        }
        let points = match mode {
            Mode::Run if mech.spent == 0 => mech.masc_points().max(mech.run_points()),
            Mode::Run => mech.run_points(),
            _ => mech.walk_points(),
        };
        points.saturating_sub(mech.spent)
    }

    fn begin_move(&mut self, map: &Map<'_>, tables: &mut Tables<'_>) {
        let me = self.state.me();
        let need = me.piloting_need(me.standing_modifier());
        let may_rise = me.can_stand() && self.state.head.profile().ways_at_least(need) > 0;
        let rise = if me.prone { if may_rise { 2 } else { FAR } } else { 0 };
        self.start = Start { place: me.place(), rise };
        self.best = Candidate { hex: me.hex, facing: me.facing, ..Candidate::NONE };
        self.candidates.clear();
        self.replies.clear();
        let mine = self.state.head.me;
        let enemies = || {
            let all = self.state.mechs.iter().enumerate();
            all.filter(|(at, enemy)| *at != usize::from(mine) && enemy.operational)
        };
        let nearest = enemies().min_by_key(|(at, enemy)| (me.hex.distance(enemy.hex), *at));
        self.nearest = nearest.map_or(mine, |(at, _)| at as u8);
        let to_come = enemies().filter(|(_, enemy)| !enemy.has_moved && enemy.can_act());
        let foe = to_come.min_by_key(|(at, enemy)| (me.hex.distance(enemy.hex), *at));
        self.foe = foe.map_or(mine, |(at, _)| at as u8);
        self.stage = Stage::Walk;
        self.begin_flood(map, tables, Mode::Walk);
    }

    /// Starts the flood of the stage at hand.
    fn begin_flood(&mut self, map: &Map<'_>, tables: &mut Tables<'_>, mode: Mode) {
        let mut start = self.start;
        if start.rise == FAR {
            start.rise = 0; // it cannot get up: it turns on the ground
        }
        let reach = if mode == Mode::Run { &mut tables.run } else { &mut tables.walk };
        self.flood.begin(map, start, reach, bytemuck::cast_slice_mut(tables.pool));
    }

    /// Whether so many points of a run can only be had with MASC.
    fn needs_masc(&self, cost: u8) -> bool {
        let me = self.state.me();
        me.masc && me.spent == 0 && cost > me.run_points()
    }

    /// Whether the mech lies on the ground for good.
    const fn grounded(&self) -> bool {
        self.start.rise == FAR
    }

    fn run_flood(&mut self, map: &Map<'_>, tables: &mut Tables<'_>) -> bool {
        let profile = self.state.head.profile();
        let (state, mine) = (&self.state, self.state.head.me);
        let grounded = self.start.rise == FAR;
        let pool: &mut [u32] = bytemuck::cast_slice_mut(tables.pool);
        match self.stage {
            Stage::Walk | Stage::Run => {
                let running = self.stage == Stage::Run;
                let me = state.me();
                let points = Self::points(me, if running { Mode::Run } else { Mode::Walk });
                let gait = Gait { running, points, minimum_move: me.spent == 0 && !running && !grounded };
                let reach = if running { &mut tables.run } else { &mut tables.walk };
                let blocked = |hex| grounded || Self::blocked(state, profile, mine, hex);
                self.flood.run(map, profile, gait, reach, pool, blocked, FLOOD_PLACES)
            }
            _ => {
                let foe = state.mech(self.foe);
                let gait = Gait { running: true, points: foe.run_points().max(foe.walk_points()), minimum_move: false };
                let who = self.foe;
                // The mech that decides will be gone from its hex; everybody else is in the way.
                let blocked = |hex| hex != state.me().hex && Self::blocked(state, profile, who, hex);
                self.flood.run(map, profile, gait, &mut tables.foe, pool, blocked, FLOOD_PLACES)
            }
        }
    }

    /// One node of the search for a move.
    fn advance(&mut self, map: &Map<'_>, tables: &mut Tables<'_>) {
        match self.stage {
            Stage::Plan | Stage::Done => {}
            Stage::Walk | Stage::Run | Stage::Cloud => {
                if !self.run_flood(map, tables) {
                    return;
                }
                self.lost += self.flood.lost;
                self.stage = match self.stage {
                    Stage::Walk => {
                        self.begin_flood(map, tables, Mode::Run);
                        Stage::Run
                    }
                    Stage::Run => self.begin_approach(map, tables, Pace::Run),
                    _ => Stage::Gather,
                };
            }
            Stage::Approach(pace) => self.search_way(map, tables, pace),
            Stage::Weigh(from) => {
                let mut index = usize::from(from);
                while index < map.len() {
                    let hex = map.hex(index);
                    index += 1;
                    if self.weigh_hex(map, tables, hex) {
                        self.stage = Stage::Weigh(index as u16);
                        return;
                    }
                }
                self.stage = if self.foe == self.state.head.me || self.candidates.is_empty() {
                    Stage::Done
                } else {
                    let foe = self.state.mech(self.foe);
                    let rise = if foe.prone { 2 } else { 0 };
                    let pool = bytemuck::cast_slice_mut(tables.pool);
                    self.flood.begin(map, Start { place: foe.place(), rise }, &mut tables.foe, pool);
                    Stage::Cloud
                };
            }
            Stage::Gather => {
                self.gather(map, tables);
                (self.total, self.worst) = ([0; 6], [i32::MAX; 6]);
                self.stage = if self.replies.is_empty() { Stage::Done } else { Stage::Reply(0, 0) };
            }
            Stage::Reply(candidate, reply) => self.weigh_reply(map, usize::from(candidate), usize::from(reply)),
        }
    }

    /// The plan of a phase without search.
    fn make_plan(&mut self, map: &Map<'_>) {
        let (state, arsenals) = (&self.state, &self.arsenals);
        match state.head.phase {
            Phase::Movement => {}
            Phase::Reaction => {
                let (sides, value, weighed) = plan::best_twist(map, state, arsenals, &mut self.selection);
                self.action = Some(Action::Twist(sides));
                (self.value, self.weighed) = (value / 2, weighed);
            }
            Phase::Weapons => {
                let fire = plan::best_fire(map, state, arsenals, state.me().torso, &mut self.selection);
                (self.value, self.weighed) = (fire.value, fire.weighed);
                let primary = fire.primary.filter(|_| !fire.shots.is_empty());
                self.action = Some(if fire.shots.is_empty() && plan::wants_club(map, state) {
                    Action::PickUp
                } else {
                    Action::Fire { primary, shots: fire.shots }
                });
            }
            Phase::Physical => {
                let (blows, value) = plan::best_blows(map, state, arsenals);
                self.value = value;
                self.action = Some(Action::Strike(blows));
            }
            Phase::End => self.action = Some(plan::best_end(state)),
        }
    }

    /// The move that leads to the best place.
    fn move_action(&self, map: &Map<'_>, tables: &Tables<'_>) -> Action {
        let best = &self.best;
        match best.mode {
            Mode::Still => Action::Still,
            Mode::Jump => Action::Jump { to: best.hex, facing: best.facing },
            Mode::Walk | Mode::Run => {
                let run = best.mode == Mode::Run;
                let reach = if run { &tables.run } else { &tables.walk };
                let start = Start { rise: if self.grounded() { 0 } else { self.start.rise }, ..self.start };
                let mut steps = Steps::new();
                let goal = Place { hex: best.hex, facing: best.facing };
                let mut fits = true;
                let first = reach.walk_back(map, start, goal, |way, _| {
                    fits = steps.push(way.into()).is_ok();
                    fits
                });
                if start.rise > 0 {
                    fits &= steps.push(Step::Stand(first.facing)).is_ok();
                }
                steps.reverse();
                let masc = run && reach.cost.get(goal.index(map)).is_some_and(|&cost| self.needs_masc(cost));
                if !fits || steps.is_empty() { Action::Still } else { Action::Go { run, masc, steps } }
            }
        }
    }
}

impl Job for BattletechAgent {
    /// A position takes up to 62,000 instructions where the lines of sight are long: two milliseconds on the slowest board,
    /// inside the margin that every deadline keeps.
    const SLICE: u32 = 1;
    const REPLY_BYTES: u32 = 256;

    fn load(&mut self, data: &[u8], workspace: &mut Workspace) -> Result<(), StateError> {
        (self.rows, self.cols) = (0, 0);
        let words: &mut [u32] = bytemuck::cast_slice_mut(&mut workspace.words()[..MAX_HEXES / 2]);
        (self.rows, self.cols) = decode_map(data, words)?;
        Ok(())
    }

    fn begin(&mut self, state: &[u8], _budget: &Budget, workspace: &mut Workspace) -> Result<(), StateError> {
        if self.rows == 0 {
            return Err(StateError::NotLoaded);
        }
        self.nodes = 0;
        self.lost = 0;
        self.weighed = 0;
        self.value = 0;
        self.action = None;
        self.stage = Stage::Done;
        let mut tables = divide(workspace);
        let map = Map::new(self.rows, self.cols, tables.tiles)?;
        self.state.decode(state, &map)?;
        let profile = self.state.head.profile();
        for (arsenal, mech) in self.arsenals.iter_mut().zip(&self.state.mechs) {
            arsenal.study(profile, mech);
        }
        if self.state.head.phase == Phase::Movement {
            self.begin_move(&map, &mut tables);
        } else {
            self.stage = Stage::Plan;
        }
        Ok(())
    }

    #[inline(never)]
    fn step(&mut self, workspace: &mut Workspace, nodes: u32) -> Progress {
        let mut tables = divide(workspace);
        let Ok(map) = Map::new(self.rows, self.cols, tables.tiles) else { return Progress::Done };
        if self.stage == Stage::Plan {
            self.make_plan(&map);
            self.nodes += 1;
            self.stage = Stage::Done;
        }
        for _ in 0..nodes {
            if self.stage == Stage::Done {
                return Progress::Done;
            }
            self.advance(&map, &mut tables);
            self.nodes += 1;
        }
        if self.stage == Stage::Done { Progress::Done } else { Progress::Pending }
    }

    fn nodes(&self) -> u32 {
        self.nodes
    }

    fn answer(&self, workspace: &mut Workspace, decision: &mut Decision) {
        let tables = divide(workspace);
        let phase = self.state.head.phase;
        let action = match (&self.action, Map::new(self.rows, self.cols, tables.tiles)) {
            (Some(action), _) => action.clone(),
            (None, Ok(map)) if phase == Phase::Movement => self.move_action(&map, &tables),
            _ => Action::nothing(phase),
        };
        decision.action = action.encode();
        let statistics = &mut decision.statistics;
        statistics.nodes = self.nodes;
        statistics.depth = match self.stage {
            Stage::Done if !self.replies.is_empty() => 2,
            _ => 1,
        };
        statistics.value = if phase == Phase::Movement { self.best.value } else { self.value };
        statistics.bound_met = self.lost;
        statistics.cutoffs = self.weighed;
        let mark = Mark { table: Bounded::Plans, used: self.candidates.len() as u32, capacity: CANDIDATES as u32 };
        let _ = statistics.marks.push(mark);
    }
}
