//! The status line: number of benchmarks that are done, the one that runs, and the time since the start.
//!
//! The line is on stderr, and only if stderr and stdout are terminals outside of CI. Before any report
//! is printed the line is erased, so that it is never seen among results.

use std::io::{self, IsTerminal};
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::visible::visible;
use crate::benchmark_path::BenchmarkPath;
use crate::cli::env::RunnerEnvironment;

/// Time between two updates of the line.
const TICK: Duration = Duration::from_millis(200);

/// A status line, or none.
#[derive(Debug)]
pub(super) struct Progress {
    bar: ProgressBar,
    begun: u64,
}

impl Progress {
    /// A line that is never shown.
    pub(super) fn none() -> Self {
        Self {
            bar: ProgressBar::hidden(),
            begun: 0,
        }
    }

    /// A line for this number of benchmarks, if a terminal can show it.
    #[expect(clippy::disallowed_methods, reason = "asks, does not write")]
    pub(super) fn new(benchmarks: usize, environment: &RunnerEnvironment) -> Self {
        let dumb = environment.get("TERM").is_none_or(|term| term == "dumb");
        // Log lines would come in between.
        let machine = ["CI", "IAI_CALLGRIND_LOG"];
        let machine = machine.iter().any(|name| environment.get(name).is_some());
        // A program behind a pipe may print on the same terminal, into the line.
        let terminal = io::stderr().is_terminal() && io::stdout().is_terminal();
        if dumb || machine || !terminal {
            return Self::none();
        }
        let style = ProgressStyle::with_template("[{pos}/{len}] {wide_msg} {elapsed}");
        let bar = ProgressBar::new(benchmarks as u64);
        bar.set_style(style.expect("a template that is fixed and was tested"));
        // It would panic if there could be no further thread. Without one the line changes with each benchmark.
        if thread::Builder::new().spawn(|| ()).is_ok() {
            bar.enable_steady_tick(TICK);
        }
        Self { bar, begun: 0 }
    }

    /// A benchmark begins; all before it are done.
    pub(super) fn began(&mut self, benchmark_path: &BenchmarkPath) {
        let name = benchmark_path.to_string();
        self.bar.set_message(visible(&name).into_owned());
        self.bar.set_position(self.begun);
        self.begun += 1;
    }

    /// Does something while the line is away.
    pub(super) fn without<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    /// Erases the line for good.
    pub(super) fn end(&self) {
        self.bar.finish_and_clear();
    }
}
