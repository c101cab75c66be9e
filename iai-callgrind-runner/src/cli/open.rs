//! The command line of `open`.

use std::path::PathBuf;

use clap::Args;

/// Arguments of `open`.
#[derive(Debug, Default, Args)]
pub struct OpenArgs {
    /// Baseline to compare the last results with [default: the results that they were compared
    /// with]
    #[arg(long, value_name = "NAME")]
    pub baseline: Option<String>,
    /// Directory of the results [default: `iai` in the target directory]
    #[arg(long, value_name = "DIRECTORY")]
    pub home: Option<PathBuf>,
    /// Results of earlier commits for the history; may be given several times
    #[arg(long, value_name = "RESULTS")]
    pub history: Vec<PathBuf>,
}
