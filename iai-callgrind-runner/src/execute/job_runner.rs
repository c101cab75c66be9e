//! One run of a job in a private directory, and the failure of a job without a result.

use std::path::Path;

use super::ahead::RanAhead;
use super::{end_snapshot, EndedProcess, JobFailure, Launch, OutputChannel, RunAhead};
use crate::error::Result;
use crate::plan::Job;
use base::clock::Clock;
use store::{Store, WorkDirectory};

/// Runs jobs in private directories and shows their output.
pub struct JobRunner<'a> {
    /// Maker of the private directories.
    pub store: &'a Store,
    /// Runs the jobs.
    pub launch: &'a dyn Launch,
    /// Channel of their output.
    pub channel: OutputChannel,
    /// Begins the next job when one has ended.
    pub ahead: Option<&'a dyn RunAhead>,
}

impl JobRunner<'_> {
    /// Runs a job and logs what it printed; the tool writes into a directory that nobody else has.
    ///
    /// # Errors
    ///
    /// The directory cannot be made, or an error of [`Launch::launch`].
    pub(crate) fn run(&self, job: &Job) -> Result<FinishedRun> {
        let begun = self.ahead.and_then(RunAhead::rest);
        let finished = match begun.transpose()? {
            Some(RanAhead {
                ended: Some(ended),
                directory,
                ran,
            }) => FinishedRun {
                directory,
                ended,
                ran,
            },
            _ => self.launch(job, &self.channel)?,
        };
        end_snapshot::keep(finished.path(), &finished.ended)?;
        // The next process runs while the caller reads and compares the result of this one.
        if let Some(ahead) = self.ahead {
            ahead.begin_next();
        }
        let output = &finished.ended.output;
        if !output.is_empty() {
            let text = String::from_utf8_lossy(output);
            log::info!(
                "{}: printed under {}:\n{text}",
                job.benchmark_path,
                job.tool
            );
        }
        Ok(finished)
    }

    fn launch(&self, job: &Job, channel: &OutputChannel) -> Result<FinishedRun> {
        let directory = self.store.work_directory()?;
        let clock = Clock::start();
        let ended = self.launch.launch(job, directory.path(), channel)?;
        Ok(FinishedRun {
            directory,
            ended,
            ran: (clock, clock.elapsed_ns()),
        })
    }

    /// Runs a job again, without its output, which the first run has shown.
    ///
    /// # Errors
    ///
    /// The same errors as [`JobRunner::run`].
    pub(crate) fn run_unseen(&self, job: &Job) -> Result<FinishedRun> {
        // Nobody calls `show_waiting` on this channel.
        let finished = self.launch(job, &self.channel.waiting())?;
        end_snapshot::keep(finished.path(), &finished.ended)?;
        Ok(finished)
    }
}

/// A run of a job that has ended.
pub(crate) struct FinishedRun {
    /// The directory with the files of the tool, which are removed when this is dropped.
    pub(crate) directory: WorkDirectory,
    /// End and output of the run.
    pub(crate) ended: EndedProcess,
    /// Start and duration of the run in nanoseconds.
    pub(crate) ran: (Clock, u64),
}

impl FinishedRun {
    /// The directory with the files of the tool.
    pub(crate) fn path(&self) -> &Path {
        self.directory.path()
    }
}

/// A job that has no result.
#[derive(Debug)]
pub struct FailedJob {
    /// The reason.
    pub failure: JobFailure,
    /// The output of the benchmark, where that helps to understand the failure.
    pub output: Vec<u8>,
}

impl FailedJob {
    /// Does the run end with this failure?
    pub(crate) fn ends_run(&self) -> bool {
        matches!(&self.failure, JobFailure::Run(error) if error.ends_run())
    }
}

/// A failure of the runner or of a file, to which the output of the benchmark adds nothing.
impl<T: Into<JobFailure>> From<T> for FailedJob {
    fn from(failure: T) -> Self {
        Self {
            failure: failure.into(),
            output: Vec::new(),
        }
    }
}

impl EndedProcess {
    /// This failure of the benchmark, with its output, which may explain it.
    pub(crate) fn failed(&self, failure: JobFailure) -> FailedJob {
        FailedJob {
            failure,
            output: self.output.clone(),
        }
    }
}
