//! The options about metrics and limits.

use clap::Args;
use iai_callgrind::protocol::{PerfLimits, Tool};

use super::per_tool::{ToolLimits, ToolMetrics};
use super::perf::perf_limits;
use metrics::{MetricKind, TypedLimits};

/// Which metrics are shown, and which values of them are regressions.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Metrics and limits")]
pub struct MetricOptions {
    /// `--callgrind-metrics`, …
    #[command(flatten)]
    metrics: ToolMetrics,

    /// `--callgrind-limits`, …
    #[command(flatten)]
    limits: ToolLimits,

    /// Set limits for perf
    ///
    /// Set limits for perf instead of the configured ones, on all events whose name matches a
    /// pattern: `instructions*=5%|10000,task-clock=2.5ms` [default: as configured, else none]
    #[arg(long, value_name = "LIMITS", value_parser = perf_limits)]
    pub perf_limits: Option<PerfLimits>,

    /// Stop at the first regression
    ///
    /// Stop the run at the first exceeded limit; teardowns still run [default: as configured, else
    /// no]
    #[arg(long)]
    pub regression_fail_fast: Option<bool>,

    /// Exit with 0 after regressions and failures
    ///
    /// Exit with 0 if the results were written, even if benchmarks regressed or failed, so that
    /// `cargo bench` runs all bench files and `iai-callgrind-runner compare` has the verdict. A
    /// wrong command line, a missing Valgrind and signals still fail [default: no]
    #[arg(long)]
    pub exit_zero: Option<bool>,

    /// Fail if something is missing
    ///
    /// Fail, instead of warning, if something is missing: a selected benchmark, a result in the
    /// baseline, a metric with a limit. Results of other conditions are errors too, and benchmarks
    /// that are gone end with exit code 4 [default: no]
    #[arg(long)]
    pub strict: Option<bool>,
}

impl MetricOptions {
    /// The metrics of a tool to show, if the option is given.
    pub fn metrics(&self, tool: Tool) -> Option<&[MetricKind]> {
        self.metrics.0[tool].as_deref()
    }

    /// The limits of a tool, if the option is given. None for perf, whose limits are patterns:
    /// `perf_limits`.
    pub fn limits(&self, tool: Tool) -> Option<&TypedLimits> {
        self.limits.0[tool].as_ref()
    }
}
