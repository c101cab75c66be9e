//! The amounts that a benchmark handles, in its jobs: counts for each unit are shown if no metrics
//! are chosen.

use iai_callgrind::protocol::Throughput;

use super::{Job, Plan};
use crate::error::{Error, Result};
use metrics::{per_unit, MetricKind};

impl Job {
    /// Sets the amounts, and adds the metrics for each unit to the default ones.
    ///
    /// # Errors
    ///
    /// An amount is 0.
    pub(super) fn set_throughput(&mut self, throughput: Option<Throughput>) -> Result<()> {
        let said = throughput.map_or([None, None], |said| [said.bytes, said.elements]);
        if said.contains(&Some(0)) {
            return Err(Error::Setting {
                place: format!("`throughput` of `{}`", self.benchmark_path),
                reason: "an amount is not above 0, and instructions for each byte or element of it are no number; \
                         `throughput = ()` is that of a case that handles nothing"
                    .to_owned(),
            });
        }
        self.throughput = throughput.filter(|_| said != [None, None]);
        let Some(format) = self.format.as_ref().filter(|_| self.has_usual_rows) else {
            return Ok(());
        };
        let kinds = throughput
            .into_iter()
            .flat_map(|said| per_unit(self.tool, said));
        let mut kinds = kinds.map(|(kind, _)| kind).peekable();
        if kinds.peek().is_some() {
            let all: Vec<MetricKind> = format.iter().copied().chain(kinds).collect();
            self.format = Some(all.into());
        }
        Ok(())
    }
}

/// Warnings about limits on counts for units of which no benchmark has an amount.
pub(super) fn without_effect(plan: &Plan) -> Vec<String> {
    let mut missing: Vec<MetricKind> = Vec::new();
    for job in plan.jobs() {
        missing.extend(job.limited().filter(|kind| kind.is_per_unit()));
    }
    missing.sort_unstable();
    missing.dedup();
    for job in plan.jobs() {
        let said = job.throughput.into_iter();
        for (said, _) in said.flat_map(|said| per_unit(job.tool, said)) {
            missing.retain(|kind| *kind != said);
        }
    }
    let warning = |kind: &MetricKind| {
        format!(
            "limits on {kind} have no effect, since no benchmark says how much of it there is; \
             `#[library_benchmark(throughput = Bytes(n))]` does, or `Elements(n)`"
        )
    };
    missing.iter().map(warning).collect()
}
