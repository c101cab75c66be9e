//! The files of perf: one for each event set, and one for the empty benchmark that is subtracted.

use std::fs;

use super::ToolFiles;
use crate::error::FileContext;
use crate::execute::{self, JobFailure, NothingCounted};
use crate::plan::{Job, PerfSettings};
use formats::perf::MissingCount;
use metrics::readers::{self, samples, Selection};

impl ToolFiles {
    /// Subtracts the figures of the empty benchmark.
    fn without_calibration(&mut self, perf: &PerfSettings) {
        if perf.calibration.is_none() {
            return;
        }
        let selection = Selection {
            samples: Some(&perf.samples),
            ..Selection::default()
        };
        for out in &mut self.outs {
            // Files of perf have the number of their event set where those of Valgrind have the
            // process.
            let calibration = execute::calibration(out.pid as usize);
            let path = out.path.with_file_name(calibration);
            // A kept result has no calibration: it was subtracted before.
            if !path.is_file() {
                continue;
            }
            match (readers::of_perf(&path, selection), &mut out.sets) {
                (Ok(empty), Ok(sets)) => {
                    let empty = empty.and_then(|sets| sets.into_iter().next());
                    let empty = empty.unwrap_or_default().figures;
                    for set in sets {
                        samples::subtract(&mut set.figures, &empty);
                    }
                }
                (Err(error), sets) => *sets = Err(error),
                (Ok(_), Err(_)) => {}
            }
        }
    }

    /// Fails unless every event set has a figure. Completes the sets: they get the number of their
    /// event set, and lose the figures of the empty benchmark.
    pub(super) fn check_event_sets(&mut self, perf: &PerfSettings) -> Result<(), JobFailure> {
        self.without_calibration(perf);
        for out in &mut self.outs {
            for set in out.sets.iter_mut().flatten() {
                set.part = Some(out.pid.into());
            }
        }
        // Before the look for missing figures, which an unreadable file would explain.
        if let Some(index) = self.outs.iter().position(|out| out.sets.is_err()) {
            if let Err(error) = self.outs.swap_remove(index).sets {
                return Err(error.into());
            }
        }
        let sets: Vec<_> = self
            .outs
            .iter()
            .flat_map(|out| out.sets.iter().flatten())
            .collect();
        if sets.iter().any(|set| set.figures.is_empty()) {
            let without = sets.iter().flat_map(|set| &set.without).cloned().collect();
            return Err(JobFailure::NothingCounted(NothingCounted::Events(without)));
        }
        match sets.len() < perf.event_sets.len() {
            true => Err(JobFailure::NoResult { tool: "perf" }),
            false => Ok(()),
        }
    }

    /// Replaces the samples in the files by their means.
    pub(super) fn condense(&self, job: &Job) -> Result<(), JobFailure> {
        let Some(perf) = job.backend.perf() else {
            return Ok(());
        };
        if perf.sampling.is_none() && perf.calibration.is_none() {
            return Ok(());
        }
        for out in &self.outs {
            for set in out.sets.iter().flatten() {
                let text = samples::written(&set.figures, &set.without);
                fs::write(&out.path, text).context("write", &out.path)?;
            }
        }
        Ok(())
    }

    /// Notes on events that cannot be counted here, which hold for all benchmarks alike.
    pub(super) fn uncounted_events(&self) -> Vec<String> {
        let sets = self.outs.iter().flat_map(|out| out.sets.iter().flatten());
        let without: Vec<&(String, MissingCount)> = sets.flat_map(|set| &set.without).collect();
        let mut said = Vec::new();
        for (missing, text) in [
            (
                MissingCount::NotSupported,
                "perf has no counters for these events here: {}; virtual machines and containers often \
                 have none of the processor. `--perf-events=task-clock,faults,context-switches` or \
                 `Perf::event_set` chooses others",
            ),
            (
                MissingCount::NotCounted,
                "these events were never counted: {}; the processor may have fewer counters than the \
                 event set has events, several sets are counted one after the other",
            ),
            (
                MissingCount::Multiplexed,
                "these events were counted for a part of the time only and are left out: {}; several \
                 event sets are counted one after the other, `Perf::min_pcnt_running` takes estimates",
            ),
            (
                MissingCount::NothingCounted,
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
