//! Settings of time, which have an effect where time is measured beside the counts: with `--time`.

use std::time::Duration;

use iai_callgrind::protocol::Time;

/// The settings that were given.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Timing {
    pub(crate) min: Option<Duration>,
    pub(crate) max: Option<Duration>,
    pub(crate) calls: Option<u32>,
}

impl Timing {
    /// These settings over those of an outer level.
    pub(crate) fn over(self, below: Self) -> Self {
        Self {
            min: self.min.or(below.min),
            max: self.max.or(below.max),
            calls: self.calls.or(below.calls),
        }
    }

    pub(crate) fn time(self) -> Time {
        let least = Time::DURATION.max(self.min.unwrap_or_default());
        let bounded = self.min.is_some() || self.max.is_some();
        Time {
            duration: bounded.then(|| least.min(self.max.unwrap_or(Duration::MAX))),
            calls: self.calls.filter(|calls| *calls > 0),
            ..Time::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_time_is_brought_between_the_bounds() {
        let milliseconds = |number: u64| Some(Duration::from_millis(number));
        for (min, max, expected) in [
            (None, None, None),
            (Some(100), None, Some(500)),
            (Some(1500), None, Some(1500)),
            (None, Some(200), Some(200)),
            (None, Some(1000), Some(500)),
            // As in Divan, the most wins.
            (Some(1500), Some(1000), Some(1000)),
        ] {
            let timing = Timing {
                min: min.and_then(milliseconds),
                max: max.and_then(milliseconds),
                calls: None,
            };
            assert_eq!(timing.time().duration, expected.and_then(milliseconds));
        }
    }

    #[test]
    fn inner_settings_win() {
        let outer = Timing {
            min: Some(Duration::from_secs(1)),
            max: None,
            calls: Some(0),
        };
        let inner = Timing {
            calls: Some(9),
            ..Timing::default()
        };
        assert_eq!(inner.over(outer).time().calls, Some(9));
        assert_eq!(inner.over(outer).min, outer.min);
        assert_eq!(outer.time().calls, None);
    }
}
