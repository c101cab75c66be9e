//! The benchmarks of a page: the rows of a report by benchmark, and the metrics of all of them.

use std::collections::HashMap;

use super::super::comparison::RowNames;
use super::texts;
use base::tool::Tool;
use metrics::MetricKind;
use verdict::sides::{ComparisonReport, ReportRow, RowMetric};
use verdict::RowClass;

/// The identity of a benchmark: label, target, package and path.
pub(super) type Identity<'a> = (Option<&'a str>, Option<&'a str>, &'a str, &'a str);

fn identity(row: &ReportRow) -> Identity<'_> {
    let (label, target) = (row.label.as_deref(), row.target.as_deref());
    (label, target, &row.package, &row.path)
}

/// The benchmarks, in the order of their worst rows in the report.
#[derive(Debug)]
pub(super) struct PageBenchmarks<'a> {
    pub all: Vec<PageBenchmark<'a>>,
    names: RowNames,
}

/// A benchmark.
#[derive(Debug)]
pub(super) struct PageBenchmark<'a> {
    /// Rows of the report, the worst first: the benchmark has its class, and its metric is the main
    /// one.
    pub rows: Vec<&'a ReportRow>,
    /// Rows of all metrics, in their order.
    pub all_rows: Vec<&'a ReportRow>,
}

impl<'a> PageBenchmarks<'a> {
    pub(super) fn of(report: &'a ComparisonReport, all: &'a ComparisonReport) -> Self {
        let mut benchmarks: Vec<PageBenchmark<'a>> = Vec::new();
        let mut places: HashMap<Identity<'a>, usize> = HashMap::new();
        for row in &report.rows {
            let place = *places.entry(identity(row)).or_insert_with(|| {
                benchmarks.push(PageBenchmark {
                    rows: Vec::new(),
                    all_rows: Vec::new(),
                });
                benchmarks.len() - 1
            });
            benchmarks[place].rows.push(row);
        }
        for row in &all.rows {
            if let Some(place) = places.get(&identity(row)) {
                benchmarks[*place].all_rows.push(row);
            }
        }
        Self {
            all: benchmarks,
            names: RowNames::of(report),
        }
    }

    /// The name in the index, with the parts of the identity that distinguish it.
    pub(super) fn name(&self, benchmark: &PageBenchmark<'_>) -> String {
        texts::name(&self.names.name(benchmark.main()))
    }
}

impl<'a> PageBenchmark<'a> {
    /// The worst row, which the index shows.
    pub(super) fn main(&self) -> &'a ReportRow {
        // A benchmark is made for its first row.
        self.rows[0]
    }

    /// Label, target, package and path.
    pub(super) fn identity(&self) -> Identity<'a> {
        identity(self.main())
    }

    pub(super) fn class(&self) -> RowClass {
        self.main().class
    }

    /// Is there nothing that anybody looks for?
    pub(super) fn is_unchanged(&self) -> bool {
        matches!(self.class(), RowClass::Same | RowClass::NotRun)
    }
}

/// The metrics of rows, each once: first those of the report, then the others; in both parts, the
/// terminal's default metrics first.
#[derive(Debug)]
pub(super) struct PageMetrics<'a> {
    pub all: Vec<PageMetric<'a>>,
    places: HashMap<(&'a str, &'a str), usize>,
    /// Number of metrics of the report.
    pub reported: usize,
}

/// A metric under a tool.
#[derive(Debug)]
pub(super) struct PageMetric<'a> {
    pub tool: &'a str,
    pub metric: &'a RowMetric,
    order: MetricOrder,
}

impl<'a> PageMetrics<'a> {
    pub(super) fn of(report: &'a ComparisonReport, all: &'a ComparisonReport) -> Self {
        let mut metrics = Self {
            all: Vec::new(),
            places: HashMap::new(),
            reported: 0,
        };
        for rows in [&report.rows, &all.rows] {
            let known = metrics.all.len();
            metrics.add(rows);
            // Only those that were added: the metrics of the report stay before the others.
            metrics.all[known..].sort_by_key(|metric| metric.order);
            if metrics.reported == 0 {
                metrics.reported = metrics.all.len();
            }
        }
        // The sort has moved them.
        for (place, metric) in metrics.all.iter().enumerate() {
            let key = (metric.tool, metric.metric.kind.as_str());
            metrics.places.insert(key, place);
        }
        metrics
    }

    fn add(&mut self, rows: &'a [ReportRow]) {
        for row in rows {
            let (Some(tool), Some(metric)) = (row.tool.as_deref(), &row.metric) else {
                continue;
            };
            let next = self.all.len();
            let place = *self.places.entry((tool, &metric.kind)).or_insert(next);
            if place == next {
                self.all.push(PageMetric {
                    tool,
                    metric,
                    order: MetricOrder::of(tool.parse().ok(), &metric.kind),
                });
            }
        }
    }

    /// Number of the metric of a row.
    pub(super) fn place(&self, row: &ReportRow) -> Option<usize> {
        let (tool, metric) = (row.tool.as_deref()?, row.metric.as_ref()?);
        self.places.get(&(tool, metric.kind.as_str())).copied()
    }
}

/// The order of metrics: that of the tools, then that of the terminal, then that of the tool's
/// table. Those without a table are in the order of the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct MetricOrder {
    tool: Option<Tool>,
    shown: usize,
    kind: Option<MetricKind>,
}

impl MetricOrder {
    fn of(tool: Option<Tool>, name: &str) -> Self {
        let kind = tool.and_then(|tool| MetricKind::named(tool, name));
        let shown = tool.and_then(MetricKind::shown_by_default);
        let mut shown = shown.iter().flat_map(|shown| shown.iter());
        let place = shown.position(|shown| Some(*shown) == kind);
        Self {
            tool,
            shown: place.unwrap_or(usize::MAX),
            kind,
        }
    }
}

impl PageMetric<'_> {
    /// The metric in its tool's table.
    pub(super) fn kind(&self) -> Option<MetricKind> {
        self.order.kind
    }
}
