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
    /// Empties the list and gives the number of entries that there is room for.
    fn begin(&mut self, words: &mut [u64]) -> u32;
    /// Entries in the list.
    fn len(&self) -> u32;
    /// Most entries that there were at once.
    fn peak(&self) -> u32;
    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Adds an entry. A full list lets an entry go, this one or a worse one, and gives its estimate.
    fn push(
        &mut self,
        memory: &mut Self::Memory<'_>,
        estimate: Cost,
        heuristic: Cost,
        state: State,
        label: Label,
    ) -> Option<Cost>;
    /// Takes out an entry with the least estimate; of these the one that is thought nearest to a goal, or the newest.
    fn pop(&mut self, memory: &mut Self::Memory<'_>) -> Option<(Cost, State, Label)>;
}

/// The state in the low 24 bits, the label above it.
#[inline]
const fn pack(state: State, label: Label) -> u32 {
    (state & (STATES - 1)) | ((label as u32) << 24)
}

#[inline]
const fn unpack(entry: u32) -> (State, Label) {
    (entry & (STATES - 1), (entry >> 24) as Label)
}

/// End of a chain.
const NONE: u16 = u16::MAX;

/// A bucket for every estimate, for graphs whose edges cost small whole numbers: an entry goes in and out in a handful
/// of instructions, however many there are, and takes six bytes.
///
/// `SPAN` is a power of two. The estimates in the list at any one time may differ by less than that: it has to be larger
/// than the most that an estimate grows along one edge. An entry outside is let go.
#[derive(Clone, Debug)]
pub struct Buckets<const SPAN: usize> {
    /// The newest entry of each bucket. The bucket of an estimate is the estimate modulo `SPAN`.
    heads: [u16; SPAN],
    /// No entry has a smaller estimate than this,
    least: Cost,
    /// and none a larger one than this.
    most: Cost,
    /// First of the chain of entries that were used and are free again.
    free: u16,
    /// Entries from here on have never been used.
    fresh: u16,
    len: u16,
}

/// The entries, and for each the next in its chain.
pub struct Chains<'a> {
    entries: &'a mut [u32],
    next: &'a mut [u16],
}

impl<const SPAN: usize> Buckets<SPAN> {
    #[inline]
    const fn bucket(estimate: Cost) -> usize {
        estimate as usize % SPAN
    }

    /// Takes the newest entry out of a bucket.
    #[inline]
    fn take(&mut self, memory: &mut Chains<'_>, estimate: Cost) -> Option<u16> {
        let head = &mut self.heads[Self::bucket(estimate)];
        let taken = *head;
        let next = memory.next.get(usize::from(taken)).copied()?;
        *head = next;
        self.len = self.len.wrapping_sub(1);
        Some(taken)
    }

    /// The largest estimate in the list, which is not empty.
    fn worst(&mut self) -> Cost {
        while self.most > self.least && self.heads[Self::bucket(self.most)] == NONE {
            self.most -= 1;
        }
        self.most
    }

    /// Moves the window so that it has room for an estimate outside. `false` if the list is too wide for that.
    #[cold]
    fn widen(&mut self, estimate: Cost) -> bool {
        if self.len == 0 {
            (self.least, self.most) = (estimate, estimate);
            return true;
        }
        // It may have been drawn too wide: the least or the largest estimates may be gone.
        while self.least < self.most && self.heads[Self::bucket(self.least)] == NONE {
            self.least += 1;
        }
        let least = self.least.min(estimate);
        let fits = self.worst().max(estimate) - least < SPAN as Cost;
        if fits {
            self.least = least;
        }
        fits
    }

    /// Takes the worst entry out of a full list, if it is worse than this: its estimate and its place.
    #[cold]
    fn displace(&mut self, memory: &mut Chains<'_>, estimate: Cost) -> Option<(Cost, u16)> {
        if self.len == 0 {
            return None;
        }
        let worst = self.worst();
        if estimate >= worst {
            return None;
        }
        self.take(memory, worst).map(|slot| (worst, slot))
    }
}

impl<const SPAN: usize> Queue for Buckets<SPAN> {
    const NEW: Self = {
        assert!(SPAN.is_power_of_two(), "the number of buckets has to be a power of two");
        Self { heads: [NONE; SPAN], least: 0, most: 0, free: NONE, fresh: 0, len: 0 }
    };
    type Memory<'a> = Chains<'a>;

    /// Of every three words two are entries and one is links.
    fn split(words: &mut [u64]) -> Chains<'_> {
        let capacity = (words.len() / 3 * 4).min(usize::from(NONE));
        let (entries, next) = words.split_at_mut(words.len() / 3 * 2);
        let (entries, next) = (bytemuck::cast_slice_mut::<u64, u32>(entries), bytemuck::cast_slice_mut(next));
        Chains { entries: &mut entries[..capacity], next: &mut next[..capacity] }
    }

    fn begin(&mut self, words: &mut [u64]) -> u32 {
        *self = Self::NEW;
        Self::split(words).entries.len() as u32
    }

    fn len(&self) -> u32 {
        u32::from(self.len)
    }

    fn peak(&self) -> u32 {
        // A fresh place is taken only when all others are in use.
        u32::from(self.fresh)
    }

    #[inline]
    fn push(
        &mut self,
        memory: &mut Chains<'_>,
        estimate: Cost,
        _heuristic: Cost,
        state: State,
        label: Label,
    ) -> Option<Cost> {
        if estimate.wrapping_sub(self.least) >= SPAN as Cost && !self.widen(estimate) {
            return Some(estimate);
        }
        let mut let_go = None;
        let slot = if self.free != NONE {
            self.free
        } else if usize::from(self.fresh) < memory.entries.len() {
            self.fresh += 1;
            self.fresh - 1
        } else if let Some((worst, slot)) = self.displace(memory, estimate) {
            let_go = Some(worst);
            slot
        } else {
            return Some(estimate);
        };
        let at = usize::from(slot);
        let (Some(entry), Some(next)) = (memory.entries.get_mut(at), memory.next.get_mut(at)) else {
            return Some(estimate);
        };
        if slot == self.free {
            self.free = *next;
        }
        let head = &mut self.heads[Self::bucket(estimate)];
        *entry = pack(state, label);
        *next = *head;
        *head = slot;
        self.most = self.most.max(estimate);
        self.len += 1;
        let_go
    }

    #[inline]
    fn pop(&mut self, memory: &mut Chains<'_>) -> Option<(Cost, State, Label)> {
        if self.len == 0 {
            return None;
        }
        while self.heads[Self::bucket(self.least)] == NONE && self.least < self.most {
            self.least += 1;
        }
        let slot = self.take(memory, self.least)?;
        let entry = memory.entries.get(usize::from(slot)).copied()?;
        *memory.next.get_mut(usize::from(slot))? = self.free;
        self.free = slot;
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

    fn begin(&mut self, words: &mut [u64]) -> u32 {
        *self = Self::NEW;
        words.len() as u32
    }

    fn len(&self) -> u32 {
        self.len
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
    ) -> Option<Cost> {
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
            return Some(estimate);
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
                let let_go = (memory[at] >> 40) as Cost;
                Self::rise(memory, at, key);
                Some(let_go)
            }
            _ => Some(estimate),
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
