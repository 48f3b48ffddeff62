//! Planet Wars as a whole: the emulated board against the desktop on recorded states, and against the clock.

use rival_core::wire::Limits;
use rival_sim::duel::MatchSettings;
use rival_sim::games::table;
use rival_sim::link::LinkSpec;
use rival_tests::{emulated, image, shared};

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

/// Turns that the agent looks ahead.
const HORIZON: f64 = 40.0;

/// What a planet and a turn of its future cost, by the number of planets: finding out what each can spare, weighing a
/// plan, and adding up who can reach whom. The first two must not depend on the number of planets. The third is a sum over
/// all pairs, so that it does.
#[test]
fn the_cost_of_a_planet_and_turn_does_not_grow_with_the_planets() {
    let Some(mut board) = emulated(3) else { return };
    let table = table("planet-wars").unwrap();
    let mut costs = Vec::new();
    for position in table.positions().iter().take(4) {
        let planets: u32 = position.name.split(' ').next().and_then(|word| word.parse().ok()).unwrap();
        let mut instructions = |nodes: u32| {
            let limits = Limits { nodes, ..Limits::default() };
            let answer = board.decide(table.id(), &position.state, limits).unwrap();
            (f64::from(answer.statistics.search_us) * 125.0, f64::from(answer.statistics.nodes))
        };
        // The order of work: a node a planet, a node for every eight pairs, a node a planet, then plans.
        let spared = planets;
        let reached = spared + planets * planets.div_ceil(8);
        let valued = reached + planets;
        let marks = [1, spared, reached, valued, valued + 12 * planets].map(&mut instructions);
        let cost = |from: usize, to: usize| (marks[to].0 - marks[from].0) / HORIZON;
        let nodes = |from: usize, to: usize| marks[to].1 - marks[from].1;
        let spare = cost(0, 1) / nodes(0, 1);
        let reach = cost(1, 2) / f64::from(planets);
        let weigh = cost(3, 4) / nodes(3, 4);
        println!(
            "figure: planet-wars, {planets} planets: instructions a planet and turn {spare:.1} to find what it spares, \
             {weigh:.1} to weigh a plan, {reach:.1} to add up who can reach it"
        );
        costs.push((planets, spare, weigh, reach));
    }
    assert_eq!(costs.len(), 4);
    for pair in costs.windows(2) {
        assert!(pair[1].1 < 1.25 * pair[0].1 && pair[1].2 < 1.25 * pair[0].2, "{pair:?}");
        assert!(pair[1].3 < 2.5 * pair[0].3, "twice the planets, twice the sum: {pair:?}");
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
