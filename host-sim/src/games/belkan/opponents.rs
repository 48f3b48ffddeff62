//! Those who play level 4 without us.

use core::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet, VecDeque};

use anyhow::{Context, Result, bail};
use rival_core::games::belkan::{
    AHEAD, Action, FULL_BATTERY, Figure, Heading, Map, Outfit, Place, Sensors, Terrain, Tuning,
};

use super::contest::{Direct, Walker};

/// The opponents: how they are written, and what they do.
pub const NAMES: &[(&str, &str)] = &[
    ("nearest", "greedy: the free cell nearest to the target, the one visited least among equals"),
    ("variant:<weight>=<value>,...", "the agent, called directly, with other weights"),
    ("document", "the level-4 agent of the source document, its errors included"),
    ("corrected", "the same with its errors mended"),
];

/// Makes an opponent by its name.
pub fn by_name(name: &str) -> Result<Box<dyn Walker>> {
    Ok(match name {
        "nearest" => Box::new(Nearest::default()),
        "document" => Box::new(Document::new(false)),
        "corrected" => Box::new(Document::new(true)),
        _ if name == "variant" || name.starts_with("variant:") => Box::new(variant(name)?),
        _ => bail!("there is no opponent \"{name}\"; there are: agent, nearest, document, corrected"),
    })
}

/// The agent with other weights than those in use, to find out what they are worth.
fn variant(name: &str) -> Result<Direct> {
    let mut tuning = Tuning::DEFAULT;
    for pair in name.split([':', ',']).skip(1).filter(|pair| !pair.is_empty()) {
        let (key, value) = pair.split_once('=').with_context(|| format!("\"{pair}\" has to be weight=value"))?;
        let value: u32 = value.parse().with_context(|| format!("\"{value}\" has to be a number"))?;
        if !tuning.set(key, value) {
            bail!("there is no weight \"{key}\"");
        }
    }
    Ok(Direct::new(tuning))
}

/// The turn or step that brings one to look at or onto a neighbour.
fn towards(sensors: &Sensors, heading: Heading) -> Action {
    match (heading as u8 + 4 - sensors.heading as u8) % 4 {
        0 => Action::Forward,
        3 => Action::Left,
        _ => Action::Right,
    }
}

fn distance(a: Place, b: Place) -> i32 {
    i32::from(a.row.abs_diff(b.row)) + i32::from(a.column.abs_diff(b.column))
}

/// Greedy: no plan, no battery, a memory of where it has been.
#[derive(Default)]
struct Nearest {
    map: Map,
    visits: HashMap<(u8, u8), i32>,
    target: Place,
}

impl Walker for Nearest {
    fn begin(&mut self, _game: u16, _map: Option<&Map>) {
        *self = Self::default();
    }

    fn decide(&mut self, sensors: &Sensors) -> Action {
        if self.map.size() != sensors.size && self.map.begin(sensors.size).is_err() {
            return Action::Idle;
        }
        if self.target != sensors.target {
            self.target = sensors.target;
            self.visits.clear();
        }
        for (place, terrain, _) in sensors.seen() {
            self.map.learn(place, terrain);
        }
        let best = Heading::ALL
            .into_iter()
            .filter(|&heading| self.map.get(sensors.place.towards(heading, 1, 0)).is_passable())
            .min_by_key(|&heading| {
                let place = sensors.place.towards(heading, 1, 0);
                let visits = self.visits.get(&(place.row, place.column)).copied().unwrap_or(0);
                let dear = i32::from(self.map.get(place).cost(Outfit::NONE) > 2);
                (distance(place, sensors.target) + 3 * visits + 2 * dear, towards(sensors, heading) as u8)
            });
        let Some(heading) = best else { return Action::Idle };
        let action = towards(sensors, heading);
        if action == Action::Forward {
            if sensors.figures[AHEAD] == Figure::Villager {
                return Action::Idle;
            }
            *self.visits.entry((sensors.place.row, sensors.place.column)).or_default() += 1;
        }
        action
    }
}

/// The level-4 agent that the source document describes, or the same with its errors mended.
struct Document {
    mended: bool,
    map: Map,
    outfit: Outfit,
    plan: VecDeque<Action>,
    has_plan: bool,
    target: Place,
    /// Cells seen since the last plan that counted them.
    discoveries: u32,
    plan_anew: bool,
    power_up_in_sight: bool,
    just_planned: bool,
    last: Option<Place>,
}

/// Above this battery it does not go to a charger.
const ENOUGH: u16 = 2_800;
/// A way that takes longer to find is not looked for.
const PATIENCE: usize = 200_000;

/// A state of its search.
#[derive(Clone, Copy)]
struct Node {
    place: Place,
    heading: Heading,
    outfit: Outfit,
    cost: i32,
    parent: usize,
    action: Action,
}

impl Document {
    fn new(mended: bool) -> Self {
        Self {
            mended,
            map: Map::new(),
            outfit: Outfit::NONE,
            plan: VecDeque::new(),
            has_plan: false,
            target: Place::new(0, 0),
            discoveries: 0,
            plan_anew: false,
            power_up_in_sight: false,
            just_planned: false,
            last: None,
        }
    }

    /// What an action is thought to cost on a cell.
    fn price(&self, terrain: Terrain, outfit: Outfit) -> i32 {
        match terrain {
            Terrain::Unknown if self.mended => 2,
            Terrain::Unknown => match (outfit.has(Outfit::BIKINI), outfit.has(Outfit::SHOES)) {
                (true, true) => 7,
                (true, false) => 10,
                (false, true) => 5,
                // The document leaves it unset and calls it negligible.
                (false, false) => 0,
            },
            Terrain::Charger if !self.mended => -10,
            known => i32::from(known.cost(outfit)),
        }
    }

    /// "A*": the priority is the distance and the price of the last action alone. Mended: the price of the whole path.
    fn find(&self, sensors: &Sensors, goal: impl Fn(Place) -> bool, aim: Option<Place>) -> Option<(Vec<Action>, i32)> {
        let villager =
            (sensors.figures[AHEAD] == Figure::Villager).then(|| sensors.place.towards(sensors.heading, 1, 0));
        let weight = if !self.mended && self.outfit == Outfit::from_bits(3) { 2 } else { 1 };
        let away = |place: Place| aim.map_or(0, |aim| weight * distance(place, aim));
        let start = Node {
            place: sensors.place,
            heading: sensors.heading,
            outfit: self.outfit,
            cost: 0,
            parent: usize::MAX,
            action: Action::Idle,
        };
        let mut nodes = vec![start];
        let mut closed = HashSet::new();
        let mut open = BinaryHeap::from([Reverse((0, 0_usize))]);
        while let Some(Reverse((_, mut index))) = open.pop() {
            if !self.mended && Some(nodes[index].place) == villager && index != 0 {
                // Only looked at here: the node is let go, and with it every way through that cell.
                match open.pop() {
                    Some(Reverse((_, next))) => index = next,
                    None => return None,
                }
            }
            let node = nodes[index];
            if goal(node.place) {
                let mut actions = Vec::new();
                let mut at = index;
                while nodes[at].parent != usize::MAX {
                    actions.push(nodes[at].action);
                    at = nodes[at].parent;
                }
                actions.reverse();
                return Some((actions, node.cost));
            }
            // The document's closed states know nothing of what one wears.
            let worn = if self.mended { node.outfit.bits() } else { 0 };
            if !closed.insert((node.place.row, node.place.column, node.heading as u8, worn)) {
                continue;
            }
            if nodes.len() > PATIENCE {
                return None;
            }
            let here = self.map.get(node.place);
            for action in [Action::Right, Action::Left, Action::Forward] {
                let mut child = Node { parent: index, action, ..node };
                let mut from = node.place;
                match action {
                    Action::Right => child.heading = node.heading.right(),
                    Action::Left => child.heading = node.heading.left(),
                    _ => {
                        child.place = node.place.towards(node.heading, 1, 0);
                        let ahead = self.map.get(child.place);
                        if !ahead.is_passable() || self.mended && Some(child.place) == villager {
                            continue;
                        }
                        if self.mended {
                            child.outfit = node.outfit.with(ahead.gift());
                            from = child.place;
                        }
                    }
                }
                let price = self.price(here, child.outfit);
                child.cost = if self.mended { node.cost + price } else { price };
                nodes.push(child);
                open.push(Reverse((child.cost + away(from), nodes.len() - 1)));
            }
        }
        None
    }

    fn plan_to(&mut self, sensors: &Sensors, target: Place) {
        let found = self.find(sensors, |place| place == target, Some(target));
        self.has_plan = found.is_some();
        self.plan = found.map(|(actions, _)| actions.into()).unwrap_or_default();
    }

    fn wanted(&self, terrain: Terrain) -> bool {
        match terrain {
            Terrain::Bikini | Terrain::Shoes => !self.outfit.has(terrain.gift()),
            Terrain::Charger => true,
            _ => false,
        }
    }

    fn see(&mut self, sensors: &Sensors) {
        for (place, terrain, _) in sensors.seen() {
            self.discoveries += u32::from(self.map.learn(place, terrain));
        }
        if self.discoveries > 15 {
            self.plan_anew = true;
            self.discoveries = 0;
        }
    }

    fn next(&mut self, charging: bool) -> Action {
        if charging || !self.has_plan { Action::Idle } else { self.plan.pop_front().unwrap_or(Action::Idle) }
    }

    fn think(&mut self, sensors: &Sensors) -> Action {
        if sensors.life.is_multiple_of(4) {
            self.just_planned = false;
        }
        self.see(sensors);
        let here = sensors.terrain[0];
        if self.target == sensors.place {
            self.has_plan = false;
            self.just_planned = false;
            self.power_up_in_sight = false;
        }
        if !self.has_plan {
            self.target = sensors.target;
        }
        if here == Terrain::Charger {
            self.power_up_in_sight = false;
        }
        // Standing on it is enough here, also at the start, when the world gives nothing.
        self.outfit = self.outfit.with(here.gift());
        let bump = self.plan.front() == Some(&Action::Forward) && !sensors.terrain[AHEAD].is_passable();
        let far = distance(sensors.place, self.target) > 10;
        if self.plan.is_empty()
            || bump
            || sensors.figures[AHEAD] == Figure::Villager
            || (self.plan_anew && far && !self.power_up_in_sight)
        {
            self.plan_to(sensors, self.target);
            self.plan_anew = false;
        }
        // The own cell does not count as being in sight: with it the document's agent would never leave a charger.
        let sight = sensors.seen().skip(1).find(|&(_, terrain, _)| self.wanted(terrain));
        if let Some((place, terrain, _)) = sight {
            self.power_up_in_sight = true;
            // The target is overwritten even if it is decided not to go.
            self.target = place;
            if !self.just_planned {
                if terrain != Terrain::Charger || sensors.battery < ENOUGH {
                    self.plan_to(sensors, place);
                }
                self.just_planned = true;
            }
        }
        let level = ENOUGH.min(sensors.life + sensors.life / 2);
        let charging = here == Terrain::Charger && sensors.battery < level;
        self.next(charging)
    }

    fn think_mended(&mut self, sensors: &Sensors) -> Action {
        self.see(sensors);
        let here = sensors.terrain[0];
        if self.last.is_some_and(|last| last != sensors.place) {
            self.outfit = self.outfit.with(here.gift());
        }
        self.last = Some(sensors.place);
        let level = (FULL_BATTERY - 10).min(2 * sensors.life);
        if here == Terrain::Charger && sensors.battery < level {
            self.plan.clear();
            return Action::Idle;
        }
        if self.target == sensors.place || !self.wanted(self.map.get(self.target)) {
            if self.target != sensors.target {
                self.plan.clear();
            }
            self.target = sensors.target;
        }
        // A power-up in sight, or a charger when the battery gets low.
        let low = u32::from(sensors.battery) < 2 * u32::from(sensors.life) && sensors.battery < 1_000;
        let sight = sensors.seen().find(|&(_, terrain, _)| {
            self.wanted(terrain) && (terrain != Terrain::Charger || sensors.battery < level.min(ENOUGH))
        });
        if let Some((place, ..)) = sight {
            if self.target != place {
                self.plan.clear();
            }
            self.target = place;
        } else if low && self.map.get(self.target) != Terrain::Charger {
            let charger = self.find(sensors, |place| self.map.get(place) == Terrain::Charger, None);
            if let Some((actions, cost)) = charger
                && i32::from(sensors.battery) < cost + cost / 2 + 200
            {
                let mut place = sensors.place;
                let mut heading = sensors.heading;
                for action in &actions {
                    match action {
                        Action::Left => heading = heading.left(),
                        Action::Right => heading = heading.right(),
                        _ => place = place.towards(heading, 1, 0),
                    }
                }
                self.target = place;
                self.plan = actions.into();
                self.has_plan = true;
            }
        }
        let bump = self.plan.front() == Some(&Action::Forward) && !sensors.terrain[AHEAD].is_passable();
        let met = self.plan.front() == Some(&Action::Forward) && sensors.figures[AHEAD] == Figure::Villager;
        if self.plan.is_empty() || bump || met || self.plan_anew {
            self.plan_to(sensors, self.target);
            self.plan_anew = false;
        }
        self.next(false)
    }
}

impl Walker for Document {
    fn begin(&mut self, _game: u16, _map: Option<&Map>) {
        *self = Self::new(self.mended);
    }

    fn decide(&mut self, sensors: &Sensors) -> Action {
        if self.map.size() != sensors.size {
            if self.map.begin(sensors.size).is_err() {
                return Action::Idle;
            }
            self.target = sensors.target;
        }
        if self.mended { self.think_mended(sensors) } else { self.think(sensors) }
    }
}
