//! The executable of a bench file, opened before its functions are needed.

use crate::plan::{Job, Plan};
use explain::kept_digest;
use records::layout::FileName;
use store::Store;
use symbols::Symbolizer;

/// Opens the executable while Valgrind starts, if anything is to be explained and the executable
/// differs from that of the kept results: with the same one, digests most often stay the same and
/// do not need it.
pub(super) fn symbolizer(plan: &Plan, store: &Store) -> Symbolizer {
    let symbolizer = Symbolizer::default();
    let explained = plan.jobs().find(|job| job.explain.is_some());
    if let Some(job) = explained.filter(|_| plan.baseline.run) {
        let program = &job.target.program;
        let now = symbolizer.identity(program).ok();
        if now.is_none() || now != kept(job, plan, store) {
            symbolizer.begin(program);
        }
    }
    symbolizer
}

/// Number of the executable of the result with which this job's is compared, if it has a digest.
fn kept(job: &Job, plan: &Plan, store: &Store) -> Option<u64> {
    let stem = job.benchmark_path.stem();
    let name = FileName::of_digest(job.tool, &stem).current();
    let path = store.file(&job.benchmark_path, &plan.baseline.compare, &name);
    kept_digest::executable(&path)
}
