//! Mancala as a whole: the rules against recordings, the agent against exact answers, the links against each other.

use std::path::{Path, PathBuf};

use rival_core::games::GameId;
use rival_core::games::mancala::{Player, State};
use rival_core::wire::{Limits, Timing};
use rival_sim::client::Client;
use rival_sim::games::mancala::random_position;
use rival_sim::games::table;
use rival_sim::link::LinkSpec;
use rival_sim::random::Random;
use rival_sim::recording::Conformance;
use rival_tests::{emulated, root, shared};

fn nodes(nodes: u32) -> Limits {
    Limits { nodes, ..Limits::default() }
}

fn conform(file: &Path, budget: u32) -> Conformance {
    table("mancala").unwrap().conform(file, &[], &LinkSpec::InProcess, nodes(budget)).unwrap()
}

fn data(name: &str) -> PathBuf {
    root().join("tests/data/mancala").join(name)
}

#[test]
fn recorded_moves_replay_without_a_difference() {
    for (name, steps) in [("games.jsonl.gz", 8_000), ("steps.jsonl.gz", 8_000)] {
        let result = conform(&data(name), 1);
        assert_eq!(result.mismatches, 0, "{:?}", result.first);
        assert_eq!(result.steps, steps);
    }
}

#[test]
fn every_recording_replays_without_a_difference() {
    for name in ["games.jsonl.gz", "steps.jsonl.gz"] {
        let Some(file) = shared(&format!("golden/mancala/{name}")) else { return };
        let result = conform(&file, 1);
        assert_eq!(result.mismatches, 0, "{:?}", result.first);
        assert!(result.steps > 15_000);
    }
}

/// What the search calls proven is the exact value, with an optimal move; and most other decisions are optimal too.
#[test]
fn proven_decisions_are_perfect() {
    let result = conform(&data("solved.jsonl.gz"), 20_000);
    assert_eq!(result.steps, 700);
    assert_eq!(result.mismatches, 0, "{:?}", result.first);
    println!("figure: {}", result.notes[0]);
}

#[test]
fn a_recording_that_differs_is_noticed() {
    let folder = std::env::temp_dir().join(format!("rival-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("wrong.jsonl");
    let line = r#"{"before":{"turn":0,"p":[[0,4,4,4,4,4,4],[0,4,4,4,4,4,4]]},"move":4,"final":false,
        "after":{"turn":1,"p":[[1,5,5,5,0,4,4],[0,4,4,4,4,4,4]]}}"#;
    std::fs::write(&file, line.replace('\n', "")).unwrap();
    let result = conform(&file, 1);
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!((result.steps, result.mismatches), (1, 1));
    assert!(result.first.unwrap().contains("J1 to move"));
}

/// The same request gives the same answer in this program and on the emulated board, to the last node.
#[test]
fn the_emulated_board_decides_as_the_desktop_does() {
    let Some(mut board) = emulated(3) else { return };
    let mut desktop = Client::open(&LinkSpec::InProcess).unwrap();
    let mut random = Random::new(2018);
    for number in 0..200 {
        let state: State = random_position(&mut random, number % 40);
        for budget in [100, 5_000, 50_000] {
            let here = desktop.decide(GameId::Mancala, &state.encode(), nodes(budget)).unwrap();
            let there = board.decide(GameId::Mancala, &state.encode(), nodes(budget)).unwrap();
            let figures = |answer: &rival_sim::client::Answer| {
                let statistics = &answer.statistics;
                (
                    answer.action.clone(),
                    statistics.value,
                    statistics.depth,
                    statistics.nodes,
                    statistics.ending,
                    statistics.table_hits,
                    statistics.line.clone(),
                )
            };
            assert_eq!(figures(&here), figures(&there), "{state:?}, {budget} nodes");
        }
    }
}

/// Complete responses, line included, stay inside the second on a fast and on a slow part.
#[test]
fn every_response_is_inside_the_second() {
    for (shift, decisions) in [(3, 30), (5, 10)] {
        let Some(mut board) = emulated(shift) else { return };
        let mut random = Random::new(u64::from(shift));
        let mut worst = 0;
        for number in 0..decisions {
            let state = random_position(&mut random, number % 30);
            let limits = Limits { time_us: 1_000_000, ..Limits::default() };
            let answer = board.decide(GameId::Mancala, &state.encode(), limits).unwrap();
            worst = worst.max(answer.response_us(board.baud()));
        }
        println!("figure: mancala, worst of {decisions} complete responses at shift={shift}: {worst} us");
        assert!(worst < 1_000_000, "{worst} us at shift {shift}");
        assert!(worst > 500_000, "the time is used: {worst} us at shift {shift}");
    }
}

/// The start as the second player would see it: the same search, but no position of the first seat's book.
fn start_without_book() -> State {
    State::new(Player::J2, State::start().board()).unwrap()
}

/// Depth, nodes and instructions from the start position: exact figures, so that a loss is a loss.
#[test]
fn the_start_position_is_searched_deep_enough() {
    let Some(mut board) = emulated(3) else { return };
    assert_eq!(board.identity().timing, Timing::Emulated);
    let limits = Limits { time_us: 1_000_000, ..Limits::default() };
    let answer = board.decide(GameId::Mancala, &start_without_book().encode(), limits).unwrap();
    let statistics = &answer.statistics;
    let per_node = f64::from(statistics.search_us) * 125.0 / f64::from(statistics.nodes);
    println!(
        "figure: mancala, start position, one emulated second: depth {}, {} nodes, {per_node:.1} instructions a node",
        statistics.depth, statistics.nodes
    );
    assert!(statistics.depth >= 16, "{statistics:?}");
    assert!(per_node <= 200.0, "{per_node}");
}

/// Emulated time is exact: another run of the emulator gives the same nodes, in the same time to the microsecond that a
/// reading may fall to either side of.
#[test]
fn emulated_figures_are_the_same_in_every_run() {
    let run = || {
        let mut board = emulated(3)?;
        let limits = Limits { time_us: 300_000, ..Limits::default() };
        let answer = board.decide(GameId::Mancala, &start_without_book().encode(), limits).unwrap();
        Some((answer.statistics.nodes, answer.statistics.search_us))
    };
    let (Some((nodes, search_us)), Some((again, again_us))) = (run(), run()) else { return };
    assert_eq!(nodes, again);
    assert!(search_us.abs_diff(again_us) <= 1, "{search_us} and {again_us} us");
}

/// The agent takes at least 95 % of the points from the source document's agent.
#[test]
fn the_agent_beats_stark() {
    let settings = rival_sim::duel::MatchSettings {
        p1: "agent".into(),
        p2: "stark".into(),
        games: 40,
        seed: 7,
        opening: 2,
        link: LinkSpec::InProcess,
        limits: nodes(300_000),
        map: None,
        options: Vec::new(),
        jobs: 2,
        quiet: true,
    };
    let report = table("mancala").unwrap().run_match(&settings).unwrap();
    let points = report.json["points"].as_f64().unwrap();
    println!("figure: mancala, agent (300,000 nodes) against stark: {points} of 40 points");
    assert!(points >= 38.0, "{}", report.summary);
}
