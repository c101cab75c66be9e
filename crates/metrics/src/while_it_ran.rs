//! The counts of the time in which the benchmark ran, where every thread counts (`count_threads`).
//!
//! In: the parts that Callgrind wrote. Out: the parts that belong to the benchmark. The measuring
//! process writes one part right before its benchmark and one right after; the numbers of parts
//! tell which ones were written before, as by `dump_stats` in a setup, and after.

use crate::CounterSet;

/// Whether each of these sets of processes was counted while the benchmark ran. The parts that were
/// are numbered anew, from 1.
pub fn mark(sets: &mut [(Option<u32>, &mut CounterSet)]) -> Vec<bool> {
    let part = |pid: Option<u32>, is_it: fn(&CounterSet) -> bool| {
        let mut found = sets.iter().filter(|(of, set)| *of == pid && is_it(set));
        found.find_map(|(_, set)| set.part)
    };
    // Each process has its own window: one that was forked in the benchmark may return as well.
    let windows: Vec<_> = sets
        .iter()
        .map(|(pid, _)| {
            (
                part(*pid, |set| set.at_begin),
                part(*pid, |set| set.at_return),
            )
        })
        .collect();
    let inside: Vec<bool> = sets
        .iter()
        .zip(&windows)
        .map(|((_, set), (begin, end))| {
            // A dump holds what ran before it, so the one at the begin is outside, and the one at
            // the return is inside.
            let is_before = begin.is_some_and(|begin| set.part <= Some(begin));
            let is_after = end.is_some_and(|end| set.part > Some(end));
            !is_before && !is_after
        })
        .collect();
    let first = |pid: Option<u32>| {
        let of_process = sets.iter().zip(&inside);
        let kept = of_process.filter(|((of, _), inside)| *of == pid && **inside);
        kept.filter_map(|((_, set), _)| set.part).min()
    };
    let firsts: Vec<Option<u64>> = sets.iter().map(|(pid, _)| first(*pid)).collect();
    for ((_, set), first) in sets.iter_mut().zip(firsts) {
        if let (Some(part), Some(first)) = (set.part, first) {
            set.part = Some((part + 1).saturating_sub(first));
        }
    }
    inside
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(part: u64, trigger: &str) -> CounterSet {
        CounterSet {
            part: Some(part),
            at_begin: trigger == "begin",
            at_return: trigger == "return",
            ..CounterSet::default()
        }
    }

    #[track_caller]
    fn check(mut sets: Vec<(u32, CounterSet)>, kept: &[bool], parts: &[u64]) {
        let mut read: Vec<_> = sets
            .iter_mut()
            .map(|(pid, set)| (Some(*pid), set))
            .collect();
        assert_eq!(mark(&mut read), kept);
        let numbers = sets.iter().zip(kept).filter(|(_, kept)| **kept);
        let numbers: Vec<u64> = numbers.filter_map(|((_, set), _)| set.part).collect();
        assert_eq!(numbers, parts);
    }

    #[test]
    fn parts_before_and_after_the_benchmark_are_left_out() {
        let sets = [(1, ""), (2, "begin"), (3, ""), (4, "return"), (5, "")];
        let sets = sets.map(|(part, trigger)| (7, set(part, trigger)));
        check(sets.into(), &[false, false, true, true, false], &[1, 2]);
        // Kept files, which hold only the parts that count.
        let kept = vec![(7, set(3, "")), (7, set(4, "return"))];
        check(kept, &[true, true], &[1, 2]);
    }

    #[test]
    fn processes_have_parts_of_their_own() {
        let sets = vec![
            (7, set(1, "begin")),
            (7, set(2, "return")),
            (7, set(3, "")),
            // Forked inside: it ends there, or returns as well.
            (8, set(3, "")),
            (9, set(2, "return")),
            (9, set(3, "")),
        ];
        let kept = [false, true, false, true, true, false];
        check(sets, &kept, &[1, 1, 1]);
    }

    #[test]
    fn without_these_marks_everything_counts() {
        check(
            vec![(7, set(1, "")), (7, set(2, ""))],
            &[true, true],
            &[1, 2],
        );
    }
}
