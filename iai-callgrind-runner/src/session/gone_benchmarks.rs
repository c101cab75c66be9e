//! Benchmarks that the result to compare with has and the suite no longer has, although the filter
//! selects them.
//!
//! They are looked for when the user asks for a complete comparison: with `--strict`, and with a
//! named baseline. Otherwise they are not reported, since the user has removed them.

use std::collections::BTreeSet;
use std::io;

use iai_callgrind::protocol::Suite;

use crate::error::{Error, Result};
use crate::plan;
use crate::run_report::{Event, Reports};
use crate::settings::Settings;
use base::counted::counted;
use base::exit::Exit;
use base::listed_names::listed_names;
use records::layout::Slot;
use records::{RecordReader, ResultsPlace};
use store::Store;

/// Reports the benchmarks that are gone. With `--strict` they are the outcome that is returned.
///
/// # Errors
///
/// The records of the old result cannot be read, or the report cannot be written.
pub fn report_gone(
    suite: &Suite,
    settings: &Settings,
    store: &Store,
    report: &Reports,
) -> Result<Exit> {
    let baseline = &settings.baseline;
    // With the last result alone, every run would pay for reading all records.
    let is_asked = baseline.strict || baseline.compare != Slot::Last;
    // Benchmarks that are not in this partition are in the others, and `--verify` compares with
    // nothing.
    if !is_asked || settings.partition.is_some() || settings.verify.is_some() {
        return Ok(Exit::Ok);
    }
    let gone = gone(&plan::paths(suite), settings, store)?;
    if gone.is_empty() {
        return Ok(Exit::Ok);
    }
    let verb = if gone.len() == 1 { "is" } else { "are" };
    let text = format!(
        "{} of {} {verb} gone, and not measured: {}\n  \
         hint: were they removed? Results that are saved anew no longer have them",
        counted(gone.len() as u64, "benchmark"),
        baseline.compare,
        listed_names(&gone)
    );
    report.event(Event::Gone {
        count: gone.len(),
        text: &text,
        is_failure: baseline.strict,
    })?;
    Ok(match baseline.strict {
        true => Exit::NotComparable,
        false => Exit::Ok,
    })
}

/// The whole names of the benchmarks that are gone.
fn gone(suite: &[String], settings: &Settings, store: &Store) -> Result<Vec<String>> {
    let records = store.records_of(&settings.baseline.compare);
    if !records.is_file() {
        return Ok(Vec::new());
    }
    let mut reader = RecordReader::default();
    let read = ResultsPlace::Path(records).read(&mut reader, io::empty());
    read.map_err(|error| Error::Records(Box::new(error)))?;
    let suite: BTreeSet<&str> = suite.iter().map(String::as_str).collect();
    let old = reader.finish().benchmarks.into_iter();
    let old: BTreeSet<String> = old.map(|it| it.identity.path.to_string()).collect();
    let gone = old.into_iter();
    let gone = gone.filter(|path| !suite.contains(path.as_str()) && settings.filter.selects(path));
    Ok(gone.collect())
}
