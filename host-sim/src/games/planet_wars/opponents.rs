//! The contest's example bots and the source thesis' bot, written from their behaviour.
//!
//! Ties go to the planet with the lowest number, halves are rounded down, and an order is given even if it is for no
//! ships.

use rival_core::games::planet_wars::{Order, Owner, Planet, Player, State};

use crate::random::Random;

/// Who sits on the other side.
#[derive(Clone, Debug)]
pub struct Opponent {
    kind: Kind,
    random: Random,
}

/// The opponents there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Sends half of a random planet's ships to a random planet.
    Random,
    /// Sends half of its largest planet's ships to the weakest planet that is not its own.
    Bully,
    /// As the prospector, with more fleets the worse it stands.
    Dual,
    /// Sends half of a full planet's ships to where growth is cheapest.
    Prospector,
    /// Sends everything to the nearest enemy.
    Rage,
    /// The thesis' rule-based bot: a base that expands by ships, distance and growth, and colonies that pay it a tithe.
    Gene,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 6] = [Self::Random, Self::Bully, Self::Dual, Self::Prospector, Self::Rage, Self::Gene];

    /// The name by which commands call it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Bully => "bully",
            Self::Dual => "dual",
            Self::Prospector => "prospector",
            Self::Rage => "rage",
            Self::Gene => "gene",
        }
    }

    /// What it does, in a line.
    pub const fn about(self) -> &'static str {
        match self {
            Self::Random => "half of a random planet's ships to a random planet",
            Self::Bully => "half of its largest planet's ships to the weakest planet not its own",
            Self::Dual => "the prospector, with more fleets the worse it stands",
            Self::Prospector => "half of a full planet's ships to where growth is cheapest",
            Self::Rage => "everything to the nearest enemy",
            Self::Gene => "the source thesis' bot: a base that expands, colonies that pay a tithe",
        }
    }

    /// The opponent with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// Ships that `gene` sends beyond those it needs.
const GENE_EXTRA: u32 = 14;
/// Part of a colony's ships that is a tithe, in hundredths, and how many turns in a thousand it is paid.
const GENE_TITHE: (u32, usize) = (53, 15);

impl Opponent {
    /// An opponent; the seed matters to those that use chance.
    pub const fn new(kind: Kind, seed: u64) -> Self {
        Self { kind, random: Random::new(seed) }
    }

    /// Which one it is.
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// Its orders in this state, on this turn (from 1 on).
    pub fn orders(&mut self, state: &State, me: Player, turn: u16) -> Vec<Order> {
        let table = Table { state, me: me.owner(), other: me.other().owner() };
        match self.kind {
            Kind::Random => self.random_orders(&table),
            Kind::Bully => {
                table.one_fleet(1, |planet| f64::from(planet.ships), |planet| 1.0 / (1.0 + ships(planet)), false)
            }
            Kind::Prospector => table.one_fleet(1, fullness, promise, false),
            Kind::Dual => {
                let stronger = state.ships(me) > state.ships(me.other());
                let richer = state.growth(me) > state.growth(me.other());
                let fleets = match (stronger, richer) {
                    (_, true) => 1,
                    (true, false) => 3,
                    (false, false) => 5,
                };
                table.one_fleet(fleets, fullness, promise, stronger && richer)
            }
            Kind::Rage => table.rage(),
            Kind::Gene => self.gene(&table, turn),
        }
    }

    fn random_orders(&mut self, table: &Table<'_>) -> Vec<Order> {
        let own: Vec<usize> = table.own().collect();
        if table.fleets() > 0 || own.is_empty() {
            return Vec::new();
        }
        let source = own[self.random.below(own.len())];
        let destination = self.random.below(table.state.planets().len());
        vec![order(source, destination, table.state.planets()[source].ships / 2)]
    }

    /// Recorded games show the rule to the last ship: the base is the planet with the most ships, the target the one with
    /// the least ships times distance over one plus growth that no own fleet flies to, and 14 ships more than needed go.
    fn gene(&mut self, table: &Table<'_>, turn: u16) -> Vec<Order> {
        let planets = table.state.planets();
        let mut orders = Vec::new();
        // It lets the first turn pass.
        let Some(base) = best(table.own(), |id| ships(&planets[id])).filter(|_| turn > 1) else { return orders };
        for colony in table.own().filter(|&id| id != base) {
            if self.random.below(1_000) < GENE_TITHE.1 {
                orders.push(order(colony, base, planets[colony].ships * GENE_TITHE.0 / 100));
            }
        }
        let flown_to = |id: usize| {
            table.state.fleets().iter().any(|fleet| fleet.owner == table.me && usize::from(fleet.destination) == id)
        };
        let targets = (0..planets.len()).filter(|&id| planets[id].owner != table.me && !flown_to(id));
        let distance = |id: usize| u32::from(table.state.distance(base, id));
        let worth = |id: usize| -ships(&planets[id]) * f64::from(distance(id)) / (1.0 + f64::from(planets[id].growth));
        if let Some(target) = best(targets, worth) {
            let grown = if planets[target].owner == table.other { u32::from(planets[target].growth) } else { 0 };
            let needed = planets[target].ships + grown * distance(target) + GENE_EXTRA;
            if planets[base].ships > needed {
                orders.push(order(base, target, needed));
            }
        }
        orders
    }
}

fn order(source: usize, destination: usize, ships: u32) -> Order {
    Order { source: source as i64, destination: destination as i64, ships: i64::from(ships) }
}

fn ships(planet: &Planet) -> f64 {
    f64::from(planet.ships)
}

/// How readily a planet gives ships away.
fn fullness(planet: &Planet) -> f64 {
    ships(planet) / (1.0 + f64::from(planet.growth))
}

/// What a planet promises for its price.
fn promise(planet: &Planet) -> f64 {
    (1.0 + f64::from(planet.growth)) / ships(planet)
}

/// The first of those with the highest worth.
fn best(ids: impl Iterator<Item = usize>, worth: impl Fn(usize) -> f64) -> Option<usize> {
    let mut found: Option<(usize, f64)> = None;
    for id in ids {
        let worth = worth(id);
        if found.is_none_or(|(_, most)| worth > most) {
            found = Some((id, worth));
        }
    }
    found.map(|(id, _)| id)
}

/// The state from one side of the table.
struct Table<'a> {
    state: &'a State,
    me: Owner,
    other: Owner,
}

impl Table<'_> {
    fn owned_by(&self, owner: Owner) -> impl Iterator<Item = usize> {
        let planets = self.state.planets();
        (0..planets.len()).filter(move |&id| planets[id].owner == owner)
    }

    fn own(&self) -> impl Iterator<Item = usize> {
        self.owned_by(self.me)
    }

    fn fleets(&self) -> usize {
        self.state.fleets().iter().filter(|fleet| fleet.owner == self.me).count()
    }

    /// Half of the best source's ships to the best target, as long as fewer than `limit` fleets fly.
    fn one_fleet(
        &self,
        limit: usize,
        source: fn(&Planet) -> f64,
        target: fn(&Planet) -> f64,
        enemies_only: bool,
    ) -> Vec<Order> {
        let planets = self.state.planets();
        let wanted = |id: &usize| {
            let owner = planets[*id].owner;
            if enemies_only { owner == self.other } else { owner != self.me }
        };
        let source = best(self.own(), |id| source(&planets[id]));
        let target = best((0..planets.len()).filter(wanted), |id| target(&planets[id]));
        match (source, target) {
            (Some(source), Some(target)) if self.fleets() < limit => {
                vec![order(source, target, planets[source].ships / 2)]
            }
            _ => Vec::new(),
        }
    }

    fn rage(&self) -> Vec<Order> {
        let planets = self.state.planets();
        let full = |id: &usize| planets[*id].ships >= 10 * u32::from(planets[*id].growth);
        let near = |from: usize| best(self.owned_by(self.other), |id| -f64::from(self.state.distance(from, id)));
        self.own()
            .filter(full)
            .filter_map(|from| near(from).map(|target| order(from, target, planets[from].ships)))
            .collect()
    }
}
