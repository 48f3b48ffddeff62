use std::boxed::Box;
use std::vec::Vec;

use proptest::prelude::*;

use super::super::rules::{Order, Turn};
use super::super::state::{Player, State};
use super::super::tests::any_state;
use super::*;
use crate::agent::Workspace;

/// A state as the agent keeps it.
struct Kept {
    workspace: Box<Workspace>,
    sites: Vec<Site>,
    distances: Distances,
    plans: [Plan; 2],
}

impl Kept {
    fn new(state: &State) -> Self {
        let mut workspace = Box::new(Workspace::new());
        let tables = Tables::new(workspace.words());
        for fleet in state.fleets() {
            let side = fleet.owner.player().unwrap().index();
            let arrivals = row_mut(tables.arrivals, usize::from(fleet.destination));
            if let Some(slot) = arrivals.get_mut(usize::from(fleet.remaining)) {
                *slot += pair(side, fleet.ships as u16);
            }
        }
        let site = |(id, planet): (usize, &super::super::state::Planet)| Site {
            owner: planet.owner,
            growth: planet.growth,
            ships: planet.ships as u16,
            awaited: state.fleets().iter().any(|fleet| fleet.destination == id as u8),
            ..Site::default()
        };
        let sites = state.planets().iter().enumerate().map(site).collect();
        Self { workspace, sites, distances: state.distances.clone(), plans: [Plan::new(), Plan::new()] }
    }

    fn world<'a>(sites: &'a [Site], distances: &'a Distances, plans: &'a [Plan; 2], horizon: usize) -> World<'a> {
        World { sites, distances, horizon, plans: [&plans[0], &plans[1]], hubs: &[] }
    }
}

/// Owner and ships of every planet on every turn, as the referee plays them: `launch` gives the orders of a turn.
fn refereed(state: &State, turns: usize, mut launch: impl FnMut(usize, &mut Turn<'_>)) -> Vec<Vec<(Owner, u32)>> {
    let mut state = state.clone();
    let seen = |state: &State| state.planets().iter().map(|planet| (planet.owner, planet.ships)).collect();
    let mut rows = std::vec![seen(&state)];
    for turn in 0..turns {
        let mut play = Turn::new(&mut state);
        launch(turn, &mut play);
        play.finish();
        rows.push(seen(&state));
    }
    rows
}

fn owner_of(side: u8) -> Owner {
    [Owner::One, Owner::Two, Owner::Neutral][usize::from(side)]
}

proptest! {
    /// The timelines are what the referee will play.
    #[test]
    fn timelines_are_what_the_referee_plays(state in any_state()) {
        let mut kept = Kept::new(&state);
        let tables = Tables::new(kept.workspace.words());
        let world = Kept::world(&kept.sites, &kept.distances, &kept.plans, ROW - 1);
        let rows = refereed(&state, ROW - 1, |_, _| ());
        for planet in 0..state.planets().len() {
            let timeline = world.timeline(tables.arrivals, planet);
            for (turn, row) in rows.iter().enumerate() {
                let ours = (owner_of(timeline.owner[turn]), u32::from(timeline.ships[turn]));
                prop_assert_eq!(ours, row[planet], "planet {}, turn {}", planet, turn);
            }
        }
    }

    /// A planet that sends away what it can spare, as soon as it can, is owned by the same player to the horizon, unless
    /// it would have changed hands anyway.
    #[test]
    fn spare_ships_are_not_missed(state in any_state()) {
        let mut kept = Kept::new(&state);
        let tables = Tables::new(kept.workspace.words());
        let world = Kept::world(&kept.sites, &kept.distances, &kept.plans, ROW - 1);
        for planet in 0..state.planets().len() {
            let before = world.timeline(tables.arrivals, planet);
            let Some(player) = state.planets()[planet].owner.player() else { continue };
            let held = before.owner.iter().all(|&side| owner_of(side) == player.owner());
            if !held || state.planets().len() < 2 {
                continue;
            }
            let mut spare = [0; ROW];
            world.spare(tables.arrivals, planet, &mut spare);
            let spare = spare.map(|pair| lane(pair, player.index()));
            prop_assert!(spare.is_sorted(), "what could have left by a turn could have left later");
            // Far enough to come back to nobody within the horizon is impossible to promise, so the ships go nowhere.
            let mut alone = state.clone();
            let mut left = 0;
            for &spare in &spare[..ROW - 1] {
                prop_assert!(u32::from(spare - left) <= alone.planets[planet].ships);
                alone.planets[planet].ships -= u32::from(spare - left);
                left = spare;
                Turn::new(&mut alone).finish();
                prop_assert_eq!(alone.planets[planet].owner, player.owner());
            }
        }
    }

    /// With launches of both sides the timelines are still what the referee plays.
    #[test]
    fn planned_launches_are_part_of_the_timelines(
        state in any_state(),
        wishes in proptest::collection::vec((any::<u8>(), any::<u8>(), 0..20_u8, 1..100_u16), 0..12),
    ) {
        let mut kept = Kept::new(&state);
        let planets = state.planets().len();
        // Whatever the referee accepts of the wishes is the plan.
        let mut accepted = Vec::new();
        let rows = refereed(&state, ROW - 1, |turn, play| {
            for &(source, target, when, ships) in &wishes {
                let (source, target) = (usize::from(source) % planets, usize::from(target) % planets);
                let Some(player) = play.state().planets()[source].owner.player() else { continue };
                let order = Order { source: source as i64, destination: target as i64, ships: i64::from(ships) };
                if usize::from(when) == turn && source != target && play.order(player, order).is_ok() {
                    let (source, target) = (source as u8, target as u8);
                    accepted.push((player, Launch { source, target, turn: when, ships }));
                }
            }
        });
        for (player, launch) in accepted {
            kept.plans[player.index()].push(launch);
        }
        let tables = Tables::new(kept.workspace.words());
        let world = Kept::world(&kept.sites, &kept.distances, &kept.plans, ROW - 1);
        for planet in 0..planets {
            let timeline = world.timeline(tables.arrivals, planet);
            // A row shows a planet after its departures, the referee before them: they agree once nothing leaves.
            for (turn, row) in rows.iter().enumerate().skip(20) {
                let ours = (owner_of(timeline.owner[turn]), u32::from(timeline.ships[turn]));
                prop_assert_eq!(ours, row[planet], "planet {}, turn {}", planet, turn);
            }
        }
    }
}

#[test]
fn a_duel_is_a_battle_of_two() {
    for (owned, attacking) in [(5, 3), (3, 5), (4, 4), (0, 1), (7, 0)] {
        let expected = battle(Owner::One, [0, owned, attacking]);
        let left = duel(owned as i32, attacking as i32);
        let owner = if left < 0 { Owner::Two } else { Owner::One };
        assert_eq!((owner, left.unsigned_abs()), expected, "{owned} against {attacking}");
    }
    assert_eq!(Player::One.index(), 0, "lane 0 is player 1");
}
