//! Events to the numbers of benchmarks that changed.

use super::event::{Event, UnderTool};
use records::summary::{Changes, Status};
use verdict::MainChange;

/// Counts the benchmarks of a run by their change.
#[derive(Debug, Clone, Default)]
pub(super) struct ChangeTally {
    pub(super) changes: Changes,
    /// The change of the benchmark that is being reported, of all its tools.
    current: Option<MainChange>,
    /// Was a limit of it not judged?
    is_not_judged: bool,
    /// Did a total of it change outside own code?
    is_outside_own_code: bool,
}

impl ChangeTally {
    pub(super) fn event(&mut self, event: Event<'_>) {
        match event {
            Event::BenchmarkBegins(_) => {
                self.current = None;
                self.is_not_judged = false;
                self.is_outside_own_code = false;
            }
            Event::Measured(UnderTool { result, .. }) => {
                self.is_not_judged |= !result.not_judged.is_empty();
                self.is_outside_own_code |= result.changed_outside_own_code;
                let change = result.main_change();
                // The first tool wins a tie.
                if self.current.is_none_or(|current| change.is_above(&current)) {
                    self.current = Some(change);
                }
            }
            Event::BenchmarkEnds(summary) => {
                let change = self.current.take();
                // It counts as failed already, whatever its figures are.
                let change = change.filter(|_| summary.status != Status::Failed);
                if let Some(change) = change {
                    let of_one = change.counted(&summary.benchmark.path);
                    self.changes.add(&Changes {
                        not_judged: self.is_not_judged.into(),
                        changed_outside_own_code: self.is_outside_own_code.into(),
                        ..of_one
                    });
                }
            }
            _ => {}
        }
    }
}
