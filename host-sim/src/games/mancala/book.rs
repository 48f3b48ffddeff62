//! The tables of the image: the first seat's book and the endgame table.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use anyhow::{Context, Result, bail};
use rival_core::games::mancala::endgame::{HEADER, TABLE_SEEDS};
use rival_core::games::mancala::{PROOF_NODES, Pit, SEED, State, book};

use super::solver::Solver;
use super::solver::endgame::Endgame;
use super::walk::{Decider, Walk};
use crate::duel::progress;

/// Where the repository keeps them.
pub const FOLDER: &str = "core/tables/mancala";
/// The command that makes them.
const COMMAND: &str = "rival book mancala";

/// A finished book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Book {
    /// The file.
    pub bytes: Vec<u8>,
    /// Its entries.
    pub entries: usize,
    /// Positions of the first player on all lines of the strategy, the book's included.
    pub positions: u64,
}

/// A line that says what the file is, as long as the readers expect.
fn header(what: &str) -> Vec<u8> {
    let width = HEADER - 1;
    format!("{:<width$.width$}\n", format!("Rival, Mancala, {what}: {COMMAND}")).into_bytes()
}

/// The file of the endgame table: two positions a byte.
pub fn endgame_file(table: &Endgame) -> Vec<u8> {
    let shares: Vec<u8> = table.shares(TABLE_SEEDS).collect();
    let mut file = header("endgames of 8 seeds");
    file.extend(shares.chunks(2).map(|pair| pair[0] | pair.get(1).copied().unwrap_or(0) << 4));
    file
}

/// Walks the first player's way to win by `margin` against all replies, and puts into the book what the agent, without
/// a book, does not prove by itself.
pub fn build(solver: &Solver, margin: u8, jobs: usize, quiet: bool) -> Result<Book> {
    // One node fewer than the book needs: the agent then does without it.
    let nodes = PROOF_NODES - 1;
    let entries: Mutex<BTreeSet<[u8; book::ENTRY]>> = Mutex::default();
    let goal = SEED * i32::from(margin);
    let mut walk = Walk::new(margin as i8);
    let bar = progress(0, quiet);
    let decide = |decider: &mut Decider, state: &State| -> Result<Pit> {
        let (pit, decision) = decider.decide(state)?;
        if decision.statistics.guaranteed.is_some_and(|least| least >= goal) || state.legal().count() == 1 {
            return Ok(pit);
        }
        let pit = solver
            .pit_for(state, margin as i8)
            .with_context(|| format!("interrupted, or {state:?} is not won by {margin}"))?;
        if let Ok(mut entries) = entries.lock() {
            entries.insert(book::entry(state, pit));
        }
        Ok(pit)
    };
    while walk.next_level(jobs, &bar, || Decider::new(nodes), decide)? {}
    bar.finish_and_clear();
    if walk.worst_margin < margin as i8 {
        bail!("a line of the book ends at a margin of {}", walk.worst_margin);
    }
    let entries = entries.into_inner().unwrap_or_default();
    let mut bytes = header(&format!("first seat's book, margin {margin}"));
    bytes.extend(entries.iter().flatten());
    Ok(Book { bytes, entries: entries.len(), positions: walk.positions })
}

/// Writes or compares one file; whether it is what the repository has.
pub(super) fn settle(folder: &Path, name: &str, bytes: &[u8], check: bool) -> Result<bool> {
    let path: PathBuf = folder.join(name);
    let same = std::fs::read(&path).is_ok_and(|old| old == bytes);
    let what = match (check, same) {
        (_, true) => "unchanged",
        (true, false) => "DIFFERS",
        (false, false) => {
            std::fs::write(&path, bytes).with_context(|| format!("cannot write {}", path.display()))?;
            "written"
        }
    };
    println!("{:<40} {:>7} bytes  {what}", path.display().to_string(), bytes.len());
    Ok(same || !check)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use rival_core::games::mancala::Player as Side;
    use rival_core::wire::Source;

    use super::*;

    /// The first player's positions after all replies.
    fn replies(state: &State, open: &mut Vec<State>) {
        if state.is_over() {
            assert!(state.margin() >= book::MARGIN as i8);
        } else if state.turn() == Side::J1 {
            open.push(*state);
        } else {
            state.legal().for_each(|pit| replies(&state.play(pit), open));
        }
    }

    /// From the start, against all replies, every position is in the book or the agent proves the margin by itself.
    /// What the agent does after that is walked by `rival verify mancala`.
    #[test]
    fn the_book_leads_to_proofs_on_all_lines() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(FOLDER).join("book.bin");
        let bytes = std::fs::read(file).unwrap();
        let mut open = vec![State::start()];
        let (mut seen, mut exits) = (HashSet::new(), Vec::new());
        let mut entries = 0;
        while let Some(state) = open.pop() {
            if !seen.insert(state) {
                continue;
            }
            if let Some(pit) = book::lookup(&bytes, &state) {
                entries += 1;
                replies(&state.play(pit), &mut open);
            } else {
                exits.push(state);
            }
        }
        // Some entries are for positions that the agent reaches by itself, after it has left the book.
        assert!(entries > 100 && entries <= (bytes.len() - HEADER) / book::ENTRY, "{entries}");
        let mut decider = Decider::new(PROOF_NODES);
        for state in &exits {
            let (_, decision) = decider.decide(state).unwrap();
            assert_ne!(decision.statistics.source, Source::Book);
            let least = decision.statistics.guaranteed.unwrap_or(0);
            let forced = state.legal().count() == 1;
            assert!(forced || least >= SEED * i32::from(book::MARGIN), "{state:?}: {least}");
        }
        println!("figure: mancala, {entries} entries of the book reached through it, {} exits proven", exits.len());
    }
}
