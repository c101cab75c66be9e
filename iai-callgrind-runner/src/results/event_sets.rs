//! What perf wrote: one file for each event set, and one for the empty benchmark that is subtracted.

use std::fs;
use std::path::Path;

use super::readers::{self, Selection};
use super::sample_means;
use super::Collected;
use crate::error::FileContext;
use crate::execute::{self, Failure, NothingCounted};
use crate::parse::perf::Missing;
use crate::plan::{Job, Perf};

impl Collected {
    /// Takes from every figure what an empty benchmark has.
    pub(super) fn without_calibration(&mut self, directory: &Path, perf: &Perf) {
        if perf.calibration.is_none() {
            return;
        }
        let selection = Selection {
            samples: Some(&perf.samples),
            ..Selection::default()
        };
        for out in &mut self.outs {
            let path = directory.join(execute::calibration(out.pid as usize));
            // A kept result has none: it was subtracted before.
            if !path.is_file() {
                continue;
            }
            match (readers::of_perf(&path, selection), &mut out.units) {
                (Ok(empty), Ok(units)) => {
                    let empty = empty.and_then(|units| units.into_iter().next());
                    let empty = empty.unwrap_or_default().figures;
                    for unit in units {
                        sample_means::subtract(&mut unit.figures, &empty);
                    }
                }
                (Err(error), units) => *units = Err(error),
                (Ok(_), Err(_)) => {}
            }
        }
    }

    /// Is there a figure of every event set?
    pub(super) fn check_perf(&mut self, perf: &Perf) -> Result<(), Failure> {
        if let Some(index) = self.outs.iter().position(|out| out.units.is_err()) {
            if let Err(error) = self.outs.swap_remove(index).units {
                return Err(error.into());
            }
        }
        let units: Vec<_> = self
            .outs
            .iter()
            .flat_map(|out| out.units.iter().flatten())
            .collect();
        if units.iter().any(|unit| unit.figures.is_empty()) {
            let without = units
                .iter()
                .flat_map(|unit| &unit.without)
                .cloned()
                .collect();
            return Err(Failure::NothingCounted(NothingCounted::Events(without)));
        }
        match units.len() < perf.event_sets.len() {
            true => Err(Failure::NoResult { tool: "perf" }),
            false => Ok(()),
        }
    }

    /// Keeps the means instead of all samples.
    pub(crate) fn condense(&self, job: &Job) -> Result<(), Failure> {
        let Some(perf) = &job.perf else { return Ok(()) };
        if perf.sampling.is_none() && perf.calibration.is_none() {
            return Ok(());
        }
        for out in &self.outs {
            for unit in out.units.iter().flatten() {
                let text = sample_means::written(&unit.figures, &unit.without);
                fs::write(&out.path, text).context("write", &out.path)?;
            }
        }
        Ok(())
    }

    /// What holds for all benchmarks alike: events that cannot be counted here.
    pub(crate) fn uncounted_events(&self) -> Vec<String> {
        let units = self.outs.iter().flat_map(|out| out.units.iter().flatten());
        let without: Vec<&(String, Missing)> = units.flat_map(|unit| &unit.without).collect();
        let mut said = Vec::new();
        for (missing, text) in [
            (
                Missing::NotSupported,
                "perf has no counters for these events here: {}; virtual machines and containers often \
                 have none of the processor. `--perf-events=task-clock,faults,context-switches` or \
                 `Perf::event_set` chooses others",
            ),
            (
                Missing::NotCounted,
                "these events were never counted: {}; the processor may have fewer counters than the \
                 event set has events, several sets are counted one after the other",
            ),
            (
                Missing::Multiplexed,
                "these events were counted for a part of the time only and are left out: {}; several \
                 event sets are counted one after the other, `Perf::min_pcnt_running` takes estimates",
            ),
            (
                Missing::NothingCounted,
                "these events are left out, since an event that cannot be 0 was 0 beside them: {}; \
                 `Perf::non_zero_metrics` says which events these are",
            ),
        ] {
            let mut names: Vec<&str> = Vec::new();
            for (event, reason) in &without {
                if *reason == missing && !names.contains(&event.as_str()) {
                    names.push(event);
                }
            }
            if !names.is_empty() {
                said.push(text.replace("{}", &names.join(", ")));
            }
        }
        said
    }
}
