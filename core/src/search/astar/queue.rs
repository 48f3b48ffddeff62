//! The open list: states that were reached and are still to be looked at, the one with the least estimate first.

use super::{Cost, Label, MAX_COST, STATES, State};

/// An open list of fixed capacity. The entries are in the caller's memory, the rest is in the implementing type.
pub trait Queue {
    /// An empty list.
    const NEW: Self;
    /// The caller's memory, as the list uses it.
    type Memory<'a>;

    /// Parts the memory.
    fn split(words: &mut [u64]) -> Self::Memory<'_>;
    /// Empties the list and gives the number of entries that there is room for. No estimate will be above `limit`.
    fn begin(&mut self, words: &mut [u64], limit: Cost) -> u32;
    /// Most entries that there was room taken for at once.
    fn peak(&self) -> u32;
    /// Whether there are none.
    fn is_empty(&self) -> bool;
    /// Adds an entry that is no better than the last one taken, if there is a place at hand for it and it is within the
    /// limit: the quick way for nearly all of them. `false` if it has to be looked at closer.
    #[inline]
    fn push_near(&mut self, _memory: &mut Self::Memory<'_>, _estimate: Cost, _state: State, _label: Label) -> bool {
        false
    }
    /// Adds an entry. A full list lets entries go, this one or worse ones.
    fn push(
        &mut self,
        memory: &mut Self::Memory<'_>,
        estimate: Cost,
        heuristic: Cost,
        state: State,
        label: Label,
    ) -> Option<Lost>;
    /// Takes out an entry with the least estimate; of these the one that is thought nearest to a goal, or the newest.
    fn pop(&mut self, memory: &mut Self::Memory<'_>) -> Option<(Cost, State, Label)>;
}

/// Entries that a full list let go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lost {
    /// Their estimate.
    pub estimate: Cost,
    /// How many.
    pub entries: u32,
}

/// The state in the low 24 bits, the label above it.
#[inline]
pub(super) const fn pack(state: State, label: Label) -> u32 {
    (state & (STATES - 1)) | ((label as u32) << 24)
}

#[inline]
pub(super) const fn unpack(entry: u32) -> (State, Label) {
    (entry & (STATES - 1), (entry >> 24) as Label)
}

/// Words of a block: a link and the entries.
const BLOCK: u16 = 16;
/// No place. Like the last place of a block, it says that the next entry needs a new block.
const NONE: u16 = u16::MAX;

/// A bucket for every estimate, for graphs whose edges cost small whole numbers: an entry goes in and out in a handful
/// of instructions, however many there are, and takes four bytes.
///
/// A bucket is a stack of blocks of fifteen entries; where one begins, a link says where the one below it ends. So fifteen
/// entries share a link, and fourteen times of fifteen an entry goes in or out without a look at it. A bucket with anything in
/// it has one block that may be nearly empty; a full list lets go of a whole block of its worst bucket.
///
/// `SPAN` is a power of two. The estimates in the list at any one time may differ by less than that: it has to be larger
/// than the most that an estimate grows along one edge. An entry outside is let go.
#[derive(Clone, Debug)]
pub struct Buckets<const SPAN: usize> {
    /// The place of the newest entry of each bucket. The bucket of an estimate is the estimate modulo `SPAN`.
    tops: [u16; SPAN],
    /// No entry has a smaller estimate than this,
    least: Cost,
    /// and none a larger one than this.
    most: Cost,
    /// An estimate from that of the last entry taken up to here, here excluded, has its bucket and is within the limit. 0
    /// where the window was moved since: it may begin above that entry then.
    end: Cost,
    limit: Cost,
    /// First of the chain of blocks that were used and are free again.
    free: u16,
    /// Words from here on have never been used.
    fresh: u16,
    /// Blocks in use.
    blocks: u16,
}

/// The blocks.
pub struct Blocks<'a>(&'a mut [u32]);

impl<const SPAN: usize> Buckets<SPAN> {
    #[inline]
    const fn bucket(estimate: Cost) -> usize {
        estimate as usize % SPAN
    }

    /// Takes the block of a place out of a bucket, whatever is in it. `false` if the memory has no such place.
    #[inline]
    fn release(&mut self, words: &mut [u32], bucket: usize, top: u16) -> bool {
        let first = top & !(BLOCK - 1);
        let Some(link) = words.get_mut(usize::from(first)) else { return false };
        self.tops[bucket % SPAN] = *link as u16;
        *link = u32::from(self.free);
        self.free = first;
        self.blocks = self.blocks.wrapping_sub(1);
        true
    }

    /// The largest estimate in the list, which is not empty.
    fn worst(&mut self) -> Cost {
        while self.most > self.least && self.tops[Self::bucket(self.most)] == NONE {
            self.most -= 1;
        }
        self.most
    }

    /// Moves the window so that it has room for an estimate outside. `false` if the list is too wide for that.
    #[cold]
    #[inline(never)]
    fn widen(&mut self, estimate: Cost) -> bool {
        self.end = 0;
        if self.blocks == 0 {
            (self.least, self.most) = (estimate, estimate);
            return true;
        }
        // It may have been drawn too wide: the least or the largest estimates may be gone.
        while self.least < self.most && self.tops[Self::bucket(self.least)] == NONE {
            self.least += 1;
        }
        let least = self.least.min(estimate);
        let fits = self.worst().max(estimate) - least < SPAN as Cost;
        if fits {
            self.least = least;
        }
        fits
    }

    /// Adds an entry that needs a new block.
    fn push_block(&mut self, words: &mut [u32], estimate: Cost, entry: u32) -> Option<Lost> {
        let mut lost = None;
        if self.free == NONE {
            if let Some(link) = words.get_mut(usize::from(self.fresh)) {
                // A block that was never used becomes a free one.
                *link = u32::from(NONE);
                self.free = self.fresh;
                self.fresh += BLOCK;
            } else {
                let worst = self.worst();
                let (bucket, top) = (Self::bucket(worst), self.tops[Self::bucket(worst)]);
                if estimate >= worst || !self.release(words, bucket, top) {
                    return Some(Lost { estimate, entries: 1 });
                }
                lost = Some(Lost { estimate: worst, entries: u32::from(top % BLOCK) });
            }
        }
        // A bucket that has something in it is within the bounds already.
        self.most = self.most.max(estimate);
        let block = usize::from(self.free);
        let Some([link, first]) = words.get_mut(block..block + 2) else {
            return Some(Lost { estimate, entries: 1 });
        };
        let top = &mut self.tops[Self::bucket(estimate)];
        let free = core::mem::replace(link, u32::from(*top));
        *first = entry;
        *top = self.free + 1;
        self.free = free as u16;
        self.blocks = self.blocks.wrapping_add(1);
        lost
    }

    /// Moves on to the least estimate in the list. `false` if the list is empty.
    fn advance(&mut self) -> bool {
        while self.tops[Self::bucket(self.least)] == NONE {
            if self.least >= self.most {
                return false;
            }
            self.least += 1;
        }
        self.end = self.least.saturating_add(SPAN as Cost).min(self.limit.saturating_add(1));
        true
    }
}

impl<const SPAN: usize> Queue for Buckets<SPAN> {
    const NEW: Self = {
        assert!(SPAN.is_power_of_two(), "the number of buckets has to be a power of two");
        Self { tops: [NONE; SPAN], least: 0, most: 0, end: 0, limit: 0, free: NONE, fresh: 0, blocks: 0 }
    };
    type Memory<'a> = Blocks<'a>;

    #[inline]
    fn split(words: &mut [u64]) -> Blocks<'_> {
        let words: &mut [u32] = bytemuck::cast_slice_mut(words);
        let whole = words.len().min(usize::from(NONE)) / usize::from(BLOCK) * usize::from(BLOCK);
        Blocks(&mut words[..whole])
    }

    fn begin(&mut self, words: &mut [u64], limit: Cost) -> u32 {
        *self = Self { limit, ..Self::NEW };
        Self::split(words).0.len() as u32 / u32::from(BLOCK) * u32::from(BLOCK - 1)
    }

    fn is_empty(&self) -> bool {
        self.blocks == 0
    }

    fn peak(&self) -> u32 {
        // A fresh block is taken only when all others are in use.
        u32::from(self.fresh / BLOCK * (BLOCK - 1))
    }

    #[inline]
    fn push_near(&mut self, memory: &mut Blocks<'_>, estimate: Cost, state: State, label: Label) -> bool {
        if estimate >= self.end {
            return false;
        }
        let top = &mut self.tops[Self::bucket(estimate)];
        let place = usize::from(*top) + 1;
        if place.is_multiple_of(usize::from(BLOCK)) {
            return false;
        }
        let Some(entry) = memory.0.get_mut(place) else { return false };
        *entry = pack(state, label);
        *top = place as u16;
        true
    }

    #[inline]
    fn push(
        &mut self,
        memory: &mut Blocks<'_>,
        estimate: Cost,
        _heuristic: Cost,
        state: State,
        label: Label,
    ) -> Option<Lost> {
        if estimate.wrapping_sub(self.least) >= SPAN as Cost && !self.widen(estimate) {
            return Some(Lost { estimate, entries: 1 });
        }
        let top = &mut self.tops[Self::bucket(estimate)];
        let place = usize::from(*top) + 1;
        if place.is_multiple_of(usize::from(BLOCK)) {
            return self.push_block(memory.0, estimate, pack(state, label));
        }
        let Some(entry) = memory.0.get_mut(place) else {
            return Some(Lost { estimate, entries: 1 });
        };
        *entry = pack(state, label);
        *top = place as u16;
        None
    }

    #[inline]
    fn pop(&mut self, memory: &mut Blocks<'_>) -> Option<(Cost, State, Label)> {
        let (bucket, top, entry) = loop {
            let bucket = Self::bucket(self.least);
            let top = self.tops[bucket];
            // `NONE` is beyond every memory. Any other place that is has been filled in another memory than this.
            if let Some(&entry) = memory.0.get(usize::from(top)) {
                break (bucket, top, entry);
            }
            if top != NONE || !self.advance() {
                return None;
            }
        };
        if top % BLOCK == 1 {
            self.release(memory.0, bucket, top);
        } else {
            self.tops[bucket] = top.wrapping_sub(1);
        }
        let (state, label) = unpack(entry);
        Some((self.least, state, label))
    }
}

/// A binary heap, for any costs. An entry takes eight bytes: the estimate, the heuristic (up to 255, so that of equal
/// estimates the one nearest to the goal comes first), the state and the label.
#[derive(Clone, Debug)]
pub struct Heap {
    len: u32,
    /// The leaf that is looked at next when an entry has to go.
    leaf: u32,
    peak: u32,
}

/// The entries; those of `i` follow at `2i + 1` and `2i + 2`.
pub struct Tree<'a>(&'a mut [u64]);

/// Leaves that are looked at when an entry has to go: the worst of these is good enough, the worst of all would cost a
/// walk over half the heap.
const LEAVES: u32 = 8;

const fn key(estimate: Cost, heuristic: Cost, state: State, label: Label) -> u64 {
    let near = if heuristic < 255 { heuristic } else { 255 };
    ((estimate as u64) << 40) | ((near as u64) << 32) | pack(state, label) as u64
}

impl Heap {
    /// Moves an entry up to its place.
    #[inline]
    fn rise(words: &mut [u64], mut at: usize, key: u64) {
        while at > 0 {
            let parent = (at - 1) / 2;
            if words[parent] <= key {
                break;
            }
            words[at] = words[parent];
            at = parent;
        }
        words[at] = key;
    }
}

impl Queue for Heap {
    const NEW: Self = Self { len: 0, leaf: 0, peak: 0 };
    type Memory<'a> = Tree<'a>;

    fn split(words: &mut [u64]) -> Tree<'_> {
        Tree(words)
    }

    fn begin(&mut self, words: &mut [u64], _limit: Cost) -> u32 {
        *self = Self::NEW;
        words.len() as u32
    }

    fn is_empty(&self) -> bool {
        self.len == 0
    }

    fn peak(&self) -> u32 {
        self.peak
    }

    #[inline]
    fn push(
        &mut self,
        memory: &mut Tree<'_>,
        estimate: Cost,
        heuristic: Cost,
        state: State,
        label: Label,
    ) -> Option<Lost> {
        let memory = &mut *memory.0;
        let key = key(estimate.min(MAX_COST), heuristic, state, label);
        let len = self.len as usize;
        if len < memory.len() {
            Self::rise(memory, len, key);
            self.len += 1;
            self.peak = self.peak.max(self.len);
            return None;
        }
        if len > memory.len() {
            return Some(Lost { estimate, entries: 1 });
        }
        let first = self.len / 2;
        let mut worst = None;
        for _ in 0..LEAVES.min(self.len - first) {
            self.leaf = if self.leaf + 1 >= self.len || self.leaf < first { first } else { self.leaf + 1 };
            let at = self.leaf as usize;
            if worst.is_none_or(|worst: usize| memory[at] > memory[worst]) {
                worst = Some(at);
            }
        }
        match worst {
            Some(at) if memory[at] > key => {
                let lost = Lost { estimate: (memory[at] >> 40) as Cost, entries: 1 };
                Self::rise(memory, at, key);
                Some(lost)
            }
            _ => Some(Lost { estimate, entries: 1 }),
        }
    }

    #[inline]
    fn pop(&mut self, memory: &mut Tree<'_>) -> Option<(Cost, State, Label)> {
        let heap = memory.0.get_mut(..self.len as usize)?;
        let (top, last) = (*heap.first()?, *heap.last()?);
        self.len -= 1;
        let heap = &mut heap[..self.len as usize];
        if !heap.is_empty() {
            // Down to a leaf along the smaller children, then up again: the last entry nearly always belongs low.
            let mut at = 0;
            loop {
                let mut child = 2 * at + 1;
                if child + 1 < heap.len() {
                    child += usize::from(heap[child + 1] < heap[child]);
                } else if child >= heap.len() {
                    break;
                }
                heap[at] = heap[child];
                at = child;
            }
            Self::rise(heap, at, last);
        }
        let (state, label) = unpack(top as u32);
        Some(((top >> 40) as Cost, state, label))
    }
}
