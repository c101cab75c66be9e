//! The records beside kept results: with which arguments and under which circumstances a result was made that is
//! compared with.
//!
//! Several stages ask the record of a benchmark, so its file is read once. Where it does not speak of a tool, a line of
//! `results.jsonl` may.

use std::cell::RefCell;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use iai_callgrind::protocol::{Input, Throughput};
use serde_json::Error;

use super::benchmark::RecordedTool;
use super::index::RecordIndex;
use super::interned::SharedValues;
use super::text::RecordText;
use crate::layout::{BenchmarkEntry, FileName, Slot, LONGEST_RECORD, SUMMARY_OF_LAST};
use crate::summary::{Environment, Mode, ReadError};
use base::regular_file;
use base::tool::Tool;
use explain::AllocationCount;

/// The records beside the kept results of one benchmark.
#[derive(Debug)]
pub struct KeptRecords<'a> {
    index: &'a RecordIndex,
    read: RefCell<Vec<(PathBuf, FileText)>>,
}

/// The content of a file. `Ok(None)`: there is no such file. `Err`: why it cannot be read.
type FileText = Result<Option<Arc<str>>, String>;

/// The result of a tool in its record, with figures that are not in the tool's own file.
#[derive(Debug)]
pub struct KeptRecord {
    /// The parts that all readers of records need.
    pub result: RecordedTool,
    pub mode: Mode,
    /// Facts of the tool.
    pub environment: Environment,
    /// Calls of the allocator, if they are known.
    pub allocations: Option<AllocationCount>,
    /// Amounts that the benchmark handled, if they were configured.
    pub throughput: Option<Throughput>,
    /// The whole record.
    pub json: Arc<str>,
    /// Names and lengths of the tool's files.
    files: Vec<(String, u64)>,
}

impl<'a> KeptRecords<'a> {
    /// Records of a benchmark; the index is that of all benchmarks of the bench file.
    pub fn new(index: &'a RecordIndex) -> Self {
        Self {
            index,
            read: RefCell::default(),
        }
    }

    /// The record of the result of a tool. `None`: no record speaks of this result, such as one of before 0.17.
    ///
    /// # Errors
    ///
    /// There is a record, but it cannot be read: its path and why.
    pub fn of_tool(
        &self,
        entry: &BenchmarkEntry,
        slot: &Slot,
        tool: Tool,
    ) -> Result<Option<KeptRecord>, String> {
        let found = self.about(entry, slot, |record| KeptRecord::of(record, tool))?;
        if let Some(found) = found.flatten() {
            return Ok(Some(found));
        }
        // The last run was one under other tools.
        let indexed = self.index.records(entry, slot);
        let mut records = indexed.of_benchmark(entry);
        let found = records.find_map(|record| {
            let found = about_result(&record, slot, |record| KeptRecord::of(record, tool));
            found.ok().flatten().flatten()
        });
        Ok(found)
    }

    /// The arguments of a kept result, if they are known.
    pub fn input(&self, entry: &BenchmarkEntry, slot: &Slot) -> Option<Input> {
        let found = self.about(entry, slot, |record| Ok(record.name()?.input));
        found.ok()??.map(Input::from)
    }

    /// Is `summary.json` about the last run, and not about a baseline?
    pub fn is_about_last(&self, entry: &BenchmarkEntry) -> bool {
        let found = self.in_file(entry.summary(&Slot::Last), &Slot::Last, |_| Ok(()));
        matches!(found, Ok(Some(())))
    }

    /// Reads a part of the record about a result. `None`: there is no such record.
    fn about<T>(
        &self,
        entry: &BenchmarkEntry,
        slot: &Slot,
        part: impl Fn(&RecordText<'_>) -> Result<T, Error>,
    ) -> Result<Option<T>, String> {
        let found = self.in_file(entry.summary(slot), slot, &part);
        if *slot != Slot::Last || matches!(found, Ok(Some(_))) {
            return found;
        }
        // The file may be about a baseline, and another one keeps what was said about the last run.
        let of_last = entry.directory().join(SUMMARY_OF_LAST);
        match self.in_file(of_last, slot, part) {
            Ok(None) => found,
            of_last => of_last,
        }
    }

    /// Reads a part of the record in a file, if the record is about this result.
    fn in_file<T>(
        &self,
        path: PathBuf,
        slot: &Slot,
        part: impl Fn(&RecordText<'_>) -> Result<T, Error>,
    ) -> Result<Option<T>, String> {
        let Some(text) = self.text(&path)? else {
            return Ok(None);
        };
        let failed = |error: ReadError| cannot_be_read(&path, &reason(&error));
        let record = RecordText::of(&text).map_err(failed)?;
        let read = about_result(&record, slot, part);
        read.map_err(|error| failed(record.damaged(error)))
    }

    fn text(&self, path: &Path) -> FileText {
        let mut known = self.read.borrow_mut();
        if let Some((_, text)) = known.iter().find(|(other, _)| other == path) {
            return text.clone();
        }
        let text = text(path);
        known.push((path.to_owned(), text.clone()));
        text
    }
}

impl KeptRecord {
    fn of(record: &RecordText<'_>, tool: Tool) -> Result<Option<Self>, Error> {
        let mut profiles = record.profiles()?.into_iter();
        let profile = profiles.find(|profile| profile.tool == tool.id());
        let recorded = record.benchmark(0, &mut SharedValues::default())?;
        let mut results = recorded.tools.into_iter();
        let result = results.find(|result| result.tool == tool);
        let Some((profile, result)) = profile.zip(result) else {
            return Ok(None);
        };
        let names = profile.out_files.into_iter().chain(profile.log_files);
        Ok(Some(Self {
            result,
            mode: profile.mode,
            environment: profile.environment.read()?,
            allocations: profile.allocations.map(|it| it.new),
            throughput: profile
                .throughput
                .and_then(|it| it.new)
                .map(Throughput::from),
            json: record.text.into(),
            files: names.zip(profile.file_lengths).collect(),
        }))
    }

    /// The first file that does not fit the record, and how it differs: a power cut may truncate or
    /// lose files. Older records have no lengths and fit always.
    pub fn misfit(&self, entry: &BenchmarkEntry) -> Option<String> {
        self.files.iter().find_map(|(name, expected)| {
            let path = FileName::is_ours(name).then(|| entry.directory().join(name));
            let found = path.and_then(|path| path.symlink_metadata().ok());
            match found.map(|data| data.len()) {
                None => Some(format!("`{name}` is missing")),
                Some(found) if found != *expected => {
                    Some(format!("`{name}` has {found} bytes instead of {expected}"))
                }
                Some(_) => None,
            }
        })
    }
}

/// Reads a part of a record, if it is about the result in a slot.
fn about_result<T>(
    record: &RecordText<'_>,
    slot: &Slot,
    part: impl Fn(&RecordText<'_>) -> Result<T, Error>,
) -> Result<Option<T>, Error> {
    match record.baseline()?.as_deref() == slot.name() {
        true => part(record).map(Some),
        false => Ok(None),
    }
}

fn text(path: &Path) -> FileText {
    let bytes = match regular_file::read(path, LONGEST_RECORD) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(cannot_be_read(path, &error.to_string())),
    };
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Some(text.into())),
        Err(_) => Err(cannot_be_read(path, &ReadError::NoText.to_string())),
    }
}

fn reason(error: &ReadError) -> String {
    match error {
        ReadError::Format(error) => error.to_string(),
        ReadError::Version { found } => format!("it has version {found} of the format"),
        other => other.to_string(),
    }
}

fn cannot_be_read(path: &Path, reason: &str) -> String {
    format!("`{}` cannot be read: {reason}", path.display())
}
