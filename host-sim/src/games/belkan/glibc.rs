//! The random numbers of the original program: `rand()` of the GNU C library, so that recordings replay exactly.

/// The additive feedback generator over 31 words that glibc calls `TYPE_3`.
#[derive(Clone, Debug)]
pub struct Rand {
    words: [u32; 31],
    at: usize,
}

impl Rand {
    /// `srand(seed)`. Seed 0 is seed 1.
    pub fn new(seed: u32) -> Self {
        let mut words = [0_u32; 31];
        words[0] = seed.max(1);
        for index in 1..31 {
            // The minimal standard generator, computed as the library does it: with signed words.
            let last = i64::from(words[index - 1] as i32);
            let next = (16_807 * last) % 2_147_483_647;
            words[index] = (if next < 0 { next + 2_147_483_647 } else { next }) as u32;
        }
        // Words 31 to 33 repeat words 0 to 2, so the sums start with word 34.
        let mut rand = Self { words, at: 3 };
        for _ in 0..310 {
            rand.next();
        }
        rand
    }

    /// `rand()`: 31 bits.
    #[expect(clippy::should_implement_trait, reason = "an endless stream is no iterator to a reader of rules")]
    pub fn next(&mut self) -> u32 {
        // Word i is the sum of words i-3 and i-31; the latter is the one it takes the place of.
        let three_back = self.words[(self.at + 28) % 31];
        let word = self.words[self.at].wrapping_add(three_back);
        self.words[self.at] = word;
        self.at = (self.at + 1) % 31;
        word >> 1
    }

    /// A number below `count`, as the original draws it.
    pub fn below(&mut self, count: u32) -> u32 {
        ((u64::from(self.next()) * u64::from(count)) >> 31) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_numbers_of_the_c_library() {
        let mut rand = Rand::new(1);
        assert_eq!([rand.next(), rand.next(), rand.next()], [1_804_289_383, 846_930_886, 1_681_692_777]);
        assert_eq!(Rand::new(0).next(), 1_804_289_383);
        assert_eq!(Rand::new(42).next(), 71_876_166);
    }
}
