//! Output of the terminal, byte for byte.

use std::io;
use std::time::Duration;

use base::benchmark_path::BenchmarkPath;
use base::tool::Tool;
use clap::Parser;
use cli::env::RunnerEnvironment;
use cli::{Args, ShownComparisons, ShownExplanations};
use formats::{FileError, ParseError};
use iai_callgrind::protocol::{CallgrindMetrics, DhatMetric, EventKind, Limit, Truncate};
use iai_callgrind_runner::execute::JobFailure;
use iai_callgrind_runner::plan::{self, Layout, PlannedBenchmark};
use iai_callgrind_runner::run_report::{Event, Form, OutcomeCounts, Reports, UnderTool};
use iai_callgrind_runner::settings::Settings;
use iai_callgrind_runner::summary::RunContext;
use metrics::{MetricKind, Metrics};
use records::summary::Baselines;
use report::{FileLinks, Styles};
use verdict::{check, compare, ComparisonById, MetricsComparison, ToolResult};

#[allow(dead_code, reason = "nothing is replayed, but a plan is made")]
use crate::replayed::sink::Sink;
use crate::replayed::Replayed;

fn reports() -> (Reports, Sink, Sink) {
    let (out, err) = (Sink::default(), Sink::default());
    let (to_out, to_err) = (Box::new(out.clone()), Box::new(err.clone()));
    let reports = Reports::new(to_out, to_err, Styles::default(), Form::TEXT);
    (reports, out, err)
}

/// A benchmark under the tools that these words select.
fn planned(benchmark_path: BenchmarkPath, words: &[&str]) -> PlannedBenchmark {
    let args = Args::try_parse_from(words).unwrap();
    let settings =
        Settings::resolve("/build/bench".into(), args, RunnerEnvironment::default()).unwrap();
    let mut plan = plan::build(&Replayed::new().suite, &settings).unwrap();
    PlannedBenchmark {
        path: benchmark_path.into(),
        ..plan.groups.swap_remove(0).benchmarks.swap_remove(0)
    }
}

fn done(reports: &Reports, counts: OutcomeCounts, seconds: f64) {
    let totals = Event::Totals {
        counts,
        elapsed: Duration::from_secs_f64(seconds),
        wanted: true,
        told: None,
    };
    reports.event(totals).unwrap();
}

fn benchmark_path(function: &str, args: Option<&str>) -> BenchmarkPath {
    BenchmarkPath {
        file: "i_lib".into(),
        group: "cmp".into(),
        function: function.into(),
        id: Some("first".into()),
        args: args.map(Into::into),
    }
}

/// Counts of a run without surprises: instructions, data accesses, and two misses.
fn metrics(ir: u64, data: u64) -> Metrics {
    let names = [
        "Ir", "Dr", "Dw", "I1mr", "D1mr", "D1mw", "ILmr", "DLmr", "DLmw",
    ];
    let counts = [ir, data, 0, 2, 0, 0, 2, 0, 0];
    Metrics::from_counters(Tool::Callgrind, names.into_iter().zip(counts)).unwrap()
}

/// Everything that is reported of a benchmark under one tool alone.
struct Reported {
    benchmark: PlannedBenchmark,
    baselines: Baselines,
    result: ToolResult,
    by_id: Vec<ComparisonById>,
}

impl Reported {
    fn report(&self, reports: &Reports) {
        let Self {
            benchmark, by_id, ..
        } = self;
        reports.event(Event::BenchmarkBegins(benchmark)).unwrap();
        let measured = UnderTool {
            baselines: Some(&self.baselines),
            ..under_tool(benchmark, &self.result)
        };
        reports.event(Event::Measured(measured)).unwrap();
        reports.event(Event::Compared { benchmark, by_id }).unwrap();
    }
}

fn under_tool<'a>(benchmark: &'a PlannedBenchmark, result: &'a ToolResult) -> UnderTool<'a> {
    UnderTool {
        benchmark,
        baselines: None,
        result,
        circumstances: &[],
        errors: None,
    }
}

fn tool_result(tool: Tool, format: Vec<MetricKind>, total: MetricsComparison) -> ToolResult {
    ToolResult {
        tool,
        format: format.into(),
        parts: vec![],
        details: vec![],
        total,
        regressions: vec![],
        not_judged: Vec::new(),
        changed_outside_own_code: false,
        repeated: None,
        unmet: Vec::new(),
        not_compared: false,
        explanation: None,
        heap_sites: None,
        notes: vec![],
    }
}

fn result(function: &str, new: &Metrics, old: Option<&Metrics>) -> Reported {
    Reported {
        benchmark: planned(benchmark_path(function, Some("setup(1)")), &[]),
        baselines: Baselines::default(),
        result: tool_result(Tool::Callgrind, format(), compare(new, old)),
        by_id: vec![],
    }
}

fn format() -> Vec<MetricKind> {
    let members = CallgrindMetrics::Default.members();
    members.into_iter().map(MetricKind::from).collect()
}

fn ir() -> MetricKind {
    EventKind::Ir.into()
}

#[test]
fn several_tools_have_headlines() {
    let (reports, out, err) = reports();
    let counted = metrics(915, 210);
    let callgrind = tool_result(Tool::Callgrind, vec![ir()], compare(&counted, None));
    let allocated = |bytes| {
        Metrics::from_counters(Tool::Dhat, [("TotalBytes", bytes), ("TotalBlocks", 1)]).unwrap()
    };
    let total = compare(&allocated(8), Some(&allocated(4)));
    let mut dhat = tool_result(Tool::Dhat, MetricKind::all(Tool::Dhat), total.clone());
    dhat.regressions = check(&total, &[(DhatMetric::TotalBytes.into(), 10.0)], &[]);
    let benchmark = &planned(benchmark_path("bench_a", None), &["--tools=dhat"]);
    reports.event(Event::BenchmarkBegins(benchmark)).unwrap();
    for result in [&callgrind, &dhat] {
        let measured = under_tool(benchmark, result);
        reports.event(Event::Measured(measured)).unwrap();
    }
    let by_id = ComparisonById {
        other: BenchmarkPath::clone(&benchmark.path),
        tools: vec![
            (Tool::Callgrind, [ir()].into(), callgrind.total.clone()),
            (Tool::Dhat, [DhatMetric::TotalBytes.into()].into(), total),
        ],
    };
    let by_id = &[by_id];
    reports.event(Event::Compared { benchmark, by_id }).unwrap();
    done(&reports, OutcomeCounts::default(), 0.0);
    assert_eq!(
        out.text(),
        "\
i_lib::cmp::bench_a first
  ======= CALLGRIND ====================================================================
  Instructions:                         915|N/A                  (*********)
  ======= DHAT =========================================================================
  Total bytes:                            8|4                    (+100.000%) [+2.00000x]
  Total blocks:                           1|1                    (No change)
Performance has regressed: Total bytes (4 -> 8) regressed by +100.000% (>+10.0000%)
  Comparison with bench_a first
  ------- CALLGRIND
  Instructions:                         915|N/A                  (*********)
  ------- DHAT
  Total bytes:                            8|4                    (+100.000%) [+2.00000x]

Regressions:

  i_lib::cmp::bench_a first:
    DHAT: Total bytes (4 -> 8): +100.000% exceeds limit of +10.0000%

Iai-Callgrind result: Nothing ran. 0 without regressions; 0 regressed; 0 compared; 0 benchmarks finished in 0.00000s
"
    );
    assert_eq!(err.text(), "");
}

#[test]
fn first_run_and_comparison_by_id() {
    let (reports, out, err) = reports();
    let (a, b) = (metrics(915, 210), metrics(415, 110));
    let first = result("bench_a", &a, None);
    let mut second = result("bench_b", &b, None);
    second.by_id = vec![ComparisonById {
        other: BenchmarkPath::clone(&first.benchmark.path),
        tools: vec![(Tool::Callgrind, format().into(), compare(&a, Some(&b)))],
    }];
    first.report(&reports);
    second.report(&reports);
    let counts = OutcomeCounts {
        ok: 2,
        ..OutcomeCounts::default()
    };
    done(&reports, counts, 2.96472);
    assert_eq!(
        out.text(),
        "\
i_lib::cmp::bench_a first:setup(1)
  Instructions:                         915|N/A                  (*********)
  L1 Hits:                             1123|N/A                  (*********)
  L2 Hits:                                0|N/A                  (*********)
  RAM Hits:                               2|N/A                  (*********)
  Total read+write:                    1125|N/A                  (*********)
  Estimated Cycles:                    1193|N/A                  (*********)
i_lib::cmp::bench_b first:setup(1)
  Instructions:                         415|N/A                  (*********)
  L1 Hits:                              523|N/A                  (*********)
  L2 Hits:                                0|N/A                  (*********)
  RAM Hits:                               2|N/A                  (*********)
  Total read+write:                     525|N/A                  (*********)
  Estimated Cycles:                     593|N/A                  (*********)
  Comparison with bench_a first:setup(1)
  Instructions:                         915|415                  (+120.482%) [+2.20482x]
  L1 Hits:                             1123|523                  (+114.723%) [+2.14723x]
  L2 Hits:                                0|0                    (No change)
  RAM Hits:                               2|2                    (No change)
  Total read+write:                    1125|525                  (+114.286%) [+2.14286x]
  Estimated Cycles:                    1193|593                  (+101.180%) [+2.01180x]

Iai-Callgrind result: Nothing compared. 2 without regressions; 0 regressed; 0 compared; 2 benchmarks finished in 2.96472s
"
    );
    assert_eq!(err.text(), "");
}

#[test]
fn regressions_are_shown_at_once_and_at_the_end() {
    let (reports, out, err) = reports();
    let counters = |ir| Metrics::from_counters(Tool::Callgrind, [("Ir", ir)]).unwrap();
    let mut reported = result("bench_a", &counters(1365), Some(&counters(915)));
    let result = &mut reported.result;
    let (soft, hard) = ([(ir(), 5.0)], [(ir(), Limit::Int(800))]);
    result.regressions = check(&result.total, &soft, &hard);
    result.notes = vec!["the old data is of Valgrind 3.19.0".into()];
    reported.benchmark.layout = Layout {
        truncate: Truncate::At(5),
        ..Layout::default()
    };
    reported.baselines.old = Some("main".into());
    reported.report(&reports);
    let counts = OutcomeCounts {
        regressed: 1,
        ..OutcomeCounts::default()
    };
    done(&reports, counts, 2.24183);
    assert_eq!(
        out.text(),
        "\
i_lib::cmp::bench_a first:set...1)
  Baselines:                               |main
  Instructions:                        1365|915                  (+49.1803%) [+1.49180x]
Performance has regressed: Instructions (915 -> 1365) regressed by +49.1803% (>+5.00000%)
Performance has regressed: Instructions (1365) exceeds limit by 565 (>800)

Regressions:

  i_lib::cmp::bench_a first:
    Callgrind: Instructions (915 -> 1365): +49.1803% exceeds limit of +5.00000%
    Callgrind: Instructions (1365): 1365 exceeds limit of 800 by 565

Iai-Callgrind result: Regressed. 0 without regressions; 1 regressed; 0 compared; 1 benchmarks finished in 2.24183s
"
    );
    assert_eq!(
        err.text(),
        "warning: `i_lib::cmp::bench_a::first`: the old data is of Valgrind 3.19.0\n"
    );
}

#[test]
fn errors_name_causes_and_output() {
    let (reports, out, err) = reports();
    let benchmark = &planned(benchmark_path("bench_a", None), &[]);
    let source = io::Error::other("no such thing\n  hint: make one");
    let failure = &JobFailure::Unreadable(FileError {
        path: "out.7".into(),
        source: ParseError::Io(source),
    });
    let output = b"line 1\nline 2";
    let failed = Event::Failed {
        benchmark,
        tool: Tool::Callgrind,
        failure,
        output,
    };
    reports.event(failed).unwrap();
    let stopped = io::Error::other(FileError {
        path: "log.7".into(),
        source: ParseError::Io(io::Error::other("too long")),
    });
    reports.event(Event::Stopped(&stopped)).unwrap();
    // A failure of many benchmarks is explained once, and the same output is shown once.
    let next = &planned(benchmark_path("bench_b", None), &["--tools=dhat"]);
    let failed = Event::Failed {
        benchmark: next,
        tool: Tool::Callgrind,
        failure,
        output,
    };
    reports.event(failed).unwrap();
    assert_eq!(out.text(), "");
    assert_eq!(
        err.text(),
        "\
error: benchmark `i_lib::cmp::bench_a::first` has a result that cannot be read
  caused by: cannot read `out.7`
  caused by: no such thing
    hint: make one
  output:
  | line 1
  | line 2
error: cannot read `log.7`
  caused by: too long
error: benchmark `i_lib::cmp::bench_b::first` under callgrind has a result that cannot be read
  output: as above
"
    );
}

#[test]
fn a_regression_is_said_where_neither_results_nor_totals_are() {
    let (out, err) = (Sink::default(), Sink::default());
    let (to_out, to_err) = (Box::new(out.clone()), Box::new(err.clone()));
    let form = Form::Text {
        quiet: true,
        explain: ShownExplanations::No,
        links: FileLinks::PLAIN,
        comparisons: ShownComparisons::Auto,
    };
    let reports = Reports::new(to_out, to_err, Styles::default(), form);
    let words = ["--quiet", "--nosummary"];
    let args = Args::try_parse_from(words).unwrap();
    let settings =
        Settings::resolve("/build/bench".into(), args, RunnerEnvironment::default()).unwrap();
    let plan = plan::build(&Replayed::new().suite, &settings).unwrap();
    let context = &RunContext::default();
    let planned = Event::Planned {
        plan: &plan,
        context,
    };
    reports.event(planned).unwrap();
    let total = compare(&metrics(1365, 210), Some(&metrics(915, 210)));
    let mut reported = result("bench_a", &metrics(1365, 210), Some(&metrics(915, 210)));
    reported.result.regressions = check(&total, &[(ir(), 5.0)], &[]);
    reported.report(&reports);
    assert_eq!(out.text(), "");
    assert_eq!(
        err.text(),
        "regression: benchmark `i_lib::cmp::bench_a::first`: Callgrind: Instructions (915 -> 1365): \
         +49.1803% exceeds limit of +5.00000%\n"
    );
}
