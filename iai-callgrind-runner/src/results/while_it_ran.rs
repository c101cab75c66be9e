//! What was counted while the benchmark ran, where every thread counts (`count_threads`).
//!
//! In: the parts that Callgrind wrote. Out: which of them belong to the benchmark. The measuring process
//! writes one part right before its benchmark and one right after; the numbers of parts tell what was
//! written before, as by `dump_stats` in a setup, and after.

use super::readers::Unit;

/// Whether each of these units of processes was counted while the benchmark ran. The parts that were are numbered
/// anew, from 1.
pub(crate) fn mark(units: &mut [(Option<u32>, &mut Unit)]) -> Vec<bool> {
    let part = |pid: Option<u32>, is_it: fn(&Unit) -> bool| {
        let mut found = units.iter().filter(|(of, unit)| *of == pid && is_it(unit));
        found.find_map(|(_, unit)| unit.part)
    };
    // Each process has its own: one that was forked in the benchmark may return as well.
    let windows: Vec<_> = units
        .iter()
        .map(|(pid, _)| {
            (
                part(*pid, |unit| unit.at_begin),
                part(*pid, |unit| unit.at_return),
            )
        })
        .collect();
    let inside: Vec<bool> = units
        .iter()
        .zip(&windows)
        .map(|((_, unit), (begin, end))| {
            let is_before = begin.is_some_and(|begin| unit.part <= Some(begin));
            let is_after = end.is_some_and(|end| unit.part > Some(end));
            !is_before && !is_after
        })
        .collect();
    let first = |pid: Option<u32>| {
        let of_process = units.iter().zip(&inside);
        let kept = of_process.filter(|((of, _), inside)| *of == pid && **inside);
        kept.filter_map(|((_, unit), _)| unit.part).min()
    };
    let firsts: Vec<Option<u64>> = units.iter().map(|(pid, _)| first(*pid)).collect();
    for ((_, unit), first) in units.iter_mut().zip(firsts) {
        if let (Some(part), Some(first)) = (unit.part, first) {
            unit.part = Some((part + 1).saturating_sub(first));
        }
    }
    inside
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(part: u64, trigger: &str) -> Unit {
        Unit {
            part: Some(part),
            at_begin: trigger == "begin",
            at_return: trigger == "return",
            ..Unit::default()
        }
    }

    #[track_caller]
    fn check(mut units: Vec<(u32, Unit)>, kept: &[bool], parts: &[u64]) {
        let mut read: Vec<_> = units
            .iter_mut()
            .map(|(pid, unit)| (Some(*pid), unit))
            .collect();
        assert_eq!(mark(&mut read), kept);
        let numbers = units.iter().zip(kept).filter(|(_, kept)| **kept);
        let numbers: Vec<u64> = numbers.filter_map(|((_, unit), _)| unit.part).collect();
        assert_eq!(numbers, parts);
    }

    #[test]
    fn parts_before_and_after_the_benchmark_are_left_out() {
        let units = [(1, ""), (2, "begin"), (3, ""), (4, "return"), (5, "")];
        let units = units.map(|(part, trigger)| (7, unit(part, trigger)));
        check(units.into(), &[false, false, true, true, false], &[1, 2]);
        // Kept files, which hold no more than what counts.
        let kept = vec![(7, unit(3, "")), (7, unit(4, "return"))];
        check(kept, &[true, true], &[1, 2]);
    }

    #[test]
    fn processes_have_parts_of_their_own() {
        let units = vec![
            (7, unit(1, "begin")),
            (7, unit(2, "return")),
            (7, unit(3, "")),
            // Forked inside: it ends there, or returns as well.
            (8, unit(3, "")),
            (9, unit(2, "return")),
            (9, unit(3, "")),
        ];
        let kept = [false, true, false, true, true, false];
        check(units, &kept, &[1, 1, 1]);
    }

    #[test]
    fn without_these_marks_everything_counts() {
        check(
            vec![(7, unit(1, "")), (7, unit(2, ""))],
            &[true, true],
            &[1, 2],
        );
    }
}
