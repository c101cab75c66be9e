//! The files of a tool to [`Unit`]s: the counters of one process, or of one thread and dump of it, in
//! the one shape that all tools share.
//!
//! Counters have the names of events (`Ir`) or of the variants of the tool's metrics (`TotalBytes`).

use std::path::Path;

use iai_callgrind::protocol::wire::{BEGIN_HINT as BEGINS, DUMP_HINT as RETURNED};

use super::dhat_heap as heap;
use super::sample_means::Samples;
use crate::entry_functions::{EntryFunctions, EVERYTHING};
use crate::measured_function;
use crate::metrics::perf::Figure;
use crate::parse::callgrind::Totals;
use crate::parse::log::Log;
use crate::parse::{cachegrind, callgrind, dhat, massif, perf, FileError, ParseError, Reason};

/// The counters of one process, thread and part.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Unit {
    /// The process, if the file names it.
    pub pid: Option<u32>,
    /// The slot of the thread, from 1.
    pub thread: Option<u64>,
    /// The number of the dump, from 1.
    pub part: Option<u64>,
    /// Names and counts.
    pub counters: Vec<(String, u64)>,
    /// What perf says about events, by their names.
    pub figures: Vec<(String, Figure)>,
    /// Events of perf without a figure, and why there is none.
    pub without: Vec<(String, perf::Missing)>,
    /// What was simulated: `I1 cache: 32768 B, 64 B, 8-way associative`.
    pub caches: Vec<String>,
    /// The unit of what is a time: `ns`.
    pub time_unit: Option<String>,
    /// Why it was written, if the program asked for it and said so.
    pub trigger: Option<String>,
    /// It was written right before the benchmark (`count_threads`).
    pub at_begin: bool,
    /// It was written when the benchmark had returned (`count_threads`).
    pub at_return: bool,
    /// Bytes and blocks that the process allocated, if none of them counts.
    pub left_out: Option<(u64, u64)>,
    /// How many of the blocks that show whether the heap is seen are in the file; they are in no
    /// counter.
    pub heap_marks: Option<u64>,
    /// The tool was stopped while writing.
    pub incomplete: bool,
    /// What the user should know about the counters.
    pub notes: Vec<String>,
    /// The calls of measured functions, where they are to be proven (Callgrind).
    pub entered: Option<callgrind::Entered>,
}

/// What of a file counts.
#[derive(Debug, Clone, Copy)]
pub struct Selection<'a> {
    /// The functions that count.
    pub entry: &'a EntryFunctions,
    /// Only what ran inside of `iai_callgrind::measure` counts.
    pub regions: bool,
    /// A file of Callgrind may hold several parts (`--combine-dumps=yes`), which the short way to the
    /// totals cannot see.
    pub combined: bool,
    /// How many callers DHAT noted of each allocation, if not as many as we ask for.
    pub stack_depth: Option<usize>,
    /// Which samples of perf count; everything if nothing is said.
    pub samples: Option<&'a Samples>,
}

/// What is in a file; `None`: it is empty.
pub type Units = Result<Option<Vec<Unit>>, FileError>;

impl Default for Selection<'_> {
    fn default() -> Self {
        Self {
            entry: &EVERYTHING,
            regions: false,
            combined: false,
            stack_depth: None,
            samples: None,
        }
    }
}

impl Selection<'_> {
    /// Is nothing left out?
    #[must_use]
    pub fn is_everything(&self) -> bool {
        self.entry.is_everything() && !self.regions
    }
}

/// Where the figures of a tool stand.
pub(crate) enum Source {
    /// In output files.
    Out(fn(&Path, Selection<'_>) -> Units),
    /// In the log. `None`: the process was killed.
    Log(fn(&Log) -> Option<Vec<Unit>>),
}

impl Unit {
    /// Was nothing counted?
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.counters.iter().all(|(_, count)| *count == 0)
    }
}

/// The counters of all units, added up by name, in the order of their appearance.
///
/// Fails if a sum does not fit into 64 bits.
pub fn totals<'a>(
    units: impl IntoIterator<Item = &'a Unit>,
) -> Result<Vec<(&'a str, u64)>, Reason> {
    let mut sums: Vec<(&str, u64)> = Vec::new();
    for (name, count) in units.into_iter().flat_map(|unit| &unit.counters) {
        match sums.iter_mut().find(|(known, _)| known == name) {
            None => sums.push((name, *count)),
            Some((_, sum)) => {
                let overflow = || Reason::SumOverflow(name.clone());
                *sum = sum.checked_add(*count).ok_or_else(overflow)?;
            }
        }
    }
    Ok(sums)
}

fn counters<const N: usize>(counters: [(&str, Option<u64>); N]) -> Vec<(String, u64)> {
    let given = counters
        .into_iter()
        .filter_map(|(name, count)| Some((name.to_owned(), count?)));
    given.collect()
}

/// The patterns are no part of the selection: what is outside of these functions was not collected.
pub(crate) fn of_callgrind(path: &Path, selection: Selection<'_>) -> Units {
    let totals = match selection.regions {
        true => Totals::Regions,
        false => Totals::All,
    };
    if selection.regions || selection.entry.measured {
        let found = callgrind::read_calls_of_file(path, totals)?;
        return Ok(found.map(|(profile, entered)| {
            let parts = profile.parts.into_iter().zip(entered);
            let unit = |(part, entered)| Unit {
                entered: Some(entered),
                ..of_part(part)
            };
            parts.map(unit).collect()
        }));
    }
    let profile = match selection.combined {
        true => callgrind::read_whole_file(path)?,
        false => callgrind::read_file(path)?,
    };
    let units = |profile: callgrind::Profile| profile.parts.into_iter().map(of_part).collect();
    Ok(profile.map(units))
}

fn of_part(part: callgrind::Part) -> Unit {
    let trigger = part.trigger.as_deref().unwrap_or_default();
    let at_begin = trigger.ends_with(BEGINS.as_bytes());
    let at_return = trigger.ends_with(RETURNED.as_bytes());
    Unit {
        pid: part.pid,
        thread: part.thread,
        part: part.part,
        counters: part.events.into_iter().zip(part.totals).collect(),
        caches: part.caches,
        time_unit: part.time_unit,
        trigger: part.trigger.as_deref().and_then(asked_for),
        at_begin,
        at_return,
        incomplete: part.flags.contains(&callgrind::Flag::Incomplete),
        ..Unit::default()
    }
}

/// The text that a program gave a dump: the only name that a user can give a part.
fn asked_for(trigger: &[u8]) -> Option<String> {
    let text = trigger.strip_prefix(b"Client Request:")?.trim_ascii();
    (!text.is_empty()).then(|| String::from_utf8_lossy(text).into_owned())
}

pub(crate) fn of_cachegrind(path: &Path, _: Selection<'_>) -> Units {
    let unit = |profile: cachegrind::Profile| {
        vec![Unit {
            counters: profile.events.into_iter().zip(profile.totals).collect(),
            caches: profile.caches,
            incomplete: profile.flags.contains(&cachegrind::Flag::Incomplete),
            ..Unit::default()
        }]
    };
    Ok(cachegrind::read_file(path)?.map(unit))
}

/// Which points count: those with a function on their stack that counts. A region counts inside of it,
/// and not in a setup, a teardown or another thread, as under Callgrind.
pub(crate) fn selected(profile: &dhat::Profile, selection: Selection<'_>) -> Vec<bool> {
    let entry = selection.entry;
    let counts = |point: &dhat::Point| {
        let functions = || profile.functions(point);
        (entry.is_everything() || functions().any(|function| entry.has(function)))
            && (!selection.regions || functions().any(measured_function::is_region))
            && !heap::is_mark(profile, point)
    };
    profile.points.iter().map(counts).collect()
}

/// DHAT's file with what counts and nothing else.
pub(crate) fn reduced_dhat(
    bytes: &[u8],
    selection: Selection<'_>,
) -> Result<Option<Vec<u8>>, ParseError> {
    match dhat::read(bytes)? {
        Some(profile) => dhat::reduced(bytes, &selected(&profile, selection)).map(Some),
        None => Ok(None),
    }
}

pub(crate) fn of_dhat(path: &Path, selection: Selection<'_>) -> Units {
    let Some(profile) = dhat::read_file(path)? else {
        return Ok(None);
    };
    let selected = selected(&profile, selection);
    let mut flags = selected.iter();
    let sums = profile
        .sum(|_| flags.next().copied().unwrap_or(false))
        .map_err(|reason| FileError {
            path: path.to_owned(),
            source: ParseError::Content(reason),
        })?;
    let heap::Seen {
        marks,
        left_out,
        notes,
    } = heap::seen(&profile, &selected, selection);
    let is_ad_hoc = profile.block_unit.as_deref() == Some("events");
    let bytes_if = |wanted: bool, count: u64| (is_ad_hoc != wanted).then_some(count);
    // Without any point the file does not say what would have been counted.
    let lives = |count: Option<u64>| count.or(profile.lifetimes.then_some(0));
    let accesses = |count: Option<u64>| count.or(profile.accesses.then_some(0));
    let counters = counters([
        ("TotalUnits", bytes_if(false, sums.total_bytes)),
        ("TotalEvents", bytes_if(false, sums.total_blocks)),
        ("TotalBytes", bytes_if(true, sums.total_bytes)),
        ("TotalBlocks", bytes_if(true, sums.total_blocks)),
        ("AtTGmaxBytes", lives(sums.gmax_bytes)),
        ("AtTGmaxBlocks", lives(sums.gmax_blocks)),
        ("AtTEndBytes", lives(sums.end_bytes)),
        ("AtTEndBlocks", lives(sums.end_blocks)),
        ("ReadsBytes", accesses(sums.read_bytes)),
        ("WritesBytes", accesses(sums.written_bytes)),
        ("TotalLifetimes", lives(sums.total_lifetimes)),
        ("MaximumBytes", lives(sums.maximum_bytes)),
        ("MaximumBlocks", lives(sums.maximum_blocks)),
    ]);
    Ok(Some(vec![Unit {
        pid: Some(profile.pid),
        counters,
        heap_marks: marks,
        left_out,
        notes,
        ..Unit::default()
    }]))
}

pub(crate) fn of_massif(path: &Path, _: Selection<'_>) -> Units {
    let Some(profile) = massif::read_file(path)? else {
        return Ok(None);
    };
    let peak = profile.peak().copied();
    let count = |count: usize| Some(count as u64);
    let detailed = profile
        .snapshots
        .iter()
        .filter(|snapshot| snapshot.detailed);
    let counters = counters([
        ("PeakTotal", peak.map(|peak| peak.total)),
        ("PeakHeap", peak.map(|peak| peak.heap)),
        ("PeakExtraHeap", peak.map(|peak| peak.extra)),
        ("PeakStack", peak.map(|peak| peak.stacks)),
        (
            "PeakTime",
            peak.and_then(|peak| u64::try_from(peak.time).ok()),
        ),
        (
            "AtEndTotal",
            profile.snapshots.last().map(|last| last.total),
        ),
        ("Snapshots", count(profile.snapshots.len())),
        ("DetailedSnapshots", count(detailed.count())),
    ]);
    Ok(Some(vec![Unit {
        counters,
        incomplete: profile.flags.contains(&massif::Flag::Incomplete),
        time_unit: profile.time_unit,
        ..Unit::default()
    }]))
}

/// The mean of the samples. The first one is a warm-up, if there are others.
pub fn of_perf(path: &Path, selection: Selection<'_>) -> Units {
    let everything = Samples::default();
    let samples = selection.samples.unwrap_or(&everything);
    let unit = |profile: perf::Profile| {
        let (figures, without) = samples.figures(&profile);
        vec![Unit {
            figures,
            without,
            ..Unit::default()
        }]
    };
    Ok(perf::read_file(path)?.map(unit))
}

pub(crate) fn of_bbv(log: &Log) -> Option<Vec<Unit>> {
    if log.threads.is_empty() {
        return None;
    }
    let unit = |totals: &crate::parse::bbv::Totals| Unit {
        pid: log.pid,
        thread: Some(totals.thread),
        counters: counters([
            ("Instructions", Some(totals.instructions)),
            ("Intervals", Some(totals.intervals)),
            ("Reps", Some(totals.reps)),
            ("UniqueReps", Some(totals.unique_reps)),
            ("Fldcw", Some(totals.fldcw)),
        ]),
        ..Unit::default()
    };
    Some(log.threads.iter().map(unit).collect())
}

pub(crate) fn of_error_tool(log: &Log) -> Option<Vec<Unit>> {
    let errors = log.errors?;
    Some(vec![Unit {
        pid: log.pid,
        counters: counters([
            ("Errors", Some(errors.errors)),
            ("Contexts", Some(errors.contexts)),
            ("SuppressedErrors", Some(errors.suppressed)),
            ("SuppressedContexts", Some(errors.suppressed_contexts)),
        ]),
        ..Unit::default()
    }])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_are_added_by_name() {
        let unit = |counters: &[(&str, u64)]| Unit {
            counters: counters
                .iter()
                .map(|(name, count)| ((*name).to_owned(), *count))
                .collect(),
            ..Unit::default()
        };
        let units = [unit(&[("Ir", 1), ("Dr", 2)]), unit(&[("Dr", 3), ("Ge", 4)])];
        assert_eq!(totals(&units).unwrap(), [("Ir", 1), ("Dr", 5), ("Ge", 4)]);
        let units = [unit(&[("Ir", u64::MAX)]), unit(&[("Ir", 1)])];
        totals(&units).unwrap_err();
    }
}
