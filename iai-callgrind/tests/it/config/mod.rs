//! Checks the description that the builders write for the runner.

mod accepted;
mod binary;
mod deprecated;
mod library;
mod tools;

use iai_callgrind::protocol::{Config, Over, ToolConfig, ToolMetric, Tools};
use iai_callgrind::EventKind;

/// The description of a configuration.
fn config(config: impl Into<Config>) -> Config {
    config.into()
}

/// The description of a tool.
fn tools(tool: impl Into<ToolConfig>) -> Tools {
    Tools::from_iter([tool.into()])
}

/// Merges the outer and the inner configuration of a benchmark.
fn levels(outer: impl Into<Config>, inner: impl Into<Config>) -> Config {
    inner.into().over(outer.into())
}

/// Limits of Callgrind by its own metrics.
fn events<L>(limits: Vec<(ToolMetric, L)>) -> Vec<(EventKind, L)> {
    let own = |(metric, limit)| match metric {
        ToolMetric::Callgrind(metric) => (metric, limit),
        other => panic!("{other:?} is no metric of Callgrind"),
    };
    limits.into_iter().map(own).collect()
}
