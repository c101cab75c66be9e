//! The result that a new one is compared with.
//!
//! In: the files of a kept result and its record. Out: its metrics and circumstances. A result that cannot
//! be read counts as absent, with a note: the new run replaces it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use iai_callgrind::protocol::Throughput;

use super::readers::{self, ToolReader};
use super::selection::Selection;
use super::{inputs, processes, while_it_ran, NewResults};
use crate::compare::{Circumstances, OtherInput};
use crate::error::Result;
use crate::metrics::{CounterSet, MeasuredProcess, Metrics};
use crate::parse::log::{self, Log, LogText};
use crate::parse::FileError;
use crate::plan::{combines_dumps, Job};
use crate::settings::Baseline;
use crate::store::{BenchmarkEntry, FileName, Slot};
use crate::summary::{Environment, KeptRecords, Mode};
use crate::tool::{self, CountedUnit, ToolFile};

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
    pub(crate) circumstances: Option<Arc<Circumstances>>,
    /// Mode and facts of the tool in the record of the old result.
    pub(crate) made: Option<(Mode, Arc<Environment>)>,
    /// Amounts that the old run handled, if they are known.
    pub(crate) throughput: Option<Throughput>,
    /// Difference between the arguments of both results.
    pub(crate) other_input: Option<OtherInput>,
    /// Notes about parts that cannot be compared.
    pub(crate) notes: Vec<String>,
    /// Requested results that are missing.
    pub(crate) missing: Vec<String>,
    /// Its profile and its log are those of the new result but for the numbers of processes, and there are no others.
    pub(crate) is_like_new: bool,
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
    records: &KeptRecords,
    entry: &BenchmarkEntry,
    baseline: &Baseline,
    new: &NewResults<'_>,
) -> Result<OldResults> {
    let mut old = read(job, records, entry, &baseline.compare, new)?;
    let other_input =
        inputs::other(job, records, entry, baseline).filter(|_| old.metrics.is_some());
    if let Some(other) = &other_input {
        let note = inputs::note(other, job, baseline);
        if !other.compared {
            // A baseline was asked for.
            let missing = baseline.missing().filter(|_| baseline.strict);
            old = OldResults {
                missing: missing.map(|_| note.clone()).into_iter().collect(),
                ..OldResults::only(old.notes)
            };
        }
        old.notes.push(note);
    }
    // A result that is there and cannot be read has a note already.
    let absent = old.metrics.is_none() && old.notes.is_empty();
    old.missing.extend(baseline.missing().filter(|_| absent));
    old.other_input = other_input;
    Ok(old)
}

impl OldResults {
    /// No old result, with notes.
    fn only(notes: Vec<String>) -> Self {
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
) -> Result<OldResults> {
    let what = match slot {
        Slot::Last => "the last result".to_owned(),
        named => named.to_string(),
    };
    let (kept, damaged) = match records.of_tool(entry, slot, job.tool) {
        Ok(kept) => (kept, None),
        Err(reason) => (None, Some(reason)),
    };
    let selection = Selection {
        combined: kept
            .as_ref()
            .is_some_and(|kept| combines_dumps(kept.valgrind_args())),
        ..new.selection
    };
    let files = entry.files(slot, job.tool, ToolReader::of(job.tool).file());
    let (sets, has_like_profile) = match counters(job, &files, selection, new) {
        Ok((sets, _)) if sets.is_empty() => return Ok(OldResults::default()),
        Ok(found) => found,
        Err(reason) => {
            let note = format!("{what} cannot be compared with, {reason}");
            return Ok(OldResults::only(vec![note]));
        }
    };
    let is_profile_like_new = has_like_profile && files.len() == 1;
    let found = match is_profile_like_new {
        // Nothing is in the new ones yet that is not in the profile.
        true => Ok(new.metrics.clone()),
        false => Metrics::of_sets(job.tool, sets.iter().map(|(_, set)| set)),
    };
    let mut metrics = match found {
        // The old run measured no regions.
        Ok(metrics) if selection.regions && metrics.is_zero() => return Ok(OldResults::default()),
        Ok(metrics) => metrics,
        Err(reason) => {
            let note = format!("{what} cannot be compared with: {reason}");
            return Ok(OldResults::only(vec![note]));
        }
    };
    if let Some(found) = kept.as_ref().and_then(|kept| kept.allocations()) {
        found.add_to(&mut metrics);
    }
    let throughput = kept.as_ref().and_then(|kept| kept.throughput());
    if let Some(throughput) = throughput {
        metrics.add_per_unit(job.tool, throughput);
    }
    let unknown = damaged.map(|damaged| {
        format!("{damaged}; what {what} was made with is not known, and not compared")
    });
    let (processes, has_like_log) = processes(job, entry, slot, sets, new);
    Ok(OldResults {
        metrics: Some(metrics),
        is_like_new: is_profile_like_new && has_like_log,
        files,
        processes,
        circumstances: kept.as_ref().map(|kept| records.circumstances(kept)),
        made: kept.map(|kept| kept.made()),
        throughput,
        ..OldResults::only(unknown.into_iter().collect())
    })
}

/// Counters of each process, thread and part in these files, and whether one is the new profile but for its process. `Err`: reason why a
/// file cannot be read.
fn counters(
    job: &Job,
    files: &[PathBuf],
    selection: Selection<'_>,
    new: &NewResults<'_>,
) -> std::result::Result<(SetsOfProcesses, bool), String> {
    let reader = ToolReader::of(job.tool);
    let mut sets = Vec::new();
    let mut has_like = false;
    let mut event_set = 0;
    for path in files {
        let damaged = |reason: &str| format!("`{}` cannot be read: {reason}", path.display());
        let found = match reader {
            // With threads, parts of the new one are left out already.
            ToolReader::Profile if !job.args.count_threads => of_profile(path, selection, new),
            _ => reader.read(path, selection).map(|found| (found, false)),
        };
        let (found, is_like) = found.map_err(|error| damaged(&error.source.to_string()))?;
        has_like |= is_like;
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
    Ok((sets, has_like))
}

/// Reads a profile. Most often it is that of the new result but for its process (`true`), and then its counters are those.
fn of_profile(
    path: &Path,
    selection: Selection<'_>,
    new: &NewResults<'_>,
) -> std::result::Result<(Option<Vec<CounterSet>>, bool), FileError> {
    let text = readers::text_of(path, selection)?;
    if let (Some(text), Some((other, sets))) = (&text, new.files.held()) {
        if let Some(process) = text.process_if_like(other) {
            let of_process = |set: &CounterSet| CounterSet {
                pid: set.pid.and(Some(process)),
                ..set.clone()
            };
            return Ok((Some(sets.iter().map(of_process).collect()), true));
        }
    }
    Ok((readers::of_profile(path, text.as_ref(), selection)?, false))
}

/// The processes, and whether the log is the new one but for them.
fn processes(
    job: &Job,
    entry: &BenchmarkEntry,
    slot: &Slot,
    mut sets: SetsOfProcesses,
    new: &NewResults<'_>,
) -> (Vec<MeasuredProcess>, bool) {
    if tool::row(job.tool).counted_unit != CountedUnit::Process {
        return (Vec::new(), false);
    }
    let paths = entry.files(slot, job.tool, ToolFile::Log);
    let held = new.files.held_log().filter(|_| paths.len() == 1);
    let (logs, are_like): (Vec<Log>, Vec<bool>) =
        paths.iter().filter_map(|path| old_log(path, held)).unzip();
    // Names of files tell the process only if there were several.
    if let [log] = logs.as_slice() {
        for (pid, _) in &mut sets {
            *pid = log.pid;
        }
    }
    (processes::of_run(sets, logs.iter()), are_like == [true])
}

/// What a log tells, and whether it is the new one but for its processes. `None`: it tells nothing, or cannot be read.
fn old_log(path: &Path, new: Option<(&LogText, &Log)>) -> Option<(Log, bool)> {
    let text = LogText::read(path).ok()?;
    let like = || text.as_ref()?.log_if_like(new?);
    match like() {
        Some(log) => Some((log, true)),
        None => Some((log::read_held(path, text.as_ref()).ok()??, false)),
    }
}
