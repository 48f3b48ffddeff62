//! The transposition table: what the search already knows of a position.
//!
//! The memory is a slice of words that the caller gives, so that on a board one statically placed workspace serves
//! every game in turn. An entry is one word:
//!
//! | bits | 63..32 | 31..16 | 15..10 | 9..8 | 7..6 | 5..0 |
//! |---|---|---|---|---|---|---|
//! | | check of the hash | value | depth | age | bound | move |
//!
//! Two entries make a bucket. A bucket is chosen by the low bits of the hash, an entry in it is told apart by the high
//! 32 bits, so with the smallest table in use (64 KB, 4,096 buckets) 44 bits of the hash separate two positions.

use super::alphabeta::Value;

/// What a stored value says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Bound {
    /// The true value is this or less.
    Upper = 1,
    /// The true value is this or more.
    Lower = 2,
    /// The value is exact.
    Exact = 3,
}

/// The depth under which a result that no deeper search can change is kept.
pub const PROVEN: u8 = 63;
/// "No move": the place in the move list is unknown.
pub const NO_MOVE: u8 = 63;
const CHECK: u64 = 0xFFFF_FFFF_0000_0000;

/// One remembered result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The value, from the side that is to move in the position.
    pub value: Value,
    /// How deep the search behind it was; [`PROVEN`] if nothing below it was estimated.
    pub depth: u8,
    /// What the value says.
    pub bound: Bound,
    /// The best move, as its place in the list that the game generates, or [`NO_MOVE`].
    pub place: u8,
}

/// A view of the caller's memory as a table. See the [module](self).
#[derive(Debug)]
pub struct Table<'a> {
    words: &'a mut [u64],
    mask: usize,
}

impl<'a> Table<'a> {
    /// Uses the largest power of two of buckets that fits the memory. With fewer than two words there is no table:
    /// nothing is found and nothing is kept.
    pub fn new(words: &'a mut [u64]) -> Self {
        let buckets = words.len() / 2;
        let mask = if buckets == 0 { 0 } else { (1 << buckets.ilog2()) - 1 };
        let used = if buckets == 0 { 0 } else { 2 * (mask + 1) };
        Self { words: &mut words[..used], mask }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.words.fill(0);
    }

    /// Entries that there is room for.
    pub fn capacity(&self) -> usize {
        self.words.len()
    }

    /// Entries in use.
    pub fn len(&self) -> usize {
        self.words.iter().filter(|&&word| word != 0).count()
    }

    /// Whether nothing is stored.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What is known of the position with this hash.
    #[inline]
    pub fn probe(&self, hash: u64) -> Option<Entry> {
        let at = (hash as usize & self.mask) * 2;
        let bucket = self.words.get(at..at + 2)?;
        let word = if ((bucket[0] ^ hash) >> 32) as u32 == 0 && bucket[0] as u32 != 0 {
            bucket[0]
        } else if ((bucket[1] ^ hash) >> 32) as u32 == 0 && bucket[1] as u32 != 0 {
            bucket[1]
        } else {
            return None;
        };
        let low = word as u32;
        let bound = match (low >> 6) & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            _ => Bound::Exact,
        };
        let value = Value::from((low >> 16) as u16 as i16);
        Some(Entry { value, depth: ((low >> 10) & 63) as u8, bound, place: (low & 63) as u8 })
    }

    /// Keeps a result. It replaces what is known of the same position; otherwise the entry of the bucket that comes
    /// from an older iteration, or else the shallower one, makes room.
    #[inline]
    pub fn store(&mut self, hash: u64, age: u8, entry: Entry) {
        let at = (hash as usize & self.mask) * 2;
        let Some(bucket) = self.words.get_mut(at..at + 2) else { return };
        let age = u32::from(age & 3);
        let low = (u32::from(entry.value as i16 as u16) << 16)
            | (u32::from(entry.depth & 63) << 10)
            | (age << 8)
            | ((entry.bound as u32) << 6)
            | u32::from(entry.place & 63);
        let word = (hash & CHECK) | u64::from(low);
        let worth = |word: u64| {
            let low = word as u32;
            let fresh = if (low >> 8) & 3 == age { 64 } else { 0 };
            ((low >> 10) & 63) + fresh
        };
        let slot = if ((bucket[0] ^ hash) >> 32) as u32 == 0 {
            0
        } else if ((bucket[1] ^ hash) >> 32) as u32 == 0 {
            1
        } else {
            usize::from(worth(bucket[1]) < worth(bucket[0]))
        };
        bucket[slot] = word;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn entry(value: Value, depth: u8) -> Entry {
        Entry { value, depth, bound: Bound::Exact, place: 5 }
    }

    #[test]
    fn what_is_stored_is_found() {
        let mut words = [0; 16];
        let mut table = Table::new(&mut words);
        assert_eq!(table.probe(0xDEAD_BEEF_0000_0001), None);
        table.store(0xDEAD_BEEF_0000_0001, 1, entry(-1234, 9));
        assert_eq!(table.probe(0xDEAD_BEEF_0000_0001), Some(entry(-1234, 9)));
        assert_eq!(table.probe(0xDEAD_BEEE_0000_0001), None);
    }

    #[test]
    fn the_shallower_entry_makes_room_and_an_old_one_before_it() {
        let mut words = [0; 2];
        let mut table = Table::new(&mut words);
        table.store(1 << 32, 1, entry(1, 9));
        table.store(2 << 32, 1, entry(2, 3));
        table.store(3 << 32, 1, entry(3, 1));
        assert_eq!(table.probe(2 << 32), None);
        assert_eq!(table.probe(1 << 32), Some(entry(1, 9)));
        table.store(4 << 32, 2, entry(4, 1));
        table.store(5 << 32, 2, entry(5, 1));
        assert_eq!(table.probe(1 << 32), None, "an older iteration's entry goes first, however deep");
    }

    #[test]
    fn no_memory_is_no_table() {
        for size in 0..2 {
            let mut words = std::vec![0; size];
            let mut table = Table::new(&mut words);
            table.store(7, 0, entry(1, 1));
            assert_eq!(table.probe(7), None);
            assert_eq!(table.capacity(), 0);
        }
    }

    proptest! {
        #[test]
        fn every_entry_survives_packing(
            hash: u64, value in -32_000..32_000, depth in 0..64u8, place in 0..64u8, bound in 0..3, size in 2..70usize,
        ) {
            let mut words = std::vec![0; size];
            let mut table = Table::new(&mut words);
            prop_assert!(table.capacity() <= size && table.capacity().is_power_of_two());
            let bound = [Bound::Upper, Bound::Lower, Bound::Exact][bound as usize];
            let entry = Entry { value, depth, bound, place };
            table.store(hash, 3, entry);
            prop_assert_eq!(table.probe(hash), Some(entry));
        }
    }
}
