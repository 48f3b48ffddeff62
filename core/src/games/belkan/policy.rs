//! What level 4 weighs: ticks against battery, a detour against what it brings.

use super::graph::{Metric, Prices, Unknown};
use super::knowledge::Knowledge;
use super::rules::{Action, FULL_BATTERY, Heading, Outfit, Terrain};
use super::state::{AHEAD, Figure, Sensors};

/// The weights, in one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tuning {
    /// Battery that a tick is thought to take before anything was measured, in tenths.
    pub use_tenths: u32,
    /// Ticks for which that guess counts.
    pub use_weight: u32,
    /// Battery for an action on an unknown cell.
    pub unknown: u16,
    /// The same beside water or forest, as a share of what these take, in percent.
    pub alike: u16,
    /// The same while no charger is known.
    pub alike_poor: u16,
    /// The same beside a wall or a precipice.
    pub closed: u16,
    /// A tick against one of battery, with more battery than is needed,
    pub tick_rich: u16,
    /// with a charger known,
    pub tick_charger: u16,
    /// and with none.
    pub tick_poor: u16,
    /// What is kept back for the way to a charger.
    pub reserve: u32,
    /// Percent by which the way to a charger may turn out longer than thought.
    pub slack: u32,
    /// While no charger is known, a target dearer than this waits until one is found.
    pub dear: u32,
    /// Battery that a tick of a detour to a charger must bring.
    pub charge_per_tick: u32,
    /// Detour to a gift, in ticks, at most.
    pub gift_detour: u32,
    /// Share of a gift's expected saving that a detour may cost, in percent.
    pub gift_percent: u32,
    /// It is decided anew where to go after this many ticks,
    pub stale: u16,
    /// and searched anew how to get there after this many new cells,
    pub news: u16,
    /// to be followed if it saves more than this many ticks.
    pub margin: u32,
    /// Ticks that a way round a villager may cost more than waiting.
    pub villager: u32,
}

impl Tuning {
    /// What plays.
    pub const DEFAULT: Self = Self {
        use_tenths: 20,
        use_weight: 100,
        unknown: 2,
        alike: 15,
        alike_poor: 30,
        closed: 2,
        tick_rich: 20,
        tick_charger: 6,
        tick_poor: 2,
        reserve: 150,
        slack: 150,
        dear: 250,
        charge_per_tick: 50,
        gift_detour: 60,
        gift_percent: 50,
        stale: 32,
        news: 8,
        margin: 2,
        villager: 3,
    };
}

/// The cost of a way that was found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Leg {
    pub(super) found: bool,
    pub(super) ticks: u32,
    pub(super) battery: u32,
}

/// The state of affairs in a tick.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outlook {
    /// Battery now.
    pub(super) battery: u32,
    /// Ticks left.
    pub(super) life: u32,
    /// Battery that the rest of the game will take if it goes on as before.
    pub(super) need: u32,
    pub(super) charger_known: bool,
}

impl Outlook {
    pub(super) const NONE: Self = Self { battery: 0, life: 0, need: 0, charger_known: false };

    pub(super) fn new(sensors: &Sensors, knowledge: &Knowledge, tuning: &Tuning, charger_known: bool) -> Self {
        let (spent, active) = knowledge.spending();
        let spent = u32::from(spent) + tuning.use_tenths * tuning.use_weight / 10;
        let active = u32::from(active) + tuning.use_weight;
        let life = u32::from(sensors.life);
        Self { battery: u32::from(sensors.battery), life, need: spent * life / active, charger_known }
    }

    /// Battery that is missing for the rest of the game.
    pub(super) fn deficit(&self) -> u32 {
        self.need.saturating_sub(self.battery)
    }

    /// How far to charge. A charging tick is one in which nothing is spent.
    pub(super) fn full(&self) -> u32 {
        (self.need + 30).min(u32::from(FULL_BATTERY) - 5)
    }

    /// A tick at a charger is worth ten of battery, so battery has a price in ticks; without a charger it is dearer,
    /// and with more than the rest of the game will take it is nearly free.
    pub(super) fn metric(&self, tuning: &Tuning) -> Metric {
        if self.battery > self.need + self.need / 4 + 50 {
            Metric { tick: tuning.tick_rich, battery: 1 }
        } else if self.charger_known {
            Metric { tick: tuning.tick_charger, battery: 1 }
        } else {
            Metric { tick: tuning.tick_poor, battery: 1 }
        }
    }

    pub(super) fn set_prices(&self, tuning: &Tuning, prices: &mut Prices) {
        let alike = if self.charger_known { tuning.alike } else { tuning.alike_poor };
        let unknown = Unknown { plain: tuning.unknown, alike, closed: tuning.closed };
        prices.set(self.metric(tuning), unknown);
    }

    /// Whether the target can be had and a charger reached afterwards.
    pub(super) fn affords(&self, tuning: &Tuning, to_target: Leg, on_to_charger: Leg) -> bool {
        if self.battery >= self.need && self.battery > to_target.battery + tuning.reserve {
            return true;
        }
        let back = if on_to_charger.found { on_to_charger.battery * tuning.slack / 100 } else { 0 };
        // What the end of the game cuts off is never paid.
        self.battery > (to_target.battery + back + tuning.reserve).min(self.need)
    }

    /// Whether a detour to a charger pays: what can be charged there is needed, and no better occasion is likely.
    pub(super) fn charging_pays(&self, tuning: &Tuning, detour: u32) -> bool {
        let charge = self.deficit().min(self.full().saturating_sub(self.battery));
        charge > 100 && charge >= detour * tuning.charge_per_tick
    }

    /// The detour that a gift is worth, in ticks.
    pub(super) fn gift_worth(&self, tuning: &Tuning, gift: Terrain, seen: &Seen) -> u32 {
        let dear = if gift == Terrain::Bikini { seen.water } else { seen.forest };
        let share = dear * 100 / seen.all.max(1);
        (share * self.life / 100 * tuning.gift_percent / 100).min(tuning.gift_detour)
    }
}

/// What the map shows so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seen {
    pub(super) all: u32,
    pub(super) water: u32,
    pub(super) forest: u32,
    pub(super) charger: bool,
    pub(super) bikini: bool,
    pub(super) shoes: bool,
}

impl Seen {
    pub(super) const NOTHING: Self = Self { all: 0, water: 0, forest: 0, charger: false, bikini: false, shoes: false };

    /// What may make a detour worth while.
    pub(super) fn landmarks(&self) -> u8 {
        u8::from(self.charger) | u8::from(self.bikini) << 1 | u8::from(self.shoes) << 2
    }

    pub(super) fn add(&mut self, terrain: Terrain) {
        if terrain.is_passable() {
            self.all += 1;
        }
        match terrain {
            Terrain::Water => self.water += 1,
            Terrain::Forest => self.forest += 1,
            Terrain::Charger => self.charger = true,
            Terrain::Bikini => self.bikini = true,
            Terrain::Shoes => self.shoes = true,
            _ => {}
        }
    }
}

/// The action after which a target anywhere on the map is nearest on average, while the next one is not known yet.
pub(super) fn stretch(sensors: &Sensors, outfit: Outfit) -> Action {
    let here = sensors.terrain[0];
    let ahead = sensors.terrain[AHEAD];
    let free = ahead.is_passable() && sensors.figures[AHEAD] == Figure::Nobody;
    let after = |action| match action {
        Action::Forward if free && ahead.cost(outfit) <= 2 => {
            Some((sensors.place.towards(sensors.heading, 1, 0), sensors.heading))
        }
        Action::Forward => None,
        Action::Left => Some((sensors.place, sensors.heading.left())),
        Action::Right => Some((sensors.place, sensors.heading.right())),
        Action::Idle => Some((sensors.place, sensors.heading)),
    };
    if here.cost(outfit) > 2 {
        return Action::Idle;
    }
    let mut best = (u32::MAX, Action::Idle);
    for action in Action::ALL {
        let Some((place, heading)) = after(action) else { continue };
        let mut total = if action == Action::Idle { 0 } else { u32::from(here.cost(outfit)) * 10 };
        for row in 0..10 {
            for column in 0..10 {
                let at = |step: i32| (2 * step + 1) * i32::from(sensors.size) / 20;
                let south = at(row) - i32::from(place.row);
                let east = at(column) - i32::from(place.column);
                let (forth, aside) = match heading {
                    Heading::North => (-south, east),
                    Heading::East => (east, south),
                    Heading::South => (south, east),
                    Heading::West => (-east, south),
                };
                let turns = if forth < 0 { 2 } else { u32::from(aside != 0) };
                total += south.unsigned_abs() + east.unsigned_abs() + turns;
            }
        }
        if total < best.0 {
            best = (total, action);
        }
    }
    best.1
}
