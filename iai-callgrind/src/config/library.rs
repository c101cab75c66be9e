//! The configuration of library benchmarks.

use super::methods::config_methods;
use super::{into_protocol, AnyConfig};
use crate::protocol;

/// Settings of library benchmarks, for `config` of [`main!`](crate::main), of a
/// [group](crate::library_benchmark_group), of
/// [`#[library_benchmark]`](crate::library_benchmark) and of `#[bench]`.
///
/// Inner settings win over outer ones, one by one; arguments and environment variables are
/// appended to the outer ones.
///
/// # Examples
///
/// ```
/// use iai_callgrind::{Callgrind, LibraryBenchmarkConfig};
///
/// fn config() -> LibraryBenchmarkConfig {
///     LibraryBenchmarkConfig::default()
///         .env("MODE", "fast")
///         .tool(Callgrind::with_args(["--branch-sim=yes"]))
///         .build()
/// }
/// ```
#[derive(Debug, Clone, Default)]
#[doc(alias = "Criterion")]
pub struct LibraryBenchmarkConfig(protocol::Config);

impl LibraryBenchmarkConfig {
    /// Measures in a fork of one process, which is started once for all benchmarks of the file with
    /// the same arguments and environment. `false` starts a process for each benchmark, which takes
    /// longer and counts the same instructions. The default is `true`; the option `--fork` wins.
    ///
    /// ```
    /// use iai_callgrind::LibraryBenchmarkConfig;
    ///
    /// LibraryBenchmarkConfig::default().fork(false);
    /// ```
    pub fn fork(&mut self, fork: bool) -> &mut Self {
        self.0.fork = Some(fork);
        self
    }

    /// Runs exit handlers after the benchmark: what was registered with `atexit`, the destructors
    /// of the main thread's thread locals, and those of C and C++ statics.
    ///
    /// The default is `false`: where the tool counts nothing after the benchmark function, which is
    /// so under Callgrind with its default entry point, the process flushes its standard streams
    /// and ends, which takes a third of the time of a small benchmark less. The counters of an
    /// executable that is instrumented for test coverage are written by an exit handler. The option
    /// `--exit-handlers` wins.
    ///
    /// ```
    /// use iai_callgrind::LibraryBenchmarkConfig;
    ///
    /// LibraryBenchmarkConfig::default().exit_handlers(true);
    /// ```
    pub fn exit_handlers(&mut self, run: bool) -> &mut Self {
        self.0.exit_handlers = Some(run);
        self
    }

    /// Runs the benchmark on one processor, so that the counts of threads vary less from run to
    /// run; `std::thread::available_parallelism` is 1 then. The default is `false`. Linux only.
    ///
    /// ```
    /// use iai_callgrind::LibraryBenchmarkConfig;
    ///
    /// LibraryBenchmarkConfig::default().single_cpu(true);
    /// ```
    pub fn single_cpu(&mut self, single: bool) -> &mut Self {
        self.0.single_cpu = Some(single);
        self
    }

    /// Lets the standard library, and crates that ask the system for them, draw the same random
    /// numbers in every run, so that a `HashMap` with its default hasher always has the same order
    /// and count. This is the default on Linux, but for executables whose `main!` says
    /// `deterministic_random = false`.
    ///
    /// The count is that of one particular order: compare it with itself, and keep in mind that
    /// other orders cost more or less.
    ///
    /// ```
    /// use iai_callgrind::LibraryBenchmarkConfig;
    ///
    /// LibraryBenchmarkConfig::default().deterministic_random(false);
    /// ```
    pub fn deterministic_random(&mut self, deterministic: bool) -> &mut Self {
        self.0.deterministic_random = Some(deterministic);
        self
    }
}

config_methods!(LibraryBenchmarkConfig);
into_protocol!(LibraryBenchmarkConfig => protocol::Config);
into_protocol!(LibraryBenchmarkConfig => AnyConfig);
