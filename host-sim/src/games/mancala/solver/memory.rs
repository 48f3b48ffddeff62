//! What the solver remembers of positions, for all its threads.

use core::sync::atomic::{AtomicU64, Ordering};

/// "No pit" among the pits 1 to 6.
pub(super) const NO_PIT: u8 = 0;

/// The gain of the player to move lies between the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    pub low: i32,
    pub high: i32,
    /// The pit to try first, or [`NO_PIT`].
    pub pit: u8,
}

/// One word an entry, so that threads need no lock: it is there whole or not at all.
///
/// | bits | 63..20 | 19..17 | 16..10 | 9..3 | 2..0 |
/// |---|---|---|---|---|---|
/// | | check of the hash | size of the tree | lower bound + 64 | upper bound + 64 | pit |
///
/// Four entries make a bucket, chosen by the low bits of the hash: at least 20 of them, so that all 64 bits of the hash
/// tell two positions apart.
pub(super) struct Memory {
    words: Vec<AtomicU64>,
    mask: usize,
}

const WAYS: usize = 4;
const CHECK: u64 = !0 << 20;

impl Memory {
    /// As many entries as fit, a power of two of them, and at least 32 MB.
    pub(super) fn new(megabytes: usize) -> Self {
        let words = 1 << (megabytes.max(32) << 17).ilog2();
        Self { words: (0..words).map(|_| AtomicU64::new(0)).collect(), mask: words / WAYS - 1 }
    }

    fn bucket(&self, hash: u64) -> &[AtomicU64] {
        let at = (hash as usize & self.mask) * WAYS;
        &self.words[at..at + WAYS]
    }

    pub(super) fn get(&self, hash: u64) -> Option<Bounds> {
        for slot in self.bucket(hash) {
            let word = slot.load(Ordering::Relaxed);
            if (word ^ hash) & CHECK == 0 && word & 0xF_FFFF != 0 {
                let bound = |shift: u32| ((word >> shift) & 127) as i32 - 64;
                return Some(Bounds { low: bound(10), high: bound(3), pit: (word & 7) as u8 });
            }
        }
        None
    }

    /// Keeps an entry in the place of its older self, or of the one with the smallest tree.
    pub(super) fn put(&self, hash: u64, bounds: Bounds, tree: u64) {
        let size = (u64::from(tree.max(1).ilog2()) / 3).min(7);
        let field = |bound: i32| (bound + 64) as u64 & 127;
        let word =
            (hash & CHECK) | size << 17 | field(bounds.low) << 10 | field(bounds.high) << 3 | u64::from(bounds.pit & 7);
        let bucket = self.bucket(hash);
        let mut place = &bucket[0];
        let mut smallest = u64::MAX;
        for slot in bucket {
            let old = slot.load(Ordering::Relaxed);
            if (old ^ hash) & CHECK == 0 {
                place = slot;
                break;
            }
            let size = if old == 0 { 0 } else { 1 + ((old >> 17) & 7) };
            if size < smallest {
                smallest = size;
                place = slot;
            }
        }
        place.store(word, Ordering::Relaxed);
    }
}
