//! A job that runs while the result of the one before it is read, compared and collected.
//!
//! The next command is sent when the process of a benchmark has ended, and everything else happens beside the next
//! benchmark. The process sees no difference but the time, and the order of what is reported stays. It is
//! done only where nothing of the first benchmark can matter to the second one: no output that is shown live, no limit
//! that stops the run, no further run of the first.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{EndedProcess, Launch};
use crate::cli::ShownStreams;
use crate::clock::Clock;
use crate::error::Result;
use crate::plan::{Backend, Job, Mode, PlannedBenchmark, Subject};
use crate::store::RunDirectory;
use crate::tool::Tool;

/// A job whose process runs. Dropping it ends the process.
pub trait BegunJob {
    /// Waits for the end of the process. Returns the directory of the job as well.
    ///
    /// # Errors
    ///
    /// As [`Launch::launch`].
    fn end(self: Box<Self>) -> Result<(EndedAhead, RunDirectory)>;
}

/// End of a process that began before its turn. `None`: the job has to run again.
pub type EndedAhead = Option<EndedProcess>;

/// Runs of jobs that begin before their turn.
pub trait RunAhead: Sync {
    /// The run of a job that was begun before its turn, which has come: waits for its end. `None`: it was not begun.
    fn rest_of(&self, job: &Job) -> Option<Result<RanAhead>>;

    /// Begins the next job, if it can be begun now.
    fn begin_next(&self);
}

/// A run that began before its turn and has ended.
pub struct RanAhead {
    pub(super) ended: EndedAhead,
    pub(super) directory: RunDirectory,
    pub(super) clock: Clock,
}

/// The job that comes next, and its run if that has begun.
pub(crate) struct Ahead<'a> {
    launch: &'a dyn Launch,
    state: Mutex<State<'a>>,
}

#[derive(Default)]
struct State<'a> {
    next: Option<&'a Job>,
    begun: Option<BegunRun<'a>>,
}

/// A run of a job before its turn.
struct BegunRun<'a> {
    job: &'a Job,
    process: Box<dyn BegunJob + Send + 'a>,
    clock: Clock,
}

impl<'a> Ahead<'a> {
    /// No job is known yet.
    pub(crate) fn new(launch: &'a dyn Launch) -> Self {
        Self {
            launch,
            state: Mutex::default(),
        }
    }

    /// Tells which benchmark comes after this one.
    pub(crate) fn expect(&self, this: &PlannedBenchmark, next: Option<&'a PlannedBenchmark>) {
        let only_job = |benchmark: &'a PlannedBenchmark| match benchmark.jobs.as_slice() {
            [job] if may_overlap(job) => Some(job),
            _ => None,
        };
        let is_alone = matches!(this.jobs.as_slice(), [job] if may_overlap(job));
        self.state().next = next.filter(|_| is_alone).and_then(only_job);
    }

    fn state(&self) -> MutexGuard<'_, State<'a>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl RunAhead for Ahead<'_> {
    fn rest_of(&self, job: &Job) -> Option<Result<RanAhead>> {
        let is_it = |begun: &mut BegunRun<'_>| std::ptr::eq(begun.job, job);
        let begun = self.state().begun.take_if(is_it)?;
        let ended = begun.process.end();
        Some(ended.map(|(ended, directory)| RanAhead {
            ended,
            directory,
            clock: begun.clock,
        }))
    }

    /// What goes wrong goes wrong again when the turn of the job comes, and is reported then.
    fn begin_next(&self) {
        let Some(job) = self.state().next.take() else {
            return;
        };
        let clock = Clock::start();
        let begun = self.launch.begin(job);
        match begun {
            Ok(process) => {
                let begun = process.map(|process| BegunRun {
                    job,
                    process,
                    clock,
                });
                self.state().begun = begun;
            }
            Err(error) => log::debug!("{}: not begun ahead: {error}", job.benchmark_path),
        }
    }
}

/// May this job run beside the end of another one, and another one beside its end?
fn may_overlap(job: &Job) -> bool {
    job.mode == Mode::Fork
        && matches!(job.backend, Backend::Valgrind)
        && matches!(job.target.subject, Subject::Case(_))
        && job.shown == ShownStreams::None
        && !job.fail_fast
        // These run again before they are reported.
        && job.runs <= 1
        && job.tool != Tool::Dhat
        // Its clock would run on until its turn.
        && job.timeout.is_none()
        // Lines about one benchmark stand together.
        && !log::log_enabled!(log::Level::Debug)
}
