//! The settings of exp-bbv.

use super::methods::tool_methods;
use crate::protocol::{self, BbvMetrics};

/// Settings of exp-bbv, the tool that counts how often basic blocks are entered. It always looks at
/// the whole process.
///
/// # Examples
///
/// ```
/// use iai_callgrind::{Bbv, LibraryBenchmarkConfig};
///
/// LibraryBenchmarkConfig::default().tool(Bbv::with_args(["--interval-size=10000"]));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Bbv(protocol::ToolSettings);

tool_methods!(
    Bbv[0] => Bbv,
    "exp-bbv",
    BbvMetrics,
    BbvMetric::Instructions
);
