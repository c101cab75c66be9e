//! Groups of benchmarks.

use std::marker::PhantomData;
use std::panic::Location;
use std::time::Duration;

use crate::benchmark_id::IntoBenchmarkId;
use crate::filter::Selection;
use crate::measurement::{Measurement, WallTime};
use crate::timing::Timing;
use crate::{ignored, register, Bencher, PlotConfiguration, SamplingMode, Throughput};

/// Benchmarks with a common name, from
/// [`Criterion::benchmark_group`](crate::Criterion::benchmark_group).
///
/// Settings about samples and plots have no effect, which is said once in a run; those about time
/// have one with `--time`.
///
/// ```
/// use iai_callgrind_criterion::{BenchmarkId, Criterion, Throughput};
///
/// fn sums(c: &mut Criterion) {
///     let mut group = c.benchmark_group("sums");
///     for size in [10_u64, 100] {
///         let input: Vec<u64> = (0..size).collect();
///         group.sample_size(10).throughput(Throughput::Elements(size));
///         group.bench_with_input(BenchmarkId::new("sum", size), &input, |b, input| {
///             b.iter(|| input.iter().sum::<u64>());
///         });
///         group.bench_function(format!("max/{size}"), |b| b.iter(|| input.iter().max()));
///     }
///     group.finish();
/// }
/// ```
///
/// All settings that have no effect:
///
/// ```
/// # use iai_callgrind_criterion::{Criterion, PlotConfiguration, SamplingMode};
/// fn settings(c: &mut Criterion) {
///     c.benchmark_group("sums")
///         .sample_size(10)
///         .nresamples(1000)
///         .confidence_level(0.9)
///         .significance_level(0.1)
///         .plot_config(PlotConfiguration::default())
///         .sampling_mode(SamplingMode::Flat);
/// }
/// ```
///
/// Those that have one with `--time`:
///
/// ```
/// # use std::time::Duration;
/// # use iai_callgrind_criterion::Criterion;
/// fn timed(c: &mut Criterion) {
///     c.benchmark_group("sums")
///         .warm_up_time(Duration::from_secs(1))
///         .measurement_time(Duration::from_secs(1))
///         .noise_threshold(0.02);
/// }
/// ```
#[derive(Debug)]
pub struct BenchmarkGroup<'a, M: Measurement = WallTime> {
    name: String,
    selection: &'a Selection,
    throughput: Option<Throughput>,
    timing: Timing,
    measurement: PhantomData<fn() -> M>,
}

/// Settings that are accepted, for one type each.
macro_rules! without_effect {
    ($($(#[$meta:meta])* $name:ident($argument:ident: $type:ty);)+) => {
        $(
            $(#[$meta])*
            pub fn $name(&mut self, $argument: $type) -> &mut Self {
                let _: $type = $argument;
                ignored::setting(stringify!($name));
                self
            }
        )+
    };
}

impl<'a, M: Measurement> BenchmarkGroup<'a, M> {
    pub(crate) fn new(name: String, selection: &'a Selection, timing: Timing) -> Self {
        Self {
            name,
            selection,
            throughput: None,
            timing,
            measurement: PhantomData,
        }
    }

    without_effect! {
        /// Has no effect: there is one sample, of one call.
        sample_size(n: usize);
        /// Has no effect: there are no samples to draw from.
        nresamples(n: usize);
        /// Has no effect: a count has no interval.
        confidence_level(cl: f64);
        /// Has no effect: any difference of counts is one.
        significance_level(sl: f64);
        /// Has no effect: nothing is plotted.
        plot_config(new_config: PlotConfiguration);
        /// Has no effect: there is one sample.
        sampling_mode(new_mode: SamplingMode);
    }

    /// With `--time`: the most time on the clock for calls of a process before its first sample.
    /// The default is that of [`Criterion`](crate::Criterion::warm_up_time). A count needs no
    /// warm-up.
    pub fn warm_up_time(&mut self, dur: Duration) -> &mut Self {
        self.timing.warm_up_for(dur);
        self
    }

    /// With `--time`: the wall time for each benchmark, both executables together, and at most two
    /// seconds unless `--time=DURATION` says more. The default is that of
    /// [`Criterion`](crate::Criterion::measurement_time).
    pub fn measurement_time(&mut self, dur: Duration) -> &mut Self {
        self.timing.measure_for(dur);
        self
    }

    /// With `--time`: changes within this share, such as 0.02, are none. The default is that of
    /// [`Criterion`](crate::Criterion::noise_threshold).
    pub fn noise_threshold(&mut self, threshold: f64) -> &mut Self {
        self.timing.ignore_changes_within(threshold);
        self
    }

    /// Says how much one call of the routines handles that are registered from here on. The default
    /// is nothing.
    pub fn throughput(&mut self, throughput: Throughput) -> &mut Self {
        self.throughput = Some(throughput);
        self
    }

    /// Registers a benchmark: `group/function`. A name with a slash is `function/parameter`.
    #[track_caller]
    pub fn bench_function<ID: IntoBenchmarkId, F>(&mut self, id: ID, mut f: F) -> &mut Self
    where
        F: FnMut(&mut Bencher<'_, M>),
    {
        if self.offer(id) {
            f(&mut Bencher::new());
        }
        self
    }

    /// Registers a benchmark that gets this input.
    #[track_caller]
    pub fn bench_with_input<ID: IntoBenchmarkId, F, I>(
        &mut self,
        id: ID,
        input: &I,
        mut f: F,
    ) -> &mut Self
    where
        F: FnMut(&mut Bencher<'_, M>, &I),
        I: ?Sized,
    {
        if self.offer(id) {
            f(&mut Bencher::new(), input);
        }
        self
    }

    /// Ends the group. Nothing depends on it.
    pub fn finish(self) {}

    #[track_caller]
    fn offer<ID: IntoBenchmarkId>(&self, id: ID) -> bool {
        let throughput = self.throughput.as_ref().map(Throughput::amounts);
        let (group, id) = (Some(&*self.name), id.into_benchmark_id());
        let settings = (throughput, self.timing);
        register::offer(group, id, settings, self.selection, Location::caller())
    }
}
