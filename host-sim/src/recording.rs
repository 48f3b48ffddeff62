//! Recordings of other programs: JSON Lines, plain or gzip'd.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use flate2::read::MultiGzDecoder;
use serde_json::Value;

/// The lines of a recording with their numbers, from 1. Empty lines are passed over.
pub fn lines(path: &Path) -> Result<impl Iterator<Item = Result<(usize, Value)>> + use<>> {
    let file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
    let gzipped = path.extension().is_some_and(|extension| extension == "gz");
    let reader: Box<dyn Read> = if gzipped { Box::new(MultiGzDecoder::new(file)) } else { Box::new(file) };
    Ok(read_lines(path.display().to_string(), reader))
}

/// The same from anywhere, under a name for messages. What cannot be read ends it: a damaged archive would say so again
/// and again, without end.
pub fn read_lines(name: String, reader: impl Read) -> impl Iterator<Item = Result<(usize, Value)>> {
    let mut broken = false;
    let read = BufReader::new(reader).lines().take_while(move |line| !core::mem::replace(&mut broken, line.is_err()));
    read.enumerate().filter_map(move |(at, line)| {
        let number = at + 1;
        let line = match line.with_context(|| format!("cannot read {name}")) {
            Ok(line) if line.trim().is_empty() => return None,
            Ok(line) => line,
            Err(error) => return Some(Err(error)),
        };
        let value = serde_json::from_str(&line).with_context(|| format!("{name}, line {number}: not JSON"));
        Some(value.map(|value| (number, value)))
    })
}

/// Finds a map that a recording names, in the given folders and beside the recording.
pub fn find_map(name: &str, recording: &Path, folders: &[PathBuf]) -> Result<PathBuf> {
    let beside = recording.parent().map(Path::to_path_buf);
    for folder in folders.iter().cloned().chain(beside) {
        let path = folder.join(name);
        if path.is_file() {
            return Ok(path);
        }
    }
    bail!("no map {name} in {folders:?} or beside {}; name its folder with --maps DIR", recording.display())
}

/// What replaying a recording through the rules came to.
#[derive(Debug, Default)]
pub struct Conformance {
    /// Steps compared.
    pub steps: u64,
    /// Steps that differ.
    pub mismatches: u64,
    /// The first that differs, in full.
    pub first: Option<String>,
    /// Other things worth saying, a line each.
    pub notes: Vec<String>,
}

impl Conformance {
    /// Counts a step. `difference` describes what differs, if anything does.
    pub fn step(&mut self, difference: Option<impl FnOnce() -> String>) {
        self.steps += 1;
        if let Some(describe) = difference {
            self.mismatches += 1;
            self.first.get_or_insert_with(describe);
        }
    }

    /// Counts the comparison of two values.
    pub fn compare<T: PartialEq + core::fmt::Debug>(&mut self, place: impl core::fmt::Display, ours: &T, theirs: &T) {
        let differs = ours != theirs;
        self.step(differs.then_some(|| format!("{place}\n  ours:     {ours:?}\n  recorded: {theirs:?}")));
    }

    /// Adds up the results of two recordings.
    pub fn add(&mut self, other: Self) {
        self.steps += other.steps;
        self.mismatches += other.mismatches;
        self.first = self.first.take().or(other.first);
        self.notes.extend(other.notes);
    }
}
