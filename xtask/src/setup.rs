//! Installs what is missing, by the ordinary package clients.

use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::boards::{BOARDS, cargo};

/// What could not be installed, each with the line that a person can run instead.
pub(crate) struct Missing {
    /// QEMU, without which nothing can be tested under emulation.
    pub(crate) qemu: Option<String>,
}

/// Installs targets, flip-link and QEMU, where they are missing.
pub(crate) fn run() -> Result<Missing> {
    targets()?;
    flip_link()?;
    Ok(Missing { qemu: qemu() })
}

/// Whether a program is there and says so.
pub(crate) fn answers(program: &str, argument: &str) -> bool {
    Command::new(program)
        .arg(argument)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

fn targets() -> Result<()> {
    let listed =
        Command::new("rustup").args(["target", "list", "--installed"]).current_dir(crate::boards::root()).output();
    let listed = listed.context("rustup is needed to install the boards' targets")?;
    let installed = String::from_utf8_lossy(&listed.stdout).into_owned();
    let mut wanted: Vec<&str> = BOARDS.iter().map(|board| board.target).collect();
    wanted.sort_unstable();
    wanted.dedup();
    for target in wanted {
        if installed.lines().any(|line| line.trim() == target) {
            continue;
        }
        println!("setup: rustup target add {target}");
        let status =
            Command::new("rustup").args(["target", "add", target]).current_dir(crate::boards::root()).status()?;
        if !status.success() {
            bail!("could not install the target: run `rustup target add {target}`");
        }
    }
    Ok(())
}

/// The linker that puts the stack where an overflow is a fault.
fn flip_link() -> Result<()> {
    if answers("flip-link", "--version") || answers("flip-link", "-h") {
        return Ok(());
    }
    let known = std::env::var_os("PATH")
        .is_some_and(|path| std::env::split_paths(&path).any(|folder| folder.join("flip-link").is_file()));
    if known {
        return Ok(());
    }
    println!("setup: cargo install flip-link --locked");
    let status = cargo().args(["install", "--quiet", "--locked", "flip-link"]).status()?;
    if !status.success() {
        bail!("could not install flip-link: run `cargo install flip-link --locked`");
    }
    Ok(())
}

/// Installs QEMU with the system's package manager, if that is allowed without a question.
fn qemu() -> Option<String> {
    const PACKAGE: &str = "qemu-system-arm";
    if answers("qemu-system-arm", "--version") {
        return None;
    }
    let root = Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.starts_with(b"0\n"));
    let mut install = if root {
        Command::new("apt-get")
    } else if answers("sudo", "-nv") {
        let mut sudo = Command::new("sudo");
        sudo.args(["-n", "apt-get"]);
        sudo
    } else {
        return Some(format!("QEMU is missing; run: sudo apt-get install {PACKAGE}"));
    };
    println!("setup: apt-get install {PACKAGE}");
    let mut update = if root { Command::new("apt-get") } else { Command::new("sudo") };
    if !root {
        update.args(["-n", "apt-get"]);
    }
    let _ = update.args(["-qq", "update"]).stdout(Stdio::null()).status();
    install.args(["-qq", "-y", "install", PACKAGE]).env("DEBIAN_FRONTEND", "noninteractive").stdout(Stdio::null());
    let installed = install.status().is_ok_and(|status| status.success());
    (!installed).then(|| format!("QEMU could not be installed; run: sudo apt-get install {PACKAGE}"))
}
