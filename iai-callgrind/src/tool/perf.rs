//! The settings of Linux perf.

use std::time::Duration;

use super::checked;
use super::methods::tool_config;
use crate::protocol::{self, Limit, OfUnit, Percent, PerfLimits, PerfMetric, PerfRunMode};

/// Settings of Linux perf, which reads the counters of the processor and of the kernel.
///
/// perf is no tool of Valgrind: the benchmark runs natively and alone, once for each set of events.
/// In a library benchmark only the benchmark function counts, in a binary benchmark the whole
/// program. Its figures differ from run to run; with [`sample_duration`](Self::sample_duration) the
/// benchmark is repeated, and a change is a regression only if it is significant.
///
/// Without hardware counters, as in most virtual machines, the software events (`task-clock`,
/// `faults`, `context-switches` and others) remain.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
///
/// use iai_callgrind::{LibraryBenchmarkConfig, Perf};
///
/// LibraryBenchmarkConfig::default().tool(
///     Perf::default()
///         .event_set("instructions:u,cycles:u")
///         .sample_duration(Duration::from_secs(2))
///         .soft_limits([("instructions*", 1.0)]),
/// );
/// ```
#[derive(Debug, Clone, Default)]
pub struct Perf(protocol::Perf);

impl Perf {
    /// Starts with arguments for `perf stat`, to which [`args`](Self::args) adds others.
    ///
    /// ```
    /// use iai_callgrind::Perf;
    ///
    /// Perf::with_args(["--no-inherit"]);
    /// ```
    #[must_use]
    pub fn with_args<I, T>(args: I) -> Self
    where
        I: IntoIterator<Item = T>,
        T: AsRef<str>,
    {
        let mut perf = Self::default();
        perf.args(args);
        perf
    }

    /// Adds arguments for `perf stat`, which gets them as they are.
    ///
    /// They come after those of the outer configurations. Arguments that are the runner's own, such
    /// as `--output` and `--event`, are dropped with a warning.
    ///
    /// ```
    /// use iai_callgrind::Perf;
    ///
    /// Perf::default().args(["--no-inherit"]);
    /// ```
    pub fn args<I, T>(&mut self, args: I) -> &mut Self
    where
        I: IntoIterator<Item = T>,
        T: AsRef<str>,
    {
        let args = args.into_iter().map(|arg| arg.as_ref().to_owned());
        self.0.args.extend(args);
        self
    }

    /// Adds a list of events for a run of its own: `instructions:u,cycles:u`.
    ///
    /// A processor has few counters. Sets that fit into them are counted all the time, where one
    /// long list would be estimated from parts of it. The results of several sets are shown one
    /// after the other. The sets of an inner configuration replace those of an outer one. The
    /// default is one set: instructions and cycles in user mode, `task-clock`, `cpu-clock`,
    /// `faults`, `context-switches`, `branch-misses` and `cache-misses`.
    ///
    /// ```
    /// use iai_callgrind::Perf;
    ///
    /// Perf::default().event_set("instructions:u,cycles:u").event_set("task-clock,faults");
    /// ```
    pub fn event_set<T>(&mut self, events: T) -> &mut Self
    where
        T: Into<String>,
    {
        self.0
            .event_sets
            .get_or_insert_default()
            .push(events.into());
        self
    }

    /// Adds several [event sets](Self::event_set).
    ///
    /// ```
    /// use iai_callgrind::Perf;
    ///
    /// Perf::default().event_sets(["instructions:u,cycles:u", "task-clock,faults"]);
    /// ```
    pub fn event_sets<I, T>(&mut self, sets: I) -> &mut Self
    where
        I: IntoIterator<Item = T>,
        T: Into<String>,
    {
        for events in sets {
            self.event_set(events);
        }
        self
    }

    /// Says how the cost of the measurement itself is treated. The default is
    /// [`PerfRunMode::Direct`]: it is in the figures, a few hundred instructions.
    ///
    /// ```
    /// use iai_callgrind::{Perf, PerfRunMode};
    ///
    /// Perf::default().run_mode(PerfRunMode::DefaultCalibrate);
    /// ```
    pub fn run_mode(&mut self, mode: PerfRunMode) -> &mut Self {
        self.0.run_mode = Some(mode);
        self
    }

    /// Repeats the benchmark in new processes for this time, and shows the mean, its relative error
    /// and the number of samples. By default the benchmark runs once, as with a duration of zero.
    ///
    /// The first sample is a warm-up and dropped, unless it is the only one. Setups and teardowns
    /// of a library benchmark run for every sample, those of a binary benchmark once around all.
    /// All samples share a sandbox.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use iai_callgrind::Perf;
    ///
    /// Perf::default().sample_duration(Duration::from_secs(2));
    /// ```
    #[doc(alias(
        "sample_size",
        "sample_count",
        "measurement_time",
        "warm_up_time",
        "min_time",
        "max_time"
    ))]
    pub fn sample_duration(&mut self, duration: Duration) -> &mut Self {
        self.0.sample_duration = Some(duration);
        self
    }

    /// Sets the level of significance for the comparison of means by Welch's t-test, between 0
    /// and 1. The default is 0.05. Where both sides have several samples, only significant changes
    /// can exceed soft limits.
    ///
    /// ```
    /// use iai_callgrind::Perf;
    ///
    /// Perf::default().alpha(0.01);
    /// ```
    #[doc(alias("significance_level", "confidence_level"))]
    pub fn alpha(&mut self, alpha: f64) -> &mut Self {
        self.0.alpha = Some(alpha);
        self
    }

    /// Adds limits for the change against the old run, in percent, for all metrics whose name
    /// matches a [pattern](PerfMetric). Of two limits with the same pattern the later or inner one
    /// counts. By default nothing is limited.
    ///
    /// A positive limit is exceeded above it, a negative one below it; the benchmark is then
    /// reported as a regression, and the run ends with exit code 3.
    ///
    /// # Panics
    ///
    /// If a limit is `NaN`, infinite or `-0.0`: nothing would exceed it.
    ///
    /// ```
    /// use iai_callgrind::Perf;
    ///
    /// Perf::default().soft_limits([("instructions*", 5.0), ("*-clock", 10.0)]);
    /// ```
    #[track_caller]
    pub fn soft_limits<I, T, P>(&mut self, limits: I) -> &mut Self
    where
        I: IntoIterator<Item = (T, P)>,
        T: Into<PerfMetric>,
        P: Into<Percent>,
    {
        for (metric, percent) in limits {
            self.0
                .limits
                .set_soft(metric.into(), checked::soft(percent.into()).0);
        }
        self
    }

    /// Adds limits for the value itself, with or without an old run. A limit without unit is one in
    /// the unit that perf writes: milliseconds for `task-clock`, none for counts.
    ///
    /// # Panics
    ///
    /// If a limit is `NaN`, infinite or `-0.0`: nothing would exceed it.
    ///
    /// ```
    /// use iai_callgrind::{Perf, Unit};
    ///
    /// Perf::default()
    ///     .hard_limits([("task-clock", Unit::Microseconds, 2.5)])
    ///     .hard_limits([("faults", None, 10)]);
    /// ```
    #[track_caller]
    pub fn hard_limits<I, T, U, L>(&mut self, limits: I) -> &mut Self
    where
        I: IntoIterator<Item = (T, U, L)>,
        T: Into<PerfMetric>,
        U: OfUnit,
        L: Into<Limit>,
    {
        for (metric, unit, limit) in limits {
            let (unit, limit) = (unit.of_unit(), checked::hard(limit.into()));
            self.0.limits.set_hard(metric.into(), unit, limit);
        }
        self
    }

    /// Drops the limits of the outer configurations and those that were set before.
    ///
    /// ```
    /// use iai_callgrind::Perf;
    ///
    /// Perf::default().clear_limits();
    /// ```
    #[inline]
    pub fn clear_limits(&mut self) -> &mut Self {
        self.0.limits = PerfLimits {
            clear: true,
            ..PerfLimits::default()
        };
        self
    }

    /// Says which events cannot be 0, by [patterns](PerfMetric): a sample in which one of them is 0
    /// is dropped as a whole. The default is `task-clock*`, `cpu-clock*` and `*instructions*`; a
    /// second call replaces the first.
    ///
    /// ```
    /// use iai_callgrind::Perf;
    ///
    /// Perf::default().non_zero_metrics(["task-clock*"]);
    /// ```
    pub fn non_zero_metrics<I, T>(&mut self, patterns: I) -> &mut Self
    where
        I: IntoIterator<Item = T>,
        T: Into<String>,
    {
        let patterns = patterns.into_iter().map(Into::into);
        self.0.non_zero_metrics = Some(patterns.collect());
        self
    }

    /// Drops figures of counters that ran for less than this share of the time, in percent. The
    /// default is 100: with more events than the processor has counters, perf estimates.
    ///
    /// ```
    /// use iai_callgrind::Perf;
    ///
    /// Perf::default().min_pcnt_running(50.0);
    /// ```
    pub fn min_pcnt_running(&mut self, percent: f64) -> &mut Self {
        self.0.min_pcnt_running = Some(percent);
        self
    }

    /// Runs the benchmark once more under `perf record`, with the same events. The default is
    /// `false`. What it writes is kept beside the other files with the ending `.data`, for
    /// `perf report` and others.
    ///
    /// ```
    /// use iai_callgrind::Perf;
    ///
    /// Perf::default().record(true);
    /// ```
    pub fn record(&mut self, record: bool) -> &mut Self {
        self.0.record = Some(record);
        self
    }

    /// Adds arguments for `perf record`. They do not switch it on.
    ///
    /// ```
    /// use iai_callgrind::Perf;
    ///
    /// Perf::default().record(true).record_args(["--call-graph=dwarf"]);
    /// ```
    pub fn record_args<I, T>(&mut self, args: I) -> &mut Self
    where
        I: IntoIterator<Item = T>,
        T: AsRef<str>,
    {
        let args = args.into_iter().map(|arg| arg.as_ref().to_owned());
        self.0.record_args.extend(args);
        self
    }

    /// Counts only what runs between [`perf_enable!`](crate::perf_enable) and
    /// [`perf_disable!`](crate::perf_disable), in library and binary benchmarks. The default is
    /// `false`; then the two have no effect.
    ///
    /// ```
    /// use iai_callgrind::Perf;
    ///
    /// Perf::default().disable_entry_point(true);
    /// ```
    pub fn disable_entry_point(&mut self, disable: bool) -> &mut Self {
        self.0.disable_entry_point = Some(disable);
        self
    }

    /// Runs the benchmark under perf, or does not, with `false`.
    ///
    /// The default is `true` for every tool that a configuration names. If this is the default
    /// tool, the first of the others takes its place. A benchmark that has no tool left is an
    /// error.
    ///
    /// ```
    /// use iai_callgrind::Perf;
    ///
    /// Perf::default().enable(false);
    /// ```
    pub fn enable(&mut self, enable: bool) -> &mut Self {
        self.0.enable = Some(enable);
        self
    }

    /// Stops the run at the first benchmark that exceeds a limit of this tool. The default is
    /// `false`. It sets no limit.
    ///
    /// ```
    /// use iai_callgrind::Perf;
    ///
    /// Perf::default().soft_limits([("faults", 5.0)]).fail_fast(true);
    /// ```
    pub fn fail_fast(&mut self, fail_fast: bool) -> &mut Self {
        self.0.fail_fast = Some(fail_fast);
        self
    }

    /// A copy by value, to end a chain of calls with.
    ///
    /// ```
    /// use iai_callgrind::Perf;
    ///
    /// let perf: Perf = Perf::default().event_set("task-clock").build();
    /// ```
    #[must_use]
    #[inline]
    pub fn build(&mut self) -> Self {
        self.clone()
    }
}

tool_config!(Perf => Perf);
