//! Values that may stand behind `config`.
//!
//! Traits of our own instead of `Into`, so that rustc says what is expected where another value
//! stands.

use crate::config::{AnyConfig, BinaryConfig};
use crate::protocol::Config;

/// `config` of library benchmarks.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a configuration of library benchmarks",
    label = "expected a `LibraryBenchmarkConfig`",
    note = "a tool is a part of one: `config = LibraryBenchmarkConfig::default().tool(Callgrind::default())`"
)]
pub trait IntoLibraryConfig {
    fn config(self) -> Config;
}

#[diagnostic::do_not_recommend]
impl<T: Into<Config>> IntoLibraryConfig for T {
    fn config(self) -> Config {
        self.into()
    }
}

/// `config` of binary benchmarks.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a configuration of binary benchmarks",
    label = "expected a `BinaryBenchmarkConfig`",
    note = "a tool or sandbox is a part of one: \
            `config = BinaryBenchmarkConfig::default().tool(Callgrind::default())`"
)]
pub trait IntoBinaryConfig {
    fn config(self) -> Config;
}

#[diagnostic::do_not_recommend]
impl<T: Into<BinaryConfig>> IntoBinaryConfig for T {
    fn config(self) -> Config {
        self.into().0
    }
}

/// `config` of a `main!` without a list of groups, which is for benchmarks of both kinds.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a configuration of benchmarks",
    label = "expected a `LibraryBenchmarkConfig` or a `BinaryBenchmarkConfig`",
    note = "a tool is a part of one: `config = LibraryBenchmarkConfig::default().tool(Callgrind::default())`"
)]
pub trait IntoAnyConfig {
    fn config(self) -> Config;
}

#[diagnostic::do_not_recommend]
impl<T: Into<AnyConfig>> IntoAnyConfig for T {
    fn config(self) -> Config {
        self.into().0
    }
}
