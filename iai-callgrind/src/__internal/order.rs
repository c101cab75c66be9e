//! Brings names and places into an order.
//!
//! In steps that grow smaller (Shell's sort), since users compile what is in here: a heap of the standard library is
//! three times as much code, its sort nine times. The lists have some hundred entries.

/// A text, what tells it from equal ones, and the index that it had.
pub(super) type Entry<'a> = (&'a str, u64, usize);

pub(super) fn sorted(mut entries: Vec<Entry<'_>>) -> Vec<Entry<'_>> {
    let all = entries.as_mut_slice();
    let mut step = all.len() / 2;
    while step > 0 {
        for index in step..all.len() {
            let mut place = index;
            while place >= step && is_before(&all[place], &all[place - step]) {
                all.swap(place, place - step);
                place -= step;
            }
        }
        step /= 2;
    }
    entries
}

fn is_before(entry: &Entry<'_>, other: &Entry<'_>) -> bool {
    match entry.0 == other.0 {
        true => (entry.1, entry.2) < (other.1, other.2),
        false => entry.0 < other.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_sorted_by_all_that_they_have() {
        let texts = ["b", "", "ab", "a", "b", "ä", "a"];
        for length in 0..200_usize {
            let mut entries: Vec<Entry<'_>> = (0..length)
                .map(|index| (texts[index * 5 % 7], (index * 7 % 3) as u64, length - index))
                .collect();
            let sorted = sorted(entries.clone());
            entries.sort();
            assert_eq!(sorted, entries);
        }
    }
}
