//! The command line and the environment of the runner as values: options, commands and help.
//!
//! **In**: words, and the environment of the process, which nobody else reads. **Out**:
//! [`CommandLine`], whose options are checked one by one, or an error for people with a tip. What
//! options mean together, the runner decides.
//!
//! A file for each heading of `--help` and for each command; `parse.rs` puts them together.
//!
//! ```
//! use iai_callgrind_cli::{env::RunnerEnvironment, parse};
//!
//! let words = ["--save-basline=main".into()];
//! let error = parse(&words, &RunnerEnvironment::default()).unwrap_err();
//! assert!(error.to_string().contains("'--save-baseline'"), "{error}");
//! ```

mod accept;
mod args;
mod base_options;
mod baseline;
pub mod env;
mod explain;
mod file_options;
mod history;
mod libtest;
mod metric_options;
mod misplaced;
mod open;
mod output;
mod parse;
mod per_tool;
mod perf;
mod renamed;
mod results;
mod running;
mod selection;
mod short_help;
mod time;
mod time_options;
mod tool_options;
mod unknown;

pub use accept::AcceptArgs;
pub use args::{
    Args, BenchArgs, CommandLine, CompletionsArgs, DoctorArgs, RunnerCommand, VerifyArgs,
};
pub use base_options::BaseOptions;
pub use baseline::BaselineOptions;
pub use explain::ExplainArgs;
pub use file_options::FileOptions;
pub use history::{HistoryArgs, HistoryFormat, ShownSparklines};
pub use libtest::LibtestOptions;
pub use metric_options::MetricOptions;
pub use open::OpenArgs;
pub use output::{
    color_of, ChosenFlamegraphs, JsonFormat, OutputFormat, OutputOptions, ShownComparisons,
    ShownExplanations, ShownStreams, Stream,
};
pub use parse::{meant_for_option, parse};
pub use perf::PerfOptions;
pub use results::{
    selecting, CompareArgs, ComparisonExport, JudgementOptions, JudgingOptions, MergeArgs,
    ReadOptions, ReportArgs,
};
pub use running::RunningOptions;
pub use selection::SelectionOptions;
pub use time_options::{TimeOptions, WantedTime};
pub use tool_options::ToolOptions;
