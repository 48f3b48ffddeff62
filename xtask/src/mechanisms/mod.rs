//! Whether the tests would notice: every mechanism that keeps the play going is taken out in turn, in a copy of the
//! workspace, and the test that stands for it has to fail.
//!
//! A mechanism is a piece of text in a file and what stands in its place when it is taken out. What does not build, or
//! whose text is no longer there, is an error too: the list is kept in step with the code. So is a test that fails with
//! everything in its place, which is tried first.

use core::time::Duration;
use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};

use crate::boards::{cargo, root};

mod list;

/// Where a test is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Home {
    /// Unit tests of `xtask`.
    Xtask,
    /// Unit tests of `rival-core`.
    Core,
    /// Unit tests of `rival-sim`.
    Sim,
    /// A file of system tests.
    System(&'static str),
    /// The same, with a board under emulation: an image has to be built as well.
    Board(&'static str),
}

/// Something that can be taken out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mechanism {
    /// What it is, in a few words.
    pub(crate) what: &'static str,
    /// Where it is.
    pub(crate) file: &'static str,
    /// The text, which is in the file once.
    pub(crate) text: &'static str,
    /// What stands there without it.
    pub(crate) instead: &'static str,
    /// The test that must fail then, and where it is.
    pub(crate) home: Home,
    pub(crate) test: &'static str,
}

/// What came of taking one out.
#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    /// The test failed, as it should.
    Noticed,
    /// The test did not end, which is noticed as well.
    Hung,
    /// The test passed.
    Unnoticed,
    /// It could not be tried.
    Broken(String),
}

impl Outcome {
    fn is_good(&self) -> bool {
        matches!(self, Self::Noticed | Self::Hung)
    }
}

/// A test without its mechanism may wait for what never comes.
const PATIENCE: Duration = Duration::from_mins(8);

/// Which of the mechanisms are tried, by the numbers of the whole list: the same whatever else is chosen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part<'a> {
    /// Only those whose description contains this.
    pub(crate) only: Option<&'a str>,
    /// From this number on.
    pub(crate) from: usize,
    /// To this number.
    pub(crate) to: usize,
}

impl Part<'_> {
    /// All of them.
    pub(crate) const ALL: Self = Self { only: None, from: 1, to: usize::MAX };

    /// The mechanisms of this part with their numbers.
    fn chosen(self) -> Vec<(usize, &'static Mechanism)> {
        let mut all: Vec<&Mechanism> = list::MECHANISMS.iter().collect();
        // Those that need the same parts built stand together.
        all.sort_by_key(|one| (one.home, one.file));
        let numbered = all.into_iter().enumerate().map(|(index, one)| (index + 1, one));
        numbered
            .filter(|(number, one)| {
                (self.from..=self.to).contains(number) && self.only.is_none_or(|only| one.what.contains(only))
            })
            .collect()
    }
}

/// Takes out every mechanism of a part, one at a time, and prints a table. An error if one of them can be taken out
/// unnoticed.
pub(crate) fn run(part: Part<'_>) -> Result<()> {
    let chosen = part.chosen();
    if chosen.is_empty() {
        bail!("there is no such mechanism");
    }
    let started = Instant::now();
    let copy = Copy::new()?;
    let mut unnoticed = Vec::new();
    let mut home = None;
    let mut unsound = BTreeSet::new();
    for (number, one) in &chosen {
        if home != Some(one.home) {
            // A test that fails with everything in its place notices nothing.
            home = Some(one.home);
            unsound = copy.unsound(chosen.iter().map(|(_, one)| *one).filter(|other| other.home == one.home));
        }
        let started = Instant::now();
        let outcome = if unsound.contains(one.test) {
            Outcome::Broken("the test fails with it, too".to_owned())
        } else {
            copy.without(one).unwrap_or_else(|error| Outcome::Broken(format!("{error:#}")))
        };
        let word = match &outcome {
            Outcome::Noticed => "noticed",
            Outcome::Hung => "noticed: the test does not end",
            Outcome::Unnoticed => "NOT NOTICED",
            Outcome::Broken(reason) => &format!("NOT TRIED: {reason}"),
        };
        println!(
            "{number:>3} of {}  {:<62} {:<60} {word} ({:.0} s)",
            list::MECHANISMS.len(),
            one.what,
            one.test,
            started.elapsed().as_secs_f64()
        );
        if !outcome.is_good() {
            unnoticed.push(format!("{number}: {}", one.what));
        }
    }
    println!(
        "figure: of {} mechanisms {} were taken out, {} noticed by their tests, {} not ({:.0} s)",
        list::MECHANISMS.len(),
        chosen.len(),
        chosen.len() - unnoticed.len(),
        unnoticed.len(),
        started.elapsed().as_secs_f64()
    );
    if !unnoticed.is_empty() {
        bail!("taken out unnoticed, or not at all: {}", unnoticed.join("; "));
    }
    Ok(())
}

/// A copy of the workspace to be spoilt, with a target folder of its own that all mechanisms share.
struct Copy {
    root: PathBuf,
}

impl Copy {
    /// Brings the copy into step with the workspace. Only files that differ are written, so that what was built stays
    /// built.
    fn new() -> Result<Self> {
        // Outside the workspace, whose configuration cargo would add to the copy's own.
        let copy = Self { root: std::env::temp_dir().join("rival-mechanisms") };
        let listed = Command::new("git")
            .args(["ls-files", "--cached", "--others", "--exclude-standard", "-z"])
            .current_dir(root())
            .output()
            .context("cannot start git to list the files")?;
        if !listed.status.success() {
            bail!("git cannot list the files: {}", String::from_utf8_lossy(&listed.stderr));
        }
        for name in String::from_utf8(listed.stdout)?.split('\0').filter(|name| !name.is_empty()) {
            let from = root().join(name);
            if from.is_file() {
                put(&copy.root.join(name), &std::fs::read(from)?)?;
            }
        }
        Ok(copy)
    }

    /// The tests that do not pass although nothing was taken out.
    fn unsound<'a>(&self, chosen: impl Iterator<Item = &'a Mechanism>) -> BTreeSet<&'static str> {
        let mut tried = BTreeSet::new();
        let different = chosen.filter(|one| tried.insert(one.test));
        let failing = different.filter(|one| !matches!(self.test(one), Ok(Outcome::Unnoticed)));
        failing.map(|one| one.test).collect()
    }

    /// Takes one out, runs its test, and puts it back.
    fn without(&self, one: &Mechanism) -> Result<Outcome> {
        let file = self.root.join(one.file);
        let whole = std::fs::read_to_string(&file).with_context(|| one.file.to_owned())?;
        std::fs::write(&file, spoilt(&whole, one)?)?;
        let outcome = self.test(one);
        std::fs::write(&file, whole)?;
        outcome
    }

    fn cargo(&self) -> Command {
        let mut command = cargo();
        command
            .current_dir(&self.root)
            .env("CARGO_TARGET_DIR", self.root.join("target"))
            // Built often and run once.
            .env("CARGO_INCREMENTAL", "1")
            .env("CARGO_PROFILE_TEST_OPT_LEVEL", "1")
            .env("CARGO_PROFILE_TEST_DEBUG", "0")
            .env("CARGO_PROFILE_FIRMWARE_LTO", "thin")
            .env("CARGO_PROFILE_FIRMWARE_CODEGEN_UNITS", "4")
            .stdin(Stdio::null());
        command
    }

    fn test(&self, one: &Mechanism) -> Result<Outcome> {
        let (package, target): (&str, Vec<&str>) = match one.home {
            Home::Xtask => ("xtask", vec!["--lib", "--bins"]),
            Home::Core => ("rival-core", vec!["--lib"]),
            Home::Sim => ("rival-sim", vec!["--lib"]),
            Home::System(file) | Home::Board(file) => ("rival-tests", vec!["--test", file]),
        };
        let built = self.cargo().args(["test", "--no-run", "-p", package]).args(target).output()?;
        let log = String::from_utf8_lossy(&built.stderr);
        if !built.status.success() {
            bail!("it does not build without: {}", errors(&log));
        }
        let mut found = false;
        for program in programs(&log) {
            let mut run = Command::new(self.root.join(program));
            run.args(["--exact", one.test, "--test-threads=1"]).current_dir(self.root.join(folder(package)));
            // The tests build images themselves, and read which cargo.
            let flags = self.cargo();
            run.envs(flags.get_envs().filter_map(|(key, value)| Some((key, value?))));
            let Some(log) = outlive(run.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()))? else {
                return Ok(Outcome::Hung);
            };
            if log.contains("does not build") || log.contains("firmware builds") {
                bail!("an image does not build without");
            }
            if log.contains("skipped: ") {
                bail!("the test skips itself here");
            }
            match counted(&log) {
                (0, 0) => {}
                (_, 0) => return Ok(Outcome::Unnoticed),
                _ => found = true,
            }
        }
        if !found {
            bail!("there is no such test");
        }
        Ok(Outcome::Noticed)
    }
}

fn put(file: &Path, content: &[u8]) -> Result<()> {
    if std::fs::read(file).is_ok_and(|old| old == content) {
        return Ok(());
    }
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(file, content).with_context(|| file.display().to_string())
}

/// The file without the mechanism.
fn spoilt(whole: &str, one: &Mechanism) -> Result<String> {
    match whole.matches(one.text).count() {
        1 => Ok(whole.replacen(one.text, one.instead, 1)),
        0 => bail!("{} no longer has the text: {}", one.file, one.text),
        more => bail!("{} has the text {more} times: {}", one.file, one.text),
    }
}

/// The folder of a package.
fn folder(package: &str) -> &str {
    match package {
        "rival-core" => "core",
        "rival-sim" => "host-sim",
        "rival-tests" => "tests",
        other => other,
    }
}

/// The test programs that cargo says it has built: `Executable unittests src/lib.rs (target/debug/deps/core-12ab)`.
fn programs(log: &str) -> Vec<String> {
    let lines = log.lines().filter_map(|line| line.trim_start().strip_prefix("Executable "));
    lines.filter_map(|line| Some(line.rsplit_once('(')?.1.strip_suffix(')')?.to_owned())).collect()
}

/// Tests that passed and failed.
fn counted(log: &str) -> (usize, usize) {
    let Some(line) = log.lines().rev().find_map(|line| line.strip_prefix("test result: ")) else {
        // A test that took its program down with it.
        return (0, 1);
    };
    let number = |word: &str| -> usize {
        let before = line.split(word).next().unwrap_or("");
        before.trim().rsplit(' ').next().and_then(|number| number.parse().ok()).unwrap_or(0)
    };
    (number(" passed"), number(" failed"))
}

/// The first lines of what the compiler says.
fn errors(log: &str) -> String {
    let lines: Vec<&str> = log.lines().filter(|line| line.starts_with("error")).take(3).collect();
    lines.join("; ")
}

/// Runs a program to its end and gives what it printed; `None` if it does not end, and then it and all that it started
/// are ended.
fn outlive(command: &mut Command) -> Result<Option<String>> {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    let mut child = command.spawn().context("cannot start the test")?;
    let output = child.stdout.take();
    let reader = std::thread::spawn(move || {
        let mut log = Vec::new();
        let _ = output.map(|mut output| output.read_to_end(&mut log));
        String::from_utf8_lossy(&log).into_owned()
    });
    let until = Instant::now() + PATIENCE;
    while child.try_wait()?.is_none() {
        if Instant::now() >= until {
            end(&mut child);
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    Ok(Some(reader.join().unwrap_or_default()))
}

/// Ends a program with its group.
fn end(child: &mut Child) {
    let group = format!("-{}", child.id());
    let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
    let _ = child.kill();
    let _ = child.wait();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mechanism_is_where_the_list_says() {
        for one in list::MECHANISMS {
            let whole = std::fs::read_to_string(root().join(one.file)).expect(one.file);
            let spoilt = spoilt(&whole, one).unwrap_or_else(|error| panic!("{}: {error}", one.what));
            assert_ne!(spoilt, whole, "{}", one.what);
        }
    }

    #[test]
    fn every_test_of_the_list_is_there() {
        for one in list::MECHANISMS {
            let name = one.test.rsplit("::").next().unwrap_or_default();
            let places: &[&str] = match one.home {
                Home::Xtask => &["xtask/src"],
                Home::Core => &["core/src"],
                Home::Sim => &["host-sim/src"],
                Home::System(file) | Home::Board(file) => &[&format!("tests/tests/{file}.rs")],
            };
            assert!(places.iter().any(|place| holds(&root().join(place), &format!("fn {name}("))), "{}", one.test);
        }
    }

    /// A run that was broken off goes on where it stopped: the numbers do not depend on what is chosen.
    #[test]
    fn the_parts_of_the_list_are_the_list() {
        let numbers = |part: Part<'_>| part.chosen().iter().map(|(number, _)| *number).collect::<Vec<_>>();
        let all = numbers(Part::ALL);
        assert_eq!(all, (1..=list::MECHANISMS.len()).collect::<Vec<_>>());
        let (first, rest) = (numbers(Part { to: 20, ..Part::ALL }), numbers(Part { from: 21, ..Part::ALL }));
        assert_eq!([first, rest].concat(), all);
        for (number, one) in (Part { only: Some("watchdog"), ..Part::ALL }).chosen() {
            assert!(one.what.contains("watchdog"));
            assert_eq!(Part::ALL.chosen()[number - 1].1.what, one.what);
        }
        assert!(numbers(Part { from: all.len() + 1, ..Part::ALL }).is_empty());
    }

    fn holds(place: &Path, text: &str) -> bool {
        if place.is_dir() {
            let mut entries = std::fs::read_dir(place).expect("a folder can be read");
            return entries.any(|entry| holds(&entry.expect("an entry can be read").path(), text));
        }
        std::fs::read_to_string(place).is_ok_and(|whole| whole.contains(text))
    }

    #[test]
    fn a_test_that_passes_or_is_not_there_is_told_from_one_that_fails() {
        let line =
            |passed, failed| format!("\ntest result: x. {passed} passed; {failed} failed; 0 ignored; 0 measured\n");
        assert_eq!(counted(&line(1, 0)), (1, 0));
        assert_eq!(counted(&line(0, 1)), (0, 1));
        assert_eq!(counted(&line(0, 0)), (0, 0));
        assert_eq!(counted("running 1 test\n"), (0, 1), "it fell over");
    }

    #[test]
    fn what_cargo_has_built_is_found() {
        let log = "   Compiling x\n  Executable unittests src/lib.rs (target/debug/deps/x-1a)\n  Executable tests/y.rs (/t/y-2b)\n";
        assert_eq!(programs(log), ["target/debug/deps/x-1a", "/t/y-2b"]);
    }

    #[test]
    fn a_text_that_is_gone_or_there_twice_is_an_error() {
        let one = Mechanism { text: "a < b", instead: "true", ..list::MECHANISMS[0] };
        assert_eq!(spoilt("if a < b {}", &one).unwrap(), "if true {}");
        assert!(spoilt("if a > b {}", &one).is_err());
        assert!(spoilt("a < b; a < b", &one).is_err());
    }
}
