//! Results: metrics, comparisons, JSON, and the rows of the report.

use std::io;

use base::tool::Tool;
use formats::callgrind;
use iai_callgrind::protocol::{EventKind, Metric};
use iai_callgrind::{library_benchmark, library_benchmark_group};
use iai_callgrind_runner::plan::{self, PlannedBenchmark};
use iai_callgrind_runner::run_report::{Event, Form, Reports, UnderTool};
use iai_callgrind_runner::summary::{self, Record};
use metrics::{MetricKind, Metrics};
use own_benchmarks::limits;
use own_benchmarks::recorded::path;
use own_benchmarks::replayed::{settings, Replayed};
use own_benchmarks::suites::suite;
use report::Styles;
use verdict::{self, ExceededLimit, MetricsComparison, ToolResult};

type Counters = Vec<(String, u64)>;

/// All counters of a run with caches, branches, the bus and system calls, and other ones.
fn counters() -> [Counters; 2] {
    let path = path("callgrind/3.24.0/branch_bus_systime/callgrind.out.1001");
    let profile = callgrind::read_totals_of_file(&path).unwrap().unwrap();
    let totals = profile.totals().unwrap();
    let counters = |more| {
        totals
            .iter()
            .map(|(n, c)| ((*n).to_owned(), c + more))
            .collect()
    };
    [counters(7), counters(0)]
}

fn metrics(counters: &Counters) -> Metrics {
    let counters = counters.iter().map(|(name, count)| (name.as_str(), *count));
    Metrics::from_counters(Tool::Callgrind, counters).unwrap()
}

fn compared() -> MetricsComparison {
    let [new, old] = counters();
    verdict::compare(&metrics(&new), Some(&metrics(&old)))
}

/// Counters to metrics on both sides, all differences, and a limit.
#[library_benchmark(config = limits::of("compares"), setup = counters)]
fn compares([new, old]: [Counters; 2]) -> (MetricsComparison, Vec<ExceededLimit>) {
    let comparison = verdict::compare(&metrics(&new), Some(&metrics(&old)));
    let regressions = verdict::check(&comparison, &[(MetricKind::from(EventKind::Ir), 1.0)], &[]);
    (comparison, regressions)
}

fn json() -> String {
    Replayed::again(1).summary()
}

fn record() -> Record {
    json().parse().unwrap()
}

#[library_benchmark(config = limits::of("json_written"), setup = record)]
fn json_written(record: Record) -> Vec<u8> {
    record.to_bytes(false).unwrap()
}

#[library_benchmark(config = limits::of("json_read"), setup = json)]
fn json_read(json: String) -> Vec<Record> {
    summary::read(&json).map(Result::unwrap).collect()
}

fn shown() -> (Reports, PlannedBenchmark, ToolResult) {
    let (out, err) = (Box::new(io::sink()), Box::new(io::sink()));
    let mut plan = plan::build(&suite(1, 1), &settings()).unwrap();
    let benchmark = plan.groups.swap_remove(0).benchmarks.swap_remove(0);
    let all = EventKind::TABLE
        .iter()
        .map(|row| MetricKind::from(row.kind));
    let result = ToolResult {
        tool: Tool::Callgrind,
        format: all.collect(),
        parts: Vec::new(),
        total: compared(),
        details: Vec::new(),
        regressions: Vec::new(),
        unmet: Vec::new(),
        not_compared: false,
        not_judged: Vec::new(),
        changed_outside_own_code: false,
        repeated: None,
        explanation: None,
        heap_sites: None,
        notes: Vec::new(),
    };
    let reports = Reports::new(out, err, Styles::default(), Form::TEXT);
    (reports, benchmark, result)
}

/// The rows of all metrics of Callgrind.
#[library_benchmark(config = limits::of("rows"), setup = shown)]
fn rows(
    (reports, benchmark, result): (Reports, PlannedBenchmark, ToolResult),
) -> (Reports, PlannedBenchmark, ToolResult) {
    let measured = UnderTool {
        benchmark: &benchmark,
        baselines: None,
        result: &result,
        circumstances: &[],
        errors: None,
    };
    reports.event(Event::Measured(measured)).unwrap();
    (reports, benchmark, result)
}

library_benchmark_group!(
    name = results,
    benchmarks = [compares, json_written, json_read, rows]
);
