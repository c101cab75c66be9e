//! Tools, their arguments, metrics and limits, as far as the command line and the environment name
//! them: plain values. A configuration has no place for some of them, and others replace instead of
//! adding, so `plan` lays them over it one by one.

use iai_callgrind::protocol::options::ToolOption;

use crate::error::Result;
use base::per_tool::PerTool;
use base::tool::Tool;
use cli::{MetricOptions, ToolOptions};
use metrics::MetricKind;
use metrics::TypedLimits;

/// Tools that the command line and the environment name.
#[derive(Debug)]
pub struct ChosenTools {
    /// The tool that comes first, and runs even if the configuration switches it off.
    pub default: Option<Tool>,
    /// Further tools, instead of those of the configuration; empty: the option is not given.
    pub further: Vec<Tool>,
}

/// Options of one tool.
#[derive(Debug, Default)]
pub struct TypedForTool {
    /// Arguments for the tool, split into words; those of perf are with its other options.
    pub args: Vec<String>,
    /// The metrics to show, in this order.
    pub metrics: Option<Vec<MetricKind>>,
    /// Limits, instead of those of the configuration; those of perf are with its other options.
    pub limits: Option<TypedLimits>,
}

impl ChosenTools {
    pub(super) fn new(options: &ToolOptions) -> Self {
        Self {
            default: options.default_tool,
            further: options.further().collect(),
        }
    }
}

/// The options of each tool.
///
/// # Errors
///
/// A quote in arguments is not closed.
pub(super) fn for_each_tool(
    tools: &ToolOptions,
    metrics: &MetricOptions,
) -> Result<PerTool<TypedForTool>> {
    let mut all = PerTool::<TypedForTool>::default();
    for tool in Tool::ALL {
        all[tool] = TypedForTool {
            args: super::split(&ToolOption::Args.of(tool), tools.args(tool))?,
            metrics: metrics.metrics(tool).map(<[_]>::to_vec),
            limits: metrics.limits(tool).cloned(),
        };
    }
    Ok(all)
}
