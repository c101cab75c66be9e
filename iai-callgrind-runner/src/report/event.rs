//! What happens in a run, in the order in which it happens, and what of it is reported.
//!
//! Stages tell it to [`Reports`](super::Reports); whoever implements [`Report`] makes something of it: text,
//! objects, a file. Events hold facts, so that each consumer finds its own words; only warnings are words
//! already.

use std::error::Error;
use std::io;
use std::time::Duration;

use super::streams::Streams;
use crate::cli::Stream;
use crate::compare::{Baselines, ById, ToolResult};
use crate::doctor::Finding;
use crate::error::Error as RunError;
use crate::execute::Failure;
use crate::exit::Exit;
use crate::host::Host;
use crate::plan::{Benchmark, Plan};
use crate::settings::Settings;
use crate::summary::{Context, Summary};
use crate::tool::Tool;
use crate::verification::Verification;

/// Something that happened.
#[derive(Debug, Clone, Copy)]
pub enum Event<'a> {
    /// The user should know this; the run goes on.
    Warning(&'a str),
    /// It is decided what runs, and where the results go.
    Planned {
        /// What runs.
        plan: &'a Plan,
        /// What is the same for all of it.
        context: &'a Context,
    },
    /// It is known what measures. Only if something is run.
    Hosted(&'a Host),
    /// The first benchmark is about to begin.
    RunBegins {
        /// What runs.
        plan: &'a Plan,
        /// What the user wants.
        settings: &'a Settings,
    },
    /// It is the turn of this benchmark. It may be done already, beside others.
    BenchmarkBegins(&'a Benchmark),
    /// A benchmark or a hook printed this, which is to be seen.
    Printed {
        /// Where it was printed to.
        stream: Stream,
        /// A piece of it; most often whole lines.
        bytes: &'a [u8],
    },
    /// The benchmark prints nothing any more; its results follow.
    OutputEnds(&'a Benchmark),
    /// A tool has figures of the benchmark.
    Measured(UnderTool<'a>),
    /// A tool has no figures of the benchmark.
    Failed {
        /// The benchmark.
        benchmark: &'a Benchmark,
        /// The tool.
        tool: Tool,
        /// Why there are none.
        failure: &'a Failure,
        /// What the benchmark printed and was not shown.
        output: &'a [u8],
    },
    /// The benchmark was compared with others of the same id.
    Compared {
        /// The benchmark.
        benchmark: &'a Benchmark,
        /// The others; there may be none.
        by_id: &'a [ById],
    },
    /// Everything is known about a benchmark, also about one that did not run, since the setup around it
    /// failed.
    BenchmarkEnds(&'a Summary),
    /// A setup or teardown around benchmarks failed.
    HookFailed {
        /// Its name: ``setup of `file::group` ``.
        name: &'a str,
        /// Why.
        failure: &'a Failure,
        /// What it printed and was not shown.
        output: &'a [u8],
    },
    /// Nothing more runs because of this.
    Stopped(&'a dyn Error),
    /// All benchmarks are done, or those until the run was stopped.
    Totals {
        /// How many ended in which way.
        counts: Counts,
        /// How long it took.
        elapsed: Duration,
        /// Does the user want to see it?
        wanted: bool,
    },
    /// The runner ends.
    RunEnds {
        /// Its exit code.
        exit: Exit,
        /// What went wrong outside of single benchmarks, which was told before.
        error: Option<&'a RunError>,
    },
    /// `--verify` has compared all figures.
    Verified(&'a [Verification]),
    /// `doctor` has looked at everything.
    Examined(&'a [Finding]),
    /// The script that `completions` was asked for.
    Script(&'a str),
}

/// What a tool measured of a benchmark.
#[derive(Debug, Clone, Copy)]
pub struct UnderTool<'a> {
    /// The benchmark.
    pub benchmark: &'a Benchmark,
    /// The names of what is compared. They hold for all tools and come with the first result.
    pub baselines: Option<&'a Baselines>,
    /// The figures, and what is said about them.
    pub result: &'a ToolResult,
    /// What is said about the circumstances. Most often it holds for all benchmarks alike.
    pub circumstances: &'a [String],
    /// Errors that the tool found: there are figures, but the benchmark failed.
    pub errors: Option<&'a Failure>,
}

/// How many benchmarks ended in which way.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Measured, and within their limits.
    pub ok: usize,
    /// Measured, with at least one exceeded limit.
    pub regressed: usize,
    /// Not measured because of an error.
    pub failed: usize,
    /// Not selected.
    pub filtered: usize,
}

impl Counts {
    /// Before the first benchmark of a plan has run.
    #[must_use]
    pub fn of(plan: &Plan) -> Self {
        Self {
            filtered: plan.filtered,
            ..Self::default()
        }
    }
}

/// Makes a report of events.
pub(crate) trait Report: Send {
    /// Reports what happened. Each consumer has its part in the two streams, or none.
    ///
    /// # Errors
    ///
    /// What was to be written could not be written. The run ends.
    fn event(&mut self, event: Event<'_>, streams: &mut Streams) -> io::Result<()>;
}
