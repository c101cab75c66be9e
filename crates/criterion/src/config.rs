//! Configuration that only this framework has.

use iai_callgrind::__internal::IntoLibraryConfig;

use crate::register;

/// Configures the benchmarks that are registered after it by the same target of a
/// [`criterion_group!`](crate::criterion_group), with a `LibraryBenchmarkConfig`: tools, limits,
/// environment, flamegraphs.
///
/// The next call replaces it as a whole. The default is none; variables and the command line win
/// over it.
///
/// ```
/// use iai_callgrind_criterion::Criterion;
/// use iai_callgrind_criterion::iai_callgrind::{Callgrind, EventKind, LibraryBenchmarkConfig};
///
/// fn numbers(c: &mut Criterion) {
///     c.bench_function("without a limit", |b| b.iter(|| 1 + 2));
///     let limited = Callgrind::default().soft_limits([(EventKind::Ir, 5.0)]).build();
///     iai_callgrind_criterion::config(LibraryBenchmarkConfig::default().tool(limited));
///     c.bench_function("with a limit", |b| b.iter(|| 1 + 2));
/// }
/// ```
pub fn config(config: impl IntoLibraryConfig) {
    register::configure(config.config());
}
