//! The command line of `open`.

use std::path::PathBuf;

use clap::Args;

/// Arguments of `open`.
#[derive(Debug, Default, Args)]
pub struct OpenArgs {
    /// Compare the last results with this baseline [default: those that they were compared with]
    #[arg(long, value_name = "NAME")]
    pub baseline: Option<String>,
    /// Read results below this directory [default: `iai` in the target directory]
    #[arg(long, value_name = "DIRECTORY")]
    pub home: Option<PathBuf>,
    /// Show the history from these results of earlier commits; can be repeated
    #[arg(long, value_name = "RESULTS")]
    pub history: Vec<PathBuf>,
}
