//! The row of wall time below those of counts.
//!
//! ```text
//!   Time:                         1.31 us | 1.34 us            -2.2% ±0.4%
//!   Time:                         1.31 us | 1.34 us            (not significant, ±1.8%)
//!   Bytes/Second:                   763 M | 746 M
//! ```

use super::columns::{Columns, RowColumns, MISSING, NAME};
use super::paint::Ink;
use super::Style;
use records::summary::{HandledAmounts, RecordedTime};
use time::{TimeBasis, TimeClass, TimeDoubt, SHORTEST};

/// The texts of the row.
pub(super) struct TimeRow {
    /// Name of the row.
    pub(super) label: &'static str,
    /// The unit of both sides.
    unit: &'static str,
    /// Time of the new side, without unit.
    new: String,
    /// Time of the old side, without unit.
    old: Option<String>,
    /// The change, and its color.
    pub(super) change: (String, Ink),
}

impl TimeRow {
    /// The row of a time. `None`: nothing was measured, and nothing went wrong.
    pub(super) fn of(time: &RecordedTime) -> Option<Self> {
        let label = match time.basis {
            TimeBasis::Wall => "Time",
            TimeBasis::Cpu => "CPU time",
        };
        let Some(new) = time.median_ns else {
            let not_measured = time.class == TimeClass::NotJudged;
            return not_measured.then(|| Self {
                label,
                unit: "",
                new: MISSING.to_owned(),
                old: None,
                change: ("(not measured)".to_owned(), Ink::Quiet),
            });
        };
        // One unit for both sides, so that they can be compared with an eye.
        let (size, unit) = unit(new.max(time.old_median_ns.unwrap_or(0.0)));
        let text = |time: f64| match time < SHORTEST {
            true => format!("< {SHORTEST}"),
            false => three_digits(time / size),
        };
        Some(Self {
            label,
            unit,
            new: text(new),
            old: time.old_median_ns.map(text),
            change: change(time),
        })
    }

    /// The time of the new side with its unit.
    pub(super) fn new_text(&self) -> String {
        self.with_unit(&self.new)
    }

    /// The time of the old side with its unit.
    pub(super) fn old_text(&self) -> Option<String> {
        self.old.as_deref().map(|old| self.with_unit(old))
    }

    fn piped(&self, style: Style) -> String {
        let label = match self.unit {
            "" => self.label.to_owned(),
            unit => format!("{} [{unit}]", self.label),
        };
        let (change, ink) = &self.change;
        let columns = Columns { name: NAME, style };
        let line = RowColumns {
            left: (&self.new, Ink::Strong),
            right: self.old.as_deref().unwrap_or(MISSING),
            difference: (!change.is_empty()).then(|| style.paint(*ink, change)),
        };
        columns.line(&label, &line)
    }

    fn with_unit(&self, time: &str) -> String {
        format!("{time} {}", self.unit).trim_end().to_owned()
    }
}

/// Rows of what both sides handle in a second: bytes, elements. The change is that of the time.
pub(super) fn rates(time: &RecordedTime) -> Vec<TimeRow> {
    let Some(amounts) = time.throughput else {
        return Vec::new();
    };
    let rate = |amount: Option<u64>, call: Option<f64>| {
        // Where the row says `<`, a rate would look more exact than the time is.
        let call = call.filter(|call| *call >= SHORTEST)?;
        Some(amount? as f64 / call * 1e9)
    };
    let row = |label, amount: fn(HandledAmounts) -> Option<u64>| {
        let new = rate(amounts.new.and_then(amount), time.median_ns)?;
        let old = rate(amounts.old.and_then(amount), time.old_median_ns);
        let (size, unit) = magnitude(new.max(old.unwrap_or(0.0)));
        Some(TimeRow {
            label,
            unit,
            new: three_digits(new / size),
            old: old.map(|old| three_digits(old / size)),
            change: (String::new(), Ink::Quiet),
        })
    };
    let rows = [
        row("Bytes/Second", |amounts| amounts.bytes),
        row("Elements/Second", |amounts| amounts.elements),
    ];
    rows.into_iter().flatten().collect()
}

/// The row in pipes: its unit stands in the name.
#[must_use]
pub fn piped(time: &RecordedTime, style: Style) -> String {
    let Some(row) = TimeRow::of(time) else {
        return String::new();
    };
    let rates = rates(time).into_iter();
    let rates: String = rates.map(|rate| rate.piped(style)).collect();
    row.piped(style) + &rates + &remark(time, style)
}

/// `1.31 us, old 1.34 us`: the times of a call on both sides, which the same run measured.
pub(crate) fn both_times(time: &RecordedTime) -> Option<String> {
    let row = TimeRow::of(time).filter(|row| row.new != MISSING)?;
    let old = row.old_text().map(|old| format!(", old {old}"));
    Some(row.new_text() + &old.unwrap_or_default())
}

/// The limit that a time exceeds, for a list of regressions:
/// `Time 1.31 us -> 1.41 us: +7.6% ±0.4%, limit +5%`. `None`: it exceeds none.
#[must_use]
pub fn exceeded(time: &RecordedTime, style: Style) -> Option<String> {
    let limit = time.exceeded_limit?;
    let row = TimeRow::of(time)?;
    let old = row.old_text().unwrap_or_default();
    let change = style.paint(Ink::Bad, &measured(time)?);
    let (label, new) = (row.label, row.new_text());
    Some(format!("{label} {old} -> {new}: {change}, limit +{limit}%"))
}

/// The estimate with half of its interval.
fn measured(time: &RecordedTime) -> Option<String> {
    let percent = (time.ratio? - 1.0) * 100.0;
    let half = (time.ratio_high? - time.ratio_low?) * 50.0;
    Some(format!("{percent:+.1}% ±{half:.1}%"))
}

/// The reason why nothing is said, where the row has no room for it.
#[must_use]
pub fn remark(time: &RecordedTime, style: Style) -> String {
    // Where something was timed, the row has the reason as a word.
    let is_word = time.ratio.is_some() || time.class == TimeClass::NotJudged && time.starts > 0;
    match &time.reason {
        Some(reason) if !is_word && !is_short(reason) => {
            format!(
                "{}\n",
                style.paint(Ink::Quiet, &format!("    time: {reason}"))
            )
        }
        _ => String::new(),
    }
}

/// A reason that the row says itself: that of the first run, and that of another benchmark under
/// the same name.
fn is_short(reason: &str) -> bool {
    [RecordedTime::NEVER_KEPT, RecordedTime::DIFFERENT_INPUT].contains(&reason)
}

fn change(time: &RecordedTime) -> (String, Ink) {
    let quiet = |text: String| (text, Ink::Quiet);
    let reason = time.reason.as_deref().unwrap_or_default();
    let Some(measured) = measured(time) else {
        return quiet(match time.class {
            TimeClass::NoOld if is_short(reason) => format!("({reason})"),
            TimeClass::NoOld => "(not compared)".to_owned(),
            _ => format!("({reason})"),
        });
    };
    match time.class {
        TimeClass::Slower => match time.exceeded_limit {
            Some(limit) => (format!("{measured} (limit {limit}%)"), Ink::Bad),
            None => (measured, Ink::Bad),
        },
        TimeClass::Faster => (measured, Ink::Good),
        TimeClass::Layout => quiet(format!("{measured} (layout)")),
        TimeClass::NotJudged if reason == TimeDoubt::Short.word() => quiet(format!("({reason})")),
        TimeClass::NotJudged => quiet(format!("{measured} ({reason})")),
        TimeClass::Unchanged | TimeClass::NoOld => {
            // The whole interval, wherever it lies.
            let bounds = [time.ratio_low, time.ratio_high].into_iter().flatten();
            let widest = bounds.map(|bound| (bound - 1.0).abs() * 100.0);
            let widest = widest.fold(0.0, f64::max);
            quiet(format!("(not significant, ±{widest:.1}%)"))
        }
    }
}

/// The unit in which a time in nanoseconds reads best, and its size.
fn unit(time: f64) -> (f64, &'static str) {
    match time {
        time if time >= 1e9 => (1e9, "s"),
        time if time >= 1e6 => (1e6, "ms"),
        time if time >= 1e3 => (1e3, "us"),
        _ => (1.0, "ns"),
    }
}

/// The unit in which a number reads best, and its size.
fn magnitude(number: f64) -> (f64, &'static str) {
    match number {
        number if number >= 1e9 => (1e9, "G"),
        number if number >= 1e6 => (1e6, "M"),
        number if number >= 1e3 => (1e3, "k"),
        _ => (1.0, ""),
    }
}

fn three_digits(value: f64) -> String {
    match value {
        value if value >= 99.95 => format!("{value:.0}"),
        value if value >= 9.995 => format!("{value:.1}"),
        value => format!("{value:.2}"),
    }
}

#[cfg(test)]
pub(crate) mod sample {
    use super::*;

    /// Times in nanoseconds, and the change in percent with half of the width of its interval.
    pub(crate) fn time(
        new: f64,
        old: f64,
        (change, half): (f64, f64),
        class: TimeClass,
    ) -> RecordedTime {
        let ratio = |percent: f64| Some(1.0 + percent / 100.0);
        RecordedTime {
            basis: TimeBasis::Wall,
            min_ns: Some(new),
            median_ns: Some(new),
            old_min_ns: Some(old),
            old_median_ns: Some(old),
            ratio: ratio(change),
            ratio_low: ratio(change - half),
            ratio_high: ratio(change + half),
            level: 0.999,
            starts: 64,
            pairs: 12,
            calls: 32,
            preempted: 0.0,
            steal: 0.0,
            class,
            reason: None,
            limit: None,
            exceeded_limit: None,
            throughput: None,
            executables: [None, None],
            start_ratios: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::sample::time;
    use super::*;
    use crate::text::screen::Screen;
    use records::summary::RecordedThroughput;

    const PLAIN: Style = Style {
        color: false,
        grid: false,
    };

    #[track_caller]
    fn check(time: &RecordedTime, on_screen: &str, in_pipes: &str) {
        let screen = Screen {
            width: 100,
            style: PLAIN,
        };
        assert_eq!(screen.time(time), on_screen);
        assert_eq!(piped(time, PLAIN), in_pipes);
    }

    #[test]
    #[rustfmt::skip]
    fn rows_say_what_is_proven() {
        let faster = time(1310.0, 1340.0, (-2.2, 0.4), TimeClass::Faster);
        check(&faster,
            "  Time:                        1.31 us | 1.34 us          -2.2% ±0.4%\n",
            "  Time [us]:                           1.31|1.34                 -2.2% ±0.4%\n");
        let layout = time(1310.0, 1410.0, (-7.1, 0.4), TimeClass::Layout);
        check(&layout,
            "  Time:                        1.31 us | 1.41 us          -7.1% ±0.4% (layout)\n",
            "  Time [us]:                           1.31|1.41                 -7.1% ±0.4% (layout)\n");
        assert_eq!(exceeded(&faster, PLAIN), None);
        let same = time(950.0, 1010.0, (-0.2, 1.6), TimeClass::Unchanged);
        check(&same,
            "  Time:                        0.95 us | 1.01 us          (not significant, ±1.8%)\n",
            "  Time [us]:                           0.95|1.01                 (not significant, ±1.8%)\n");
        let slower = RecordedTime { exceeded_limit: Some(5.0), ..time(2.5e6, 2e6, (25.0, 1.0), TimeClass::Slower) };
        check(&slower,
            "  Time:                        2.50 ms | 2.00 ms          +25.0% ±1.0% (limit 5%)\n",
            "  Time [ms]:                           2.50|2.00                 +25.0% ±1.0% (limit 5%)\n");
        let listed = "Time 2.00 ms -> 2.50 ms: +25.0% ±1.0%, limit +5%";
        assert_eq!(exceeded(&slower, PLAIN).as_deref(), Some(listed));
    }

    #[test]
    #[rustfmt::skip]
    fn rows_say_why_nothing_is_said() {
        let short = RecordedTime { reason: Some("too short".to_owned()), ..time(5.0, 6.0, (-9.0, 0.1), TimeClass::NotJudged) };
        check(&short,
            "  Time:                        < 20 ns | < 20 ns          (too short)\n",
            "  Time [ns]:                           < 20|< 20                 (too short)\n");
        let doubted = RecordedTime { reason: Some("layout?".to_owned()), ..time(500.0, 400.0, (25.0, 1.0), TimeClass::NotJudged) };
        check(&doubted,
            "  Time:                         500 ns | 400 ns           +25.0% ±1.0% (layout?)\n",
            "  Time [ns]:                            500|400                  +25.0% ±1.0% (layout?)\n");
        let alone = RecordedTime {
            old_min_ns: None, old_median_ns: None, ratio: None, ratio_low: None, ratio_high: None,
            reason: Some("no old executable".to_owned()),
            ..time(12_345.0, 0.0, (0.0, 0.0), TimeClass::NoOld)
        };
        check(&alone,
            "  Time:                        12.3 us   (no old executable)\n",
            "  Time [us]:                           12.3|N/A                  (no old executable)\n");
        let other = RecordedTime { reason: Some("different input".to_owned()), ..alone.clone() };
        check(&other,
            "  Time:                        12.3 us   (different input)\n",
            "  Time [us]:                           12.3|N/A                  (different input)\n");
        let lost = RecordedTime { reason: Some("the old executable cannot be timed: it ended".to_owned()), ..alone.clone() };
        check(&lost,
            "  Time:                        12.3 us   (not compared)\n    time: the old executable cannot be timed: it ended\n",
            "  Time [us]:                           12.3|N/A                  (not compared)\n    time: the old executable cannot be timed: it ended\n");
        let failed = RecordedTime {
            min_ns: None, median_ns: None, class: TimeClass::NotJudged, starts: 0,
            reason: Some("cannot be called again and again: it ended".to_owned()),
            ..alone.clone()
        };
        check(&failed,
            "  Time:                            N/A   (not measured)\n    time: cannot be called again and again: it ended\n",
            "  Time:                                 N/A|N/A                  (not measured)\n    time: cannot be called again and again: it ended\n");
        // Neither counts nor code changed, so nothing was measured.
        let skipped = RecordedTime { min_ns: None, median_ns: None, class: TimeClass::Unchanged, ..alone };
        check(&skipped, "", "");
    }

    #[test]
    #[rustfmt::skip]
    fn amounts_are_shown_per_second() {
        let amounts = |bytes, elements| Some(HandledAmounts { bytes, elements });
        let same = time(2000.0, 2500.0, (-20.0, 0.4), TimeClass::Faster);
        let throughput = RecordedThroughput { new: amounts(Some(1000), Some(3)), old: amounts(Some(1000), None) };
        let both = RecordedTime { throughput: Some(throughput), ..same.clone() };
        check(&both,
            "  Time:                        2.00 us | 2.50 us          -20.0% ±0.4%\n  \
             Bytes/Second:                  500 M | 400 M\n  \
             Elements/Second:              1.50 M\n",
            "  Time [us]:                           2.00|2.50                 -20.0% ±0.4%\n  \
             Bytes/Second [M]:                     500|400\n  \
             Elements/Second [M]:                 1.50|N/A\n");
        // A call that is too short has no time, and so no rate.
        let throughput = RecordedThroughput { new: amounts(Some(1), None), old: None };
        let short = RecordedTime { throughput: Some(throughput), median_ns: Some(10.0), ..same };
        assert!(rates(&short).is_empty());
        let slow = RecordedTime { median_ns: Some(4e9), ..short };
        assert_eq!(rates(&slow)[0].new_text(), "0.25");
    }

    #[test]
    fn times_have_three_digits() {
        for (value, text) in [
            (1.0, "1.00"),
            (9.994, "9.99"),
            (9.996, "10.0"),
            (99.96, "100"),
        ] {
            assert_eq!(three_digits(value), text);
        }
    }
}
