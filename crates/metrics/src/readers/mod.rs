//! One reader for each tool: its files to [`CounterSet`]s.
//!
//! In: a file of a tool, and the selection that counts. Out: a set for each process, or for each
//! thread and dump of it. A new tool is a row of `ToolReader::of` and a function below it.

pub mod dhat;
mod dhat_heap;
pub mod samples;
mod selection;

use std::path::Path;
use std::sync::Arc;

use iai_callgrind::protocol::wire::{BEGIN_HINT as BEGINS, DUMP_HINT as RETURNED};

pub use self::samples::SampleFilter;
pub use self::selection::Selection;
use crate::CounterSet;
use base::tool::{Tool, ToolFile};
use formats::callgrind::TotalsOf;
use formats::log::{self, Log};
use formats::{cachegrind, callgrind, massif, perf, FileError};

/// Counters of a file; `None`: the file is empty.
pub type CounterSets = Result<Option<Vec<CounterSet>>, FileError>;

/// Files that have the figures of a tool, and the function that reads them.
pub enum ToolReader {
    /// Output files.
    Out(fn(&Path, Selection<'_>) -> CounterSets),
    /// The log. `None`: the process was killed.
    Log(fn(&Log) -> Option<Vec<CounterSet>>),
}

impl ToolReader {
    /// The reader of a tool.
    pub fn of(tool: Tool) -> Self {
        match tool {
            Tool::Callgrind => Self::Out(of_profile),
            Tool::Cachegrind => Self::Out(of_cachegrind),
            Tool::Dhat => Self::Out(dhat::counters),
            Tool::Massif => Self::Out(of_massif),
            Tool::Perf => Self::Out(of_perf),
            // A child that does not call `exec` writes into its parent's file; the logs are
            // complete.
            Tool::Bbv => Self::Log(of_bbv),
            Tool::Memcheck | Tool::Helgrind | Tool::Drd => Self::Log(of_error_tool),
        }
    }

    /// Kind of file that has the figures.
    pub fn file(&self) -> ToolFile {
        match self {
            Self::Out(_) => ToolFile::Out,
            Self::Log(_) => ToolFile::Log,
        }
    }

    /// Reads one file of this kind.
    pub fn read(&self, path: &Path, selection: Selection<'_>) -> CounterSets {
        match self {
            Self::Out(read) => read(path, selection),
            Self::Log(of_log) => Ok(log::read_file(path)?.as_ref().and_then(of_log)),
        }
    }
}

/// Named counters, without those that are not in the file.
fn named<const N: usize>(counters: [(&str, Option<u64>); N]) -> Vec<(String, u64)> {
    let given = counters
        .into_iter()
        .filter_map(|(name, count)| Some((name.to_owned(), count?)));
    given.collect()
}

/// Calls of functions that match patterns are read for notes: costs outside of them were not
/// collected.
fn of_profile(path: &Path, selection: Selection<'_>) -> CounterSets {
    let totals = match selection.regions {
        true => TotalsOf::Regions,
        false => TotalsOf::All,
    };
    if selection.by_calls() {
        let found = callgrind::read_calls_of_file(path, totals, selection.entry)?;
        return Ok(found.map(|(profile, entered)| {
            let parts = profile.parts.into_iter().zip(entered);
            let set = |(part, entered)| CounterSet {
                entered: Some(Arc::new(entered)),
                ..of_part(part)
            };
            parts.map(set).collect()
        }));
    }
    // With combined dumps a file has totals of several parts, so the end alone is not enough.
    let profile = match selection.combined {
        true => callgrind::read_file(path)?,
        false => callgrind::read_totals_of_file(path)?,
    };
    let sets =
        |profile: callgrind::CallgrindProfile| profile.parts.into_iter().map(of_part).collect();
    Ok(profile.map(sets))
}

fn of_part(part: callgrind::CallgrindPart) -> CounterSet {
    let trigger = part.trigger.as_deref().unwrap_or_default();
    let at_begin = trigger.ends_with(BEGINS.as_bytes());
    let at_return = trigger.ends_with(RETURNED.as_bytes());
    CounterSet {
        pid: part.pid,
        thread: part.thread,
        part: part.part,
        counters: part.events.into_iter().zip(part.totals).collect(),
        caches: part.caches,
        time_unit: part.time_unit,
        trigger: part.trigger.as_deref().and_then(asked_for),
        at_begin,
        at_return,
        incomplete: part.flags.contains(&callgrind::CallgrindFlag::Incomplete),
        ..CounterSet::default()
    }
}

/// The text that a program gave a dump: the only name that a user can give a part.
fn asked_for(trigger: &[u8]) -> Option<String> {
    let text = trigger.strip_prefix(b"Client Request:")?.trim_ascii();
    (!text.is_empty()).then(|| String::from_utf8_lossy(text).into_owned())
}

fn of_cachegrind(path: &Path, selection: Selection<'_>) -> CounterSets {
    let set = |profile: cachegrind::CachegrindProfile| {
        vec![CounterSet {
            counters: profile.events.into_iter().zip(profile.totals).collect(),
            caches: profile.caches,
            incomplete: profile
                .flags
                .contains(&cachegrind::CachegrindFlag::Incomplete),
            ..CounterSet::default()
        }]
    };
    let profile = match selection.brackets {
        true => cachegrind::read_benchmark_file(path)?,
        false => cachegrind::read_file(path)?,
    };
    Ok(profile.map(set))
}

fn of_massif(path: &Path, _: Selection<'_>) -> CounterSets {
    let Some(profile) = massif::read_file(path)? else {
        return Ok(None);
    };
    let peak = profile.peak().copied();
    let count = |count: usize| Some(count as u64);
    let detailed = profile
        .snapshots
        .iter()
        .filter(|snapshot| snapshot.detailed);
    let counters = named([
        ("PeakTotal", peak.map(|peak| peak.total)),
        ("PeakHeap", peak.map(|peak| peak.heap)),
        ("PeakExtraHeap", peak.map(|peak| peak.extra)),
        ("PeakStack", peak.map(|peak| peak.stacks)),
        (
            "PeakTime",
            peak.and_then(|peak| u64::try_from(peak.time).ok()),
        ),
        ("AtEndTotal", profile.end.map(|end| end.total)),
        (
            "LastTotal",
            profile
                .snapshots
                .last()
                .filter(|_| profile.end.is_none())
                .map(|last| last.total),
        ),
        ("Snapshots", count(profile.snapshots.len())),
        ("DetailedSnapshots", count(detailed.count())),
    ]);
    Ok(Some(vec![CounterSet {
        counters,
        incomplete: profile.flags.contains(&massif::MassifFlag::Incomplete),
        time_unit: profile.time_unit,
        ..CounterSet::default()
    }]))
}

/// The means of the samples. The first sample is a warm-up, if there are others.
pub fn of_perf(path: &Path, selection: Selection<'_>) -> CounterSets {
    let everything = SampleFilter::default();
    let samples = selection.samples.unwrap_or(&everything);
    let set = |profile: perf::PerfProfile| {
        let (figures, without) = samples.figures(&profile);
        vec![CounterSet {
            figures,
            without,
            ..CounterSet::default()
        }]
    };
    Ok(perf::read_file(path)?.map(set))
}

fn of_bbv(log: &Log) -> Option<Vec<CounterSet>> {
    if log.threads.is_empty() {
        return None;
    }
    let set = |totals: &formats::bbv::BbvTotals| CounterSet {
        pid: log.pid,
        thread: Some(totals.thread),
        counters: named([
            ("Instructions", Some(totals.instructions)),
            ("Intervals", Some(totals.intervals)),
            ("Reps", Some(totals.reps)),
            ("UniqueReps", Some(totals.unique_reps)),
            ("Fldcw", Some(totals.fldcw)),
        ]),
        ..CounterSet::default()
    };
    Some(log.threads.iter().map(set).collect())
}

fn of_error_tool(log: &Log) -> Option<Vec<CounterSet>> {
    let errors = log.errors?;
    Some(vec![CounterSet {
        pid: log.pid,
        counters: named([
            ("Errors", Some(errors.errors)),
            ("Contexts", Some(errors.contexts)),
            ("SuppressedErrors", Some(errors.suppressed)),
            ("SuppressedContexts", Some(errors.suppressed_contexts)),
        ]),
        ..CounterSet::default()
    }])
}
