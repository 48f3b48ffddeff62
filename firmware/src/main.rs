//! The opponent itself.
//!
//! A board file builds the hardware: a byte stream, a status light, a watchdog and a time driver. Everything else is
//! shared: [`run`] carries bytes between the stream and a `Session` of `rival-core`, which does the thinking.
#![no_std]
#![no_main]

use defmt_rtt as _;

mod boards;
#[cfg(any(feature = "board-nucleo-f446re", feature = "board-microbit-v2"))]
mod cycles;
mod fault;
// The emulated machine has no light.
#[cfg(not(feature = "board-qemu"))]
mod light;
mod run;
#[cfg(feature = "sabotage")]
mod sabotage;
mod stack;
