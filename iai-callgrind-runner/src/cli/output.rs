//! What is printed, and how.

use clap::{Args, ValueEnum};

/// What is printed, and how.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Output")]
pub struct OutputOptions {
    /// Show what the benchmarks print
    #[arg(long, alias = "no-capture")]
    pub nocapture: Option<bool>,

    /// Show each process, thread and part of a benchmark, not only their total [default: no]
    #[arg(long)]
    pub show_intermediate: Option<bool>,

    /// When to use colours [default: auto, on a terminal]
    #[arg(long, value_name = "WHEN")]
    pub color: Option<Color>,
}

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless `NO_COLOR` is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}
