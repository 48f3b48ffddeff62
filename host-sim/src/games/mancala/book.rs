//! `rival book`: the tables of the image, which are the first seat's book and the endgame table.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use rival_core::games::mancala::endgame::{HEADER, TABLE_SEEDS};
use rival_core::games::mancala::{PROOF_NODES, Pit, SEED, State, book};

use super::solver::endgame::Endgame;
use super::solver::{Size, Solver};
use super::walk::{Decider, Walk};
use crate::duel::progress_of_unknown_end;

/// Where the repository keeps them.
pub const FOLDER: &str = "core/tables/mancala";
/// The command that makes them.
const COMMAND: &str = "rival book mancala";

/// Which tables to make.
#[derive(Clone, Debug)]
pub struct BookSettings {
    /// The margin that the book keeps.
    pub margin: u8,
    /// Compare instead of writing.
    pub check: bool,
    /// Folder of the files.
    pub folder: PathBuf,
    /// How large the solver is.
    pub size: Size,
}

/// Makes the tables. `false` if one differs from what there is.
pub fn make(settings: &BookSettings) -> Result<bool> {
    let started = Instant::now();
    let solver = Solver::new(settings.size);
    ensure!(solver.endgame().seeds() >= TABLE_SEEDS, "the image's table needs --seeds {TABLE_SEEDS} or more");
    let name =
        if settings.margin == book::MARGIN { "book.bin".into() } else { format!("book-{}.bin", settings.margin) };
    let mut good = settle(&settings.folder, "endgame.bin", &endgame_file(solver.endgame()), settings.check)?;
    let made = build(&solver, settings.margin, settings.size.jobs, false)?;
    good &= settle(&settings.folder, &name, &made.bytes, settings.check)?;
    println!(
        "{} entries keep a margin of {} on all lines, {} positions; {} nodes of the solver, {:.1} s",
        made.entries,
        settings.margin,
        made.positions,
        solver.nodes(),
        started.elapsed().as_secs_f64()
    );
    Ok(good)
}

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
    let bar = progress_of_unknown_end(0, quiet);
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
fn settle(folder: &Path, name: &str, bytes: &[u8], check: bool) -> Result<bool> {
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
    use crate::random::Random;

    fn committed() -> Vec<u8> {
        std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(FOLDER).join("book.bin")).unwrap()
    }

    /// The position and the pit of an entry: the way back from its rank, place by place.
    fn decode(entry: &[u8]) -> (State, Pit) {
        let word = entry.iter().fold(0, |word, &byte| word << 8 | u64::from(byte));
        let term = |sum: u64, place: u64| (1..=place).fold(1, |term, factor| term * (sum + factor - 1) / factor);
        let mut rest = word >> 3;
        let mut sums = [0; 14];
        for place in (1..=13).rev() {
            let sum = (0..=48).rev().find(|&sum| term(sum, place) <= rest).unwrap();
            rest -= term(sum, place);
            sums[place as usize] = sum;
        }
        let seeds = |place: usize| (sums[place] - sums[place - 1]) as u8;
        let pits = |end: usize| core::array::from_fn(|pit| if pit == 0 { 0 } else { seeds(end - pit) });
        let mut board: [[u8; 7]; 2] = [pits(7), pits(14)];
        board[0][0] = seeds(7);
        board[1][0] = 48 - board.iter().flatten().sum::<u8>();
        let (state, pit) = (State::new(Side::J1, board).unwrap(), Pit::new((word & 7) as u8).unwrap());
        assert_eq!(book::entry(&state, pit), entry, "{state:?}");
        (state, pit)
    }

    /// A seeded sample of the entries that `good` names.
    fn sample(seed: u64, count: usize, good: impl Fn(&State) -> bool) -> Vec<(State, Pit)> {
        let mut entries: Vec<_> = committed()[HEADER..].chunks(book::ENTRY).map(decode).collect();
        entries.retain(|(state, _)| good(state));
        let mut random = Random::new(seed);
        (0..count).map(|_| entries.swap_remove(random.below(entries.len()))).collect()
    }

    #[test]
    fn an_entry_of_the_book_is_where_the_agent_proves_nothing_by_itself() {
        let mut decider = Decider::new(PROOF_NODES - 1);
        for (state, _) in sample(454, 30, |_| true) {
            let (_, decision) = decider.decide(&state).unwrap();
            let least = decision.statistics.guaranteed;
            assert!(least < Some(SEED * i32::from(book::MARGIN)), "{state:?} is proven without the book: {least:?}");
        }
    }

    /// Those with few seeds, which the solver answers soon; all of them by `rival book mancala --check`.
    #[test]
    fn an_entry_of_the_book_keeps_the_margin_by_the_exact_solver() {
        let solver = Solver::new(Size { seeds: 10, megabytes: 64, jobs: 1 });
        let margin = book::MARGIN as i8;
        for (state, pit) in sample(8, 20, |state| state.in_play() <= 29) {
            let child = state.play(pit);
            let kept = if child.turn() == Side::J1 {
                solver.pit_for(&child, margin).is_some()
            } else {
                solver.pit_for(&child, 2 - margin).is_none()
            };
            assert!(kept, "{state:?}, pit {pit}");
        }
    }

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
        let bytes = committed();
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
