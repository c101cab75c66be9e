//! The command line of `explain`.

use std::path::PathBuf;

use clap::Args;
use iai_callgrind::protocol::EventKind;

/// Arguments of `explain`.
#[derive(Debug, Default, Args)]
pub struct ExplainArgs {
    /// Benchmarks to explain, as after `cargo bench --` [default: all that changed]
    #[arg(value_name = "FILTER")]
    pub filters: Vec<String>,
    /// Directory of the results [default: `iai` in the target directory]
    #[arg(long, value_name = "DIRECTORY")]
    pub home: Option<PathBuf>,
    /// Baseline to compare the last results with [default: the results before the last ones]
    #[arg(long, value_name = "NAME")]
    pub baseline: Option<String>,
    /// Metric to explain, as in `--callgrind-metrics` [default: ir]
    #[arg(long, value_name = "METRIC")]
    pub metric: Option<EventKind>,
    /// Number of functions whose own costs are shown
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub functions: usize,
    /// Depth of the tree of calls; 0 shows none
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub depth: usize,
    /// Show costs by line of the source
    #[arg(long)]
    pub lines: bool,
    /// Function whose machine code is compared: a path, or the end of one
    #[arg(long, value_name = "FUNCTION")]
    pub asm: Option<String>,
}
