//! The index of a page: a row for each benchmark, which needs no script, and the data that scripts
//! sort, filter and draw it by.

use crate::numbers;
use serde::Serialize;
use serde_json::{json, Value};

use super::benchmarks::{PageBenchmark, PageBenchmarks, PageMetrics};
use super::bounds::PackedDetails;
use super::head;
use super::history::PageHistory;
use super::texts::{html, json, name, plain, rounded, short};
use iai_callgrind::protocol::Direction;
use records::summary::{Number, System};
use verdict::sides::{ComparisonReport, JudgedLimit, ReportRow, ReportSide};
use verdict::RowClass;

/// Version of the data.
const VERSION: u32 = 1;

/// Characters of a cause.
const CAUSE: usize = 90;

/// Bytes of a benchmark in the index, on average, up to which metrics that no row of the report has
/// are added.
const ROOM: usize = 400;

/// Everything that the head and the index of a page are made of.
#[derive(Debug)]
pub(super) struct PageIndex<'a> {
    pub report: &'a ComparisonReport,
    pub benchmarks: &'a PageBenchmarks<'a>,
    pub metrics: &'a PageMetrics<'a>,
    pub history: &'a PageHistory,
    pub details: &'a PackedDetails,
    pub files: Option<&'a str>,
}

/// A class with its explanation for readers.
#[derive(Debug, Clone, Copy)]
pub(super) struct CountedClass(pub(super) RowClass);

impl CountedClass {
    /// Does a reader look for these benchmarks?
    pub(super) fn is_of_interest(self) -> bool {
        !matches!(self.0, RowClass::Same | RowClass::Noise | RowClass::NotRun)
    }
}

/// The class for style and scripts.
pub(super) fn class_id(class: RowClass) -> &'static str {
    match class {
        RowClass::Failed => "failed",
        RowClass::Regressed => "regressed",
        RowClass::Improved => "improved",
        RowClass::Accepted => "accepted",
        RowClass::NotJudged => "not-judged",
        RowClass::NotDeterministic => "not-deterministic",
        RowClass::ChangedOutsideOwnCode => "changed-outside-own-code",
        RowClass::Changed => "changed",
        RowClass::Noise => "noise",
        RowClass::New => "new",
        RowClass::NotCompared => "not-compared",
        RowClass::Gone => "gone",
        RowClass::NotRun => "not-run",
        RowClass::Same => "same",
    }
}

/// The class for people.
pub(super) fn class_name(class: RowClass) -> String {
    class_id(class).replace('-', " ")
}

/// Old value, new value and change in percent.
pub(super) fn values(row: &ReportRow) -> (Option<Number>, Option<Number>, Option<f64>) {
    let metric = row.metric.as_ref();
    metric.map_or((None, None, None), |metric| {
        (metric.old, metric.new, metric.diff_pct.map(rounded))
    })
}

/// `5%`, `4096`: the sign of a percentage shows the direction in which it may not be exceeded,
/// unless that is a rise.
pub(super) fn limit_text(row: &ReportRow) -> Option<String> {
    row.limit.as_ref().map(|limit| match limit {
        JudgedLimit::Soft { limit, .. } => format!("{limit}%"),
        JudgedLimit::Hard { limit, .. } => numbers::number(*limit),
    })
}

impl PageIndex<'_> {
    /// Notes on the comparison and its history.
    pub(super) fn notes(&self) -> impl Iterator<Item = &String> {
        self.report.notes.iter().chain(&self.history.notes)
    }

    /// Numbers of benchmarks by class, in the order of reports.
    pub(super) fn counts(&self) -> Vec<(CountedClass, usize)> {
        let mut counts = std::collections::BTreeMap::new();
        for benchmark in &self.benchmarks.all {
            *counts.entry(benchmark.class()).or_insert(0) += 1;
        }
        let counts = counts.into_iter();
        counts
            .map(|(class, number)| (CountedClass(class), number))
            .collect()
    }

    /// The rows of the table.
    pub(super) fn rows(&self) -> String {
        let rows = self.benchmarks.all.iter().enumerate();
        rows.map(|(place, benchmark)| self.row(place, benchmark))
            .collect()
    }

    fn row(&self, place: usize, benchmark: &PageBenchmark<'_>) -> String {
        let main = benchmark.main();
        let new = main.metric.as_ref().and_then(|metric| metric.new);
        format!(
            "<tr data-i=\"{place}\" data-c=\"{}\"><td><button>{}</button></td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
            class_id(main.class),
            html(&self.benchmarks.name(benchmark)),
            class_name(main.class),
            change(main),
            new.map(numbers::number).unwrap_or_default(),
            html(&self.cause(place, main)),
        )
    }

    /// The first cause of the change, as far as it is known.
    fn cause(&self, place: usize, main: &ReportRow) -> String {
        let failure = main.failure.as_ref();
        let failure = failure.map(|failure| failure.message.lines().next().unwrap_or_default());
        let function = main.functions.first().map(|function| &*function.name);
        let known = self.details.cause(place);
        short(failure.or(known).or(function).unwrap_or_default(), CAUSE)
    }

    /// The element with the data of the index.
    pub(super) fn data(&self) -> serde_json::Result<String> {
        let mut benchmarks = self.with_metrics(self.metrics.reported);
        // Other metrics are for choosing in the index: as many as there is room for, the same for
        // all benchmarks.
        let rows = self.rows().len();
        for shown in self.metrics.reported + 1..=self.metrics.all.len() {
            let more = self.with_metrics(shown);
            let size = rows + serde_json::to_string(&more)?.len();
            if size > ROOM * benchmarks.len() {
                break;
            }
            benchmarks = more;
        }
        let report = self.report;
        let counts: serde_json::Map<String, Value> = self
            .counts()
            .into_iter()
            .map(|(class, number)| (class_id(class.0).to_owned(), number.into()))
            .collect();
        let texts = |texts: &[String]| texts.iter().map(|text| plain(text)).collect::<Vec<_>>();
        let differences = report.differences.iter().map(|difference| {
            json!({
                "fact": name(&difference.fact), "old": name(&difference.old), "new": name(&difference.new),
                "benchmarks": difference.benchmarks, "meaning": name(&difference.meaning),
            })
        });
        let index = json!({
            "version": VERSION,
            "generator": concat!("iai-callgrind-runner ", env!("CARGO_PKG_VERSION")),
            "outcome": report.outcome,
            "old": report.old.as_ref().map(side),
            "new": side(&report.new),
            "counts": counts,
            "headlines": texts(&report.headlines),
            "notes": self.notes().map(|note| plain(note)).collect::<Vec<_>>(),
            "errors": texts(&report.errors),
            "differences": differences.collect::<Vec<_>>(),
            "left_out": self.details.left_out(),
            "blob": self.files.map(name),
            "metrics": self.metrics.all.iter().map(metric).collect::<Vec<_>>(),
            "points": self.history.points,
            "benchmarks": benchmarks,
        });
        Ok(format!(
            "<script type=\"application/json\" id=\"index\">{}</script>\n",
            json(&index)?
        ))
    }

    /// The benchmarks with values of the first metrics of the page.
    fn with_metrics(&self, shown: usize) -> Vec<IndexEntry> {
        let benchmarks = self.benchmarks.all.iter().enumerate();
        let entry = |(place, benchmark): (usize, &PageBenchmark<'_>)| IndexEntry {
            values: self.values(benchmark, shown),
            history: self.history.of_row(benchmark.main(), true),
            has_details: self.details.has(place),
        };
        benchmarks.map(entry).collect()
    }

    /// Values of the rows of the report, the main one first, and of other metrics.
    fn values(&self, benchmark: &PageBenchmark<'_>, shown: usize) -> Vec<Value> {
        let mut seen = Vec::new();
        let mut values = Vec::new();
        let mut others = benchmark.all_rows.clone();
        others.sort_by_key(|row| self.metrics.place(row));
        for row in benchmark.rows.iter().chain(&others) {
            let Some(place) = self.metrics.place(row).filter(|place| *place < shown) else {
                continue;
            };
            if seen.contains(&place) {
                continue;
            }
            seen.push(place);
            let (old, new, percent) = values_of(row);
            let mut value = vec![json!(place), old, new, percent, json!(class_id(row.class))];
            value.extend(limit_text(row).map(Value::String));
            values.push(Value::Array(value));
        }
        values
    }
}

/// Old value, new value and the change that was judged.
fn values_of(row: &ReportRow) -> (Value, Value, Value) {
    let (old, new, _) = values(row);
    (json!(old), json!(new), json!(row.judged_pct().map(rounded)))
}

/// A benchmark in the data.
#[derive(Debug, Serialize)]
struct IndexEntry {
    #[serde(rename = "v")]
    values: Vec<Value>,
    /// The main metric's history, where it changes.
    #[serde(rename = "h", skip_serializing_if = "Vec::is_empty")]
    history: Vec<(usize, Option<Number>)>,
    #[serde(rename = "d")]
    has_details: bool,
}

/// `+855%`, of own code where that was judged; nothing where a value is missing, or nothing
/// changed.
pub(super) fn change(row: &ReportRow) -> String {
    let Some(metric) = &row.metric else {
        return String::new();
    };
    match (metric.old, metric.new, row.judged_pct()) {
        (_, _, Some(0.0)) => String::new(),
        (_, _, Some(percent)) => numbers::percent(percent),
        (Some(old), Some(new), None) if old != new => "+∞%".to_owned(),
        _ => String::new(),
    }
}

fn metric(metric: &super::benchmarks::PageMetric<'_>) -> Value {
    let higher = metric.kind().map(|kind| kind.direction()) == Some(Direction::Higher);
    json!({
        "tool": name(metric.tool),
        "kind": name(&metric.metric.kind),
        "label": name(&metric.metric.label),
        "better": if higher { "higher" } else { "lower" },
        "unit": metric.metric.unit.as_deref().map(name),
    })
}

fn side(side: &ReportSide) -> Value {
    let optional = |text: &Option<String>| text.as_deref().map(name);
    let system = |of: fn(&System) -> Option<&str>| {
        Some(head::each_once(side.systems.iter().filter_map(of))).filter(|text| !text.is_empty())
    };
    let valgrinds = head::each_once(side.valgrinds.iter().map(String::as_str));
    json!({
        "name": head::side_name(side),
        "commit": optional(&side.commit),
        "branch": optional(&side.branch),
        "dirty": side.dirty,
        "at": optional(&side.measured_at),
        "rustc": system(|system| system.rustc.as_deref()),
        "valgrind": Some(valgrinds).filter(|text| !text.is_empty()),
        "libc": system(|system| system.libc.as_deref()),
        "cpu": system(|system| system.cpu.as_deref()),
        "inputs": side.names().into_iter().map(name).collect::<Vec<_>>(),
    })
}
