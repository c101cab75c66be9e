//! Benchmarks that count instead of time: exact, repeatable figures from Valgrind's tools.
//!
//! A benchmark is an annotated function. `cargo bench` runs every case of it once under Valgrind's
//! Callgrind and shows instructions, memory accesses and cache hits, with the difference to the
//! last run. Counts do not depend on what else the machine does, so one run is enough to see a
//! change of a tenth of a percent.
//!
//! This page leads from an empty crate to a limit in CI, in six steps.
//!
//! # 1. Add it to the crate
//!
//! ```toml
//! # Cargo.toml
//! [dev-dependencies]
//! iai-callgrind = "0.17"
//!
//! [[bench]]
//! name = "my_benchmark"
//! harness = false
//!
//! # Counting works on named functions, so the names have to be in the executable.
//! [profile.bench]
//! debug = true
//!
//! # Keeps cargo from passing our options to the test harness of your library.
//! [lib]
//! bench = false
//! ```
//!
//! # 2. Install Valgrind and the runner
//!
//! Valgrind comes from the package manager of the system (`apt-get install valgrind`). The runner,
//! which starts it, has the version of the library:
//!
//! ```sh
//! cargo install iai-callgrind-runner --version 0.17.0
//! ```
//!
//! `cargo binstall` works as well, and with `IAI_CALLGRIND_AUTO_INSTALL=yes` in the environment the
//! first `cargo bench` does it. `iai-callgrind-runner doctor` says what is missing on a machine or
//! in a project.
//!
//! # 3. Write a benchmark
//!
#![cfg_attr(feature = "benchmark", doc = "```no_run,standalone_crate")]
#![cfg_attr(not(feature = "benchmark"), doc = "```text")]
//! // benches/my_benchmark.rs
//! use std::hint::black_box;
//!
//! use iai_callgrind::{library_benchmark, library_benchmark_group, main};
//!
//! # mod my_crate {
//! // Stands for a function of your library.
//! pub fn fibonacci(n: u64) -> u64 {
//!     match n {
//!         0 | 1 => 1,
//!         n => fibonacci(n - 1) + fibonacci(n - 2),
//!     }
//! }
//! # }
//! # use my_crate::fibonacci;
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
//! Each `#[bench::id(arguments)]` is a case. What counts is what the function executes; building
//! the arguments and dropping the result do not. `black_box` keeps the compiler from removing work
//! whose result nobody uses.
//!
//! # 4. Run it
//!
//! ```text
//! $ cargo bench --bench my_benchmark
//! my_benchmark::numbers::bench_fibonacci short:10
//!   Instructions:                  1,789   (new)
//!   Estimated Cycles:              2,596   (new)
//! my_benchmark::numbers::bench_fibonacci long:19
//!   Instructions:                135,911   (new)
//!   Estimated Cycles:            194,252   (new)
//!
//! Iai-Callgrind result: First results. 0 compared, 2 new; 2 benchmarks in 0.97 s
//! ```
//!
//! A second run shows `(no change)` everywhere. On a machine without Valgrind,
//! `cargo test --benches` runs each case once and counts nothing.
//!
//! # 5. Change the code
//!
//! With a loop in the place of the recursion, the old value stands beside the new one, and `Why`
//! names the function whose code makes the difference:
//!
//! ```text
//! my_benchmark::numbers::bench_fibonacci short:10
//!   Instructions:                     44 | 1,789             -97.5%  -40.7x
//!   Estimated Cycles:                120 | 2,596             -95.4%  -21.6x
//!   Why  Instructions -1745 (-97.5%): my_crate -1766, core +21
//!          -1760    -98.4%  my_crate::fibonacci  src/lib.rs:2
//!                           own code, 1782 -> 22
//!            +15    +0.84%  ... 1 more place
//! ```
//!
//! To compare with a certain state, and not with the last run, keep it under a name:
//!
//! ```sh
//! cargo bench -- --save-baseline=before   # on the old state
//! cargo bench -- --baseline=before        # on the new one, as often as you like
//! ```
//!
//! `iai-callgrind-runner open` shows the same in a browser, with flamegraphs, source lines and
//! machine code.
//!
//! # 6. Set a limit
//!
#![cfg_attr(feature = "benchmark", doc = "```no_run,standalone_crate")]
#![cfg_attr(not(feature = "benchmark"), doc = "```text")]
//! # use iai_callgrind::{library_benchmark, library_benchmark_group, main};
//! # #[library_benchmark]
//! # fn bench() {}
//! # library_benchmark_group!(name = numbers, benchmarks = [bench]);
//! use iai_callgrind::{Callgrind, EventKind, LibraryBenchmarkConfig};
//!
//! # mod of_the_file {
//! # use super::*;
//! main!(
//!     config = LibraryBenchmarkConfig::default()
//!         .tool(Callgrind::default().soft_limits([(EventKind::Ir, 5.0)])),
//!     library_benchmark_groups = [numbers]
//! );
//! # }
//! # fn main() {}
//! ```
//!
//! More than 5 % more instructions than before are a regression now: a red line, and exit code 3,
//! which fails a CI job. `cargo bench -- --callgrind-limits=ir=5%` does the same without a line of
//! code.
//!
//! ```text
//!   Instructions:                     51 | 44                +15.9%  1.16x
//!   Estimated Cycles:                135 | 120               +12.5%  1.12x
//!   Regressed: Instructions 44 -> 51: +15.9%, limit +5%
//! ```
//!
//! # Next steps
//!
//! | to | in this documentation | in the book |
//! | --- | --- | --- |
//! | measure with arguments, iterators, setup; async functions | [`macro@library_benchmark`], [`library_benchmark_group!`], [`main!`] | [library benchmarks](https://iai-callgrind.github.io/iai-callgrind/library-benchmarks.html) |
//! | measure whole programs | [`macro@binary_benchmark`], [`binary_benchmark_group!`], [`Command`], [`Delay`], [`BinaryBenchmarkConfig`] | [binary benchmarks](https://iai-callgrind.github.io/iai-callgrind/binary-benchmarks.html) |
//! | know what a figure contains, and what a row says | [`measure()`], [`OutputFormat`] | [what is counted](https://iai-callgrind.github.io/iai-callgrind/what-is-counted.html), [the output](https://iai-callgrind.github.io/iai-callgrind/output.html) |
//! | show instructions per byte or element | [`Throughput`] | [throughput](https://iai-callgrind.github.io/iai-callgrind/throughput.html) |
//! | count allocations, cache misses, errors of memory and threads | [`Callgrind`], [`Cachegrind`], [`Dhat`], [`Massif`], [`Bbv`], [`Memcheck`], [`Helgrind`], [`Drd`] | [the tools](https://iai-callgrind.github.io/iai-callgrind/tools.html) |
//! | count on the hardware, without Valgrind | [`Perf`], the module `perf` | [perf](https://iai-callgrind.github.io/iai-callgrind/perf.html) |
//! | fail a job on regressions, and accept those that are wanted | [`Limit`] | [CI](https://iai-callgrind.github.io/iai-callgrind/ci.html), [comparisons](https://iai-callgrind.github.io/iai-callgrind/compare.html) |
//! | know why a count changed | [`ExplainConfig`], [`FlamegraphConfig`] | [explanations](https://iai-callgrind.github.io/iai-callgrind/explain.html), [the page](https://iai-callgrind.github.io/iai-callgrind/page.html) |
//! | set environment, directory, sandbox, tools for a file, group, function or case | [`LibraryBenchmarkConfig`], [`Sandbox`] | [the same count in every run](https://iai-callgrind.github.io/iai-callgrind/determinism.html) |
//! | come from an older version, or from gungraun | | [migration](https://iai-callgrind.github.io/iai-callgrind/migration.html) |
//!
//! The configuration nearest to the benchmark wins, setting by setting; lists are joined.
//! [`prelude`] has the names that nearly every file needs. Names of other benchmark crates lead to
//! ours: search for `iter_batched`, `BenchmarkId` or `criterion_group`.
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
// The names of other crates for what an attribute does; rustdoc finds none where the macro is
// defined.
#[cfg(feature = "benchmark")]
#[doc(alias = "hyperfine")]
pub use iai_callgrind_macros::binary_benchmark;
#[cfg(feature = "benchmark")]
#[doc(alias(
    "bench_function",
    "bench_with_input",
    "bench_values",
    "bench_refs",
    "Bencher",
    "divan",
    "divan::bench",
    "criterion",
    "iter",
    "iter_batched",
    "iter_batched_ref",
    "iter_with_setup",
    "with_inputs",
    "iter_with_large_drop",
    "to_async",
    "AsyncExecutor"
))]
pub use iai_callgrind_macros::library_benchmark;
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
    Memcheck, Perf, Time,
};
