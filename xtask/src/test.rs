//! Everything that must hold, one step after the other, with a plain count at the end.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Result, bail};

use crate::boards::{BOARDS, cargo};
use crate::setup;

/// The packages of the desktop.
const DESKTOP: &[&str] = &["-p", "rival-core", "-p", "rival-sim", "-p", "rival-tests", "-p", "xtask"];

#[derive(Default)]
pub(crate) struct Count {
    passed: usize,
    failed: usize,
    skipped: Vec<String>,
    failures: Vec<String>,
}

/// Runs everything, the long part only if it is asked for. An error if anything failed.
pub(crate) fn run(long: bool) -> Result<()> {
    let started = Instant::now();
    let mut count = Count::default();
    let missing = setup::run()?;
    count.check("format", cargo().args(["fmt", "--all", "--check"]));
    count.check(
        "clippy",
        cargo().args(["clippy", "--quiet", "--all-targets"]).args(DESKTOP).args(["--", "-D", "warnings"]),
    );
    let documented = ["--quiet", "--no-deps", "-p", "rival-core", "-p", "rival-sim"];
    count.check("documentation", cargo().arg("doc").args(documented).env("RUSTDOCFLAGS", "-D warnings"));
    for board in BOARDS {
        let mut clippy = cargo();
        clippy.args(["clippy", "--quiet"]).args(board.arguments()).args(["--", "-D", "warnings"]);
        count.check(&format!("firmware clippy, {}", board.name), &mut clippy);
    }
    for board in BOARDS {
        count.step(&format!("firmware image, {}", board.name), || {
            let measured = board.measure()?;
            println!("figure: {}", measured.line());
            measured.check()
        });
    }
    count
        .tests("unit and property tests", cargo().args(["test", "-p", "rival-core", "-p", "rival-sim", "-p", "xtask"]));
    let mut system = cargo();
    system.args(["test", "-p", "rival-tests"]);
    if let Some(reason) = &missing.qemu {
        // The tests say for themselves what they skipped.
        system.env("RIVAL_NO_EMULATOR", reason);
    }
    if long {
        // The tests that have a long form run it.
        system.env("RIVAL_LONG", "1");
    }
    count.tests("system tests", &mut system);
    if long {
        crate::long::run(&mut count);
    }
    println!("\n{:.0} s", started.elapsed().as_secs_f64());
    for failure in &count.failures {
        println!("failed: {failure}");
    }
    println!("{} passed, {} failed, {} skipped", count.passed, count.failed, count.skipped.len());
    for skipped in &count.skipped {
        println!("  {skipped}");
    }
    if count.failed > 0 {
        bail!("{} failed", count.failed);
    }
    Ok(())
}

impl Count {
    /// A step that is one check: a command that must succeed.
    pub(crate) fn check(&mut self, name: &str, command: &mut Command) {
        self.step(name, || {
            let status = command.stdin(Stdio::null()).status()?;
            if !status.success() {
                bail!("{status}");
            }
            Ok(())
        });
    }

    pub(crate) fn step(&mut self, name: &str, work: impl FnOnce() -> Result<()>) {
        println!("== {name}");
        match work() {
            Ok(()) => self.passed += 1,
            Err(error) => {
                self.failed += 1;
                self.failures.push(format!("{name}: {error:#}"));
            }
        }
    }

    /// A run of `cargo test`, each of whose tests counts. What a test prints as `skipped: …` is told at the end.
    pub(crate) fn tests(&mut self, name: &str, command: &mut Command) {
        self.tests_named(name, command, &[]);
    }

    /// Something that could not be done here, and why.
    pub(crate) fn skip(&mut self, reason: &str) {
        println!("== skipped: {reason}");
        self.skipped.push(reason.to_owned());
    }

    /// The same for the tests whose names begin with or contain one of these words.
    pub(crate) fn tests_named(&mut self, name: &str, command: &mut Command, words: &[&str]) {
        println!("== {name}");
        command.args(["--no-fail-fast", "--", "--show-output"]).args(words).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut seen = 0;
        let finished = command.spawn().map_err(anyhow::Error::from).and_then(|mut child| {
            let output = child.stdout.take().map(BufReader::new);
            let mut log = Vec::new();
            let mut test = String::new();
            let mut skipping = std::collections::BTreeSet::new();
            for line in output.into_iter().flat_map(BufRead::lines) {
                let line = line?;
                if let Some(result) = line.strip_prefix("test result: ") {
                    seen += self.result(result);
                } else if let Some(name) = line.strip_prefix("---- ").and_then(|line| line.strip_suffix(" stdout ----"))
                {
                    name.clone_into(&mut test);
                } else if let Some(reason) = line.trim_start().strip_prefix("skipped: ") {
                    // A test that skips has not passed, however the runner counts it.
                    if skipping.insert(test.clone()) {
                        self.passed = self.passed.saturating_sub(1);
                        self.skipped.push(format!("{test}: {reason}"));
                    }
                } else if line.starts_with("figure: ") {
                    println!("{line}");
                }
                if line.starts_with("test ") && line.ends_with("FAILED") {
                    self.failures.push(line.clone());
                }
                log.push(line);
            }
            let status = child.wait()?;
            if !status.success() {
                println!("{}", log.join("\n"));
                bail!("{status}");
            }
            Ok(())
        });
        println!("   {seen} tests");
        match finished {
            Ok(()) if seen == 0 => {
                self.failed += 1;
                self.failures.push(format!("{name}: no test ran"));
            }
            Ok(()) => {}
            Err(error) => {
                // The tests that failed are counted; a run that broke down has to count for something as well.
                self.failed += usize::from(self.failed == 0);
                self.failures.push(format!("{name}: {error:#}"));
            }
        }
    }

    /// Takes in a line such as `ok. 3 passed; 0 failed; 1 ignored; …` and gives the number of tests that ran.
    fn result(&mut self, line: &str) -> usize {
        let number = |word: &str| -> usize {
            let before = line.split(word).next().unwrap_or("");
            before.trim().rsplit(' ').next().and_then(|number| number.parse().ok()).unwrap_or(0)
        };
        let (passed, failed, ignored) = (number(" passed"), number(" failed"), number(" ignored"));
        self.passed += passed;
        self.failed += failed;
        if ignored > 0 {
            self.skipped.push(format!("{ignored} tests marked to be ignored"));
        }
        passed + failed
    }
}
