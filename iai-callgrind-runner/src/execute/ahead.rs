//! Prefetch: the next benchmark runs while the result of the previous one is read, compared and
//! kept.
//!
//! When the process of a benchmark has ended, its worker takes the next benchmark from the queue
//! and has a server fork for it. Small benchmarks end before the runner has handled the previous
//! result, so a few results are read one right after the other: at most [`FEW`], and no result
//! waits longer than [`LATE`]. `may_overlap` decides which benchmarks may begin before their turn:
//! those without live output, without a limit that stops the run, and without further runs. A
//! benchmark whose server is lost runs again when its turn comes. The order of the report does not
//! change.

use std::cell::{RefCell, RefMut};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::{EndedProcess, Launch};
use crate::error::Result;
use crate::plan::{Backend, Job, PlannedBenchmark, Subject};
use base::clock::Clock;
use base::tool::Tool;
use cli::ShownStreams;
use records::summary::Mode;
use store::WorkDirectory;

/// The most benchmarks that a worker has taken before their turn.
const FEW: usize = 8;

/// The longest time for which a result is held back while further runs end.
const LATE: Duration = Duration::from_millis(50);

/// A job whose process runs. Dropping it ends the process.
pub trait BegunJob {
    /// Waits for the end of the process, if it has not ended. Returns the directory of the job as
    /// well.
    ///
    /// # Errors
    ///
    /// The same errors as [`Launch::launch`].
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
    turn: Option<Taken<'a>>,
    /// Benchmarks that were taken before their turn, in their order.
    next: VecDeque<Taken<'a>>,
}

/// A benchmark that a worker has taken.
struct Taken<'a> {
    index: usize,
    run: AheadRun<'a>,
}

/// The run of a benchmark before its turn. Dropping one that has begun ends it.
enum AheadRun<'a> {
    /// There is none: the benchmark runs when its turn comes.
    None,
    Begun(Box<dyn BegunJob + Send + 'a>, Clock),
    Ended(Result<RanAhead>),
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
        let first = state.next.pop_front();
        state.turn = match first {
            // Dropping `first` ends the process that was begun before its turn.
            _ if self.turns.have_ended() => None,
            None => self.turns.take().map(Taken::not_begun),
            taken => taken,
        };
        state.turn.as_ref().map(|taken| taken.index)
    }

    fn state(&self) -> RefMut<'_, State<'a>> {
        self.state.borrow_mut()
    }

    /// Takes the next benchmark and begins its job, if all benchmarks taken before have ended and
    /// it may overlap with the last one.
    ///
    /// An error is only logged: the job runs again when its turn comes, and reports it then.
    fn begin(&self, state: &mut State<'a>) {
        let last = match state.next.back() {
            Some(last) if !last.run.has_result() => return,
            Some(last) => Some(last.index),
            None => state.turn.as_ref().map(|taken| taken.index),
        };
        let overlaps = |index: usize| only_job(self.benchmarks[index]).is_some();
        if state.next.len() >= FEW || !last.is_some_and(overlaps) {
            return;
        }
        let Some(index) = self.turns.take_if(overlaps) else {
            return;
        };
        let mut taken = Taken::not_begun(index);
        if let Some(job) = only_job(self.benchmarks[index]) {
            let clock = Clock::start();
            match self.launch.begin(job) {
                Ok(Some(process)) => taken.run = AheadRun::Begun(process, clock),
                Ok(None) => {}
                Err(error) => log::debug!("{}: not begun ahead: {error}", job.benchmark_path),
            }
        }
        state.next.push_back(taken);
    }

    /// Waits for the runs that end within this time, each of which lets the next one begin.
    fn gather(&self, state: &mut State<'a>, time: Duration) {
        let start = Instant::now();
        while let Some(last) = state.next.back_mut() {
            let left = time.saturating_sub(start.elapsed());
            match std::mem::replace(&mut last.run, AheadRun::None) {
                AheadRun::Begun(process, clock) if process.ends_within(left) => {
                    last.run = AheadRun::Ended(end(process, clock));
                }
                run => {
                    last.run = run;
                    return;
                }
            }
            self.begin(state);
        }
    }
}

impl RunAhead for Ahead<'_> {
    fn rest(&self) -> Option<Result<RanAhead>> {
        let mut state = self.state();
        let state = &mut *state;
        let run = std::mem::replace(&mut state.turn.as_mut()?.run, AheadRun::None);
        match run {
            AheadRun::None => None,
            AheadRun::Begun(process, clock) => {
                let run = AheadRun::Ended(end(process, clock));
                if run.has_result() {
                    self.begin(state);
                    // Results that are read one right after the other find the runner's code in the
                    // caches of the processor: 0.29 ms for each instead of 0.40 ms.
                    self.gather(state, LATE);
                }
                run.ended()
            }
            run @ AheadRun::Ended(_) => {
                // This result has waited for its turn: only runs that have ended already are
                // gathered.
                self.gather(state, Duration::ZERO);
                run.ended()
            }
        }
    }

    fn begin_next(&self) {
        self.begin(&mut self.state());
    }
}

impl Taken<'_> {
    fn not_begun(index: usize) -> Self {
        Self {
            index,
            run: AheadRun::None,
        }
    }
}

impl AheadRun<'_> {
    /// Is there a result? Otherwise the benchmark runs again when its turn comes, or ends the run,
    /// and no other benchmark begins before that.
    fn has_result(&self) -> bool {
        matches!(self, Self::Ended(Ok(ran)) if ran.ended.is_some())
    }

    fn ended(self) -> Option<Result<RanAhead>> {
        match self {
            Self::Ended(ran) => Some(ran),
            Self::None | Self::Begun(..) => None,
        }
    }
}

/// Waits for the end.
fn end(process: Box<dyn BegunJob + Send + '_>, clock: Clock) -> Result<RanAhead> {
    let (ended, directory) = process.end()?;
    Ok(RanAhead {
        ended,
        directory,
        ran: (clock, clock.elapsed_ns()),
    })
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

/// Items that are done in their order, each taken by one worker.
#[derive(Debug)]
pub(crate) struct Turns {
    next: AtomicUsize,
    count: usize,
    has_ended: AtomicBool,
}

impl Turns {
    /// No item is taken yet.
    pub(crate) fn new(count: usize) -> Self {
        Self {
            next: AtomicUsize::new(0),
            count,
            has_ended: AtomicBool::new(false),
        }
    }

    /// Takes the next item.
    pub(crate) fn take(&self) -> Option<usize> {
        self.take_if(|_| true)
    }

    /// Takes the next item, if it is one of these.
    pub(crate) fn take_if(&self, wanted: impl Fn(usize) -> bool) -> Option<usize> {
        let is_next = |next| next < self.count && !self.have_ended() && wanted(next);
        let next = |next| is_next(next).then_some(next + 1);
        // Relaxed: the counter only hands out indices; results travel through a channel.
        let taken = self
            .next
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, next);
        taken.ok()
    }

    /// Ends the turns: a worker that took an item does not begin it any more.
    pub(crate) fn end(&self) {
        self.has_ended.store(true, Ordering::Relaxed);
    }

    fn have_ended(&self) -> bool {
        self.has_ended.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_item_is_taken_once_and_in_order() {
        let turns = Turns::new(4);
        assert_eq!(turns.take(), Some(0));
        assert_eq!(turns.take_if(|index| index == 2), None);
        assert_eq!(turns.take_if(|index| index == 1), Some(1));
        assert_eq!(turns.take(), Some(2));
        turns.end();
        assert_eq!(turns.take(), None);
        assert!(turns.have_ended());
    }
}
