//! The decision, in slices.
//!
//! Movement is the search. Two floods find where the mech can get by walking and running, and the bounded A\* finds the
//! way to the nearest enemy beyond that. Every hex in reach is weighed against the enemies as they stand, for every facing and
//! every way to get there. If an enemy has yet to move, the best of them are weighed again against the places that it
//! could go to: it is taken to like what hurts most, but not to be perfect. The other phases are plans without search.

use super::action::{Action, Step, Steps};
use super::approach::{Pace, Ways};
use super::attack::Selection;
use super::evaluation::{Arsenal, BROKEN_HIPS, Exchange, FALL, Pose, exchange, heat_budget, moving_heat};
use super::hex::{Facing, Hex};
use super::map::{MAX_HEXES, Map, Terrain, decode_map};
use super::mech::{Mech, Mode, hexes_counted};
use super::plan;
use super::profile::Profile;
use super::reach::{FAR, Flood, Gait, Place, Reach, Start, Way, jump_clears};
use super::sight::{Eye, View, view};
use super::state::{MAX_MECHS, Phase, State};
use crate::agent::{Budget, Decision, Job, Workspace};
use crate::games::StateError;
use crate::search::Progress;
use crate::search::astar::{AStar, Buckets, Codes, Outcome};
use crate::wire::{Bounded, Mark};

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
/// declared, so that an even exchange is a gamble for a draw. More than this wins more against the source document's
/// agent, but two such agents only circle each other.
const CAUTION: i32 = 13;
/// Places that one node of a flood visits: about the work of weighing one pair of positions.
const FLOOD_PLACES: u32 = 24;
/// Entries that one node of the search for a way takes from its open list.
const WAY_ENTRIES: u32 = 12;
/// Hexes of the way to the enemy that are remembered: those nearest to the mech. Twice the longest straight way.
const TRAIL: usize = 96;
/// A hex beside the way costs so much a step, and what cannot be reached on foot so much more.
const ASIDE: i32 = 2;
const NO_WAY: i32 = 40;
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

/// A place to go to, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Candidate {
    hex: Hex,
    facing: Facing,
    mode: Mode,
    moved: u8,
    value: i32,
    /// Facings that can be had there, one bit each.
    facings: u8,
    /// What does not depend on the enemy: risk, heat.
    fixed: i32,
}

impl Candidate {
    const NONE: Self = Self {
        hex: Hex::new(0, 0),
        facing: Facing::NORTH,
        mode: Mode::Still,
        moved: 0,
        value: i32::MIN,
        facings: 0,
        fixed: 0,
    };
}

/// A place where an enemy may end its move.
#[derive(Clone, Copy, Debug)]
struct Answer {
    hex: Hex,
    mode: Mode,
    moved: u8,
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
        let rise = if me.prone { if me.can_stand() { 2 } else { FAR } } else { 0 };
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
                let foe = &state.mechs[usize::from(self.foe)];
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
                    let foe = &self.state.mechs[usize::from(self.foe)];
                    let rise = if foe.prone { 2 } else { 0 };
                    let pool = bytemuck::cast_slice_mut(tables.pool);
                    self.flood.begin(map, Start { place: foe.place(), rise }, &mut tables.foe, pool);
                    Stage::Cloud
                };
            }
            Stage::Gather => {
                self.gather(map, tables);
                self.best.value = i32::MIN;
                (self.total, self.worst) = ([0; 6], [i32::MAX; 6]);
                self.stage = if self.replies.is_empty() { Stage::Done } else { Stage::Reply(0, 0) };
            }
            Stage::Reply(candidate, reply) => self.weigh_reply(map, usize::from(candidate), usize::from(reply)),
        }
    }

    /// The graph of ways to the nearest enemy at a pace.
    fn ways<'a>(&'a self, map: &'a Map<'a>, pace: Pace) -> Ways<'a> {
        let (profile, me) = (self.state.head.profile(), self.state.head.me);
        let others = self.state.mechs.iter().enumerate().filter(|(at, _)| *at != usize::from(me));
        let in_the_way = |mech: &&Mech| mech.operational || profile.wrecks_block;
        Ways {
            map,
            profile,
            pace,
            goal: self.state.mechs[usize::from(self.nearest)].hex,
            to_strike: self.arsenals[usize::from(me)].range == 0,
            taken: others.map(|(_, mech)| mech).filter(in_the_way).map(|mech| mech.hex).collect(),
            free_ground: Ways::has_free_ground(map, profile),
        }
    }

    /// Starts the search for the way to the nearest enemy.
    fn begin_approach(&mut self, map: &Map<'_>, tables: &mut Tables<'_>, pace: Pace) -> Stage {
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
    fn search_way(&mut self, map: &Map<'_>, tables: &mut Tables<'_>, pace: Pace) {
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
            if trail.is_full() {
                // The end of a long way is forgotten first.
                trail[count % TRAIL] = entry;
            } else {
                let _ = trail.push(entry);
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
    fn left_to_go(&self, hex: Hex) -> i32 {
        let from = |&(at, left): &(Hex, i16)| i32::from(left) + ASIDE * i32::from(hex.distance(at));
        self.trail.iter().map(from).min().unwrap_or(0)
    }

    /// Weighs a hex for every way to get there and every facing. Gives whether it was in reach at all.
    fn weigh_hex(&mut self, map: &Map<'_>, tables: &mut Tables<'_>, hex: Hex) -> bool {
        let profile = self.state.head.profile();
        let me = self.state.me();
        let base = map.index(hex) * 6;
        let facings = |reach: &Reach<'_>| (0..6).filter(|&f| reach.reached(base + f)).fold(0_u8, |set, f| set | 1 << f);
        let here = hex == me.hex;
        let mut ways: heapless::Vec<(Mode, u8), 4> = heapless::Vec::new();
        if here && me.spent == 0 {
            let _ = ways.push((Mode::Still, 1 << me.facing.index()));
        }
        for (mode, reach) in [(Mode::Walk, &tables.walk), (Mode::Run, &tables.run)] {
            let set = facings(reach);
            // Getting up with too few points is the minimum move: only before any were spent.
            let points = Self::points(me, mode);
            let rises = self.start.rise != 2 || points >= 2 || me.spent == 0;
            if set != 0 && points > 0 && rises {
                let _ = ways.push((mode, set));
            }
        }
        let jump = if me.spent == 0 { me.jump_points(map) } else { 0 };
        if jump > 0
            && me.hex.distance(hex) <= jump
            && !here
            && !Self::blocked(&self.state, profile, self.state.head.me, hex)
            && jump_clears(map, profile, me.hex, hex, jump)
        {
            let _ = ways.push((Mode::Jump, 0b11_1111));
        }
        if ways.is_empty() {
            return false;
        }
        let mut views = [View::default(); MAX_MECHS];
        let to_go = self.left_to_go(hex);
        for &(mode, set) in &ways {
            let prone = me.prone && (mode == Mode::Still || self.grounded());
            let moved = match mode {
                Mode::Still => 0,
                Mode::Jump => me.hex.distance(hex),
                Mode::Walk | Mode::Run => {
                    let reach = if mode == Mode::Run { &tables.run } else { &tables.walk };
                    let most = (0..6).filter(|f| set >> f & 1 != 0).map(|f| reach.hexes_moved(base + f)).max();
                    hexes_counted(profile, most.unwrap_or(0), me.hex, hex)
                }
            };
            let pose = Pose { hex, facing: None, mode, moved, prone };
            let heat = moving_heat(mode, me.hex.distance(hex));
            let budget = heat_budget(map, me, heat, WARM);
            let mut best_dealt = [0; 6];
            let mut taken = [0; 6];
            for (at, enemy) in self.state.mechs.iter().enumerate() {
                if at == usize::from(self.state.head.me) || !enemy.operational {
                    continue;
                }
                if views[at].distance == 0 {
                    let eye = Eye::new(map, hex, prone);
                    views[at] = view(map, profile, eye, Eye::new(map, enemy.hex, enemy.prone));
                }
                let found = self.meet(map, &views[at], pose, at, None, budget);
                for f in 0..6 {
                    best_dealt[f] = best_dealt[f].max(found.dealt[f]);
                    taken[f] += found.taken[f];
                }
            }
            self.weighed += 1;
            let reach = if mode == Mode::Run { &tables.run } else { &tables.walk };
            let mut top = Candidate { hex, mode, moved, facings: set, ..Candidate::NONE };
            for facing in Facing::ALL {
                let f = usize::from(facing.index());
                if set >> f & 1 == 0 {
                    continue;
                }
                let risk = self.risk(map, profile, reach, hex, facing, mode);
                let fixed = self.standing(map, to_go, hex, best_dealt[f]) - risk - 2 * i32::from(heat);
                let value = best_dealt[f] - taken[f] * CAUTION / 10 + fixed;
                if value > top.value {
                    top = Candidate { facing, value, fixed, ..top };
                }
            }
            if top.value > self.best.value {
                self.best = top;
            }
            keep(&mut self.candidates, top);
        }
        true
    }

    /// The exchange with one enemy, as it stands or in the pose of a reply.
    fn meet(&self, map: &Map<'_>, view: &View, pose: Pose, at: usize, reply: Option<Pose>, budget: i16) -> Exchange {
        let profile = self.state.head.profile();
        let enemy = &self.state.mechs[at];
        let theirs = reply.unwrap_or_else(|| {
            if enemy.has_moved || !enemy.can_act() {
                Pose::of(enemy)
            } else {
                // It will turn to face whom it likes, and has probably walked a little.
                Pose { facing: None, mode: Mode::Walk, moved: 2, ..Pose::of(enemy) }
            }
        });
        let their_budget = heat_budget(map, enemy, moving_heat(theirs.mode, theirs.moved), WARM);
        let me = (self.state.me(), &self.arsenals[usize::from(self.state.head.me)], &pose);
        exchange(profile, map, view, me, (enemy, &self.arsenals[at], &theirs), [budget, their_budget])
    }

    /// What a place is worth by itself: near enough to fight, out of water that hides the weapons.
    fn standing(&self, map: &Map<'_>, to_go: i32, hex: Hex, dealt: i32) -> i32 {
        let enemy = &self.state.mechs[usize::from(self.nearest)];
        let straight = i32::from(hex.distance(enemy.hex));
        let level = i32::from(map.tile(hex).level().clamp(-2, 4));
        let pull = if dealt > 0 { 1 } else { 4 };
        level * 2 - pull * (to_go + 2 * straight) / 2
    }

    /// What the way to a place risks: falls, swamps.
    fn risk(&self, map: &Map<'_>, profile: &Profile, reach: &Reach<'_>, hex: Hex, facing: Facing, mode: Mode) -> i32 {
        let me = self.state.me();
        let outcomes = profile.outcomes() as i32;
        let fails = |extra: i8| outcomes - profile.ways_at_least(me.piloting_need(extra)) as i32;
        let ground = |hex: Hex| {
            let tile = map.tile(hex);
            let mut price = 0;
            if tile.rough() {
                price += fails(1) * FALL;
            }
            if tile.depth() > 0 {
                price += fails(if tile.depth() == 1 { -1 } else { 0 }) * FALL;
            }
            if tile.terrain() == Terrain::Swamp && tile.roads() == 0 {
                price += if mode == Mode::Jump { outcomes * FALL } else { fails(0) * FALL };
            }
            let factor = tile.object().full_factor();
            if factor > 0 && !tile.collapsed() && factor < me.tons {
                price += outcomes * FALL * 2;
            }
            if tile.fire() {
                price += outcomes * 40;
            }
            price
        };
        let mut sum = 0;
        match mode {
            Mode::Still => return if me.prone { FALL } else { 0 },
            Mode::Jump => {
                sum += ground(hex);
                if me.gyro_hits > 0 || me.legs.iter().any(|leg| leg.0 & 7 != 0) {
                    sum += fails(0) * FALL;
                }
            }
            Mode::Walk | Mode::Run => {
                let lame_step = if mode == Mode::Run {
                    me.gyro_hits > 0 || me.legs.iter().any(|leg| leg.hit(super::mech::Limb::JOINT))
                } else {
                    me.legs.iter().any(|leg| leg.hit(super::mech::Limb::END))
                };
                let start = Start { rise: if self.grounded() { 0 } else { self.start.rise }, ..self.start };
                reach.walk_back(map, start, Place { hex, facing }, |way, place| {
                    if matches!(way, Way::Forward | Way::Backward) {
                        sum += ground(place.hex);
                    }
                    if lame_step {
                        sum += fails(0) * FALL;
                    }
                    true
                });
                let index = Place { hex, facing }.index(map);
                if mode == Mode::Run && reach.cost.get(index).is_some_and(|&cost| self.needs_masc(cost)) {
                    let breaks = outcomes - profile.ways_at_least(i32::from(profile.masc_need(me.masc_turns))) as i32;
                    sum += breaks * BROKEN_HIPS;
                }
                if self.start.rise == 2 {
                    sum += fails(me.standing_modifier()) * FALL;
                }
                if self.grounded() {
                    sum += outcomes * FALL;
                }
            }
        }
        sum / outcomes
    }

    /// Picks the places where the enemy may end its move: evenly over those in its reach.
    fn gather(&mut self, map: &Map<'_>, tables: &Tables<'_>) {
        let foe = &self.state.mechs[usize::from(self.foe)];
        let profile = self.state.head.profile();
        let walk = foe.walk_points();
        let jump = foe.jump_points(map);
        let answer = |hex: Hex| -> Option<Answer> {
            let base = map.index(hex) * 6;
            let cheapest = (0..6).filter_map(|f| tables.foe.cost.get(base + f)).min().copied().unwrap_or(FAR);
            if cheapest != FAR {
                let mode = match cheapest {
                    0 => Mode::Still,
                    cost if cost <= walk => Mode::Walk,
                    _ => Mode::Run,
                };
                let moved = (0..6).map(|f| tables.foe.hexes_moved(base + f)).max().unwrap_or(0);
                let moved =
                    if mode == Mode::Still { 0 } else { hexes_counted(profile, moved.min(cheapest), foe.hex, hex) };
                return Some(Answer { hex, mode, moved });
            }
            let distance = foe.hex.distance(hex);
            let jumps = jump > 0 && distance <= jump && !Self::blocked(&self.state, profile, self.foe, hex);
            (jumps && jump_clears(map, profile, foe.hex, hex, jump)).then_some(Answer {
                hex,
                mode: Mode::Jump,
                moved: distance,
            })
        };
        let count = map.hexes().filter(|&hex| answer(hex).is_some()).count();
        let stride = count.div_ceil(REPLIES).max(1);
        let mut seen = 0;
        for hex in map.hexes() {
            if let Some(answer) = answer(hex) {
                if seen % stride == 0 {
                    let _ = self.replies.push(answer);
                }
                seen += 1;
            }
        }
    }

    /// Weighs one candidate against one reply.
    fn weigh_reply(&mut self, map: &Map<'_>, number: usize, reply: usize) {
        let profile = self.state.head.profile();
        let (candidate, answer) = (self.candidates[number], self.replies[reply]);
        let me = self.state.me();
        if answer.hex != candidate.hex {
            let prone = me.prone && (candidate.mode == Mode::Still || self.grounded());
            let pose = Pose { hex: candidate.hex, facing: None, mode: candidate.mode, moved: candidate.moved, prone };
            let theirs = Pose { hex: answer.hex, facing: None, mode: answer.mode, moved: answer.moved, prone: false };
            let seen = view(map, profile, Eye::new(map, pose.hex, prone), Eye::new(map, theirs.hex, false));
            let budget = heat_budget(map, me, moving_heat(pose.mode, me.hex.distance(pose.hex)), WARM);
            let found = self.meet(map, &seen, pose, usize::from(self.foe), Some(theirs), budget);
            for f in 0..6 {
                let net = found.dealt[f] - found.taken[f] * CAUTION / 10;
                self.total[f] += net;
                self.worst[f] = self.worst[f].min(net);
            }
            self.weighed += 1;
        }
        if reply + 1 < self.replies.len() {
            self.stage = Stage::Reply(number as u8, reply as u8 + 1);
            return;
        }
        let count = self.replies.len() as i32;
        for facing in Facing::ALL {
            let f = usize::from(facing.index());
            if candidate.facings >> f & 1 == 0 || self.worst[f] == i32::MAX {
                continue;
            }
            // Against the enemy as it stands, against its average place, and against its best one.
            let replies = i32::midpoint(self.total[f] / count, self.worst[f]);
            let value = (replies * 2 + candidate.value - candidate.fixed) / 3 + candidate.fixed;
            if value > self.best.value {
                self.best = Candidate { facing, value, ..candidate };
            }
        }
        (self.total, self.worst) = ([0; 6], [i32::MAX; 6]);
        self.stage = if number + 1 < self.candidates.len() { Stage::Reply(number as u8 + 1, 0) } else { Stage::Done };
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
                    let step = match way {
                        Way::Forward => Step::Forward,
                        Way::Backward => Step::Backward,
                        Way::Left => Step::Left,
                        Way::Right => Step::Right,
                    };
                    fits = steps.push(step).is_ok();
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

/// Keeps a candidate if it is among the best.
fn keep(candidates: &mut heapless::Vec<Candidate, CANDIDATES>, candidate: Candidate) {
    if candidate.value == i32::MIN {
        return;
    }
    if candidates.is_full() {
        if candidates.last().is_some_and(|last| last.value >= candidate.value) {
            return;
        }
        candidates.pop();
    }
    let at = candidates.iter().position(|other| other.value < candidate.value).unwrap_or(candidates.len());
    let _ = candidates.insert(at, candidate);
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
        let marks = [
            (Bounded::Plans, self.weighed, u32::MAX),
            (Bounded::Moves, self.candidates.len() as u32, CANDIDATES as u32),
        ];
        statistics.marks = marks.into_iter().map(|(table, used, capacity)| Mark { table, used, capacity }).collect();
    }
}
