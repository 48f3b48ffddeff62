//! A test for each rule, named after it. That the recorded games replay without a mismatch stands in `host-sim`.

use std::vec::Vec;

use super::super::state::{MAX_FLEETS, MAX_PLANETS, Planet};
use super::super::tests::{planet, small};
use super::*;
use crate::games::StateError;

fn order(source: i64, destination: i64, ships: i64) -> Order {
    Order { source, destination, ships }
}

/// Plays a turn with these orders, all of which must be legal.
fn play(state: &mut State, orders: &[(Player, Order)]) {
    let mut turn = Turn::new(state);
    for &(player, order) in orders {
        turn.order(player, order).unwrap();
    }
    turn.finish();
}

fn fleet(owner: Owner, ships: u32, destination: u8, remaining: u8) -> Fleet {
    let source = u8::from(owner == Owner::Two);
    Fleet { owner, ships, source, destination, total: remaining, remaining }
}

/// The small map with these fleets in flight.
fn flying(fleets: impl IntoIterator<Item = Fleet>) -> State {
    State::new(small().planets().to_vec(), fleets).unwrap()
}

fn standing(state: &State, planet: usize) -> (Owner, u32) {
    (state.planets()[planet].owner, state.planets()[planet].ships)
}

#[test]
fn the_largest_force_less_the_second_remains() {
    assert_eq!(battle(Owner::Neutral, [3, 9, 7]), (Owner::One, 2));
    assert_eq!(battle(Owner::Neutral, [9, 3, 7]), (Owner::Neutral, 2));
    assert_eq!(battle(Owner::One, [0, 3, 7]), (Owner::Two, 4));
    assert_eq!(battle(Owner::Two, [0, 0, 7]), (Owner::Two, 7), "nobody else is there");
}

#[test]
fn two_equal_largest_forces_leave_the_planet_empty_to_its_owner() {
    assert_eq!(battle(Owner::Neutral, [3, 5, 5]), (Owner::Neutral, 0));
    assert_eq!(battle(Owner::Neutral, [5, 3, 5]), (Owner::Neutral, 0));
    assert_eq!(battle(Owner::Two, [0, 5, 5]), (Owner::Two, 0));
    assert_eq!(battle(Owner::Neutral, [5, 5, 5]), (Owner::Neutral, 0));
}

#[test]
fn a_taken_planet_grows_from_the_next_turn_on() {
    let mut state = small();
    play(&mut state, &[(Player::One, order(0, 2, 25))]);
    play(&mut state, &[]);
    play(&mut state, &[]);
    assert_eq!((state.planets()[2].owner, state.planets()[2].ships), (Owner::One, 5));
    play(&mut state, &[]);
    assert_eq!(state.planets()[2].ships, 7);
    assert_eq!(state.planets()[0].ships, 75 + 4 * 5);
}

#[test]
fn orders_with_the_same_ends_make_one_fleet() {
    let mut state = small();
    play(&mut state, &[(Player::One, order(0, 2, 10)), (Player::One, order(0, 2, 7)), (Player::Two, order(1, 2, 1))]);
    let fleets = [
        Fleet { owner: Owner::One, ships: 17, source: 0, destination: 2, total: 3, remaining: 2 },
        Fleet { owner: Owner::Two, ships: 1, source: 1, destination: 2, total: 5, remaining: 4 },
    ];
    assert_eq!(state.fleets(), fleets);
}

#[test]
fn no_ships_make_no_fleet_and_a_trip_to_oneself_has_no_effect() {
    let mut state = small();
    play(&mut state, &[(Player::One, order(0, 2, 0)), (Player::One, order(0, 0, 50))]);
    assert!(state.fleets().is_empty());
    assert_eq!(state.planets()[0].ships, 105);
}

#[test]
fn orders_that_cannot_be_carried_out_are_bad() {
    let mut state = small();
    let mut turn = Turn::new(&mut state);
    for bad in [
        order(1, 0, 1),
        order(2, 0, 1),
        order(3, 0, 1),
        order(-1, 0, 1),
        order(0, 3, 1),
        order(0, -1, 1),
        order(0, 1, 101),
        order(0, 1, -1),
        order(0, 1, i64::MAX),
    ] {
        assert_eq!(turn.order(Player::One, bad), Err(Kick::BadOrder), "{bad:?}");
    }
    assert_eq!(turn.order(Player::One, order(0, 1, 60)), Ok(()));
    assert_eq!(turn.order(Player::One, order(0, 1, 41)), Err(Kick::BadOrder), "60 have left already");
}

#[test]
fn lines_are_read_as_the_server_reads_them() {
    assert_eq!(Line::parse("1 2 3\n"), Ok(Line::Order(order(1, 2, 3))));
    assert_eq!(Line::parse(" +1 -2 3 "), Ok(Line::Order(order(1, -2, 3))));
    assert_eq!(Line::parse("GO"), Ok(Line::Go));
    for text in ["", "1 2", "1 2 3 4", "1  2 3", "# note", "hello there captain", "1 2 1.0", "1 2 +"] {
        assert_eq!(Line::parse(text), Err(Kick::Unparseable), "{text:?}");
    }
    let huge = Line::parse("1 2 99999999999999999999");
    assert_eq!(huge, Ok(Line::Order(order(1, 2, i64::MAX))), "a number, and beyond every ship count");
}

#[test]
fn a_kick_makes_planets_neutral_and_fleets_vanish() {
    let mut state = small();
    play(&mut state, &[(Player::One, order(0, 2, 10)), (Player::Two, order(1, 2, 10))]);
    let mut turn = Turn::new(&mut state);
    turn.order(Player::One, order(0, 1, 10)).unwrap();
    turn.order(Player::Two, order(1, 0, 3)).unwrap();
    turn.kick(Player::One);
    turn.order(Player::Two, order(1, 0, 4)).unwrap();
    turn.finish();
    assert_eq!((state.planets()[0].owner, state.planets()[0].ships), (Owner::Neutral, 85), "no growth any more");
    assert_eq!(state.fleets().iter().map(|fleet| fleet.ships).collect::<Vec<_>>(), [10, 7]);
    assert_eq!(state.outcome(2, TURNS), Outcome::Won(Player::Two));
}

#[test]
fn the_game_ends_with_the_limit_or_the_last_possession() {
    let state = small();
    assert_eq!(state.outcome(199, TURNS), Outcome::Running);
    assert_eq!(state.outcome(200, TURNS), Outcome::Draw, "equal ships");
    let lone = State::new([planet(0, 0, Owner::One, 1, 0), planet(1, 0, Owner::Neutral, 9, 0)], []).unwrap();
    assert_eq!(lone.outcome(1, TURNS), Outcome::Won(Player::One));
    let empty = State::new([planet(0, 0, Owner::One, 0, 0)], []).unwrap();
    assert_eq!(empty.outcome(1, TURNS), Outcome::Draw, "a survivor without ships has not won");
}

#[test]
fn more_fleets_than_there_is_room_for_are_an_error() {
    let fleet = Fleet { owner: Owner::One, ships: 1, source: 0, destination: 1, total: 4, remaining: 1 };
    let planets = small().planets().to_vec();
    let full = State::new(planets.clone(), core::iter::repeat_n(fleet, MAX_FLEETS));
    let mut full = full.unwrap();
    assert_eq!(Turn::new(&mut full).order(Player::One, order(0, 1, 1)), Err(Kick::TooManyFleets));
    assert_eq!(full.planets()[0].ships, 100, "the ships are still there");
    assert_eq!(State::new(planets, core::iter::repeat_n(fleet, MAX_FLEETS + 1)), Err(StateError::Capacity));
}

#[test]
fn orders_come_before_growth_and_before_what_arrives() {
    let mut state = flying([fleet(Owner::One, 50, 0, 1)]);
    let mut turn = Turn::new(&mut state);
    assert_eq!(turn.order(Player::One, order(0, 1, 101)), Err(Kick::BadOrder), "5 will grow and 50 arrive, later");
    assert_eq!(turn.order(Player::One, order(0, 1, 100)), Ok(()), "all that there is");
    turn.finish();
    assert_eq!(standing(&state, 0), (Owner::One, 55));
}

#[test]
fn a_fleet_of_a_later_turn_is_another_fleet() {
    let mut state = small();
    play(&mut state, &[(Player::One, order(0, 1, 10))]);
    play(&mut state, &[(Player::One, order(0, 1, 10))]);
    assert_eq!(
        state.fleets().iter().map(|fleet| (fleet.ships, fleet.remaining)).collect::<Vec<_>>(),
        [(10, 2), (10, 3)]
    );
}

/// The ships on a planet that is left alone, less so many turns of growth on the way, and one more.
#[test]
fn a_planet_grows_on_every_turn_of_the_way_to_it() {
    for (more, expected) in [(0, (Owner::Two, 0)), (1, (Owner::One, 1))] {
        let planets = [planet(0, 0, Owner::One, 200, 0), planet(4, 0, Owner::Two, 100, 5)];
        let mut state = State::new(planets, []).unwrap();
        play(&mut state, &[(Player::One, order(0, 1, 100 + 4 * 5 + more))]);
        (0..3).for_each(|_| play(&mut state, &[]));
        assert_eq!(standing(&state, 1), expected);
    }
}

#[test]
fn what_is_nobodys_does_not_grow() {
    let mut state = small();
    (0..10).for_each(|_| play(&mut state, &[]));
    assert_eq!(standing(&state, 2), (Owner::Neutral, 20));
}

#[test]
fn fleets_that_arrive_together_fight_as_one_force_each() {
    let mut state = flying([
        fleet(Owner::One, 15, 2, 1),
        fleet(Owner::Two, 13, 2, 1),
        fleet(Owner::One, 16, 2, 1),
        fleet(Owner::Two, 14, 2, 1),
        fleet(Owner::Two, 90, 2, 2),
    ]);
    play(&mut state, &[]);
    assert_eq!(standing(&state, 2), (Owner::One, 31 - 27), "20 of nobody are the third force");
    assert_eq!(state.fleets().len(), 1, "what arrives later does not fight yet");
}

#[test]
fn the_owner_of_a_planet_and_who_comes_to_help_are_one_force() {
    let mut state = flying([fleet(Owner::One, 10, 0, 1), fleet(Owner::Two, 110, 0, 1)]);
    play(&mut state, &[]);
    assert_eq!(standing(&state, 0), (Owner::One, 100 + 5 + 10 - 110));
    let mut state = flying([fleet(Owner::One, 10, 0, 1)]);
    play(&mut state, &[]);
    assert_eq!(standing(&state, 0), (Owner::One, 115), "nobody attacks");
}

#[test]
fn two_attackers_that_are_equal_leave_nobodys_planet_to_nobody() {
    let mut state = flying([fleet(Owner::One, 30, 2, 1), fleet(Owner::Two, 30, 2, 1)]);
    play(&mut state, &[]);
    assert_eq!(standing(&state, 2), (Owner::Neutral, 0));
}

#[test]
fn fleets_do_not_meet_on_their_way() {
    let planets = [planet(0, 0, Owner::One, 100, 0), planet(4, 0, Owner::Two, 100, 0)];
    let mut state = State::new(planets, []).unwrap();
    play(&mut state, &[(Player::One, order(0, 1, 100)), (Player::Two, order(1, 0, 100))]);
    (0..3).for_each(|_| play(&mut state, &[]));
    assert_eq!((standing(&state, 0), standing(&state, 1)), ((Owner::Two, 100), (Owner::One, 100)));
}

#[test]
fn planets_in_the_same_place_are_reached_in_the_turn_of_the_order() {
    let planets =
        [planet(0, 0, Owner::One, 100, 5), planet(4, 0, Owner::Two, 100, 5), planet(0, 0, Owner::Neutral, 20, 2)];
    let mut state = State::new(planets, []).unwrap();
    assert_eq!(state.distance(0, 2), 0);
    play(&mut state, &[(Player::One, order(0, 2, 30))]);
    assert_eq!((standing(&state, 0), standing(&state, 2)), ((Owner::One, 75), (Owner::One, 10)));
    assert!(state.fleets().is_empty());
}

#[test]
fn no_ships_from_a_planet_of_somebody_else_are_a_bad_order() {
    let mut state = small();
    for source in [1, 2] {
        assert_eq!(Turn::new(&mut state).order(Player::One, order(source, 0, 0)), Err(Kick::BadOrder), "{source}");
    }
}

#[test]
fn nobodys_ships_of_a_thrown_out_player_go_on_fighting() {
    let mut state = flying([fleet(Owner::Two, 60, 0, 1)]);
    let mut turn = Turn::new(&mut state);
    turn.order(Player::One, order(0, 1, 30)).unwrap();
    turn.kick(Player::One);
    turn.finish();
    assert_eq!(standing(&state, 0), (Owner::Neutral, 10), "70 stayed behind, without growth; 60 arrive");
    assert!(state.fleets().is_empty(), "the 30 are lost");
}

#[test]
fn two_players_thrown_out_at_once_draw() {
    let mut state = small();
    let mut turn = Turn::new(&mut state);
    for player in Player::BOTH {
        turn.kick(player);
    }
    turn.finish();
    assert_eq!(state.outcome(1, TURNS), Outcome::Draw);
    assert_eq!((standing(&state, 0), standing(&state, 1)), ((Owner::Neutral, 100), (Owner::Neutral, 100)));
}

#[test]
fn a_planet_without_ships_or_a_fleet_alone_keeps_a_player_in_the_game() {
    let rival = planet(9, 0, Owner::Two, 7, 0);
    let empty = State::new([planet(0, 0, Owner::One, 0, 0), rival], []).unwrap();
    assert_eq!(empty.outcome(1, TURNS), Outcome::Running);
    let alone = State::new([planet(0, 0, Owner::Neutral, 0, 0), rival], [fleet(Owner::One, 1, 0, 3)]).unwrap();
    assert_eq!(alone.outcome(1, TURNS), Outcome::Running);
}

#[test]
fn two_players_who_lose_everything_at_once_draw() {
    let planets = [planet(0, 0, Owner::Neutral, 3, 0), planet(4, 0, Owner::Neutral, 0, 0)];
    let mut state = State::new(planets, [fleet(Owner::One, 8, 0, 1), fleet(Owner::Two, 8, 0, 1)]).unwrap();
    assert_eq!(state.outcome(1, TURNS), Outcome::Running);
    play(&mut state, &[]);
    assert_eq!(state.outcome(2, TURNS), Outcome::Draw);
}

#[test]
fn at_the_limit_ships_in_flight_count_as_those_on_planets() {
    let state = flying([fleet(Owner::Two, 1, 0, 30)]);
    assert_eq!(state.outcome(TURNS - 1, TURNS), Outcome::Running);
    assert_eq!(state.outcome(TURNS, TURNS), Outcome::Won(Player::Two), "100 against 100 and one in flight");
}

#[test]
fn more_planets_than_there_is_room_for_are_an_error() {
    let list = |count: usize| (0..count as u32).map(|x| planet(x, 0, Owner::Neutral, 1, 1)).collect::<Vec<Planet>>();
    assert!(State::new(list(MAX_PLANETS), []).is_ok());
    assert_eq!(State::new(list(MAX_PLANETS + 1), []), Err(StateError::Capacity));
}
