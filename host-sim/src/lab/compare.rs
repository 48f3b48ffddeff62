//! What got better or worse between two runs.

use core::fmt;

use anyhow::{Result, ensure};

use super::{GameRun, Run};

/// The comparison of one game.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// Which game.
    pub game: String,
    /// New nodes in a second over old ones.
    pub speed: f64,
    /// Positions with the depth before and after, where it changed.
    pub depths: Vec<(String, u8, u8)>,
    /// Slowest response before and after.
    pub worst_us: (u64, u64),
    /// Positions of the old run that the new one does not have.
    pub missing: Vec<String>,
}

/// The comparison of two runs.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// Game by game.
    pub changes: Vec<Change>,
    /// Late decisions of the new run.
    pub late: usize,
    /// Static RAM and stack before and after.
    pub ram: ((u32, u32), (u32, u32)),
    /// The share of speed that may be lost.
    pub threshold: f64,
}

/// Compares two runs of the same kind. `threshold` is the share of nodes a second that may be lost, such as 0.03.
pub fn compare(old: &Run, new: &Run, threshold: f64) -> Result<Comparison> {
    ensure!(
        old.timing == new.timing && old.instructions_per_us == new.instructions_per_us && old.clock_hz == new.clock_hz,
        "the two runs have different microseconds: {} against {}",
        old.label(),
        new.label()
    );
    let changes = old
        .games
        .iter()
        .map(|before| match new.games.iter().find(|after| after.game == before.game) {
            Some(after) => change(before, after),
            None => Change {
                game: before.game.clone(),
                speed: 0.0,
                depths: Vec::new(),
                worst_us: (before.worst_us(), 0),
                missing: before.decisions.iter().map(|figures| figures.position.clone()).collect(),
            },
        })
        .collect();
    Ok(Comparison {
        changes,
        late: new.late(),
        ram: ((old.static_ram, old.stack_peak), (new.static_ram, new.stack_peak)),
        threshold,
    })
}

/// Speed is the geometric mean over the positions, so that no single one decides.
fn change(before: &GameRun, after: &GameRun) -> Change {
    let (mut logarithms, mut count) = (0.0, 0.0);
    let (mut depths, mut missing) = (Vec::new(), Vec::new());
    for old in &before.decisions {
        let Some(new) = after.decisions.iter().find(|figures| figures.position == old.position) else {
            missing.push(old.position.clone());
            continue;
        };
        if new.nodes_per_s > 0.0 && old.nodes_per_s > 0.0 {
            logarithms += (new.nodes_per_s / old.nodes_per_s).ln();
            count += 1.0;
        }
        if new.depth != old.depth {
            depths.push((old.position.clone(), old.depth, new.depth));
        }
    }
    Change {
        game: before.game.clone(),
        speed: if count > 0.0 { f64::exp(logarithms / count) } else { 1.0 },
        depths,
        worst_us: (before.worst_us(), after.worst_us()),
        missing,
    }
}

impl Change {
    /// What got worse by more than it may, in words.
    pub fn losses(&self, threshold: f64) -> Vec<String> {
        let mut losses = Vec::new();
        if self.speed < 1.0 - threshold {
            losses.push(format!("{}: {:.1} % fewer nodes a second", self.game, 100.0 * (1.0 - self.speed)));
        }
        for (position, old, new) in self.depths.iter().filter(|(_, old, new)| new < old) {
            losses.push(format!("{}: depth {new} instead of {old} in \"{position}\"", self.game));
        }
        for position in &self.missing {
            losses.push(format!("{}: \"{position}\" was not measured", self.game));
        }
        losses
    }
}

impl Comparison {
    /// Everything that got worse by more than it may.
    pub fn losses(&self) -> Vec<String> {
        let mut losses: Vec<String> = self.changes.iter().flat_map(|change| change.losses(self.threshold)).collect();
        if self.late > 0 {
            losses.push(format!("{} decisions came too late", self.late));
        }
        losses
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for change in &self.changes {
            writeln!(
                f,
                "{:<12} {:>+7.2} % nodes a second   worst response {:>7.1} → {:>7.1} ms",
                change.game,
                100.0 * (change.speed - 1.0),
                change.worst_us.0 as f64 / 1e3,
                change.worst_us.1 as f64 / 1e3,
            )?;
            for (position, old, new) in &change.depths {
                writeln!(f, "{:<12} depth {old} → {new}: {position}", "")?;
            }
        }
        let ((old_static, old_stack), (new_static, new_stack)) = self.ram;
        writeln!(f, "static RAM {old_static} → {new_static} bytes, stack {old_stack} → {new_stack}")
    }
}

#[cfg(test)]
mod tests {
    use super::super::{FORMAT, Figures, Suite};
    use super::*;

    fn run(nodes: u32, depth: u8) -> Run {
        let figures = |position: &str| Figures {
            position: position.into(),
            action: String::new(),
            ending: "Time".into(),
            depth,
            nodes,
            receive_us: 0,
            decode_us: 0,
            search_us: 1_000_000,
            encode_us: 0,
            send_us: 0,
            response_us: 990_000,
            request_bytes: 0,
            reply_bytes: 0,
            nodes_per_s: f64::from(nodes),
            instructions_per_node: None,
            instructions_per_expanded: None,
            cycles_per_node: None,
            table_hits: 0,
            cutoffs: 0,
            first_cutoffs: 0,
            bound_met: 0,
            stack_peak: 0,
            marks: vec![],
            depths: vec![],
        };
        Run {
            kind: "run".into(),
            format: FORMAT,
            made: String::new(),
            suite: Suite::Quick,
            board: String::new(),
            firmware: String::new(),
            link: String::new(),
            timing: "Emulated".into(),
            clock_hz: 168_000_000,
            instructions_per_us: Some(125.0),
            deadline_us: 1_000_000,
            nodes_limit: 0,
            static_ram: 0,
            stack: 0,
            stack_peak: 0,
            workspace: 0,
            games: vec![GameRun { game: "mancala".into(), decisions: vec![figures("a"), figures("b")] }],
        }
    }

    #[test]
    fn five_per_cent_fewer_nodes_are_caught_and_two_are_not() {
        let losses = |nodes| compare(&run(100_000, 9), &run(nodes, 9), 0.03).unwrap().losses();
        assert_eq!(losses(95_000), ["mancala: 5.0 % fewer nodes a second"]);
        assert!(losses(98_000).is_empty());
        assert!(losses(120_000).is_empty());
    }

    #[test]
    fn a_lost_depth_is_caught_and_a_gained_one_is_not() {
        let losses = |depth| compare(&run(1, 9), &run(1, depth), 0.03).unwrap().losses();
        assert_eq!(losses(8).len(), 2);
        assert!(losses(10).is_empty());
    }

    #[test]
    fn a_position_that_is_gone_and_a_late_decision_are_caught() {
        let old = run(1, 1);
        let mut new = run(1, 1);
        new.games[0].decisions.truncate(1);
        new.games[0].decisions[0].response_us = 1_000_000;
        assert_eq!(compare(&old, &new, 0.03).unwrap().losses().len(), 2);
        new.games.clear();
        assert!(!compare(&old, &new, 0.03).unwrap().losses().is_empty());
    }

    #[test]
    fn different_microseconds_are_not_compared() {
        let mut board = run(1, 1);
        board.timing = "Hardware".into();
        assert!(compare(&run(1, 1), &board, 0.03).is_err());
    }
}
