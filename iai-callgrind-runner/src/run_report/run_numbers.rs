//! The numbers of the last line of a run, or of the runs of several bench targets.

use super::changes::ChangeTally;
use super::event::{Event, OutcomeCounts};
use crate::bench_targets::EndedRun;
use records::summary::Changes;
use report::verdict_word::faultless_word;

/// Numbers of benchmarks, by outcome and by change.
#[derive(Debug, Clone, Default)]
pub(super) struct RunNumbers {
    pub(super) counts: OutcomeCounts,
    pub(super) changes: Changes,
    /// Selected, and without a result when the run ended.
    pub(super) not_run: u64,
    /// Benchmarks of the old result that the suite no longer has, as far as the run looked for
    /// them.
    pub(super) gone: u64,
}

/// The result of a run without benchmarks, which is not `Ok`.
pub(super) const NOTHING_RAN: &str = "Nothing ran";

impl RunNumbers {
    /// The numbers of these runs together.
    pub(super) fn of_runs(runs: &[EndedRun]) -> Self {
        let mut all = Self::default();
        for EndedRun { run, .. } in runs {
            all.counts.ok += run.counts.ok as usize;
            all.counts.regressed += run.counts.regressed as usize;
            all.counts.failed += run.counts.failed as usize;
            all.counts.filtered += run.counts.filtered as usize;
            all.changes.add(&run.changes);
            all.not_run = all.not_run.saturating_add(run.counts.not_run);
        }
        all
    }

    /// Number of benchmarks that were measured, or that failed.
    pub(super) fn done(&self) -> usize {
        let OutcomeCounts {
            ok,
            regressed,
            failed,
            ..
        } = self.counts;
        ok + regressed + failed
    }

    /// The word for these numbers if no benchmark failed, regressed or is gone.
    pub(super) fn faultless_word(&self) -> &'static str {
        let changes = &self.changes;
        match self.done() {
            0 => NOTHING_RAN,
            _ => faultless_word(changes.compared(), changes.not_compared, changes.new),
        }
    }

    /// The numbers that a line mentions if they are not 0, with their words.
    pub(super) fn exceptions(&self) -> impl Iterator<Item = (u64, &'static str)> {
        let (counts, changes) = (&self.counts, &self.changes);
        let all = [
            (changes.new, "new"),
            (changes.not_compared, "not compared"),
            (changes.not_judged, "not judged"),
            (changes.changed_outside_own_code, "changed outside own code"),
            (counts.failed as u64, "failed"),
            (self.not_run, "not run"),
            (self.gone, "gone"),
            (counts.filtered as u64, "filtered"),
        ];
        all.into_iter().filter(|(count, _)| *count > 0)
    }
}

/// Counts the benchmarks of a run from its events.
#[derive(Debug, Default)]
pub(super) struct RunTally {
    changes: ChangeTally,
    /// Number of benchmarks of the plan.
    selected: usize,
    gone: usize,
}

impl RunTally {
    /// Collects the numbers of an event.
    pub(super) fn event(&mut self, event: Event<'_>) {
        self.changes.event(event);
        match event {
            Event::RunBegins { plan, .. } => self.selected = plan.len(),
            Event::Gone { count, .. } => self.gone = count,
            _ => {}
        }
    }

    /// The numbers of the run, which ended with these counts.
    pub(super) fn numbers(&self, counts: OutcomeCounts) -> RunNumbers {
        let mut numbers = RunNumbers {
            counts,
            changes: self.changes.changes.clone(),
            not_run: 0,
            gone: self.gone as u64,
        };
        numbers.not_run = self.selected.saturating_sub(numbers.done()) as u64;
        numbers
    }
}
