//! Types of settings that say how to sample, save and draw. Nothing is sampled or drawn here, so
//! nobody reads them.

/// Number of inputs that are made at a time. It has no effect: one input is made, for the one call
/// that counts.
///
/// ```
/// use iai_callgrind_criterion::{BatchSize, Bencher};
///
/// fn sort(b: &mut Bencher) {
///     b.iter_batched(|| vec![3, 1, 2], |mut v| v.sort(), BatchSize::SmallInput);
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BatchSize {
    /// Many small inputs.
    SmallInput,
    /// Fewer inputs, which are large.
    LargeInput,
    /// One input.
    PerIteration,
    /// This number of batches.
    NumBatches(u64),
    /// This number of inputs.
    NumIterations(u64),
}

/// Scale of an axis of a plot. It has no effect.
///
/// ```
/// use iai_callgrind_criterion::AxisScale;
///
/// assert!(matches!(AxisScale::default(), AxisScale::Linear));
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub enum AxisScale {
    /// Equal steps.
    #[default]
    Linear,
    /// Equal factors.
    Logarithmic,
}

/// Settings of plots, for [`BenchmarkGroup::plot_config`](crate::BenchmarkGroup::plot_config). They
/// have no effect.
///
/// ```
/// use iai_callgrind_criterion::{AxisScale, PlotConfiguration};
///
/// PlotConfiguration::default().summary_scale(AxisScale::Logarithmic);
/// ```
#[derive(Debug, Clone, Default)]
pub struct PlotConfiguration(());

impl PlotConfiguration {
    /// Has no effect.
    #[must_use]
    pub fn summary_scale(self, _new_scale: AxisScale) -> Self {
        self
    }
}

/// How iterations are divided into samples. It has no effect: there is one.
///
/// ```
/// use iai_callgrind_criterion::{Criterion, SamplingMode};
///
/// fn slow(c: &mut Criterion) {
///     c.benchmark_group("slow").sampling_mode(SamplingMode::Flat);
/// }
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub enum SamplingMode {
    /// By the time of an iteration.
    #[default]
    Auto,
    /// Samples of growing length.
    Linear,
    /// Samples of the same length.
    Flat,
}

/// Program that draws plots. It has no effect: `iai-callgrind-runner open` shows results in a
/// browser.
///
/// ```
/// use iai_callgrind_criterion::{Criterion, PlottingBackend};
///
/// let _ = Criterion::default().plotting_backend(PlottingBackend::None);
/// ```
#[derive(Debug, Clone, Copy)]
pub enum PlottingBackend {
    /// gnuplot.
    Gnuplot,
    /// The crate plotters.
    Plotters,
    /// None.
    None,
}

/// Use of a baseline. No function takes it.
///
/// ```
/// use iai_callgrind_criterion::Baseline;
///
/// assert_eq!(format!("{:?}", Baseline::Save), "Save");
/// ```
#[derive(Debug, Clone, Copy)]
pub enum Baseline {
    /// It is compared with if it is there.
    CompareLenient,
    /// It is compared with, and has to be there.
    CompareStrict,
    /// It is replaced.
    Save,
    /// Nothing is kept.
    Discard,
}
