//! Puts the board's memory map where the linker looks for it.
//!
//! cortex-m-rt's linker script includes a file `memory.x`, and the linker looks for it in the folder that cargo runs in
//! before it looks anywhere else. There lies the default board's map, whichever board is being built. So the script is
//! handed to the linker as `rival.x`, with another name in that one place: `board.x`, which only this file writes.

use std::path::{Path, PathBuf};
use std::process::Command;
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
    fs::copy(map, out.join("board.x")).expect("the memory map is part of the sources");

    let script = runtime().join("link.x.in");
    let text = fs::read_to_string(&script).expect("cortex-m-rt comes with its linker script");
    let (before, after) = text.split_once("INCLUDE memory.x").expect("cortex-m-rt's linker script asks for a map");
    // The interrupts' names, as cortex-m-rt adds them with its feature `device`.
    fs::write(out.join("rival.x"), format!("{before}INCLUDE board.x{after}\nINCLUDE device.x\n"))
        .expect("OUT_DIR can be written to");
    if env::var_os("CARGO_FEATURE_BOARD_QEMU").is_some() {
        // The emulated board brings its own vector table, and needs no names for the vectors that it leaves out.
        fs::write(out.join("device.x"), "").expect("OUT_DIR can be written to");
    }
    println!("cargo::rustc-link-search={}", out.display());
    println!("cargo::rerun-if-changed={map}");
    println!("cargo::rerun-if-changed={}", script.display());
    println!("cargo::rerun-if-changed=build.rs");
}

/// The folder of cortex-m-rt's sources.
fn runtime() -> PathBuf {
    let description = describe(&["--offline"]).or_else(|_| describe(&[])).unwrap_or_else(|error| panic!("{error}"));
    description["packages"]
        .as_array()
        .and_then(|packages| packages.iter().find(|package| package["name"] == "cortex-m-rt"))
        .and_then(|package| Path::new(package["manifest_path"].as_str()?).parent())
        .expect("cortex-m-rt is a dependency")
        .to_path_buf()
}

/// What cargo says of the workspace. It wants the sources of all of it at hand, the desktop's too: where only the
/// firmware's have been needed so far, it has to be allowed to fetch the others.
fn describe(how: &[&str]) -> Result<serde_json::Value, String> {
    let cargo = env::var_os("CARGO").expect("cargo names itself");
    let target = env::var("TARGET").expect("cargo sets TARGET");
    let answer = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--locked", "--filter-platform", &target])
        .args(how)
        .output()
        .map_err(|error| format!("cannot start cargo: {error}"))?;
    serde_json::from_slice(&answer.stdout)
        .map_err(|_| format!("cargo metadata: {}", String::from_utf8_lossy(&answer.stderr)))
}
