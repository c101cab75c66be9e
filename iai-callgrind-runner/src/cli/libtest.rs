//! Options of libtest that cargo and test runners pass, and that change nothing here.

use clap::Args;

/// Options of libtest that change nothing.
#[derive(Debug, Clone, Default, Args)]
pub struct LibtestOptions {
    #[arg(long, hide = true)]
    bench: bool,
    #[arg(long, hide = true)]
    test: bool,
    #[arg(long, hide = true)]
    ignored: bool,
    #[arg(long, hide = true)]
    include_ignored: bool,
    #[arg(long, hide = true)]
    show_output: bool,
    #[arg(long, short, hide = true)]
    quiet: bool,
    #[arg(long, hide = true)]
    format: Option<String>,
    #[arg(long, hide = true)]
    logfile: Option<String>,
    #[arg(long, hide = true)]
    shuffle: bool,
    #[arg(long, hide = true)]
    shuffle_seed: Option<String>,
    #[arg(long, hide = true)]
    test_threads: Option<String>,
    #[arg(short = 'Z', hide = true)]
    unstable: Option<String>,
}
