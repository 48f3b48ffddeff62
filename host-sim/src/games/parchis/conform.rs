//! Compares the rules with recordings of the original program: every child of every state, in order, by its hash.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use anyhow::{Context, Result, bail};
use flate2::read::MultiGzDecoder;
use rival_core::games::parchis::State;
use serde::Deserialize;

use super::record::{StateRecord, action_of, action_record, parse_hash};

/// What a comparison came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games or sequences seen.
    pub games: u64,
    /// States seen.
    pub states: u64,
    /// Children compared.
    pub children: u64,
    /// Single-action scenarios compared.
    pub scenarios: u64,
    /// Things that were not as recorded.
    pub mismatches: u64,
    /// The first of them in words.
    pub first: Option<String>,
}

impl Tally {
    fn mismatch(&mut self, what: impl FnOnce() -> String) {
        self.mismatches += 1;
        if self.first.is_none() {
            self.first = Some(what());
        }
    }

    /// Adds another comparison.
    pub fn add(&mut self, other: Self) {
        self.games += other.games;
        self.states += other.states;
        self.children += other.children;
        self.scenarios += other.scenarios;
        self.mismatches += other.mismatches;
        self.first = self.first.take().or(other.first);
    }
}

/// One line of a recorded game.
#[derive(Deserialize)]
struct Line {
    g: u64,
    n: u64,
    s: StateRecord,
    h: String,
    #[serde(default)]
    m: Vec<(u8, u8, i32, String)>,
    #[serde(default)]
    a: usize,
    #[serde(default)]
    end: u8,
    w: Option<i8>,
    why: Option<String>,
}

/// A scenario of one action.
#[derive(Deserialize)]
struct Scenario {
    name: String,
    s: StateRecord,
    moves: Vec<(u8, u8, i32)>,
    a: (u8, u8, i32),
    legal: bool,
    after: Option<StateRecord>,
}

/// Opens a recording, compressed or not.
pub fn open(path: &Path) -> Result<Box<dyn BufRead>> {
    let file = File::open(path).with_context(|| format!("cannot open the recording {}", path.display()))?;
    let reader: Box<dyn Read> = if path.extension().is_some_and(|end| end == "gz") {
        Box::new(MultiGzDecoder::new(file))
    } else {
        Box::new(file)
    };
    Ok(Box::new(BufReader::new(reader)))
}

/// Compares everything in a file. `seen` is called after every line.
pub fn check(path: &Path, mut seen: impl FnMut()) -> Result<Tally> {
    let mut tally = Tally::default();
    let mut expected: Option<(u64, State)> = None;
    for (number, line) in open(path)?.lines().enumerate() {
        let place = || format!("{}, line {}", path.display(), number + 1);
        let line = line.with_context(place)?;
        if line.contains("\"name\"") {
            check_scenario(&serde_json::from_str(&line).with_context(place)?, &mut tally);
        } else if line.trim().is_empty() {
            continue;
        } else {
            let line: Line = serde_json::from_str(&line).with_context(place)?;
            expected = check_line(&line, expected, &mut tally).with_context(place)?;
        }
        seen();
    }
    if tally.states == 0 && tally.scenarios == 0 {
        bail!("{} holds no recording", path.display());
    }
    Ok(tally)
}

/// Compares one state of a game and all of its children. Gives the state that the next line should show.
fn check_line(line: &Line, expected: Option<(u64, State)>, tally: &mut Tally) -> Result<Option<(u64, State)>> {
    let at = || format!("game {}, action {}", line.g, line.n);
    tally.states += 1;
    tally.games += u64::from(line.n == 0);
    let state = match line.s.state() {
        Ok(state) => state,
        Err(error) => {
            tally.mismatch(|| format!("{}: the state is refused: {error}", at()));
            return Ok(None);
        }
    };
    if state.hash() != parse_hash(&line.h)? {
        tally.mismatch(|| format!("{}: the state has another hash", at()));
    }
    if State::decode(&state.encode()) != Ok(state) {
        tally.mismatch(|| format!("{}: the state does not survive its bytes", at()));
    }
    if expected.is_some_and(|(game, played)| game == line.g && played != state) {
        tally.mismatch(|| format!("{}: the action before it leads elsewhere", at()));
    }
    let legal = state.legal();
    // The last line of a game that was stopped at the recorder's limit of actions lists none.
    let capped = line.why.as_deref() == Some("cap");
    if legal.len() != line.m.len() && !capped {
        tally.mismatch(|| format!("{}: {} legal actions, {} recorded", at(), legal.len(), line.m.len()));
    }
    let mut next = None;
    for (place, (&mv, recorded)) in legal.iter().zip(&line.m).enumerate() {
        tally.children += 1;
        let child = state.play(mv);
        let (die, colour, id, hash) = recorded;
        if action_record(&state, mv) != (*die, *colour, *id) {
            tally.mismatch(|| format!("{}: action {place} is {mv:?}, {recorded:?} recorded", at()));
        } else if child.hash() != parse_hash(hash)? {
            tally.mismatch(|| format!("{}: {recorded:?} leads to {child:?}", at()));
        }
        if place == line.a {
            next = Some((line.g, child));
        }
    }
    if line.end != 0 {
        let winner = state.winner().map_or(-1, |player| player as i8);
        let by_bounces = line.why.as_deref() == Some("overbounce");
        if line.w != Some(winner) || state.overbounce().is_some() != by_bounces {
            tally.mismatch(|| format!("{}: winner {winner}, {:?} recorded", at(), line.w));
        }
        next = None;
    }
    Ok(next)
}

fn check_scenario(scenario: &Scenario, tally: &mut Tally) {
    tally.scenarios += 1;
    let name = &scenario.name;
    let state = match scenario.s.state() {
        Ok(state) => state,
        Err(error) => return tally.mismatch(|| format!("{name}: the state is refused: {error}")),
    };
    let legal: Vec<_> = state.legal().into_iter().map(|mv| action_record(&state, mv)).collect();
    if legal != scenario.moves {
        tally.mismatch(|| format!("{name}: legal are {legal:?}, {:?} recorded", scenario.moves));
    }
    let after = action_of(&state, scenario.a).map(|mv| state.play(mv));
    if after.is_some() != scenario.legal {
        tally.mismatch(|| format!("{name}: legal should be {}", scenario.legal));
    }
    if let (Some(after), Some(recorded)) = (after, &scenario.after) {
        if recorded.state() != Ok(after) {
            tally.mismatch(|| format!("{name}: leads to {after:?}"));
        }
    }
}

/// Leaves of the first five plies and the sums of their hashes, from the original program.
pub const PERFT: [(u64, u64); 5] = [
    (30, 0x6ee3_f7c2_bed2_b67c),
    (864, 0x5f03_8906_3d2c_4550),
    (23_616, 0x09d2_5332_f104_9ba4),
    (605_062, 0x4e88_d997_0055_bdb7),
    (14_712_749, 0xfd94_7a4b_3ccd_2e3a),
];

/// Counts the leaves of the first `deepest` plies from the start, with the sum of their hashes.
pub fn check_perft(deepest: u8) -> Tally {
    let mut tally = Tally::default();
    for (depth, expected) in (1..=deepest).zip(PERFT) {
        let mut sum = 0_u64;
        let leaves = State::start().perft(depth, |state| sum = sum.wrapping_add(state.hash()));
        tally.children += leaves;
        if (leaves, sum) != expected {
            tally.mismatch(|| format!("perft {depth}: {leaves} leaves, sum {sum:016x}, {expected:x?} expected"));
        }
    }
    tally
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A recording that is part of the repository.
    fn kept(name: &str) -> Tally {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/parchis").join(name);
        check(&path, || {}).unwrap()
    }

    /// A recording that lies beside the repository, where there is one.
    fn shared(name: &str) -> Option<Tally> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/golden/parchis").join(name);
        if !path.exists() {
            println!("skipped: no {name} (data would be in ../shared/golden/parchis)");
            return None;
        }
        Some(check(&path, || {}).unwrap())
    }

    #[test]
    fn every_quirk_is_as_recorded() {
        let tally = kept("quirks.jsonl");
        assert_eq!((tally.scenarios, tally.mismatches), (51, 0), "{:?}", tally.first);
    }

    #[test]
    fn the_kept_games_are_as_recorded() {
        let mut tally = kept("games.jsonl.gz");
        tally.add(kept("synthetic.jsonl.gz"));
        assert_eq!(tally.mismatches, 0, "{:?}", tally.first);
        assert_eq!(tally.games, 83);
    }

    #[test]
    fn all_240_games_are_as_recorded() {
        if let Some(tally) = shared("games.jsonl.gz") {
            assert_eq!(tally.mismatches, 0, "{:?}", tally.first);
            assert_eq!((tally.games, tally.states, tally.children), (240, 57_512, 776_521));
        }
    }

    #[test]
    fn all_2000_synthetic_sequences_are_as_recorded() {
        if let Some(tally) = shared("synthetic.jsonl.gz") {
            assert_eq!(tally.mismatches, 0, "{:?}", tally.first);
            assert_eq!((tally.games, tally.states, tally.children), (2_000, 25_651, 370_220));
        }
    }

    #[test]
    fn perft_to_depth_five_is_the_original_programs() {
        let tally = check_perft(5);
        assert_eq!(tally.mismatches, 0, "{:?}", tally.first);
    }
}
