//! Where results and programs are.

use std::path::PathBuf;

use clap::Args;

/// Where results and programs are.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Files and programs")]
pub struct PlaceOptions {
    /// Keep results below this directory; relative to the workspace
    /// [default: `iai` in the target directory]
    #[arg(long, value_name = "DIRECTORY")]
    pub home: Option<PathBuf>,

    /// The Valgrind to use [default: the one in PATH]
    #[arg(long, value_name = "FILE")]
    pub valgrind_bin: Option<PathBuf>,
}
