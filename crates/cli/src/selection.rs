//! The options that select benchmarks.

use std::path::PathBuf;

use clap::Args;
use iai_callgrind::protocol::Partition;

/// Which benchmarks run.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Selection")]
pub struct SelectionOptions {
    /// Run only benchmarks whose path contains this text
    ///
    /// Run only benchmarks whose path `file::group::function::id` contains this text or, if it has
    /// `*`, `?` or `[`, matches it as a glob. Several filters select what any of them matches
    /// [default: all] [variable, for one filter: IAI_CALLGRIND_FILTER]
    #[arg(value_name = "FILTER", help_heading = None::<&str>)]
    pub filters: Vec<String>,

    /// Match whole paths
    ///
    /// Match filters and `--skip` against whole paths, without globs [default: no]
    #[arg(long)]
    pub exact: bool,

    /// Leave out benchmarks that match this filter
    ///
    /// Leave out benchmarks that match this filter, even if another one selects them; can be
    /// repeated [default: none]
    #[arg(long, value_name = "FILTER", action = clap::ArgAction::Append)]
    pub skip: Vec<String>,

    /// Run one of several parts
    ///
    /// Run one part of the selected benchmarks, to share them among machines: `hash:M/N` divides by
    /// a hash of the path, `count:M/N` takes each N-th of a bench file, `time:M/N` makes parts that
    /// take equally long, by the times of `--timings` [default: all]
    #[arg(long, value_name = "PART")]
    pub partition: Option<Partition>,

    /// Take times for `--partition` from these results
    ///
    /// Take the times for `--partition=time:M/N` from these results: a file or a directory of
    /// `*.jsonl` files, the same on all machines. Relative paths begin at the workspace [default:
    /// none]
    #[arg(long, value_name = "RESULTS")]
    pub timings: Option<PathBuf>,

    /// Print the names of benchmarks, run nothing
    ///
    /// Print the names of the selected benchmarks and run nothing. With `--format=terse` or
    /// `--quiet` their number is left out [default: no]
    #[arg(long)]
    pub list: Option<bool>,
}
