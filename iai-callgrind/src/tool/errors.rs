//! The settings of the tools that find errors: Memcheck, Helgrind, DRD.

use super::methods::tool_methods;
use crate::protocol::{self, ErrorMetrics};

/// Settings of Memcheck, the tool that finds errors in the use of memory.
///
/// # Examples
///
/// A single error is a regression:
///
/// ```
/// use iai_callgrind::{ErrorMetric, LibraryBenchmarkConfig, Memcheck};
///
/// LibraryBenchmarkConfig::default().tool(
///     Memcheck::with_args(["--leak-check=full"]).hard_limits([(ErrorMetric::Errors, 0)]),
/// );
/// ```
#[derive(Debug, Clone, Default)]
pub struct Memcheck(protocol::ToolSettings);

tool_methods!(
    Memcheck[0] => Memcheck,
    "Memcheck",
    ErrorMetrics,
    ErrorMetric::Errors
);

/// Settings of Helgrind, the tool that finds errors in the use of threads.
///
/// # Examples
///
/// ```
/// use iai_callgrind::{ErrorMetric, Helgrind, LibraryBenchmarkConfig};
///
/// LibraryBenchmarkConfig::default().tool(
///     Helgrind::default().hard_limits([(ErrorMetric::Errors, 0)]),
/// );
/// ```
#[derive(Debug, Clone, Default)]
pub struct Helgrind(protocol::ToolSettings);

tool_methods!(
    Helgrind[0] => Helgrind,
    "Helgrind",
    ErrorMetrics,
    ErrorMetric::Errors
);

/// Settings of DRD, the tool that finds errors in the use of threads by another method than
/// [`Helgrind`].
///
/// # Examples
///
/// ```
/// use iai_callgrind::{Drd, ErrorMetric, LibraryBenchmarkConfig};
///
/// LibraryBenchmarkConfig::default().tool(
///     Drd::default().format([ErrorMetric::Errors]).hard_limits([(ErrorMetric::Errors, 0)]),
/// );
/// ```
#[derive(Debug, Clone, Default)]
pub struct Drd(protocol::ToolSettings);

tool_methods!(
    Drd[0] => Drd,
    "DRD",
    ErrorMetrics,
    ErrorMetric::Errors
);
