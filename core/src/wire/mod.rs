//! What goes over the line, for both of its ends.
//!
//! A message is a `serde` type encoded by `postcard`; [`frame`] wraps it. The host asks with a [`Request`], the board
//! answers with a [`Reply`]. A game's own bytes (a state, an action) travel inside as they are: `core::games` says what
//! they mean, so that a large state is decoded where it will be used and never copied over the stack.

use heapless::{String, Vec};
use serde::{Deserialize, Serialize};

pub mod frame;

use crate::games::{GameId, StateError};

/// The version of everything in this module. Both ends refuse to talk to any other.
pub const PROTOCOL: u8 = 4;
/// The longest payload of a request: a version byte, a [`Request`] and its game state.
pub const MAX_REQUEST: usize = 4_400;
/// The longest payload of a reply.
pub const MAX_REPLY: usize = 640;
/// The longest action, in a game's own bytes.
pub const MAX_ACTION: usize = 256;
/// The longest expected line of play that a decision reports.
pub const MAX_LINE: usize = 16;
/// How many bounded tables a decision reports on.
pub const MAX_MARKS: usize = 6;

/// From the host to the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Request<'a> {
    /// Who are you? Answered by [`Reply::Identity`].
    Hello,
    /// What to do in this state? Answered by [`Reply::Decision`] within the limits.
    ///
    /// The number is the host's. A request that was answered already is answered again with the same bytes, one that is
    /// being worked on is not started twice: a host that is in doubt may simply ask again.
    Decide {
        /// The host's number for this request.
        id: u32,
        /// What the decision may cost.
        limits: Limits,
        /// Which game.
        game: GameId,
        /// The state, in the game's own bytes.
        state: &'a [u8],
    },
    /// Answer the running request now, with the best so far.
    Stop {
        /// The request to stop.
        id: u32,
    },
    /// What has the line seen so far? Answered by [`Reply::Counters`].
    Count,
    /// Something that a game needs before its requests and that stays the same between them, such as a map. Answered by
    /// [`Reply::Loaded`].
    Load {
        /// The host's number for this request.
        id: u32,
        /// Which game.
        game: GameId,
        /// The game's own bytes.
        data: &'a [u8],
    },
}

/// What a decision may cost. Zero means that there is no such limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Limits {
    /// Microseconds from the first byte of the request to the last byte of the reply.
    pub time_us: u32,
    /// Nodes visited.
    pub nodes: u32,
    /// Plies completed.
    pub depth: u8,
}

/// From the board to the host.
#[expect(clippy::large_enum_variant, reason = "replies are made and sent one at a time, and there is no heap")]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reply {
    /// Who the board is.
    Identity(Identity),
    /// The answer to [`Request::Decide`].
    Decision {
        /// The request's number.
        id: u32,
        /// The action, in the game's own bytes.
        action: Vec<u8, MAX_ACTION>,
        /// How it came about.
        statistics: Statistics,
    },
    /// The request cannot be served.
    Error {
        /// The request's number; 0 where it could not be read.
        id: u32,
        /// Why.
        code: ErrorCode,
    },
    /// The answer to [`Request::Count`].
    Counters(Counters),
    /// The answer to [`Request::Load`].
    Loaded {
        /// The request's number.
        id: u32,
    },
}

/// What kind of figure a board's microseconds are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Timing {
    /// A timer of real hardware.
    Hardware,
    /// Counted instructions of an emulator: exact and repeatable, not a board's cycles.
    Emulated,
    /// The clock of a desktop computer.
    Desktop,
}

/// Who the board is and what it can take.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// Version of the firmware.
    pub firmware: String<16>,
    /// Name of the board.
    pub board: String<24>,
    /// Its processor's clock.
    pub clock_hz: u32,
    /// What its microseconds are.
    pub timing: Timing,
    /// Another number after every reset.
    pub boot: u32,
    /// Games it plays.
    pub games: Vec<GameId, 8>,
    /// Longest payload it takes.
    pub max_request: u16,
    /// Bytes that the games' tables share.
    pub workspace: u32,
    /// Bytes of statically placed memory, the workspace included.
    pub static_ram: u32,
    /// Bytes of stack there are.
    pub stack: u32,
    /// Most bytes of stack used since the reset.
    pub stack_peak: u32,
    /// What ended the run before this one, if it was not a plain reset.
    pub last_fault: Option<Fault>,
}

/// Text that says where a fault happened.
pub type FaultPlace = String<48>;

/// Why the board started again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// What happened.
    pub kind: FaultKind,
    /// Where: a source line of a panic, an instruction's address of a processor fault, a call's of a stack overflow.
    pub place: FaultPlace,
}

/// The kinds of [`Fault`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum FaultKind {
    /// The firmware met a state that it believes impossible.
    Panic,
    /// The processor refused to go on.
    HardFault,
    /// The agent's loop had stopped.
    Watchdog,
    /// The stack was used up.
    StackOverflow,
}

/// How a search came to its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Ending {
    /// The result is proven, nothing is left to find out.
    Proven,
    /// The depth that was asked for is complete, or there was only one thing to do.
    Complete,
    /// The node limit was met.
    Nodes,
    /// The time was up.
    #[default]
    Time,
    /// The host said stop.
    Stopped,
    /// As much as was worth proving is proven: [`Statistics::guaranteed`] says how much. The exact value is not known.
    Secured,
}

/// Where a decision comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Source {
    /// A search.
    #[default]
    Search,
    /// A book of positions and their best actions.
    Book,
    /// A table of exact results.
    Table,
}

impl Source {
    /// A word for people.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Search => "search",
            Self::Book => "book",
            Self::Table => "table",
        }
    }
}

/// A bounded table and how much of it was used at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Mark {
    /// Which table.
    pub table: Bounded,
    /// Most entries in use.
    pub used: u32,
    /// Entries there is room for.
    pub capacity: u32,
}

/// The bounded tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Bounded {
    /// Frames of the search, one a ply.
    Plies,
    /// Moves of all positions on the way down.
    Moves,
    /// The transposition table.
    Transpositions,
    /// The open list of a path search.
    Open,
    /// The visited states of a path search.
    Visited,
    /// Plans weighed against each other.
    Plans,
}

impl Bounded {
    /// A word for people.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plies => "plies",
            Self::Moves => "moves",
            Self::Transpositions => "transpositions",
            Self::Open => "open list",
            Self::Visited => "visited",
            Self::Plans => "plans",
        }
    }
}

/// How a decision came about.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statistics {
    /// Nodes visited.
    pub nodes: u32,
    /// Plies completed.
    pub depth: u8,
    /// Worth of the state for who decides, in the game's own unit.
    pub value: i32,
    /// How the search ended.
    pub ending: Ending,
    /// Where the action comes from.
    pub source: Source,
    /// The least that the action is worth against any opponent, in the unit of the value, if that is proven.
    pub guaranteed: Option<i32>,
    /// From the first byte of the request to its last, in microseconds.
    pub receive_us: u32,
    /// From there until the search begins: the state is read and the tables are made ready.
    pub decode_us: u32,
    /// The search alone.
    pub search_us: u32,
    /// The processor's cycles in the search, where the board can count them.
    pub search_cycles: Option<u32>,
    /// From the first byte of the request until the reply was ready to be sent.
    pub answer_us: u32,
    /// Positions that the table answered.
    pub table_hits: u32,
    /// Positions cut off; in Planet Wars plans weighed, in mech duels positions weighed.
    pub cutoffs: u32,
    /// Of them, by the first move tried; in Planet Wars, those that paid.
    pub first_cutoffs: u32,
    /// Times a bounded table was full and the search made do.
    pub bound_met: u32,
    /// Most bytes of stack used since the reset.
    pub stack_peak: u32,
    /// The bounded tables.
    pub marks: Vec<Mark, MAX_MARKS>,
    /// The expected line of play, in the game's own short codes.
    pub line: Vec<u8, MAX_LINE>,
}

/// What the board's end of the line has seen since the reset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Counters {
    /// Good frames.
    pub frames: u32,
    /// Frames that were damaged, cut short or too long.
    pub bad_frames: u32,
    /// Decisions made.
    pub decisions: u32,
    /// Requests that were answered a second time from memory.
    pub repeats: u32,
    /// Requests refused.
    pub refused: u32,
    /// Bytes that the receiver could not keep.
    pub overruns: u32,
}

/// Why a request was not served. The numbers are part of the wire format and are only ever added to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum ErrorCode {
    /// A frame arrived whose check sum or form is wrong.
    BadFrame,
    /// A frame arrived that is longer than [`MAX_REQUEST`].
    Oversized,
    /// The other end speaks another version of the protocol.
    WrongVersion,
    /// The frame is whole, but it is no message of this version.
    Malformed,
    /// Another request is being worked on; stop it first.
    Busy,
    /// There is no such request to stop.
    NotRunning,
    /// The game's state was refused.
    State(StateError),
    /// This agent does not have that game, or the game has nothing to load.
    Unsupported,
}

impl core::fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::BadFrame => "a damaged frame arrived",
            Self::Oversized => "a frame arrived that is longer than the agent takes",
            Self::WrongVersion => "the two ends speak different versions of the protocol",
            Self::Malformed => "a frame arrived that is no message",
            Self::Busy => "another request is being worked on",
            Self::NotRunning => "there is no such request to stop",
            Self::State(reason) => return reason.fmt(f),
            Self::Unsupported => "the agent cannot do that for this game",
        })
    }
}

impl core::error::Error for ErrorCode {}

#[cfg(test)]
mod tests;
