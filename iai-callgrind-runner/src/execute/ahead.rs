//! Jobs that run while the results of those before them are read, compared and collected.
//!
//! The next command is sent when the process of a benchmark has ended, and everything else happens beside the next
//! benchmarks. The process sees no difference but the time, and the order of what is reported stays. It is
//! done only where nothing of one benchmark can matter to the next one: no output that is shown live, no limit
//! that stops the run, no further run of the first.
//!
//! Of small benchmarks several end before the first result is read. Between two of them the caches of the processor have
//! forgotten the code that reads results, and the same work takes half as long again as for one right after the other.
//!
//! Of several workers each runs ahead for itself: what it begins no other one takes.

use std::cell::{RefCell, RefMut};
use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::{EndedProcess, Launch, Turns};
use crate::cli::ShownStreams;
use crate::clock::Clock;
use crate::error::Result;
use crate::plan::{Backend, Job, Mode, PlannedBenchmark, Subject};
use crate::store::WorkDirectory;
use crate::tool::Tool;

/// The most runs that have ended and whose turn has not come.
const MOST: usize = 16;

/// Longest time for which a result is held back while further runs end, and once more while others are read.
pub(crate) const LATE: Duration = Duration::from_millis(50);

/// A job whose process runs. Dropping it ends the process.
pub trait BegunJob {
    /// Waits for the end of the process, if it has not ended. Returns the directory of the job as well.
    ///
    /// # Errors
    ///
    /// As [`Launch::launch`].
    fn end(self: Box<Self>) -> Result<(EndedAhead, WorkDirectory)>;

    /// Does the process end within this time?
    fn ends_within(&self, time: Duration) -> bool;
}

/// End of a process that began before its turn. `None`: the job has to run again.
pub type EndedAhead = Option<EndedProcess>;

/// Runs of jobs that begin before their turn.
pub trait RunAhead {
    /// The run of the benchmark whose turn it is, if it was begun before: waits for its end.
    fn rest(&self) -> Option<Result<RanAhead>>;

    /// Begins the job of the next benchmark, if it can be begun now.
    fn begin_next(&self);
}

/// A run that began before its turn and has ended.
pub struct RanAhead {
    pub(super) ended: EndedAhead,
    pub(super) directory: WorkDirectory,
    /// Start and duration in nanoseconds.
    pub(super) ran: (Clock, u64),
}

/// The benchmarks that a worker has taken, and how far their runs are.
pub(crate) struct Ahead<'a> {
    launch: &'a dyn Launch,
    benchmarks: &'a [&'a PlannedBenchmark],
    turns: &'a Turns,
    state: RefCell<State<'a>>,
}

#[derive(Default)]
struct State<'a> {
    /// The benchmark whose turn it is.
    turn: Option<usize>,
    /// The benchmark that was taken last.
    last: Option<usize>,
    /// Benchmarks that were taken before their turn, in their order, with their runs. `None`: they did not begin.
    ended: VecDeque<(usize, Option<Result<RanAhead>>)>,
    begun: Option<BegunRun<'a>>,
}

/// A run of a benchmark before its turn.
struct BegunRun<'a> {
    index: usize,
    process: Box<dyn BegunJob + Send + 'a>,
    clock: Clock,
}

impl<'a> Ahead<'a> {
    /// A worker that has taken none of these benchmarks.
    pub(crate) fn new(
        launch: &'a dyn Launch,
        benchmarks: &'a [&'a PlannedBenchmark],
        turns: &'a Turns,
    ) -> Self {
        Self {
            launch,
            benchmarks,
            turns,
            state: RefCell::default(),
        }
    }

    /// The benchmark whose turn comes now. `None`: there is none left.
    pub(crate) fn turn(&self) -> Option<usize> {
        let mut state = self.state();
        state.end_turn();
        state.turn = match state.first() {
            _ if self.turns.have_ended() => None,
            None => {
                state.last = self.turns.take();
                state.last
            }
            first => first,
        };
        state.turn
    }

    /// Has the run of the next benchmark ended?
    pub(crate) fn has_ended(&self) -> bool {
        !self.state().ended.is_empty()
    }

    fn state(&self) -> RefMut<'_, State<'a>> {
        self.state.borrow_mut()
    }

    /// Takes the next benchmark and begins its job, if nothing has begun and it can be begun now.
    ///
    /// What goes wrong goes wrong again when the turn of the job comes, and is reported then.
    fn begin(&self, state: &mut State<'a>) {
        if state.begun.is_some() || state.ended.len() >= MOST || state.waits_for_turn() {
            return;
        }
        let only_job = |index: usize| only_job(self.benchmarks[index]);
        let overlaps = |index| only_job(index).is_some();
        if !state.last.is_some_and(overlaps) {
            return;
        }
        let next = self.turns.take_if(overlaps);
        let Some((index, job)) = next.and_then(|index| Some((index, only_job(index)?))) else {
            return;
        };
        state.last = Some(index);
        let clock = Clock::start();
        let process = self.launch.begin(job).unwrap_or_else(|error| {
            log::debug!("{}: not begun ahead: {error}", job.benchmark_path);
            None
        });
        match process {
            Some(process) => {
                state.begun = Some(BegunRun {
                    index,
                    process,
                    clock,
                });
            }
            None => state.ended.push_back((index, None)),
        }
    }

    /// Takes the runs that end within this time, each of which lets the next one begin.
    fn gather(&self, state: &mut State<'a>, time: Duration) {
        let start = Instant::now();
        while state.ended.len() < MOST {
            let left = time.saturating_sub(start.elapsed());
            let ends = |begun: &mut BegunRun<'_>| begun.process.ends_within(left);
            let Some(begun) = state.begun.take_if(ends) else {
                return;
            };
            state.take_end(begun);
            self.begin(state);
        }
    }
}

impl<'a> State<'a> {
    /// The first of the benchmarks that were taken before their turn.
    fn first(&self) -> Option<usize> {
        let ended = self.ended.front().map(|(index, _)| *index);
        ended.or_else(|| Some(self.begun.as_ref()?.index))
    }

    /// Forgets the run of a benchmark whose turn was used for nothing, since its old results are damaged.
    fn end_turn(&mut self) {
        let turn = self.turn.take();
        self.ended.retain(|(index, _)| Some(*index) != turn);
        self.begun.take_if(|begun| Some(begun.index) == turn);
    }

    /// Waits for the end.
    fn take_end(&mut self, begun: BegunRun<'a>) {
        let BegunRun {
            index,
            process,
            clock,
        } = begun;
        let ended = process.end().map(|(ended, directory)| RanAhead {
            ended,
            directory,
            ran: (clock, clock.elapsed_ns()),
        });
        self.ended.push_back((index, Some(ended)));
    }

    /// Has the last one no result? It runs when its turn comes, or ends the run, and before that nothing begins.
    fn waits_for_turn(&self) -> bool {
        let last = self.ended.back();
        last.is_some_and(|(_, ran)| !matches!(ran, Some(Ok(ran)) if ran.ended.is_some()))
    }
}

impl RunAhead for Ahead<'_> {
    fn rest(&self) -> Option<Result<RanAhead>> {
        let mut state = self.state();
        let state = &mut *state;
        let turn = state.turn?;
        if let Some(begun) = state.begun.take_if(|begun| begun.index == turn) {
            state.take_end(begun);
            self.begin(state);
            self.gather(state, LATE);
        } else {
            self.gather(state, Duration::ZERO);
        }
        let is_next = |(index, _): &(usize, _)| *index == turn;
        match state.ended.front().is_some_and(is_next) {
            true => state.ended.pop_front()?.1,
            false => None,
        }
    }

    fn begin_next(&self) {
        self.begin(&mut self.state());
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
