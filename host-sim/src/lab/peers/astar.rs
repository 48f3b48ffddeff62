//! The bounded A\* of `rival-core` against the crates `pathfinding` and `petgraph`: the same maps, the same states
//! (cell, heading, outfit), the same costs (least battery) and the same heuristic, one after the other in one process.
//!
//! `pathfinding` is given the rules as a function, as its users do. `petgraph` is given the graph built beforehand, and
//! building it is not counted.

use anyhow::{Context, Result, ensure};
use pathfinding::directed::astar::astar;
use petgraph::graph::{DiGraph, NodeIndex};
use rival_core::games::belkan::{Heading, Map, Outfit, Place, Sensors, Terrain};
use rival_core::wire::Ending;

use super::{Row, time};
use crate::games::belkan::contest::{Direct, Walker};
use crate::games::belkan::maps;
use crate::games::belkan::world::{Setup, World};

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

/// Plans across six generated maps.
pub(super) fn rows() -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for (seed, size) in [(1, 30), (2, 50), (3, 75), (4, 100), (5, 100), (6, 100)] {
        let map = maps::generate(seed, size)?;
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
            let sensors: Sensors = World::new(&map, &setup)?.sense();
            let cold = || {
                let mut agent = Direct::default();
                agent.begin(1, Some(&map));
                agent
            };
            let (ours, rival) = time(cold, |mut agent| agent.decision(&sensors).map(|decision| decision.statistics));
            let ours = ours.context("the agent refuses the state")?;
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
            let cost = Some(ours.value as u32);
            ensure!(
                ours.ending == Ending::Proven && theirs == cost && petgraph == cost,
                "the costs differ: {cost:?}, {theirs:?}, {petgraph:?}"
            );
            rows.push(Row {
                task: format!("generated:{seed}:{size}, cost {}, {} states", ours.value, ours.nodes),
                times: vec![rival, library, built],
            });
        }
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::super::Peers;
    use super::*;

    /// Over all twelve tasks, for a single one is over in microseconds and a busy desktop shows.
    #[test]
    fn the_costs_of_other_crates_in_a_third_of_their_time() {
        let peers = Peers { title: "", note: "", names: &["rival", "pathfinding", "petgraph"], rows: rows().unwrap() };
        for other in 1..=2 {
            let (all, _) = peers.ratio(other);
            assert!(all >= 3.0, "{}: {all:.1} times", peers.names[other]);
        }
    }
}
