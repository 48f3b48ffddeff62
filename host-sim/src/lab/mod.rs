//! The lab: decisions measured on fixed positions, kept in files, compared and drawn.
//!
//! | module | what it holds |
//! |---|---|
//! | [`run`] | measures a suite over a link |
//! | [`compare`](mod@compare) | what got better or worse between two runs |
//! | [`report`] | one self-contained page with tables and plots |
//! | [`find`](mod@find) | looks for positions worth measuring |
//! | [`peers`] | the searches held against other crates' |
//! | [`calibrate`](mod@calibrate) | a board's cycles held against the emulator's instructions |
//!
//! A [`Run`] is what is written into a file. Under emulation two runs of the same firmware differ in their date only.

use rival_core::games::GameId;
use serde::{Deserialize, Serialize};

use crate::games::Position;

pub mod calibrate;
pub mod compare;
pub mod find;
pub mod peers;
mod plot;
pub mod report;
pub mod run;

pub use calibrate::calibrate;
pub use compare::compare;

/// Number of the file format.
pub const FORMAT: u32 = 1;

/// Which positions to measure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Suite {
    /// Some of every kind: under a minute in an emulator.
    #[default]
    Quick,
    /// All of them, and the time to every depth.
    Full,
}

/// Positions that were found once and kept: middle games of the agent against itself, and the slowest among many.
/// `rival bench find` makes the file.
pub(crate) fn kept(game: GameId) -> Vec<Position> {
    const FILE: &str = include_str!("../../../bench/positions.json");
    let all: Vec<Kept> = serde_json::from_str(FILE).unwrap_or_default();
    let of_game = all.into_iter().filter(|kept| kept.game == game.name());
    of_game.filter_map(|kept| kept.position()).collect()
}

/// A position as it is kept.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Kept {
    pub(crate) game: String,
    pub(crate) name: String,
    /// In hexadecimal.
    pub(crate) state: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) load: Option<String>,
}

impl Kept {
    pub(crate) fn position(&self) -> Option<Position> {
        let load = match &self.load {
            Some(text) => Some(bytes(text)?),
            None => None,
        };
        Some(Position { name: self.name.clone(), state: bytes(&self.state)?, load })
    }
}

fn bytes(hexadecimal: &str) -> Option<Vec<u8>> {
    let pair = |at: usize| u8::from_str_radix(hexadecimal.get(at..at + 2)?, 16).ok();
    (0..hexadecimal.len()).step_by(2).map(pair).collect()
}

/// Everything measured in one go on one board.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Run {
    /// Tells this file from others.
    pub kind: String,
    /// [`FORMAT`].
    pub format: u32,
    /// The day it was made: the only thing that differs between two emulated runs.
    pub made: String,
    /// The positions.
    pub suite: Suite,
    /// Who answered.
    pub board: String,
    /// Its firmware's version.
    pub firmware: String,
    /// How it was reached.
    pub link: String,
    /// What its microseconds are: `Emulated`, `Hardware` or `Desktop`.
    pub timing: String,
    /// Its clock.
    pub clock_hz: u32,
    /// Instructions in a microsecond, under emulation.
    pub instructions_per_us: Option<f64>,
    /// Microseconds for a decision, from the first byte there to the last byte back; 0 without a limit.
    pub deadline_us: u32,
    /// Nodes for a decision; 0 without a limit.
    pub nodes_limit: u32,
    /// Bytes of statically placed memory.
    pub static_ram: u32,
    /// Bytes of stack there are.
    pub stack: u32,
    /// Most bytes of stack used over the whole run.
    pub stack_peak: u32,
    /// Bytes that the games' tables share.
    pub workspace: u32,
    /// The games.
    pub games: Vec<GameRun>,
}

/// A game's part of a [`Run`].
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GameRun {
    /// Which game.
    pub game: String,
    /// Its decisions.
    pub decisions: Vec<Figures>,
}

/// What one decision cost.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Figures {
    /// The position.
    pub position: String,
    /// What was decided.
    pub action: String,
    /// How the search ended.
    pub ending: String,
    /// Plies, or rounds, completed.
    pub depth: u8,
    /// Nodes visited.
    pub nodes: u32,
    /// First to last byte of the request.
    pub receive_us: u32,
    /// From there to the first node.
    pub decode_us: u32,
    /// The search.
    pub search_us: u32,
    /// From its end until the reply was ready to be encoded.
    pub encode_us: u32,
    /// The reply on the line.
    pub send_us: u32,
    /// All of it.
    pub response_us: u64,
    /// Bytes of the request.
    pub request_bytes: usize,
    /// Bytes of the reply.
    pub reply_bytes: usize,
    /// Nodes in a second of search.
    pub nodes_per_s: f64,
    /// Instructions a node, under emulation.
    pub instructions_per_node: Option<f64>,
    /// Instructions an expanded state, under emulation: where a decision is one search that counts the states it closes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instructions_per_expanded: Option<f64>,
    /// Cycles a node, on a board: as its processor counted them, or its clock times the time of its own timer.
    pub cycles_per_node: Option<f64>,
    /// Positions that the table answered.
    pub table_hits: u32,
    /// Positions cut off.
    pub cutoffs: u32,
    /// Of them, by the first move.
    pub first_cutoffs: u32,
    /// Times a bound was met.
    pub bound_met: u32,
    /// Most bytes of stack since the board was reset.
    pub stack_peak: u32,
    /// High-water marks of the bounded tables.
    pub marks: Vec<Peak>,
    /// When each depth was complete, where that was asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub depths: Vec<Reached>,
}

/// A bounded table's high-water mark.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Peak {
    /// Which table.
    pub table: String,
    /// Most entries in use.
    pub used: u32,
    /// Entries there is room for.
    pub capacity: u32,
}

/// What a depth cost.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Reached {
    /// Plies complete.
    pub depth: u8,
    /// Nodes until then.
    pub nodes: u32,
    /// Microseconds of search until then.
    pub search_us: u32,
}

impl GameRun {
    /// Nodes in a second, over all decisions that searched at all.
    pub fn nodes_per_s(&self) -> f64 {
        self.per_s(|figures| figures.nodes)
    }

    /// What a game weighs a second, over all decisions, where it counts that.
    pub fn weighed_per_s(&self) -> f64 {
        self.per_s(|figures| figures.cutoffs)
    }

    fn per_s(&self, count: impl Fn(&Figures) -> u32) -> f64 {
        let count: f64 = self.decisions.iter().map(|figures| f64::from(count(figures))).sum();
        let time: f64 = self.decisions.iter().map(|figures| f64::from(figures.search_us)).sum();
        if time > 0.0 { count * 1e6 / time } else { 0.0 }
    }

    /// The slowest response.
    pub fn worst_us(&self) -> u64 {
        self.decisions.iter().map(|figures| figures.response_us).max().unwrap_or(0)
    }
}

impl Run {
    /// Decisions that came after the deadline.
    pub fn late(&self) -> usize {
        let deadline = u64::from(self.deadline_us);
        let decisions = self.games.iter().flat_map(|game| &game.decisions);
        decisions.filter(|figures| deadline > 0 && figures.response_us >= deadline).count()
    }

    /// A line about what the figures are.
    pub fn label(&self) -> String {
        match self.timing.as_str() {
            "Emulated" => format!(
                "emulated: counted instructions, {} million a second; no board's cycles",
                self.instructions_per_us.unwrap_or(0.0)
            ),
            "Hardware" => format!("hardware: the board's own timer at {} MHz", self.clock_hz / 1_000_000),
            _ => "desktop: compare only within one run".into(),
        }
    }
}
