//! Planet Wars as a whole: the emulated board against the desktop on recorded states, and against the clock.

use rival_core::wire::Limits;
use rival_sim::duel::MatchSettings;
use rival_sim::games::table;
use rival_sim::link::LinkSpec;
use rival_tests::{image, shared};

/// Recordings replay, and the decisions in a hundred of their states are the same on both sides of the line.
#[test]
fn the_emulated_board_decides_as_the_desktop_does() {
    let (Some(file), Some(image)) = (shared("golden/planet_wars/games.jsonl.gz"), image()) else { return };
    let link = LinkSpec::Emulator { shift: 3, image: Some(image) };
    for nodes in [1_000, 4_000] {
        let limits = Limits { nodes, ..Limits::default() };
        let result = table("planet-wars").unwrap().conform(&file, &[], &link, limits).unwrap();
        assert_eq!(result.mismatches, 0, "{:?}", result.first);
        assert!(result.steps > 3_000);
    }
}

/// A whole game through the emulated board: won, and nothing late.
#[test]
fn a_game_through_the_emulated_board_is_won_in_time() {
    let Some(image) = image() else { return };
    let settings = MatchSettings {
        p1: "agent".into(),
        p2: "bully".into(),
        games: 2,
        seed: 1,
        opening: 0,
        link: LinkSpec::Emulator { shift: 3, image: Some(image) },
        limits: Limits { time_us: 1_000_000, ..Limits::default() },
        map: Some("generated:7".into()),
        options: Vec::new(),
        jobs: 1,
        quiet: true,
    };
    let report = table("planet-wars").unwrap().run_match(&settings).unwrap();
    println!("figure: planet-wars, emulated board: {}", report.summary.lines().next().unwrap_or(""));
    assert_eq!(report.json["p1_times"]["late"], 0, "{}", report.summary);
    assert_eq!(report.json["points"].as_f64(), Some(2.0), "{}", report.summary);
}
