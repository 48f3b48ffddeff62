//! The boards and how their images are built.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use xtask::image;

/// A board that the firmware builds for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Board {
    /// Its name, which is its feature's without `board-`.
    pub(crate) name: &'static str,
    /// The target of its processor.
    pub(crate) target: &'static str,
    /// Where the part's flash begins.
    pub(crate) start: u32,
    /// Bytes of flash there are on the part.
    pub(crate) flash: u64,
    /// Bytes of RAM there are on the part.
    pub(crate) ram: u64,
}

/// All boards.
pub(crate) const BOARDS: &[Board] = &[
    Board { name: "qemu", target: "thumbv7em-none-eabihf", start: 0x0800_0000, flash: 512 * 1024, ram: 128 * 1024 },
    Board {
        name: "nucleo-f446re",
        target: "thumbv7em-none-eabihf",
        start: 0x0800_0000,
        flash: 512 * 1024,
        ram: 128 * 1024,
    },
    Board { name: "pico", target: "thumbv6m-none-eabi", start: 0x1000_0000, flash: 2048 * 1024, ram: 264 * 1024 },
    Board { name: "microbit-v2", target: "thumbv7em-none-eabihf", start: 0, flash: 512 * 1024, ram: 128 * 1024 },
];

/// The workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map_or_else(|| PathBuf::from("."), Path::to_path_buf)
}

/// A cargo that works in the workspace.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

impl Board {
    /// What cargo has to be told to work on this board.
    pub(crate) fn arguments(&self) -> Vec<String> {
        let feature = format!("board-{}", self.name);
        ["--package", "rival-firmware", "--profile", "firmware", "--target", self.target, "--features", &feature]
            .map(String::from)
            .to_vec()
    }

    /// Builds the image and keeps a copy under the board's own name: boards of one target would overwrite each other.
    pub(crate) fn build(&self) -> Result<PathBuf> {
        let status = cargo().arg("build").args(self.arguments()).status().context("cannot start cargo")?;
        if !status.success() {
            bail!("the firmware for {} does not build", self.name);
        }
        let folder = root().join("target").join(self.target).join("firmware");
        let copy = folder.join(format!("rival-{}.elf", self.name));
        std::fs::copy(folder.join("rival-firmware"), &copy).context("cannot copy the image")?;
        Ok(copy)
    }
}

/// The boards that a name stands for; all of them without one.
pub(crate) fn named(name: Option<&str>) -> Result<Vec<Board>> {
    let boards: Vec<Board> =
        BOARDS.iter().copied().filter(|board| name.is_none_or(|name| name == board.name)).collect();
    if boards.is_empty() {
        let names: Vec<_> = BOARDS.iter().map(|board| board.name).collect();
        bail!("there is no such board; there are: {}", names.join(", "));
    }
    Ok(boards)
}

/// Builds the firmware.
pub(crate) fn build(name: Option<&str>) -> Result<()> {
    for board in named(name)? {
        println!("{:<14} {}", board.name, board.build()?.display());
    }
    Ok(())
}

/// The budget of the whole image, so that it fits every board with room.
const FLASH: u64 = 480 * 1024;
/// The same for RAM, static and stack together.
const RAM: u64 = 96 * 1024;
/// Kept for the stack: more than the largest measured (`rival info --link emulator` after play).
const STACK: u64 = 6 * 1024;

impl Board {
    /// Builds the image and holds it against the budget and the part. Gives a line of a table.
    pub(crate) fn measure(&self) -> Result<String> {
        let sizes = image::sizes(&self.build()?)?;
        if sizes.start != self.start {
            bail!("{}: linked for {:#010x}, but its flash begins at {:#010x}", self.name, sizes.start, self.start);
        }
        let (flash, ram) = (sizes.flash, sizes.ram + STACK);
        if flash > FLASH.min(self.flash) || ram > RAM.min(self.ram) {
            let budget = format!("the budget is {FLASH} and {RAM} bytes, the part has {} and {}", self.flash, self.ram);
            bail!("{}: {flash} bytes of flash and {ram} of RAM (stack {STACK}): {budget}", self.name);
        }
        let kilobytes = |bytes: u64| bytes as f64 / 1024.0;
        Ok(format!(
            "{:<14} flash {:>6.1} KB of {:>4.0}   static RAM {:>5.1} KB of {:>3.0}, {:.1} with {} KB of stack",
            self.name,
            kilobytes(flash),
            kilobytes(self.flash),
            kilobytes(sizes.ram),
            kilobytes(self.ram),
            kilobytes(ram),
            STACK / 1024
        ))
    }
}

/// Prints the sizes of every board's image.
pub(crate) fn print_sizes() -> Result<()> {
    for board in BOARDS {
        println!("{}", board.measure()?);
    }
    Ok(())
}

/// Writes the Pico's UF2 file.
pub(crate) fn write_uf2() -> Result<()> {
    for board in named(Some("pico"))? {
        let elf = board.build()?;
        let file = elf.with_extension("uf2");
        std::fs::write(&file, image::uf2(&elf)?).with_context(|| format!("cannot write {}", file.display()))?;
        println!("{}: hold BOOTSEL while plugging the Pico in, then copy the file onto it", file.display());
    }
    Ok(())
}
