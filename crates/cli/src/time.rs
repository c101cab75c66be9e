//! Times on the command line, in one syntax for all options: a number with a unit, or of seconds.

use std::time::Duration;

/// `500ms`, `1.5s`; a number alone are seconds.
pub(super) fn time(text: &str) -> Result<Duration, String> {
    let text = text.trim();
    let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let seconds = match text[number.len()..].to_ascii_lowercase().as_str() {
        "ns" | "nsec" => Some(1e-9),
        "us" | "usec" => Some(1e-6),
        "ms" | "msec" => Some(1e-3),
        "" | "s" | "sec" | "secs" | "second" | "seconds" => Some(1.0),
        _ => None,
    };
    let value: Option<f64> = number.trim().parse().ok();
    value
        .zip(seconds)
        .and_then(|(value, seconds)| Duration::try_from_secs_f64(value * seconds).ok())
        .ok_or_else(|| format!("`{text}` is no time, such as `500ms`, `2s` or `2`"))
}

/// A time that is not zero.
pub(super) fn time_above_zero(text: &str) -> Result<Duration, String> {
    match time(text)? {
        Duration::ZERO => {
            Err("expected a time above 0, such as `30s`, `0.5` or `500ms`".to_owned())
        }
        time => Ok(time),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_a_unit_or_are_seconds() {
        for (text, nanoseconds) in [
            ("2", 2_000_000_000),
            ("30", 30_000_000_000),
            ("0.5", 500_000_000),
            ("30s", 30_000_000_000),
            ("1.5s", 1_500_000_000),
            ("500ms", 500_000_000),
            ("500 msec", 500_000_000),
            ("7US", 7000),
            ("3ns", 3),
            ("1seconds", 1_000_000_000),
        ] {
            let expected = Ok(Duration::from_nanos(nanoseconds));
            assert_eq!(time(text), expected, "{text}");
            assert_eq!(time_above_zero(text), expected, "{text}");
        }
        for text in ["", "ms", "-1", "1h", "1e400", "nan", "inf", "30 s x"] {
            assert!(time(text).is_err(), "{text}");
        }
    }

    #[test]
    fn no_time_at_all_is_one_for_some_only() {
        for text in ["0", "0ms", "0.0s"] {
            assert_eq!(time(text), Ok(Duration::ZERO), "{text}");
            assert!(time_above_zero(text).is_err(), "{text}");
        }
    }
}
