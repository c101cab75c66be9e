//! The command line of `accept`.

use std::ffi::OsString;

use clap::Args;

use super::results::JudgementOptions;

const RESULTS: &str = "\
OLD and NEW are those of `compare`, and so are limits. With `--all` all results are new ones; with `--prune` only OLD is \
looked at.";

/// Arguments of `accept`.
#[derive(Debug, Default, Args)]
#[command(override_usage = "iai-callgrind-runner accept [OPTIONS] <OLD> <NEW>...", after_help = RESULTS)]
pub struct AcceptArgs {
    /// OLD, the results to compare with, and NEW, those to accept
    #[arg(value_name = "RESULTS")]
    pub results: Vec<OsString>,
    /// Accept all counts, not only those that regressed
    #[arg(long, conflicts_with = "prune")]
    pub all: bool,
    /// Remove the lines that have no effect any more, and accept nothing
    #[arg(long)]
    pub prune: bool,
    /// Write this reason into each line [default: the one that is there]
    #[arg(long, value_name = "TEXT", conflicts_with = "prune")]
    pub reason: Option<String>,
    /// How results are judged.
    #[command(flatten)]
    pub judgement: JudgementOptions,
}
