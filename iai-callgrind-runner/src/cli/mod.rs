//! Strings to [`Args`]: the only place that reads the command line and the environment.

mod args;
mod baseline;
pub mod env;
mod figures;
mod libtest;
mod metrics;
mod output;
mod parse;
mod per_tool;
mod perf;
mod places;
mod renamed;
mod running;
mod selection;
mod time;
mod tools;

pub use args::{
    Args, BenchArgs, CommandLine, CompletionsArgs, DoctorArgs, RunnerCommand, VerifyArgs,
};
pub use baseline::BaselineOptions;
pub use figures::FigureOptions;
pub use libtest::LibtestOptions;
pub use metrics::Limits;
pub use output::{
    Color, JsonFormat, OutputFormat, OutputOptions, ShownStreams, Stream, DESCRIPTION_WIDTH,
};
pub use parse::{meant_for_option, parse};
pub use perf::PerfOptions;
pub use places::PlaceOptions;
pub use running::RunningOptions;
pub use selection::SelectionOptions;
pub use tools::ToolOptions;
