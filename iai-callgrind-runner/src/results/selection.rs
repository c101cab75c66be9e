//! Selection of the part of a tool's files that counts for a job.

use crate::plan::{combines_dumps, stack_depth, Job};
use base::tool::Tool;
use metrics::readers::Selection;

/// The part that counts for a job. `regions`: the benchmark measured regions of itself.
pub(super) fn of(job: &Job, regions: bool) -> Selection<'_> {
    Selection {
        entry: &job.args.entry,
        regions,
        combined: combines_dumps(&job.args.words),
        brackets: job.tool == Tool::Cachegrind && job.args.counts_later(),
        stack_depth: stack_depth(&job.args.words),
        samples: job.backend.perf().map(|perf| &perf.samples),
    }
}
