//! A board's cycles held against the emulator's instructions.

use anyhow::{Result, ensure};
use rival_core::wire::{Limits, Timing};

use super::Suite;
use super::run::{ask, search_cycles};
use crate::client::Client;
use crate::duel::progress;
use crate::games::{TABLES, Table};
use crate::link::LinkSpec;

/// Nodes a decision: enough that the search outweighs everything around it, and the same on both sides.
const NODES: u32 = 2_000;
/// Nanoseconds of an emulated instruction are two to the power of this.
const SHIFT: u8 = 3;

/// What a game's instructions cost on a board.
#[derive(Clone, Debug)]
pub struct Calibration {
    /// Which game.
    pub game: String,
    /// Instructions of the emulated search.
    pub instructions: f64,
    /// Cycles of the same search on the board.
    pub cycles: f64,
}

impl Calibration {
    /// Cycles an instruction.
    pub fn ratio(&self) -> f64 {
        self.cycles / self.instructions.max(1.0)
    }

    /// The emulator's shift that comes closest to a board with this clock.
    pub fn shift(&self, clock_hz: u32) -> u8 {
        let nanoseconds = self.ratio() * 1e9 / f64::from(clock_hz.max(1));
        nanoseconds.max(1.0).log2().round() as u8
    }
}

/// Makes the same decisions with the same nodes on the board and in the emulator.
pub fn calibrate(board: &LinkSpec) -> Result<(u32, Vec<Calibration>)> {
    let mut real = Client::open(board)?;
    ensure!(
        real.identity().timing == Timing::Hardware,
        "{board} is no real board ({}): there is nothing to calibrate",
        real.identity().board
    );
    let clock_hz = real.identity().clock_hz;
    let mut emulated = Client::open(&LinkSpec::Emulator { shift: SHIFT, image: None })?;
    let suites: Vec<_> = TABLES.iter().map(|table| (*table, table.suite(Suite::Quick))).collect();
    let bar = progress(suites.iter().map(|(_, positions)| positions.len()).sum(), false);
    let mut calibrations = Vec::new();
    for (table, positions) in suites {
        let limits = Limits { nodes: NODES, ..Limits::default() };
        let (mut instructions, mut cycles) = (0.0, 0.0);
        for position in &positions {
            let there = ask(&mut real, table, position, limits)?.statistics;
            let here = ask(&mut emulated, table, position, limits)?.statistics;
            ensure!(
                there.nodes == here.nodes,
                "{}, \"{}\": {} nodes on the board and {} in the emulator: flash this version's firmware",
                Table::id(table).name(),
                position.name,
                there.nodes,
                here.nodes
            );
            instructions += f64::from(here.search_us) * 1_000.0 / f64::from(1_u32 << SHIFT);
            cycles += search_cycles(&there, clock_hz);
            bar.inc(1);
        }
        calibrations.push(Calibration { game: table.id().name().into(), instructions, cycles });
    }
    bar.finish_and_clear();
    Ok((clock_hz, calibrations))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shift_follows_from_cycles_and_clock() {
        let calibration = Calibration { game: String::new(), instructions: 1_000.0, cycles: 1_340.0 };
        assert!((calibration.ratio() - 1.34).abs() < 1e-9);
        assert_eq!(calibration.shift(168_000_000), 3);
        assert_eq!(calibration.shift(84_000_000), 4);
        assert_eq!(calibration.shift(48_000_000), 5);
    }

    #[test]
    fn only_a_real_board_can_be_calibrated() {
        let refused = calibrate(&LinkSpec::InProcess).unwrap_err().to_string();
        assert!(refused.contains("no real board"), "{refused}");
    }
}
