//! `BattleTech` as a whole: the emulated board against the desktop on recorded states, and against the clock.

use rival_core::wire::Limits;
use rival_sim::games::battletech::Battletech;
use rival_sim::games::{Table, table};
use rival_sim::link::LinkSpec;
use rival_tests::{emulated, image, root};

/// Recorded games replay line by line, and the decisions in their states are the same on both sides of the line.
#[test]
fn the_emulated_board_decides_as_the_desktop_does() {
    let Some(image) = image() else { return };
    let link = LinkSpec::Emulator { shift: 3, image: Some(image) };
    let mut asked = 0;
    for (name, nodes) in [("ugr", 100_000), ("book", 40), ("three", 400)] {
        let file = root().join(format!("tests/data/battletech/{name}.jsonl.gz"));
        let limits = Limits { nodes, ..Limits::default() };
        let result = table("battletech").unwrap().conform(&file, &[], &link, limits).unwrap();
        assert_eq!(result.mismatches, 0, "{:?}", result.first);
        asked += result.notes[0].split(' ').next().and_then(|count| count.parse::<u32>().ok()).unwrap_or(0);
    }
    println!("figure: battletech, {asked} recorded states decided alike on the desktop and the emulated board");
    assert!(asked >= 100, "only {asked}");
}

/// The worst case: 8/12/8 mechs on the largest map, complete and inside the second.
#[test]
fn movement_on_the_largest_map_is_complete_inside_the_second() {
    let Some(mut client) = emulated(3) else { return };
    for position in Battletech.positions() {
        client.load(Battletech.id(), &position.load.unwrap()).unwrap();
        let limits = Limits { time_us: 1_000_000, ..Limits::default() };
        let answer = client.decide(Battletech.id(), &position.state, limits).unwrap();
        let whole = client.decide(Battletech.id(), &position.state, Limits::default()).unwrap();
        let time = answer.response_us(client.baud());
        println!("figure: battletech, {}: {} nodes in {time} us", position.name, answer.statistics.nodes);
        assert_eq!(answer.action, whole.action, "{}", position.name);
        assert_eq!(answer.statistics.nodes, whole.statistics.nodes, "{} was cut short", position.name);
        assert!(time < 1_000_000, "{}: {time} us", position.name);
    }
}
