//! Events of a run, in the order in which they happen.
//!
//! Stages pass them to [`Reports`](super::Reports); each [`Report`] writes what its readers need:
//! text or objects. Events hold facts, so that each report finds its own words; only warnings are
//! words already.
//!
//! A further report, such as a file for a CI server, implements [`Report`] with its one function
//! and gets a line in `Form::consumers`. What it needs and no event has becomes a field here; the
//! compiler names the places that know it.

use std::error::Error;
use std::io;
use std::path::Path;
use std::time::Duration;

use super::streams::Streams;
use crate::bench_targets::EndedRuns;
use crate::error::Error as RunError;
use crate::execute::JobFailure;
use crate::machine::host::Host;
use crate::plan::{Plan, PlannedBenchmark};
use crate::settings::Settings;
use base::exit::Exit;
use base::tool::Tool;
use cli::{HistoryFormat, Stream};
use findings::Finding;
use records::summary::{Baselines, RecordedTime, RunContext, Summary};
use report::text::verification::Verification;
use report::text::Sparklines;
use report::ExplainedResult;
use store::Hints;
use verdict::accepted::AcceptedChanges;
use verdict::history::History;
use verdict::{BenchGrowth, ComparedBenchmark, ComparisonById, ToolResult};

/// An event of a run.
#[derive(Debug, Clone, Copy)]
pub enum Event<'a> {
    /// A warning for the user; the run goes on.
    Warning(&'a str),
    /// A long step of a command begins; for people.
    Step(&'a str),
    /// An expectation about several benchmarks that was not checked. It is a warning, and a part of
    /// the record: whoever reads it knows that the verdict does not contain it.
    Unchecked(&'a str),
    /// The plan is made: benchmarks and the place of the results are known.
    Planned {
        /// The benchmarks of the run.
        plan: &'a Plan,
        /// The parts that the records of all benchmarks have in common.
        context: &'a RunContext,
    },
    /// Valgrind and the machine were examined. Only if something is run.
    Hosted(&'a Host),
    /// The first benchmark is about to begin.
    RunBegins {
        /// The benchmarks of the run.
        plan: &'a Plan,
        /// The resolved options.
        settings: &'a Settings,
        /// Place of the records of the last run; this one replaces them at its end.
        records: &'a Path,
    },
    /// The turn of this benchmark comes. Beside others it may have run already.
    BenchmarkBegins(&'a PlannedBenchmark),
    /// Output of a benchmark or hook that is shown.
    Printed {
        /// The stream of the output.
        stream: Stream,
        /// A piece of the output; most often whole lines.
        bytes: &'a [u8],
    },
    /// The benchmark prints nothing any more; its results follow.
    OutputEnds(&'a PlannedBenchmark),
    /// A tool has figures of the benchmark.
    Measured(UnderTool<'a>),
    /// The wall time of the benchmark was measured.
    Timed {
        /// The benchmark.
        benchmark: &'a PlannedBenchmark,
        /// The time.
        time: &'a RecordedTime,
    },
    /// A tool has no figures of the benchmark.
    Failed {
        /// The benchmark.
        benchmark: &'a PlannedBenchmark,
        /// The tool.
        tool: Tool,
        /// The reason.
        failure: &'a JobFailure,
        /// Output of the benchmark that was not shown.
        output: &'a [u8],
    },
    /// The benchmark was compared with others of the same id.
    Compared {
        /// The benchmark.
        benchmark: &'a PlannedBenchmark,
        /// The others; there may be none.
        by_id: &'a [ComparisonById],
    },
    /// The growth of counts is known: this was the last benchmark of an attribute with sizes.
    Growth {
        /// The benchmark.
        benchmark: &'a PlannedBenchmark,
        /// The growth.
        growth: &'a BenchGrowth,
    },
    /// All benchmarks of a group that compares by id have ended; those with an id, in their order.
    GroupCompared(&'a [ComparedBenchmark]),
    /// The results of the benchmark under these tools were compared with those of a record.
    ComparedWith {
        /// The text of the record.
        record: &'a str,
        /// The tools.
        tools: &'a [Tool],
    },
    /// The summary of a benchmark is complete, also of one that did not run since the setup around
    /// it failed.
    BenchmarkEnds(&'a Summary),
    /// A setup or teardown around benchmarks failed.
    HookFailed {
        /// Name of the hook: ``setup of `file::group` ``.
        name: &'a str,
        /// The reason.
        failure: &'a JobFailure,
        /// Output of the hook that was not shown.
        output: &'a [u8],
    },
    /// Benchmarks that the result to compare with has and the suite no longer has, although the run
    /// was to measure them.
    Gone {
        /// Number of them.
        count: usize,
        /// Their names, for people.
        text: &'a str,
        /// Does the run fail because of them?
        is_failure: bool,
    },
    /// The run stops because of this error.
    Stopped(&'a dyn Error),
    /// All benchmarks are done, or all until the run was stopped.
    Totals {
        /// Numbers of benchmarks by outcome.
        counts: OutcomeCounts,
        /// Wall time of the run.
        elapsed: Duration,
        /// Does the user want to see the final lines?
        wanted: bool,
        /// Remembers the hints that were given; `None`: none is given.
        told: Option<&'a Hints>,
    },
    /// The runner ends.
    RunEnds {
        /// Exit code of the runner.
        exit: Exit,
        /// Error outside of single benchmarks, which was reported as [`Stopped`](Self::Stopped)
        /// before.
        error: Option<&'a RunError>,
        /// Is the exit code of the process 0 all the same (`--exit-zero`)?
        exits_zero: bool,
    },
    /// All bench targets of a workspace were run.
    TargetsEnded {
        /// The ends of their runs.
        ended: &'a EndedRuns,
        /// Wall time of building and running.
        elapsed: Duration,
    },
    /// `--verify` has compared all figures.
    Verified(&'a [Verification]),
    /// `doctor` has looked at everything.
    Examined(&'a [Finding]),
    /// `explain` has compared kept results.
    Explained {
        /// Results that differ, or were asked for.
        results: &'a [ExplainedResult],
        /// Number of functions whose own costs are shown.
        functions: usize,
    },
    /// `accept` has changed the file of accepted counts.
    Accepted {
        /// The lines that changed.
        changes: &'a AcceptedChanges,
        /// The name of the file.
        file: &'a str,
        /// Text for the case that no line changed.
        nothing: &'a str,
    },
    /// `history` has found the commits at which counts changed.
    History {
        /// All series.
        history: &'a History,
        /// The form.
        format: HistoryFormat,
        /// Show commits at which nothing changed as well.
        all: bool,
        /// The look of bars for people; `None`: there are none.
        sparklines: Option<Sparklines>,
    },
    /// A report on results, in the format that was asked for.
    Formatted(&'a [u8]),
    /// The script that `completions` was asked for.
    Script(&'a str),
}

/// The result of a benchmark under a tool.
#[derive(Debug, Clone, Copy)]
pub struct UnderTool<'a> {
    /// The benchmark.
    pub benchmark: &'a PlannedBenchmark,
    /// Names of the compared results. They hold for all tools and come with the first result.
    pub baselines: Option<&'a Baselines>,
    /// The figures, with exceeded limits and notes.
    pub result: &'a ToolResult,
    /// Warnings about conditions that differ. Most often they hold for all benchmarks alike.
    pub circumstances: &'a [String],
    /// Errors that the tool found: there are figures, but the benchmark failed.
    pub errors: Option<&'a JobFailure>,
}

/// Numbers of benchmarks by outcome.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OutcomeCounts {
    /// Measured, and within their limits.
    pub ok: usize,
    /// Measured, with at least one exceeded limit.
    pub regressed: usize,
    /// Failed under at least one tool, or not run because a setup around them failed.
    pub failed: usize,
    /// Not selected.
    pub filtered: usize,
}

impl OutcomeCounts {
    /// Counts before the first benchmark of a plan has run.
    #[must_use]
    pub fn of(plan: &Plan) -> Self {
        Self {
            filtered: plan.filtered,
            ..Self::default()
        }
    }
}

/// A consumer of events.
pub(crate) trait Report: Send {
    /// Reports an event. Each report writes to one of the two streams, to both, or to none.
    ///
    /// # Errors
    ///
    /// The report cannot be written. The run ends.
    fn event(&mut self, event: Event<'_>, streams: &mut Streams) -> io::Result<()>;
}
