//! The settings of Cachegrind.

use super::methods::tool_methods;
use crate::protocol::{self, CachegrindMetrics};

/// Settings of Cachegrind, the tool that counts instructions and simulates caches for the whole
/// process.
///
/// Unlike [`Callgrind`](crate::Callgrind), it knows no functions: what runs before and after the
/// benchmark function is counted as well.
///
/// # Examples
///
/// ```
/// use iai_callgrind::{Cachegrind, CachegrindMetric, LibraryBenchmarkConfig};
///
/// LibraryBenchmarkConfig::default().tool(
///     Cachegrind::with_args(["--branch-sim=yes"])
///         .format([CachegrindMetric::Ir, CachegrindMetric::Bcm])
///         .soft_limits([(CachegrindMetric::Ir, 5.0)]),
/// );
/// ```
#[derive(Debug, Clone, Default)]
pub struct Cachegrind(protocol::ToolSettings);

tool_methods!(
    Cachegrind[0] => Cachegrind,
    "Cachegrind",
    CachegrindMetrics,
    CachegrindMetric::Ir
);
