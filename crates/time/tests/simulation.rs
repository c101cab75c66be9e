//! The statistics and the schedule against sides whose truth is known.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use iai_callgrind_time::machine::ProcessorTime;
use iai_callgrind_time::{
    measure, measure_runs, median, CodeOfSides, ExecutableSide, PairedTimes, ProcessTimes,
    SignInterval, Stopwatch, TimeClass, TimeDoubt, TimeJudgement, TimeSample, TimeSettings,
    TimedProcess, TimedSubject, WantedCalls,
};

/// Numbers that are the same in each run (SplitMix64).
struct Random(u64);

impl Random {
    /// Between 0 and 1.
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (bits >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Nearly normal, with standard deviation 1.
    fn bell(&mut self) -> f64 {
        let sum: f64 = (0..4).map(|_| self.uniform()).sum();
        (sum - 2.0) * 3.0_f64.sqrt()
    }

    /// Tails far heavier than those of a normal distribution: interrupts, preemption.
    fn tailed(&mut self) -> f64 {
        let noise = self.bell();
        match self.uniform() < 0.05 {
            true => noise.abs() * 12.0,
            false => noise,
        }
    }
}

const SETTINGS: TimeSettings = TimeSettings {
    budget: Duration::from_millis(500),
    warm_up: None,
    calls: None,
    noise: 0.0,
};

const STARTS: usize = 16;
const PAIRS: usize = 12;

/// Logarithms of new / old of equal executables, by start: each start of a side has an offset, all
/// samples drift, and samples are noisy.
fn equal_sides(random: &mut Random) -> Vec<Vec<f64>> {
    let mut drift = 0.0;
    let mut start = || {
        let offset = 0.018 * (random.bell() - random.bell());
        let mut pair = || {
            let mut sample = || {
                drift += 0.002 * random.bell();
                drift + 0.003 * random.tailed()
            };
            sample() - sample() + offset
        };
        (0..PAIRS).map(|_| pair()).collect()
    };
    (0..STARTS).map(|_| start()).collect()
}

/// Does the interval lie wholly beyond half a percent?
fn is_alarm(values: &[f64]) -> bool {
    let interval = SignInterval::of(values).unwrap();
    interval.low > 0.005 || interval.high < -0.005
}

/// The rule of those who pool samples: any interval that does not contain zero.
fn excludes_zero(values: &[f64]) -> bool {
    let interval = SignInterval::of(values).unwrap();
    interval.low > 0.0 || interval.high < 0.0
}

#[test]
fn equal_sides_are_rarely_found_different_over_starts_and_often_over_samples() {
    const COMPARISONS: usize = 20_000;
    let mut random = Random(47);
    let (mut over_starts, mut pooled) = (0, 0);
    for number in 0..COMPARISONS {
        let starts = equal_sides(&mut random);
        let medians: Vec<f64> = starts.iter().map(|pairs| median(pairs)).collect();
        over_starts += usize::from(is_alarm(&medians));
        // The guard against a simpler rule needs no more than this.
        if number < COMPARISONS / 10 {
            pooled += usize::from(excludes_zero(&starts.concat()));
        }
    }
    assert!(over_starts <= COMPARISONS / 1000, "{over_starts}");
    assert!(pooled * 10 > COMPARISONS / 10, "{pooled}");
}

/// Processes with a clock of their own.
struct Simulated {
    world: Rc<RefCell<World>>,
}

struct World {
    random: Random,
    /// Nanoseconds since the begin.
    now: f64,
    /// Nanoseconds of a call of the new and of the old side.
    calls: [f64; 2],
    /// Setup around a call.
    setup: f64,
    threads: u32,
    /// Samples of the benchmark since a process was started: the order of the sides.
    order: Vec<(usize, ExecutableSide)>,
    /// The old side ends at its start of this number.
    old_ends: Option<usize>,
    /// Growth of the time of a call with each sample.
    growth: f64,
    unpinned: usize,
}

struct SimulatedProcess {
    world: Rc<RefCell<World>>,
    side: ExecutableSide,
    start: usize,
    offset: f64,
    samples: i32,
}

const READING: f64 = 26.0;

impl TimedProcess for SimulatedProcess {
    fn sample(&mut self, wanted: WantedCalls) -> Result<TimeSample, String> {
        let world = &mut *self.world.borrow_mut();
        let calls = f64::from(wanted.calls);
        let call = world.calls[usize::from(self.side == ExecutableSide::Old)];
        let call = match wanted.empty {
            true => 0.0,
            false => call * (1.0 + self.offset) * (1.0 + world.growth).powi(self.samples),
        };
        let noise = 1.0 + 0.004 * world.random.bell();
        let wall = calls * (call * noise + READING);
        world.now += wall + (calls + f64::from(wanted.warm_up)) * world.setup;
        if !wanted.empty {
            self.samples += 1;
            world.order.push((self.start, self.side));
        }
        Ok(TimeSample {
            wall,
            cpu: 0.0,
            readings: wanted.calls,
            switches: 0,
            threads: world.threads,
        })
    }
}

impl Stopwatch for Simulated {
    type Process = SimulatedProcess;

    fn start(
        &mut self,
        side: ExecutableSide,
        start: usize,
        pinned: bool,
    ) -> Result<SimulatedProcess, String> {
        let world = &mut *self.world.borrow_mut();
        world.now += 2e6;
        world.unpinned += usize::from(!pinned);
        if side == ExecutableSide::Old && world.old_ends == Some(start) {
            return Err("it ended".to_owned());
        }
        Ok(SimulatedProcess {
            side,
            start,
            offset: 0.01 * world.random.bell(),
            samples: 0,
            world: Rc::clone(&self.world),
        })
    }

    fn now(&self) -> Duration {
        Duration::from_nanos(self.world.borrow().now as u64)
    }

    fn processor_time(&self) -> ProcessorTime {
        ProcessorTime::default()
    }
}

impl Simulated {
    fn new(new: f64, old: f64) -> Self {
        let world = World {
            random: Random(1),
            now: 0.0,
            calls: [new, old],
            setup: 0.0,
            threads: 1,
            order: Vec::new(),
            old_ends: None,
            growth: 0.0,
            unpinned: 0,
        };
        Self {
            world: Rc::new(RefCell::new(world)),
        }
    }

    fn with(self, change: impl FnOnce(&mut World)) -> Self {
        change(&mut self.world.borrow_mut());
        self
    }

    fn measured(&mut self) -> PairedTimes {
        measure(self, &SETTINGS, true).unwrap()
    }

    /// Calls of a sample, of so many that are asked for.
    fn with_calls(mut self, calls: u32) -> u32 {
        let settings = TimeSettings {
            calls: Some(calls),
            ..SETTINGS
        };
        measure(&mut self, &settings, true).unwrap().calls
    }

    /// Seconds that passed.
    fn took(&self) -> f64 {
        self.world.borrow().now / 1e9
    }
}

fn class(times: &PairedTimes) -> TimeClass {
    let code = CodeOfSides {
        same: false,
        aligned: true,
    };
    TimeJudgement::of(times, code, SETTINGS.noise).class
}

#[test]
fn planted_differences_are_found() {
    for (new, old, expected) in [
        (1_000.0, 1_000.0, TimeClass::Unchanged),
        (1_030.0, 1_000.0, TimeClass::Slower),
        (970.0, 1_000.0, TimeClass::Faster),
        (30_900.0, 30_000.0, TimeClass::Slower),
        (5.0, 10.0, TimeClass::NotJudged),
    ] {
        let mut sides = Simulated::new(new, old);
        let times = sides.measured();
        assert_eq!(class(&times), expected, "{new} {old} {times:?}");
        if new > 20.0 {
            let found = times.interval.unwrap().estimate.exp();
            assert!((found / (new / old) - 1.0).abs() < 0.008, "{found}");
            assert!((times.new.median / new - 1.0).abs() < 0.01);
        }
        assert!(sides.took() < 0.6, "{}", sides.took());
        assert!(times.starts >= 32 && times.pairs == PAIRS, "{times:?}");
    }
}

#[test]
fn sides_take_turns_and_every_other_start_begins_with_the_other_one() {
    use ExecutableSide::{New, Old};
    let sides = Simulated::new(1_000.0, 1_000.0);
    let mut watch = sides;
    let times = watch.measured();
    let world = watch.world.borrow();
    for start in 0..times.starts {
        let all = world.order.iter().filter(|(number, _)| *number == start);
        let all: Vec<ExecutableSide> = all.map(|(_, side)| *side).collect();
        // After calibration and warm-up.
        let samples = &all[all.len() - 2 * times.pairs..];
        let expected = match start % 2 {
            0 => [New, Old],
            _ => [Old, New],
        };
        assert_eq!(samples, expected.repeat(times.pairs), "start {start}");
    }
}

#[test]
fn calls_and_the_end_of_the_warm_up_can_be_given() {
    let usual = Simulated::new(1_000.0, 1_000.0).measured();
    assert!(usual.calls >= 32, "{usual:?}");
    let samples = |settings: &TimeSettings| {
        let mut sides = Simulated::new(1_000.0, 1_000.0);
        let times = measure(&mut sides, settings, true).unwrap();
        let order = sides.world.borrow().order.len();
        (times.calls, order / (2 * times.starts))
    };
    let (calls, each) = samples(&TimeSettings {
        calls: Some(5),
        ..SETTINGS
    });
    assert_eq!(calls, 5);
    let (calls, colder) = samples(&TimeSettings {
        calls: Some(5),
        warm_up: Some(Duration::ZERO),
        ..SETTINGS
    });
    assert_eq!((calls, colder), (5, PAIRS));
    assert!(each > PAIRS, "{each}");
    // None is no number of calls.
    assert_eq!(Simulated::new(1_000.0, 1_000.0).with_calls(0), 1);
}

#[test]
fn a_setup_does_not_take_all_the_time() {
    let mut sides = Simulated::new(1_000.0, 1_000.0).with(|world| world.setup = 1e6);
    let times = sides.measured();
    assert!(times.calls <= 16, "{times:?}");
    let took = sides.took();
    assert!(took < 8.0 && times.starts <= 12, "{took} {}", times.starts);
}

#[test]
fn calls_that_are_too_long_are_tried_and_not_judged() {
    let mut sides = Simulated::new(1e8, 1e8);
    let times = sides.measured();
    assert_eq!((times.starts, times.pairs, times.calls), (2, 4, 1));
    assert_eq!(times.interval, None);
    assert_eq!(class(&times), TimeClass::NotJudged);
    assert!((times.new.median / 1e8 - 1.0).abs() < 0.03);
}

#[test]
fn threads_are_not_put_on_one_cpu() {
    let mut sides = Simulated::new(1_000.0, 1_000.0).with(|world| world.threads = 3);
    let times = sides.measured();
    assert!(times.threads);
    let unpinned = sides.world.borrow().unpinned;
    assert_eq!(unpinned, 2 * times.starts + 1);
}

#[test]
fn calls_that_take_longer_and_longer_are_seen() {
    let mut sides = Simulated::new(1_000.0, 1_000.0).with(|world| world.growth = 0.03);
    let times = sides.measured();
    assert!(times.changing);
    assert_eq!(class(&times), TimeClass::NotJudged);
    assert!(!Simulated::new(1_000.0, 1_000.0).measured().changing);
}

#[test]
fn a_side_that_ends_is_named() {
    let mut sides = Simulated::new(1_000.0, 1_000.0).with(|world| world.old_ends = Some(3));
    let failure = measure(&mut sides, &SETTINGS, true).unwrap_err();
    assert_eq!(failure.side, ExecutableSide::Old);
    assert_eq!(failure.reason, "it ended");
    let alone = measure(&mut sides, &SETTINGS, false).unwrap();
    assert_eq!((alone.old, alone.interval), (None, None));
    assert_eq!(class(&alone), TimeClass::NoOld);
    assert!(alone.starts <= 12);
}

/// Runs of a program, without and with an old one.
fn runs(sides: &mut Simulated, milliseconds: u64) -> PairedTimes {
    measure_runs(sides, Duration::from_millis(milliseconds), true).unwrap()
}

#[test]
fn each_run_of_a_program_is_a_start() {
    use ExecutableSide::{New, Old};
    let mut sides = Simulated::new(20.6e6, 20e6);
    let times = runs(&mut sides, 4000);
    assert_eq!(times.subject, TimedSubject::Run);
    assert_eq!((times.pairs, times.calls), (1, 1));
    assert!((60..=100).contains(&times.starts), "{times:?}");
    assert!(sides.took() < 5.0, "{}", sides.took());
    assert_eq!(class(&times), TimeClass::Slower, "{times:?}");
    let world = sides.world.borrow();
    // One run of each side before is not on the clock.
    let expected = [[New, Old], [Old, New]].concat();
    let expected = expected.iter().cycle().take(2 * times.starts);
    let order = world.order[2..].iter().map(|(_, side)| side);
    assert!(order.eq(expected));
    assert_eq!(world.order.len(), 2 + 2 * times.starts);
    let equal = runs(&mut Simulated::new(20e6, 20e6), 4000);
    assert_eq!(class(&equal), TimeClass::Unchanged);
}

#[test]
fn a_long_run_is_repeated_once() {
    let mut sides = Simulated::new(2e9, 2e9);
    let times = runs(&mut sides, 500);
    assert_eq!((times.starts, times.interval), (1, None));
    assert_eq!(sides.world.borrow().order.len(), 4);
    let judgement = TimeJudgement::of(&times, CodeOfSides::default(), SETTINGS.noise);
    assert_eq!(judgement.doubt, Some(TimeDoubt::FewStarts));
    assert!((times.new.median / 2e9 - 1.0).abs() < 0.05);
    // Without an old program there are two at least, since nobody needs an interval.
    let alone = measure_runs(&mut sides, Duration::from_millis(500), false).unwrap();
    assert_eq!((alone.starts, alone.old), (2, None));
}

#[test]
fn a_program_that_fails_is_named_with_its_side() {
    let mut sides = Simulated::new(20e6, 20e6).with(|world| world.old_ends = Some(0));
    let failure = measure_runs(&mut sides, Duration::from_millis(500), true).unwrap_err();
    assert_eq!(failure.side, ExecutableSide::Old);
}

#[test]
fn programs_with_threads_use_all_cpus() {
    let mut sides = Simulated::new(20e6, 20e6).with(|world| world.threads = 2);
    let times = runs(&mut sides, 500);
    assert!(times.threads);
    assert_eq!(sides.world.borrow().unpinned, 2 * times.starts + 2);
    let pinned = Simulated::new(20e6, 20e6);
    let mut sides = pinned;
    assert!(!runs(&mut sides, 500).threads);
    // Threads show in the first runs, which are on no CPU of their own.
    assert_eq!(sides.world.borrow().unpinned, 2);
}

#[test]
fn the_kernel_tells_whether_a_run_was_interrupted() {
    let sample = |wall: u64, cpu: u64, waits: u32, switches: u32| {
        let times = ProcessTimes {
            wall: Duration::from_millis(wall),
            cpu: Duration::from_millis(cpu),
            waits,
            switches,
        };
        TimeSample::of_run(times, 1)
    };
    let calm = sample(100, 98, 2, 9);
    assert_eq!((calm.wall, calm.cpu), (100e6, 98e6));
    assert_eq!((calm.switches, calm.threads), (0, 1));
    assert_eq!(sample(100, 50, 2, 9).switches, 1);
    // It waited for something.
    assert_eq!(sample(100, 50, 20, 9).switches, 0);
    assert_eq!(sample(100, 150, 0, 0).threads, 2);
    assert_eq!(TimeSample::of_run(ProcessTimes::default(), 5).threads, 5);
}
