//! One run of a job in a private directory, and what is left of a run without a result.

use std::path::Path;

use tempfile::TempDir;

use super::{Ended, Failure, Launch, OutputChannel};
use crate::error::Result;
use crate::plan::Job;
use crate::store::Store;

/// Runs jobs for somebody who sees what they print.
pub struct JobRunner<'a> {
    /// Where the private directories are made.
    pub store: &'a Store,
    /// Runs the jobs.
    pub launch: &'a dyn Launch,
    /// Takes what they print.
    pub channel: OutputChannel,
}

impl JobRunner<'_> {
    /// Runs a job; the tool writes into a directory that nobody else has.
    ///
    /// # Errors
    ///
    /// The directory cannot be made, or as [`Launch::launch`].
    pub(crate) fn run(&self, job: &Job) -> Result<FinishedRun> {
        let directory = self.store.work_directory()?;
        let ended = self.launch.launch(job, directory.path(), &self.channel)?;
        Ok(FinishedRun { directory, ended })
    }

    /// Runs a job again, whose output was seen when it ran first.
    ///
    /// # Errors
    ///
    /// As [`JobRunner::run`].
    pub(crate) fn run_unseen(&self, job: &Job) -> Result<FinishedRun> {
        let unseen = JobRunner {
            // Nobody lets it out.
            channel: self.channel.waiting(),
            ..*self
        };
        unseen.run(job)
    }
}

/// A run of a job that has ended, in one way or another.
pub(crate) struct FinishedRun {
    /// Holds the files of the tool, and removes them when it is dropped.
    pub(crate) directory: TempDir,
    /// How the run ended.
    pub(crate) ended: Ended,
}

impl FinishedRun {
    /// The directory with the files of the tool.
    pub(crate) fn path(&self) -> &Path {
        self.directory.path()
    }
}

/// A job that has no result.
#[derive(Debug)]
pub struct Failed {
    /// Why.
    pub failure: Failure,
    /// The output of the benchmark, where that helps to understand the failure.
    pub output: Vec<u8>,
}

impl Failed {
    /// Is there nothing more to run?
    pub(crate) fn ends_run(&self) -> bool {
        matches!(&self.failure, Failure::Run(error) if error.ends_run())
    }
}

/// A failure of the runner or of a file, to which the output of the benchmark adds nothing.
impl<T: Into<Failure>> From<T> for Failed {
    fn from(failure: T) -> Self {
        Self {
            failure: failure.into(),
            output: Vec::new(),
        }
    }
}

impl Ended {
    /// A failure of the benchmark, which its output may explain.
    pub(crate) fn failed(&self, failure: Failure) -> Failed {
        Failed {
            failure,
            output: self.output.clone(),
        }
    }
}
