//! What the games and the line do not take. Mancala, Parchis and Planet Wars have more of it beside their rules.

use rival_core::games::battletech::{self, Hex, Map, map::decode_map};
use rival_core::games::belkan::{self, FULL_BATTERY, LIFETIME, MAX_SIZE, Sensors};
use rival_core::games::{GameId, StateError, parchis};
use rival_core::wire::Request;
use rival_core::wire::frame::{FrameError, open};
use rival_sim::games::table;

/// A number can be written with idle bytes behind it, which would be a second way to say the same.
#[test]
fn a_message_that_is_longer_than_it_need_be_is_refused() {
    assert_eq!(open::<Request<'_>>(&[2, 5]), Ok(Request::Stop { id: 5 }));
    assert_eq!(open::<Request<'_>>(&[2, 0x85, 0]), Err(FrameError::Malformed));
}

#[test]
fn parchis_refuses_bytes_left_over() {
    let start = parchis::State::start().encode();
    assert!(parchis::State::decode(&start).is_ok());
    assert_eq!(parchis::State::decode(&[&start[..], &[0]].concat()), Err(StateError::Malformed));
}

#[test]
fn belkan_refuses_what_cannot_be() {
    let bytes = table("belkan").unwrap().positions().remove(0).state;
    assert!(Sensors::decode(&bytes).is_ok());
    assert_eq!(Sensors::decode(&bytes[1..]), Err(StateError::Malformed), "too short");
    assert_eq!(Sensors::decode(&[&bytes[..], &[0]].concat()), Err(StateError::Malformed), "too long");
    let with = |places: &[(usize, u8)]| {
        let mut bytes = bytes.clone();
        for &(at, value) in places {
            bytes[at] = value;
        }
        Sensors::decode(&bytes).err()
    };
    let [life, battery] = [LIFETIME, FULL_BATTERY + 1].map(u16::to_le_bytes);
    for (places, error, what) in [
        (&[(2, 0)][..], StateError::OutOfRange, "level 0"),
        (&[(2, 5)], StateError::OutOfRange, "level 5"),
        (&[(3, MAX_SIZE + 1)], StateError::OutOfRange, "a map that is too large"),
        (&[(3, 1)], StateError::OutOfRange, "a map that is too small"),
        (&[(4, life[0]), (5, life[1])], StateError::OutOfRange, "more than a life"),
        (&[(6, battery[0]), (7, battery[1])], StateError::OutOfRange, "a battery more than full"),
        (&[(9, 255)], StateError::OutOfRange, "off the map"),
        (&[(13, 255)], StateError::OutOfRange, "a target off the map"),
        (&[(8, 4)], StateError::Malformed, "a flag that there is not"),
        (&[(11, 4)], StateError::Malformed, "a fifth heading"),
        (&[(14, 1)], StateError::Malformed, "something where nothing is"),
        (&[(16, 0xFF)], StateError::OutOfRange, "terrain that there is not"),
        (&[(24, 0xFF)], StateError::OutOfRange, "a fourth kind of figure"),
    ] {
        assert_eq!(with(places), Some(error), "{what}");
    }
    assert_eq!(belkan::Knowledge::new().read_piece(&[1, 2]), Err(StateError::Malformed), "half a piece of a map");
}

#[test]
fn battletech_refuses_what_cannot_be() {
    let position = table("battletech").unwrap().positions().remove(0);
    let mut tiles = vec![0; 4_096];
    let load = position.load.unwrap();
    let (rows, cols) = decode_map(&load, &mut tiles).unwrap();
    assert!(decode_map(&load[..load.len() - 1], &mut tiles.clone()).is_err(), "a map that is too short");
    let map = Map::new(rows, cols, &tiles).unwrap();
    let mut whole = battletech::State::new();
    whole.decode(&position.state, &map).unwrap();
    assert!(whole.mechs.len() > 1);
    let mut again = battletech::State::new();
    assert_eq!(again.decode(&position.state[1..], &map).ok(), None, "cut at the front");
    assert_eq!(again.decode(&[&position.state[..], &[0]].concat(), &map), Err(StateError::Malformed), "left over");

    let refused = |change: fn(&mut battletech::State)| {
        let mut state = whole.clone();
        change(&mut state);
        let mut bytes = vec![0; 8_192];
        let length = state.encode(&mut bytes).unwrap();
        battletech::State::new().decode(&bytes[..length], &map).err()
    };
    assert_eq!(refused(|_| ()), None);
    let out = Some(StateError::OutOfRange);
    assert_eq!(refused(|state| state.head.me = state.head.mechs), out, "decided by nobody");
    assert_eq!(refused(|state| state.mechs[0].hex = Hex::new(200, 200)), out, "off the map");
    assert_eq!(refused(|state| state.mechs[0].tons = 5), out, "too light");
    assert_eq!(refused(|state| state.mechs[0].walk = 21), out, "too fast");
    assert_eq!(refused(|state| state.mechs[0].heat = 201), out, "too hot");
    let unknown = |state: &mut battletech::State| {
        state.mechs.iter_mut().flat_map(|mech| mech.weapons.iter_mut()).for_each(|weapon| weapon.kind = 255);
    };
    assert_eq!(refused(unknown), out, "a weapon that there is not");
    let same_hex = |state: &mut battletech::State| state.mechs[1].hex = state.mechs[0].hex;
    assert_eq!(refused(same_hex), Some(StateError::Inconsistent), "two in one hex");
    let gone = |state: &mut battletech::State| {
        let me = usize::from(state.head.me);
        state.mechs[me].operational = false;
    };
    assert_eq!(refused(gone), Some(StateError::GameOver), "decided by a wreck");
    assert_eq!(GameId::ALL.len(), 5, "every game has such a test");
}
