//! The old side of the last results of a home: the records that they were compared with, which lie
//! beside theirs.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::side::ResultSide;
use records::layout::{OLD_RECORDS, RECORDS};
use records::summary::Source;
use records::{RecordError, RecordReader, RecordedBenchmark, RecordedTool, ResultsPlace};

/// Name of the results of the run before the last one, which no argument names.
pub const PREVIOUS: &str = "the run before";

/// The results with which those of a side were compared, and those whose benchmarks are gone. Each
/// has the tools of the new result: a tool that a run was not asked for is not missing.
///
/// # Errors
///
/// A file cannot be read, or has a damaged record.
pub fn previous_side(
    new: &ResultSide,
    mut reader: RecordReader,
) -> Result<ResultSide, RecordError> {
    for path in old_records(new) {
        ResultsPlace::Path(path).read(&mut reader, io::empty())?;
    }
    let set = reader.finish();
    let mut benchmarks = set.benchmarks;
    benchmarks.retain_mut(|benchmark| {
        let RecordedBenchmark {
            identity, tools, ..
        } = benchmark;
        let measured = || new.results(identity);
        if measured().next().is_some() {
            tools.retain(|old| measured().any(|new| new.tool(old.tool).is_some()));
        }
        new.only.selects(&identity.path) && !tools.is_empty()
    });
    // Files of several bench targets follow each other here, and pairs need one order.
    benchmarks.sort_by(|one, other| one.identity.cmp(&other.identity));
    let errors = without_cut_off(new, &mut benchmarks);
    Ok(ResultSide {
        errors,
        arguments: names(&benchmarks),
        source: source(&benchmarks),
        benchmarks,
        inputs: set.inputs,
        notes: set.notes,
        ..ResultSide::default()
    })
}

/// Removes old records that are the results themselves, which a run leaves that was killed between
/// its two files: each result would be compared with itself. Returns the error that says so.
fn without_cut_off(new: &ResultSide, old: &mut Vec<RecordedBenchmark>) -> Vec<String> {
    let has_counts = |new: &RecordedBenchmark, old: &RecordedTool| {
        let result = new.tool(old.tool);
        result.is_some_and(|result| result.has_counts_of(old))
    };
    let is_new = |old: &RecordedBenchmark| {
        let mut results = new.results(&old.identity);
        results.any(|new| {
            (&new.started_at, new.duration_ns) == (&old.started_at, old.duration_ns)
                && old.tools.iter().all(|old| has_counts(new, old))
        })
    };
    let first = old.iter().find(|old| is_new(old));
    let text = first.map(|first| {
        format!(
            "a run of `{}` was killed while it wrote its records, so nothing tells what its results were compared with\n  \
             hint: run all benchmarks once more, or compare with a file: `iai-callgrind-runner compare OLD NEW`",
            first.file
        )
    });
    old.retain(|old| !is_new(old));
    text.into_iter().collect()
}

/// The files with old records beside those of a side.
fn old_records(side: &ResultSide) -> Vec<PathBuf> {
    let records = side.inputs.iter().map(|input| Path::new(&input.name));
    let records = records.filter(|path| path.file_name().is_some_and(|name| name == RECORDS));
    let mut old: Vec<PathBuf> = records
        .map(|path| path.with_file_name(OLD_RECORDS))
        .collect();
    old.sort_unstable();
    old.dedup();
    // A link there leads elsewhere.
    old.retain(|path| path.symlink_metadata().is_ok_and(|found| found.is_file()));
    old
}

/// Names of the results with which the benchmarks were compared, each once.
fn names(benchmarks: &[RecordedBenchmark]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for benchmark in benchmarks {
        let name = match &benchmark.baseline {
            None => PREVIOUS.to_owned(),
            Some(baseline) => format!("@{baseline}"),
        };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// The state of the source of all results, if it is one.
fn source(benchmarks: &[RecordedBenchmark]) -> Arc<Source> {
    let first = benchmarks.first().map(|first| &first.source);
    let is_one = |first: &&Arc<Source>| {
        benchmarks
            .iter()
            .all(|other| other.source.commit == first.commit)
    };
    first.filter(is_one).map(Arc::clone).unwrap_or_default()
}
