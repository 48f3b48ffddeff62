//! The searches over the map against the plainest search there is, made from the rules alone.

use super::*;
use crate::games::belkan::map::FRAME;
use crate::games::belkan::rules::{Event, FULL_BATTERY, Place, Player};
use crate::search::Progress;
use crate::search::astar::{AStar, Buckets, Codes, Outcome};
use core::cmp::Reverse;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use std::collections::{BTreeMap, BinaryHeap};
use std::vec;
use std::vec::Vec;

/// Row, column, heading and outfit.
type At = (u8, u8, u8, u8);

/// A map and what is asked of it.
#[derive(Clone, Debug)]
struct Case {
    /// Inner rows and columns.
    side: u8,
    terrain: Vec<Terrain>,
    /// The order in which the cells were seen: guesses depend on it.
    seen_backwards: bool,
    metric: Metric,
    unknown: Unknown,
    trusting: bool,
    start: u8,
    goal: Wish,
    blocked: Option<u8>,
    open_words: usize,
    slice: u32,
}

/// A goal, with cells as places in a list.
#[derive(Clone, Copy, Debug)]
enum Wish {
    Cell(u8),
    Terrain(u16),
    Unknown,
    View(u8),
}

fn cases() -> impl Strategy<Value = Case> {
    let terrain = |unknown: u32, ground: u32| {
        prop_oneof![
            unknown => Just(Terrain::Unknown),
            1 => Just(Terrain::Precipice),
            2 => Just(Terrain::Wall),
            2 => Just(Terrain::Water),
            2 => Just(Terrain::Forest),
            ground => Just(Terrain::Sand),
            2 * ground => Just(Terrain::Stone),
            1 => Just(Terrain::Bikini),
            1 => Just(Terrain::Shoes),
            1 => Just(Terrain::Charger),
        ]
    };
    let metric = prop_oneof![
        1 => Just(Metric::ACTIONS),
        3 => Just(Metric::BATTERY),
        1 => (1..=8_u16, 1..=2_u16).prop_map(|(tick, battery)| Metric { tick, battery }),
    ];
    let guesses = (1..=4_u16, 0..=100_u16, 1..=30_u16, 0..=80_u8, 0..=80_u8).prop_map(
        |(plain, alike, closed, curiosity, curiosity_near)| Unknown {
            plain,
            alike,
            closed,
            wall: 3 * closed,
            curiosity,
            curiosity_near,
            expected: plain,
        },
    );
    let unknown = prop_oneof![Just(Unknown::NONE), guesses];
    let goal = prop_oneof![
        3 => any::<u8>().prop_map(Wish::Cell),
        1 => (0..1_u16 << 10).prop_map(Wish::Terrain),
        1 => Just(Wish::Unknown),
        1 => (1..=9_u8).prop_map(Wish::View),
    ];
    let words = prop_oneof![0..40_usize, 40..400_usize];
    (1..=6_u8, prop_oneof![Just(0_u32), Just(4), Just(20)], prop_oneof![Just(1_u32), Just(4), Just(20)])
        .prop_flat_map(move |(side, unknown, ground)| {
            let cells = usize::from(side) * usize::from(side);
            (Just(side), prop::collection::vec(terrain(unknown, ground), cells))
        })
        .prop_flat_map(move |(side, terrain)| {
            let whole = (any::<bool>(), metric.clone(), unknown.clone(), prop::bool::weighted(0.8));
            let errand = (any::<u8>(), goal.clone(), prop::option::weighted(0.3, any::<u8>()));
            (whole, errand, words.clone(), 1..40_u32).prop_map(move |(whole, errand, open_words, slice)| {
                let (seen_backwards, metric, unknown, trusting) = whole;
                let (start, goal, blocked) = errand;
                let terrain = terrain.clone();
                Case {
                    side,
                    terrain,
                    seen_backwards,
                    metric,
                    unknown,
                    trusting,
                    start,
                    goal,
                    blocked,
                    open_words,
                    slice,
                }
            })
        })
}

impl Case {
    fn place(&self, number: u8) -> Place {
        let number = usize::from(number) % self.terrain.len();
        let side = usize::from(self.side);
        Place::new(FRAME + (number / side) as u8, FRAME + (number % side) as u8)
    }

    fn map(&self) -> Map {
        let mut map = Map::new();
        map.begin(self.side + 2 * FRAME).unwrap();
        let mut order: Vec<usize> = (0..self.terrain.len()).collect();
        if self.seen_backwards {
            order.reverse();
        }
        for number in order {
            map.learn(self.place(number as u8), self.terrain[number]);
        }
        map
    }

    fn goal(&self, map: &Map) -> Goal {
        match self.goal {
            Wish::Cell(number) => Goal::Cell(map.cell(self.place(number)).unwrap()),
            Wish::Terrain(mask) => Goal::Terrain(mask),
            Wish::Unknown => Goal::UNKNOWN,
            Wish::View(enough) => Goal::View(enough),
        }
    }

    /// Whether somebody who stands there has what was asked for.
    fn content(&self, map: &Map, (row, column, heading, _): At) -> bool {
        let place = Place::new(row, column);
        match self.goal {
            Wish::Cell(number) => place == self.place(number),
            // Guesses have numbers of their own, above all terrains.
            Wish::Terrain(mask) => mask >> map.code(map.cell(place).unwrap()) & 1 != 0,
            Wish::Unknown => map.get(place) == Terrain::Unknown,
            Wish::View(enough) => {
                let heading = Heading::from_bits(heading);
                let seen = CONE.iter().map(|&(ahead, aside)| map.get(place.towards(heading, ahead, aside)));
                seen.filter(|&terrain| terrain == Terrain::Unknown).count() >= usize::from(enough)
            }
        }
    }

    /// What an action does and costs by the rules; nothing if it leads nowhere. What an action on an unknown cell costs is
    /// no matter of the rules.
    fn act(&self, map: &Map, prices: &Prices, at: At, action: Action) -> Option<(At, Cost)> {
        let (row, column, heading, outfit) = at;
        let mut player = Player {
            place: Place::new(row, column),
            heading: Heading::from_bits(heading),
            battery: FULL_BATTERY,
            outfit: Outfit::from_bits(outfit),
        };
        let (here, there) = (player.place, player.place.towards(player.heading, 1, 0));
        let occupied = self.blocked.is_some_and(|number| self.place(number) == there);
        let (event, battery) = player.act(action, map.get(here), map.get(there), occupied);
        if event != Event::Done {
            return None;
        }
        let cost = if map.get(here) == Terrain::Unknown {
            prices.of(map.code(map.cell(here).unwrap()), player.outfit)
        } else {
            Cost::from(self.metric.tick + self.metric.battery * battery)
        };
        Some(((player.place.row, player.place.column, player.heading as u8, player.outfit.bits()), cost))
    }

    /// The least that it can cost to get what is asked for: Dijkstra's search, with nothing left out.
    fn truth(&self, map: &Map, prices: &Prices, start: At) -> Option<Cost> {
        let mut costs = BTreeMap::from([(start, 0)]);
        let mut open = BinaryHeap::from([Reverse((0, start))]);
        while let Some(Reverse((cost, at))) = open.pop() {
            if costs[&at] < cost {
                continue;
            }
            if self.content(map, at) {
                return Some(cost);
            }
            for action in [Action::Forward, Action::Left, Action::Right] {
                if let Some((to, price)) = self.act(map, prices, at, action)
                    && costs.get(&to).is_none_or(|&known| cost + price < known)
                {
                    costs.insert(to, cost + price);
                    open.push(Reverse((cost + price, to)));
                }
            }
        }
        None
    }
}

/// Every answer of a search, in every heading and outfit, with the memory of the case and with enough. Counts outcomes.
fn check(case: &Case, outcomes: &mut [u32; 3]) {
    let map = case.map();
    let from = case.place(case.start);
    if !map.get(from).is_passable() {
        return;
    }
    let mut prices = Prices::new();
    prices.set(case.metric, case.unknown);
    if !case.trusting {
        prices.trust_nothing();
    }
    let blocked = case.blocked.map(|number| map.cell(case.place(number)).unwrap());
    for (heading, outfit) in (0..4).flat_map(|heading| Outfit::ALL.map(|outfit| (heading, outfit))) {
        let start = (from.row, from.column, heading, outfit.bits());
        let truth = case.truth(&map, &prices, start);
        let goal = case.goal(&map);
        let errand = Errand::new(&map, map.cell(from).unwrap(), heading, outfit, goal, blocked);
        let ground = Ground::new(&map, &prices, &errand);
        for words in [case.open_words, 4_000] {
            let (mut open, mut closed) = (vec![0; words], vec![0; Codes::<2>::words(usize::from(map.cells()) * 16)]);
            let mut visited = Codes::<2>::new(&mut closed);
            let mut search: AStar<Buckets<256>> = AStar::new();
            search.begin(&ground, errand.start(), u32::MAX, &mut open, &mut visited);
            let mut steps = 0;
            while search.step(&ground, &mut open, &mut visited, case.slice) == Progress::Pending {
                steps += 1;
                assert!(steps < 10_000, "the search does not end");
            }
            let report = search.report();
            let mut labels = vec![0; search.path(&ground, &visited, |_, _, _| {}) as usize];
            search.path(&ground, &visited, |place, _, label| labels[place as usize] = label);
            let (mut at, mut paid) = (start, 0);
            for label in labels {
                let (to, price) = case.act(&map, &prices, at, action_of(label)).expect("the path leads nowhere");
                (at, paid) = (to, paid + price);
            }
            let name = std::format!("{words} words, heading {heading}, {outfit:?}");
            if report.reached || search.outcome() != Outcome::Unreachable {
                assert!(report.lost > 0 || paid == report.cost, "the path costs {paid}, not {}: {name}", report.cost);
            }
            match search.outcome() {
                Outcome::Optimal => {
                    assert!(report.reached && case.content(&map, at), "the path does not get there: {name}");
                    assert_eq!((Some(report.cost), paid), (truth, report.cost), "called optimal: {name}");
                }
                Outcome::Unreachable => assert_eq!(truth, None, "called unreachable: {name}"),
                Outcome::Partial => {
                    assert!(report.lost > 0 && words < 4_000, "nothing was lost, but nothing is known: {name}");
                    assert!(!report.reached || case.content(&map, at), "the path does not get there: {name}");
                    assert!(!report.reached || truth.is_some_and(|truth| truth <= paid), "better than best: {name}");
                }
            }
            outcomes[search.outcome() as usize] += 1;
        }
    }
}

#[test]
fn what_is_called_optimal_is_and_what_is_called_unreachable_is() {
    let outcomes = core::cell::Cell::new([0; 3]);
    let config = ProptestConfig { cases: crate::cases(1_500).cases.max(1_500), ..ProptestConfig::default() };
    let searched = TestRunner::new(config).run(&cases(), |case| {
        let mut counted = outcomes.get();
        check(&case, &mut counted);
        outcomes.set(counted);
        Ok(())
    });
    if let Err(error) = searched {
        panic!("{error}");
    }
    assert!(outcomes.get().iter().all(|&count| count > 500), "{outcomes:?}");
}
