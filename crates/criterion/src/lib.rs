//! Counts benchmarks that were written for Criterion: the public API of that crate, of which each
//! routine is called once under Valgrind and counted by [`iai_callgrind`].
//!
//! ```toml
//! # Cargo.toml
//! [dev-dependencies]
//! criterion = { package = "iai-callgrind-criterion", version = "0.17" }
//!
//! # Counting works on named functions, so the names have to be in the executable.
//! [profile.bench]
//! debug = true
//! ```
//!
//! The benchmark files stay as they are:
//!
//! ```no_run,standalone_crate
//! # extern crate iai_callgrind_criterion as criterion;
//! # mod of_the_file {
//! use std::hint::black_box;
//!
//! use criterion::{criterion_group, criterion_main, Criterion};
//!
//! fn fibonacci(n: u64) -> u64 {
//!     match n {
//!         0 | 1 => 1,
//!         n => fibonacci(n - 1) + fibonacci(n - 2),
//!     }
//! }
//!
//! fn numbers(c: &mut Criterion) {
//!     c.bench_function("fib 20", |b| b.iter(|| fibonacci(black_box(20))));
//! }
//!
//! criterion_group!(benches, numbers);
//! criterion_main!(benches);
//! # }
//! # fn main() {}
//! ```
//!
//! One call of the routine is counted. Inputs are made before, results are dropped after it, and
//! nothing is warm: the process has not called the routine before. Settings about samples and plots
//! are accepted and have no effect, which is said once in a run; those about time hold where time
//! is measured as well, with `--time`. `iter_custom` is refused. [`config()`] sets what only this
//! framework has. The book has [a
//! chapter](https://iai-callgrind.github.io/iai-callgrind/from-criterion.html) with a table of all
//! items.
//!
//! # Features
//!
//! The features of Criterion exist, so that a manifest which names them resolves. `async_tokio`,
//! `async_futures`, `async_smol` and `async_std` have their executors; all others change nothing.

#[cfg(feature = "async")]
pub mod async_executor;
mod bencher;
mod benchmark_id;
mod command_line;
mod config;
mod criterion;
mod filter;
mod group;
mod ignored;
mod macros;
pub mod measurement;
pub mod profiler;
mod register;
mod settings;
mod throughput;
mod timing;

pub use iai_callgrind;

#[cfg(feature = "async")]
pub use crate::bencher::AsyncBencher;
pub use crate::bencher::Bencher;
pub use crate::benchmark_id::BenchmarkId;
pub use crate::config::config;
pub use crate::criterion::Criterion;
pub use crate::filter::BenchmarkFilter;
pub use crate::group::BenchmarkGroup;
pub use crate::settings::{
    AxisScale, Baseline, BatchSize, PlotConfiguration, PlottingBackend, SamplingMode,
};
pub use crate::throughput::Throughput;

/// For the code that the macros write.
#[doc(hidden)]
pub mod __private {
    pub use crate::macros::main;
    pub use crate::register::{registered, target};
}

/// Hides a value from the optimizer, as [`std::hint::black_box`] does.
///
/// ```
/// use iai_callgrind_criterion::black_box;
///
/// assert_eq!(black_box(3), 3);
/// ```
#[inline]
pub fn black_box<T>(dummy: T) -> T {
    std::hint::black_box(dummy)
}
