//! The manager of benchmarks.

use std::marker::PhantomData;
use std::panic::Location;
use std::path::Path;
use std::time::Duration;

use iai_callgrind::__internal::registration;

use crate::benchmark_id::BenchmarkId;
use crate::filter::{BenchmarkFilter, Selection};
use crate::measurement::{Measurement, WallTime};
use crate::profiler::Profiler;
use crate::settings::PlottingBackend;
use crate::timing::Timing;
use crate::{ignored, register, Bencher, BenchmarkGroup};

/// Registers benchmarks; the targets of a [`criterion_group!`](crate::criterion_group) get one.
///
/// Settings about samples and plots have no effect, which is said once in a run; those about time
/// have one where time is measured beside the counts, with `--time`. Benchmarks and the selections
/// in the source have one.
///
/// ```
/// use iai_callgrind_criterion::{BenchmarkId, Criterion, criterion_group};
///
/// fn numbers(c: &mut Criterion) {
///     c.bench_function("add", |b| b.iter(|| 1 + 2));
///     c.bench_with_input(BenchmarkId::new("square", 3), &3, |b, n| b.iter(|| n * n));
///     let mut group = c.benchmark_group("products");
///     group.bench_function("of two", |b| b.iter(|| 2 * 3));
///     group.finish();
/// }
///
/// criterion_group! {
///     name = benches;
///     config = Criterion::default()
///         .with_filter("add|products")
///         .configure_from_args();
///     targets = numbers
/// }
/// # fn main() {}
/// ```
///
/// All settings that have no effect:
///
/// ```
/// # use iai_callgrind_criterion::measurement::WallTime;
/// # use iai_callgrind_criterion::profiler::ExternalProfiler;
/// # use iai_callgrind_criterion::{Criterion, PlottingBackend};
/// let _: Criterion = Criterion::default()
///     .sample_size(10)
///     .nresamples(1000)
///     .confidence_level(0.9)
///     .significance_level(0.1)
///     .with_plots()
///     .without_plots()
///     .plotting_backend(PlottingBackend::None)
///     .with_output_color(true)
///     .save_baseline("main".to_owned())
///     .retain_baseline("main".to_owned(), false)
///     .with_measurement(WallTime)
///     .with_profiler(ExternalProfiler);
/// ```
///
/// Those that have one with `--time`:
///
/// ```
/// # use std::time::Duration;
/// # use iai_callgrind_criterion::Criterion;
/// let _ = Criterion::default()
///     .warm_up_time(Duration::from_secs(1))
///     .measurement_time(Duration::from_secs(1))
///     .noise_threshold(0.02);
/// ```
#[derive(Debug)]
pub struct Criterion<M: Measurement = WallTime> {
    selection: Selection,
    timing: Timing,
    measurement: PhantomData<fn() -> M>,
}

impl Default for Criterion {
    fn default() -> Self {
        Self {
            selection: Selection::All,
            timing: Timing::default(),
            measurement: PhantomData,
        }
    }
}

/// Settings that are accepted, for one type each.
macro_rules! without_effect {
    ($($(#[$meta:meta])* $name:ident($($argument:ident: $type:ty)?);)+) => {
        $(
            $(#[$meta])*
            #[must_use]
            pub fn $name(self $(, $argument: $type)?) -> Self {
                $(let _: $type = $argument;)?
                ignored::setting(stringify!($name));
                self
            }
        )+
    };
}

impl<M: Measurement> Criterion<M> {
    without_effect! {
        /// Has no effect: there is one sample, of one call.
        sample_size(n: usize);
        /// Has no effect: there are no samples to draw from.
        nresamples(n: usize);
        /// Has no effect: a count has no interval.
        confidence_level(cl: f64);
        /// Has no effect: any difference of counts is one.
        significance_level(sl: f64);
        /// Has no effect: there are flamegraphs.
        with_plots();
        /// Has no effect: nothing is drawn that was not asked for.
        without_plots();
        /// Has no effect: nothing is plotted.
        plotting_backend(backend: PlottingBackend);
        /// Has no effect: `--color` decides.
        with_output_color(enabled: bool);
        /// Has no effect: `--save-baseline` on the command line keeps results under a name.
        save_baseline(baseline: String);
    }

    /// With `--time`: the most time on the clock for calls of a process before its first sample.
    /// The default is until it is warm, some milliseconds. A count needs no warm-up.
    #[must_use]
    pub fn warm_up_time(mut self, dur: Duration) -> Self {
        self.timing.warm_up_for(dur);
        self
    }

    /// With `--time`: the wall time for each benchmark, both executables together, and at most two
    /// seconds unless `--time=DURATION` says more. The default is half a second. For a count a
    /// benchmark runs once.
    #[must_use]
    pub fn measurement_time(mut self, dur: Duration) -> Self {
        self.timing.measure_for(dur);
        self
    }

    /// With `--time`: changes within this share, such as 0.02, are none. The default is 0.005, and
    /// less has no effect. Limits say what is a regression of counts.
    #[must_use]
    pub fn noise_threshold(mut self, threshold: f64) -> Self {
        self.timing.ignore_changes_within(threshold);
        self
    }

    /// Has no effect: `--baseline` on the command line chooses what to compare with.
    #[must_use]
    pub fn retain_baseline(self, _baseline: String, _strict: bool) -> Self {
        ignored::setting("retain_baseline");
        self
    }

    /// Has no effect: `--home` says where results are.
    #[doc(hidden)]
    #[must_use]
    pub fn output_directory(self, _path: &Path) -> Self {
        ignored::setting("output_directory");
        self
    }

    /// Has no effect: each run has a profile.
    #[must_use]
    pub fn with_profiler<P: Profiler + 'static>(self, _p: P) -> Self {
        ignored::setting("with_profiler");
        self
    }

    /// Changes the type alone: counted is what the tools count.
    #[must_use]
    pub fn with_measurement<M2: Measurement>(self, _m: M2) -> Criterion<M2> {
        ignored::setting("with_measurement");
        Criterion {
            selection: self.selection,
            timing: self.timing,
            measurement: PhantomData,
        }
    }

    /// Registers only benchmarks whose title `group/function/parameter` matches this regular
    /// expression. The filters of the command line select among these. The default is all.
    ///
    /// # Errors
    ///
    /// A regular expression that cannot be turned into a pattern ends the run with a text.
    #[must_use]
    pub fn with_filter<S: Into<String>>(mut self, filter: S) -> Self {
        match Selection::matching(&filter.into()) {
            Ok(selection) => self.selection = selection,
            Err(mistake) => registration::stop(&mistake),
        }
        self
    }

    /// Registers only the benchmarks that the filter takes. The default is all.
    ///
    /// ```
    /// use iai_callgrind_criterion::{BenchmarkFilter, Criterion};
    ///
    /// let _ = Criterion::default().with_benchmark_filter(BenchmarkFilter::RejectAll);
    /// ```
    #[must_use]
    pub fn with_benchmark_filter(mut self, filter: BenchmarkFilter) -> Self {
        self.selection = filter.into();
        self
    }

    /// Has no effect: the command line is always read.
    #[must_use]
    pub fn configure_from_args(self) -> Self {
        self
    }

    /// Has no effect: the runner ends with a summary.
    #[doc(hidden)]
    pub fn final_summary(&self) {}

    /// Begins a group of benchmarks. A name that was used before continues that group.
    pub fn benchmark_group<S: Into<String>>(&mut self, group_name: S) -> BenchmarkGroup<'_, M> {
        BenchmarkGroup::new(group_name.into(), &self.selection, self.timing)
    }

    /// Registers a benchmark. A name with slashes is `group/function/parameter`; without one its
    /// group is the [`criterion_group!`](crate::criterion_group).
    #[track_caller]
    pub fn bench_function<F>(&mut self, id: &str, mut f: F) -> &mut Self
    where
        F: FnMut(&mut Bencher<'_, M>),
    {
        let id = BenchmarkId {
            function: Some(id.to_owned()),
            parameter: None,
        };
        if self.offer(id) {
            f(&mut Bencher::new());
        }
        self
    }

    /// Registers a benchmark that gets this input.
    #[track_caller]
    pub fn bench_with_input<F, I>(&mut self, id: BenchmarkId, input: &I, mut f: F) -> &mut Self
    where
        F: FnMut(&mut Bencher<'_, M>, &I),
    {
        if self.offer(id) {
            f(&mut Bencher::new(), input);
        }
        self
    }

    #[track_caller]
    fn offer(&self, id: BenchmarkId) -> bool {
        let settings = (None, self.timing);
        register::offer(None, id, settings, &self.selection, Location::caller())
    }
}
