//! The options about wall time.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use iai_callgrind::shared::yes_no::yes_or_no;

use super::time::time_above_zero;

/// Wall time beside the counts.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Wall time")]
pub struct TimeOptions {
    /// Measure wall time as well
    ///
    /// Measure wall time as well, in pairs with the executable of the old result, for this time for
    /// each benchmark, such as `2s`, without one as the benchmark says, or `0.5s`. `changed`
    /// measures only where counts or code changed. Keeps copies of executables [default: as the
    /// benchmarks say, or no]
    #[arg(
        long,
        value_name = "DURATION",
        value_parser = wanted_time,
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "yes"
    )]
    pub time: Option<WantedTime>,

    /// Fail if a benchmark is proven slower by more
    ///
    /// Fail with exit code 3 if a benchmark is proven to take longer by more than this, such as
    /// `5%`: the lower bound of the 99.9 % confidence interval exceeds it. Holds for
    /// benchmarks that are timed [default: none]
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    pub time_limits: Option<f64>,

    /// Compare wall time with this executable
    ///
    /// Compare wall time with this executable, or with those in this directory, such as
    /// `target/release/deps` of another checkout, or with those that were timed with the results of
    /// another `--home`. A relative path begins at the workspace. Holds for benchmarks that are
    /// timed [default: the kept executable of the old result]
    #[arg(long, value_name = "PATH")]
    pub time_base: Option<PathBuf>,
}

/// Time of which benchmarks, for how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WantedTime {
    /// None.
    No,
    /// All, for so long each; `None`: as the benchmarks say.
    All(Option<Duration>),
    /// The benchmarks whose counts or code changed.
    Changed,
}

fn wanted_time(text: &str) -> Result<WantedTime, String> {
    if text.eq_ignore_ascii_case("changed") {
        return Ok(WantedTime::Changed);
    }
    // `1` is a second here, and not "yes".
    if let Ok(duration) = time_above_zero(text) {
        return Ok(WantedTime::All(Some(duration)));
    }
    match yes_or_no(text) {
        Ok(true) => Ok(WantedTime::All(None)),
        Ok(false) => Ok(WantedTime::No),
        Err(_) => Err("expected a time such as `2s`, `changed`, `yes` or `no`".to_owned()),
    }
}

fn percent(text: &str) -> Result<f64, String> {
    let number = text.trim().strip_suffix('%');
    let number = number.and_then(|number| number.trim().parse::<f64>().ok());
    number
        .filter(|number| number.is_finite() && *number >= 0.0)
        .ok_or_else(|| "expected a percentage that is not negative, such as `5%`".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_a_duration_or_a_word() {
        let seconds = |seconds| Ok(WantedTime::All(Some(Duration::from_secs_f64(seconds))));
        assert_eq!(wanted_time("yes"), Ok(WantedTime::All(None)));
        assert_eq!(wanted_time("2s"), seconds(2.0));
        assert_eq!(wanted_time("1"), seconds(1.0));
        assert_eq!(wanted_time("Changed"), Ok(WantedTime::Changed));
        for no in ["no", "false", "0"] {
            assert_eq!(wanted_time(no), Ok(WantedTime::No), "{no}");
        }
        for bad in ["", "-1", "always", "2h"] {
            wanted_time(bad).unwrap_err();
        }
    }

    #[test]
    fn a_limit_is_a_percentage() {
        assert_eq!(percent("5%"), Ok(5.0));
        assert_eq!(percent(" 0.5 %"), Ok(0.5));
        for bad in ["5", "%", "-1%", "nan%", "inf%", "1e999%"] {
            percent(bad).unwrap_err();
        }
    }
}
