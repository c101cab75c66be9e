//! The status line: number of benchmarks that are done, the one that runs, the time since the start, and about how
//! long it still takes.
//!
//! The line is on stderr, and only if stderr and stdout are terminals outside of CI. Before any report
//! is printed the line is erased, so that it is never seen among results.

use std::fmt;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressState, ProgressStyle};

use super::remaining::{rough, RemainingTime};
use super::visible::visible;
use crate::benchmark_path::BenchmarkPath;
use crate::cli::env::RunnerEnvironment;
use crate::last_times::LastTimes;
use crate::plan::Plan;

/// Time between two updates of the line.
const TICK: Duration = Duration::from_millis(200);

/// A status line, or none.
#[derive(Debug)]
pub(super) struct Progress {
    bar: ProgressBar,
    begun: u64,
    /// What is left to do; `None`: nobody sees the line.
    remaining: Option<RemainingTime>,
    /// The time at which the run may end, which the line reads.
    end: Arc<Mutex<Option<Instant>>>,
}

impl Progress {
    /// A line that is never shown.
    pub(super) fn none() -> Self {
        Self {
            bar: ProgressBar::hidden(),
            begun: 0,
            remaining: None,
            end: Arc::default(),
        }
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
        let end = Arc::new(Mutex::new(None));
        let style = ProgressStyle::with_template("[{pos}/{len}] {wide_msg} {elapsed}{left}");
        let style = style.expect("a template that is fixed and was tested");
        let bar = ProgressBar::new(plan.len() as u64);
        bar.set_style(style.with_key("left", left(Arc::clone(&end))));
        // It would panic if there could be no further thread. Without one the line changes with each benchmark.
        if thread::Builder::new().spawn(|| ()).is_ok() {
            bar.enable_steady_tick(TICK);
        }
        Self {
            bar,
            begun: 0,
            remaining: Some(remaining),
            end,
        }
    }

    /// A benchmark begins; all before it are done.
    pub(super) fn began(&mut self, benchmark_path: &BenchmarkPath) {
        if let Some(remaining) = &self.remaining {
            let left = remaining.after(self.begun as usize, self.bar.elapsed());
            *self.end.lock().unwrap_or_else(PoisonError::into_inner) =
                left.and_then(|left| Instant::now().checked_add(left));
        }
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

/// `, about 12 s left`, or nothing where nothing is known, or the time is over.
fn left(
    end: Arc<Mutex<Option<Instant>>>,
) -> impl Fn(&ProgressState, &mut dyn fmt::Write) + Clone + Send + Sync {
    move |_, line| {
        let end = *end.lock().unwrap_or_else(PoisonError::into_inner);
        let left = end.and_then(|end| end.checked_duration_since(Instant::now()));
        if let Some(left) = left.and_then(rough) {
            // The line is text in memory.
            let _ = write!(line, ", about {left} left");
        }
    }
}
