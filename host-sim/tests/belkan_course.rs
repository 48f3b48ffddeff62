//! Belkan, level 4, on the course's ten maps and its six benchmark lines: what was wanted, seeds 1 to 5.

use rival_core::wire::Limits;
use rival_sim::duel::MatchSettings;
use rival_sim::games::belkan::maps;
use rival_sim::games::table;
use rival_sim::link::LinkSpec;

/// The agent's targets on each map, in all five runs; nobody falls, nobody bumps into a wall.
fn targets(map: &str) -> Vec<(String, u64)> {
    let settings = MatchSettings {
        p1: "agent".into(),
        p2: "nearest".into(),
        games: 1,
        seed: 1,
        opening: 0,
        link: LinkSpec::InProcess,
        // None: a busy desktop changes nothing.
        limits: Limits::default(),
        map: Some(map.into()),
        options: vec![("seeds".into(), "1..5".into())],
        jobs: 1,
        quiet: true,
    };
    let report = table("belkan").unwrap().run_match(&settings).unwrap();
    println!("{}", report.summary);
    let rows = report.json["runs"].as_array().unwrap().iter().filter(|row| row["walker"] == "agent");
    rows.map(|row| {
        let runs = row["runs"].as_array().unwrap();
        assert_eq!(runs.len(), 5);
        assert!(runs.iter().all(|run| run["deaths"] == 0 && run["collisions"] == 0), "{row}");
        (row["map"].as_str().unwrap().to_owned(), row["goals"].as_u64().unwrap())
    })
    .collect()
}

/// Plays on the maps, of which none may have fewer targets than its floor. Gives the sum; nothing without the maps.
fn at_least(maps: &str, floors: &[(&str, u64)]) -> Option<u64> {
    if !maps::shared().join("maps/belkan").exists() {
        println!("skipped: no maps of the course (they would be in ../shared/maps/belkan)");
        return None;
    }
    let reached = targets(maps);
    assert_eq!(reached.len(), floors.len());
    for ((map, goals), (name, floor)) in reached.iter().zip(floors) {
        assert_eq!(map, name);
        assert!(goals >= floor, "{map}: {goals}, wanted {floor}");
    }
    Some(reached.iter().map(|(_, goals)| goals).sum())
}

/// `document` and `corrected` take minutes, so what they reach stands here:
/// `rival match belkan --p1 corrected --p2 document --map course --set seeds=1..5`.
#[test]
fn on_the_ten_maps_half_as_many_targets_again_as_the_document_and_nowhere_fewer_than_corrected() {
    const CORRECTED: [(&str, u64); 10] = [
        ("mapa30", 565),
        ("mapa50", 350),
        ("mapa75", 168),
        ("mapa100", 160),
        ("mapa100b", 90),
        ("mapa100c", 47),
        ("islas", 59),
        ("medieval", 129),
        ("cuadricula", 96),
        ("vertigo", 79),
    ];
    const DOCUMENT: u64 = 1_325;
    if let Some(all) = at_least("course", &CORRECTED) {
        assert!(2 * all >= 3 * DOCUMENT, "{all} in all, document {DOCUMENT}");
    }
}

/// The floors, as the sum of five runs.
#[test]
fn on_the_six_lines_as_many_targets_as_were_wanted() {
    at_least(
        "benchmark",
        &[("mapa30", 610), ("mapa50", 380), ("mapa75", 210), ("mapa100", 145), ("islas", 110), ("medieval", 135)],
    );
}
