//! How benchmarks are run.

use std::time::Duration;

use clap::Args;

/// How benchmarks are run.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Running")]
pub struct RunningOptions {
    /// Run up to this many benchmarks of a group at the same time; without a number, one for each
    /// processor. Counts do not depend on it [default: 1]
    #[arg(
        long,
        value_name = "N",
        value_parser = workers,
        num_args = 0..=1,
        default_missing_value = "auto"
    )]
    pub parallel: Option<usize>,

    /// Stop a benchmark that takes longer than this [default: never]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,

    /// Measure in forks of one process, which is started once for all benchmarks, instead of in a
    /// process for each [default: yes]
    #[arg(long)]
    pub fork: Option<bool>,
}

/// A positive number of workers, or `auto`.
fn workers(text: &str) -> Result<usize, String> {
    if text.eq_ignore_ascii_case("auto") {
        return Ok(std::thread::available_parallelism().map_or(1, Into::into));
    }
    text.parse()
        .ok()
        .filter(|workers| *workers > 0)
        .ok_or_else(|| "expected a number above 0, or `auto` for one for each processor".to_owned())
}

/// A positive number of seconds.
fn seconds(text: &str) -> Result<Duration, String> {
    let duration = text
        .parse()
        .ok()
        .and_then(|s| Duration::try_from_secs_f64(s).ok());
    duration
        .filter(|duration| !duration.is_zero())
        .ok_or_else(|| "expected a number of seconds above 0, such as `30` or `0.5`".to_owned())
}
