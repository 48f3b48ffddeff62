//! What the system tests share.
#![forbid(unsafe_code)]

pub mod fuzz;

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use rival_sim::client::Client;
use rival_sim::link::LinkSpec;
use rival_sim::link::emulator;

/// The workspace's root.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map_or_else(|| PathBuf::from("."), Path::to_path_buf)
}

/// Recordings and maps that are too large, or not ours, to be part of the project. `None`, and a line that says so, when
/// they are not there.
pub fn shared(path: &str) -> Option<PathBuf> {
    let file = root().join("../shared").join(path);
    if file.exists() {
        return Some(file);
    }
    println!("skipped: {path} is not there (it would be in ../shared/{path})");
    None
}

/// Whether the tests that have a short and a long form are to run the long one.
pub fn long() -> bool {
    std::env::var_os("RIVAL_LONG").is_some()
}

/// The emulated board's image, built once. `None`, and a line that says so, when QEMU is missing and could not be
/// installed.
///
/// # Panics
/// If the firmware does not build.
pub fn image() -> Option<PathBuf> {
    static IMAGE: OnceLock<PathBuf> = OnceLock::new();
    if let Ok(reason) = std::env::var("RIVAL_NO_EMULATOR") {
        println!("skipped: needs the emulator; {reason}");
        return None;
    }
    Some(IMAGE.get_or_init(|| emulator::build().expect("the firmware builds")).clone())
}

/// The image with every check on, and with words on the line that make it fall over; see [`image`].
///
/// # Panics
/// If the firmware does not build.
pub fn checked_image() -> Option<PathBuf> {
    static IMAGE: OnceLock<PathBuf> = OnceLock::new();
    image()?;
    Some(IMAGE.get_or_init(|| emulator::build_checked().expect("the checked firmware builds")).clone())
}

/// A client of a freshly started emulator; see [`image`].
///
/// # Panics
/// If the emulated board does not answer.
pub fn emulated(shift: u8) -> Option<Client> {
    let link = LinkSpec::Emulator { shift, image: Some(image()?) };
    Some(Client::open(&link).expect("the emulated board answers"))
}
