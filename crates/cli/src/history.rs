//! The command line of `history`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use metrics::typed_metrics::{of_any_tool, AnyMetrics};

/// Arguments of `history`.
#[derive(Debug, Args)]
pub struct HistoryArgs {
    /// Results of several commits: files, directories of `*.jsonl` files, or `-` for stdin
    /// [default: the histories of this project, `history.jsonl` below its home]
    #[arg(value_name = "RESULTS")]
    pub results: Vec<OsString>,
    /// Read results below this directory [default: `iai` in the target directory]
    #[arg(long, value_name = "DIRECTORY")]
    pub home: Option<PathBuf>,
    /// Show only benchmarks that match, as after `cargo bench --` [default: all]
    #[arg(long, value_name = "FILTER", action = clap::ArgAction::Append)]
    pub only: Vec<String>,
    /// Show these metrics, as in `--callgrind-metrics`; those of other tools are `dhat.totalbytes`
    #[arg(long, value_name = "METRICS", default_value = "ir", value_parser = of_any_tool)]
    pub metrics: AnyMetrics,
    /// Write this format to stdout
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: HistoryFormat,
    /// Show each commit, also those at which nothing changed
    #[arg(long)]
    pub all: bool,
    /// Draw each series as a line of bars; `auto` draws on terminals
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub sparklines: ShownSparklines,
}

/// Places where series are drawn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum ShownSparklines {
    /// On terminals.
    #[default]
    Auto,
    /// Everywhere.
    Always,
    /// Nowhere.
    Never,
}

/// Form of a history on stdout.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum HistoryFormat {
    /// The commits at which a count changed, for people.
    #[default]
    Text,
    /// A row for each commit and metric, for plotters.
    Csv,
    /// One object, for programs.
    Json,
}
