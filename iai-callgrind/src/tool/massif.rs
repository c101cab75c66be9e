//! The settings of Massif.

use super::methods::tool_methods;
use crate::protocol::{self, MassifMetrics};

/// Settings of Massif, the tool that takes snapshots of the heap. It always looks at the whole
/// process.
///
/// # Examples
///
/// ```
/// use iai_callgrind::{LibraryBenchmarkConfig, Massif, MassifMetric};
///
/// LibraryBenchmarkConfig::default().tool(
///     Massif::with_args(["--stacks=yes"]).soft_limits([(MassifMetric::PeakTotal, 10)]),
/// );
/// ```
#[derive(Debug, Clone, Default)]
pub struct Massif(protocol::ToolSettings);

tool_methods!(
    Massif[0] => Massif,
    "Massif",
    MassifMetrics,
    MassifMetric::PeakHeap
);
