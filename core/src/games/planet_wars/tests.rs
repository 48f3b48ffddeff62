use std::vec::Vec;

use proptest::prelude::*;

use super::*;
use crate::games::StateError;

pub(super) fn at(x: u32, y: u32) -> Position {
    Position { x: x * Position::UNIT, y: y * Position::UNIT }
}

pub(super) fn planet(x: u32, y: u32, owner: Owner, ships: u32, growth: u8) -> Planet {
    Planet { position: at(x, y), owner, ships, growth }
}

/// Homes four turns apart, a neutral planet three from one and five from the other.
pub(super) fn small() -> State {
    let planets =
        [planet(0, 0, Owner::One, 100, 5), planet(4, 0, Owner::Two, 100, 5), planet(0, 3, Owner::Neutral, 20, 2)];
    State::new(planets, []).unwrap()
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
