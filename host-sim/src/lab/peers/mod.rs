//! The searches held against what somebody would pick instead, in one run on this desktop: ratios, no figures of a board.

use core::time::Duration;
use std::time::Instant;

use anyhow::Result;

mod alphabeta;
mod astar;

/// One task and how long each took over it.
#[derive(Clone, Debug)]
pub struct Row {
    /// What had to be done.
    pub task: String,
    /// Ours first, then the others in the order of their names.
    pub times: Vec<Duration>,
}

/// A comparison with others.
#[derive(Clone, Debug)]
pub struct Peers {
    /// What is compared.
    pub title: &'static str,
    /// What has to be known to read it.
    pub note: &'static str,
    /// Ours first.
    pub names: &'static [&'static str],
    /// The tasks.
    pub rows: Vec<Row>,
}

impl Peers {
    /// How many times as long as ours another took over all tasks together, and over the task in which it did best.
    pub fn ratio(&self, other: usize) -> (f64, f64) {
        let seconds = |row: &Row, at: usize| row.times.get(at).map_or(0.0, Duration::as_secs_f64);
        let ours: f64 = self.rows.iter().map(|row| seconds(row, 0)).sum();
        let theirs: f64 = self.rows.iter().map(|row| seconds(row, other)).sum();
        let least =
            self.rows.iter().map(|row| seconds(row, other) / seconds(row, 0).max(1e-9)).fold(f64::INFINITY, f64::min);
        (theirs / ours.max(1e-9), least)
    }
}

/// All comparisons.
pub fn peers() -> Result<Vec<Peers>> {
    Ok(vec![
        Peers {
            title: "Mancala, to a fixed depth",
            note: "The plain search is a recursive alpha-beta over the same game, evaluation and order of moves, without a table. \
                   `minimax` is its iterative search with a table of 1 MB and the same evaluation; it wants the sides to \
                   alternate, so an extra turn is a pass of the other side there, as in that crate's own Mancala, and costs it \
                   a ply: it looks less deep.",
            names: &["rival", "plain recursion", "minimax"],
            rows: alphabeta::mancala(),
        },
        Peers {
            title: "Parchis, to a fixed depth",
            note: "The plain search as above.",
            names: &["rival", "plain recursion"],
            rows: alphabeta::parchis(),
        },
        Peers {
            title: "Belkan, least battery across a known map",
            note: "All three find the same costs. `petgraph` is given the graph built beforehand, which is not counted.",
            names: &["rival", "pathfinding", "petgraph"],
            rows: astar::rows()?,
        },
    ])
}

/// The middle of five runs, after one that does not count. What `prepare` does is not counted either.
fn time<T, P>(mut prepare: impl FnMut() -> P, mut run: impl FnMut(P) -> T) -> (T, Duration) {
    let mut times = Vec::new();
    let mut result = run(prepare());
    for _ in 0..5 {
        let prepared = prepare();
        let start = Instant::now();
        result = run(prepared);
        times.push(start.elapsed());
    }
    times.sort();
    (result, times[2])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_over_all_tasks_and_over_the_worst() {
        let row = |ours: u64, theirs: u64| Row {
            task: String::new(),
            times: vec![Duration::from_millis(ours), Duration::from_millis(theirs)],
        };
        let peers = Peers { title: "", note: "", names: &["a", "b"], rows: vec![row(10, 20), row(10, 60)] };
        let (all, least) = peers.ratio(1);
        assert!((all - 4.0).abs() < 1e-6 && (least - 2.0).abs() < 1e-6, "{all} {least}");
    }
}
