//! Selection of the part of a tool's files that counts: functions, regions, samples.

use super::SampleFilter;
use base::entry_functions::{EntryFunctions, EVERYTHING};

/// The part of a file that counts.
#[derive(Debug, Clone, Copy)]
pub struct Selection<'a> {
    /// The functions that count.
    pub entry: &'a EntryFunctions,
    /// Only regions count (`iai_callgrind::measure`).
    pub regions: bool,
    /// A file of Callgrind may hold several parts (`--combine-dumps=yes`), which the short way to
    /// the totals cannot see.
    pub combined: bool,
    /// Cachegrind counts from right before the benchmark function to right after it.
    pub brackets: bool,
    /// Number of callers that DHAT noted of each allocation, if it is not the runner's own.
    pub stack_depth: Option<usize>,
    /// Filter of perf's samples that count; all if absent.
    pub samples: Option<&'a SampleFilter>,
}

impl Default for Selection<'_> {
    fn default() -> Self {
        Self {
            entry: &EVERYTHING,
            regions: false,
            combined: false,
            brackets: false,
            stack_depth: None,
            samples: None,
        }
    }
}

impl Selection<'_> {
    /// Does a profile have to be read to its end, for the calls of some functions?
    pub(super) fn by_calls(&self) -> bool {
        self.regions || !self.entry.is_everything()
    }

    /// Is nothing left out?
    #[must_use]
    pub fn is_everything(&self) -> bool {
        self.entry.is_everything() && !self.regions
    }
}
