//! Jobs to files: the only stage that starts benchmarks.
//!
//! [`Launch`] is the narrow door to the outside: [`Valgrind`] runs a job for real, [`Replay`] copies
//! recorded files, so that everything else can be tested in milliseconds.

mod capture;
mod failure;
mod padding;
mod processes;
mod replay;
mod server;

use std::path::Path;

pub use self::failure::{signal_name, Failure, NothingCounted};
pub use self::processes::Processes;
pub use self::replay::Replay;
pub use self::server::Valgrind;
use crate::error::Result;
use crate::plan::{Hooks, Job};

/// Runs jobs and the hooks around them.
pub trait Launch {
    /// Runs a job. The tool writes its files into `directory`: [`OUT_PREFIX`] and
    /// [`LOG_PREFIX`], followed by the ids of the processes.
    ///
    /// # Errors
    ///
    /// The process could not be started, or the runner was asked to stop.
    fn launch(&self, job: &Job, directory: &Path) -> Result<Ended>;

    /// Runs `setup` or `teardown` of a level.
    ///
    /// # Errors
    ///
    /// As [`Launch::launch`].
    fn assist(&self, hooks: &Hooks, hook: Hook) -> Result<Ended>;
}

/// The two hooks of a level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hook {
    /// Before everything in the level.
    Setup,
    /// After everything in the level, also if it failed.
    Teardown,
}

impl Hook {
    /// As in the `assist` role and in messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Setup => "setup",
            Self::Teardown => "teardown",
        }
    }
}

/// How a process ended and what it printed.
#[derive(Debug)]
pub struct Ended {
    /// How it ended.
    pub how: How,
    /// What it printed to both streams, in order; empty if that was shown at once.
    pub output: Vec<u8>,
}

/// How a process ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum How {
    /// The benchmark (or hook) returned.
    Returned,
    /// It ended with this exit code before it returned.
    Exited(i32),
    /// This signal ended it.
    Signaled(i32),
    /// It ended before the benchmark began; the text says how.
    NotStarted(String),
}

/// Names of output files while a tool runs; `%p` is the process id.
pub const OUT_PREFIX: &str = "out.";

/// Names of logs while a tool runs.
pub const LOG_PREFIX: &str = "log.";
