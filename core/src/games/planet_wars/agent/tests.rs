use std::boxed::Box;

use proptest::prelude::*;

use super::super::future::MAX_SHIPS;
use super::super::rules::{Order, Outcome, TURNS, Turn};
use super::super::space::Position;
use super::super::state::{Planet, Player, State};
use super::super::tests::any_state;
use super::super::view::View;
use super::*;

fn planet(x: u32, y: u32, owner: Owner, ships: u32, growth: u8) -> Planet {
    let position = Position { x: x * Position::UNIT, y: y * Position::UNIT };
    Planet { position, owner, ships, growth }
}

/// The agent's decision for player 1, in slices of this many nodes.
fn decide(state: &State, nodes: u32, slice: u32) -> Result<Decision, StateError> {
    let mut workspace = Box::new(Workspace::new());
    let mut agent = Box::new(PlanetWarsAgent::new());
    let bytes = View::new(state, Player::One, 1)?.encode()?;
    agent.begin(&bytes, &Budget::default(), &mut workspace)?;
    let mut left = nodes;
    while left > 0 && agent.step(&mut workspace, slice.min(left)) == Progress::Pending {
        left -= slice.min(left);
    }
    let mut decision = Decision::default();
    agent.answer(&mut workspace, &mut decision);
    Ok(decision)
}

fn orders(decision: &Decision) -> impl Iterator<Item = Order> {
    decision.action.as_chunks::<ORDER_BYTES>().0.iter().map(|&[source, target, low, high]| Order {
        source: source.into(),
        destination: target.into(),
        ships: u16::from_le_bytes([low, high]).into(),
    })
}

#[test]
fn the_agent_is_small() {
    assert!(size_of::<PlanetWarsAgent>() <= 8 * 1024, "{} bytes", size_of::<PlanetWarsAgent>());
}

/// The lowest levels stop after ten nodes, before anything is weighed.
#[test]
fn ten_nodes_are_enough_to_do_something() {
    let state = State::new(
        [
            planet(0, 0, Owner::One, 100, 5),
            planet(30, 0, Owner::Two, 100, 5),
            planet(3, 0, Owner::Neutral, 10, 5),
            planet(4, 0, Owner::Neutral, 10, 0),
        ],
        [],
    );
    let decision = decide(&state.unwrap(), 10, 10).unwrap();
    let orders: std::vec::Vec<Order> = orders(&decision).collect();
    assert_eq!(orders, [Order { source: 0, destination: 2, ships: 11 }]);
}

#[test]
fn plans_are_counted() {
    let home = planet(0, 0, Owner::One, 100, 5);
    let state = State::new([home, planet(30, 0, Owner::Two, 100, 5), planet(3, 0, Owner::Neutral, 10, 5)], []).unwrap();
    let [few, many] = [5, 20_000].map(|nodes| decide(&state, nodes, 10).unwrap().statistics);
    assert_eq!((few.cutoffs, few.first_cutoffs), (0, 0), "nothing has been weighed yet");
    // Doing nothing, for both sides and in every pair, and at least a step for either.
    assert!(many.cutoffs > 8 && many.first_cutoffs >= 1 && many.first_cutoffs < many.cutoffs, "{many:?}");
}

#[test]
fn a_cheap_neighbour_is_taken_with_one_ship_more_than_it_has() {
    let state = State::new(
        [
            planet(0, 0, Owner::One, 100, 5),
            planet(30, 0, Owner::Two, 100, 5),
            planet(3, 0, Owner::Neutral, 10, 5),
            planet(2, 2, Owner::Neutral, 90, 0),
        ],
        [],
    );
    let decision = decide(&state.unwrap(), 20_000, 1_000).unwrap();
    let orders: std::vec::Vec<Order> = orders(&decision).collect();
    assert_eq!(orders, [Order { source: 0, destination: 2, ships: 11 }]);
}

#[test]
fn ships_that_are_needed_at_home_stay_there() {
    use super::super::state::Fleet;
    let planets =
        [planet(0, 0, Owner::One, 30, 1), planet(30, 0, Owner::Two, 5, 1), planet(3, 0, Owner::Neutral, 10, 5)];
    let attack = Fleet { owner: Owner::Two, ships: 31, source: 1, destination: 0, total: 30, remaining: 2 };
    let state = State::new(planets, [attack]).unwrap();
    let decision = decide(&state, 20_000, 1_000).unwrap();
    let sent: i64 = orders(&decision).filter(|order| order.source == 0).map(|order| order.ships).sum();
    assert!(sent <= 1, "30 ships and 2 turns of growth meet 31: one can be spared, {sent} leave");
}

#[test]
fn an_opponent_without_a_planet_of_worth_is_still_taken() {
    let mut state = State::new([planet(0, 0, Owner::One, 60, 5), planet(6, 0, Owner::Two, 3, 0)], []).unwrap();
    let mut turn = 0;
    while state.outcome(turn, TURNS) == Outcome::Running {
        assert!(turn < 30, "the last planet of the opponent is left alone");
        let decision = decide(&state, 5_000, 1_000).unwrap();
        let mut play = Turn::new(&mut state);
        orders(&decision).for_each(|order| play.order(Player::One, order).unwrap());
        play.finish();
        turn += 1;
    }
    assert_eq!(state.outcome(turn, TURNS), Outcome::Won(Player::One));
}

#[test]
fn a_finished_game_and_too_many_ships_are_refused() {
    let over = State::new([planet(0, 0, Owner::One, 60, 5), planet(6, 0, Owner::Neutral, 3, 0)], []).unwrap();
    assert_eq!(decide(&over, 10, 10), Err(StateError::GameOver));
    let many = State::new([planet(0, 0, Owner::One, MAX_SHIPS, 5), planet(6, 0, Owner::Two, 3, 0)], []).unwrap();
    assert_eq!(decide(&many, 10, 10), Err(StateError::Capacity));
}

/// As many planets and forces as there may be, with all the ships that the agent counts: a request has room for it, and
/// the orders can be carried out.
#[test]
fn the_fullest_state_fits_a_request_and_is_decided() {
    use super::super::state::{Fleet, MAX_FLEETS};
    let planets = (0..MAX_PLANETS as u32).map(|id| {
        let owner = if id % 2 == 0 { Owner::One } else { Owner::Two };
        planet(24 * (id % 8), 24 * (id / 8), owner, 120, 2)
    });
    // Sixteen arrive at each planet, no two together; ships and turns that take two bytes each as often as may be.
    let fleets = (0..MAX_FLEETS).map(|number| {
        let round = number / MAX_PLANETS;
        let owner = if round.is_multiple_of(2) { Owner::One } else { Owner::Two };
        let remaining = 15 * (1 + round as u8);
        let ships = if number % 8 == 0 { 128 } else { 1 };
        let destination = (number % MAX_PLANETS) as u8;
        Fleet { owner, ships, source: 0, destination, total: remaining, remaining }
    });
    let state = State::new(planets, fleets).unwrap();
    let view = View::new(&state, Player::One, 1).unwrap();
    assert_eq!((view.planets.len(), view.forces.len()), (MAX_PLANETS, MAX_FLEETS));
    let bytes = view.encode().unwrap();
    assert_eq!(View::decode(&bytes).as_ref(), Ok(&view), "{} bytes", bytes.len());
    let decision = decide(&state, 20_000, 1_000).unwrap();
    // There is no room for one fleet more, which is the referee's business.
    let mut landed = State::new(state.planets().iter().copied(), []).unwrap();
    let mut turn = Turn::new(&mut landed);
    orders(&decision).for_each(|order| turn.order(Player::One, order).unwrap());
}

proptest! {
    #![proptest_config(crate::cases(48))]

    /// Whatever the state and whenever it is stopped: every order can be carried out.
    #[test]
    fn every_order_can_be_carried_out(mut state in any_state(), nodes in 0..8_000_u32) {
        match decide(&state, nodes, 64) {
            Ok(decision) => {
                let mut turn = Turn::new(&mut state);
                for order in orders(&decision) {
                    prop_assert_eq!(turn.order(Player::One, order), Ok(()));
                }
            }
            Err(error) => prop_assert_eq!(error, StateError::GameOver),
        }
    }

    /// The size of the slices does not change the decision.
    #[test]
    fn slices_do_not_change_the_decision(state in any_state(), nodes in 0..6_000_u32, slice in 1..300_u32) {
        prop_assert_eq!(decide(&state, nodes, slice), decide(&state, nodes, u32::MAX));
    }

    /// Steps add what they change to the tables; the plan worked out anew gives the same tables.
    #[test]
    fn a_plan_made_of_steps_is_the_plan_as_a_whole(state in any_state()) {
        let mut workspace = Box::new(Workspace::new());
        let mut agent = Box::new(PlanetWarsAgent::new());
        let bytes = View::new(&state, Player::One, 1).unwrap().encode().unwrap();
        if agent.begin(&bytes, &Budget::default(), &mut workspace).is_err() {
            return Ok(());
        }
        for _ in 0..20_000 {
            if agent.step(&mut workspace, 1) == Progress::Done {
                break;
            }
            if agent.goal != Goal::Together || agent.phase != Phase::Apply {
                continue;
            }
            let tables = Tables::new(workspace.words());
            let mut anew = Box::new(Workspace::new());
            let mut anew = Tables::new(anew.words());
            anew.arrivals.copy_from_slice(tables.arrivals);
            let world = agent.world();
            let planets = 0..agent.sites.len();
            planets.clone().for_each(|planet| world.spare(anew.arrivals, planet, row_mut(anew.spare, planet)));
            planets.clone().for_each(|planet| world.lay(anew.ways, planet));
            planets.clone().for_each(|planet| world.pass(&mut anew, planet));
            planets.clone().for_each(|planet| world.gather(&mut anew, planet));
            for planet in planets {
                let of = |table: &[u32]| row(table, planet)[..=agent.horizon].to_vec();
                prop_assert_eq!(of(tables.spare), of(anew.spare), "what {} spares", planet);
                prop_assert_eq!(of(tables.reach), of(anew.reach), "who reaches {}", planet);
            }
        }
    }

    /// With a depth of one nobody answers: the plan is made against an opponent who does what he is doing.
    #[test]
    fn the_depth_is_the_number_of_plans(state in any_state(), deepest in 1..6_u8) {
        let mut workspace = Box::new(Workspace::new());
        let mut agent = Box::new(PlanetWarsAgent::new());
        let bytes = View::new(&state, Player::One, 1).unwrap().encode().unwrap();
        let budget = Budget { depth: Some(deepest), ..Budget::default() };
        if agent.begin(&bytes, &budget, &mut workspace).is_ok() {
            prop_assert_eq!(agent.step(&mut workspace, 1_000_000), Progress::Done);
            let mut decision = Decision::default();
            agent.answer(&mut workspace, &mut decision);
            prop_assert!((1..=deepest).contains(&decision.statistics.depth));
            if deepest == 1 {
                prop_assert!(agent.found[1].iter().all(|plan| plan.launches().is_empty()), "somebody answered");
            }
        }
    }
}
