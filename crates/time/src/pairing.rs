//! The schedule: how many calls, samples, pairs and starts, and in which order.
//!
//! The order is strictly in turn (ABAB), and BABA in every other start: with ABBA one side follows
//! itself more often, finds its data in the caches, and is faster. The number of starts is fixed
//! after the first two, by their cost: who looks at the result to decide whether to go on finds
//! differences that are none.
//!
//! A program cannot be called again, so each of its runs is a start with one sample.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::machine::ProcessorTime;
use crate::sign_interval::{median, SignInterval, LEAST_STARTS, MOST_STARTS};

/// A sample takes at least so long, in nanoseconds on the clock.
const LEAST_SAMPLE: f64 = 50_000.0;
/// A sample with its setups takes at most about so long, if it has several calls.
const MOST_WALL: Duration = Duration::from_millis(5);
/// The most calls of a sample.
const MOST_CALLS: u32 = 1 << 30;
/// Pairs of samples in a start, unless samples are long.
const PAIRS: usize = 12;
const LEAST_PAIRS: usize = 4;
/// Samples that take longer are long, in nanoseconds.
const LONG_SAMPLE: f64 = 500_000.0;
/// The same with its setups, in seconds.
const LONG_WALL: f64 = 0.001;
/// The most samples until a process is warm.
const MOST_WARM_UPS: usize = 16;
/// Time of these samples at least, in nanoseconds: a processor learns the branches of a call too.
const LEAST_WARM_UP: f64 = 500_000.0;
/// Samples of a process that is warm differ by less.
const WARM: f64 = 0.02;
/// Calls of the empty benchmark in a sample.
const EMPTY_CALLS: u32 = 200;
/// Starts whose cost decides about the number of starts.
const TRIAL_STARTS: usize = 2;
/// Share of samples that lost the processor, above which the time of the thread is taken.
const OFTEN_PREEMPTED: f64 = 0.2;
/// Calls at the end of a start take so much more or less than at its begin, if they change.
const CHANGING: f64 = 0.1;
/// Share of a run without a processor, above which the run was preempted.
const PREEMPTED: f64 = 0.1;
/// Processor time of a run with one thread exceeds its wall time by no more.
const OF_ONE_THREAD: f64 = 1.05;

/// One of the two executables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExecutableSide {
    /// The executable that runs now.
    New,
    /// The kept one.
    Old,
}

use ExecutableSide::{New, Old};

/// Settings of a measurement.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimeSettings {
    /// Time for all starts of both sides.
    pub budget: Duration,
    /// The most time for the calls of a process before its first sample; `None`: until it is warm.
    pub warm_up: Option<Duration>,
    /// Calls of a sample; `None`: as many as take long enough.
    pub calls: Option<u32>,
    /// Changes within this share are none, as those are that nothing can tell.
    pub noise: f64,
}

/// Calls of a benchmark that are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WantedCalls {
    /// Calls on the clock.
    pub calls: u32,
    /// Calls before them, off the clock.
    pub warm_up: u32,
    /// Call the empty benchmark instead, which shows the cost of the clock.
    pub empty: bool,
}

/// Time of a batch of calls.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct TimeSample {
    /// Wall time in nanoseconds.
    pub wall: f64,
    /// Processor time of the thread in nanoseconds; 0 if it was not measured.
    pub cpu: f64,
    /// Pairs of readings of the clock.
    pub readings: u32,
    /// Number of times that the thread lost its processor.
    pub switches: u32,
    /// Threads of the process after it.
    pub threads: u32,
}

/// Times of a whole process, as the kernel counts them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ProcessTimes {
    /// Wall time from its start to its end.
    pub wall: Duration,
    /// Processor time of it and of the processes that it waited for.
    pub cpu: Duration,
    /// Number of times that it gave its processor away to wait for something.
    pub waits: u32,
    /// Number of times that it lost its processor.
    pub switches: u32,
}

impl TimeSample {
    /// The sample of a whole run. `threads`: the most threads that were seen meanwhile.
    #[must_use]
    pub fn of_run(times: ProcessTimes, threads: u32) -> Self {
        let nanoseconds = |time: Duration| time.as_nanos() as f64;
        let (wall, cpu) = (nanoseconds(times.wall), nanoseconds(times.cpu));
        // A long run always loses its processor for a moment, and one that waits for a file leaves
        // it of its own accord.
        let is_preempted = wall - cpu > PREEMPTED * wall && times.switches > times.waits;
        // Threads may begin and end unseen.
        let is_parallel = cpu > OF_ONE_THREAD * wall;
        Self {
            wall,
            cpu,
            readings: 0,
            switches: u32::from(is_preempted),
            threads: threads.max(1 + u32::from(is_parallel)),
        }
    }
}

/// A process in which the benchmark is called, or the next run of a program.
pub trait TimedProcess {
    /// Calls the benchmark, or runs the program once.
    ///
    /// # Errors
    ///
    /// The reason why no sample came.
    fn sample(&mut self, wanted: WantedCalls) -> Result<TimeSample, String>;
}

/// Starts processes of both sides.
pub trait Stopwatch {
    /// A process.
    type Process: TimedProcess;

    /// Starts a process. `start` is the number of the start, which both sides share; `pinned`: on
    /// one CPU, which is the same for both.
    ///
    /// # Errors
    ///
    /// The reason why it cannot be started.
    fn start(
        &mut self,
        side: ExecutableSide,
        start: usize,
        pinned: bool,
    ) -> Result<Self::Process, String>;

    /// The time since any moment before.
    fn now(&self) -> Duration;

    /// The time that others took from this machine, until now.
    fn processor_time(&self) -> ProcessorTime;
}

/// A side that could not be timed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SideFailure {
    /// The side.
    pub side: ExecutableSide,
    /// Reason.
    pub reason: String,
}

/// The clock that times are from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum TimeBasis {
    /// Wall time.
    Wall,
    /// Processor time of the thread: the samples were long and interrupted too often.
    Cpu,
}

/// Times of one call of a side, over its starts, in nanoseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct TimesOfSide {
    /// The shortest one.
    pub min: f64,
    /// The median.
    pub median: f64,
}

/// The code that is timed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimedSubject {
    /// Calls of a function.
    Call,
    /// Runs of a program.
    Run,
}

use TimedSubject::{Call, Run};

/// The result of a measurement.
#[derive(Debug, Clone, PartialEq)]
pub struct PairedTimes {
    /// Whose times they are.
    pub subject: TimedSubject,
    /// Clock of all times.
    pub basis: TimeBasis,
    /// The new side.
    pub new: TimesOfSide,
    /// The old side; absent if it was not measured.
    pub old: Option<TimesOfSide>,
    /// Interval of the logarithm of new / old; absent without an old side, or if there were too few
    /// starts.
    pub interval: Option<SignInterval>,
    /// Logarithm of new / old in each start, in their order; empty without an old side.
    pub ratios: Vec<f64>,
    /// Starts of each side.
    pub starts: usize,
    /// Pairs of samples in a start.
    pub pairs: usize,
    /// Calls of a sample.
    pub calls: u32,
    /// Share of the samples in which the thread lost its processor.
    pub preempted: f64,
    /// Share of the time that other virtual machines took.
    pub steal: f64,
    /// Share of the starts during which the limit of a cgroup held the processes up.
    pub throttled: f64,
    /// Calls take longer and longer, or shorter and shorter.
    pub changing: bool,
    /// The benchmark has several threads, so it was not pinned to one CPU.
    pub threads: bool,
}

/// Calls, pairs and the CPU of a measurement.
#[derive(Debug, Clone, Copy)]
struct Batch {
    subject: TimedSubject,
    calls: u32,
    pairs: usize,
    pinned: bool,
    warm_up: Option<Duration>,
}

/// Measures calls of the new side and, if there is one, of the old side with it.
///
/// # Errors
///
/// A process could not be started, or ended.
pub fn measure<S: Stopwatch>(
    watch: &mut S,
    settings: &TimeSettings,
    has_old: bool,
) -> Result<PairedTimes, SideFailure> {
    let batch = calibrate(watch, settings)?;
    starts_of(watch, batch, TRIAL_STARTS, settings.budget, has_old)
}

/// Measures runs of a program, as [`measure`] does with calls. `budget` is the time for all.
///
/// # Errors
///
/// A run failed.
pub fn measure_runs<S: Stopwatch>(
    watch: &mut S,
    budget: Duration,
    has_old: bool,
) -> Result<PairedTimes, SideFailure> {
    let began = watch.now();
    let mut batch = Batch {
        subject: Run,
        calls: 1,
        pairs: 1,
        pinned: true,
        warm_up: None,
    };
    // Not on the clock: these runs read the files of the program into memory, and show threads.
    for side in sides(has_old) {
        let mut process = started(watch, *side, 0, false)?;
        let sample = sampled(&mut process, *side, 1, 0, false)?;
        batch.pinned &= sample.threads <= 1;
    }
    let cost = watch.now() - began;
    let trial = match starts(budget, cost, has_old) {
        Some(_) => TRIAL_STARTS,
        // A second one of such runs would tell nothing more.
        None => 1,
    };
    starts_of(watch, batch, trial, budget, has_old)
}

fn sides(has_old: bool) -> &'static [ExecutableSide] {
    match has_old {
        true => &[New, Old],
        false => &[New],
    }
}

/// Takes all starts, of which the first ones show how many there can be.
fn starts_of<S: Stopwatch>(
    watch: &mut S,
    batch: Batch,
    trial: usize,
    budget: Duration,
    has_old: bool,
) -> Result<PairedTimes, SideFailure> {
    let sides = sides(has_old);
    let mut measurement = Measurement::new(batch);
    let began = watch.now();
    for _ in 0..trial {
        measurement.start(watch, sides)?;
    }
    let cost = (watch.now() - began) / trial as u32;
    while measurement.starts < starts(budget, cost, has_old).unwrap_or(trial) {
        measurement.start(watch, sides)?;
    }
    Ok(measurement.result(has_old))
}

/// The number of starts, by their cost. Without an old side a few are enough. `None`: the fewest
/// would take four times as long as they may, so the trial has to do.
fn starts(budget: Duration, cost: Duration, has_old: bool) -> Option<usize> {
    let cost = cost.as_secs_f64().max(1e-9);
    let affordable = (budget.as_secs_f64() / cost) as usize;
    match has_old {
        true if cost * LEAST_STARTS as f64 > 4.0 * budget.as_secs_f64() => None,
        true => Some(affordable.clamp(LEAST_STARTS, MOST_STARTS)),
        false => Some(affordable.clamp(TRIAL_STARTS, LEAST_STARTS)),
    }
}

/// Finds the number of calls that make a sample. Both sides get the same.
fn calibrate<S: Stopwatch>(watch: &mut S, settings: &TimeSettings) -> Result<Batch, SideFailure> {
    let mut pinned = true;
    let mut process = started(watch, New, 0, pinned)?;
    let mut calls = settings.calls.unwrap_or(1).clamp(1, MOST_CALLS);
    loop {
        let began = watch.now();
        let sample = sampled(&mut process, New, calls, 0, false)?;
        let took = watch.now() - began;
        if sample.threads > 1 && pinned {
            // One CPU would make them wait for each other.
            pinned = false;
            process = started(watch, New, 0, pinned)?;
            continue;
        }
        let is_long = sample.wall >= LEAST_SAMPLE || took * 2 > MOST_WALL;
        if is_long || settings.calls.is_some() || calls >= MOST_CALLS {
            // Setups make a sample long, too.
            let long = (sample.wall / LONG_SAMPLE).max(took.as_secs_f64() / LONG_WALL);
            let fitting = (PAIRS as f64 / long.max(1.0)) as usize;
            return Ok(Batch {
                subject: Call,
                calls,
                pairs: fitting.clamp(LEAST_PAIRS, PAIRS),
                pinned,
                warm_up: settings.warm_up,
            });
        }
        calls *= 2;
    }
}

fn started<S: Stopwatch>(
    watch: &mut S,
    side: ExecutableSide,
    start: usize,
    pinned: bool,
) -> Result<S::Process, SideFailure> {
    watch
        .start(side, start, pinned)
        .map_err(|reason| SideFailure { side, reason })
}

fn sampled<P: TimedProcess>(
    process: &mut P,
    side: ExecutableSide,
    calls: u32,
    warm_up: u32,
    empty: bool,
) -> Result<TimeSample, SideFailure> {
    let wanted = WantedCalls {
        calls,
        warm_up,
        empty,
    };
    process
        .sample(wanted)
        .map_err(|reason| SideFailure { side, reason })
}

/// A process of a side that is warm, with the cost of a reading of the clock.
struct WarmProcess<P> {
    side: ExecutableSide,
    process: P,
    reading: f64,
}

impl<P: TimedProcess> WarmProcess<P> {
    fn new(side: ExecutableSide, mut process: P, batch: Batch) -> Result<Self, SideFailure> {
        if batch.subject == Run {
            return Ok(Self {
                side,
                process,
                reading: 0.0,
            });
        }
        let mut seen: Vec<f64> = Vec::new();
        // Where a sample takes long, its process is warm soon.
        let most = MOST_WARM_UPS * batch.pairs / PAIRS;
        // In nanoseconds on the clock, as the samples are.
        let bound = batch
            .warm_up
            .map_or(f64::INFINITY, |time| time.as_nanos() as f64);
        for _ in 0..most {
            if seen.iter().sum::<f64>() >= bound {
                break;
            }
            seen.push(sampled(&mut process, side, batch.calls, 0, false)?.wall);
            let last = &seen[seen.len().saturating_sub(3)..];
            let longest = last.iter().copied().fold(0.0, f64::max);
            let least = last.iter().copied().fold(f64::MAX, f64::min);
            let is_long = seen.iter().sum::<f64>() >= LEAST_WARM_UP;
            if is_long && last.len() == 3 && longest - least < WARM * least {
                break;
            }
        }
        let mut readings = Vec::new();
        for _ in 0..3 {
            let sample = sampled(&mut process, side, EMPTY_CALLS, EMPTY_CALLS, true)?;
            readings.push(sample.wall / f64::from(sample.readings.max(1)));
        }
        Ok(Self {
            side,
            process,
            reading: median(&readings),
        })
    }

    /// A sample without the cost of the clock: wall and processor time of a call.
    fn sample(&mut self, batch: Batch) -> Result<(TimeSample, f64, f64), SideFailure> {
        let sample = sampled(
            &mut self.process,
            self.side,
            batch.calls,
            // Off the clock, since the other side has just used the caches. Samples of fewer than
            // five calls have none.
            batch.calls / 5,
            false,
        )?;
        let clock = self.reading * f64::from(sample.readings);
        let calls = f64::from(batch.calls);
        let of_call = |time: f64| ((time - clock) / calls).max(0.01);
        Ok((sample, of_call(sample.wall), of_call(sample.cpu)))
    }
}

/// Times of a call by start, on one clock.
#[derive(Debug, Default)]
struct TimesByStart {
    /// Median of the logarithms of new / old.
    ratios: Vec<f64>,
    new: Vec<f64>,
    old: Vec<f64>,
    /// How much longer the last calls of a start took than its first ones, by side.
    changes: [Vec<f64>; 2],
}

impl TimesByStart {
    fn add(&mut self, times: &[Vec<f64>; 2]) {
        let [new, old] = times;
        let pairs = new.iter().zip(old);
        let ratios: Vec<f64> = pairs.map(|(new, old)| (new / old).ln()).collect();
        if !ratios.is_empty() {
            self.ratios.push(median(&ratios));
            self.old.push(median(old));
        }
        self.new.push(median(new));
        for (side, times) in times.iter().enumerate() {
            // A single odd sample must not decide.
            let third = times.len() / 3;
            if third > 0 {
                let (first, last) = (&times[..third], &times[times.len() - third..]);
                self.changes[side].push(median(last) / median(first) - 1.0);
            }
        }
    }

    /// Is it proven that the calls of a side take longer and longer, or shorter and shorter? On a
    /// busy machine they seem to in single starts.
    fn are_changing(&self) -> bool {
        let mut intervals = self.changes.iter().filter_map(|it| SignInterval::of(it));
        intervals.any(|change| change.low > CHANGING || change.high < -CHANGING)
    }

    fn times(times: &[f64]) -> TimesOfSide {
        TimesOfSide {
            min: times.iter().copied().fold(f64::MAX, f64::min),
            median: median(times),
        }
    }
}

/// A measurement in progress.
struct Measurement {
    batch: Batch,
    starts: usize,
    samples: usize,
    preempted: usize,
    throttled: usize,
    wall: TimesByStart,
    cpu: TimesByStart,
    /// Time that others took, and all time.
    stolen: [u64; 2],
}

impl Measurement {
    fn new(batch: Batch) -> Self {
        Self {
            batch,
            starts: 0,
            samples: 0,
            preempted: 0,
            throttled: 0,
            wall: TimesByStart::default(),
            cpu: TimesByStart::default(),
            stolen: [0; 2],
        }
    }

    /// Starts a process of each side, and takes its pairs of samples.
    fn start<S: Stopwatch>(
        &mut self,
        watch: &mut S,
        sides: &[ExecutableSide],
    ) -> Result<(), SideFailure> {
        let (number, batch) = (self.starts, self.batch);
        let before = watch.processor_time();
        // Every two starts the other side is started first, and every start it is sampled first, so
        // that neither order goes with the other.
        let mut spawned = sides.to_vec();
        if number / 2 % 2 == 1 {
            spawned.reverse();
        }
        let mut processes = Vec::new();
        for side in spawned {
            let process = started(watch, side, number, batch.pinned)?;
            processes.push(WarmProcess::new(side, process, batch)?);
        }
        processes.sort_by_key(|it| (it.side == Old) != (number % 2 == 1));
        let mut wall = [Vec::new(), Vec::new()];
        let mut cpu = [Vec::new(), Vec::new()];
        for _ in 0..batch.pairs {
            for process in &mut processes {
                let (sample, of_wall, of_cpu) = process.sample(batch)?;
                self.samples += 1;
                self.preempted += usize::from(sample.switches > 0);
                let side = usize::from(process.side == Old);
                wall[side].push(of_wall);
                if sample.cpu > 0.0 {
                    cpu[side].push(of_cpu);
                }
            }
        }
        self.wall.add(&wall);
        self.cpu.add(&cpu);
        self.starts += 1;
        let took = watch.processor_time().since(before);
        self.throttled += usize::from(took.throttled > 0);
        self.stolen[0] += took.stolen;
        self.stolen[1] += took.total;
        Ok(())
    }

    fn result(self, has_old: bool) -> PairedTimes {
        let share = |part: usize, all: usize| part as f64 / all.max(1) as f64;
        let preempted = share(self.preempted, self.samples);
        let sample = median(&self.wall.new) * f64::from(self.batch.calls);
        let is_whole = self.cpu.ratios.len() == self.wall.ratios.len();
        let is_interrupted = preempted > OFTEN_PREEMPTED && sample > LONG_SAMPLE;
        let takes_cpu = is_interrupted && is_whole && self.batch.calls == 1 && self.batch.pinned;
        let (basis, times) = match takes_cpu {
            true => (TimeBasis::Cpu, &self.cpu),
            false => (TimeBasis::Wall, &self.wall),
        };
        PairedTimes {
            subject: self.batch.subject,
            basis,
            new: TimesByStart::times(&times.new),
            old: has_old.then(|| TimesByStart::times(&times.old)),
            interval: SignInterval::of(&times.ratios).filter(|_| has_old),
            ratios: times.ratios.clone(),
            starts: self.starts,
            pairs: self.batch.pairs,
            calls: self.batch.calls,
            preempted,
            steal: self.stolen[0] as f64 / self.stolen[1].max(1) as f64,
            throttled: share(self.throttled, self.starts),
            changing: times.are_changing(),
            threads: !self.batch.pinned,
        }
    }
}
