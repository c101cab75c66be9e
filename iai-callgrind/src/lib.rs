//! Benchmarks that count instead of time: exact, repeatable figures from Valgrind's tools.
//!
//! A benchmark is an annotated function. `cargo bench` runs every case of it once under Valgrind's
//! Callgrind and shows instructions, memory accesses and cache hits, with the difference to the last
//! run. Counts do not depend on what else the machine does.
//!
#![cfg_attr(feature = "benchmark", doc = "```no_run")]
#![cfg_attr(not(feature = "benchmark"), doc = "```text")]
//! // benches/my_benchmark.rs, with `harness = false` in Cargo.toml
//! use std::hint::black_box;
//!
//! use iai_callgrind::{library_benchmark, library_benchmark_group, main};
//!
//! fn fibonacci(n: u64) -> u64 {
//!     match n {
//!         0 | 1 => 1,
//!         n => fibonacci(n - 1) + fibonacci(n - 2),
//!     }
//! }
//!
//! #[library_benchmark]
//! #[bench::short(10)]
//! #[bench::long(19)]
//! fn bench_fibonacci(n: u64) -> u64 {
//!     black_box(fibonacci(n))
//! }
//!
//! library_benchmark_group!(name = numbers, benchmarks = [bench_fibonacci]);
//! # mod of_the_file {
//! # use super::*;
//! main!(library_benchmark_groups = [numbers]);
//! # }
//! # fn main() {}
//! ```
//!
//! [The first benchmark](https://iai-callgrind.github.io/iai-callgrind/first-benchmark.html) shows how to set up a
//! project; it is the first chapter of [the book](https://iai-callgrind.github.io/iai-callgrind/).
//!
//! # Where to find what
//!
//! - [`macro@library_benchmark`]: the attribute, its cases, and what is counted;
//! - [`library_benchmark_group!`] and [`main!`]: which benchmarks run, and what runs before and after;
//! - [`macro@binary_benchmark`] and [`binary_benchmark_group!`]: benchmarks of whole programs, with
//!   [`Command`], its streams and its [`Delay`], and [`BinaryBenchmarkConfig`];
//! - [`LibraryBenchmarkConfig`]: tools, environment, directory, modes. The configuration nearest to
//!   the benchmark wins, setting by setting; lists are joined;
//! - the tools: [`Callgrind`], [`Cachegrind`], [`Dhat`], [`Massif`], [`Bbv`], [`Memcheck`],
//!   [`Helgrind`], [`Drd`] and Linux [`Perf`], with their arguments, metrics and limits;
//! - [`OutputFormat`]: how results are shown; [`FlamegraphConfig`]: what graphs are drawn; [`ExplainConfig`]: how changes are explained;
//! - [`prelude`]: what nearly every file needs.
//!
//! # Features
//!
//! | feature | default | effect |
//! | --- | --- | --- |
//! | `benchmark` | yes | everything that a benchmark file uses |
//! | `cachegrind` | no | [`Tool::Cachegrind`] is the default tool and counts the benchmark functions only; needs Valgrind 3.22 |
//! | `client_requests_defs` | no | the module `client_requests`, whose functions compile to nothing |
//! | `client_requests` | no | the same functions, which talk to Valgrind |
//! | `client_requests_powerpc` | no | the same on powerpc, with Rust 1.95 or newer |
//! | `client_requests_cc` | no | the same through C, for mips and older compilers on powerpc; needs a C compiler and Valgrind's headers |
//! | `perf_stubs` | no | the module `perf` with [`perf_enable!`] and others, which compile to nothing |
//! | `perf` | yes | the same, which switch the counters of Linux perf; `benchmark` needs it |
//!
//! The features `protocol` and `serde` are the runner's. The client requests work with
//! `default-features = false` as well: without `std`, and but for the last feature without any
//! dependency.
#![cfg_attr(not(any(feature = "protocol", feature = "perf")), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "client_requests_defs")]
#[cfg_attr(docsrs, doc(cfg(feature = "client_requests_defs")))]
pub mod client_requests;
// Tests of this repository run its code, so rustdoc need not.
#[cfg(all(doc, not(doctest)))]
#[doc = include_str!("../README.md")]
pub mod readme {}
#[cfg(feature = "perf_stubs")]
#[cfg_attr(docsrs, doc(cfg(feature = "perf_stubs")))]
pub mod perf;
#[cfg(feature = "protocol")]
#[doc(hidden)]
pub mod protocol;
#[cfg(feature = "protocol")]
#[doc(hidden)]
pub mod shared;

#[cfg(feature = "benchmark")]
#[doc(hidden)]
pub mod __internal;
#[cfg(feature = "benchmark")]
mod binary;
#[cfg(feature = "benchmark")]
mod config;
#[cfg(feature = "benchmark")]
mod deprecated;
#[cfg(feature = "benchmark")]
mod macros;
#[cfg(feature = "benchmark")]
mod measure;
#[cfg(feature = "benchmark")]
pub mod prelude;
#[cfg(feature = "benchmark")]
mod throughput;
#[cfg(feature = "benchmark")]
mod tool;

#[cfg(any(feature = "benchmark", feature = "client_requests_defs"))]
mod valgrind_request;

#[cfg(feature = "benchmark")]
#[doc(hidden)]
pub use binary::{Arg, Fixtures, Options, Run};
#[cfg(feature = "benchmark")]
pub use binary::{
    Bench, BenchmarkId, BinaryBenchmark, BinaryBenchmarkGroup, Command, Delay, DelayAddress,
};
#[cfg(feature = "benchmark")]
pub use config::{BinaryBenchmarkConfig, LibraryBenchmarkConfig, OutputFormat, Sandbox};
#[cfg(feature = "benchmark")]
#[allow(deprecated)]
pub use deprecated::{black_box, RegressionConfig};
#[cfg(feature = "benchmark")]
pub use iai_callgrind_macros::{binary_benchmark, library_benchmark};
#[cfg(feature = "benchmark")]
pub use measure::measure;
#[cfg(feature = "benchmark")]
pub use protocol::flamegraph::Direction;
#[cfg(feature = "benchmark")]
pub use protocol::{
    BbvMetric, BbvMetrics, CachegrindMetric, CachegrindMetrics, CallgrindMetrics, DelayKind,
    DhatMetric, DhatMetrics, EntryPoint, ErrorMetric, ErrorMetrics, EventKind, ExitWith,
    FlamegraphKind, Limit, MassifMetric, MassifMetrics, Percent, PerfMetric, PerfRunMode, Pipe,
    SanitizeOutput, SignalSet, Stdin, Stdio, Tool, Tool as ValgrindTool, Unit, UnknownMetric,
    UnknownTool,
};
#[cfg(feature = "benchmark")]
pub use throughput::Throughput;
#[cfg(feature = "benchmark")]
pub use tool::{
    Bbv, Cachegrind, Callgrind, Dhat, Drd, ExplainConfig, FlamegraphConfig, Helgrind, Massif,
    Memcheck, Perf,
};
