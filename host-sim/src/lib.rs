//! The desktop half of *Rival*: referees, opponents and links.
//!
//! | module | what it holds |
//! |---|---|
//! | [`link`] | two-way byte streams: in-process, serial port, emulator |
//! | [`client`] | the host's end of the line: requests out, decisions in |
//! | [`games`] | one folder a game: referee, opponents, recordings, bot |
//! | [`duel`] | matches of two-player games, and what their results mean |
//! | [`heap`] | how much this program keeps in its memory |
//! | [`lab`] | decisions measured, compared and drawn |
//! | [`recording`] | recordings of other programs, line by line |
//! | [`screen`] | the terminal as one picture |
//! | [`commands`] | what `rival` can be told to do |
#![forbid(unsafe_code)]

pub mod client;
pub mod commands;
pub mod duel;
pub mod games;
pub mod heap;
pub mod lab;
pub mod link;
pub mod random;
pub mod recording;
pub mod screen;
