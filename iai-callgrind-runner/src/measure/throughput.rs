//! The amounts that the new result handled: those of the job or, of a kept result, those of its record.

use super::Surroundings;
use crate::plan::Job;
use crate::results::NewResults;

/// Adds the amounts and the metrics that follow from them.
pub(super) fn add(job: &Job, around: &Surroundings<'_>, new: &mut NewResults<'_>) {
    let said = match around.baseline.run {
        true => job.throughput,
        false => {
            let slot = &around.baseline.write;
            let kept = around.records.of_tool(&around.entry, slot, job.tool);
            kept.ok().flatten().and_then(|kept| kept.throughput)
        }
    };
    new.throughput = said;
    if let Some(said) = said {
        new.metrics.add_per_unit(job.tool, said);
    }
}
