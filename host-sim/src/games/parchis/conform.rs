//! Compares the rules with recordings of the original program: every child of every state, in order, by its hash.

use std::path::Path;

use anyhow::{Context, Result};
use rival_core::games::parchis::State;
use serde::Deserialize;

use super::record::{StateRecord, action_of, action_record, parse_hash};
use crate::recording::{Conformance, lines};

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

/// What has been compared.
#[derive(Default)]
struct Tally {
    games: u64,
    states: u64,
    scenarios: u64,
    result: Conformance,
}

impl Tally {
    /// Counts a comparison.
    fn step(&mut self, fails: bool, what: impl FnOnce() -> String) {
        self.result.step(fails.then_some(what));
    }
}

/// Compares everything in a recording; `perft:5` instead of a file counts the leaves of the first five plies. A step is
/// a child of a recorded state, a scenario or a leaf.
pub(super) fn conform(file: &Path) -> Result<Conformance> {
    if let Some(depth) = file.to_str().and_then(|name| name.strip_prefix("perft:")) {
        let depth = depth.parse().ok().filter(|depth| (1..=PERFT.len()).contains(depth));
        return Ok(check_perft(depth.context("write perft:1 to perft:5")?));
    }
    let mut tally = Tally::default();
    let mut expected: Option<(u64, State)> = None;
    // Line by line: the whole recording would take half a gigabyte.
    for line in lines(file)? {
        let (number, record) = line?;
        let place = || format!("{}, line {number}", file.display());
        if record.get("name").is_some() {
            check_scenario(&serde_json::from_value(record).with_context(place)?, &mut tally);
        } else {
            let line: Line = serde_json::from_value(record).with_context(place)?;
            expected = check_line(&line, expected, &mut tally).with_context(place)?;
        }
    }
    let Tally { games, states, scenarios, mut result } = tally;
    if states > 0 {
        result.notes.push(format!("{games} games, {states} states, every child by its hash"));
    }
    if scenarios > 0 {
        result.notes.push(format!("{scenarios} scenarios of one action"));
    }
    Ok(result)
}

/// Compares one state of a game and all of its children. Gives the state that the next line should show.
fn check_line(line: &Line, expected: Option<(u64, State)>, tally: &mut Tally) -> Result<Option<(u64, State)>> {
    let at = || format!("game {}, action {}", line.g, line.n);
    tally.states += 1;
    tally.games += u64::from(line.n == 0);
    let state = match line.s.state() {
        Ok(state) => state,
        Err(error) => {
            tally.step(true, || format!("{}: the state is refused: {error}", at()));
            return Ok(None);
        }
    };
    if state.hash() != parse_hash(&line.h)? {
        tally.step(true, || format!("{}: the state has another hash", at()));
    }
    if State::decode(&state.encode()) != Ok(state) {
        tally.step(true, || format!("{}: the state does not survive its bytes", at()));
    }
    if expected.is_some_and(|(game, played)| game == line.g && played != state) {
        tally.step(true, || format!("{}: the action before it leads elsewhere", at()));
    }
    let legal = state.legal();
    // The last line of a game that was stopped at the recorder's limit of actions lists none.
    let capped = line.why.as_deref() == Some("cap");
    if legal.len() != line.m.len() && !capped {
        tally.step(true, || format!("{}: {} legal actions, {} recorded", at(), legal.len(), line.m.len()));
    }
    let mut next = None;
    for (place, (&mv, recorded)) in legal.iter().zip(&line.m).enumerate() {
        let child = state.play(mv);
        let (die, colour, id, hash) = recorded;
        let same = action_record(&state, mv) == (*die, *colour, *id) && child.hash() == parse_hash(hash)?;
        tally.step(!same, || format!("{}, place {place}: {mv:?} to {child:?}, {recorded:?} recorded", at()));
        if place == line.a {
            next = Some((line.g, child));
        }
    }
    if line.end != 0 {
        let winner = state.winner().map_or(-1, |player| player as i8);
        let by_bounces = line.why.as_deref() == Some("overbounce");
        if line.w != Some(winner) || state.overbounce().is_some() != by_bounces {
            tally.step(true, || format!("{}: winner {winner}, {:?} recorded", at(), line.w));
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
        Err(error) => return tally.step(true, || format!("{name}: the state is refused: {error}")),
    };
    let legal: Vec<_> = state.legal().into_iter().map(|mv| action_record(&state, mv)).collect();
    let after = action_of(&state, scenario.a).map(|mv| state.play(mv));
    let recorded = scenario.after.as_ref().and_then(|record| record.state().ok());
    let same = legal == scenario.moves && after.is_some() == scenario.legal && after == recorded;
    tally.step(!same, || {
        format!("{name}: legal {legal:?}, after {after:?}; {:?}, {recorded:?} recorded", scenario.moves)
    });
}

/// Compares the scenario of this name, and nothing else of the file. Gives what differs.
#[cfg(test)]
pub(super) fn check_named(file: &Path, name: &str) -> Result<Result<(), String>> {
    for line in lines(file)? {
        let scenario: Scenario = serde_json::from_value(line?.1)?;
        if scenario.name == name {
            let mut tally = Tally::default();
            check_scenario(&scenario, &mut tally);
            return Ok(tally.result.first.map_or(Ok(()), Err));
        }
    }
    Ok(Err(format!("{name} is not recorded")))
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
fn check_perft(deepest: usize) -> Conformance {
    let mut result = Conformance::default();
    for (depth, expected) in (1..).zip(&PERFT[..deepest]) {
        let mut sum = 0_u64;
        let leaves = State::start().perft(depth, |state| sum = sum.wrapping_add(state.hash()));
        result.compare(format!("perft {depth}"), &(leaves, sum), expected);
        result.notes.push(format!("depth {depth}: {leaves} leaves, sum of hashes {sum:016x}"));
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A recording that is part of the repository.
    fn kept(name: &str) -> Conformance {
        conform(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/parchis").join(name)).unwrap()
    }

    /// A recording that lies beside the repository, where there is one.
    fn shared(name: &str) -> Option<Conformance> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/golden/parchis").join(name);
        if !path.exists() {
            println!("skipped: no {name} (data would be in ../shared/golden/parchis)");
            return None;
        }
        Some(conform(&path).unwrap())
    }

    #[test]
    fn every_quirk_is_as_recorded() {
        let result = kept("quirks.jsonl");
        assert_eq!((result.steps, result.mismatches), (51, 0), "{:?}", result.first);
    }

    #[test]
    fn the_kept_games_are_as_recorded() {
        for name in ["games.jsonl.gz", "synthetic.jsonl.gz"] {
            let result = kept(name);
            assert_eq!(result.mismatches, 0, "{:?}", result.first);
            assert!(result.steps > 5_000, "{}", result.steps);
        }
    }

    #[test]
    fn all_240_games_are_as_recorded() {
        if let Some(result) = shared("games.jsonl.gz") {
            assert_eq!((result.steps, result.mismatches), (776_521, 0), "{:?}", result.first);
        }
    }

    #[test]
    fn all_2000_synthetic_sequences_are_as_recorded() {
        if let Some(result) = shared("synthetic.jsonl.gz") {
            assert_eq!((result.steps, result.mismatches), (370_220, 0), "{:?}", result.first);
        }
    }

    #[test]
    fn perft_to_depth_five_is_the_original_programs() {
        let result = check_perft(5);
        assert_eq!(result.mismatches, 0, "{:?}", result.first);
    }
}
