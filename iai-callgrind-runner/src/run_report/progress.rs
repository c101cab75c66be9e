//! The status line: number of benchmarks that are done, the one that runs, the time since the
//! start, and about how long it still takes.
//!
//! The line is on stderr, and only if stderr and stdout are terminals outside of CI. Before any
//! report is printed the line is erased, so that it is never seen among results.

use std::io::{self, IsTerminal};
use std::path::Path;
use std::time::Instant;

use crate::plan::Plan;
use base::benchmark_path::BenchmarkPath;
use cli::env::RunnerEnvironment;
use records::last_times::LastTimes;
use report::status::{RemainingTime, StatusLine};
use report::visible::visible;

/// A status line, or none.
#[derive(Debug)]
pub(super) struct Progress(Option<Shown>);

#[derive(Debug)]
struct Shown {
    line: StatusLine,
    begun: usize,
    /// Estimate of the remaining time.
    remaining: RemainingTime,
}

impl Progress {
    /// A line that is never shown.
    pub(super) fn none() -> Self {
        Self(None)
    }

    /// A line for these benchmarks, if a terminal can show it. `records` are those of the last run.
    #[expect(clippy::disallowed_methods, reason = "asks, does not write")]
    pub(super) fn new(plan: &Plan, records: &Path, environment: &RunnerEnvironment) -> Self {
        let dumb = environment.get("TERM").is_none_or(|term| term == "dumb");
        // Log lines would come in between.
        let machine = ["CI", "IAI_CALLGRIND_LOG"];
        let machine = machine.iter().any(|name| environment.get(name).is_some());
        // A program behind a pipe may print on the same terminal, into the line.
        let terminal = io::stderr().is_terminal() && io::stdout().is_terminal();
        if dumb || machine || !terminal {
            return Self::none();
        }
        let names = plan
            .benchmarks()
            .map(|benchmark| benchmark.path.to_string());
        let remaining = RemainingTime::new(names.collect(), LastTimes::begin(records));
        Self(Some(Shown {
            line: StatusLine::new(plan.len()),
            begun: 0,
            remaining,
        }))
    }

    /// Is a person in front of the terminal, as far as anybody can know?
    pub(super) fn is_watched(&self) -> bool {
        self.0.is_some()
    }

    /// A benchmark begins; all before it are done.
    pub(super) fn began(&mut self, benchmark_path: &BenchmarkPath) {
        let Some(shown) = &mut self.0 else {
            return;
        };
        let (done, remaining) = (shown.begun, &shown.remaining);
        let name = benchmark_path.to_string();
        shown.line.say(|status| {
            let left = remaining.after(done, status.since.elapsed());
            status.done = done;
            status.name = visible(&name).into_owned();
            status.end = left.and_then(|left| Instant::now().checked_add(left));
        });
        shown.begun += 1;
    }

    /// Does something while the line is away.
    pub(super) fn without<T>(&self, print: impl FnOnce() -> T) -> T {
        match &self.0 {
            Some(shown) => shown.line.without(print),
            None => print(),
        }
    }

    /// Erases the line for good.
    pub(super) fn end(&self) {
        if let Some(shown) = &self.0 {
            shown.line.end();
        }
    }
}
