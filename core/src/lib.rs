//! The thinking half of *Rival*, an opponent that lives on a microcontroller.
//!
//! Everything in this crate runs unchanged on a desktop, under emulation and on a board: no `std`, no allocation,
//! no recursion, no `unsafe`. Every collection has a bound; when a bound is met the answer is a worse move or a typed
//! error, never a panic.
//!
//! | module | what it holds |
//! |---|---|
//! | [`search`] | alpha-beta over any two-player game, the transposition table, budgets; it knows no game |
//! | [`games`] | one folder a game: state, rules, evaluation, agent |
//! | [`wire`] | frames and messages, shared by both ends of the line |
//! | [`agent`] | request in, decision out, in resumable slices |
//! | [`session`] | the board's end of the line: bytes in, bytes out, without any input or output of its own |
//! | [`console`] | the same games typed at a serial terminal |
//!
//! ```
//! use rival_core::agent::{Agent, Budget, Workspace};
//! use rival_core::games::{GameId, mancala::State};
//!
//! let mut workspace = Workspace::new();
//! let mut agent = Agent::new();
//! let budget = Budget { nodes: Some(5_000), ..Budget::default() };
//! agent.begin(GameId::Mancala, State::start().encode().as_slice(), budget, &mut workspace).unwrap();
//! let decision = loop {
//!     if let Some(decision) = agent.step(&mut workspace, 1_000) {
//!         break decision;
//!     }
//! };
//! assert!(decision.statistics.nodes >= 5_000);
//! ```
#![no_std]
#![forbid(unsafe_code)]

#[cfg(test)]
extern crate std;

pub mod agent;
pub mod console;
pub mod games;
pub mod search;
pub mod session;
pub mod wire;

/// So many cases of a property in an ordinary run, `RIVAL_CASES` times as many in a long one, and a few under Miri, which
/// is a thousand times slower.
#[cfg(test)]
pub(crate) fn cases(ordinary: u32) -> proptest::prelude::ProptestConfig {
    let times = std::env::var("RIVAL_CASES").ok().and_then(|times| times.parse().ok()).unwrap_or(1);
    proptest::prelude::ProptestConfig::with_cases(if cfg!(miri) { 2 } else { ordinary.saturating_mul(times) })
}
