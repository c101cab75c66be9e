//! Tools, their arguments, metrics and limits, as far as the command line and the environment name them:
//! plain values. A configuration has no place for some of them, and others replace instead of adding, so
//! `plan` lays them over it one by one.

use std::time::Duration;

use iai_callgrind::protocol::options::ToolOption;
use iai_callgrind::protocol::{PerfLimits, PerfRunMode};

use crate::cli::{MetricOptions, ToolOptions, TypedLimits};
use crate::error::Result;
use crate::metrics::MetricKind;
use crate::per_tool::PerTool;
use crate::tool::Tool;

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
    /// Arguments for the tool, split into words.
    pub args: Vec<String>,
    /// The metrics to show, in this order.
    pub metrics: Option<Vec<MetricKind>>,
    /// Limits, instead of those of the configuration; those of perf are in [`TypedForPerf`].
    pub limits: Option<TypedLimits>,
}

/// Options of perf alone.
#[derive(Debug)]
pub struct TypedForPerf {
    /// Event sets; empty: the option is not given.
    pub events: Vec<String>,
    /// Limits, instead of those of the configuration.
    pub limits: Option<PerfLimits>,
    /// Run `perf record` as well.
    pub record: Option<bool>,
    /// Arguments for `perf record`, split into words.
    pub record_args: Vec<String>,
    /// Treatment of the cost of the measurement itself.
    pub run_mode: Option<PerfRunMode>,
    /// Time for which a benchmark is repeated; zero: it runs once.
    pub sampling: Option<Duration>,
}

impl ChosenTools {
    pub(super) fn new(options: &ToolOptions) -> Self {
        Self {
            default: options.default_tool,
            further: options.tools.clone(),
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

impl TypedForPerf {
    /// The options of perf alone, in their final form.
    ///
    /// # Errors
    ///
    /// A quote in arguments is not closed.
    pub(super) fn new(tools: &ToolOptions, metrics: &MetricOptions) -> Result<Self> {
        let options = &tools.perf;
        Ok(Self {
            events: options.events.clone(),
            limits: metrics.perf_limits.clone(),
            record: options.record,
            record_args: super::split("--perf-record-args", &options.record_args)?,
            run_mode: options.run_mode,
            sampling: options.sampling,
        })
    }
}
