//! The closed states: those whose cheapest path is known.

use super::{Cost, Label, MAX_COST, STATES, State};

/// Why a state was not closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It is closed already, or as good as that.
    Needless,
    /// There is no room for it.
    Full,
}

/// A table of closed states in the caller's memory. It is a view: it may be made anew for every step of a search.
pub trait Visited {
    /// Forgets everything.
    fn clear(&mut self);
    /// The label of the edge that reached a closed state, 0 for any other state.
    fn label(&self, state: State) -> Label;
    /// The labels of the sixteen states from `first` on (a multiple of 16), two bits for each; a label above 3 counts as 3.
    #[inline]
    fn sixteen(&self, first: State) -> u32 {
        (0..16).fold(0, |labels, state| labels | u32::from(self.label(first + state).min(3)) << (2 * state))
    }
    /// Closes a state that is not closed yet. `false` if there is no room for it.
    fn close(&mut self, state: State, label: Label, cost: Cost) -> bool;
    /// Closes a state that is not closed yet, the one at a place (below 16) among those from `first` on (a multiple of 16),
    /// unless the labels of these, as [`Visited::sixteen`] gives them, make it needless. Gives the labels as they were.
    #[inline]
    fn close_unless(
        &mut self,
        first: State,
        place: u32,
        label: Label,
        cost: Cost,
        needless: impl FnOnce(u32) -> bool,
    ) -> Result<u32, Refusal> {
        let labels = self.sixteen(first);
        if needless(labels) {
            Err(Refusal::Needless)
        } else if self.close(first + place, label, cost) {
            Ok(labels)
        } else {
            Err(Refusal::Full)
        }
    }
    /// Told of every path to a state that is not covered; `false` if a path that is as cheap is known already.
    #[inline]
    fn offer(&mut self, _state: State, _label: Label, _cost: Cost) -> bool {
        true
    }
    /// Whether a cheaper path to the state became known since it was offered at this cost.
    #[inline]
    fn is_stale(&self, _state: State, _cost: Cost) -> bool {
        false
    }
}

/// Labels alone, `BITS` (2, 4 or 8) for each state, for states numbered from 0: the smallest table there is.
/// Labels go from 1 to `2^BITS - 1`.
#[derive(Debug)]
pub struct Codes<'a, const BITS: usize> {
    words: &'a mut [u32],
}

impl<'a, const BITS: usize> Codes<'a, BITS> {
    const EACH: u32 = {
        assert!(BITS == 2 || BITS == 4 || BITS == 8, "a label takes 2, 4 or 8 bits");
        u32::BITS / BITS as u32
    };
    const MASK: u32 = (1 << BITS) - 1;

    /// Words of memory for a number of states.
    pub const fn words(states: usize) -> usize {
        (states * BITS).div_ceil(64)
    }

    /// A view of the memory.
    pub fn new(words: &'a mut [u64]) -> Self {
        Self { words: bytemuck::cast_slice_mut(words) }
    }

    /// The first words of it alone: a smaller graph has less to clear.
    #[must_use]
    pub fn shortened(self, words: usize) -> Self {
        let length = self.words.len().min(words * 2);
        Self { words: &mut self.words[..length] }
    }
}

impl<const BITS: usize> Visited for Codes<'_, BITS> {
    fn clear(&mut self) {
        self.words.fill(0);
    }

    #[inline]
    fn label(&self, state: State) -> Label {
        let word = self.words.get((state / Self::EACH) as usize).copied().unwrap_or(0);
        ((word >> (state % Self::EACH * BITS as u32)) & Self::MASK) as Label
    }

    #[inline]
    fn sixteen(&self, first: State) -> u32 {
        // With two bits to a label they lie side by side in one word.
        if BITS == 2 {
            return self.words.get((first / Self::EACH) as usize).copied().unwrap_or(0);
        }
        (0..16).fold(0, |labels, state| labels | u32::from(self.label(first + state).min(3)) << (2 * state))
    }

    #[inline]
    fn close_unless(
        &mut self,
        first: State,
        place: u32,
        label: Label,
        cost: Cost,
        needless: impl FnOnce(u32) -> bool,
    ) -> Result<u32, Refusal> {
        if BITS != 2 {
            let labels = self.sixteen(first);
            if needless(labels) {
                return Err(Refusal::Needless);
            }
            return self.close(first + place, label, cost).then_some(labels).ok_or(Refusal::Full);
        }
        // One look at the word that has all sixteen.
        let Some(word) = self.words.get_mut((first / Self::EACH) as usize) else { return Err(Refusal::Full) };
        let labels = *word;
        if needless(labels) {
            return Err(Refusal::Needless);
        }
        let label = u32::from(label);
        if label > Self::MASK {
            return Err(Refusal::Full);
        }
        *word = labels | label << (place % Self::EACH * BITS as u32);
        Ok(labels)
    }

    #[inline]
    fn close(&mut self, state: State, label: Label, _cost: Cost) -> bool {
        let Some(word) = self.words.get_mut((state / Self::EACH) as usize) else { return false };
        let label = u32::from(label);
        if label > Self::MASK {
            return false;
        }
        *word |= label << (state % Self::EACH * BITS as u32);
        true
    }
}

/// Labels and costs, four bytes for each state, for states numbered from 0. It also knows the states of the open list,
/// so no state is in there twice for nothing; after a search the cost of every closed state can be asked for.
/// Labels go from 1 to 127.
#[derive(Debug)]
pub struct Costs<'a> {
    /// The label in the low 7 bits, whether the state is closed in the next one, then the cost; 0 is "never seen".
    words: &'a mut [u32],
}

const CLOSED: u32 = 0x80;

impl<'a> Costs<'a> {
    /// Words of memory for a number of states.
    pub const fn words(states: usize) -> usize {
        states.div_ceil(2)
    }

    /// A view of the memory.
    pub fn new(words: &'a mut [u64]) -> Self {
        Self { words: bytemuck::cast_slice_mut(words) }
    }

    /// What the cheapest path to a closed state costs.
    #[inline]
    pub fn cost(&self, state: State) -> Option<Cost> {
        let word = self.words.get(state as usize).copied()?;
        (word & CLOSED != 0).then_some(word >> 8)
    }

    const fn entry(label: Label, cost: Cost) -> u32 {
        let cost = if cost < MAX_COST { cost } else { MAX_COST };
        // The start has no label; as for closed states, 1 stands in.
        let label = if label == 0 { 1 } else { label as u32 };
        (cost << 8) | label
    }
}

impl Visited for Costs<'_> {
    fn clear(&mut self) {
        self.words.fill(0);
    }

    #[inline]
    fn label(&self, state: State) -> Label {
        let word = self.words.get(state as usize).copied().unwrap_or(0);
        if word & CLOSED == 0 { 0 } else { (word & (CLOSED - 1)) as Label }
    }

    #[inline]
    fn close(&mut self, state: State, label: Label, cost: Cost) -> bool {
        let Some(word) = self.words.get_mut(state as usize) else { return false };
        if u32::from(label) >= CLOSED {
            return false;
        }
        *word = Self::entry(label, cost) | CLOSED;
        true
    }

    #[inline]
    fn offer(&mut self, state: State, label: Label, cost: Cost) -> bool {
        // A state that the table has no room for is refused later, when it would be closed, and counted then.
        let Some(word) = self.words.get_mut(state as usize) else { return true };
        if *word != 0 && *word >> 8 <= cost {
            return false;
        }
        *word = Self::entry(label & 0x7F, cost);
        true
    }

    #[inline]
    fn is_stale(&self, state: State, cost: Cost) -> bool {
        self.words.get(state as usize).is_some_and(|&word| word >> 8 < cost)
    }
}

/// For states whose numbers have wide gaps: a hash table of labels and costs, eight bytes for each closed state.
#[derive(Debug)]
pub struct Hashed<'a> {
    /// The state in the low 24 bits, the label in the next 8, then the cost; label 0 is an empty place.
    words: &'a mut [u64],
}

impl<'a> Hashed<'a> {
    /// A view of the memory.
    pub fn new(words: &'a mut [u64]) -> Self {
        Self { words }
    }

    /// What the cheapest path to a closed state costs.
    pub fn cost(&self, state: State) -> Option<Cost> {
        let word = *self.words.get(self.place(state)?)?;
        Self::is(word, state).then_some((word >> 32) as Cost)
    }

    #[inline]
    fn is(word: u64, state: State) -> bool {
        word as u32 >> 24 != 0 && word as u32 & (STATES - 1) == state
    }

    /// Where a state is, or else the empty place where it would go.
    #[inline]
    fn place(&self, state: State) -> Option<usize> {
        // Fibonacci hashing; the product's high half, scaled to the table, is the first place to look.
        let hash = state.wrapping_mul(0x9E37_79B1);
        let first = ((u64::from(hash) * self.words.len() as u64) >> 32) as usize;
        let (before, after) = self.words.split_at_checked(first)?;
        let found = |word: &u64| *word as u32 >> 24 == 0 || Self::is(*word, state);
        after.iter().position(found).map(|place| first + place).or_else(|| before.iter().position(found))
    }
}

impl Visited for Hashed<'_> {
    fn clear(&mut self) {
        self.words.fill(0);
    }

    #[inline]
    fn label(&self, state: State) -> Label {
        let Some(place) = self.place(state) else { return 0 };
        self.words.get(place).map_or(0, |&word| (word as u32 >> 24) as Label)
    }

    #[inline]
    fn close(&mut self, state: State, label: Label, cost: Cost) -> bool {
        let Some(place) = self.place(state) else { return false };
        let Some(word) = self.words.get_mut(place) else { return false };
        *word = (u64::from(cost) << 32) | (u64::from(label) << 24) | u64::from(state & (STATES - 1));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sixteen_are_sixteen_labels(words in prop::collection::vec(any::<u64>(), 4), group in 0..10_u32) {
            let mut words = words;
            let codes = Codes::<2>::new(&mut words);
            for state in 0..16 {
                let label = (codes.sixteen(group * 16) >> (2 * state)) as Label & 3;
                prop_assert_eq!(label, codes.label(group * 16 + state));
            }
        }
    }
}
