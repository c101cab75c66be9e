//! The configuration of binary benchmarks.

use super::into_protocol;
use super::methods::config_methods;
use crate::protocol;

/// Settings of binary benchmarks, for `config` of [`main!`](crate::main), of a
/// [group](crate::binary_benchmark_group), of [`#[binary_benchmark]`](crate::binary_benchmark) and
/// of `#[bench]`, and for [`BinaryBenchmark`](crate::BinaryBenchmark) and [`Bench`](crate::Bench).
///
/// Inner settings win over outer ones, one by one, and those of the [`Command`](crate::Command) win
/// over all; arguments and environment variables are appended to the outer ones.
///
/// # Examples
///
/// ```
/// use iai_callgrind::{BinaryBenchmarkConfig, Callgrind, EntryPoint, Sandbox};
///
/// fn config() -> BinaryBenchmarkConfig {
///     BinaryBenchmarkConfig::default()
///         .env("MODE", "fast")
///         .sandbox(Sandbox::new(true).fixtures(["benches/input.txt"]))
///         // Without the loader and the start of the runtime:
///         .tool(Callgrind::default().entry_point(EntryPoint::Main))
///         .build()
/// }
/// ```
#[derive(Debug, Clone, Default)]
pub struct BinaryBenchmarkConfig(protocol::Config);

/// Target of the conversion from [`BinaryBenchmarkConfig`]: not the plain value of all
/// configurations, so that rustc refuses one for library benchmarks.
#[derive(Debug)]
pub struct BinaryConfig(pub protocol::Config);

impl BinaryBenchmarkConfig {
    /// Starts the program without waiting for the end of `setup`, which then may be a server: see
    /// [`Command::delay`](crate::Command::delay) for how to wait until it is ready. The runner
    /// waits for the end of `setup` after the program has ended. The default is `false`.
    ///
    /// ```
    /// use iai_callgrind::BinaryBenchmarkConfig;
    ///
    /// BinaryBenchmarkConfig::default().setup_parallel(true);
    /// ```
    pub fn setup_parallel(&mut self, parallel: bool) -> &mut Self {
        self.0.setup_parallel = Some(parallel);
        self
    }
}

config_methods!(BinaryBenchmarkConfig);
into_protocol!(BinaryBenchmarkConfig => BinaryConfig);

/// Target of the conversion from configurations of both kinds, where the kind is not known yet.
#[derive(Debug)]
pub struct AnyConfig(pub protocol::Config);

into_protocol!(BinaryBenchmarkConfig => AnyConfig);

/// The last step of `into_protocol!`.
macro_rules! from_plain {
    ($($config:ident),*) => {$(
        impl From<protocol::Config> for $config {
            fn from(config: protocol::Config) -> Self {
                Self(config)
            }
        }
    )*};
}

from_plain!(BinaryConfig, AnyConfig);
