//! Parchis as a whole: the emulated board against the desktop and against the clock, on positions of recorded games.

use rival_core::games::GameId;
use rival_core::wire::{Ending, Limits};
use rival_sim::client::Client;
use rival_sim::games::table;
use rival_sim::link::LinkSpec;
use rival_sim::recording::lines;
use rival_tests::{emulated, root};

/// Positions of recorded games in which there is something to decide, evenly spread.
fn positions(count: usize) -> Vec<Vec<u8>> {
    let table = table("parchis").unwrap();
    let file = root().join("tests/data/parchis/games.jsonl.gz");
    let records: Vec<_> =
        lines(&file).unwrap().map(|line| line.unwrap().1).filter(|record| record.get("m").is_some()).collect();
    let step = records.len() / count;
    assert!(step > 0, "{} positions are recorded", records.len());
    records.iter().step_by(step).take(count).map(|record| table.state(&record["s"].to_string()).unwrap()).collect()
}

#[test]
fn the_emulated_board_decides_as_the_desktop_does() {
    let Some(mut board) = emulated(3) else { return };
    let mut desktop = Client::open(&LinkSpec::InProcess).unwrap();
    for state in positions(100) {
        for nodes in [500, 4_000] {
            let limits = Limits { nodes, ..Limits::default() };
            let here = desktop.decide(GameId::Parchis, &state, limits).unwrap();
            let there = board.decide(GameId::Parchis, &state, limits).unwrap();
            assert_eq!(here.action, there.action);
            assert_eq!(
                (here.statistics.value, here.statistics.depth, here.statistics.nodes),
                (there.statistics.value, there.statistics.depth, there.statistics.nodes)
            );
        }
    }
}

/// Six actions ahead inside the second, line included. `RIVAL_POSITIONS=300` measures as many positions instead of the
/// few that fit an everyday run.
#[test]
fn six_actions_ahead_in_a_second() {
    let count = std::env::var("RIVAL_POSITIONS").ok().and_then(|count| count.parse().ok()).unwrap_or(40);
    let Some(mut board) = emulated(3) else { return };
    let (mut deep, mut worst, mut nodes, mut search_us) = (0, 0, 0_u64, 0_u64);
    let mut depths = Vec::new();
    for state in positions(count) {
        let limits = Limits { time_us: 1_000_000, ..Limits::default() };
        let answer = board.decide(GameId::Parchis, &state, limits).unwrap();
        // A search that has come to its end of itself cannot go deeper.
        let finished = matches!(answer.statistics.ending, Ending::Proven | Ending::Complete);
        deep += usize::from(finished || answer.statistics.depth >= 6);
        depths.push(if finished { u8::MAX } else { answer.statistics.depth });
        worst = worst.max(answer.response_us(board.baud()));
        nodes += u64::from(answer.statistics.nodes);
        search_us += u64::from(answer.statistics.search_us);
    }
    depths.sort_unstable();
    let median = depths[count / 2];
    println!(
        "figure: parchis, one emulated second: depth 6 or the end in {deep} of {count} positions, median depth {median}, \
         {:.0} instructions a node, worst response {worst} us",
        search_us as f64 * 125.0 / nodes as f64
    );
    assert!(deep * 10 >= count * 9, "{deep} of {count}");
    assert!(median >= 7, "{median}");
    assert!(worst < 1_000_000, "{worst}");
}
