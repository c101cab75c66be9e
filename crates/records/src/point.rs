//! Lines of `history.jsonl`: the values that changed in a run since the lines before.
//!
//! Such a file contains changes only, so a single line lacks the values of most benchmarks. A text
//! of several files put together by `cat` is read as well: each line names its bench target.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use iai_callgrind::protocol::Input;
use serde::{Deserialize, Serialize};

use super::fields::value;
use super::interned::SharedValues;
use super::point_marks::PointMarks;
use crate::summary::{Number, Repeated, Source};
use crate::Circumstances;
use base::tool::{is_of_hardware, Tool};
use metrics::{MetricKind, MetricValue};

/// The word for these lines among the objects of a file.
pub const POINT: &str = "point";

/// The version of these lines.
pub const POINT_VERSION: u32 = 1;

/// The values of a benchmark, by metric as `--metrics` of `history` names it: `Ir`,
/// `dhat.TotalBytes`.
pub type PointMetricValues<'a> = BTreeMap<Cow<'a, str>, Number>;

/// The values of benchmarks, by their paths. `None`: there is no such benchmark any more.
pub type PointValues<'a> = BTreeMap<Cow<'a, str>, Option<PointMetricValues<'a>>>;

/// A line of `history.jsonl`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PointLine<'a> {
    /// Always [`POINT`] in lines that this version writes.
    #[serde(rename = "type")]
    pub kind: Cow<'a, str>,
    /// Version of the format: [`POINT_VERSION`].
    pub version: u32,
    /// Start of the run, in UTC: `2026-11-22T03:18:26Z`.
    #[serde(borrow)]
    pub at: Cow<'a, str>,
    /// Package of the bench target, as its manifest names it.
    #[serde(borrow)]
    pub package: Cow<'a, str>,
    /// The name of the bench target.
    #[serde(borrow)]
    pub file: Cow<'a, str>,
    /// Target triple of the executable: `x86_64-unknown-linux-gnu`.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub target: Option<Cow<'a, str>>,
    /// Text of `--label`.
    #[serde(borrow, default)]
    pub label: Option<Cow<'a, str>>,
    /// State of the source that was measured; lines without one read as unknown.
    #[serde(default)]
    pub source: PointSource<'a>,
    /// The machine code of the executable.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub code: Option<Cow<'a, str>>,
    /// Marks of all code that the benchmarks measured.
    #[serde(borrow, default, skip_serializing_if = "PointMarks::is_empty")]
    pub marks: PointMarks<'a>,
    /// The compiler: `1.95.0`; of a nightly one with its commit.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub rustc: Option<Cow<'a, str>>,
    /// Version of Valgrind: `3.19.0`.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub valgrind: Option<Cow<'a, str>>,
    /// The C library with its version: `glibc 2.36`.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub libc: Option<Cow<'a, str>>,
    /// Number of benchmarks that the run has values of.
    #[serde(default)]
    pub runs: u64,
    /// All displayed counts of each benchmark of which one changed since the lines before.
    #[serde(borrow, default)]
    pub values: PointValues<'a>,
    /// The arguments of those of these benchmarks whose id is a place in a list.
    #[serde(borrow, default, skip_serializing_if = "BTreeMap::is_empty")]
    pub inputs: BTreeMap<Cow<'a, str>, Cow<'a, str>>,
    /// The counts of one more run of those of these benchmarks that ran again.
    #[serde(borrow, default, skip_serializing_if = "BTreeMap::is_empty")]
    pub repeated: BTreeMap<Cow<'a, str>, Repeated>,
}

/// State of the source in a line.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PointSource<'a> {
    /// Hash of the commit, or the text of `IAI_CALLGRIND_COMMIT`.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<Cow<'a, str>>,
    /// Were files changed that git follows? `None`: git did not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dirty: Option<bool>,
    /// Time of the commit, with the time zone of its author: `2026-11-20T10:11:12+01:00`.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub committed_at: Option<Cow<'a, str>>,
}

/// A line of `history.jsonl`, with the metrics that are known.
#[derive(Debug, Clone)]
pub struct RecordedPoint {
    /// The label of the run.
    pub label: Option<Arc<str>>,
    /// The target of the executable.
    pub target: Option<Arc<str>>,
    /// The package.
    pub package: Arc<str>,
    /// The name of the bench target.
    pub file: Arc<str>,
    /// Start of the run, in UTC.
    pub at: String,
    /// State of the source that was measured.
    pub source: Source,
    /// Marks of the code that the benchmarks measured.
    pub marks: PointMarks<'static>,
    /// Compiler, Valgrind, C library and target, as far as they are known.
    pub circumstances: Arc<Circumstances>,
    /// Number of benchmarks that the run has values of.
    pub runs: u64,
    /// The values, by the whole name of the benchmark; `None`: there is no such benchmark any more.
    pub values: Vec<(Arc<str>, Option<PointResult>)>,
    /// The number of the text among those of its set.
    pub read_from: u32,
}

/// Counts of a benchmark, with what their comparison needs.
#[derive(Debug, Clone)]
pub struct PointResult {
    /// The counts.
    pub metrics: PointMetrics,
    /// The arguments, if the id is a place in a list.
    pub input: Option<Box<Input>>,
    /// The counts of one more run.
    pub repeated: Option<Repeated>,
}

/// Counts of a benchmark. Some metrics are those of several tools.
pub type PointMetrics = Box<[(Tool, MetricKind, MetricValue)]>;

/// The metric of a word such as `Ir` or `dhat.TotalBytes`.
fn metric_of(word: &str, shared: &mut SharedValues) -> Option<(Tool, MetricKind)> {
    let (tool, name) = match word.split_once('.') {
        Some((tool, name)) => (tool.parse().ok()?, name),
        None => (Tool::Callgrind, word),
    };
    Some((tool, shared.metric(tool, name)?))
}

/// The word of a metric in a line. `None`: it is not the same twice, and so in no line.
pub fn metric_word<'a>(tool: Tool, name: &'a str) -> Option<Cow<'a, str>> {
    match tool {
        tool if is_of_hardware(tool) => None,
        Tool::Callgrind => Some(name.into()),
        tool => Some(format!("{}.{name}", tool.id()).into()),
    }
}

impl<'a> PointLine<'a> {
    /// Reads a line. `None`: it is none of ours, damaged, or of a later version.
    pub fn read(text: &'a [u8]) -> Option<Self> {
        let line: Self = serde_json::from_slice(text).ok()?;
        (line.kind == POINT && line.version == POINT_VERSION).then_some(line)
    }
}

impl PointLine<'_> {
    /// The comparable content of the line.
    pub(super) fn point(self, read_from: u32, shared: &mut SharedValues) -> RecordedPoint {
        let owned = |text: Option<Cow<'_, str>>| text.map(Cow::into_owned);
        let target = owned(self.target);
        // A line has no other facts; those that are not known count as equal.
        let circumstances = shared.circumstances(Circumstances {
            target: target.clone(),
            rustc: owned(self.rustc),
            valgrind: owned(self.valgrind),
            libc: owned(self.libc),
            ..Circumstances::default()
        });
        let source = Source {
            commit: owned(self.source.commit),
            committed_at: owned(self.source.committed_at),
            branch: None,
            dirty: self.source.dirty,
            code: owned(self.code),
        };
        let (inputs, repeated) = (self.inputs, self.repeated);
        let values = self.values.into_iter().map(|(path, values)| {
            let mut known = |(word, number): (Cow<'_, str>, Number)| {
                // Metrics of later versions are left out; the others of the line are read.
                let (tool, kind) = metric_of(&word, shared)?;
                Some((tool, kind, value(kind, number)))
            };
            let values = values.map(|values| PointResult {
                metrics: values.into_iter().filter_map(&mut known).collect(),
                // Only arguments of positional ids are in a line.
                input: inputs.get(&path).map(|text| {
                    Box::new(Input {
                        text: text.to_string(),
                        positional: true,
                    })
                }),
                repeated: repeated.get(&path).copied(),
            });
            (shared.text(&path), values)
        });
        let values = values.collect();
        RecordedPoint {
            label: self.label.map(|label| shared.text(&label)),
            target: target.map(|target| shared.text(&target)),
            package: shared.text(&self.package),
            file: shared.text(&self.file),
            at: self.at.into_owned(),
            source,
            marks: self.marks.into_owned(),
            circumstances,
            runs: self.runs,
            values,
            read_from,
        }
    }
}
