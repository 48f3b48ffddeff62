//! Belkan as a whole: a board that forgets, and a game under emulation.

use rival_core::games::belkan::Heading;
use rival_core::wire::Limits;
use rival_sim::client::Client;
use rival_sim::duel::MatchSettings;
use rival_sim::games::belkan::linked::Linked;
use rival_sim::games::belkan::maps;
use rival_sim::games::belkan::world::{Setup, World};
use rival_sim::games::table;
use rival_sim::link::LinkSpec;
use rival_tests::image;

/// Walks for a while at level 4. The board is taken away and replaced by one that knows nothing every 60 ticks.
fn walk_through_resets(link: &LinkSpec) {
    let map = maps::generate(3, 50).unwrap();
    let target = map.places().filter(|&place| map.get(place).is_passable()).last().unwrap();
    let start = map.places().find(|&place| map.get(place).is_passable());
    let setup = Setup { seed: 9, level: 4, start, heading: Heading::North, targets: vec![target] };
    let mut world = World::new(&map, &setup).unwrap();
    let mut board = Linked::new(Client::open(link).unwrap(), Limits::default());
    board.begin(9, None).unwrap();
    for tick in 1..=240 {
        if tick % 60 == 0 {
            *board.client() = Client::open(link).unwrap();
        }
        let sensors = world.sense();
        let (action, _) = board.decide(&sensors).unwrap();
        world.act(action);
        assert!(!world.is_over(), "tick {tick}");
    }
    assert_eq!(board.retold, 4, "each new board is told once");
    assert!(world.score().goals >= 2, "{:?}", world.score());
    assert_eq!(world.score().deaths, 0);
}

#[test]
fn play_goes_on_after_resets() {
    walk_through_resets(&LinkSpec::InProcess);
}

#[test]
fn play_goes_on_after_resets_of_the_emulated_board() {
    let Some(image) = image() else { return };
    walk_through_resets(&LinkSpec::Emulator { shift: 3, image: Some(image) });
}

/// A whole game of level 4 through the emulated board: 3,000 decisions, none late, no fall.
#[test]
fn a_game_through_the_emulated_board_is_in_time() {
    let Some(image) = image() else { return };
    let settings = MatchSettings {
        p1: "agent".into(),
        p2: "nearest".into(),
        games: 1,
        seed: 1,
        opening: 0,
        link: LinkSpec::Emulator { shift: 3, image: Some(image) },
        limits: Limits { time_us: 1_000_000, ..Limits::default() },
        map: Some("generated:2:40".into()),
        options: Vec::new(),
        jobs: 1,
        quiet: true,
    };
    let report = table("belkan").unwrap().run_match(&settings).unwrap();
    println!("figure: belkan, emulated board: {}", report.summary.lines().nth(1).unwrap_or(""));
    assert_eq!(report.json["p1_times"]["late"], 0, "{}", report.summary);
    assert_eq!(report.json["runs"][0]["runs"][0]["deaths"], 0, "{}", report.summary);
    assert_eq!(report.json["points"].as_f64(), Some(1.0), "{}", report.summary);
}
