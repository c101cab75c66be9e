//! The start of a run or of a benchmark, and the time since then.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Start of a run or of a benchmark.
#[derive(Debug, Clone, Copy)]
pub struct Clock {
    at: SystemTime,
    start: Instant,
}

impl Clock {
    /// A clock that starts now.
    pub fn start() -> Self {
        Self {
            at: SystemTime::now(),
            start: Instant::now(),
        }
    }

    /// The start in UTC: `2026-01-31T12:00:00.000Z`.
    pub fn started_at(&self) -> String {
        // The format ends with the year 9999: a clock that is set to a later time gives its last
        // second.
        let last = UNIX_EPOCH + Duration::from_secs(253_402_300_799);
        let at = self.at.clamp(UNIX_EPOCH, last);
        humantime::format_rfc3339_millis(at).to_string()
    }

    /// Does this clock start before the other one?
    pub fn is_before(&self, other: &Self) -> bool {
        self.start < other.start
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Nanoseconds since the start.
    pub fn elapsed_ns(&self) -> u64 {
        u64::try_from(self.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_may_be_set_to_any_time() {
        #[track_caller]
        fn check(at: SystemTime, expected: &str) {
            let clock = Clock {
                at,
                start: Instant::now(),
            };
            assert_eq!(clock.started_at(), expected);
        }
        let days = |days: u64| Duration::from_secs(days * 86_400);
        check(UNIX_EPOCH - days(3653), "1970-01-01T00:00:00.000Z");
        check(UNIX_EPOCH, "1970-01-01T00:00:00.000Z");
        check(UNIX_EPOCH + days(10_957), "2000-01-01T00:00:00.000Z");
        check(UNIX_EPOCH + days(4_000_000), "9999-12-31T23:59:59.000Z");
    }
}
