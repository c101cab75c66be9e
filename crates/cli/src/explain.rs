//! The command line of `explain`.

use std::path::PathBuf;

use clap::Args;
use iai_callgrind::protocol::EventKind;

/// Arguments of `explain`.
#[derive(Debug, Default, Args)]
pub struct ExplainArgs {
    /// Explain only benchmarks that match, as after `cargo bench --` [default: all that changed]
    #[arg(value_name = "FILTER")]
    pub filters: Vec<String>,
    /// Read results below this directory [default: `iai` in the target directory]
    #[arg(long, value_name = "DIRECTORY")]
    pub home: Option<PathBuf>,
    /// Compare the last results with this baseline [default: the results before the last ones]
    #[arg(long, value_name = "NAME")]
    pub baseline: Option<String>,
    /// Explain this metric, as in `--callgrind-metrics` [default: ir]
    #[arg(long, value_name = "METRIC")]
    pub metric: Option<EventKind>,
    /// Show the N functions whose own costs differ most
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub functions: usize,
    /// Show the tree of calls to this depth; 0 shows none
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub depth: usize,
    /// Show costs by line of the source
    #[arg(long)]
    pub lines: bool,
    /// Compare the machine code of this function: a path, or the end of one
    #[arg(long, value_name = "FUNCTION")]
    pub asm: Option<String>,
}
