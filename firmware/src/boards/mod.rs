//! One file a board, one feature each.
#![allow(clippy::used_underscore_binding, reason = "embassy hands every main a spawner, and not every board has tasks")]

#[cfg(feature = "board-microbit-v2")]
mod microbit_v2;
#[cfg(feature = "board-nucleo-f446re")]
mod nucleo_f446re;
#[cfg(feature = "board-pico")]
mod pico;
#[cfg(feature = "board-qemu")]
pub(crate) mod qemu;

#[cfg(not(any(
    feature = "board-microbit-v2",
    feature = "board-nucleo-f446re",
    feature = "board-pico",
    feature = "board-qemu"
)))]
compile_error!("choose a board: --features board-qemu, board-nucleo-f446re, board-pico or board-microbit-v2");
