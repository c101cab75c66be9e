//! The status line: how many benchmarks are done, which one runs, and for how long the run goes on.
//!
//! It is on stderr, and only if stdout is a terminal as well, with somebody in front of it. Before anything
//! else is printed it is erased, so that it is never seen among results.

use std::io::{self, IsTerminal};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::cli::env::Environment;
use crate::identity::Identity;

/// How often the time is updated.
const TICK: Duration = Duration::from_millis(200);

/// A status line, or none.
#[derive(Debug)]
pub(super) struct Progress {
    bar: ProgressBar,
    begun: u64,
}

impl Progress {
    /// Nothing is shown.
    pub(super) fn none() -> Self {
        Self {
            bar: ProgressBar::hidden(),
            begun: 0,
        }
    }

    /// A line for so many benchmarks, if it can be seen.
    #[expect(clippy::disallowed_methods, reason = "asks, does not write")]
    pub(super) fn new(benchmarks: usize, environment: &Environment) -> Self {
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
        bar.enable_steady_tick(TICK);
        Self { bar, begun: 0 }
    }

    /// A benchmark begins; all before it are done.
    pub(super) fn began(&mut self, identity: &Identity) {
        self.bar.set_message(identity.to_string());
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
