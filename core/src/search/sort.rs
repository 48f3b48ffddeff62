//! Sorting without recursion.
//!
//! The standard library's unstable sort is quicker on long lists, but it calls itself, and its code is as large as a
//! game's. Heap sort needs neither stack nor luck.

/// Sorts by a key. Not stable: where the order of equal keys matters, put something into the key that tells them apart.
///
/// ```
/// let mut words = ["pear", "fig", "apple"];
/// rival_core::search::sort::by_key(&mut words, |word| word.len());
/// assert_eq!(words, ["fig", "pear", "apple"]);
/// ```
pub fn by_key<T, K: Ord>(list: &mut [T], mut key: impl FnMut(&T) -> K) {
    for root in (0..list.len() / 2).rev() {
        sift(list, root, &mut key);
    }
    for end in (1..list.len()).rev() {
        list.swap(0, end);
        sift(&mut list[..end], 0, &mut key);
    }
}

/// Lets the item at `root` sink until none below it is larger.
fn sift<T, K: Ord>(heap: &mut [T], mut root: usize, key: &mut impl FnMut(&T) -> K) {
    loop {
        let left = 2 * root + 1;
        let Some(mut larger) = heap.get(left).map(&mut *key) else { return };
        let mut child = left;
        if let Some(right) = heap.get(left + 1).map(&mut *key)
            && right > larger
        {
            larger = right;
            child = left + 1;
        }
        if key(&heap[root]) >= larger {
            return;
        }
        heap.swap(root, child);
        root = child;
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_sorts_as_the_standard_library_does(mut list: Vec<u16>) {
            let mut expected = list.clone();
            expected.sort_unstable();
            super::by_key(&mut list, |&item| item);
            prop_assert_eq!(list, expected);
        }
    }
}
