//! Texts to records: one object after the other, so that no text is held as a whole.

use std::io::{self, BufRead};

use thiserror::Error;

use super::benchmark::RecordedRun;
use super::digest_line::{DigestLine, DigestLineError, DIGEST};
use super::interned::SharedValues;
use super::objects::{on_one_line, JsonObject, JsonObjects};
use super::point::{PointLine, POINT};
use super::set::{RecordInput, RecordSet};
use super::text::RecordText;
use crate::layout::is_of_old_records;
use crate::summary::{ReadError, Run};

/// Reason why records cannot be read.
#[derive(Debug, Error)]
pub enum RecordError {
    /// The text cannot be read.
    #[error("cannot read the results in `{input}`{}", meant(input, source))]
    Read {
        /// The input.
        input: String,
        /// The reason.
        source: io::Error,
    },
    /// A record is damaged, or of another version.
    #[error("cannot read line {line} of `{input}`")]
    Record {
        /// The input.
        input: String,
        /// The first line of the record.
        line: u64,
        /// The reason.
        source: ReadError,
    },
    /// A directory cannot be listed.
    #[error("cannot list `{directory}`")]
    List {
        /// The directory.
        directory: String,
        /// The reason.
        source: io::Error,
    },
}

/// What else a word may mean that is no file.
fn meant(input: &str, reason: &io::Error) -> String {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | ':');
    match reason.kind() == io::ErrorKind::NotFound && input.chars().all(is_name) {
        true => format!(": a baseline is `@{input}`, and `--only={input}` selects benchmarks"),
        false => String::new(),
    }
}

/// Reads records of several texts.
#[derive(Debug, Default)]
pub struct RecordReader {
    shared: SharedValues,
    keeps_text: bool,
    reads_points: bool,
    reads_digests: bool,
    set: RecordSet,
}

/// A JSON object of a text: a record or something else.
enum Object<'a> {
    Benchmark(Box<RecordText<'a>>),
    Run(Box<Run>),
    Point(Box<PointLine<'a>>),
    Digest,
    /// An object of another program, or of a later version.
    Foreign,
}

impl RecordReader {
    /// A reader that keeps the text of each record as well, to write it again.
    #[must_use]
    pub fn with_texts() -> Self {
        Self {
            keeps_text: true,
            ..Self::default()
        }
    }

    /// A reader of records and of lines of `history.jsonl`, which other readers skip.
    #[must_use]
    pub fn with_points() -> Self {
        Self {
            reads_points: true,
            ..Self::default()
        }
    }

    /// The same reader, which reads lines with digests as well. Other readers skip them.
    #[must_use]
    pub fn and_digests(self) -> Self {
        Self {
            reads_digests: true,
            ..self
        }
    }

    /// Does it read lines of `history.jsonl`?
    pub(super) fn reads_points(&self) -> bool {
        self.reads_points
    }

    /// Adds the records of a text.
    ///
    /// # Errors
    ///
    /// The text cannot be read, or a record is damaged or of another version.
    pub fn read(&mut self, input: RecordInput, text: impl BufRead) -> Result<(), RecordError> {
        // Each input is a file or stdin, of which no command line names 2^32.
        let number = self.set.inputs.len() as u32;
        let name = input.name.clone();
        self.set.inputs.push(input);
        let mut objects = JsonObjects::new(text);
        loop {
            let object = objects.next().map_err(|source| RecordError::Read {
                input: name.clone(),
                source,
            })?;
            let Some(object) = object else { return Ok(()) };
            if !object.is_whole {
                self.cut_off(number, &object.text, object.line);
                continue;
            }
            let line = object.line;
            self.add(number, object)
                .map_err(|source| RecordError::Record {
                    input: name.clone(),
                    line,
                    source,
                })?;
        }
    }

    /// Adds a note for reports.
    pub(super) fn note(&mut self, note: String) {
        self.set.notes.push(note);
    }

    /// Names an argument, for reports.
    pub fn name_argument(&mut self, argument: String) {
        self.set.arguments.push(argument);
    }

    /// All records.
    #[must_use]
    pub fn finish(self) -> RecordSet {
        self.set
    }

    fn add(&mut self, input: u32, object: JsonObject) -> Result<(), ReadError> {
        let JsonObject {
            text,
            is_text,
            line,
            ..
        } = object;
        if !is_text {
            // One changed byte must not hide a record: a regression would be a benchmark that is
            // gone.
            return match begins_record(&text) {
                true => Err(ReadError::NoText),
                false => {
                    self.foreign(input, &text, line);
                    Ok(())
                }
            };
        }
        match self::object(&text)? {
            Object::Benchmark(record) => {
                let benchmark = record.benchmark(input, &mut self.shared);
                let mut benchmark = benchmark.map_err(|error| record.damaged(error))?;
                if is_of_old_records(self.set.input(input)) {
                    benchmark.retire();
                }
                benchmark.text = self.keeps_text.then(|| on_one_line(text).into());
                self.set.benchmarks.push(benchmark);
            }
            Object::Run(run) => self.set.runs.push(RecordedRun {
                run: *run,
                // Other inputs may have the rest of the suite, so this is known when all are read.
                has_whole_suite: false,
                read_from: input,
                text: self.keeps_text.then(|| on_one_line(text).into()),
            }),
            Object::Point(line) if self.reads_points => {
                let point = line.point(input, &mut self.shared);
                self.set.points.push(point);
            }
            Object::Digest if self.reads_digests => {
                match DigestLine::recorded(&text, (input, line), &mut self.shared) {
                    Ok(digest) => self.set.digests.push(digest),
                    // It costs its own causes: neither counts nor verdicts depend on it.
                    Err(reason) => self.without_digest(input, line, reason),
                }
            }
            Object::Foreign => self.foreign(input, &text, line),
            Object::Point(_) | Object::Digest => {}
        }
        Ok(())
    }

    /// An object that is skipped; a damaged digest is said.
    fn foreign(&mut self, input: u32, text: &str, line: u64) {
        if self.reads_digests && type_at_begin(text).as_deref() == Some(DIGEST) {
            self.without_digest(input, line, DigestLineError::Damaged);
        }
    }

    fn without_digest(&mut self, input: u32, line: u64, reason: DigestLineError) {
        let input = self.set.input(input);
        self.set.notes.push(format!(
            "`{input}`: the digest in line {line} is left out, and with it causes: {reason}"
        ));
    }

    /// A record whose writer was stopped, or whose disk was full. Whether it is missed is seen
    /// later: every run has a record at its end.
    fn cut_off(&mut self, input: u32, text: &str, line: u64) {
        self.foreign(input, text, line);
        if begins_record(text) {
            let input = self.set.input(input);
            let note = format!("`{input}`: the record in line {line} is cut off, and left out");
            self.set.notes.push(note);
        }
    }
}

/// Does an object begin as records do? Then it is one, even if it is damaged.
fn begins_record(text: &str) -> bool {
    type_at_begin(text).is_some_and(|kind| RECORD_TYPES.contains(&&*kind))
}

/// The type of an object whose first field it is.
fn type_at_begin(text: &str) -> Option<String> {
    // Matched and not parsed, since the object may be damaged or cut off; blanks are those of a
    // pretty one.
    let mut rest = text.chars().filter(|c| !c.is_ascii_whitespace());
    let mut begins = |begin: &str| begin.chars().all(|c| rest.next() == Some(c));
    begins("{\"type\":\"").then(|| {
        rest.take_while(|c| *c != '"')
            // One more than the longest, so that no word matches by its beginning. The text may be
            // any.
            .take(LONGEST_TYPE + 1)
            .collect()
    })
}

/// The types of records.
const RECORD_TYPES: [&str; 2] = ["benchmark", "run"];

/// Length of the longest of [`RECORD_TYPES`].
const LONGEST_TYPE: usize = 9;

/// The version is checked before anything else. Objects that do not begin as records and have not
/// both version and type are those of other programs.
fn object(text: &str) -> Result<Object<'_>, ReadError> {
    let is_record = || begins_record(text);
    let record = match RecordText::of_object(text) {
        Err(error) if is_record() => return Err(error.into()),
        Err(_) => return Ok(Object::Foreign),
        Ok(record) => record,
    };
    let kind = record.kind.clone();
    // It says itself what is wrong with it.
    if kind.as_deref() == Some(DIGEST) {
        return Ok(Object::Digest);
    }
    let record = match record.of_our_version() {
        Err(ReadError::NoVersion) if !is_record() => return Ok(Object::Foreign),
        record => record,
    };
    Ok(match kind.as_deref() {
        Some("benchmark") => Object::Benchmark(Box::new(record?)),
        Some("run") => {
            // For its errors alone: a run is small, and all of it is parsed.
            record?;
            Object::Run(serde_json::from_str(text)?)
        }
        // A point that is damaged or of a later version is skipped; runs that add the next one do
        // so as well.
        Some(POINT) => PointLine::read(text.as_bytes())
            .map_or(Object::Foreign, |line| Object::Point(Box::new(line))),
        _ => Object::Foreign,
    })
}
