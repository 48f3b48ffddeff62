use std::boxed::Box;
use std::vec::Vec;

use super::super::map::{Object, Terrain, Tile};
use super::*;

const SIZE: u8 = 16;

/// An unarmed mech in one piece.
fn mech(hex: Hex, walk: u8, jump: u8) -> Mech {
    let structure = [10; 8];
    Mech { hex, walk, jump, operational: true, structure, sinks_on: 10, tons: 50, ..Mech::new() }
}

/// A decision about a move on open ground, of the first of these mechs.
fn decide(mechs: &[Mech], nodes: u32) -> Decision {
    let mut workspace = Box::new(Workspace::new());
    let mut agent = Box::new(BattletechAgent::new());
    let tile = Tile::new(0, Terrain::Open, Object::None).bits().to_le_bytes();
    let map: Vec<u8> =
        [SIZE, SIZE, 0, 0].into_iter().chain(tile.repeat(usize::from(SIZE) * usize::from(SIZE))).collect();
    agent.load(&map, &mut workspace).unwrap();
    let mut state = State::new();
    state.head.turn = 1;
    for mech in mechs {
        state.mechs.push(mech.clone()).unwrap();
    }
    let mut bytes = [0; 2048];
    let used = state.encode(&mut bytes).unwrap();
    agent.begin(&bytes[..used], &Budget::default(), &mut workspace).unwrap();
    let mut left = nodes;
    while left > 0 && agent.step(&mut workspace, 1) == Progress::Pending {
        left -= 1;
    }
    let mut decision = Decision::default();
    agent.answer(&mut workspace, &mut decision);
    decision
}

fn weighed(mechs: &[Mech]) -> u32 {
    decide(mechs, u32::MAX).statistics.cutoffs
}

/// Counted by hand. One point of walking: stay and turn, forward, backward. Two of running: stay and turn, forward once
/// and twice, and the hexes ahead on both sides. And to stand still. A jump of one: the six neighbours.
#[test]
fn every_position_weighed_is_counted_once() {
    let me = |jump| mech(Hex::new(8, 8), 1, jump);
    let moved = |col| Mech { has_moved: true, ..mech(Hex::new(col, 1), 0, 0) };
    assert_eq!(weighed(&[me(0), moved(8)]), 3 + 5 + 1);
    assert_eq!(weighed(&[me(1), moved(8)]), 3 + 5 + 1 + 6);
    assert_eq!(weighed(&[me(1), moved(8), moved(4)]), 2 * (3 + 5 + 1 + 6), "against each enemy");
    // An enemy that could still move and has nowhere to go has one reply to each of them.
    let waits = mech(Hex::new(8, 1), 0, 0);
    assert_eq!(weighed(&[me(0), waits]), 2 * (3 + 5 + 1));
}

/// A search that is cut short says what its move is worth all the same.
#[test]
fn a_value_is_given_wherever_the_search_is_stopped() {
    let mechs = [mech(Hex::new(8, 8), 3, 2), mech(Hex::new(8, 3), 3, 0)];
    let whole = decide(&mechs, u32::MAX).statistics.nodes;
    // The floods and the way come first: until a place is weighed there is no value.
    let first = (0..whole).find(|&nodes| decide(&mechs, nodes).statistics.cutoffs > 0).unwrap();
    for nodes in first..=whole {
        assert!(decide(&mechs, nodes).statistics.value > i32::MIN, "after {nodes} of {whole} nodes");
    }
}

/// Careful for twelve turns, bold from the nineteenth on.
#[test]
fn caution_wears_off() {
    let mut agent = Box::new(BattletechAgent::new());
    let expected = [(0, 20), (1, 20), (12, 20), (13, 18), (18, 8), (19, 6), (50, 6), (255, 6)];
    for (turn, caution) in expected {
        agent.state.head.turn = turn;
        assert_eq!(agent.caution(), caution, "turn {turn}");
    }
}
