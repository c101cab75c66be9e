//! Bencher Metric Format: new values by headline and measure.
//!
//! Names are those that Bencher's adapter reads from the terminal, so that existing series
//! continue.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use serde_json::{json, Map, Value};

use verdict::sides::{ComparisonReport, ReportRow, RowMetric};

/// Tools whose metrics have the same names as those of other tools.
const WITH_TOOL: [&str; 3] = ["memcheck", "helgrind", "drd"];

/// Measures that are not spelled as the label.
const MEASURES: [(&str, &str); 4] = [
    ("SysCount", "sys-count"),
    ("SysTime", "sys-time"),
    ("SysCpuTime", "sys-cpu-time"),
    ("Ge", "global-bus-events"),
];

/// Writes an object with an object for each benchmark.
pub(super) fn write(report: &ComparisonReport, out: &mut dyn Write) -> io::Result<()> {
    let names = BenchmarkNames::of(report);
    let mut benchmarks: BTreeMap<String, Map<String, Value>> = BTreeMap::new();
    for row in &report.rows {
        let Some((metric, tool)) = row.metric.as_ref().zip(row.tool.as_deref()) else {
            continue;
        };
        if let Some(new) = metric.new {
            let measures = benchmarks.entry(names.name(row)).or_default();
            measures.insert(measure(tool, metric), json!({"value": new.as_f64()}));
        }
    }
    serde_json::to_writer_pretty(&mut *out, &benchmarks)?;
    writeln!(out)
}

/// Names of benchmarks: headlines, as long as no other package, label or target has the same.
struct BenchmarkNames<'a> {
    /// Headlines that several benchmarks have.
    shared: BTreeSet<&'a str>,
}

impl<'a> BenchmarkNames<'a> {
    fn of(report: &'a ComparisonReport) -> Self {
        let mut identities: BTreeMap<&str, BTreeSet<_>> = BTreeMap::new();
        for row in &report.rows {
            let identity = (&row.label, &row.target, &row.package, &row.path);
            identities
                .entry(headline(row))
                .or_default()
                .insert(identity);
        }
        // Only these get a longer name: all others are those of series that exist already.
        let shared = identities.into_iter().filter(|(_, all)| all.len() > 1);
        Self {
            shared: shared.map(|(headline, _)| headline).collect(),
        }
    }

    fn name(&self, row: &ReportRow) -> String {
        let headline = headline(row);
        if !self.shared.contains(headline) {
            return headline.to_owned();
        }
        let parts = [
            row.label.as_deref(),
            row.target.as_deref(),
            Some(&row.package),
        ];
        let parts: Vec<&str> = parts.into_iter().flatten().chain([headline]).collect();
        parts.join(" ")
    }
}

fn headline(row: &ReportRow) -> &str {
    row.headline.as_deref().unwrap_or(&row.path)
}

/// `total-read-write`
fn measure(tool: &str, metric: &RowMetric) -> String {
    if let Some((_, measure)) = MEASURES.iter().find(|(kind, _)| *kind == metric.kind) {
        return (*measure).to_owned();
    }
    let prefix = match WITH_TOOL.contains(&tool) {
        true => format!("{tool} "),
        false => String::new(),
    };
    let text = (prefix + &metric.label).to_lowercase();
    let words = text.split(|character: char| !character.is_ascii_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join("-")
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::tool::Tool;
    use metrics::MetricKind;
    use verdict::sides::sample;
    use verdict::RowClass;

    fn written(report: &ComparisonReport) -> Value {
        let mut out = Vec::new();
        write(report, &mut out).unwrap();
        serde_json::from_slice(&out).unwrap()
    }

    #[test]
    fn benchmarks_have_their_new_values() {
        let found = written(&sample::report());
        assert_eq!(
            found["app::g::memchr_lines n_1:lines(1)"],
            json!({"instructions": {"value": 59692.0}})
        );
        assert_eq!(
            found["app::g::json_write::n_0"],
            json!({"instructions": {"value": 16387.0}, "total-bytes": {"value": 4096.0}})
        );
        assert_eq!(found["app::g::upper::n_1"]["l1-hit-rate"]["value"], 99.25);
        assert_eq!(found["app::g::lower::n_0"], Value::Null, "it is gone");
        assert_eq!(found.as_object().unwrap().len(), 11);
    }

    /// Slugs of the measures that Bencher has built in for this adapter.
    #[test]
    fn measures_are_those_of_bencher() {
        #[track_caller]
        fn check(tool: Tool, measures: &[&str]) {
            let all = MetricKind::all(tool).into_iter();
            let all: Vec<String> = all
                .map(|kind| {
                    let metric = sample::metric(kind.name(), kind.label(), None, None);
                    measure(tool.id(), &metric)
                })
                .collect();
            for measure in measures {
                assert!(
                    all.iter().any(|known| known == measure),
                    "{measure}: {all:?}"
                );
            }
        }
        let instructions = [
            "instructions",
            "dr",
            "dw",
            "i1mr",
            "d1mr",
            "d1mw",
            "ilmr",
            "dlmr",
            "dlmw",
        ];
        let caches = [
            "l1-hits",
            "l2-hits",
            "ram-hits",
            "total-read-write",
            "estimated-cycles",
        ];
        let rates = [
            "i1-miss-rate",
            "lli-miss-rate",
            "d1-miss-rate",
            "lld-miss-rate",
            "ll-miss-rate",
        ];
        let hits = ["l1-hit-rate", "ram-hit-rate", "bc", "bcm", "bi", "bim"];
        let system = ["sys-count", "sys-time", "sys-cpu-time", "global-bus-events"];
        let memory = [
            "ildmr", "dldmr", "dldmw", "accost1", "accost2", "sploss1", "sploss2",
        ];
        check(
            Tool::Callgrind,
            &[&instructions[..], &caches, &rates, &hits, &system, &memory].concat(),
        );
        let dhat = [
            "total-bytes",
            "total-blocks",
            "at-t-gmax-bytes",
            "at-t-gmax-blocks",
        ];
        check(Tool::Dhat, &dhat);
        check(
            Tool::Dhat,
            &[
                "at-t-end-bytes",
                "at-t-end-blocks",
                "reads-bytes",
                "writes-bytes",
            ],
        );
        let errors = ["memcheck-errors", "memcheck-contexts"];
        check(Tool::Memcheck, &errors);
        check(
            Tool::Memcheck,
            &["memcheck-suppressed-errors", "memcheck-suppressed-contexts"],
        );
    }

    #[test]
    fn equal_headlines_of_two_packages_are_told_apart() {
        let mut report = sample::many(RowClass::New, 2);
        report.rows[1].path = report.rows[0].path.clone();
        report.rows[1].package = "exp2".into();
        let found = written(&report);
        let names: Vec<&str> = found
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect();
        let target = "x86_64-unknown-linux-gnu";
        let name = |package: &str| format!("{target} {package} app::g::many::n_0");
        assert_eq!(names, [name("exp1"), name("exp2")]);
    }

    #[test]
    fn hostile_texts_stay_texts() {
        let found = written(&sample::hostile());
        let first = format!("app::g::memchr_lines::n_1{}", sample::HOSTILE);
        assert_eq!(found.as_object().unwrap().len(), 11);
        assert!(found.get(&first).is_some());
    }
}
