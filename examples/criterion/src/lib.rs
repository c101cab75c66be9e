//! Sorts, so that there is something to benchmark.

/// Sorts by insertion.
pub fn insertion_sort(values: &mut [u32]) {
    for end in 1..values.len() {
        let mut at = end;
        while at > 0 && values[at - 1] > values[at] {
            values.swap(at - 1, at);
            at -= 1;
        }
    }
}
