//! The meaning of a difference of times (slower, faster, `(layout)`), or why nothing can be said.

use serde::{Deserialize, Serialize};

use crate::pairing::{PairedTimes, TimedSubject};
use crate::sign_interval::SignInterval;

/// Differences below this are not told from none: the scheme itself has a bias of up to 0.2 %.
const FLOOR: f64 = 0.005;
/// Smallest difference that the clock tells, in nanoseconds.
const CLOCK: f64 = 1.0;
/// Calls below this are shorter than the cost of the clock, which is subtracted, in nanoseconds.
pub const SHORTEST: f64 = 20.0;
/// Runs of programs below this, in nanoseconds, are not told from others by less than
/// [`SHORT_RUN_FLOOR`]: the start of a process alone takes up to 2 ms.
const SHORT_RUN: f64 = 20e6;
const SHORT_RUN_FLOOR: f64 = 0.02;
/// The half of an interval above which it says nothing, unless the difference is larger still.
const LIMITED_WIDTH: f64 = 0.05;
const MOST_STEAL: f64 = 0.1;
const MOST_THROTTLED: f64 = 0.5;
/// The largest differences that code placement alone made, with some room, by the time of a call in
/// nanoseconds. Measured were 18, 2.2 and 0.4 %.
const PLACEMENT: [(f64, f64); 3] = [(1_000.0, 0.2), (10_000.0, 0.05), (f64::INFINITY, 0.01)];

/// Class of a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum TimeClass {
    /// No difference that is proven and large enough.
    Unchanged,
    /// The new executable is slower.
    Slower,
    /// The new executable is faster.
    Faster,
    /// The same instructions of the same code: the difference comes from its place in memory.
    Layout,
    /// No statement is possible; `reason` says why.
    NotJudged,
    /// There is no old executable; `reason` says why.
    NoOld,
}

/// Reason why no statement is possible although both sides were measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeDoubt {
    /// The time for it was too short.
    FewStarts,
    /// The interval is too wide.
    Wide,
    /// A call is shorter than what the clock costs.
    Short,
    /// Other virtual machines took too much time.
    Steal,
    /// The limit of a cgroup held the processes up.
    Throttled,
    /// Calls take longer and longer, or shorter and shorter.
    Changing,
    /// Code placement alone can make such a difference.
    Placement,
}

impl TimeDoubt {
    /// The word in a row.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::FewStarts => "too few starts",
            Self::Wide => "too noisy",
            Self::Short => "too short",
            Self::Steal => "CPU stolen",
            Self::Throttled => "CPU throttled",
            Self::Changing => "calls differ",
            Self::Placement => "layout?",
        }
    }
}

/// The known facts about the code of both sides.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CodeOfSides {
    /// Both sides execute the same number of instructions of the same machine code.
    pub same: bool,
    /// All functions begin at multiples of 64 bytes on both sides.
    pub aligned: bool,
}

/// Class of a difference of times.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimeJudgement {
    /// Class.
    pub class: TimeClass,
    /// Reason why nothing can be said.
    pub doubt: Option<TimeDoubt>,
    /// The interval of new / old - 1, at least as wide as the smallest difference that is told.
    pub change: Option<SignInterval>,
}

impl TimeJudgement {
    /// Judges times of both sides. `noise`: changes within this share are none, however sure they
    /// are.
    #[must_use]
    pub fn of(times: &PairedTimes, code: CodeOfSides, noise: f64) -> Self {
        // By the faster side: a bound by the time of a call has to hold for both.
        let call = times
            .old
            .map_or(times.new.median, |old| old.median.min(times.new.median));
        let change = times.interval.map(|interval| SignInterval {
            low: interval.low.exp_m1(),
            estimate: interval.estimate.exp_m1(),
            high: interval.high.exp_m1(),
        });
        let doubted = |doubt| Self {
            class: TimeClass::NotJudged,
            doubt: Some(doubt),
            change,
        };
        if times.old.is_none() {
            return Self {
                class: TimeClass::NoOld,
                doubt: None,
                change: None,
            };
        }
        if times.subject == TimedSubject::Call && call < SHORTEST {
            return doubted(TimeDoubt::Short);
        }
        let Some(found) = change else {
            return doubted(TimeDoubt::FewStarts);
        };
        // Causes before effects: where time is stolen, intervals are wide as well.
        let conditions = [
            (times.steal > MOST_STEAL, TimeDoubt::Steal),
            (times.throttled > MOST_THROTTLED, TimeDoubt::Throttled),
            (times.changing, TimeDoubt::Changing),
            (times.interval.is_some_and(is_wide), TimeDoubt::Wide),
        ];
        if let Some((_, doubt)) = conditions.into_iter().find(|(holds, _)| *holds) {
            return doubted(doubt);
        }
        let floor = match times.subject {
            TimedSubject::Run if call < SHORT_RUN => SHORT_RUN_FLOOR,
            _ => FLOOR.max(CLOCK / call),
        };
        let floor = floor.max(noise);
        let judged = |class| Self {
            class,
            doubt: None,
            change,
        };
        if found.low <= floor && found.high >= -floor {
            return judged(TimeClass::Unchanged);
        }
        // The same code is not slower by itself: what differs is where it is in memory.
        if code.same {
            return judged(TimeClass::Layout);
        }
        let placement = PLACEMENT.iter().find(|(most, _)| call < *most);
        let placement = placement.map_or(0.0, |(_, difference)| *difference);
        if !code.aligned && found.estimate.abs() < placement {
            return doubted(TimeDoubt::Placement);
        }
        judged(match found.low > 0.0 {
            true => TimeClass::Slower,
            false => TimeClass::Faster,
        })
    }

    /// Is it proven that the time grew by more than this, in percent?
    #[must_use]
    pub fn exceeds(&self, limit: f64) -> bool {
        self.class == TimeClass::Slower && self.change.is_some_and(|it| it.low * 100.0 > limit)
    }
}

/// Is an interval of logarithms so wide that it says nothing? The width is that of the ratio, so
/// that both directions are judged alike; a difference that is further from none than the half of
/// its interval is proven however wide this is.
fn is_wide(found: SignInterval) -> bool {
    let half = (found.high - found.low) / 2.0;
    let distance = found.low.max(-found.high);
    half > LIMITED_WIDTH.ln_1p() && distance <= half
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairing::{TimeBasis, TimesOfSide};

    const FREE: CodeOfSides = CodeOfSides {
        same: false,
        aligned: true,
    };

    /// Times of a call of so many nanoseconds, with this change in percent.
    fn times(call: f64, [low, estimate, high]: [f64; 3]) -> PairedTimes {
        let side = TimesOfSide {
            min: call,
            median: call,
        };
        let log = |percent: f64| (percent / 100.0).ln_1p();
        PairedTimes {
            subject: TimedSubject::Call,
            basis: TimeBasis::Wall,
            new: side,
            old: Some(side),
            interval: Some(SignInterval {
                low: log(low),
                estimate: log(estimate),
                high: log(high),
            }),
            ratios: vec![log(estimate); 64],
            starts: 64,
            pairs: 12,
            calls: 100,
            preempted: 0.0,
            steal: 0.0,
            throttled: 0.0,
            changing: false,
            threads: false,
        }
    }

    #[track_caller]
    fn check(times: &PairedTimes, code: CodeOfSides, class: TimeClass, doubt: Option<TimeDoubt>) {
        let judgement = TimeJudgement::of(times, code, 0.0);
        assert_eq!((judgement.class, judgement.doubt), (class, doubt));
    }

    #[test]
    fn an_interval_has_to_lie_beyond_the_floor() {
        check(&times(5e4, [0.6, 1.0, 1.4]), FREE, TimeClass::Slower, None);
        check(
            &times(5e4, [-1.4, -1.0, -0.6]),
            FREE,
            TimeClass::Faster,
            None,
        );
        check(
            &times(5e4, [0.4, 1.0, 1.6]),
            FREE,
            TimeClass::Unchanged,
            None,
        );
        check(
            &times(5e4, [-1.6, -1.0, -0.4]),
            FREE,
            TimeClass::Unchanged,
            None,
        );
        // The clock tells no difference of a nanosecond.
        check(
            &times(50.0, [1.2, 1.5, 1.8]),
            FREE,
            TimeClass::Unchanged,
            None,
        );
        check(&times(50.0, [2.2, 2.5, 2.8]), FREE, TimeClass::Slower, None);
    }

    #[test]
    fn changes_within_the_noise_that_is_given_are_none() {
        let class = |noise| TimeJudgement::of(&times(5e4, [1.6, 2.0, 2.4]), FREE, noise).class;
        assert_eq!(class(0.015), TimeClass::Slower);
        assert_eq!(class(0.02), TimeClass::Unchanged);
        // The own floor stays.
        let small = TimeJudgement::of(&times(5e4, [0.2, 0.3, 0.4]), FREE, 0.001);
        assert_eq!(small.class, TimeClass::Unchanged);
    }

    #[test]
    fn a_wide_interval_hides_no_large_difference() {
        let wide = Some(TimeDoubt::Wide);
        let unknown = TimeClass::NotJudged;
        check(&times(5e4, [1.0, 7.0, 13.0]), FREE, unknown, wide);
        check(&times(5e4, [-13.0, -7.0, -1.0]), FREE, unknown, wide);
        check(
            &times(5e4, [10.0, 17.0, 24.0]),
            FREE,
            TimeClass::Slower,
            None,
        );
        // A pair of executables, in both directions.
        check(
            &times(5e4, [258.6, 267.0, 288.4]),
            FREE,
            TimeClass::Slower,
            None,
        );
        check(
            &times(5e4, [-74.2, -72.8, -72.1]),
            FREE,
            TimeClass::Faster,
            None,
        );
        // Its width is that of the ratio.
        check(
            &times(5e4, [196.0, 200.0, 208.0]),
            FREE,
            TimeClass::Slower,
            None,
        );
    }

    #[test]
    fn short_runs_of_programs_have_a_floor_of_their_own() {
        let run = |time: f64, change: [f64; 3]| PairedTimes {
            subject: TimedSubject::Run,
            ..times(time, change)
        };
        let (short, long) = (5e6, 50e6);
        for (time, change, class) in [
            (short, [1.0, 1.5, 2.5], TimeClass::Unchanged),
            (short, [2.1, 2.5, 3.0], TimeClass::Slower),
            (long, [1.1, 1.5, 2.5], TimeClass::Slower),
            (long, [-2.5, -1.5, -1.1], TimeClass::Faster),
            // No program is too short.
            (19.0, [2.1, 2.5, 3.0], TimeClass::Slower),
        ] {
            check(&run(time, change), FREE, class, None);
        }
    }

    #[test]
    fn the_same_code_is_neither_slower_nor_faster() {
        let same = CodeOfSides { same: true, ..FREE };
        check(&times(5e4, [6.0, 7.0, 8.0]), same, TimeClass::Layout, None);
        check(
            &times(5e4, [0.0, 0.1, 0.2]),
            same,
            TimeClass::Unchanged,
            None,
        );
    }

    #[test]
    fn small_differences_may_come_from_placement() {
        let code = CodeOfSides {
            aligned: false,
            ..FREE
        };
        let doubt = Some(TimeDoubt::Placement);
        check(
            &times(500.0, [18.0, 19.0, 20.0]),
            code,
            TimeClass::NotJudged,
            doubt,
        );
        check(
            &times(500.0, [20.0, 21.0, 22.0]),
            code,
            TimeClass::Slower,
            None,
        );
        check(
            &times(5e3, [4.0, 4.5, 5.0]),
            code,
            TimeClass::NotJudged,
            doubt,
        );
        check(
            &times(5e3, [-6.5, -6.0, -5.5]),
            code,
            TimeClass::Faster,
            None,
        );
        check(
            &times(5e4, [0.7, 0.8, 0.9]),
            code,
            TimeClass::NotJudged,
            doubt,
        );
        check(&times(5e4, [1.1, 1.2, 1.3]), code, TimeClass::Slower, None);
    }

    #[test]
    fn what_cannot_be_measured_is_not_judged() {
        let good = times(5e4, [2.0, 3.0, 4.0]);
        let not_judged = |times: PairedTimes, doubt| {
            check(&times, FREE, TimeClass::NotJudged, Some(doubt));
        };
        not_judged(times(19.0, [2.0, 3.0, 4.0]), TimeDoubt::Short);
        not_judged(times(5e4, [2.0, 8.0, 13.0]), TimeDoubt::Wide);
        let good = || good.clone();
        not_judged(
            PairedTimes {
                interval: None,
                ..good()
            },
            TimeDoubt::FewStarts,
        );
        not_judged(
            PairedTimes {
                steal: 0.11,
                ..good()
            },
            TimeDoubt::Steal,
        );
        not_judged(
            PairedTimes {
                throttled: 0.6,
                ..good()
            },
            TimeDoubt::Throttled,
        );
        not_judged(
            PairedTimes {
                changing: true,
                ..good()
            },
            TimeDoubt::Changing,
        );
        let alone = PairedTimes {
            old: None,
            ..good()
        };
        check(&alone, FREE, TimeClass::NoOld, None);
    }

    #[test]
    fn a_limit_is_exceeded_by_what_is_proven() {
        let judgement = TimeJudgement::of(&times(5e4, [4.9, 6.0, 7.0]), FREE, 0.0);
        assert!(judgement.exceeds(4.8) && !judgement.exceeds(5.0));
        let same = CodeOfSides { same: true, ..FREE };
        let layout = TimeJudgement::of(&times(5e4, [40.0, 41.0, 42.0]), same, 0.0);
        assert!(!layout.exceeds(5.0));
    }
}
