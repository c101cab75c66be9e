//! A run to its part of `history.jsonl`: a line with the values that the lines before do not have.
//!
//! A run that changes nothing at the same commit and code adds nothing, so a year of work is some
//! hundred lines. Where they are too many all the same, the older half becomes one line for each
//! bench target and label.

use std::borrow::Cow;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::compiler;
use records::layout::HistoryAddition;
use records::summary::{Number, Profile, Repeated, Run, Summary};
use records::{
    mark_of_benchmark, metric_word, PointLine, PointMark, PointMarks, PointMetricValues,
    PointSource, PointValues, POINT, POINT_VERSION,
};

/// The values of a run, benchmark by benchmark.
#[derive(Debug, Default)]
pub struct RunValues {
    values: BTreeMap<String, MeasuredValues>,
    /// The words of the benchmark that was added last.
    words: Arc<[String]>,
    /// Benchmarks without a value, which are still there.
    failed: BTreeSet<String>,
}

/// The values of a benchmark, the words for their metrics, which most benchmarks have in common,
/// and the mark of its code.
#[derive(Debug)]
struct MeasuredValues {
    words: Arc<[String]>,
    numbers: Box<[Number]>,
    code: Option<String>,
    /// The arguments, if the id is a place in a list.
    input: Option<String>,
    /// The counts of one more run.
    repeated: Option<Repeated>,
}

impl MeasuredValues {
    fn iter(&self) -> impl Iterator<Item = (&str, Number)> {
        let words = self.words.iter().map(String::as_str);
        words.zip(self.numbers.iter().copied())
    }
}

/// Bytes above which the older half of a history becomes one line.
const LARGEST: usize = 2 << 20;

impl RunValues {
    /// Adds a benchmark.
    pub fn add(&mut self, summary: &Summary) {
        let has_failed = |profile: &&Profile| {
            let mut failures = summary.failures.iter();
            failures.any(|failure| failure.tool.as_ref() == Some(&profile.tool))
        };
        let profiles = summary.profiles.iter();
        // A failed run may have figures, as after `--check-determinism`; they are no value of the
        // commit.
        let profiles = profiles.filter(|profile| !has_failed(profile));
        let values: Vec<_> = profiles.clone().flat_map(shown).collect();
        let path = summary.benchmark.path.clone();
        if values.is_empty() {
            self.failed.insert(path);
        } else {
            let input = summary.benchmark.input.as_ref();
            let repeated = profiles.clone().filter_map(|profile| profile.repeated);
            let kept = self.insert(path, &values, code(profiles.clone()));
            kept.input = input
                .filter(|input| input.positional)
                .map(|input| input.text.clone());
            // One tool that counts differently is enough.
            kept.repeated = repeated.max_by_key(|repeated| *repeated == Repeated::Other);
        }
    }

    fn insert(
        &mut self,
        path: String,
        values: &[(Cow<'_, str>, Number)],
        code: Option<&str>,
    ) -> &mut MeasuredValues {
        let words = values.iter().map(|(word, _)| word.as_ref());
        if !words.clone().eq(self.words.iter()) {
            self.words = words.map(str::to_owned).collect();
        }
        let words = Arc::clone(&self.words);
        let numbers = values.iter().map(|(_, number)| *number).collect();
        let values = MeasuredValues {
            words,
            numbers,
            code: code.map(str::to_owned),
            input: None,
            repeated: None,
        };
        match self.values.entry(path) {
            Entry::Vacant(entry) => entry.insert(values),
            Entry::Occupied(mut entry) => {
                entry.insert(values);
                entry.into_mut()
            }
        }
    }

    /// Is there nothing for the history?
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The part of the run in a history with these lines.
    pub fn addition(&self, run: &Run, lines: &[u8]) -> HistoryAddition {
        self.addition_within(LARGEST, run, lines)
    }

    fn addition_within(&self, largest: usize, run: &Run, lines: &[u8]) -> HistoryAddition {
        let mut new = self.without_values(run);
        // A line has changes only, so what is known is found by reading all lines of the target.
        let mut known = Known::default();
        for line in lines_of(lines).filter_map(PointLine::read) {
            if target(&line) == target(&new) {
                known.go_on(line);
            }
        }
        let is_same = known
            .last
            .as_ref()
            .is_some_and(|last| is_same_state(last, &new) && known.has_all(self.marks()));
        new.values = self.changes(&known, run);
        for path in new.values.keys() {
            let Some(values) = self.values.get(&**path) else {
                continue;
            };
            if let Some(input) = &values.input {
                new.inputs.insert(path.clone(), input.into());
            }
            if let Some(repeated) = values.repeated {
                new.repeated.insert(path.clone(), repeated);
            }
        }
        if is_same && new.values.is_empty() {
            return HistoryAddition::Nothing;
        }
        let new = to_text(&new);
        // The new line belongs to the file that is to stay within the bound.
        match folded(lines, largest.saturating_sub(new.len())) {
            Some(folded) => HistoryAddition::Whole([folded, new].concat()),
            None => HistoryAddition::Line(new),
        }
    }

    /// The line of the run, without its values.
    fn without_values<'a>(&'a self, run: &'a Run) -> PointLine<'a> {
        let text = |text: &'a Option<String>| text.as_deref().map(Cow::Borrowed);
        let source = &run.source;
        let valgrind = run.valgrind.as_ref();
        PointLine {
            kind: POINT.into(),
            version: POINT_VERSION,
            at: seconds(&run.started_at),
            package: text(&run.package).unwrap_or_default(),
            file: text(&run.file).unwrap_or_default(),
            target: text(&run.system.target),
            label: text(&run.label),
            source: PointSource {
                commit: text(&source.commit),
                dirty: source.dirty,
                committed_at: text(&source.committed_at),
            },
            code: text(&source.code),
            marks: PointMarks::of_benchmarks(self.marks()),
            rustc: run
                .system
                .rustc
                .as_deref()
                .map(|rustc| compiler(rustc).into()),
            valgrind: valgrind.and_then(|valgrind| text(&valgrind.version)),
            libc: text(&run.system.libc),
            runs: self.values.len() as u64,
            values: BTreeMap::new(),
            inputs: BTreeMap::new(),
            repeated: BTreeMap::new(),
        }
    }

    /// The marks of the code of all benchmarks.
    fn marks(&self) -> impl Iterator<Item = (Cow<'_, str>, PointMark<'_>)> + Clone {
        let values = self.values.iter();
        values.map(|(path, values)| (path.into(), values.code.as_deref().map(Cow::Borrowed)))
    }

    /// The values that are not known: most often there are none, so only these are copied.
    fn changes<'a>(&'a self, known: &'a Known<'_>, run: &Run) -> PointValues<'a> {
        let is_known = |path: &str, values: &MeasuredValues| {
            let known = known.values.get(path);
            values.iter().all(|(word, number)| {
                let known = known.and_then(|known| known.get(word));
                known.is_some_and(|known| equals(*known, number))
            })
        };
        let new = self.values.iter();
        let new = new.filter(|(path, values)| !is_known(path, values));
        let mut changes: PointValues<'a> = new
            .map(|(path, values)| {
                let values = values.iter();
                let values = values.map(|(word, number)| (word.into(), number));
                (path.as_str().into(), Some(values.collect()))
            })
            .collect();
        // Others may have been left out.
        if run.counts.filtered == 0 && run.counts.not_run == 0 {
            let is_there =
                |path: &str| self.values.contains_key(path) || self.failed.contains(path);
            let gone = known.values.keys().filter(|path| !is_there(path));
            changes.extend(gone.map(|path| (path.as_ref().into(), None)));
        }
        changes
    }
}

/// Mark of the code that a benchmark measured.
fn code<'a>(profiles: impl Iterator<Item = &'a Profile>) -> Option<&'a str> {
    mark_of_benchmark(profiles.filter_map(|profile| {
        let tool = profile.tool.parse().ok()?;
        Some((tool, profile.environment.code.as_deref()))
    }))
}

/// The counts of a tool that the terminal shows. Times and figures of the hardware are never the
/// same twice.
fn shown(profile: &Profile) -> impl Iterator<Item = (Cow<'_, str>, Number)> {
    let tool = profile.tool.parse().ok();
    let counts = profile.metrics.iter();
    let counts = counts.filter(|metric| metric.shown && metric.unit.is_none());
    counts.filter_map(move |metric| Some((metric_word(tool?, &metric.kind)?, metric.new?)))
}

/// State of a bench target after reading its lines.
#[derive(Debug, Default)]
struct Known<'a> {
    values: BTreeMap<Cow<'a, str>, PointMetricValues<'a>>,
    /// The last known marks of the code of these benchmarks.
    marks: PointMarks<'a>,
    /// The last known arguments.
    inputs: BTreeMap<Cow<'a, str>, Cow<'a, str>>,
    /// The last line, without what is known of single benchmarks.
    last: Option<PointLine<'a>>,
}

impl<'a> Known<'a> {
    fn go_on(&mut self, mut line: PointLine<'a>) {
        let marks = std::mem::take(&mut line.marks);
        let mut inputs = std::mem::take(&mut line.inputs);
        // It is about the values of this line alone.
        line.repeated.clear();
        let mut named = Vec::new();
        for (path, values) in std::mem::take(&mut line.values) {
            if values.is_some() {
                named.push(path.clone());
            }
            match inputs.remove(&path) {
                Some(input) => self.inputs.insert(path.clone(), input),
                None => self.inputs.remove(&path),
            };
            match values {
                Some(values) => match self.values.entry(path) {
                    Entry::Vacant(entry) => {
                        entry.insert(values);
                    }
                    // Another tool alone may have run.
                    Entry::Occupied(mut entry) => entry.get_mut().extend(values),
                },
                None => {
                    self.values.remove(&path);
                }
            }
        }
        // A run of all benchmarks: its marks replace the known ones, also those of benchmarks that
        // are gone.
        if line.runs == self.values.len() as u64 {
            self.marks = marks;
        } else {
            // The line names a part of the benchmarks; the others may not have been measured, so
            // their marks stay.
            for path in named {
                let mark = marks.of(&path).map(|mark| mark.to_owned().into());
                self.marks.set(path, mark);
            }
        }
        self.last = Some(line);
    }

    /// Are these marks known already?
    fn has_all<'m>(&self, mut marks: impl Iterator<Item = (Cow<'m, str>, PointMark<'m>)>) -> bool {
        marks.all(|(path, mark)| self.marks.of(&path) == mark.as_deref())
    }

    /// Merges the lines into one with the same meaning.
    fn one_line(self) -> Option<PointLine<'a>> {
        let Self {
            values,
            marks,
            inputs,
            last,
        } = self;
        let mark_of = |path: &Cow<'a, str>| {
            let mark = marks.of(path).map(|mark| mark.to_owned().into());
            (path.clone(), mark)
        };
        Some(PointLine {
            runs: values.len() as u64,
            marks: PointMarks::of_benchmarks(values.keys().map(mark_of)),
            values: values
                .into_iter()
                .map(|(path, values)| (path, Some(values)))
                .collect(),
            inputs,
            ..last?
        })
    }
}

/// The text with one line instead of its older half, for each bench target and label. `None`: it
/// has at most this many bytes, or would not become much shorter.
fn folded(text: &[u8], most: usize) -> Option<Vec<u8>> {
    if text.len() <= most {
        return None;
    }
    // The half, so that about 1 MiB of new lines fits before the next fold. The cut is the end of
    // the line in the middle.
    let half = text.len() / 2;
    let older = half + memchr::memchr(b'\n', &text[half..])? + 1;
    let (older, younger) = text.split_at(older);
    let mut kept = Vec::new();
    let mut known: BTreeMap<LineTarget<'_>, Known<'_>> = BTreeMap::new();
    for line in lines_of(older) {
        match PointLine::read(line) {
            Some(read) => known.entry(target(&read)).or_default().go_on(read),
            // Lines of later versions, or by hand, stay as they are.
            None => {
                kept.extend_from_slice(line);
                kept.push(b'\n');
            }
        }
    }
    for line in known.into_values().filter_map(Known::one_line) {
        kept.extend(to_text(&line));
    }
    // Else it would be written anew by each run.
    (kept.len() <= older.len() / 4 * 3).then(|| [&kept, younger].concat())
}

fn lines_of(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let lines = text.split(|byte| *byte == b'\n');
    lines.filter(|line| !line.is_empty())
}

fn to_text(line: &PointLine<'_>) -> Vec<u8> {
    // Texts and numbers can always be written.
    let mut text = serde_json::to_vec(line).unwrap_or_default();
    text.push(b'\n');
    text
}

/// The bench target of a line, whose lines continue each other: package, file, target and label.
type LineTarget<'a> = ([Cow<'a, str>; 2], [Option<Cow<'a, str>>; 2]);

fn target<'a>(line: &PointLine<'a>) -> LineTarget<'a> {
    let PointLine {
        package,
        file,
        target,
        label,
        ..
    } = line;
    let names = [package.clone(), file.clone()];
    (names, [target.clone(), label.clone()])
}

/// Do both lines have the same source, executable and programs?
fn is_same_state(one: &PointLine<'_>, other: &PointLine<'_>) -> bool {
    one.source.commit == other.source.commit
        && one.source.dirty == other.source.dirty
        && one.code == other.code
        && one.rustc == other.rustc
        && one.valgrind == other.valgrind
        && one.libc == other.libc
}

/// A rate may come back from its text as the number next to it.
fn equals(one: Number, other: Number) -> bool {
    match (one, other) {
        (Number::Count(one), Number::Count(other)) => one == other,
        (one, other) => {
            let (one, other) = (one.as_f64(), other.as_f64());
            // The next number is 2e-16 of it away; a changed count moves a rate by far more than
            // 1e-12.
            (one - other).abs() <= one.abs().max(other.abs()) * 1e-12
        }
    }
}

/// A time without its fraction of a second.
fn seconds(time: &str) -> Cow<'_, str> {
    match time.split_once('.') {
        Some((whole, fraction)) if fraction.ends_with('Z') => format!("{whole}Z").into(),
        _ => time.into(),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use iai_callgrind::protocol::EventKind;
    use serde_json::{json, Value};

    use super::*;
    use crate::history::{history, HistoryOptions};
    use metrics::MetricKind;
    use records::{RecordInput, RecordReader};

    /// The record of a run at a commit, with clean files.
    fn run(commit: &str, other: &[(&str, Value)]) -> Run {
        let mut run = json!({
            "version": 1, "package": "exp1", "file": "app", "ending": "ok", "exit_code": 0, "signal": null,
            "message": null, "started_at": "2026-11-22T03:18:26.123Z", "duration_ns": 5, "files": null,
            "counts": {"ok": 0, "regressed": 0, "failed": 0, "filtered": 0, "not_run": 0},
            "source": {"commit": commit, "dirty": false, "committed_at": format!("2026-11-21T{commit}:00:00Z"),
                "branch": "main", "code": format!("code-{commit}")},
            "baselines": {"new": null, "old": null},
            "system": {"runner": "0.17.0", "library": null, "target": "x86_64", "libc": "glibc 2.36",
                "rustc": "1.95.0 (59807616e 2026-04-14)", "cpu": null, "cpu_features": []},
            "valgrind": {"path": "/usr/bin/valgrind", "version": "3.19.0"}, "warnings": [], "errors": [],
        });
        for (name, value) in other {
            run[name] = value.clone();
        }
        serde_json::from_value(run).unwrap()
    }

    fn counts(instructions: &[(&str, u64)]) -> RunValues {
        let mut values = RunValues::default();
        for (name, count) in instructions {
            let counts = [("Ir", *count), ("EstimatedCycles", count + 1)];
            let counts = counts.map(|(word, count)| (word.into(), Number::Count(count)));
            values.insert(format!("app::g::{name}"), &counts, Some("1f"));
        }
        values
    }

    /// A history to which each of these runs adds its part.
    fn kept(runs: &[(RunValues, Run)]) -> String {
        let mut text = Vec::new();
        for (values, run) in runs {
            match values.addition(run, &text) {
                HistoryAddition::Nothing => {}
                HistoryAddition::Line(line) => text.extend(line),
                HistoryAddition::Whole(whole) => text = whole,
            }
        }
        String::from_utf8(text).unwrap()
    }

    /// The values of instructions of a benchmark, read back.
    fn read_back(text: &str, function: &str) -> Vec<u64> {
        let mut reader = RecordReader::with_points();
        let input = RecordInput {
            name: "history.jsonl".to_owned(),
        };
        reader.read(input, Cursor::new(text)).unwrap();
        let options = HistoryOptions {
            metrics: vec![MetricKind::from(EventKind::Ir)],
            ..HistoryOptions::default()
        };
        let history = history(&reader.finish(), &options);
        let path = format!("app::g::{function}");
        let mut series = history.series.iter().filter(|series| series.path == path);
        let points = series.next().map_or(&[][..], |series| &series.points);
        let values = points.iter().map(|point| point.value.as_f64() as u64);
        values.collect()
    }

    #[test]
    fn a_line_has_what_changed() {
        let text = kept(&[
            (counts(&[("f", 100), ("g", 7)]), run("01", &[])),
            // Nothing is new.
            (counts(&[("f", 100), ("g", 7)]), run("01", &[])),
            (counts(&[("f", 100), ("g", 7)]), run("02", &[])),
            (counts(&[("f", 120), ("g", 7)]), run("03", &[])),
        ]);
        let expected = [
            r#"{"type":"point","version":1,"at":"2026-11-22T03:18:26Z","package":"exp1","file":"app","target":"x86_64","label":null,"source":{"commit":"01","dirty":false,"committed_at":"2026-11-21T01:00:00Z"},"code":"code-01","marks":{"most":"1f"},"rustc":"1.95.0","valgrind":"3.19.0","libc":"glibc 2.36","runs":2,"values":{"app::g::f":{"EstimatedCycles":101,"Ir":100},"app::g::g":{"EstimatedCycles":8,"Ir":7}}}"#,
            r#"{"type":"point","version":1,"at":"2026-11-22T03:18:26Z","package":"exp1","file":"app","target":"x86_64","label":null,"source":{"commit":"02","dirty":false,"committed_at":"2026-11-21T02:00:00Z"},"code":"code-02","marks":{"most":"1f"},"rustc":"1.95.0","valgrind":"3.19.0","libc":"glibc 2.36","runs":2,"values":{}}"#,
            r#"{"type":"point","version":1,"at":"2026-11-22T03:18:26Z","package":"exp1","file":"app","target":"x86_64","label":null,"source":{"commit":"03","dirty":false,"committed_at":"2026-11-21T03:00:00Z"},"code":"code-03","marks":{"most":"1f"},"rustc":"1.95.0","valgrind":"3.19.0","libc":"glibc 2.36","runs":2,"values":{"app::g::f":{"EstimatedCycles":121,"Ir":120}}}"#,
        ];
        assert_eq!(text.lines().collect::<Vec<_>>(), expected);
        assert_eq!(read_back(&text, "f"), [100, 100, 120]);
        assert_eq!(read_back(&text, "g"), [7, 7, 7]);
    }

    #[test]
    fn a_line_says_the_arguments_and_the_proof_of_what_changed() {
        let with = |count, input: &str, repeated| {
            let mut values = counts(&[("f", count), ("g", 7)]);
            for measured in values.values.values_mut() {
                measured.input = Some(input.to_owned());
                measured.repeated = repeated;
            }
            values
        };
        let text = kept(&[
            (with(100, "9", None), run("01", &[])),
            (with(100, "9", None), run("02", &[])),
            (with(120, "10", Some(Repeated::Same)), run("02", &[])),
        ]);
        let facts = text.lines().map(|line| {
            let line: Value = serde_json::from_str(line).unwrap();
            (line["inputs"].clone(), line["repeated"].clone())
        });
        let facts: Vec<_> = facts.collect();
        let both = json!({"app::g::f": "9", "app::g::g": "9"});
        let changed = json!({"app::g::f": "10"});
        let proof = json!({"app::g::f": "same"});
        let expected = [
            (both, Value::Null),
            (Value::Null, Value::Null),
            (changed, proof),
        ];
        assert_eq!(facts, expected);
        // One line instead of several knows the last ones.
        let lines = lines_of(text.as_bytes()).filter_map(PointLine::read);
        let mut known = Known::default();
        lines.for_each(|line| known.go_on(line));
        let folded = known.one_line().unwrap();
        assert_eq!(folded.inputs["app::g::f"], "10");
        assert_eq!(folded.inputs["app::g::g"], "9");
        assert!(folded.repeated.is_empty());
    }

    #[test]
    fn a_benchmark_is_gone_when_a_run_of_all_does_not_have_it() {
        let part = json!({"ok": 1, "regressed": 0, "failed": 0, "filtered": 1, "not_run": 0});
        let both = || counts(&[("f", 100), ("g", 7)]);
        let selected = (counts(&[("f", 101)]), run("02", &[("counts", part)]));
        let text = kept(&[(both(), run("01", &[])), selected]);
        assert!(!text.contains("null}"), "{text}");
        let mut failed = counts(&[("f", 101)]);
        failed.failed.insert("app::g::g".to_owned());
        let text = kept(&[(both(), run("01", &[])), (failed, run("02", &[]))]);
        assert!(!text.contains("null}"), "{text}");
        let text = kept(&[
            (both(), run("01", &[])),
            (counts(&[("f", 100)]), run("02", &[])),
            (counts(&[("f", 100)]), run("03", &[])),
            (both(), run("04", &[])),
        ]);
        let lines: Vec<&str> = text.lines().collect();
        assert!(
            lines[1].ends_with(r#""runs":1,"values":{"app::g::g":null}}"#),
            "{text}"
        );
        assert!(lines[2].ends_with(r#""values":{}}"#), "{text}");
        assert_eq!(read_back(&text, "g"), [7, 7]);
        assert_eq!(read_back(&text, "f"), [100, 100, 100, 100]);
    }

    #[test]
    fn another_state_is_told_and_other_targets_are_not_mixed() {
        let same = || counts(&[("f", 100)]);
        let valgrind = json!({"path": "/v", "version": "3.24.0"});
        let text = kept(&[
            (same(), run("01", &[])),
            (same(), run("01", &[("valgrind", valgrind)])),
            (same(), run("01", &[("label", json!("big"))])),
            (same(), run("01", &[("label", json!("big"))])),
        ]);
        let values: Vec<bool> = text.lines().map(|line| line.ends_with("{}}")).collect();
        assert_eq!(values, [false, true, false], "{text}");
        let nightly =
            json!({"runner": "", "rustc": "1.97.0-nightly (abc 2026-06-01)", "cpu_features": []});
        let text = kept(&[(same(), run("01", &[("system", nightly)]))]);
        assert!(
            text.contains(r#""rustc":"1.97.0-nightly (abc 2026-06-01)""#),
            "{text}"
        );
    }

    /// The outcomes of a run of which a filter left something out.
    fn selected() -> Value {
        json!({"ok": 1, "regressed": 0, "failed": 0, "filtered": 1, "not_run": 0})
    }

    /// Counts of binary benchmarks of these programs, which have the count 7 each.
    fn of_programs(programs: &[(&str, Option<&str>)]) -> RunValues {
        let mut values = RunValues::default();
        for (name, mark) in programs {
            let counts = [("Ir".into(), Number::Count(7))];
            values.insert(format!("app::g::{name}"), &counts, *mark);
        }
        values
    }

    /// The executable and all counts stay the same.
    #[test]
    fn another_program_is_told() {
        let [one, two, three] = ["1f", "2f", "3f"].map(Some);
        let all = |of_h| of_programs(&[("f", one), ("g", one), ("h", of_h)]);
        let part = || run("01", &[("counts", selected())]);
        let marks = |runs: &[(RunValues, Run)]| {
            let text = kept(runs);
            let lines = text.lines().map(|line| {
                let line: Value = serde_json::from_str(line).unwrap();
                line["marks"].to_string()
            });
            lines.collect::<Vec<_>>()
        };
        let first = r#"{"most":"1f","others":{"app::g::h":"2f"}}"#;
        let second = r#"{"most":"1f","others":{"app::g::h":"3f"}}"#;
        let again = [
            (all(two), run("01", &[])),
            (all(two), run("01", &[])),
            // Filters selected some, which are as before.
            (of_programs(&[("h", two)]), part()),
            (of_programs(&[("f", one), ("g", one)]), part()),
        ];
        assert_eq!(marks(&again), [first]);
        let other = [(all(two), run("01", &[])), (all(three), run("01", &[]))];
        assert_eq!(marks(&other), [first, second]);
        let of_h = [
            (all(two), run("01", &[])),
            (of_programs(&[("h", three)]), part()),
        ];
        assert_eq!(marks(&of_h), [first, r#"{"most":"3f"}"#]);
        // An unreadable program is recorded once, not at each run.
        let unknown = [(all(None), run("01", &[])), (all(None), run("01", &[]))];
        let unread = r#"{"most":"1f","others":{"app::g::h":null}}"#;
        assert_eq!(marks(&unknown), [unread]);
    }

    #[test]
    fn lines_without_marks_are_continued() {
        let before = kept(&[(of_programs(&[("f", None)]), run("01", &[]))]);
        assert!(!before.contains("marks"), "{before}");
        let new = of_programs(&[("f", Some("1f"))]);
        let run = run("01", &[]);
        let HistoryAddition::Line(line) = new.addition(&run, before.as_bytes()) else {
            panic!("a mark is new");
        };
        let line = String::from_utf8(line).unwrap();
        assert!(line.contains(r#""marks":{"most":"1f"}"#), "{line}");
        assert!(line.ends_with("\"values\":{}}\n"), "{line}");
        let text = before + &line;
        assert_eq!(
            new.addition(&run, text.as_bytes()),
            HistoryAddition::Nothing
        );
    }

    #[test]
    fn one_line_of_several_has_the_last_marks() {
        let all = |of_h| of_programs(&[("f", Some("1f")), ("g", Some("1f")), ("h", Some(of_h))]);
        let other = counts(&[("h", 8)]);
        let part = run("01", &[("counts", selected())]);
        let text = kept(&[(all("2f"), run("01", &[])), (other, part)]);
        fn marks(text: &str) -> PointMarks<'_> {
            let mut known = Known::default();
            let lines = lines_of(text.as_bytes()).filter_map(PointLine::read);
            lines.for_each(|line| known.go_on(line));
            known.one_line().unwrap().marks
        }
        assert_eq!(text.lines().count(), 2);
        let same = [("f", "1f"), ("g", "1f"), ("h", "1f")];
        for (name, mark) in same {
            assert_eq!(
                marks(&text).of(&format!("app::g::{name}")),
                Some(mark),
                "{name}"
            );
        }
        // A run of all says it of those that it does not name.
        let text = kept(&[(all("2f"), run("01", &[])), (all("3f"), run("01", &[]))]);
        assert!(
            text.lines().nth(1).unwrap().ends_with("\"values\":{}}"),
            "{text}"
        );
        assert_eq!(marks(&text).of("app::g::f"), Some("1f"));
        assert_eq!(marks(&text).of("app::g::h"), Some("3f"));
    }

    #[test]
    fn a_metric_of_another_tool_stays_known() {
        let mut heap = RunValues::default();
        let bytes = [("dhat.TotalBytes".into(), Number::Count(64))];
        heap.insert("app::g::f".to_owned(), &bytes, Some("1f"));
        let runs = [
            (counts(&[("f", 100)]), run("01", &[])),
            (heap, run("01", &[])),
            (counts(&[("f", 100)]), run("01", &[])),
        ];
        assert_eq!(kept(&runs).lines().count(), 2);
        // Such a run says nothing about instructions.
        assert_eq!(read_back(&kept(&runs), "f"), [100]);
    }

    #[test]
    fn rates_are_the_same_after_they_were_written() {
        for bits in 0..1000_u64 {
            let rate = f64::from_bits(90.0_f64.to_bits() + bits * 7919);
            let mut values = RunValues::default();
            let rates = [("L1HitRate".into(), Number::Rate(rate))];
            values.insert("app::g::f".to_owned(), &rates, Some("1f"));
            let text = kept(&[(values, run("01", &[]))]);
            let again = text.replace("code-01", "code-02");
            let mut values = RunValues::default();
            let rates = [("L1HitRate".into(), Number::Rate(rate))];
            values.insert("app::g::f".to_owned(), &rates, Some("1f"));
            let added = values.addition(&run("01", &[]), text.as_bytes());
            assert_eq!(added, HistoryAddition::Nothing, "{rate} {again}");
        }
    }

    #[test]
    fn the_older_half_of_a_long_history_becomes_a_line() {
        const LARGEST: usize = 40_000;
        let names: Vec<String> = (0..20).map(|number| format!("f{number}")).collect();
        let mut text = b"of another program\n".to_vec();
        let mut longest = 0;
        for round in 0..150 {
            let all: Vec<(&str, u64)> = names
                .iter()
                .map(|name| (name.as_str(), round + 1))
                .collect();
            let label = json!(["big", "small"][(round % 2) as usize]);
            let run = run(&round.to_string(), &[("label", label)]);
            match counts(&all).addition_within(LARGEST, &run, &text) {
                HistoryAddition::Line(line) => text.extend(line),
                HistoryAddition::Whole(whole) => {
                    assert!(whole.len() < text.len() * 3 / 4);
                    text = whole;
                }
                HistoryAddition::Nothing => panic!("every value is another one"),
            }
            longest = longest.max(text.len());
        }
        assert!((LARGEST / 2..=LARGEST).contains(&longest), "{longest}");
        let text = String::from_utf8(text).unwrap();
        assert!(text.starts_with("of another program\n{"));
        let values = read_back(&text, "f7");
        // The last values of each label, the line before them, and all since.
        assert_eq!(values.last(), Some(&149));
        assert!(values.len() > 5 && values.windows(2).all(|pair| pair[0] + 2 == pair[1]));
    }

    #[test]
    fn what_cannot_become_shorter_is_not_written_again_and_again() {
        let text = [&[b'x'; 100][..], b"\n"].concat();
        let values = counts(&[("f", 1)]);
        let added = values.addition_within(50, &run("01", &[]), &text);
        assert!(matches!(added, HistoryAddition::Line(_)));
    }

    proptest::proptest! {
        /// Somebody may have written anything there.
        #[test]
        fn no_history_stops_a_run(
            edits in proptest::collection::vec((0_usize..2000, proptest::prelude::any::<u8>()), 0..20),
            most in 0_usize..3000,
        ) {
            let runs = ["01", "02", "03"].map(|commit| (counts(&[("f", 1), ("g", 2)]), run(commit, &[])));
            let mut text = kept(&runs).into_bytes();
            for (place, byte) in edits {
                let place = place % text.len();
                text[place] = byte;
            }
            let added = counts(&[("f", 3)]).addition_within(most, &run("04", &[]), &text);
            let text = match added {
                HistoryAddition::Whole(text) => text,
                HistoryAddition::Line(line) => [text, b"\n".to_vec(), line].concat(),
                HistoryAddition::Nothing => panic!("a count is another one"),
            };
            let text = String::from_utf8_lossy(&text);
            read_back(&text, "f");
            assert!(text.lines().last().unwrap().contains("\"Ir\":3"), "{text}");
        }

        /// Whatever runs there were, the lines say what each of them counted.
        #[test]
        fn lines_say_what_runs_counted(
            runs in proptest::collection::vec([0_u64..3, 0..3, 0..3], 1..12),
            fold in 200_usize..4000,
        ) {
            let mut text = Vec::new();
            let mut expected: [Vec<u64>; 3] = Default::default();
            for (number, counted) in runs.iter().enumerate() {
                // 0 stands for a benchmark that is not there.
                let names = ["f", "g", "h"];
                let all: Vec<_> = names.iter().copied().zip(*counted).filter(|it| it.1 > 0).collect();
                if all.is_empty() {
                    continue;
                }
                for (expected, count) in expected.iter_mut().zip(counted).filter(|it| *it.1 > 0) {
                    expected.push(*count);
                }
                match counts(&all).addition(&run(&format!("{number:02}"), &[]), &text) {
                    HistoryAddition::Line(line) => text.extend(line),
                    other => panic!("{other:?}"),
                }
            }
            let text = String::from_utf8(text).unwrap();
            // Folded lines keep the last values.
            let folded = folded(text.as_bytes(), fold).map(|text| String::from_utf8(text).unwrap());
            for (name, expected) in ["f", "g", "h"].iter().zip(&expected) {
                assert_eq!(&read_back(&text, name), expected, "{name} {text}");
                if let Some(folded) = &folded {
                    let left = read_back(folded, name);
                    assert!(expected.ends_with(&left), "{name} {left:?} {folded}");
                }
            }
        }
    }
}
