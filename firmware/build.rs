//! Puts the board's memory map where the linker looks for it.

use std::path::PathBuf;
use std::{env, fs};

fn main() {
    let map = if env::var_os("CARGO_FEATURE_BOARD_PICO").is_some() {
        "src/boards/pico.x"
    } else if env::var_os("CARGO_FEATURE_BOARD_MICROBIT_V2").is_some() {
        "src/boards/microbit_v2.x"
    } else {
        "../memory.x"
    };
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    fs::copy(map, out.join("memory.x")).expect("the memory map is part of the sources");
    if env::var_os("CARGO_FEATURE_BOARD_QEMU").is_some() {
        // The emulated board brings its own vector table, and needs no names for the vectors that it leaves out.
        fs::write(out.join("device.x"), "").expect("OUT_DIR can be written to");
    }
    println!("cargo::rustc-link-search={}", out.display());
    println!("cargo::rerun-if-changed={map}");
    println!("cargo::rerun-if-changed=build.rs");
}
