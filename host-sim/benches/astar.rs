//! The bounded A\* of `rival-core` against the crates `pathfinding` and `petgraph`: the same maps, the same states
//! (cell, heading, outfit), the same costs (least battery) and the same heuristic, one after the other in one process.
//!
//! `cargo bench -p rival-sim --bench astar`. The figures are this desktop's; what counts is their ratio.
//!
//! `pathfinding` is given the rules as a function, as its users do. `petgraph` is given the graph built beforehand, and
//! building it is not counted.

use core::time::Duration;
use std::time::Instant;

use pathfinding::directed::astar::astar;
use petgraph::graph::{DiGraph, NodeIndex};
use rival_core::games::belkan::{Heading, Map, Outfit, Place, Sensors, Terrain};
use rival_core::wire::Ending;
use rival_sim::games::belkan::contest::{Direct, Walker};
use rival_sim::games::belkan::maps;
use rival_sim::games::belkan::world::{Setup, World};

/// A state as a user of a path-finding library would write it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct State {
    place: (u8, u8),
    heading: u8,
    outfit: u8,
}

fn successors(map: &Map, state: State) -> Vec<(State, u32)> {
    let outfit = Outfit::from_bits(state.outfit);
    let here = map.get(Place::new(state.place.0, state.place.1));
    let heading = Heading::from_bits(state.heading);
    let mut all = Vec::with_capacity(3);
    for turned in [heading.left(), heading.right()] {
        all.push((State { heading: turned as u8, ..state }, u32::from(here.cost(outfit))));
    }
    let ahead = Place::new(state.place.0, state.place.1).towards(heading, 1, 0);
    let terrain = map.get(ahead);
    if terrain.is_passable() && terrain != Terrain::Unknown {
        let after = outfit.with(terrain.gift());
        let to = State { place: (ahead.row, ahead.column), heading: state.heading, outfit: after.bits() };
        all.push((to, u32::from(here.cost(after))));
    }
    all
}

/// Steps and turns left at least.
fn heuristic(state: State, target: Place) -> u32 {
    let south = i32::from(target.row) - i32::from(state.place.0);
    let east = i32::from(target.column) - i32::from(state.place.1);
    let (forth, aside) = match state.heading {
        0 => (-south, east),
        1 => (east, south),
        2 => (south, east),
        _ => (-east, south),
    };
    let turns = if forth < 0 { 2 } else { u32::from(aside != 0) };
    south.unsigned_abs() + east.unsigned_abs() + turns
}

/// The whole graph, for `petgraph`.
fn build(map: &Map) -> (DiGraph<State, u32>, impl Fn(State) -> NodeIndex + use<>) {
    let size = usize::from(map.size());
    let number = move |state: State| {
        let cell = usize::from(state.place.0) * size + usize::from(state.place.1);
        NodeIndex::new(cell * 16 + usize::from(state.heading) * 4 + usize::from(state.outfit))
    };
    let mut graph = DiGraph::with_capacity(size * size * 16, size * size * 48);
    for index in 0..size * size * 16 {
        let cell = index / 16;
        graph.add_node(State {
            place: ((cell / size) as u8, (cell % size) as u8),
            heading: (index / 4 % 4) as u8,
            outfit: (index % 4) as u8,
        });
    }
    for index in graph.node_indices() {
        let state = graph[index];
        let place = Place::new(state.place.0, state.place.1);
        if map.is_inside(place) && map.get(place).is_passable() {
            for (to, cost) in successors(map, state) {
                graph.add_edge(index, number(to), cost);
            }
        }
    }
    (graph, number)
}

/// The fastest of nine runs: what a busy machine adds is not the search's. What `prepare` does is not counted.
fn time<T, P>(mut prepare: impl FnMut() -> P, mut run: impl FnMut(P) -> T) -> (T, Duration) {
    let mut times = Vec::new();
    let mut result = run(prepare());
    for _ in 0..9 {
        let prepared = prepare();
        let start = Instant::now();
        result = run(prepared);
        times.push(start.elapsed());
    }
    (result, times.into_iter().min().unwrap_or_default())
}

fn main() {
    let mut totals = [Duration::ZERO; 3];
    println!(
        "{:<18} {:>6} {:>8} {:>9} {:>15} {:>12} {:>7} {:>7}",
        "map", "cost", "nodes", "rival µs", "pathfinding µs", "petgraph µs", "times", "times"
    );
    let mut least = f64::MAX;
    for (seed, size) in [(1, 30), (2, 50), (3, 75), (4, 100), (5, 100), (6, 100)] {
        let map = maps::generate(seed, size).expect("a size that there is");
        let cells: Vec<Place> = map.places().filter(|&place| map.get(place).is_passable()).collect();
        let (graph, number) = build(&map);
        for (from, to) in [(0, cells.len() - 1), (cells.len() / 3, cells.len() * 5 / 6)] {
            let (start, target) = (cells[from], cells[to]);
            let setup = Setup {
                seed: 1,
                level: 3,
                start: Some(start),
                heading: Heading::North,
                targets: vec![Place::new(target.column, target.row)],
            };
            let sensors: Sensors = World::new(&map, &setup).expect("a cell to start on").sense();
            let cold = || {
                let mut agent = Direct::default();
                agent.begin(1, Some(&map));
                agent
            };
            let (ours, rival) = time(cold, |mut agent| agent.decision(&sensors).expect("a state").statistics);
            let first = State { place: (start.row, start.column), heading: 0, outfit: 0 };
            let (theirs, library) = time(
                || (),
                |()| {
                    astar(
                        &first,
                        |&state| successors(&map, state),
                        |&state| heuristic(state, target),
                        |state| state.place == (target.row, target.column),
                    )
                    .map(|(_, cost)| cost)
                },
            );
            let (petgraph, built) = time(
                || (),
                |()| {
                    petgraph::algo::astar(
                        &graph,
                        number(first),
                        |index| graph[index].place == (target.row, target.column),
                        |edge| *edge.weight(),
                        |index| heuristic(graph[index], target),
                    )
                    .map(|(cost, _)| cost)
                },
            );
            assert_eq!(ours.ending, Ending::Proven);
            assert_eq!((theirs, petgraph), (Some(ours.value as u32), Some(ours.value as u32)), "the costs differ");
            let times = [library, built].map(|other| other.as_secs_f64() / rival.as_secs_f64());
            least = least.min(times[0]).min(times[1]);
            println!(
                "{:<18} {:>6} {:>8} {:>9} {:>15} {:>12} {:>7.1} {:>7.1}",
                format!("generated:{seed}:{size}"),
                ours.value,
                ours.nodes,
                rival.as_micros(),
                library.as_micros(),
                built.as_micros(),
                times[0],
                times[1]
            );
            for (total, time) in totals.iter_mut().zip([rival, library, built]) {
                *total += time;
            }
        }
    }
    let ratio = |other: Duration| other.as_secs_f64() / totals[0].as_secs_f64();
    println!("in all: rival 1, pathfinding {:.1}, petgraph {:.1} times as long", ratio(totals[1]), ratio(totals[2]));
    println!("on any map at least {least:.1} times as long");
}
