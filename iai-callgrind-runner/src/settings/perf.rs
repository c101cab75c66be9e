//! The options of perf, as far as the command line and the environment name them.

use std::mem;
use std::time::Duration;

use iai_callgrind::protocol::{PerfLimits, PerfRunMode};

use super::TypedForTool;
use crate::error::Result;
use base::per_tool::PerTool;
use base::tool::Tool;
use cli::{MetricOptions, ToolOptions};

/// Options of perf.
#[derive(Debug)]
pub struct TypedForPerf {
    /// Arguments for `perf stat`, split into words.
    pub args: Vec<String>,
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

impl TypedForPerf {
    /// The options of perf in their final form. They include its arguments, which are no longer
    /// among those of all tools then.
    ///
    /// # Errors
    ///
    /// A quote in arguments is not closed.
    pub(super) fn take(
        of_tools: &mut PerTool<TypedForTool>,
        tools: &ToolOptions,
        figures: &MetricOptions,
    ) -> Result<Self> {
        let options = &tools.perf;
        Ok(Self {
            args: mem::take(&mut of_tools[Tool::Perf].args),
            events: options.events.clone(),
            limits: figures.perf_limits.clone(),
            record: options.record,
            record_args: super::split("--perf-record-args", &options.record_args)?,
            run_mode: options.run_mode,
            sampling: options.sampling,
        })
    }

    /// The names of the options that were given.
    pub(crate) fn given(&self) -> impl Iterator<Item = &'static str> {
        let all = [
            ("--perf-args", !self.args.is_empty()),
            ("--perf-events", !self.events.is_empty()),
            ("--perf-limits", self.limits.is_some()),
            ("--perf-record", self.record == Some(true)),
            ("--perf-record-args", !self.record_args.is_empty()),
            ("--perf-run-mode", self.run_mode.is_some()),
            ("--perf-sampling", self.sampling.is_some()),
        ];
        let given = all.into_iter().filter(|(_, given)| *given);
        given.map(|(option, _)| option)
    }
}
