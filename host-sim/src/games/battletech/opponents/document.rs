//! The agent of the source document, as it describes itself and with the slips of its published program.
//!
//! It walks, never runs: towards the nearest place from which it would see where the enemy may go. It turns its torso to
//! the first step towards the enemy, fires the easiest shots until its heat budget is used up, and strikes with
//! everything that may strike.

use std::collections::{BTreeSet, BinaryHeap, HashMap};

use rival_core::games::battletech::action::{Aim, Blows, Shot, Shots, Step, Steps};
use rival_core::games::battletech::arcs::arc;
use rival_core::games::battletech::attack::{easiest_first, location_bears};
use rival_core::games::battletech::equipment::minimum_modifier;
use rival_core::games::battletech::heat;
use rival_core::games::battletech::map::{Go, Map, Object, Terrain};
use rival_core::games::battletech::mech::{Limb, Mode};
use rival_core::games::battletech::physical::Blow;
use rival_core::games::battletech::reach::{Place, jump_heat};
use rival_core::games::battletech::{Action, Facing, Hex, Location, Phase};

use crate::games::battletech::files::small::SightFile;
use crate::games::battletech::referee::{Game, Player};

/// The source document's agent.
#[derive(Clone, Copy, Debug, Default)]
pub struct Document;

/// A place as a key.
type Key = (Hex, u8);

const fn key(place: Place) -> Key {
    (place.hex, place.facing.index())
}

fn place(key: Key) -> Place {
    Place { hex: key.0, facing: Facing::from_index(key.1) }
}

/// What it believes a forward step to cost. Heavy woods are forgotten.
fn forward_cost(map: &Map<'_>, from: Hex, to: Hex) -> Option<u32> {
    let (here, there) = (map.tile(from), map.tile(to));
    let rise = u32::from(here.level().abs_diff(there.level()));
    if rise >= 3 {
        return None;
    }
    let base = match (there.terrain(), there.level()) {
        (Terrain::Open | Terrain::Paved, _) => 1,
        (Terrain::Water, -1) | (Terrain::Swamp, _) => 2,
        (Terrain::Water, ..=-2) => 4,
        (Terrain::Water, _) => 0,
    };
    let object = match there.object() {
        Object::Rubble | Object::LightWoods => 2,
        _ => 0,
    };
    Some((base + rise + object).max(1))
}

fn neighbours(map: &Map<'_>, at: Place) -> Vec<(Place, u32)> {
    let mut next =
        vec![(Place { facing: at.facing.turned(5), ..at }, 1), (Place { facing: at.facing.turned(1), ..at }, 1)];
    if let Some(hex) = map.ahead(at.hex, at.facing, Go::Forward) {
        next.extend(forward_cost(map, at.hex, hex).map(|cost| (Place { hex, ..at }, cost)));
    }
    next
}

/// Cheapest ways from a place, as it believes them to be.
struct Ways {
    found: HashMap<Key, (u32, Option<Key>)>,
}

impl Ways {
    fn new(map: &Map<'_>, start: Place, closed: Option<Hex>) -> Self {
        let mut found = HashMap::from([(key(start), (0, None))]);
        let mut open = BinaryHeap::from([(core::cmp::Reverse(0), key(start))]);
        while let Some((core::cmp::Reverse(cost), at)) = open.pop() {
            if found[&at].0 < cost || closed == Some(at.0) {
                continue;
            }
            for (next, price) in neighbours(map, place(at)) {
                let total = cost + price;
                if found.get(&key(next)).is_none_or(|&(known, _)| total < known) {
                    found.insert(key(next), (total, Some(at)));
                    open.push((core::cmp::Reverse(total), key(next)));
                }
            }
        }
        Self { found }
    }

    /// The way to a place, its start first, cut at the last place within the points.
    fn cut(&self, goal: Key, points: u8, closed: Hex) -> Option<Vec<Place>> {
        let mut way = Vec::new();
        let mut at = Some(goal);
        while let Some(here) = at {
            let &(cost, before) = self.found.get(&here)?;
            if cost <= u32::from(points) && here.0 != closed {
                way.push(place(here));
            }
            at = before;
        }
        way.reverse();
        Some(way)
    }
}

fn sees(game: &Game, from: Hex, to: Hex) -> bool {
    SightFile::look(&game.view(), game.profile, (from, true), (to, true)).clear
}

/// What the helper tells it of the line to its enemy.
fn look(game: &Game, who: usize, foe: usize) -> SightFile {
    let end = |at: usize| (game.mechs[at].hex, !game.mechs[at].prone);
    SightFile::look(&game.view(), game.profile, end(who), end(foe))
}

fn steps_of(way: &[Place]) -> Steps {
    let step = |pair: &[Place]| match (pair[0].hex == pair[1].hex, pair[0].facing.sides_to(pair[1].facing)) {
        (true, 1) => Step::Right,
        (true, _) => Step::Left,
        _ => Step::Forward,
    };
    way.windows(2).map(step).take(48).collect()
}

impl Document {
    fn enemy(game: &Game, who: usize) -> Option<usize> {
        (0..game.mechs.len()).find(|&at| at != who && game.mechs[at].operational)
    }

    fn movement(game: &Game, who: usize, foe: usize) -> Action {
        let (map, me, enemy) = (game.view(), &game.mechs[who], &game.mechs[foe]);
        let walk = me.walk_points().saturating_sub(me.spent);
        let towards = |hex: Hex| hex.side_towards(enemy.hex).unwrap_or(me.facing);
        if me.prone {
            if walk < 2 {
                return Action::Still;
            }
            let steps = [Step::Stand(towards(me.hex))].into_iter().collect();
            return Action::Go { run: false, masc: false, steps };
        }
        let closed = enemy.hex;
        let ways = Ways::new(&map, me.place(), Some(closed));
        let go = |way: Vec<Place>| match way.len() {
            0 | 1 => Action::Still,
            _ => Action::Go { run: false, masc: false, steps: steps_of(&way) },
        };
        if me.weapons.is_empty() {
            let goals: Vec<Place> = Facing::ALL
                .into_iter()
                .filter_map(|side| map.neighbour(enemy.hex, side).map(|hex| Place { hex, facing: side.opposite() }))
                .filter(|goal| map.tile(goal.hex).level().abs_diff(map.tile(enemy.hex).level()) <= 1)
                .collect();
            if goals.contains(&me.place()) {
                return Action::Still;
            }
            let hexes: Vec<Hex> = goals.iter().map(|goal| goal.hex).collect();
            if let Some(jump) = Self::greedy_jump(game, who, foe, &hexes)
                && let Action::Jump { to, .. } = &jump
                && jump_heat(me.hex.distance(*to)) + me.heat < 4 + me.sinks_on
            {
                return jump;
            }
            let cheapest =
                goals.iter().filter_map(|&goal| ways.found.get(&key(goal)).map(|&(cost, _)| (cost, key(goal)))).min();
            return cheapest.and_then(|(_, goal)| ways.cut(goal, walk, closed)).map_or(Action::Still, go);
        }
        let cloud = Self::cloud(&map, enemy.place(), enemy.walk);
        let goals: BTreeSet<(u32, Key)> = cloud
            .iter()
            .map(|&at| if at.0 == enemy.hex { at } else { (at.0, towards(at.0).index()) })
            .filter_map(|goal| ways.found.get(&goal).map(|&(cost, _)| (cost, goal)))
            .collect();
        for (_, goal) in &goals {
            let Some(way) = ways.cut(*goal, walk, closed) else { continue };
            if way.last().is_some_and(|end| sees(game, end.hex, goal.0)) {
                return go(way);
            }
        }
        if let Some(way) = ways.cut(key(enemy.place()), walk, closed) {
            return go(way);
        }
        let hexes: Vec<Hex> = cloud.iter().map(|at| at.0).collect();
        Self::greedy_jump(game, who, foe, &hexes).unwrap_or(Action::Still)
    }

    /// Places within so many edges of the graph: it counts edges, not costs.
    fn cloud(map: &Map<'_>, start: Place, edges: u8) -> BTreeSet<Key> {
        let mut cloud = BTreeSet::from([key(start)]);
        let mut front = vec![start];
        for _ in 0..edges {
            let mut next = Vec::new();
            for at in front {
                for (place, _) in neighbours(map, at) {
                    if cloud.insert(key(place)) {
                        next.push(place);
                    }
                }
            }
            front = next;
        }
        cloud
    }

    fn greedy_jump(game: &Game, who: usize, foe: usize, goals: &[Hex]) -> Option<Action> {
        let (map, me) = (game.view(), &game.mechs[who]);
        let points = me.jump_points(&map);
        if me.spent > 0 || points == 0 {
            return None;
        }
        let mut landings: Vec<(u8, Hex)> = map
            .hexes()
            .filter(|&hex| hex != me.hex && me.hex.distance(hex) <= points && !game.is_taken(who, hex))
            .filter_map(|hex| goals.iter().map(|goal| goal.distance(hex)).min().map(|distance| (distance, hex)))
            .collect();
        landings.sort_unstable();
        let clears =
            |hex: Hex| rival_core::games::battletech::reach::jump_clears(&map, game.profile, me.hex, hex, points);
        let to = landings.into_iter().map(|(_, hex)| hex).find(|&hex| clears(hex))?;
        let facing = to.side_towards(game.mechs[foe].hex).unwrap_or(me.facing);
        Some(Action::Jump { to, facing })
    }

    fn reaction(game: &Game, who: usize, foe: usize) -> Action {
        let me = &game.mechs[who];
        let towards = me.hex.side_towards(game.mechs[foe].hex).unwrap_or(me.facing);
        Action::Twist(match me.facing.sides_to(towards) {
            0 => 0,
            1..=3 => 1,
            _ => -1,
        })
    }

    /// The part of its numbers that all weapons share.
    fn common_need(game: &Game, who: usize, foe: usize) -> i8 {
        let (map, me, enemy) = (game.view(), &game.mechs[who], &game.mechs[foe]);
        let (here, there) = (map.tile(me.hex), map.tile(enemy.hex));
        let wet = |tile: rival_core::games::battletech::Tile| tile.terrain() == Terrain::Water && tile.level() == -1;
        let mut need = 5 + me.mode.attack_modifier() + i8::from(wet(here)) + there.woods() as i8 - i8::from(wet(there));
        if enemy.prone {
            need += if me.hex.distance(enemy.hex) == 1 { -2 } else { 1 };
        }
        need -= 4 * i8::from(enemy.shut_down) + 2 * i8::from(enemy.stuck);
        need += i8::from(matches!(enemy.mode, Mode::Walk | Mode::Jump));
        let seen = look(game, who, foe);
        need += 3 * i8::from(seen.cover || there.terrain() == Terrain::Water);
        for hex in seen.hexes {
            need += match map.tile(hex).terrain() {
                Terrain::Paved => 1,
                Terrain::Water => 2,
                _ => 0,
            };
        }
        need + heat::attack_modifier(me.heat) + 2 * me.sensor_hits as i8
    }

    fn weapons(game: &Game, who: usize, foe: usize) -> Action {
        let (me, enemy) = (&game.mechs[who], &game.mechs[foe]);
        if !look(game, who, foe).clear {
            return Action::nothing(Phase::Weapons);
        }
        let common = Self::common_need(game, who, foe);
        let distance = me.hex.distance(enemy.hex);
        let mut candidates = Vec::new();
        for (at, weapon) in me.weapons.iter().enumerate() {
            let kind = weapon.kind();
            let facing = if weapon.location.is_leg() { me.facing } else { me.torso };
            let bin = me
                .bins
                .iter()
                .position(|bin| bin.works && !bin.armed && bin.load().weapon == kind.code && bin.rounds >= 2);
            if !me.can_fire(weapon)
                || !location_bears(weapon.location, false, arc(me.hex, facing, enemy.hex))
                || weapon.rear
                || kind.needs_bin() && bin.is_none()
                || distance > kind.ranges[3]
            {
                continue;
            }
            let arm = me.limb(weapon.location);
            let arm = if arm.hit(Limb::JOINT) { 4 } else { arm.middle() as i8 };
            let range = match distance {
                d if d <= kind.ranges[1] => 0,
                d if d <= kind.ranges[2] => 2,
                _ => 4,
            };
            let need = common + arm + range + minimum_modifier(kind.ranges[0], distance);
            if need <= 12 {
                candidates.push((at, (need, kind.heat)));
            }
        }
        let engine = if me.engine_hits > 0 { 5 } else { 0 };
        let cooling = i16::from(me.sinks_on) * if me.double_sinks { 2 } else { 1 };
        let budget = 9 - i16::from(me.heat) - engine + cooling;
        let offers: Vec<(i8, u8)> = candidates.iter().map(|(_, offer)| *offer).collect();
        let mut taken = vec![0; me.bins.len()];
        let mut shots = Shots::new();
        for chosen in easiest_first(&offers, budget) {
            let at = candidates[usize::from(chosen)].0;
            let kind = me.weapons[at].kind();
            let bin = me.bins.iter().enumerate().position(|(index, bin)| {
                bin.works && !bin.armed && bin.load().weapon == kind.code && bin.rounds > taken[index]
            });
            let bin = bin.filter(|_| kind.needs_bin());
            if kind.needs_bin() && bin.is_none() {
                continue;
            }
            if let Some(bin) = bin {
                taken[bin] += 1;
            }
            let _ = shots.push(Shot {
                weapon: at as u8,
                bin: bin.map(|bin| bin as u8),
                double: false,
                aim: Aim::Mech(foe as u8),
            });
        }
        Action::Fire { primary: Some(foe as u8), shots }
    }

    fn physical(game: &Game, who: usize, foe: usize) -> Action {
        let (map, me, enemy) = (game.view(), &game.mechs[who], &game.mechs[foe]);
        let mut blows = Blows::new();
        if me.prone || me.hex.distance(enemy.hex) != 1 {
            return Action::Strike(blows);
        }
        let rise = i16::from(map.tile(enemy.hex).level()) - i16::from(map.tile(me.hex).level());
        let (punches, kicks) = match rise {
            0 => (!enemy.prone, true),
            1 => (true, false),
            -1 => (false, !enemy.prone),
            _ => (false, false),
        };
        let common = Self::common_need(game, who, foe) - 5;
        let all_round = game.profile.weaponless_all_round && !me.is_armed();
        let reaches = |limb: Location| {
            let facing = if limb.is_leg() { me.facing } else { me.torso };
            all_round || location_bears(limb, false, arc(me.hex, facing, enemy.hex))
        };
        let sound = |blow: Blow| {
            let limb = blow.limb();
            me.fired >> limb.index() & 1 == 0 && me.has(limb) && reaches(limb)
        };
        let worn = |blow: Blow| {
            let limb = me.limb(blow.limb());
            2 * limb.middle() as i8 + i8::from(limb.hit(Limb::END))
        };
        let hips = me.legs.iter().all(|leg| !leg.hit(Limb::JOINT)) && me.legs_lost() == 0;
        let kickers: Vec<Blow> = [Blow::LeftKick, Blow::RightKick].into_iter().filter(|&blow| sound(blow)).collect();
        if punches {
            for (side, blow) in [Blow::LeftPunch, Blow::RightPunch].into_iter().enumerate() {
                if sound(blow) && !me.arms[side].hit(Limb::JOINT) && 4 + common + worn(blow) <= 12 {
                    let _ = blows.push((blow, foe as u8));
                }
            }
        }
        // A single usable leg is not used.
        if kicks && hips && kickers.len() == 2 && (game.profile.punch_and_kick || blows.is_empty()) {
            let best = kickers.into_iter().min_by_key(|&blow| worn(blow)).unwrap_or(Blow::LeftKick);
            if 3 + common + worn(best) <= 12 {
                let _ = blows.push((best, foe as u8));
            }
        }
        Action::Strike(blows)
    }
}

impl Player for Document {
    fn act(&mut self, game: &Game, who: usize, phase: Phase) -> Action {
        let Some(foe) = Self::enemy(game, who) else { return Action::nothing(phase) };
        match phase {
            Phase::Movement => Self::movement(game, who, foe),
            Phase::Reaction => Self::reaction(game, who, foe),
            Phase::Weapons => Self::weapons(game, who, foe),
            Phase::Physical => Self::physical(game, who, foe),
            Phase::End => Action::nothing(phase),
        }
    }
}
