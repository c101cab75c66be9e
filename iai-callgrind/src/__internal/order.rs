//! Brings names and places into an order.
//!
//! By a heap, since users compile what is in here: the sort of the standard library is three times as much code, a map
//! of the names four times. The lists have some hundred entries.

use std::collections::BinaryHeap;

/// A text, what tells it from equal ones, and the index that it had.
pub(super) type Entry<'a> = (&'a str, u64, usize);

pub(super) fn sorted(entries: Vec<Entry<'_>>) -> Vec<Entry<'_>> {
    BinaryHeap::from(entries).into_sorted_vec()
}
