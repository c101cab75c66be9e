//! The part of a file of DHAT that counts.
//!
//! In: a file, the functions that count, and whether only regions do. Out: the sums over all
//! allocations below these functions, or the file without the others.

use std::path::Path;

use super::dhat_heap::{self, is_mark};
use super::{named, CounterSets, Selection};
use crate::CounterSet;
use base::measured_function;
use formats::dhat::{read, read_file, reduced as reduce, DhatProfile, ProgramPoint};
use formats::{FileError, ParseError};

/// The counters of a file of DHAT: sums over the points that count.
pub(super) fn counters(path: &Path, selection: Selection<'_>) -> CounterSets {
    let Some(profile) = read_file(path)? else {
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
    let dhat_heap::HeapFacts {
        marks,
        left_out,
        notes,
    } = dhat_heap::seen(&profile, &selected, selection);
    let is_ad_hoc = profile.block_unit.as_deref() == Some("events");
    // In ad-hoc mode the same fields of the file hold units of the program instead of bytes.
    let bytes_if = |wanted: bool, count: u64| (is_ad_hoc != wanted).then_some(count);
    // A file without points has no sums; its flags tell which of them are 0 and which are absent.
    let lives = |count: Option<u64>| count.or(profile.lifetimes.then_some(0));
    let accesses = |count: Option<u64>| count.or(profile.accesses.then_some(0));
    let counters = named([
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
    Ok(Some(vec![CounterSet {
        pid: Some(profile.pid),
        counters,
        heap_marks: marks,
        left_out,
        notes,
        ..CounterSet::default()
    }]))
}

/// Marks the points that count: those with a function on their stack that counts. A region counts
/// inside of it, and not in a setup, a teardown or another thread, as under Callgrind.
pub fn selected(profile: &DhatProfile, selection: Selection<'_>) -> Vec<bool> {
    let entry = selection.entry;
    let counts = |point: &ProgramPoint| {
        let functions = || profile.functions(point);
        (entry.is_everything() || functions().any(|function| entry.has(function)))
            && (!selection.regions || functions().any(measured_function::is_region))
            && !is_mark(profile, point)
    };
    profile.points.iter().map(counts).collect()
}

/// Bytes and blocks on stacks that lead neither to a function that counts nor to another place that
/// is known: nobody knows who made them. `is_case`: the harness of library benchmarks calls all
/// that runs in the first thread.
#[must_use]
pub fn of_unknown_root(
    profile: &DhatProfile,
    selection: Selection<'_>,
    is_case: bool,
) -> (u64, u64) {
    let selected = selected(profile, selection);
    dhat_heap::of_unknown_root(profile, &selected, selection, is_case)
}

/// DHAT's file reduced to the points that count.
pub fn reduced(bytes: &[u8], selection: Selection<'_>) -> Result<Option<Vec<u8>>, ParseError> {
    match read(bytes)? {
        Some(profile) => reduce(bytes, &selected(&profile, selection)).map(Some),
        None => Ok(None),
    }
}
