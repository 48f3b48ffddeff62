//! What takes longer than anybody wants to wait for every time: `cargo xtask test --long`.

use std::process::{Command, Stdio};

use anyhow::{Result, bail};

use crate::boards::{cargo, root};
use crate::setup::answers;
use crate::test::Count;

/// Seconds for each fuzz target.
const FUZZ_SECONDS: u32 = 30;
/// Tests of `rival-core` that end in reasonable time under Miri: the frames, the session and its console, the bounded
/// containers. The rest searches whole games or decides for a whole second, a thousand times slower than on the machine.
const MIRI: &[&str] = &[
    "wire::",
    "session::tests::a_",
    "session::tests::bad_",
    "session::tests::the_same",
    "astar::tests",
    "--skip=does_not_make_a_decision_late",
    "--skip=is_never_thought_about_twice",
];

/// Runs it all.
pub(crate) fn run(count: &mut Count) {
    let mut properties = cargo();
    properties.args(["test", "-p", "rival-core", "--lib"]).env("RIVAL_CASES", "10").env("PROPTEST_CASES", "2560");
    count.tests("properties, ten times as many cases", &mut properties);
    fuzz(count);
    miri(count);
    deny(count);
    count.step("every mechanism is missed when it is taken out", || {
        crate::mechanisms::run(crate::mechanisms::Part::ALL)
    });
}

/// A cargo of the nightly toolchain. It cannot be had through `CARGO`, which is the toolchain of this run.
fn nightly(arguments: &[&str]) -> Command {
    let mut command = Command::new("cargo");
    command.arg("+nightly").args(arguments).current_dir(root()).env_remove("CARGO").env_remove("RUSTUP_TOOLCHAIN");
    command
}

fn succeeds(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

/// Asks rustup for something, and says so.
fn installs(arguments: &[&str]) -> bool {
    println!("setup: rustup {}", arguments.join(" "));
    succeeds(Command::new("rustup").args(arguments))
}

/// Every fuzz target for a while, from the seeds that the tests know.
fn fuzz(count: &mut Count) {
    if !succeeds(&mut nightly(&["--version"]))
        && !installs(&["toolchain", "install", "nightly", "--profile", "minimal"])
    {
        return count.skip("fuzz targets: no nightly toolchain; run `rustup toolchain install nightly`");
    }
    if !succeeds(&mut nightly(&["fuzz", "--version"])) {
        println!("setup: cargo install cargo-fuzz --locked");
        if !succeeds(cargo().args(["install", "--quiet", "--locked", "cargo-fuzz"])) {
            return count.skip("fuzz targets: cargo-fuzz is missing; run `cargo install cargo-fuzz --locked`");
        }
    }
    let mut seeds = cargo();
    seeds.args(["test", "--quiet", "-p", "rival-tests", "--test", "corpus", "seeds"]).env("RIVAL_SEEDS", "fuzz/corpus");
    count.check("seeds of the fuzz targets", &mut seeds);
    // Without a sanitizer: there is no unsafe code to be found out, and a hundred times as many tries to be had.
    count.check("fuzz targets build", &mut nightly(&["fuzz", "build", "-s", "none"]));
    for target in targets().unwrap_or_default() {
        let corpus = format!("fuzz/corpus/{target}");
        let _ = std::fs::create_dir_all(root().join(&corpus));
        let mut run = nightly(&["fuzz", "run", "-s", "none", &target, &corpus, "--"]);
        // A case that takes ten seconds is a hang.
        run.args([
            &format!("-max_total_time={FUZZ_SECONDS}"),
            "-timeout=10",
            "-rss_limit_mb=2048",
            "-print_final_stats=1",
        ]);
        run.stderr(Stdio::piped());
        count.step(&format!("fuzz {target}"), || {
            let output = run.stdin(Stdio::null()).output()?;
            let log = String::from_utf8_lossy(&output.stderr);
            if !output.status.success() {
                bail!("{log}\nmend it, and keep the case in tests/data/fuzz/{target}/");
            }
            let executed = log.lines().find_map(|line| line.strip_prefix("stat::number_of_executed_units:"));
            println!("figure: fuzz {target}: {} cases", executed.unwrap_or("?").trim());
            Ok(())
        });
    }
}

/// The targets that the folder has.
fn targets() -> Result<Vec<String>> {
    let mut names = Vec::new();
    for file in std::fs::read_dir(root().join("fuzz/fuzz_targets"))? {
        names.extend(file?.path().file_stem().map(|stem| stem.to_string_lossy().into_owned()));
    }
    names.sort();
    Ok(names)
}

/// Part of the core's tests under an interpreter that finds undefined behaviour and uninitialised reads.
fn miri(count: &mut Count) {
    if !succeeds(&mut nightly(&["miri", "--version"]))
        && !installs(&["component", "add", "miri", "rust-src", "--toolchain", "nightly"])
    {
        return count.skip("Miri: not there; run `rustup component add miri rust-src --toolchain nightly`");
    }
    let mut miri = nightly(&["miri", "test", "--quiet", "-p", "rival-core", "--lib"]);
    // Property tests read where failures are kept, which an interpreter has to be allowed.
    miri.env("MIRIFLAGS", "-Zmiri-disable-isolation").env("PROPTEST_CASES", "2");
    count.tests_named("core under Miri", &mut miri, MIRI);
    let mut bounds = nightly(&["miri", "test", "--quiet", "-p", "rival-tests", "--test", "bounds"]);
    bounds.env("MIRIFLAGS", "-Zmiri-disable-isolation");
    count.tests("containers at their bounds under Miri", &mut bounds);
}

/// Licences, versions and sources of everything that is built in.
fn deny(count: &mut Count) {
    if !answers("cargo-deny", "--version") {
        println!("setup: cargo install cargo-deny --locked");
        if !succeeds(cargo().args(["install", "--quiet", "--locked", "cargo-deny"])) {
            return count.skip("dependencies: cargo-deny is missing; run `cargo install cargo-deny --locked`");
        }
    }
    let mut check = cargo();
    count.check("dependencies", check.args(["deny", "--log-level", "error", "check", "licenses", "bans", "sources"]));
    // The advisories are looked up in a database that has to be fetched.
    match cargo().args(["deny", "check", "advisories"]).stdin(Stdio::null()).output() {
        Ok(output) if String::from_utf8_lossy(&output.stderr).contains("failed to fetch advisory database") => {
            count.skip("advisories: their database could not be reached; run `cargo deny check advisories`");
        }
        Ok(output) => count.step("advisories", || {
            if !output.status.success() {
                bail!("{}", String::from_utf8_lossy(&output.stderr));
            }
            Ok(())
        }),
        Err(error) => count.skip(&format!("advisories: {error}")),
    }
}
