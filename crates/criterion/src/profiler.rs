//! The trait of profilers that run within the process, for implementations of it. They are not
//! called: each run here has a profile, of which iai-callgrind draws flamegraphs.

use std::path::Path;

/// A profiler, for [`Criterion::with_profiler`](crate::Criterion::with_profiler). It is not called.
///
/// ```
/// use std::path::Path;
///
/// use iai_callgrind_criterion::Criterion;
/// use iai_callgrind_criterion::profiler::Profiler;
///
/// struct Mine;
///
/// impl Profiler for Mine {
///     fn start_profiling(&mut self, _id: &str, _directory: &Path) {}
///     fn stop_profiling(&mut self, _id: &str, _directory: &Path) {}
/// }
///
/// let _ = Criterion::default().with_profiler(Mine);
/// ```
pub trait Profiler {
    /// Begins.
    fn start_profiling(&mut self, benchmark_id: &str, benchmark_dir: &Path);
    /// Ends.
    fn stop_profiling(&mut self, benchmark_id: &str, benchmark_dir: &Path);
}

/// A profiler outside of the process, of which nobody has to be told.
///
/// ```
/// use iai_callgrind_criterion::Criterion;
/// use iai_callgrind_criterion::profiler::ExternalProfiler;
///
/// let _ = Criterion::default().with_profiler(ExternalProfiler);
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct ExternalProfiler;

impl Profiler for ExternalProfiler {
    fn start_profiling(&mut self, _benchmark_id: &str, _benchmark_dir: &Path) {}

    fn stop_profiling(&mut self, _benchmark_id: &str, _benchmark_dir: &Path) {}
}
