//! The records beside kept results: with which arguments and under which conditions a result was
//! made that is compared with.
//!
//! Several stages ask the record of a benchmark, so its files are read once.

use std::cell::RefCell;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use iai_callgrind::protocol::{Input, Throughput};
use serde_json::value::RawValue;
use serde_json::{Deserializer, Error};

use super::benchmark::RecordedTool;
use super::interned::SharedValues;
use super::text::RecordText;
use crate::layout::{BenchmarkEntry, FileName, Slot, LONGEST_RECORD};
use crate::objects::on_one_line;
use crate::summary::{Environment, Mode, ReadError};
use base::regular_file;
use base::tool::Tool;
use explain::AllocationCount;

/// The records beside the kept results of one benchmark.
#[derive(Debug, Default)]
pub struct KeptRecords {
    read: RefCell<Vec<(PathBuf, FileText)>>,
}

/// The content of a file. `Ok(None)`: there is no such file. `Err`: why it cannot be read.
type FileText = Result<Option<Arc<str>>, String>;

/// The result of a tool in its record, with figures that are not in the tool's own file.
#[derive(Debug)]
pub struct KeptRecord {
    /// The parts that all readers of records need.
    pub result: RecordedTool,
    /// The text of `--label`.
    pub label: Option<String>,
    /// The process in which the benchmark ran.
    pub mode: Mode,
    /// Processor time of the fork that ran the benchmark.
    pub cpu: Option<Duration>,
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

impl KeptRecords {
    /// The record of the result of a tool. `None`: no record speaks of this result, such as one of
    /// before 0.17.
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
        self.first(entry, slot, |record| KeptRecord::of(record, tool))
    }

    /// The arguments of a kept result, if they are known.
    pub fn input(&self, entry: &BenchmarkEntry, slot: &Slot) -> Option<Input> {
        let found = self.first(entry, slot, |record| Ok(Some(record.name()?.input)));
        found.ok()??.map(Input::from)
    }

    /// The hash of the executable that a kept result was timed with, if a copy of it was kept.
    pub fn executable(&self, entry: &BenchmarkEntry, slot: &Slot) -> Option<String> {
        let found = self.first(entry, slot, |record| record.executable().map(Some));
        found.ok()?.flatten()
    }

    /// The records of a slot as far as they are about other tools, a line each: those that stay
    /// when the results of these tools are replaced.
    pub fn of_other_tools(&self, entry: &BenchmarkEntry, slot: &Slot, tools: &[Tool]) -> String {
        let is_kept = |name: &str| !tools.iter().any(|tool| tool.id() == name);
        let mut lines = String::new();
        for path in files(entry, slot) {
            let Ok(Some(text)) = self.text(&path) else {
                continue;
            };
            let about = objects(&text)
                // A damaged record would be an error of every later run that reads these lines.
                .filter_map(Result::ok)
                .filter(|record| is_about(record, slot).unwrap_or(false));
            for kept in about.filter_map(|record| record.of_tools(is_kept).ok()?) {
                lines += &on_one_line(kept);
                lines.push('\n');
            }
        }
        lines
    }

    /// A part of the first record about a slot that has it.
    fn first<T>(
        &self,
        entry: &BenchmarkEntry,
        slot: &Slot,
        part: impl Fn(&RecordText<'_>) -> Result<Option<T>, Error>,
    ) -> Result<Option<T>, String> {
        let mut failed = None;
        for path in files(entry, slot) {
            match self.first_in(&path, slot, &part) {
                Ok(None) => {}
                Ok(found) => return Ok(found),
                // Another file may tell it.
                Err(error) => failed = failed.or(Some(error)),
            }
        }
        // Not as if there were no record: the figures would be judged as if nothing differed.
        failed.map_or(Ok(None), Err)
    }

    fn first_in<T>(
        &self,
        path: &Path,
        slot: &Slot,
        part: impl Fn(&RecordText<'_>) -> Result<Option<T>, Error>,
    ) -> Result<Option<T>, String> {
        let Some(text) = self.text(path)? else {
            return Ok(None);
        };
        let failed = |error: ReadError| cannot_be_read(path, &reason(&error));
        if text.trim_ascii().is_empty() {
            // Says what is missing.
            RecordText::of(&text).map_err(failed)?;
        }
        for record in objects(&text) {
            let record = record.map_err(failed)?;
            let found = is_about(&record, slot).and_then(|is_about| match is_about {
                true => part(&record),
                false => Ok(None),
            });
            let found = found.map_err(|error| failed(record.damaged(error)))?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
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
        // The record is of no set here, so the number of its text means nothing.
        let recorded = record.benchmark(0, &mut SharedValues::default())?;
        let mut results = recorded.tools.into_iter();
        let result = results.find(|result| result.tool == tool);
        let Some((profile, result)) = profile.zip(result) else {
            return Ok(None);
        };
        // In the order of `file_lengths`.
        let names = profile.out_files.into_iter().chain(profile.log_files);
        Ok(Some(Self {
            result,
            label: record.label.read()?,
            mode: profile.mode,
            cpu: profile.cpu_ns.map(Duration::from_nanos),
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
            // A record is data of others: a name with `/` must not lead elsewhere, and a link is no
            // file of ours.
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

/// The files with records about a slot, the newest first.
fn files(entry: &BenchmarkEntry, slot: &Slot) -> [PathBuf; 2] {
    [entry.summary(slot), entry.other_records(slot)]
}

/// The records of a text, which people may have asked for in several lines each.
fn objects(text: &str) -> impl Iterator<Item = Result<RecordText<'_>, ReadError>> {
    let objects = Deserializer::from_str(text).into_iter::<&RawValue>();
    objects.map(|object| RecordText::of(object?.get()))
}

fn is_about(record: &RecordText<'_>, slot: &Slot) -> Result<bool, Error> {
    Ok(record.baseline()?.as_deref() == slot.name())
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
