//! What the builders write into the description that the runner reads.
#![cfg(feature = "benchmark")]

mod accepted;
mod binary;
mod deprecated;
mod library;
mod tools;

use iai_callgrind::protocol::{Config, Over, Tools};

/// The description of a configuration.
fn config(config: impl Into<Config>) -> Config {
    config.into()
}

/// The description of a tool.
fn tools(tool: impl Into<Tools>) -> Tools {
    tool.into()
}

/// What holds for a benchmark with an outer and an inner configuration.
fn levels(outer: impl Into<Config>, inner: impl Into<Config>) -> Config {
    inner.into().over(outer.into())
}
