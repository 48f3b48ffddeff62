//! How much this program keeps in its memory.
//!
//! What the operating system says about a program (`VmRSS`) is no measure of that: the C library keeps what was given back,
//! in pieces, for every thread that ever asked, and hands it out again. So every allocation is counted on its way there.

use std::alloc::System;

use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

#[global_allocator]
static HEAP: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Bytes that were asked for and not given back.
pub fn live() -> u64 {
    let stats = HEAP.stats();
    // Another thread may come in between the two figures.
    stats.bytes_allocated.saturating_sub(stats.bytes_deallocated) as u64
}

/// How many measures at each end are compared, see [`Growth`].
const WINDOW: usize = 5;

/// What stays of the heap from one measure to the next, when each is taken at a moment at which nothing is under way.
///
/// Nothing is a strong word: an answer may come late, and lie in the line then. So the smallest of the last few measures
/// is compared with the smallest of the first few.
#[derive(Clone, Debug, Default)]
pub struct Growth {
    first: Vec<u64>,
    last: Vec<u64>,
    measures: usize,
}

impl Growth {
    /// Nothing measured yet. Takes all the memory it will ever take.
    pub fn new() -> Self {
        Self { first: Vec::with_capacity(WINDOW), last: Vec::with_capacity(WINDOW), measures: 0 }
    }

    /// Takes in a measure.
    pub fn measure(&mut self, live: u64) {
        self.measures += 1;
        if self.first.len() < WINDOW {
            self.first.push(live);
        }
        if self.last.len() == WINDOW {
            self.last.remove(0);
        }
        self.last.push(live);
    }

    /// Bytes more than at the beginning, once there are two measures to compare.
    pub fn bytes(&self) -> Option<i64> {
        // While there are few, no measure is to stand at both ends.
        let count = if self.measures > WINDOW { WINDOW } else { self.measures / 2 };
        let first = self.first.iter().take(count).min()?;
        let last = self.last.iter().rev().take(count).min()?;
        Some(*last as i64 - *first as i64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_counted_and_what_is_given_back_is_not() {
        // Other tests run at the same time, with far less.
        const MUCH: usize = 1 << 30;
        let before = live();
        let kept: Vec<u8> = Vec::with_capacity(MUCH);
        assert!(live() > before + (MUCH / 2) as u64);
        drop(kept);
        assert!(live() < before + (MUCH / 2) as u64);
    }

    #[test]
    fn growth_is_what_stays_and_not_what_comes_and_goes() {
        let growth = |measures: &[u64]| {
            let mut growth = Growth::new();
            for &live in measures {
                growth.measure(live);
            }
            growth.bytes()
        };
        assert_eq!(growth(&[]), None);
        assert_eq!(growth(&[7]), None, "nothing to compare with");
        assert_eq!(growth(&[7, 9]), Some(2));
        assert_eq!(growth(&[7, 7, 90, 7, 80, 7, 7, 60]), Some(0), "it came and went");
        assert_eq!(growth(&(0..40).map(|at| 100 + at).collect::<Vec<_>>()), Some(35), "a byte a measure");
        assert_eq!(growth(&[9, 9, 9, 9, 9, 9, 5, 9]), Some(-4));
    }
}
