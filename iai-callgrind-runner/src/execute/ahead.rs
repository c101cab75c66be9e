//! Jobs that run while the results of those before them are read, compared and collected.
//!
//! The next command is sent when the process of a benchmark has ended, and everything else happens beside the next
//! benchmarks. The process sees no difference but the time, and the order of what is reported stays. It is
//! done only where nothing of one benchmark can matter to the next one: no output that is shown live, no limit
//! that stops the run, no further run of the first.
//!
//! Of small benchmarks several end before the first result is read. Between two of them the caches of the processor have
//! forgotten the code that reads results, and the same work takes half as long again as for one right after the other.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::{EndedProcess, Launch};
use crate::cli::ShownStreams;
use crate::clock::Clock;
use crate::error::Result;
use crate::plan::{Backend, Job, Mode, PlannedBenchmark, Subject};
use crate::store::RunDirectory;
use crate::tool::Tool;

/// The most runs that have ended and whose turn has not come.
const MOST: usize = 16;

/// Longest time for which a result is held back while further runs end.
const LATE: Duration = Duration::from_millis(50);

/// A job whose process runs. Dropping it ends the process.
pub trait BegunJob {
    /// Waits for the end of the process. Returns the directory of the job as well.
    ///
    /// # Errors
    ///
    /// As [`Launch::launch`].
    fn end(self: Box<Self>) -> Result<(EndedAhead, RunDirectory)>;

    /// Does the process end within this time? Then [`BegunJob::end`] waits no longer.
    fn ends_within(&self, time: Duration) -> bool;
}

/// End of a process that began before its turn. `None`: the job has to run again.
pub type EndedAhead = Option<EndedProcess>;

/// Runs of jobs that begin before their turn.
pub trait RunAhead: Sync {
    /// The run of a job that was begun before its turn, which has come: waits for its end. `None`: it was not begun.
    fn rest_of(&self, job: &Job) -> Option<Result<RanAhead>>;

    /// Begins the job that comes after this one, if it can be begun now.
    fn begin_next(&self, after: &Job);
}

/// A run that began before its turn and has ended.
pub struct RanAhead {
    pub(super) ended: EndedAhead,
    pub(super) directory: RunDirectory,
    /// Start and duration in nanoseconds.
    pub(super) ran: (Clock, u64),
}

/// The benchmarks of a group in their order, and how far their runs are.
pub(crate) struct Ahead<'a> {
    launch: &'a dyn Launch,
    benchmarks: Vec<&'a PlannedBenchmark>,
    state: Mutex<State<'a>>,
}

#[derive(Default)]
struct State<'a> {
    /// Index of the first benchmark that has not begun.
    next: usize,
    /// Runs that have ended and whose turn has not come.
    ended: VecDeque<(&'a Job, Result<RanAhead>)>,
    begun: Option<BegunRun<'a>>,
}

/// A run of a job before its turn.
struct BegunRun<'a> {
    job: &'a Job,
    process: Box<dyn BegunJob + Send + 'a>,
    clock: Clock,
}

impl<'a> Ahead<'a> {
    /// Nothing has begun.
    pub(crate) fn new(launch: &'a dyn Launch, benchmarks: Vec<&'a PlannedBenchmark>) -> Self {
        Self {
            launch,
            benchmarks,
            state: Mutex::default(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State<'a>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins the next job, if nothing has begun and it can be begun now.
    ///
    /// What goes wrong goes wrong again when the turn of the job comes, and is reported then.
    fn begin(&self, state: &mut State<'a>) {
        if state.begun.is_some() || state.ended.len() >= MOST || state.waits_for_turn() {
            return;
        }
        let [this, next] = [state.next.wrapping_sub(1), state.next]
            .map(|index| self.benchmarks.get(index).copied().and_then(only_job));
        let (Some(_), Some(job)) = (this, next) else {
            return;
        };
        let clock = Clock::start();
        match self.launch.begin(job) {
            Ok(process) => {
                state.begun = process.map(|process| BegunRun {
                    job,
                    process,
                    clock,
                });
                state.next += usize::from(state.begun.is_some());
            }
            Err(error) => log::debug!("{}: not begun ahead: {error}", job.benchmark_path),
        }
    }

    /// Takes the runs that end within this time, each of which lets the next one begin.
    fn gather(&self, state: &mut State<'a>, time: Duration) {
        let start = Instant::now();
        while state.ended.len() < MOST {
            let left = time.saturating_sub(start.elapsed());
            let Some(begun) = state.begun.take_if(|begun| begun.process.ends_within(left)) else {
                return;
            };
            state.take_end(begun);
            self.begin(state);
        }
    }
}

impl<'a> State<'a> {
    /// Waits for the end.
    fn take_end(&mut self, begun: BegunRun<'a>) {
        let BegunRun {
            job,
            process,
            clock,
        } = begun;
        let ended = process.end().map(|(ended, directory)| RanAhead {
            ended,
            directory,
            ran: (clock, clock.elapsed_ns()),
        });
        self.ended.push_back((job, ended));
    }

    /// Has the last one no result? It runs again, or ends the run, and before its turn nothing begins.
    fn waits_for_turn(&self) -> bool {
        let last = self.ended.back();
        last.is_some_and(|(_, ran)| !matches!(ran, Ok(ran) if ran.ended.is_some()))
    }

    /// Takes the end of this job, if it has ended.
    fn ended(&mut self, job: &Job) -> Option<Result<RanAhead>> {
        let (first, _) = self.ended.front()?;
        if !std::ptr::eq(*first, job) {
            return None;
        }
        self.ended.pop_front().map(|(_, ended)| ended)
    }
}

impl RunAhead for Ahead<'_> {
    fn rest_of(&self, job: &Job) -> Option<Result<RanAhead>> {
        let mut state = self.state();
        let state = &mut *state;
        if let Some(begun) = state.begun.take_if(|begun| std::ptr::eq(begun.job, job)) {
            state.take_end(begun);
            self.begin(state);
            self.gather(state, LATE);
        } else {
            self.gather(state, Duration::ZERO);
        }
        state.ended(job)
    }

    fn begin_next(&self, after: &Job) {
        let mut state = self.state();
        let mut rest = self.benchmarks.iter().skip(state.next);
        if let Some(further) =
            rest.position(|it| it.jobs.iter().any(|job| std::ptr::eq(job, after)))
        {
            state.next += further + 1;
        }
        self.begin(&mut state);
    }
}

/// The job of a benchmark that may overlap with others.
fn only_job(benchmark: &PlannedBenchmark) -> Option<&Job> {
    match benchmark.jobs.as_slice() {
        [job] if may_overlap(job) => Some(job),
        _ => None,
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
