//! The boards and how their images are built.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::json;
use xtask::blame::{Blame, blame};
use xtask::graph::{Deepest, Graph};
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
    /// Bytes of RAM that its USB stack may take on top of the common budget.
    pub(crate) usb: u64,
    /// Calls in its image that end in a panic. This number is only ever lowered.
    pub(crate) panics: usize,
}

/// All boards.
pub(crate) const BOARDS: &[Board] = &[
    Board {
        name: "qemu",
        target: "thumbv7em-none-eabihf",
        start: 0x0800_0000,
        flash: 512 * 1024,
        ram: 128 * 1024,
        usb: 0,
        panics: 208,
    },
    Board {
        name: "nucleo-f446re",
        target: "thumbv7em-none-eabihf",
        start: 0x0800_0000,
        flash: 512 * 1024,
        ram: 128 * 1024,
        usb: 0,
        panics: 209,
    },
    Board {
        name: "pico",
        target: "thumbv6m-none-eabi",
        start: 0x1000_0000,
        flash: 2048 * 1024,
        ram: 264 * 1024,
        usb: 1024,
        panics: 283,
    },
    Board {
        name: "microbit-v2",
        target: "thumbv7em-none-eabihf",
        start: 0,
        flash: 512 * 1024,
        ram: 128 * 1024,
        usb: 0,
        panics: 205,
    },
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

/// What was found out about an image.
pub(crate) struct Measured {
    board: Board,
    sizes: image::Sizes,
    blame: Blame,
    graph: Graph,
    deepest: Deepest,
}

impl Board {
    /// Builds the image and reads what the linker has made of it.
    pub(crate) fn measure(&self) -> Result<Measured> {
        let elf = self.build()?;
        let graph = Graph::read(&elf)?;
        Ok(Measured {
            board: *self,
            sizes: image::sizes(&elf)?,
            blame: blame(&elf)?,
            deepest: graph.deepest().with_context(|| format!("{}: no bound on the stack", self.name))?,
            graph,
        })
    }
}

impl Measured {
    /// RAM with the most stack that the call graph allows.
    fn ram(&self) -> u64 {
        self.sizes.ram + u64::from(self.deepest.bytes)
    }

    fn panics(&self) -> usize {
        self.graph.panics().values().sum()
    }

    /// Holds the image against the part, the budget, and what the firmware promises: no recursion, no allocation, and no
    /// more ways into a panic than there were.
    pub(crate) fn check(&self) -> Result<()> {
        let Self { board, sizes, .. } = self;
        let name = board.name;
        if sizes.start != board.start {
            bail!("{name}: linked for {:#010x}, but its flash begins at {:#010x}", sizes.start, board.start);
        }
        let (flash, ram) = (sizes.flash, self.ram());
        let budget = RAM + board.usb;
        if flash > FLASH.min(board.flash) || ram > budget.min(board.ram) {
            let budget =
                format!("the budget is {FLASH} and {budget} bytes, the part has {} and {}", board.flash, board.ram);
            bail!("{name}: {flash} bytes of flash and {ram} of RAM (stack {}): {budget}", self.deepest.bytes);
        }
        self.graph.keeps_promises(board.panics).with_context(|| name.to_owned())
    }

    /// A line of a table.
    pub(crate) fn line(&self) -> String {
        format!(
            "{:<14} flash {:>6.1} KB of {:>4}   RAM {:>5.1} KB of {:>3}: {} bytes static, at most {} of stack   {} panics",
            self.board.name,
            kilobytes(self.sizes.flash),
            self.board.flash / 1024,
            kilobytes(self.ram()),
            self.board.ram / 1024,
            self.sizes.ram,
            self.deepest.bytes,
            self.panics(),
        )
    }

    fn details(&self) {
        println!("  flash by owner (code by the source line that it comes from)");
        let mut owners: Vec<_> = self.blame.flash.iter().collect();
        owners.sort_by_key(|(name, size)| (core::cmp::Reverse(**size), *name));
        for (name, size) in owners {
            println!("    {size:>7}  {name}");
        }
        println!("  static RAM by variable");
        for (name, size) in self.blame.ram.iter().filter(|(_, size)| *size >= 16) {
            println!("    {size:>7}  {name}");
        }
        println!("  deepest chain of calls, bytes of each");
        for (name, frame) in &self.deepest.main {
            println!("    {frame:>7}  {name}");
        }
        println!("  and on top of it, in an interrupt");
        for (name, frame) in &self.deepest.interrupt {
            println!("    {frame:>7}  {name}");
        }
        println!("  calls that end in a panic");
        for (name, count) in self.graph.panics() {
            println!("    {count:>7}  {name}");
        }
    }

    fn json(&self) -> serde_json::Value {
        json!({
            "board": self.board.name,
            "flash": self.sizes.flash, "flash_of_part": self.board.flash, "flash_budget": FLASH,
            "static_ram": self.sizes.ram, "ram_of_part": self.board.ram, "ram_budget": RAM + self.board.usb,
            "stack_bound": self.deepest.bytes, "panics": self.panics(),
            "flash_by_owner": self.blame.flash, "ram_by_variable": self.blame.ram,
        })
    }
}

fn kilobytes(bytes: u64) -> f64 {
    bytes as f64 / 1024.0
}

/// Prints the sizes of one board's image, or of every board's.
pub(crate) fn print_sizes(name: Option<&str>, details: bool, file: Option<&Path>) -> Result<()> {
    let mut all = Vec::new();
    for board in named(name)? {
        let measured = board.measure()?;
        println!("{}", measured.line());
        if details {
            measured.details();
        }
        all.push(measured);
    }
    if let Some(file) = file {
        let boards: Vec<_> = all.iter().map(Measured::json).collect();
        let text = serde_json::to_string_pretty(&json!({ "kind": "sizes", "boards": boards }))?;
        std::fs::write(file, text + "\n").with_context(|| format!("cannot write {}", file.display()))?;
    }
    all.iter().try_for_each(Measured::check)
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
