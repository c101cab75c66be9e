//! Stacks that allocated, under DHAT: compared with those of before, kept for later comparisons,
//! and drawn if flamegraphs are requested.
//!
//! They are resolved while the executable is there, since the next build replaces it. A failure
//! does not change the result.

use std::io;
use std::path::{Path, PathBuf};

use iai_callgrind::protocol::DhatMetric;

use super::digest_file;
use super::flamegraphs::{DrawnFlamegraphs, HeapDrawing, PicturePlace};
use crate::error::{FileContext, Result};
use crate::plan::Job;
use crate::results::{BenchmarkSlots, NewResults, OldResults};
use base::tool::{Tool, ToolFile};
use explain::heap_stacks::{
    format, heap_sites, HeapPoint, HeapSources, HeapStacks, ResolvedProfile,
};
use explain::{kept_digest, HeapSites};
use formats::dhat::{self, DhatProfile};
use formats::FileError;
use metrics::readers::dhat::selected as counted_points;
use metrics::readers::Selection;
use metrics::{MetricValue, Metrics};
use records::layout::Slot;
use store::{NewFile, WorkDirectory};
use symbols::{CodeObject, Symbolizer};

/// Results from the stacks of a DHAT job.
#[derive(Default)]
pub(super) struct HeapOutcome {
    /// Flamegraphs, if the job asks for some.
    pub(super) drawn: DrawnFlamegraphs,
    /// The file of the new stacks, in `work`.
    pub(super) kept: Option<NewFile>,
    /// Places that allocate more or less than before.
    pub(super) sites: Option<Box<HeapSites>>,
}

/// Draws the requested flamegraphs of DHAT, compares the stacks with those of the old result, and
/// writes the new ones to a file in `work`.
pub(super) fn outcome(
    job: &Job,
    new: &NewResults<'_>,
    old: &OldResults,
    kept: &BenchmarkSlots<'_>,
    symbolizer: &Symbolizer,
    work: &WorkDirectory,
) -> Result<HeapOutcome> {
    let mut outcome = HeapOutcome::default();
    if job.flamegraph.is_none() && job.explain.is_none() {
        return Ok(outcome);
    }
    let heap = HeapOfJob {
        job,
        selection: new.selection,
        results: kept,
        symbolizer,
    };
    let files: Vec<PathBuf> = new.files.outs().into_iter().map(Path::to_owned).collect();
    let stacks = match heap.new_stacks(&files) {
        Ok(stacks) => stacks,
        Err(error) => {
            outcome.drawn = heap.not_drawn(&error);
            return Ok(outcome);
        }
    };
    let both = heap.both(&stacks, &files, &old.files);
    outcome.drawn = heap.drawn(&stacks, both.as_ref(), work.path())?;
    let sums = (old.metrics.as_ref(), job.explain.is_some());
    if let (Some((None, before)), (Some(metrics), true)) = (&both, sums) {
        // Stacks that do not add up to the figures would explain a different change.
        let adds_up = adds_up(before, metrics) && adds_up(&stacks, &new.metrics);
        let sites = adds_up.then(|| heap_sites(before, &stacks)).flatten();
        outcome.sites = sites.map(Box::new);
    }
    // A loaded result has its stacks beside it.
    if kept.baseline.run {
        let bytes = format::write(&stacks).map_err(io::Error::from);
        let bytes = bytes.context("write", work.path())?;
        outcome.kept = Some(digest_file::write(digest_file::name(job), &bytes, work)?);
    }
    Ok(outcome)
}

/// Are the sums over the stacks the figures of the result?
fn adds_up(stacks: &HeapStacks, metrics: &Metrics) -> bool {
    let sum = |of: fn(&HeapPoint) -> u64| {
        let amounts = stacks.points.iter().map(of);
        // Saturating, since a file may contain any numbers.
        MetricValue::Int(amounts.fold(0, u64::saturating_add))
    };
    metrics.get(DhatMetric::TotalBytes) == Some(sum(|point| point.bytes))
        && metrics.get(DhatMetric::TotalBlocks) == Some(sum(|point| point.blocks))
}

/// The heap of one benchmark.
struct HeapOfJob<'a> {
    job: &'a Job,
    selection: Selection<'a>,
    results: &'a BenchmarkSlots<'a>,
    symbolizer: &'a Symbolizer,
}

/// Stacks of both sides with names of the same origin, the executable or Valgrind. The new side is
/// `None` if the names that it has fit.
type BothStacks = (Option<HeapStacks>, HeapStacks);

impl HeapOfJob<'_> {
    fn drawn(
        &self,
        new: &HeapStacks,
        both: Option<&BothStacks>,
        work: &Path,
    ) -> Result<DrawnFlamegraphs> {
        let drawing = HeapDrawing {
            place: PicturePlace::of(self.job, self.results, work),
            new,
            both: both.map(|(same, old)| (same.as_ref().unwrap_or(new), old)),
        };
        drawing.draw()
    }

    /// The result without flamegraphs, with a note if some are requested.
    fn not_drawn(&self, error: &FileError) -> DrawnFlamegraphs {
        let mut none = DrawnFlamegraphs::default();
        let text = format!("{error}: {}", error.source);
        match self.job.flamegraph.is_some() {
            true => none.notes.push(format!("no flamegraph: {text}")),
            false => log::debug!("{}: no stacks: {text}", self.job.benchmark_path),
        }
        none
    }

    /// Stacks of the new result, with the names of the executable.
    fn new_stacks(&self, files: &[PathBuf]) -> Result<HeapStacks, FileError> {
        let baseline = self.results.baseline;
        if !baseline.run {
            // The executable may have been replaced since.
            return match self.kept(&baseline.write) {
                Some(kept) => Ok(kept),
                None => self.stacks(files, None),
            };
        }
        // Stacks without inlined functions and lines are better than none, so this is no failure.
        let executable = self.symbolizer.object(&self.job.target.program);
        if let Err(error) = &executable {
            log::debug!(
                "{}: names as Valgrind has them: {error}",
                self.job.benchmark_path
            );
        }
        self.stacks(files, executable.ok().as_deref())
    }

    /// Both sides, if there is an old result that can be read.
    fn both(&self, new: &HeapStacks, files: &[PathBuf], old: &[PathBuf]) -> Option<BothStacks> {
        if old.is_empty() {
            return None;
        }
        if let Some(kept) = self.kept(&self.results.baseline.compare) {
            // Programs in ad-hoc mode count units of their own, to which bytes cannot be compared.
            let is_same = kept.is_ad_hoc == new.is_ad_hoc;
            return is_same.then_some((None, kept));
        }
        // Valgrind's names are good enough for pictures only: places need files and lines.
        self.job.flamegraph.as_ref()?;
        let of_valgrind = |files: &[PathBuf]| self.stacks(files, None).ok();
        Some((Some(of_valgrind(files)?), of_valgrind(old)?))
    }

    fn stacks(
        &self,
        files: &[PathBuf],
        executable: Option<&CodeObject>,
    ) -> Result<HeapStacks, FileError> {
        let mut profiles: Vec<(DhatProfile, Vec<bool>)> = Vec::new();
        for file in files {
            if let Some(profile) = dhat::read_file(file)? {
                let selected = counted_points(&profile, self.selection);
                profiles.push((profile, selected));
            }
        }
        let sources = HeapSources {
            entry: self.selection.entry,
            regions: self.selection.regions,
            executable,
            workspace: &self.job.target.workspace,
        };
        let profiles: Vec<ResolvedProfile<'_>> = profiles
            .iter()
            .map(|(profile, selected)| ResolvedProfile { profile, selected })
            .collect();
        Ok(sources.stacks(&profiles))
    }

    /// The stacks that were kept with a result. Unreadable ones count as missing.
    fn kept(&self, slot: &Slot) -> Option<HeapStacks> {
        let files = self.results.entry.files(slot, Tool::Dhat, ToolFile::Digest);
        let stacks = kept_digest::read_with(files.first()?, |bytes| format::read(&bytes));
        stacks.unwrap_or_else(|error| {
            log::debug!("{error}");
            None
        })
    }
}
