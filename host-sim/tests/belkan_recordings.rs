//! Belkan against the recordings of the original program.

use rival_sim::games::belkan::{contest, maps, recordings};

#[test]
fn the_edge_rules_replay_exactly() {
    let path = maps::shared().join("golden/belkan/micro.jsonl.gz");
    if !path.exists() {
        println!("skipped: no recordings of the edge rules (data would be in ../shared/golden/belkan)");
        return;
    }
    let map = |_: &str| maps::read(&maps::shared().join("golden/belkan/micro12.map"));
    let comparison = recordings::replay(&path, map).unwrap();
    assert_eq!(comparison.mismatches, Vec::<String>::new());
    assert_eq!(comparison.runs, 21);
}

#[test]
fn level_4_replays_exactly() {
    let path = maps::shared().join("golden/belkan/level4_traces.jsonl.gz");
    if !path.exists() {
        println!("skipped: no recordings of level 4 (data would be in ../shared/golden/belkan)");
        return;
    }
    let comparison = recordings::replay(&path, maps::course).unwrap();
    assert_eq!(comparison.mismatches, Vec::<String>::new());
    assert_eq!(comparison.runs, 30);
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
    let comparison = recordings::answers(&path, maps::course, &mut contest::Direct::default()).unwrap();
    assert_eq!(comparison.mismatches, Vec::<String>::new());
    assert_eq!(comparison.runs, 400);
}
