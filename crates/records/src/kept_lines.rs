//! The lines of a home's records that stay when a run adds its own.
//!
//! `results.jsonl` is the index of a home: a run replaces the lines of the benchmarks that it
//! measured, and removes those of benchmarks that the suite no longer has. So a run with a filter,
//! a part of the suite, or a process for each benchmark leaves the lines of all others.
//! `results.jsonl.old` has the records of the results with which those were compared, in the same
//! way.

use std::collections::{BTreeSet, HashMap};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::str;

use iai_callgrind::protocol::Input;

use super::inputs::other_input;
use super::text::{NameText, RecordText};
use crate::layout::{LineUse, LinesOfRun, LONGEST_RECORD};
use crate::summary::Summary;
use base::regular_file;

/// The label of the records in a file, by its first line. `None`: there are none, or they cannot be
/// read.
pub fn kept_label(records: &Path) -> Option<Option<String>> {
    let file = regular_file::open(records).ok()?;
    let mut line = Vec::new();
    // A line of a damaged file may have no end.
    let mut text = BufReader::new(file.take(LONGEST_RECORD));
    text.read_until(b'\n', &mut line).ok()?;
    let first = RecordText::of_object(str::from_utf8(&line).ok()?).ok()?;
    first.label.read().ok()
}

/// A label in words: ``the label `simd` `` or `no label`.
#[must_use]
pub fn label_words(label: Option<&str>) -> String {
    match label {
        Some(label) => format!("the label `{label}`"),
        None => "no label".to_owned(),
    }
}

/// The benchmarks that a run measured, of all that the suite has.
#[derive(Debug)]
pub struct MeasuredBenchmarks {
    label: Option<String>,
    suite: BTreeSet<String>,
    /// Tools that measured each benchmark, by its path.
    measured: HashMap<String, MeasuredTools>,
}

/// The tools that a run measured a benchmark with.
#[derive(Debug)]
struct MeasuredTools {
    /// The tools; `None`: it failed before any tool ran.
    tools: Vec<Option<String>>,
    input: Option<Input>,
}

impl MeasuredBenchmarks {
    /// A run of this suite, which has measured nothing yet.
    #[must_use]
    pub fn new(label: Option<String>, suite: impl IntoIterator<Item = String>) -> Self {
        Self {
            label,
            suite: suite.into_iter().collect(),
            measured: HashMap::new(),
        }
    }

    /// Adds a benchmark that has a record.
    pub fn add(&mut self, summary: &Summary) {
        let profiles = summary.profiles.iter();
        let profiles = profiles.map(|profile| Some(profile.tool.clone()));
        let failures = summary.failures.iter().map(|failure| failure.tool.clone());
        let measured = MeasuredTools {
            tools: profiles.chain(failures).collect(),
            input: summary.benchmark.input.clone().map(Input::from),
        };
        self.measured
            .insert(summary.benchmark.path.clone(), measured);
    }

    /// `None`: the line is none of ours, or damaged.
    fn use_of(&self, line: &[u8]) -> Option<LineUse> {
        let record = RecordText::of(str::from_utf8(line).ok()?.trim_end()).ok()?;
        match record.kind.as_deref()? {
            "run" => return Some(LineUse::EndsRun),
            "benchmark" => {}
            _ => return None,
        }
        let label: Option<String> = record.label.read().ok()?;
        let name = record.name().ok()?;
        Some(if label != self.label {
            // A home has the results of one label: those of another one are replaced, with a
            // warning.
            LineUse::Goes
        } else if !self.suite.contains(&*name.path) {
            // Without the benchmark nothing will replace the line, and `compare` without arguments
            // has to show that it is gone.
            LineUse::IsOld
        } else {
            self.not_measured(name, &record)?
        })
    }

    /// The use of a line of the suite: results that were not measured stay, which may be a part of
    /// the line.
    fn not_measured(&self, name: NameText<'_>, record: &RecordText<'_>) -> Option<LineUse> {
        let Some(MeasuredTools { tools, input }) = self.measured.get(&*name.path) else {
            return Some(LineUse::Stays);
        };
        let old = name.input.map(Input::from);
        let other = other_input(old.as_ref(), input.as_ref());
        // With the results of other arguments those of all tools were replaced.
        if tools.contains(&None) || other.is_some_and(|other| !other.compared) {
            return Some(LineUse::Goes);
        }
        // A tool that did not run this time keeps its result, and so its part of the line.
        let is_new = |tool: &str| tools.iter().flatten().any(|new| new == tool);
        let rest = record.of_tools(|tool| !is_new(tool)).ok()?;
        Some(match rest {
            None => LineUse::Goes,
            Some(rest) if rest == record.text => LineUse::Stays,
            Some(rest) => LineUse::StaysAs(rest),
        })
    }
}

impl LinesOfRun for MeasuredBenchmarks {
    fn of_records(&self, line: &[u8]) -> LineUse {
        // A damaged line would be an error of every reader until somebody removes it.
        self.use_of(line).unwrap_or(LineUse::Goes)
    }

    fn build(&self, line: &[u8]) -> Option<String> {
        let record = RecordText::of(str::from_utf8(line).ok()?.trim_end()).ok()?;
        let source: crate::summary::Source = record.source.read().ok()?;
        source.code
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn line(path: &str, tool: &str) -> Vec<u8> {
        let line = json!({
            "type": "benchmark", "version": 1, "failures": [],
            "profiles": [{"tool": tool, "mode": "fork", "metrics": []}],
            "benchmark": {"path": path, "package": "p", "file": "app", "group": "g", "function": "f"},
        });
        line.to_string().into_bytes()
    }

    fn labelled(path: &str, label: &str) -> Vec<u8> {
        let line = String::from_utf8(line(path, "callgrind")).unwrap();
        let label = format!("{{\"label\":\"{label}\",");
        line.replacen('{', &label, 1).into_bytes()
    }

    fn run() -> Vec<u8> {
        json!({"type": "run", "version": 1})
            .to_string()
            .into_bytes()
    }

    /// A run of the suite `a`, `b`, `c` that measured `a` under Callgrind.
    fn measured(tools: &[Option<&str>]) -> MeasuredBenchmarks {
        let suite = ["a", "b", "c"].map(str::to_owned);
        let mut measured = MeasuredBenchmarks::new(None, suite);
        let tools = tools.iter().map(|tool| tool.map(str::to_owned)).collect();
        let measured_a = MeasuredTools { tools, input: None };
        measured.measured.insert("a".to_owned(), measured_a);
        measured
    }

    #[track_caller]
    fn check(lines: &[(Vec<u8>, LineUse)]) {
        let measured = measured(&[Some("callgrind")]);
        for (line, expected) in lines {
            let text = String::from_utf8_lossy(line);
            assert_eq!(measured.of_records(line), *expected, "{text}");
        }
    }

    #[test]
    fn what_was_not_measured_stays() {
        check(&[
            (line("a", "callgrind"), LineUse::Goes),
            (line("a", "dhat"), LineUse::Stays),
            (line("b", "callgrind"), LineUse::Stays),
            (line("gone", "callgrind"), LineUse::IsOld),
            (run(), LineUse::EndsRun),
        ]);
    }

    #[test]
    fn what_other_tools_found_stays_alone() {
        let line = |profiles: &[&str], failures: &[&str]| {
            let all = |names: &[&str]| -> Vec<_> {
                names.iter().map(|tool| json!({"tool": tool})).collect()
            };
            let line = json!({
                "type": "benchmark", "version": 1, "failures": all(failures), "profiles": all(profiles),
                "benchmark": {"path": "a", "package": "p", "file": "app", "group": "g", "function": "f"},
            });
            line.to_string()
        };
        let of = |profiles: &[&str], failures: &[&str]| line(profiles, failures).into_bytes();
        check(&[
            (
                of(&["callgrind", "dhat"], &[]),
                LineUse::StaysAs(line(&["dhat"], &[])),
            ),
            (
                of(&["dhat"], &["callgrind"]),
                LineUse::StaysAs(line(&["dhat"], &[])),
            ),
            // A failure is no result that is kept.
            (of(&["callgrind"], &["dhat"]), LineUse::Goes),
            (
                of(&["memcheck"], &["dhat"]),
                LineUse::StaysAs(line(&["memcheck"], &[])),
            ),
            (of(&[], &["dhat"]), LineUse::Goes),
            (of(&["dhat", "memcheck"], &[]), LineUse::Stays),
            (of(&["callgrind"], &[]), LineUse::Goes),
            (of(&[], &["callgrind"]), LineUse::Goes),
        ]);
    }

    #[test]
    fn foreign_and_damaged_lines_go() {
        check(&[
            (b"{".to_vec(), LineUse::Goes),
            (b"\xff".to_vec(), LineUse::Goes),
            (
                b"{\"type\":\"point\",\"version\":1}".to_vec(),
                LineUse::Goes,
            ),
            (labelled("b", "simd"), LineUse::Goes),
            (
                String::from_utf8(line("b", "callgrind"))
                    .unwrap()
                    .replace("\"version\":1", "\"version\":2")
                    .into_bytes(),
                LineUse::Goes,
            ),
        ]);
    }

    #[test]
    fn a_benchmark_that_failed_before_any_tool_replaces_all_its_results() {
        let measured = measured(&[None]);
        assert_eq!(measured.of_records(&line("a", "dhat")), LineUse::Goes);
    }

    #[test]
    fn old_records_stay_with_the_results_that_were_compared_with_them() {
        let measured = measured(&[Some("callgrind")]);
        let stays = |line: &[u8]| measured.of_records(line) == LineUse::Stays;
        assert!(stays(&line("b", "callgrind")));
        assert!(stays(&line("a", "dhat")));
        // The run has told what it was compared with, or that it was with nothing.
        assert!(!stays(&line("a", "callgrind")));
        // Said once.
        assert!(!stays(&line("gone", "callgrind")));
        assert!(!stays(&labelled("b", "simd")));
        assert!(!stays(&run()));
    }

    #[test]
    fn the_first_record_has_the_label() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("results.jsonl");
        let check = |text: &str, expected: Option<Option<&str>>| {
            std::fs::write(&path, text).unwrap();
            let label = kept_label(&path);
            assert_eq!(label.as_ref().map(Option::as_deref), expected, "{text}");
        };
        assert_eq!(kept_label(&path), None);
        check("", None);
        check("{", None);
        check("{\"type\":\"run\"}\n{", Some(None));
        check("{\"label\":null}", Some(None));
        check(
            "{\"label\":\"simd\"}\n{\"label\":\"other\"}\n",
            Some(Some("simd")),
        );
    }
}
