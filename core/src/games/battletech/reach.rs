//! Where a mech can get: a flood over (hex, facing), cheapest first.
//!
//! This is uniform-cost search specialised to small integer costs: a ring of buckets instead of a heap, no goal, no
//! graph in memory.

use super::hex::{Facing, Hex};
use super::map::{Go, Map};
use super::profile::Profile;
use super::sight::{Eye, line};

/// Cost of a place that cannot be reached.
pub const FAR: u8 = u8::MAX;
/// Buckets of the ring. The dearest step is 4 (deep water) + 2 (levels) + 2 (woods); the ring must be longer.
const RING: usize = 16;
/// No entry.
const NIL: u16 = u16::MAX;

/// How a place was entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Way {
    /// By a forward step.
    Forward = 0,
    /// By a backward step.
    Backward = 1,
    /// By a turn to the left.
    Left = 2,
    /// By a turn to the right.
    Right = 3,
}

impl Way {
    const ALL: [Self; 4] = [Self::Forward, Self::Backward, Self::Left, Self::Right];

    const fn of_trace(trace: u8) -> Self {
        Self::ALL[(trace & 3) as usize]
    }
}

/// A hex and a facing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Where.
    pub hex: Hex,
    /// Which way the feet point.
    pub facing: Facing,
}

impl Place {
    /// Its place in arrays over (hex, facing).
    #[inline]
    pub const fn index(self, map: &Map<'_>) -> usize {
        map.index(self.hex) * 6 + self.facing.index() as usize
    }

    /// The place of that index.
    #[inline]
    pub const fn from_index(map: &Map<'_>, index: usize) -> Self {
        Self { hex: map.hex(index / 6), facing: Facing::from_index((index % 6) as u8) }
    }

    /// Where one goes from here, and what it costs; `None` if it is forbidden or off the map.
    #[inline]
    pub fn after(self, map: &Map<'_>, profile: &Profile, way: Way, running: bool) -> Option<(Self, u8)> {
        let go = match way {
            Way::Left => return Some((Self { facing: self.facing.turned(5), ..self }, 1)),
            Way::Right => return Some((Self { facing: self.facing.turned(1), ..self }, 1)),
            Way::Forward => Go::Forward,
            Way::Backward => Go::Backward,
        };
        let hex = map.ahead(self.hex, self.facing, go)?;
        let price = map.step_cost(profile, self.hex, hex, self.facing, go, running)?;
        Some((Self { hex, ..self }, price))
    }

    /// Where the step that led here came from.
    pub(super) fn before(self, map: &Map<'_>, way: Way) -> Option<Self> {
        match way {
            Way::Forward => map.neighbour(self.hex, self.facing.opposite()).map(|hex| Self { hex, ..self }),
            Way::Backward => map.neighbour(self.hex, self.facing).map(|hex| Self { hex, ..self }),
            Way::Left => Some(Self { facing: self.facing.turned(1), ..self }),
            Way::Right => Some(Self { facing: self.facing.turned(5), ..self }),
        }
    }
}

/// How somebody moves.
#[derive(Clone, Copy, Debug)]
pub struct Gait {
    /// Running: no backward steps, no water.
    pub running: bool,
    /// Movement points to spend.
    pub points: u8,
    /// Whether the minimum-move rule may be used: one first step alone that costs more than the points.
    pub minimum_move: bool,
}

/// Where a mech may go from: its place, and what getting up costs if it lies on the ground.
#[derive(Clone, Copy, Debug, Default)]
pub struct Start {
    /// Its place.
    pub place: Place,
    /// Points to get up, after which it faces any way; 0 if it stands.
    pub rise: u8,
}

/// What a flood found, in somebody else's memory.
#[derive(Debug)]
pub struct Reach<'a> {
    /// Movement points to each place, [`FAR`] where there is no way.
    pub cost: &'a mut [u8],
    /// How each place was entered: the [`Way`] in the two low bits, above them the hexes moved so far (63 at most).
    pub trace: &'a mut [u8],
}

/// A flood in progress: a ring of buckets whose entries lie in a pool, the place in the low half of an entry and the
/// next entry in the high half. It can be stopped between any two places.
#[derive(Clone, Debug)]
pub struct Flood {
    heads: [u16; RING],
    free: u16,
    fresh: u16,
    waiting: u16,
    at: u8,
    /// How often the pool was full; each time one way was not followed.
    pub lost: u32,
    start: Start,
}

impl Default for Flood {
    fn default() -> Self {
        Self::new()
    }
}

impl Flood {
    /// Nothing to do.
    pub const fn new() -> Self {
        Self {
            heads: [NIL; RING],
            free: NIL,
            fresh: 0,
            waiting: 0,
            at: 0,
            lost: 0,
            start: Start { place: Place { hex: Hex::new(0, 0), facing: Facing::NORTH }, rise: 0 },
        }
    }

    /// Starts anew. `pool` holds the places that wait: a thousand entries are plenty for any mech.
    pub fn begin(&mut self, map: &Map<'_>, start: Start, reach: &mut Reach<'_>, pool: &mut [u32]) {
        *self = Self { start, ..Self::new() };
        let places = map.len() * 6;
        let index = start.place.index(map);
        if reach.cost.len() < places || reach.trace.len() < places || index >= places {
            return;
        }
        reach.cost[..places].fill(FAR);
        for facing in Facing::ALL {
            let index = Place { facing, ..start.place }.index(map);
            if start.rise > 0 || facing == start.place.facing {
                reach.cost[index] = start.rise;
                reach.trace[index] = 0;
                self.push(pool, start.rise, index);
            }
        }
    }

    fn push(&mut self, pool: &mut [u32], at: u8, place: usize) {
        let entry = if self.free != NIL {
            let entry = self.free;
            self.free = (pool[usize::from(entry)] >> 16) as u16;
            entry
        } else if usize::from(self.fresh) < pool.len().min(usize::from(NIL)) {
            self.fresh += 1;
            self.fresh - 1
        } else {
            self.lost += 1;
            return;
        };
        let head = &mut self.heads[usize::from(at) % RING];
        pool[usize::from(entry)] = place as u32 | u32::from(*head) << 16;
        *head = entry;
        self.waiting += 1;
    }

    fn pop(&mut self, pool: &mut [u32]) -> Option<usize> {
        let head = &mut self.heads[usize::from(self.at) % RING];
        let entry = *head;
        if entry == NIL {
            return None;
        }
        let word = pool[usize::from(entry)];
        *head = (word >> 16) as u16;
        pool[usize::from(entry)] = u32::from(self.free) << 16;
        self.free = entry;
        self.waiting -= 1;
        Some((word & 0xFFFF) as usize)
    }

    /// Visits at most `places` more places; `blocked` says which hexes may not be entered. Gives whether all is done.
    #[expect(clippy::too_many_arguments, reason = "the memory belongs to the caller")]
    pub fn run(
        &mut self,
        map: &Map<'_>,
        profile: &Profile,
        gait: Gait,
        reach: &mut Reach<'_>,
        pool: &mut [u32],
        blocked: impl Fn(Hex) -> bool,
        places: u32,
    ) -> bool {
        let mut left = places;
        while self.waiting > 0 && self.at <= gait.points {
            if left == 0 {
                return false;
            }
            let Some(index) = self.pop(pool) else {
                self.at += 1;
                continue;
            };
            if reach.cost[index] != self.at {
                continue; // reached more cheaply since
            }
            left -= 1;
            let place = Place::from_index(map, index);
            for way in Way::ALL {
                let Some((next, price)) = place.after(map, profile, way, gait.running) else { continue };
                let total = self.at.saturating_add(price);
                let to = next.index(map);
                if total > gait.points || total >= reach.cost[to] || next.hex != place.hex && blocked(next.hex) {
                    continue;
                }
                reach.enter(index, to, way, total);
                self.push(pool, total, to);
            }
        }
        self.waiting = 0;
        let Start { place, rise } = self.start;
        if gait.minimum_move && gait.points > 0 && rise == 0 {
            for way in [Way::Forward, Way::Backward] {
                let Some((next, price)) = place.after(map, profile, way, gait.running) else { continue };
                let to = next.index(map);
                if price > gait.points && reach.cost[to] == FAR && !blocked(next.hex) {
                    reach.enter(place.index(map), to, way, gait.points);
                }
            }
        }
        true
    }
}

impl Reach<'_> {
    fn enter(&mut self, from: usize, to: usize, way: Way, total: u8) {
        let moved = self.trace[from] >> 2;
        let moved = if matches!(way, Way::Forward | Way::Backward) { (moved + 1).min(63) } else { moved };
        if let (Some(cost), Some(trace)) = (self.cost.get_mut(to), self.trace.get_mut(to)) {
            (*cost, *trace) = (total, moved << 2 | way as u8);
        }
    }

    /// Whether a place was reached.
    #[inline]
    pub fn reached(&self, index: usize) -> bool {
        self.cost.get(index).is_some_and(|&cost| cost != FAR)
    }

    /// Hexes moved on the way to a place that was reached.
    #[inline]
    pub fn hexes_moved(&self, index: usize) -> u8 {
        self.trace.get(index).map_or(0, |trace| trace >> 2)
    }

    /// The way to a place, last step first, until `visit` says stop by giving false; it gets the step and where it led.
    /// Nothing for a place out of reach. Gives where the way starts: the facing after getting up.
    pub fn walk_back(
        &self,
        map: &Map<'_>,
        start: Start,
        goal: Place,
        mut visit: impl FnMut(Way, Place) -> bool,
    ) -> Place {
        let mut place = goal;
        // A way never visits a place twice, so that it is shorter than there are places.
        for _ in 0..map.len() * 6 {
            let index = place.index(map);
            let first = place.hex == start.place.hex && self.cost.get(index) == Some(&start.rise);
            if !self.reached(index) || first && (start.rise > 0 || place.facing == start.place.facing) {
                break;
            }
            let way = Way::of_trace(self.trace[index]);
            if !visit(way, place) {
                break;
            }
            match place.before(map, way) {
                Some(before) => place = before,
                None => break,
            }
        }
        place
    }
}

/// Whether a jump from `from` to `to` clears everything on its way with this many points.
pub fn jump_clears(map: &Map<'_>, profile: &Profile, from: Hex, to: Hex, points: u8) -> bool {
    let distance = from.distance(to);
    if distance == 0 || distance > points {
        return false;
    }
    let floor = i16::from(map.tile(from).footing());
    let fits = |hex: Hex| i16::from(map.tile(hex).level()) - floor <= i16::from(points);
    if !fits(to) {
        return false;
    }
    if profile.free_jump_path {
        return free_path(map, from, to, fits);
    }
    line(map, profile, Eye::on_ground(map, from), Eye::on_ground(map, to)).into_iter().all(fits)
}

/// Whether some shortest path between two hexes crosses only hexes that fit: a sweep over the hexes of all such paths.
fn free_path(map: &Map<'_>, from: Hex, to: Hex, fits: impl Fn(Hex) -> bool) -> bool {
    // Hexes at one distance on shortest paths: a line across the parallelogram, at most half the distance plus one wide.
    let mut front = heapless::Vec::<Hex, 32>::new();
    let _ = front.push(from);
    for left in (1..from.distance(to)).rev() {
        let mut next = heapless::Vec::<Hex, 32>::new();
        for &hex in &front {
            for side in Facing::ALL {
                let Some(step) = map.neighbour(hex, side) else { continue };
                if step.distance(to) == left && fits(step) && !next.contains(&step) {
                    let _ = next.push(step);
                }
            }
        }
        if next.is_empty() {
            return false;
        }
        front = next;
    }
    true
}

/// Heat of a jump over this distance.
pub const fn jump_heat(distance: u8) -> u8 {
    if distance < 3 { 3 } else { distance }
}
