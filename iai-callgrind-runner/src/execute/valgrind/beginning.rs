//! The time until Valgrind has begun: something in its place, such as a wrapper that waits, may do
//! nothing for ever.
//!
//! Valgrind opens its log at once, before it looks at the program. Where no log comes for a long
//! time, and `--version` is not answered either, the run ends. How long a benchmark takes after
//! that is not looked at.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::ValgrindLauncher;
use crate::error::{Error, Result};
use crate::execute::refusal;
use crate::execute::running::Running;
use crate::plan::Job;
use base::shell_line::{shell_line, Inherits};

/// Time after which Valgrind is asked whether it is there. Its log is open after a few
/// milliseconds, also from a slow disk.
const LIMIT: Duration = Duration::from_secs(60);

/// Interval of the looks for a log.
const TICK: Duration = Duration::from_millis(5);

/// Knowledge of a run about its Valgrind.
#[derive(Debug)]
pub(super) struct Beginning {
    pub(super) limit: Duration,
    /// One of the processes has begun, or was waited for long enough: once in a run suffices.
    is_over: AtomicBool,
}

impl Default for Beginning {
    fn default() -> Self {
        Self {
            limit: LIMIT,
            is_over: AtomicBool::new(false),
        }
    }
}

impl ValgrindLauncher<'_> {
    /// Waits until a started Valgrind has opened its log in this directory or its process has
    /// ended, or until `is_here` says so. Only the first ones of a run are waited for, and none
    /// behind a tool runner, whose files may come later.
    ///
    /// # Errors
    ///
    /// [`Error::NeverBegan`], which ends the run.
    pub(super) fn await_beginning(
        &self,
        job: &Job,
        running: &Running,
        directory: &Path,
        is_here: impl Fn() -> bool,
    ) -> Result<()> {
        let is_over = &self.beginning.is_over;
        if self.settings.tool_runner.is_some() || is_over.load(Ordering::Relaxed) {
            return Ok(());
        }
        let start = Instant::now();
        while start.elapsed() < self.beginning.limit {
            if is_here() || refusal::has_log(directory)? {
                is_over.store(true, Ordering::Relaxed);
                return Ok(());
            }
            if running.has_ended()?.is_some() {
                return Ok(());
            }
            thread::sleep(TICK);
        }
        self.check_beginning(job, directory)?;
        is_over.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Looks whether Valgrind has begun, after it was waited for or when its time was over.
    ///
    /// # Errors
    ///
    /// [`Error::NeverBegan`], which ends the run.
    pub(super) fn check_beginning(&self, job: &Job, directory: &Path) -> Result<()> {
        if self.beginning.is_over.load(Ordering::Relaxed) || refusal::has_log(directory)? {
            return Ok(());
        }
        // A stopped runner has killed the process, which says nothing about Valgrind.
        self.processes.check()?;
        // The question takes a while, in which a log may come.
        if !self.host.is_silent() || refusal::has_log(directory)? {
            return Ok(());
        }
        Err(Error::NeverBegan {
            path: self.valgrind().to_owned(),
            line: shell_line(&self.by_hand(job), Inherits::Nothing),
        })
    }
}
