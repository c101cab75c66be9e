//! The result that a new one is compared with.
//!
//! In: the files of a kept result and its record. Out: its metrics and conditions. A result that
//! cannot be read counts as absent, with a note: the new run replaces it.

use std::path::PathBuf;
use std::sync::Arc;

use iai_callgrind::protocol::Throughput;

use super::{inputs, BenchmarkSlots, NewResults};
use crate::error::Result;
use crate::plan::{combines_dumps, Job};
use base::tool::{self, CountedUnit, ToolFile};
use formats::log::{self, Log};
use formats::ParseErrorKind;
use metrics::readers::{Selection, ToolReader};
use metrics::{processes, while_it_ran, CounterSet, MeasuredProcess, Metrics};
use records::layout::{BenchmarkEntry, FileName, Slot};
use records::summary::{Environment, ObjectCosts, OtherInput, Repeated};
use records::{label_words, Circumstances, KeptRecord, KeptRecords, LACKS_BLOCKS};

/// Counters with the numbers of their processes, if they are known.
type SetsOfProcesses = Vec<(Option<u32>, CounterSet)>;

/// The old result of a benchmark under one tool, as far as it can be compared with.
#[derive(Debug, Default)]
pub(crate) struct OldResults {
    /// Metrics; absent if there is no result, or none that can be compared with.
    pub(crate) metrics: Option<Metrics>,
    /// Output files of the old result.
    pub(crate) files: Vec<PathBuf>,
    /// Processes; empty under perf, which only knows the whole.
    pub(crate) processes: Vec<MeasuredProcess>,
    /// Circumstances of the old run, if they are known.
    pub(crate) circumstances: Option<Circumstances>,
    /// The facts of the tool, if they are known.
    pub(crate) environment: Option<Environment>,
    /// Amounts that the old run handled, if they are known.
    pub(crate) throughput: Option<Throughput>,
    /// Difference between the arguments of both results.
    pub(crate) other_input: Option<OtherInput>,
    /// Notes about parts that cannot be compared.
    pub(crate) notes: Vec<String>,
    /// Requested results that are missing.
    pub(crate) missing: Vec<String>,
    /// The kept result has another label, and so is of another benchmark: this one is new.
    is_of_other_label: bool,
    /// The requested baseline has no result of any benchmark.
    pub(crate) is_unknown_baseline: bool,
    /// Costs by executable and library; empty if they are not known.
    pub(crate) objects: Vec<ObjectCosts>,
    /// The counts of one more run, if there was one.
    pub(crate) repeated: Option<Repeated>,
    /// The record of the old result, if it has one.
    pub(crate) record: Option<Arc<str>>,
}

/// Reads the result that a new one is compared with, by the same selection as the new one.
///
/// This comes after the run, since a failed one needs no old result.
///
/// # Errors
///
/// The directory of the results cannot be listed.
pub(crate) fn previous(
    job: &Job,
    kept: &BenchmarkSlots<'_>,
    new: &NewResults<'_>,
    label: Option<&str>,
) -> Result<OldResults> {
    let BenchmarkSlots {
        baseline,
        entry,
        records,
        ..
    } = kept;
    let old = read(job, records, entry, &baseline.compare, new, label)?;
    let mut old = inputs::check(old, job, kept);
    // A result that is there and cannot be read has a note already.
    let absent = old.metrics.is_none() && (old.notes.is_empty() || old.is_of_other_label);
    let missing = baseline.missing().filter(|_| absent);
    // If the baseline has results of other benchmarks, this one is new, as in `compare`.
    old.is_unknown_baseline = missing.is_some() && !entry.records(&baseline.compare).is_file();
    old.missing.extend(missing);
    Ok(old)
}

impl OldResults {
    /// Is there a result to compare with, or was a baseline asked for, and nothing can be compared
    /// with?
    pub(crate) fn is_not_compared(&self) -> bool {
        let is_unreadable = !self.notes.is_empty() && !self.is_of_other_label;
        self.metrics.is_none() && (self.is_unknown_baseline || is_unreadable)
    }

    /// No old result, with notes.
    pub(super) fn only(notes: Vec<String>) -> Self {
        Self {
            notes,
            ..Self::default()
        }
    }
}

fn read(
    job: &Job,
    records: &KeptRecords,
    entry: &BenchmarkEntry,
    slot: &Slot,
    new: &NewResults<'_>,
    label: Option<&str>,
) -> Result<OldResults> {
    let what = match slot {
        Slot::Last => "the last result".to_owned(),
        named => named.to_string(),
    };
    let kept = match records.of_tool(entry, slot, job.tool) {
        Ok(kept) => kept,
        // Nobody could judge it: what it was made with is not known.
        Err(reason) => {
            let note = format!("{what} cannot be compared with, its record {reason}");
            return Ok(OldResults::only(vec![note]));
        }
    };
    let selection = Selection {
        combined: kept
            .as_ref()
            .is_some_and(|kept| combines_dumps(&kept.environment.valgrind_args)),
        ..new.selection
    };
    let files = entry.files(slot, job.tool, ToolReader::of(job.tool).file());
    let found = counters(job, &files, selection);
    // A file that cannot be read explains more than a record that does not fit it.
    if let Some(misfit) = kept
        .as_ref()
        .and_then(|kept| kept.misfit(entry))
        .filter(|_| found.is_ok())
    {
        let note =
            format!("{what} cannot be compared with, its record does not fit its files: {misfit}");
        return Ok(OldResults::only(vec![note]));
    }
    // `compare` takes them for two benchmarks.
    let other_label = kept.as_ref().filter(|kept| kept.label.as_deref() != label);
    if let Some(kept) = other_label.filter(|_| found.is_ok()) {
        let (theirs, ours) = (label_words(kept.label.as_deref()), label_words(label));
        let note = format!("{what} has {theirs}, and this one {ours}: not compared");
        return Ok(OldResults {
            is_of_other_label: true,
            ..OldResults::only(vec![note])
        });
    }
    let sets = match found {
        Ok(sets) if sets.is_empty() => return Ok(OldResults::default()),
        Ok(sets) => sets,
        Err(reason) => {
            let note = format!("{what} cannot be compared with, {reason}");
            return Ok(OldResults::only(vec![note]));
        }
    };
    let metrics = match figures(job, kept.as_ref(), new, &sets) {
        Ok(Some(metrics)) => metrics,
        Ok(None) => return Ok(OldResults::default()),
        Err(reason) => {
            let note = format!("{what} cannot be compared with: {reason}");
            return Ok(OldResults::only(vec![note]));
        }
    };
    let old = OldResults {
        metrics: Some(metrics),
        files,
        processes: processes(job, entry, slot, sets),
        throughput: kept.as_ref().and_then(|kept| kept.throughput),
        ..OldResults::default()
    };
    let Some(kept) = kept else { return Ok(old) };
    Ok(OldResults {
        circumstances: Some(Arc::unwrap_or_clone(kept.result.circumstances)),
        objects: kept.result.objects,
        repeated: kept.result.repeated,
        record: Some(kept.json),
        environment: Some(kept.environment),
        ..old
    })
}

/// The figures of an old result. `None`: it measured no regions, and its counted part is unknown.
fn figures(
    job: &Job,
    kept: Option<&KeptRecord>,
    new: &NewResults<'_>,
    sets: &SetsOfProcesses,
) -> std::result::Result<Option<Metrics>, ParseErrorKind> {
    let metrics = Metrics::of_sets(job.tool, sets.iter().map(|(_, set)| set))?;
    let without_regions = new.selection.regions && metrics.is_zero();
    let Some(kept) = kept else {
        return Ok(Some(metrics).filter(|_| !without_regions));
    };
    // The files contain costs of other parts as well. Sums by the new selection would be figures
    // that no run has reported.
    let recorded_part = kept.environment.counted_part.as_ref();
    let part = job.args.entry.counted_part(new.regions);
    let is_other_part =
        recorded_part.is_some_and(|old| old.strip_suffix(LACKS_BLOCKS).unwrap_or(old) != part);
    if is_other_part || without_regions {
        return Ok(Some(kept.result.to_metrics()));
    }
    let mut metrics = metrics;
    if let Some(found) = kept.allocations {
        found.add_to(&mut metrics);
    }
    if let Some(throughput) = kept.throughput {
        metrics.add_per_unit(job.tool, throughput);
    }
    Ok(Some(metrics))
}

/// Counters of each process, thread and part in these files. `Err`: reason why a file cannot be
/// read.
fn counters(
    job: &Job,
    files: &[PathBuf],
    selection: Selection<'_>,
) -> std::result::Result<SetsOfProcesses, String> {
    let reader = ToolReader::of(job.tool);
    let mut sets = Vec::new();
    let mut event_set = 0;
    for path in files {
        let damaged = |reason: &str| format!("`{}` cannot be read: {reason}", path.display());
        let found = reader.read(path, selection);
        let found = found.map_err(|error| damaged(&error.source.to_string()))?;
        let found = found.unwrap_or_default();
        if found.iter().any(|set| set.incomplete) {
            return Err(damaged("it is not complete"));
        }
        let pid = FileName::pid(path, job.tool, &job.benchmark_path.stem());
        for mut set in found {
            if tool::row(job.tool).counted_unit == CountedUnit::EventSet {
                // The names are in the order of the event sets.
                event_set += 1;
                set.part = Some(event_set);
            }
            sets.push((set.pid.or(pid), set));
        }
    }
    if job.args.count_threads {
        let mut read: Vec<_> = sets.iter_mut().map(|(pid, set)| (*pid, set)).collect();
        let mut kept = while_it_ran::mark(&mut read).into_iter();
        sets.retain(|_| kept.next().unwrap_or(true));
    }
    Ok(sets)
}

/// The processes, completed by their logs.
fn processes(
    job: &Job,
    entry: &BenchmarkEntry,
    slot: &Slot,
    mut sets: SetsOfProcesses,
) -> Vec<MeasuredProcess> {
    if tool::row(job.tool).counted_unit != CountedUnit::Process {
        return Vec::new();
    }
    let paths = entry.files(slot, job.tool, ToolFile::Log);
    let read = paths.iter().filter_map(|path| log::read_file(path).ok()?);
    let logs: Vec<Log> = read.collect();
    // Names of files tell the process only if there were several.
    if let [log] = logs.as_slice() {
        for (pid, _) in &mut sets {
            *pid = log.pid;
        }
    }
    processes::of_run(sets, logs.iter())
}
