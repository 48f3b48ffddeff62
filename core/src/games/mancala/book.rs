//! The first seat's book: what to play where the board's own search could not prove that the margin is kept.
//!
//! From the start the first player wins by eight against any defence. The book holds one such way to play, against all
//! replies, as far as a search of [`PROOF_NODES`](super::agent::PROOF_NODES) nodes does not prove it by itself. An entry
//! is six bytes, the highest first: 45 bits that are the position, not a hash of it, and three that are the pit. The
//! entries are in ascending order.

use super::endgame::HEADER;
use super::state::{Pit, Player, SEEDS, STORE, State};

/// What every entry wins by, at least.
pub const MARGIN: u8 = 8;
/// Bytes of an entry.
pub const ENTRY: usize = 6;

static BOOK: &[u8] = include_bytes!("../../../tables/mancala/book.bin");

/// The pit to play in a position of J1, if the book has it.
pub(super) fn find(state: &State) -> Option<Pit> {
    lookup(BOOK, state)
}

/// The pit that a book, in the bytes of its file, has for a position of J1.
pub fn lookup(book: &[u8], state: &State) -> Option<Pit> {
    if state.turn != Player::J1 {
        return None;
    }
    let key = key(state);
    let (mut from, mut to) = (0, book.len().checked_sub(HEADER)? / ENTRY);
    while from < to {
        let middle = usize::midpoint(from, to);
        let at = HEADER + middle * ENTRY;
        let bytes = book.get(at..at + ENTRY)?;
        let word = bytes.iter().fold(0, |word, &byte| word << 8 | u64::from(byte));
        match (word >> 3).cmp(&key) {
            core::cmp::Ordering::Equal => return Pit::new((word & 7) as u8).filter(|&pit| state.is_legal(pit)),
            core::cmp::Ordering::Less => from = middle + 1,
            core::cmp::Ordering::Greater => to = middle,
        }
    }
    None
}

/// The bytes of an entry.
pub fn entry(state: &State, pit: Pit) -> [u8; ENTRY] {
    let word = key(state) << 3 | u64::from(pit.number());
    let [_, _, bytes @ ..] = word.to_be_bytes();
    bytes
}

/// Places in the order in which they are counted: both rows and the own store. The other store has what is left.
const PLACES: u64 = 13;

/// The rank of a position among all with its 48 seeds, as in [`endgame`](super::endgame) but with a store among the
/// places: below C(61, 13), which is less than 2^43.
fn key(state: &State) -> u64 {
    let own = (0..=STORE).map(|lane| state.own.get(lane));
    let facing = (0..STORE).map(|lane| state.facing.get(lane));
    let mut sum = 0;
    let mut key = 0;
    for (place, seeds) in (1..=PLACES).zip(own.chain(facing)) {
        sum += u64::from(seeds.min(SEEDS));
        // C(sum + place - 1, place), from the left so that every division comes out even.
        key += (1..=place).fold(1, |term, factor| term * (sum + factor - 1) / factor);
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_key_fits_its_bits() {
        let all = State::new(Player::J1, [[0, 0, 0, 0, 0, 0, 48], [0; 7]]).unwrap();
        assert!(key(&all) < 1 << 43, "{}", key(&all));
        let none = State::new(Player::J1, [[0; 7], [48, 0, 0, 0, 0, 0, 0]]).unwrap();
        assert_eq!(key(&none), 0);
    }

    #[test]
    fn entries_are_found_and_nothing_else_is() {
        let start = State::start();
        let second = start.play(Pit::ALL[3]);
        let mut entries = [entry(&start, Pit::ALL[3]), entry(&second, Pit::ALL[0])];
        entries.sort_unstable();
        let mut book = std::vec![0; HEADER];
        book.extend(entries.concat());
        assert_eq!(lookup(&book, &start), Some(Pit::ALL[3]));
        assert_eq!(lookup(&book, &second), Some(Pit::ALL[0]));
        assert_eq!(lookup(&book, &start.play(Pit::ALL[0])), None, "J2's turn");
        assert_eq!(lookup(&book, &second.play(Pit::ALL[4])), None);
        assert_eq!(lookup(&[], &start), None);
        assert_eq!(lookup(&book[..HEADER + 3], &start), None);
    }

    #[test]
    fn the_book_is_in_order_and_begins_with_pit_4() {
        let entries = BOOK[HEADER..].chunks(ENTRY);
        assert!(entries.clone().zip(entries.skip(1)).all(|(entry, next)| entry < next));
        assert_eq!((BOOK.len() - HEADER) % ENTRY, 0);
        assert_eq!(find(&State::start()), Pit::new(4));
    }
}
