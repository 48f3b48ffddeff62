use std::boxed::Box;
use std::vec::Vec as List;

use proptest::prelude::*;

use super::super::future::{Site, pair};
use super::super::plan::Plan;
use super::super::space::{Distances, Position};
use super::*;
use crate::agent::Workspace;

const HORIZON: usize = 40;

/// A map with hubs, and what each planet spares: more with every turn, as true rows have it.
struct Galaxy {
    sites: List<Site>,
    distances: Distances,
    hubs: Hubs,
    spare: List<[Pair; ROW]>,
}

impl Galaxy {
    fn new(planets: &[(u8, u8, u8)], hubs: Hubs) -> Self {
        let at = |id: usize| Position {
            x: u32::from(planets[id].0 % 40) * Position::UNIT,
            y: u32::from(planets[id].1 % 40) * Position::UNIT,
        };
        let mut distances = Distances::new();
        distances.fill(planets.len(), at).unwrap();
        let site = |planet: usize| {
            let way = |&(_, &hub): &(usize, &u8)| match usize::from(hub) {
                hub if hub == planet => 0,
                hub => distances.between(planet, hub).max(1),
            };
            let nearest = hubs.iter().enumerate().min_by_key(way).unwrap();
            Site { hub: nearest.0 as u8, approach: way(&nearest), ..Site::default() }
        };
        let sites = (0..planets.len()).map(site).collect();
        let spares = |planet: &(u8, u8, u8)| {
            let side = usize::from(planet.2 & 1);
            core::array::from_fn(|turn| pair(side, u16::from(planet.2) + turn as u16 * u16::from(planet.2 % 6)))
        };
        let spare = planets.iter().map(spares).collect();
        Self { sites, distances, hubs, spare }
    }

    /// The rows as they are gathered, and as a sum over all pairs gives them with these ways.
    fn reach(&self, way: impl Fn(&World<'_>, usize, usize) -> usize) -> [List<List<Pair>>; 2] {
        let plan = Plan::new();
        let world = World {
            sites: &self.sites,
            distances: &self.distances,
            horizon: HORIZON,
            plans: [&plan, &plan],
            hubs: &self.hubs,
        };
        let mut workspace = Box::new(Workspace::new());
        let mut tables = Tables::new(workspace.words());
        let planets = 0..self.sites.len();
        // What an earlier table left behind is no part of the sum.
        tables.hubs.fill(7);
        tables.reach.fill(7);
        for (planet, spare) in self.spare.iter().enumerate() {
            row_mut(tables.spare, planet).copy_from_slice(spare);
        }
        planets.clone().for_each(|planet| world.lay(tables.ways, planet));
        planets.clone().for_each(|planet| world.pass(&mut tables, planet));
        planets.clone().for_each(|planet| world.gather(&mut tables, planet));
        let gathered = planets.clone().map(|planet| row(tables.reach, planet)[..=HORIZON].to_vec()).collect();
        let summed = |to: usize| {
            let mut sum = std::vec![0; HORIZON + 1];
            for from in planets.clone().filter(|&from| from != to) {
                let late = way(&world, from, to);
                sum.iter_mut().skip(late).zip(&self.spare[from]).for_each(|(sum, spare)| *sum += spare);
            }
            sum
        };
        [gathered, planets.clone().map(summed).collect()]
    }
}

fn routed_way(world: &World<'_>, from: usize, to: usize) -> usize {
    world.route(from, to)
}

fn straight(world: &World<'_>, from: usize, to: usize) -> usize {
    world.trip(from, to)
}

#[test]
fn hubs_are_the_weightiest_and_the_first_of_equal_ones() {
    assert_eq!(choose([3, 9, 3, 5].into_iter())[..], [1, 3, 0, 2]);
    let many = choose((0..40).map(|planet| planet % 20));
    assert_eq!(many[..], [19, 39, 18, 38, 17, 37, 16, 36, 15, 35, 14, 34]);
}

proptest! {
    /// Where there is a hub for every planet, the ships that reach it are those of all others, each by its own way.
    #[test]
    fn few_planets_are_reached_straight(planets in proptest::collection::vec(any::<(u8, u8, u8)>(), 1..=MAX_HUBS)) {
        let galaxy = Galaxy::new(&planets, choose(planets.iter().map(|planet| planet.2.into())));
        let [gathered, summed] = galaxy.reach(straight);
        prop_assert_eq!(gathered, summed);
    }

    /// On larger maps the ways of some go through a hub, and nobody is there earlier than he could be.
    #[test]
    fn many_planets_are_reached_through_hubs(planets in proptest::collection::vec(any::<(u8, u8, u8)>(), 13..=64)) {
        let galaxy = Galaxy::new(&planets, choose(planets.iter().map(|planet| planet.2.into())));
        let [gathered, routed] = galaxy.reach(routed_way);
        prop_assert_eq!(&gathered, &routed);
        let [_, at_once] = galaxy.reach(straight);
        for (routed, soonest) in routed.iter().flatten().zip(at_once.iter().flatten()) {
            prop_assert!(routed & 0xFFFF <= soonest & 0xFFFF && routed >> 16 <= soonest >> 16);
        }
    }
}
