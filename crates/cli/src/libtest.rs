//! The options that cargo and test runners pass to any test harness.
//!
//! Hidden in the help. Most of these options change nothing; a value is always one word.

use clap::{ArgAction, Args};

/// Options of libtest, and what is no option any more.
#[derive(Debug, Clone, Default, Args)]
pub struct LibtestOptions {
    /// Only ignored benchmarks, of which there are none.
    #[arg(long, hide = true)]
    pub ignored: bool,
    /// Limits, before 0.15.
    #[arg(long, hide = true)]
    pub regression: Option<String>,
    #[arg(long, hide = true)]
    bench: bool,
    #[arg(long, hide = true)]
    include_ignored: bool,
    #[arg(long, hide = true)]
    exclude_should_panic: bool,
    #[arg(long, hide = true)]
    show_output: bool,
    #[arg(long, hide = true)]
    fail_fast: bool,
    #[arg(long, hide = true)]
    force_run_in_process: bool,
    #[arg(long, hide = true)]
    ensure_time: bool,
    #[arg(long, hide = true)]
    report_time: bool,
    #[arg(long, hide = true)]
    shuffle: bool,
    #[arg(long, hide = true, value_name = "FORMAT")]
    format: Option<String>,
    #[arg(long, hide = true, value_name = "PATH")]
    logfile: Option<String>,
    #[arg(long, hide = true, value_name = "SEED")]
    shuffle_seed: Option<String>,
    #[arg(long, hide = true, value_name = "N")]
    test_threads: Option<String>,
    #[arg(short = 'Z', hide = true, value_name = "FEATURE", action = ArgAction::Append)]
    unstable: Vec<String>,
}
