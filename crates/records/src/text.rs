//! The text of a record, whose parts are parsed on demand.
//!
//! `summary.json` and the lines of `results.jsonl` are read here where only parts of them are
//! needed; `summary::read` reads whole results. Parts are types of [`summary`](crate::summary) or,
//! where records are many, borrow from the text.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Error, Value};

use crate::summary::{
    Allocations, Baselines, Input, Mode, Number, ObjectCosts, ReadError, RecordedGrowth,
    RecordedLimit, RecordedThroughput, RecordedTime, Repeated, Samples, Summary, VERSION,
};
use explain::SourceOrigin;

/// The parts of a record; all are empty in an object of another program.
#[derive(Debug, Deserialize)]
#[serde(bound(deserialize = "'de: 'a"))]
pub struct RecordText<'a> {
    #[serde(skip)]
    pub(super) text: &'a str,
    #[serde(rename = "type")]
    pub(super) kind: Option<String>,
    version: Option<Value>,
    pub(super) label: PartText<'a>,
    pub(super) source: PartText<'a>,
    benchmark: PartText<'a>,
    baselines: PartText<'a>,
    pub(super) started_at: PartText<'a>,
    pub(super) duration_ns: PartText<'a>,
    profiles: PartText<'a>,
    comparisons: PartText<'a>,
    growth: PartText<'a>,
    pub(super) failures: PartText<'a>,
    time: PartText<'a>,
    pub(super) directory: PartText<'a>,
    pub(super) files: PartText<'a>,
    pub(super) system: PartText<'a>,
}

/// A part that is parsed when it is asked for, so that damage is an error only where the part is
/// needed.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(transparent)]
pub struct PartText<'a>(#[serde(borrow)] Option<&'a RawValue>);

/// The tool of a profile, of which nothing else is asked for.
#[derive(Debug, Deserialize)]
#[serde(bound(deserialize = "'de: 'a"))]
struct ToolName<'a> {
    #[serde(borrow)]
    tool: Cow<'a, str>,
}

/// The parts of a benchmark's name.
#[derive(Debug, Deserialize)]
#[serde(bound(deserialize = "'de: 'a"))]
pub struct NameText<'a> {
    /// Benchmark path, as filters match it: `file::group::function::id`.
    #[serde(borrow)]
    pub path: Cow<'a, str>,
    #[serde(borrow)]
    pub(super) package: Cow<'a, str>,
    #[serde(borrow)]
    pub(super) file: Cow<'a, str>,
    #[serde(borrow)]
    pub(super) group: Cow<'a, str>,
    #[serde(borrow)]
    pub(super) function: Cow<'a, str>,
    pub(super) id: Option<String>,
    pub(super) description: Option<String>,
    pub(super) source_file: Option<String>,
    pub(super) input: Option<Input>,
    pub(super) line: Option<u32>,
}

/// The parts of a tool's result.
#[derive(Debug, Deserialize)]
#[serde(bound(deserialize = "'de: 'a"))]
pub struct ToolText<'a> {
    /// Name of the tool as on the command line: `callgrind`.
    #[serde(borrow)]
    pub tool: Cow<'a, str>,
    pub(super) mode: Mode,
    pub(super) duration_ns: Option<u64>,
    pub(super) cpu_ns: Option<u64>,
    pub(super) metrics: Vec<MetricText<'a>>,
    #[serde(default)]
    pub(super) limits: Vec<RecordedLimit>,
    #[serde(default)]
    pub(super) regressions: Vec<UnmetText>,
    #[serde(default)]
    pub(super) objects: Vec<ObjectCosts>,
    /// Names of the events of all lists of costs, in their order: `Ir`.
    #[serde(default)]
    pub events: Vec<String>,
    /// The most expensive functions; empty if the record keeps none.
    #[serde(default)]
    pub functions: Vec<FunctionText<'a>>,
    /// Explanation of the difference from the previous result.
    pub explanation: PartText<'a>,
    pub(super) allocations: Option<Allocations>,
    /// Amounts that the benchmark handles.
    pub throughput: Option<RecordedThroughput>,
    pub(super) digest: Option<Box<str>>,
    pub(super) repeated: Option<Repeated>,
    #[serde(default)]
    pub(super) out_files: Vec<String>,
    #[serde(default)]
    pub(super) log_files: Vec<String>,
    #[serde(default)]
    pub(super) file_lengths: Vec<u64>,
    pub(super) environment: PartText<'a>,
}

#[derive(Debug, Deserialize)]
pub(super) struct MetricText<'a> {
    #[serde(borrow)]
    pub(super) kind: Cow<'a, str>,
    pub(super) unit: Option<String>,
    pub(super) new: Option<Number>,
    pub(super) part: Option<u32>,
    pub(super) new_samples: Option<Samples>,
}

/// A regression without a limit. Exceeded limits are judged anew.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum UnmetText {
    Unequal {
        kind: String,
        other: Number,
        with: String,
    },
    Ratio {
        kind: String,
        limited: String,
        limited_count: u64,
        ratio: String,
        of: String,
        of_count: u64,
    },
    Growth {
        kind: String,
        bench: String,
        stated: String,
        found: Option<String>,
    },
    #[serde(other)]
    Other,
}

/// A function of a result, with its costs.
#[derive(Debug, Deserialize)]
pub struct FunctionText<'a> {
    /// Name without generic arguments, the same in every build; `…` is all others.
    #[serde(borrow)]
    pub name: Cow<'a, str>,
    /// Owner of the code.
    pub origin: SourceOrigin,
    /// Self costs, one for each event of [`ToolText::events`].
    pub own: Vec<u64>,
    /// Executions of its machine code, if they are known; inlined calls are not among them.
    pub calls: Option<u64>,
    /// The compiler inlined it everywhere.
    #[serde(default)]
    pub inlined: bool,
}

impl<'a> RecordText<'a> {
    /// The parts of any object.
    pub(super) fn of_object(text: &'a str) -> Result<Self, Error> {
        let record: Self = serde_json::from_str(text)?;
        Ok(Self { text, ..record })
    }

    /// Parses a record of our version. Most parts stay text until they are asked for.
    ///
    /// # Errors
    ///
    /// The text is no JSON object, or its version is missing or another one.
    pub fn of(text: &'a str) -> Result<Self, ReadError> {
        Self::of_object(text)?.of_our_version()
    }

    /// The record, if it is one that can be read here.
    pub(super) fn of_our_version(self) -> Result<Self, ReadError> {
        match self.version.as_ref().and_then(Value::as_u64) {
            None => Err(ReadError::NoVersion),
            Some(found) if found != u64::from(VERSION) => Err(ReadError::Version { found }),
            Some(_) => Ok(self),
        }
    }

    /// Parses the name of the benchmark.
    ///
    /// # Errors
    ///
    /// It is missing, or lacks a field.
    pub fn name(&self) -> Result<NameText<'a>, Error> {
        self.benchmark.read()
    }

    /// The baseline that the result was saved as.
    pub(super) fn baseline(&self) -> Result<Option<String>, Error> {
        Ok(self.baselines.or_default::<Baselines>()?.new)
    }

    /// The hash of the executable that was timed, if a copy of it was kept.
    pub(super) fn executable(&self) -> Result<Option<String>, Error> {
        let [new, _] = self.time()?.map(|it| it.executables).unwrap_or_default();
        Ok(new)
    }

    /// Wall time, if it was measured.
    pub(super) fn time(&self) -> Result<Option<RecordedTime>, Error> {
        self.time.or_default()
    }

    /// Parses the results, one for each tool.
    ///
    /// # Errors
    ///
    /// The list is missing, or a result in it lacks a field.
    pub fn profiles(&self) -> Result<Vec<ToolText<'a>>, Error> {
        self.profiles.read()
    }

    /// Parses the growth of counts with the size of the input; empty in all records but the last
    /// one of an attribute with `scaling`.
    ///
    /// # Errors
    ///
    /// It lacks a field.
    pub fn growth(&self) -> Result<Vec<RecordedGrowth>, Error> {
        self.growth.or_default()
    }

    /// Is the benchmark compared with an earlier one of its id?
    ///
    /// # Errors
    ///
    /// Its comparisons are no list.
    pub fn is_compared_by_id(&self) -> Result<bool, Error> {
        let comparisons: Vec<&RawValue> = self.comparisons.or_default()?;
        Ok(!comparisons.is_empty())
    }

    /// The record with the results of these tools alone, and without failures. `None`: it has no
    /// result of them.
    pub fn of_tools(&self, is_kept: impl Fn(&str) -> bool) -> Result<Option<String>, Error> {
        let failures: Vec<&RawValue> = self.failures.or_default()?;
        let results: Vec<&RawValue> = self.profiles.or_default()?;
        let mut kept = Vec::new();
        for result in &results {
            let ToolName { tool } = serde_json::from_str(result.get())?;
            if is_kept(&tool) {
                kept.push(result.get());
            }
        }
        // Parts of the text are replaced and not written anew, so that fields of later versions
        // stay.
        let mut text = self.text.to_owned();
        // The list is not empty here, and no other part of a record has such objects: the first
        // match is the list itself.
        if kept.len() < results.len() {
            text = text.replacen(self.profiles.text(), &format!("[{}]", kept.join(",")), 1);
        }
        // A failure of a tool that ran once would fail `compare` until the tool runs again.
        if !failures.is_empty() {
            text = text.replacen(self.failures.text(), "[]", 1);
        }
        Ok(Some(text).filter(|_| !kept.is_empty()))
    }

    /// Reason why a part cannot be read. The error of the part does not know its line in the
    /// record.
    pub(super) fn damaged(&self, of_part: Error) -> ReadError {
        let of_record = serde_json::from_str::<Summary>(self.text).err();
        ReadError::Format(of_record.unwrap_or(of_part))
    }
}

impl<'a> PartText<'a> {
    /// The part; `null` where the record does not have it.
    pub fn read<T: Deserialize<'a>>(self) -> Result<T, Error> {
        serde_json::from_str(self.text())
    }

    /// The part, or its default where the record does not have it.
    pub fn or_default<T: Deserialize<'a> + Default>(self) -> Result<T, Error> {
        let part: Option<T> = self.read()?;
        Ok(part.unwrap_or_default())
    }

    pub(super) fn text(self) -> &'a str {
        self.0.map_or("null", RawValue::get)
    }
}
