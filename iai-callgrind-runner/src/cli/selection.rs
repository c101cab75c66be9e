//! Which benchmarks run.

use clap::Args;
use iai_callgrind::protocol::Partition;

/// Which benchmarks run.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Selection")]
pub struct SelectionOptions {
    /// Run only benchmarks whose path `file::group::function::id` contains this text, or matches it
    /// if it contains `*`, `?` or `[`; several are alternatives
    #[arg(value_name = "FILTER", help_heading = None::<&str>)]
    pub filters: Vec<String>,

    /// Filters are whole paths
    #[arg(long)]
    pub exact: bool,

    /// Leave out benchmarks that match this filter
    #[arg(long, value_name = "FILTER", action = clap::ArgAction::Append)]
    pub skip: Vec<String>,

    /// Run only one part of the benchmarks that the filters select: with `hash:M/N` those whose
    /// path has the hash M of N, with `count:M/N` each N-th, starting with the M-th
    #[arg(long, value_name = "PART")]
    pub partition: Option<Partition>,

    /// Print the names of the benchmarks and run nothing
    #[arg(long)]
    pub list: bool,
}
