//! Alignment of two lists of texts: common items in the same order, and items of one list alone.
//!
//! Long lists that have little in common are aligned less well rather than slowly: the search has a
//! limit on its work, and needs no more memory than the lists.

use std::collections::HashMap;
use std::hash::Hash;

use similar::{capture_diff_slices, Algorithm, DiffOp};

/// An item of one list, or an equal one of both. Items are known by their positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AlignedItem {
    /// In both lists.
    Both(usize, usize),
    /// In the old list only.
    Old(usize),
    /// In the new list only.
    New(usize),
}

/// Aligns two lists by a common subsequence. Where both have something else, the old items come
/// first.
pub(super) fn align<T: Eq + Hash + Copy>(old: &[T], new: &[T]) -> Vec<AlignedItem> {
    // Myers compares each item many times, and numbers compare faster than the texts of lines and
    // instructions.
    let mut numbers: HashMap<T, u32> = HashMap::new();
    let mut number = |item: &T| {
        let next = numbers.len() as u32;
        *numbers.entry(*item).or_insert(next)
    };
    let old: Vec<u32> = old.iter().map(&mut number).collect();
    let new: Vec<u32> = new.iter().map(&mut number).collect();
    let mut aligned = Vec::with_capacity(old.len().max(new.len()));
    for operation in capture_diff_slices(Algorithm::Myers, &old, &new) {
        if let DiffOp::Equal {
            old_index,
            new_index,
            len,
        } = operation
        {
            let both = |index| AlignedItem::Both(old_index + index, new_index + index);
            aligned.extend((0..len).map(both));
            continue;
        }
        aligned.extend(operation.old_range().map(AlignedItem::Old));
        aligned.extend(operation.new_range().map(AlignedItem::New));
    }
    aligned
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::AlignedItem::{Both, New, Old};
    use super::*;

    #[test]
    fn equal_items_are_side_by_side() {
        let check = |old: &str, new: &str, expected: &[AlignedItem]| {
            assert_eq!(align(old.as_bytes(), new.as_bytes()), expected);
        };
        check("", "", &[]);
        check("ab", "ab", &[Both(0, 0), Both(1, 1)]);
        check("axb", "ayb", &[Both(0, 0), Old(1), New(1), Both(2, 2)]);
        check("ab", "cab", &[New(0), Both(0, 1), Both(1, 2)]);
        check("ab", "", &[Old(0), Old(1)]);
    }

    #[test]
    fn any_lists_are_aligned_in_order_and_in_time() {
        let mut seed = 1_u64;
        let mut list = |kinds: u64| -> Vec<u64> {
            let numbers = std::iter::repeat_with(|| {
                seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                (seed >> 33) % kinds
            });
            numbers.take(32 << 10).collect()
        };
        for kinds in [2, 50, 1 << 40] {
            let (old, new) = (list(kinds), list(kinds));
            let begin = Instant::now();
            let aligned = align(&old, &new);
            assert!(begin.elapsed() < Duration::from_secs(20));
            let (mut next_old, mut next_new) = (0, 0);
            for item in aligned {
                let (is_old, is_new) = match item {
                    Both(a, b) => {
                        assert_eq!((a, b, old[a]), (next_old, next_new, new[b]));
                        (1, 1)
                    }
                    Old(a) => {
                        assert_eq!(a, next_old);
                        (1, 0)
                    }
                    New(b) => {
                        assert_eq!(b, next_new);
                        (0, 1)
                    }
                };
                next_old += is_old;
                next_new += is_new;
            }
            assert_eq!((next_old, next_new), (old.len(), new.len()));
        }
    }
}
