//! The counters of one process, or of one thread and dump of it, in the one shape that all tools
//! share.
//!
//! Counters have the names of events (`Ir`) or of the variants of the tool's metrics
//! (`TotalBytes`).

use std::sync::Arc;

use super::perf::PerfFigure;
use formats::{callgrind, perf, ParseErrorKind};

/// The counters of one process, thread and part.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CounterSet {
    /// Process id, if the file names it.
    pub pid: Option<u32>,
    /// The slot of the thread, from 1.
    pub thread: Option<u64>,
    /// The number of the dump, from 1; under perf that of the event set.
    pub part: Option<u64>,
    /// Names and counts.
    pub counters: Vec<(String, u64)>,
    /// The figures of perf, by the names of their events.
    pub figures: Vec<(String, PerfFigure)>,
    /// Events of perf without a figure, with the reason.
    pub without: Vec<(String, perf::MissingCount)>,
    /// The simulated caches: `I1 cache: 32768 B, 64 B, 8-way associative`.
    pub caches: Vec<String>,
    /// The unit of the times among the counters: `ns`.
    pub time_unit: Option<String>,
    /// The text with which the program asked for a dump.
    pub trigger: Option<String>,
    /// The part was written right before the benchmark (`count_threads`).
    pub at_begin: bool,
    /// The part was written when the benchmark had returned (`count_threads`).
    pub at_return: bool,
    /// Bytes and blocks that the process allocated, if none of them counts.
    pub left_out: Option<(u64, u64)>,
    /// Number of blocks in the file that show whether the heap is seen; they are in no counter.
    pub heap_marks: Option<u64>,
    /// The tool was stopped while writing.
    pub incomplete: bool,
    /// Notes for the user about the counters.
    pub notes: Vec<String>,
    /// The calls of measured functions, where they are to be proven (Callgrind).
    pub entered: Option<Arc<callgrind::EnteredCalls>>,
}

impl CounterSet {
    /// Are all counters 0? Figures of perf are not looked at.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.counters.iter().all(|(_, count)| *count == 0)
    }
}

/// The counters of all sets, added up by name, in the order of their appearance.
///
/// Fails if a sum does not fit into 64 bits.
pub fn totals<'a>(
    sets: impl IntoIterator<Item = &'a CounterSet>,
) -> Result<Vec<(&'a str, u64)>, ParseErrorKind> {
    let mut sums: Vec<(&str, u64)> = Vec::new();
    for (name, count) in sets.into_iter().flat_map(|set| &set.counters) {
        // By name, not by column: sets of one run may have different events. They have a dozen
        // counters, for which a list is faster than a map and keeps the order.
        match sums.iter_mut().find(|(known, _)| known == name) {
            None => sums.push((name, *count)),
            Some((_, sum)) => {
                let overflow = || ParseErrorKind::SumOverflow(name.clone());
                *sum = sum.checked_add(*count).ok_or_else(overflow)?;
            }
        }
    }
    Ok(sums)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_are_added_by_name() {
        let set = |counters: &[(&str, u64)]| CounterSet {
            counters: counters
                .iter()
                .map(|(name, count)| ((*name).to_owned(), *count))
                .collect(),
            ..CounterSet::default()
        };
        let sets = [set(&[("Ir", 1), ("Dr", 2)]), set(&[("Dr", 3), ("Ge", 4)])];
        assert_eq!(totals(&sets).unwrap(), [("Ir", 1), ("Dr", 5), ("Ge", 4)]);
        let sets = [set(&[("Ir", u64::MAX)]), set(&[("Ir", 1)])];
        totals(&sets).unwrap_err();
    }
}
