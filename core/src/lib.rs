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
