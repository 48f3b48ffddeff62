//! Belkan against the recordings of the original program.

use rival_core::wire::Limits;
use rival_sim::games::belkan::{maps, recordings};
use rival_sim::link::LinkSpec;

#[test]
fn the_edge_rules_replay_exactly() {
    let path = maps::shared().join("golden/belkan/micro.jsonl.gz");
    if !path.exists() {
        println!("skipped: no recordings of the edge rules (data would be in ../shared/golden/belkan)");
        return;
    }
    let map = |_: &str| maps::read(&maps::shared().join("golden/belkan/micro12.map"));
    let result = recordings::replay(&path, map).unwrap();
    assert_eq!((result.first, result.mismatches), (None, 0));
    assert_eq!(result.notes, ["21 runs"]);
}

#[test]
fn level_4_replays_exactly() {
    let path = maps::shared().join("golden/belkan/level4_traces.jsonl.gz");
    if !path.exists() {
        println!("skipped: no recordings of level 4 (data would be in ../shared/golden/belkan)");
        return;
    }
    let result = recordings::replay(&path, maps::course).unwrap();
    assert_eq!((result.first, result.mismatches), (None, 0));
    assert_eq!(result.notes, ["30 runs"]);
}

/// All 400 cases, inside the board's 72 KB: the path is proven to be the shortest or the cheapest, and the original's
/// final numbers for its own plan hold for ours where they depend on the cost alone.
#[test]
fn every_answer_of_levels_1_to_3_is_right() {
    let path = maps::shared().join("golden/belkan/level123.jsonl.gz");
    if !path.exists() {
        println!("skipped: no recorded answers (data would be in ../shared/golden/belkan)");
        return;
    }
    let result = recordings::conform(&path, maps::course, &LinkSpec::InProcess, Limits::default()).unwrap();
    assert_eq!((result.first, result.mismatches, result.steps), (None, 0, 1_200));
}
