use std::vec::Vec;

use proptest::prelude::*;

use super::*;
use crate::games::StateError;

fn at(x: u32, y: u32) -> Position {
    Position { x: x * Position::UNIT, y: y * Position::UNIT }
}

fn planet(x: u32, y: u32, owner: Owner, ships: u32, growth: u8) -> Planet {
    Planet { position: at(x, y), owner, ships, growth }
}

/// Homes four turns apart, a neutral planet three from one and five from the other.
fn small() -> State {
    let planets =
        [planet(0, 0, Owner::One, 100, 5), planet(4, 0, Owner::Two, 100, 5), planet(0, 3, Owner::Neutral, 20, 2)];
    State::new(planets, []).unwrap()
}

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
fn fleets_of_the_same_owner_destination_and_arrival_are_one_force() {
    let fleet =
        |owner, ships, source, destination, remaining| Fleet { owner, ships, source, destination, total: 9, remaining };
    let fleets = [
        fleet(Owner::Two, 4, 1, 2, 3),
        fleet(Owner::One, 5, 0, 2, 3),
        fleet(Owner::Two, 6, 0, 2, 3),
        fleet(Owner::One, 7, 0, 1, 8),
    ];
    let state = State::new(small().planets().to_vec(), fleets).unwrap();
    let view = View::new(&state, Player::Two, 1).unwrap();
    let force = |player, destination, remaining, ships| Force { player, destination, remaining, ships };
    let forces = [force(Player::Two, 1, 8, 7), force(Player::One, 2, 3, 10), force(Player::Two, 2, 3, 5)];
    assert_eq!(view.forces, forces, "player 2 decides and calls itself player 1");
    assert_eq!(view.planets[1].owner, Owner::One);
    assert_eq!(view.turns_left, 200);
}

#[test]
fn bytes_that_are_no_state_are_refused() {
    let bytes = View::new(&small(), Player::One, 1).unwrap().encode().unwrap();
    for length in 0..bytes.len() {
        assert_eq!(View::decode(&bytes[..length]), Err(StateError::Malformed), "{length} bytes");
    }
    let changed = |index: usize, value: u8| {
        let mut bytes = bytes.clone();
        bytes[index] = value;
        View::decode(&bytes)
    };
    assert_eq!(changed(0, 0), Err(StateError::Inconsistent), "no planets");
    assert_eq!(changed(0, 65), Err(StateError::Capacity));
    assert_eq!(changed(11, 3), Err(StateError::OutOfRange), "a third player");
    let mut longer = bytes.clone();
    longer.push(0).unwrap();
    assert_eq!(View::decode(&longer), Err(StateError::Malformed), "bytes left over");
}

pub(super) fn any_state() -> impl Strategy<Value = State> {
    let planet = (0..100 * Position::UNIT, 0..100 * Position::UNIT, 0..3_u8, 0..500_u32, 0..6_u8).prop_map(
        |(x, y, owner, ships, growth)| Planet {
            position: Position { x, y },
            owner: Owner::new(owner).unwrap(),
            ships,
            growth,
        },
    );
    let fleet = (1..3_u8, 1..500_u32, any::<u8>(), any::<u8>(), 1..40_u8, 0..9_u8);
    (proptest::collection::vec(planet, 1..30), proptest::collection::vec(fleet, 0..60)).prop_map(|(planets, fleets)| {
        let count = planets.len() as u8;
        let fleets = fleets.into_iter().map(|(owner, ships, source, destination, remaining, flown)| Fleet {
            owner: Owner::new(owner).unwrap(),
            ships,
            source: source % count,
            destination: destination % count,
            total: remaining + flown,
            remaining,
        });
        State::new(planets, fleets).unwrap()
    })
}

proptest! {
    #[test]
    fn distances_are_those_of_double_precision(x in 0..Position::UNIT * 30, y in 0..Position::UNIT * 30) {
        let unit = f64::from(Position::UNIT);
        let exact = (f64::from(x) / unit).hypot(f64::from(y) / unit).ceil();
        let distance = Position::default().distance(Position { x, y }).unwrap();
        prop_assert_eq!(u32::from(distance), exact as u32);
    }

    #[test]
    fn decoding_undoes_encoding(state in any_state(), second: bool) {
        let viewer = if second { Player::Two } else { Player::One };
        let view = View::new(&state, viewer, 7).unwrap();
        prop_assert_eq!(View::decode(&view.encode().unwrap()), Ok(view));
    }

    #[test]
    fn any_bytes_are_a_state_or_an_error(bytes: Vec<u8>) {
        if let Ok(view) = View::decode(&bytes) {
            let encoded = view.encode().unwrap();
            prop_assert_eq!(encoded.as_slice(), bytes.as_slice());
        }
    }

    #[test]
    fn changed_bytes_are_a_state_or_an_error(state in any_state(), place: usize, value: u8) {
        let mut bytes = View::new(&state, Player::One, 1).unwrap().encode().unwrap();
        let length = bytes.len();
        bytes[place % length] = value;
        if let Ok(view) = View::decode(&bytes) {
            prop_assert_eq!(view.encode().unwrap(), bytes);
        }
    }

    #[test]
    fn a_turn_without_orders_loses_ships_only_in_battle(mut state in any_state()) {
        let [one, two] = Player::BOTH.map(|player| state.ships(player) + state.growth(player));
        Turn::new(&mut state).finish();
        prop_assert!(state.ships(Player::One) <= one);
        prop_assert!(state.ships(Player::Two) <= two);
    }
}
