//! Belkan against the recordings of the original program.

use rival_sim::games::belkan::{maps, recordings};

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
