//! What level 4 weighs: ticks against battery, a detour against what it brings.

use super::graph::{Metric, Prices, Unknown};
use super::knowledge::Knowledge;
use super::rules::{Action, CHARGE, FULL_BATTERY, Heading, Outfit, Terrain};
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
    /// The same where a wall or a precipice is thought to go on: the way round it is long.
    pub closed: u16,
    /// The same in line with a long one.
    pub wall: u16,
    /// A tick against one of battery, with more battery than is needed,
    pub tick_rich: u16,
    /// with a charger known,
    pub tick_charger: u16,
    /// and, with none known, if one were sure to be found: the less likely that is, the less a tick counts,
    pub tick_poor: u16,
    /// against this much for one of battery.
    pub battery_poor: u16,
    /// What is kept back for the way to a charger.
    pub reserve: u32,
    /// Percent by which the way to a charger may turn out longer than thought.
    pub slack: u32,
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
    /// Chance that there is a charger at all, in percent, where a bikini and shoes were seen: who puts out the one puts
    /// out the other,
    pub prior: u32,
    /// where one of them was,
    pub prior_one: u32,
    /// and where nothing of the kind was.
    pub prior_bare: u32,
    /// New cells that a step through the unknown shows.
    pub sight: u32,
    /// New cells in sight that make a place worth going to, when a charger is looked for.
    pub view: u8,
    /// Ticks for which looking around is thought to go on from there,
    pub lane: u32,
    /// and new cells that each of them shows.
    pub lane_cells: u32,
    /// Share of what new cells are worth that makes steps through the unknown cheaper, in percent,
    pub curiosity: u32,
    /// of which this share where something is known beside, in percent,
    pub curiosity_near: u16,
    /// at most this share of the price,
    pub curiosity_cap: u32,
    /// and at least this share where nothing is known beside, so that of two ways the newer one is taken.
    pub curiosity_floor: u32,
}

macro_rules! weights {
    ($($name:ident)*) => {
        impl Tuning {
            /// Sets a weight by its name. Whether there is one of that name and it can be that large.
            pub fn set(&mut self, name: &str, value: u32) -> bool {
                match name {
                    $(stringify!($name) => value.try_into().map(|value| self.$name = value).is_ok(),)*
                    _ => false,
                }
            }
        }
    };
}

weights!(use_tenths use_weight unknown alike alike_poor closed wall tick_rich tick_charger tick_poor battery_poor reserve slack
    charge_per_tick gift_detour gift_percent stale news margin villager prior prior_one prior_bare sight view lane lane_cells
    curiosity curiosity_near curiosity_cap curiosity_floor);

impl Tuning {
    /// What plays.
    pub const DEFAULT: Self = Self {
        use_tenths: 20,
        use_weight: 100,
        unknown: 2,
        alike: 15,
        alike_poor: 30,
        closed: 16,
        wall: 96,
        tick_rich: 20,
        tick_charger: 6,
        tick_poor: 16,
        battery_poor: 4,
        reserve: 150,
        slack: 150,
        charge_per_tick: 50,
        gift_detour: 60,
        gift_percent: 50,
        stale: 36,
        news: 6,
        margin: 2,
        villager: 3,
        prior: 85,
        prior_one: 50,
        prior_bare: 30,
        sight: 5,
        view: 9,
        lane: 150,
        lane_cells: 8,
        curiosity: 50,
        curiosity_near: 50,
        curiosity_cap: 50,
        curiosity_floor: 8,
    };
}

/// A new cell is worth a whole target at most: on the smallest maps a few cells are all there is.
const MAX_NOVELTY: u64 = 1_000_000;

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
    /// Battery that a target takes on average,
    per_target: u32,
    /// a tick, in tenths,
    use_tenths: u32,
    /// cells that nobody has seen,
    unknown: u32,
    /// and what a new cell is worth, in millionths of a target: the chance that it is the first charger, times the
    /// targets that a charger would add. 0 as soon as one is known.
    novelty: u32,
    /// How likely it is that a charger will be come across, in percent.
    hope: u32,
}

impl Outlook {
    pub(super) const NONE: Self = Self {
        battery: 0,
        life: 0,
        need: 0,
        charger_known: false,
        per_target: 1,
        use_tenths: 1,
        unknown: 0,
        novelty: 0,
        hope: 0,
    };

    pub(super) fn new(sensors: &Sensors, knowledge: &Knowledge, tuning: &Tuning, seen: &Seen) -> Self {
        let (spent, active) = knowledge.spending();
        let spent = (u32::from(spent) + tuning.use_tenths * tuning.use_weight / 10).max(1);
        let active = u32::from(active) + tuning.use_weight;
        let (battery, life) = (u32::from(sensors.battery), u32::from(sensors.life));
        // Between two cells of a square lie two thirds of its side, and a few turns.
        let ticks_per_target = (u32::from(sensors.size) * 72 / 100).max(1);
        // Ticks that the battery is enough for, and how many there would be with a charger.
        let without = battery * active / spent;
        let with = (battery + u32::from(CHARGE) * life) * active / (u32::from(CHARGE) * active + spent);
        let gain = with.min(life).saturating_sub(without);
        // The more was seen without one, the less likely it is that there is one at all.
        let prior = match (seen.bikini, seen.shoes) {
            (true, true) => tuning.prior,
            (false, false) => tuning.prior_bare,
            _ => tuning.prior_one,
        };
        let cells = (seen.known + seen.unknown).max(1);
        let first = u64::from(gain) * 1_000_000 / u64::from(ticks_per_target * cells) * u64::from(prior)
            / u64::from(100_u32.saturating_sub(prior * seen.known / cells).max(1));
        // Whoever only walks from target to target comes across it too, the more surely the further the battery takes
        // him. What is left of the chance falls like an exponential, by which the percents are divided here.
        let chance = (100 * tuning.sight * without / cells).min(10_000);
        let missed = 100 + chance + chance * chance / 200;
        let novelty = first * 100 / u64::from(missed);
        let there = 100 * prior * seen.unknown / (100 * cells).saturating_sub(prior * seen.known).max(1);
        let hope = there * (100 - 10_000 / missed) / 100;
        Self {
            battery,
            life,
            need: spent * life / active,
            charger_known: seen.charger,
            per_target: (spent * ticks_per_target / active).max(1),
            use_tenths: (spent * 10 / active).max(1),
            unknown: seen.unknown,
            novelty: if seen.charger { 0 } else { novelty.min(MAX_NOVELTY) as u32 },
            hope,
        }
    }

    /// Whether battery is all that counts: there is not enough for the rest of the game, and no charger.
    pub(super) fn is_poor(&self) -> bool {
        !self.charger_known && self.deficit() > 0
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
        } else if self.is_poor() {
            Metric { tick: (u32::from(tuning.tick_poor) * self.hope / 100) as u16, battery: tuning.battery_poor }
        } else {
            Metric { tick: tuning.tick_charger, battery: 1 }
        }
    }

    pub(super) fn set_prices(&self, tuning: &Tuning, prices: &mut Prices) {
        let alike = if self.charger_known { tuning.alike } else { tuning.alike_poor };
        // What the new cells of a step are worth, as a share of what it takes.
        let worth = u64::from(tuning.sight * self.novelty) * u64::from(self.per_target) / 10_000;
        let share = worth * u64::from(tuning.curiosity) / (100 * u64::from(tuning.unknown.max(1)));
        let mut curiosity = share.min(u64::from(tuning.curiosity_cap)) as u32;
        let curiosity_near = curiosity * u32::from(tuning.curiosity_near) / 100;
        if self.is_poor() {
            curiosity = curiosity.max(tuning.curiosity_floor);
        }
        let unknown = Unknown {
            plain: tuning.unknown,
            alike,
            closed: tuning.closed,
            wall: tuning.wall,
            expected: (self.need / self.life.max(1)).clamp(1, 20) as u16,
            // A price cannot fall by more than all of it.
            curiosity: curiosity.min(100) as u8,
            curiosity_near: curiosity_near.min(100) as u8,
        };
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

    /// Whether it is better to look for a charger than to go to the target: what a unit of battery brings on the way to
    /// the next view, against the target itself and the `fresh` cells that are seen on the way to it.
    pub(super) fn exploring_pays(&self, tuning: &Tuning, to_view: Leg, to_target: Leg, fresh: u32) -> bool {
        let target = 1_000_000 + u64::from(tuning.sight * fresh) * u64::from(self.novelty);
        let left = self.battery.saturating_sub(to_view.battery);
        let ticks = tuning.lane.min(left * 10 / self.use_tenths.max(1));
        let lane = ticks * self.use_tenths / 10;
        let cells = (u32::from(tuning.view) + ticks * tuning.lane_cells).min(self.unknown / 2);
        let view = u64::from(cells) * u64::from(self.novelty);
        to_view.found
            && to_view.battery < self.battery
            && view * u64::from(to_target.battery) > target * u64::from((to_view.battery + lane).max(1))
    }

    /// Whether a detour to a charger pays: what can be charged there is needed, and no better occasion is likely.
    pub(super) fn charging_pays(&self, tuning: &Tuning, detour: u32) -> bool {
        let charge = self.deficit().min(self.full().saturating_sub(self.battery));
        charge > 100 && charge >= detour * tuning.charge_per_tick
    }

    /// The detour that a gift is worth, in ticks.
    pub(super) fn gift_worth(&self, tuning: &Tuning, gift: Terrain, seen: &Seen) -> u32 {
        let dear = if gift == Terrain::Bikini { seen.water } else { seen.forest };
        let share = dear * 100 / seen.known.max(1);
        (share * self.life / 100 * tuning.gift_percent / 100).min(tuning.gift_detour)
    }
}

/// What the map shows so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seen {
    pub(super) known: u32,
    pub(super) unknown: u32,
    pub(super) water: u32,
    pub(super) forest: u32,
    pub(super) charger: bool,
    pub(super) bikini: bool,
    pub(super) shoes: bool,
}

impl Seen {
    pub(super) const NOTHING: Self =
        Self { known: 0, unknown: 0, water: 0, forest: 0, charger: false, bikini: false, shoes: false };

    /// What may make a detour worth while. The gift that the player stands on does not: only when he has left it can
    /// he step on it.
    pub(super) fn landmarks(&self, underfoot: Terrain) -> u8 {
        let bikini = self.bikini && underfoot != Terrain::Bikini;
        let shoes = self.shoes && underfoot != Terrain::Shoes;
        u8::from(self.charger) | u8::from(bikini) << 1 | u8::from(shoes) << 2
    }

    pub(super) fn add(&mut self, terrain: Terrain) {
        if terrain == Terrain::Unknown {
            self.unknown += 1;
        } else {
            self.known += 1;
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
