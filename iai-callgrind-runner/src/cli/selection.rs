//! The options that select benchmarks.

use std::path::PathBuf;

use clap::Args;
use iai_callgrind::protocol::Partition;

/// Which benchmarks run.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Selection")]
pub struct SelectionOptions {
    /// Only benchmarks whose path contains this text
    ///
    /// Only benchmarks whose path `file::group::function::id` contains this text, or matches it as
    /// a whole if it contains `*`, `?` or `[`; several are alternatives [default: all] [variable,
    /// for one filter: IAI_CALLGRIND_FILTER]
    #[arg(value_name = "FILTER", help_heading = None::<&str>)]
    pub filters: Vec<String>,

    /// Filters are whole paths
    ///
    /// Filters, also those of `--skip`, are whole paths, and no character in them is special
    /// [default: no]
    #[arg(long)]
    pub exact: bool,

    /// Leave out benchmarks that match this filter
    ///
    /// Leave out benchmarks that match this filter, also those that another filter selects; several
    /// leave out what any of them matches [default: none]
    #[arg(long, value_name = "FILTER", action = clap::ArgAction::Append)]
    pub skip: Vec<String>,

    /// Only one of several parts of the benchmarks
    ///
    /// Only one of several parts of the benchmarks that the filters select, for machines that share
    /// them: with `hash:M/N` those whose path has the hash M of N, with `count:M/N` each N-th of a
    /// bench file, beginning elsewhere in each file, with `time:M/N` so that all parts take about
    /// the same time, by the times of `--timings` [default: all]
    #[arg(long, value_name = "PART")]
    pub partition: Option<Partition>,

    /// Results whose times divide the benchmarks
    ///
    /// Results of earlier runs, whose times divide the benchmarks with `--partition=time:M/N`: a
    /// file with records or a directory with `*.jsonl` files, the same on all machines; a relative
    /// path begins at the workspace [default: none]
    #[arg(long, value_name = "RESULTS")]
    pub timings: Option<PathBuf>,

    /// Print the names of benchmarks, run nothing
    ///
    /// Print the names of the selected benchmarks and run nothing. With `--format=terse` or
    /// `--quiet` their number is left out [default: no]
    #[arg(long)]
    pub list: Option<bool>,
}
