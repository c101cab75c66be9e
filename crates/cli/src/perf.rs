//! The options about perf.

use std::time::Duration;

use clap::Args;
use iai_callgrind::protocol::limit::mistake;
use iai_callgrind::protocol::{Limit, PerfLimits, PerfMetric, PerfRunMode, Unit};
use iai_callgrind::shared::yes_no::yes_or_no;

use super::time::time;
use metrics::limit_text;

/// Time of `--perf-sampling` without a value.
const SAMPLING: Duration = Duration::from_secs(2);

/// Events that perf counts, and how it measures. These options do not switch it on.
#[derive(Debug, Clone, Default, Args)]
pub struct PerfOptions {
    /// Count these events with perf
    ///
    /// Count these events with perf instead of the configured ones, separated by commas. Can be
    /// repeated: each set is a further run [default: as configured, else instructions and cycles in
    /// user mode, clocks, faults, context switches, branch and cache misses]
    #[arg(
        long = "perf-events",
        value_name = "EVENTS",
        value_parser = clap::builder::NonEmptyStringValueParser::new(),
        action = clap::ArgAction::Append
    )]
    pub events: Vec<String>,

    /// Run `perf record` as well
    ///
    /// Run benchmarks under `perf record` as well, with the same events, and keep what it writes
    /// [default: as configured, else no]
    #[arg(long = "perf-record")]
    pub record: Option<bool>,

    /// Pass arguments to `perf record`
    ///
    /// Pass these arguments to `perf record`, split as in a shell, after the configured ones; they
    /// do not switch it on [default: none]
    #[arg(
        long = "perf-record-args",
        value_name = "ARGS",
        allow_hyphen_values = true,
        action = clap::ArgAction::Append
    )]
    pub record_args: Vec<String>,

    /// Subtract the cost of measuring with perf
    ///
    /// Subtract the cost of measuring with perf, that of an empty benchmark which runs before, for
    /// a second or this time (`calibrate`, `calibrate=500ms`), or nothing (`direct`) [default: as
    /// configured, else direct]
    #[arg(long = "perf-run-mode", value_name = "MODE", value_parser = run_mode)]
    pub run_mode: Option<PerfRunMode>,

    /// Repeat benchmarks under perf
    ///
    /// Repeat benchmarks under perf for this time, such as `500ms`, and show means; `yes` is 2
    /// seconds, `no` runs them once [default: as configured, else no]
    #[arg(
        long = "perf-sampling",
        value_name = "TIME",
        value_parser = sampling,
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "yes"
    )]
    pub sampling: Option<Duration>,
}

fn run_mode(text: &str) -> Result<PerfRunMode, String> {
    match text.to_ascii_lowercase().split_once('=') {
        None if text.eq_ignore_ascii_case("direct") => Ok(PerfRunMode::Direct),
        None if text.eq_ignore_ascii_case("calibrate") => Ok(PerfRunMode::DefaultCalibrate),
        Some(("calibrate", text)) => time(text).map(PerfRunMode::Calibrate),
        _ => Err("expected `direct`, `calibrate` or `calibrate=<time>`".to_owned()),
    }
}

fn sampling(text: &str) -> Result<Duration, String> {
    // `1` is a time here.
    time(text).or_else(|wrong| match yes_or_no(text) {
        Ok(true) => Ok(SAMPLING),
        Ok(false) => Ok(Duration::ZERO),
        Err(_) => Err(wrong),
    })
}

/// Limits of the form `pattern=5%|10000,pattern=2.5ms`.
pub(super) fn perf_limits(text: &str) -> Result<PerfLimits, String> {
    // Typed limits replace the configured ones.
    let mut limits = PerfLimits {
        clear: true,
        ..PerfLimits::default()
    };
    for pair in text.split(',') {
        let (pattern, values) = pair
            .split_once('=')
            .map(|(pattern, values)| (pattern.trim(), values))
            .filter(|(pattern, _)| !pattern.is_empty())
            .ok_or_else(|| format!("`{pair}` is not of the form `pattern=limit`"))?;
        for value in values.split('|').map(str::trim) {
            let metric = PerfMetric::from(pattern);
            match value
                .strip_suffix('%')
                .map(|percent| percent.trim().parse())
            {
                Some(Ok(percent)) if mistake(percent).is_none() => {
                    limits.set_soft(metric, percent);
                }
                Some(Ok(percent)) => {
                    let reason = mistake(percent).unwrap_or_default();
                    return Err(format!(
                        "`{value}` is no limit for `{pattern}`: it {reason}"
                    ));
                }
                None if hard(value).is_some() => {
                    let (unit, limit) = hard(value).unwrap_or((None, Limit::Int(0)));
                    limits.set_hard(metric, unit, limit);
                }
                _ => {
                    return Err(format!(
                    "`{value}` is no limit for `{pattern}`: a soft limit ends with `%`, such as \
                         `5%`; a hard limit is a number, if need be with a unit, such as `2.5ms`"
                ))
                }
            }
        }
    }
    Ok(limits)
}

/// The limits as they can be typed: `cycles*=5%,task-clock=2.5ms`.
pub(super) fn typed_perf_limits(limits: &PerfLimits) -> String {
    let soft = limits.soft.iter();
    let soft = soft.map(|(pattern, limit)| format!("{pattern}={limit}%"));
    let hard = limits.hard.iter().map(|(pattern, (unit, limit))| {
        let unit = unit.as_ref().map(Unit::to_string).unwrap_or_default();
        format!("{pattern}={}{unit}", limit_text(*limit))
    });
    soft.chain(hard).collect::<Vec<_>>().join(",")
}

/// A number with a unit, if there is one.
fn hard(value: &str) -> Option<(Option<Unit>, Limit)> {
    let is_number = |c: char| c.is_ascii_digit() || c == '.';
    let unit = value.trim_start_matches(is_number);
    let number = &value[..value.len() - unit.len()];
    let unit = unit.trim();
    let limit = match (number.parse::<u64>(), number.parse::<f64>()) {
        (Ok(limit), _) => Limit::Int(limit),
        (_, Ok(limit)) if mistake(limit).is_none() => Limit::Float(limit),
        _ => return None,
    };
    let unit = (!unit.is_empty()).then(|| Unit::from(unit));
    match unit {
        // A typing error rather than a unit of perf.
        Some(Unit::Unknown(_)) => None,
        unit => Some((unit, limit)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sampling_takes_a_time_or_whether_it_is_done() {
        assert_eq!(sampling("yes"), Ok(SAMPLING));
        assert_eq!(sampling("OFF"), Ok(Duration::ZERO));
        assert_eq!(sampling("1"), Ok(Duration::from_secs(1)));
        assert_eq!(sampling("500ms"), Ok(Duration::from_millis(500)));
        assert!(sampling("1h").is_err());
    }

    #[test]
    fn run_modes() {
        assert_eq!(run_mode("Direct"), Ok(PerfRunMode::Direct));
        assert_eq!(run_mode("calibrate"), Ok(PerfRunMode::DefaultCalibrate));
        let half = PerfRunMode::Calibrate(Duration::from_millis(500));
        assert_eq!(run_mode("calibrate=500ms"), Ok(half));
        assert!(run_mode("calibrate=x").is_err());
        assert!(run_mode("sometimes").is_err());
    }

    #[test]
    fn limits_have_patterns_and_units() {
        let limits = perf_limits("instructions*=5%|10000, task-clock = 2.5 ms|-1%").unwrap();
        assert_eq!(perf_limits(&typed_perf_limits(&limits)), Ok(limits.clone()));
        let soft = [("instructions*".into(), 5.0), ("task-clock".into(), -1.0)];
        assert_eq!(limits.soft, soft);
        let hard = [
            ("instructions*".into(), (None, Limit::Int(10_000))),
            (
                "task-clock".into(),
                (Some(Unit::Milliseconds), Limit::Float(2.5)),
            ),
        ];
        assert_eq!(limits.hard, hard);
        for text in [
            "",
            "cycles",
            "=5%",
            "cycles=",
            "cycles=5%|",
            "cycles=-5",
            "cycles=5x",
            "c=x%",
            "c=nan",
            "c=inf",
        ] {
            assert!(perf_limits(text).is_err(), "{text}");
        }
        for (text, reason) in [
            ("c=NaN%", "must be a number"),
            ("c=-inf%", "must be finite"),
            ("c=1e400%", "must be finite"),
            ("c=-0%", "must not be `-0`"),
        ] {
            let error = perf_limits(text).unwrap_err();
            assert!(error.contains(reason), "{text}: {error}");
        }
        let large = format!("c={}", "9".repeat(400));
        assert!(perf_limits(&large).is_err());
    }
}
