//! Output of `perf stat -j`: one JSON object a line for each event.
//!
//! perf 6.1 begins with a comment and a blank line and writes derived metrics as numbers, later
//! ones write them as texts or as lines of their own. With `-r 0` the events of one run follow
//! those of the other. Means of samples that the runner wrote back have three more keys: their
//! number, mean and error.

use std::fmt::Write as _;
use std::io::Read;
use std::path::Path;

use serde::Deserialize;

use super::lines::Lines;
use super::{read_path, FileError, ParseError, ParseErrorKind};

/// Output of one `perf stat -j`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PerfProfile {
    /// Records in the order of the file.
    pub records: Vec<EventRecord>,
    /// Oddities that did not stop the reader.
    pub flags: Vec<PerfFlag>,
}

/// An oddity that does not stop the reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PerfFlag {
    /// The last line is cut.
    Incomplete,
}

/// Record of one event in one run, or of its mean over several runs.
#[derive(Debug, Clone, PartialEq)]
pub struct EventRecord {
    /// The name of the event, with the processor or thread if perf was asked for each.
    pub event: String,
    /// Count in [`unit`](Self::unit), or the reason why there is none.
    pub value: Result<f64, MissingCount>,
    /// Unit, such as `msec`; empty for plain counts.
    pub unit: String,
    /// Time that the counter ran, in nanoseconds.
    pub runtime: Option<f64>,
    /// Share of the time that the counter ran, in percent.
    pub running: Option<f64>,
    /// Mean over several runs, in files that iai-callgrind wrote back. perf itself writes none.
    pub mean: Option<EventMean>,
}

/// Mean of an event over several runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EventMean {
    /// Number of runs.
    pub n: u64,
    /// Mean in the unit of the event, not rounded.
    pub mean: f64,
    /// Standard error of the mean as a share of the mean: 0.01 is 1 %.
    pub rse: f64,
}

/// Reason why an event has no count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum MissingCount {
    /// The machine cannot count it.
    NotSupported,
    /// The counter never ran.
    NotCounted,
    /// The counter ran for a part of the time only.
    Multiplexed,
    /// All runs have 0 for an event that cannot be 0. perf does not write this; it is for callers
    /// who compute means.
    NothingCounted,
}

/// A line as perf writes it; all other keys are ignored.
#[derive(Deserialize)]
struct Line {
    #[serde(rename = "counter-value")]
    value: Option<Text>,
    event: Option<String>,
    unit: Option<String>,
    #[serde(rename = "event-runtime")]
    runtime: Option<Text>,
    #[serde(rename = "pcnt-running")]
    running: Option<Text>,
    #[serde(rename = "iai-callgrind-n")]
    n: Option<u64>,
    #[serde(rename = "iai-callgrind-mean")]
    mean: Option<f64>,
    #[serde(rename = "iai-callgrind-rse")]
    rse: Option<f64>,
    core: Option<Text>,
    cpu: Option<Text>,
    die: Option<Text>,
    node: Option<Text>,
    socket: Option<Text>,
    thread: Option<Text>,
}

/// Numbers may be written as texts.
#[derive(Deserialize)]
#[serde(untagged)]
enum Text {
    Number(f64),
    Text(String),
}

impl Text {
    fn number(&self) -> Option<f64> {
        let number = match self {
            Self::Number(number) => *number,
            // `parse` also accepts infinities and NaN, which are no counts.
            Self::Text(text)
                if text
                    .bytes()
                    .all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte)) =>
            {
                text.parse().ok()?
            }
            Self::Text(_) => return None,
        };
        number.is_finite().then_some(number)
    }
}

impl std::fmt::Display for Text {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Text(text) => f.write_str(text),
        }
    }
}

/// Reads the file with this path as [`read`] does.
///
/// # Errors
///
/// As [`read`], or the path is not that of a regular file that can be opened.
pub fn read_file(path: &Path) -> Result<Option<PerfProfile>, FileError> {
    read_path(path, read)
}

/// Reads the output of perf. `None`: the input holds no record. Lines of metrics that perf derives
/// from counts are left out.
///
/// # Errors
///
/// The input cannot be read, a line is not a JSON object, or a count is not a number above or equal
/// to 0.
pub fn read(input: impl Read) -> Result<Option<PerfProfile>, ParseError> {
    let mut profile = PerfProfile::default();
    let mut lines = Lines::new(input);
    while let Some(line) = lines.next()? {
        let text = line.text.trim_ascii();
        if text.is_empty() || text.starts_with(b"#") {
            continue;
        }
        match record(text) {
            Ok(Some(record)) => profile.records.push(record),
            Ok(None) => {}
            // perf was stopped while it wrote.
            Err(_) if !line.ended && !text.ends_with(b"}") && text.starts_with(b"{") => {
                profile.flags.push(PerfFlag::Incomplete);
            }
            Err(reason) => return Err(ParseError::syntax(line.position, reason, text)),
        }
    }
    let is_empty = profile.records.is_empty() && profile.flags.is_empty();
    Ok((!is_empty).then_some(profile))
}

/// Reads one line. `None`: the line is a metric that perf derives from counts.
fn record(text: &[u8]) -> Result<Option<EventRecord>, ParseErrorKind> {
    let line: Line = serde_json::from_slice(text)
        // Only after an error, since hardly any line has such a number.
        .or_else(|_| serde_json::from_slice(&without_nan(text)))
        .map_err(|_| ParseErrorKind::UnknownLine)?;
    let (Some(event), Some(value)) = (&line.event, &line.value) else {
        return Ok(None);
    };
    let value = match value {
        Text::Text(text) if text == "<not supported>" => Err(MissingCount::NotSupported),
        Text::Text(text) if text == "<not counted>" => Err(MissingCount::NotCounted),
        value => Ok(value.number().ok_or(ParseErrorKind::NotANumber)?),
    };
    if value.is_ok_and(|value| value < 0.0) {
        return Err(ParseErrorKind::Negative);
    }
    let mean = match (line.n, line.mean, line.rse) {
        (Some(n), Some(mean), Some(rse)) => Some(EventMean { n, mean, rse }),
        _ => None,
    };
    Ok(Some(EventRecord {
        event: named(event, &line),
        value,
        unit: line.unit.unwrap_or_default(),
        runtime: line.runtime.as_ref().and_then(Text::number),
        running: line.running.as_ref().and_then(Text::number),
        mean,
    }))
}

/// Name of an event with its processor or thread: `cycles [cpu 0]`.
fn named(event: &str, line: &Line) -> String {
    let mut name = event.to_owned();
    for (what, place) in [
        ("node", &line.node),
        ("socket", &line.socket),
        ("die", &line.die),
        ("core", &line.core),
        ("cpu", &line.cpu),
        ("thread", &line.thread),
    ] {
        if let Some(place) = place {
            // Writing to a string cannot fail.
            let _ = write!(name, " [{what} {place}]");
        }
    }
    name
}

/// perf prints numbers as C does; `nan` and `inf` are none in JSON. Texts stay as they are.
fn without_nan(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut in_text = false;
    let mut rest = text;
    while let [first, others @ ..] = rest {
        let word: &[&[u8]] = &[b"-nan", b"nan", b"-inf", b"inf"];
        let found = word.iter().find(|word| !in_text && rest.starts_with(word));
        if let Some(found) = found {
            out.extend_from_slice(b"null");
            rest = &rest[found.len()..];
            continue;
        }
        if in_text && *first == b'\\' {
            out.extend_from_slice(&rest[..rest.len().min(2)]);
            rest = rest.get(2..).unwrap_or_default();
            continue;
        }
        in_text ^= *first == b'"';
        out.push(*first);
        rest = others;
    }
    out
}

impl PerfProfile {
    /// Records by run, for output of `perf stat -r 0`, in which runs follow each other: a run
    /// begins where the first event comes again. A last run that was cut off is left out.
    #[must_use]
    pub fn groups(&self) -> Vec<&[EventRecord]> {
        let Some(first) = self.records.first() else {
            return Vec::new();
        };
        let begins: Vec<usize> = self
            .records
            .iter()
            .enumerate()
            .filter(|(_, record)| record.event == first.event)
            .map(|(index, _)| index)
            .collect();
        let ends = begins.iter().skip(1).copied().chain([self.records.len()]);
        let groups = begins.iter().zip(ends);
        let mut groups: Vec<&[EventRecord]> =
            groups.map(|(from, to)| &self.records[*from..to]).collect();
        // perf may have been stopped while it wrote the last one.
        let whole = groups.first().map_or(0, |group| group.len());
        if groups.len() > 1 {
            groups.retain(|group| group.len() == whole);
        }
        groups
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, event: &str, value: Result<f64, MissingCount>) {
        let profile = read(line.as_bytes()).unwrap().unwrap();
        assert_eq!(profile.records[0].event, event);
        assert_eq!(profile.records[0].value, value);
    }

    #[test]
    fn values_are_texts_or_numbers() {
        check(r#"{"counter-value" : "1.5", "event" : "e"}"#, "e", Ok(1.5));
        check(r#"{"counter-value" : 7, "event" : "e"}"#, "e", Ok(7.0));
        let line = r#"{"counter-value" : "<not counted>", "event" : "e"}"#;
        check(line, "e", Err(MissingCount::NotCounted));
        let line = r#"{"cpu" : "0", "counter-value" : "1", "event" : "e"}"#;
        check(line, "e [cpu 0]", Ok(1.0));
        let line = r#"{"socket" : "S0", "core" : 3, "counter-value" : "1", "event" : "e"}"#;
        check(line, "e [socket S0] [core 3]", Ok(1.0));
        let line = r#"{"counter-value" : "1", "event" : "nan", "metric-value" : -nan}"#;
        check(line, "nan", Ok(1.0));
    }

    #[test]
    fn what_is_no_count_is_left_out() {
        let line = r#"{"metric-value" : "1.5", "metric-unit" : "insn per cycle"}"#;
        assert_eq!(read(line.as_bytes()).unwrap(), None);
        assert_eq!(read(&b"# started on\n\n"[..]).unwrap(), None);
    }

    #[test]
    fn numbers_that_are_none_are_refused() {
        for value in ["inf", "nan", "-1", "1,5", "", "1e999", "seven"] {
            let line = format!("{{\"counter-value\" : \"{value}\", \"event\" : \"e\"}}\n");
            assert!(read(line.as_bytes()).is_err(), "{value}");
        }
    }

    #[test]
    fn a_group_that_was_cut_is_left_out() {
        let line =
            |event: &str| format!("{{\"counter-value\" : \"1\", \"event\" : \"{event}\"}}\n");
        let text: String = ["a", "b", "a", "b", "a"].map(line).concat();
        let profile = read(text.as_bytes()).unwrap().unwrap();
        assert_eq!(
            profile
                .groups()
                .iter()
                .map(|group| group.len())
                .collect::<Vec<_>>(),
            [2, 2]
        );
        let text: String = ["a", "b"].map(line).concat();
        let profile = read(text.as_bytes()).unwrap().unwrap();
        assert_eq!(profile.groups().len(), 1);
    }
}
