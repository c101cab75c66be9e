//! Rows of metrics: name, left value, `|`, right value, difference.
//!
//! ```text
//!   Instructions:                        1365|915                  (+49.1803%) [+1.49180x]
//! ```

use iai_callgrind::protocol::{Direction, Unit};

use super::columns::{Columns, RowColumns, MISSING, NAME};
use super::paint::Ink;
use super::{parts, Style};
use metrics::perf::PerfFigure;
use metrics::{decimals, MetricKind, MetricValue};
use verdict::{ComparisonRow, Difference, MetricsComparison, Noise, Trend, UnknownRow, WelchTest};

/// The rows of the metrics in `format` that the comparison has, then of counters of unknown names.
pub fn rows(
    comparison: &MetricsComparison,
    format: &[MetricKind],
    tolerance: Option<f64>,
    style: Style,
) -> String {
    let rows = Figures::all(comparison, format);
    let longest = rows.iter().map(|row| row.label.chars().count() + 1).max();
    let columns = Columns {
        name: longest.unwrap_or(0).max(NAME),
        style,
    };
    // Without rows nobody asks for the first.
    let several = rows.iter().any(|row| row.part != rows[0].part);
    let mut text = String::new();
    let mut part = None;
    for row in &rows {
        if let Some(number) = row.part.filter(|_| several && row.part != part) {
            text += &parts::event_set(number, style);
        }
        part = row.part;
        text += &columns.figures(row, tolerance);
        text += &columns.samples(row);
    }
    text
}

/// The content of a row.
pub struct Figures {
    /// Name of the metric on the terminal; some times have their unit behind it.
    pub label: String,
    /// The new value. `None`: the metric was not collected.
    pub new: Option<MetricValue>,
    /// The old value. `None`: the metric was not collected, or in another unit.
    pub old: Option<MetricValue>,
    /// The difference, if both values are there.
    pub difference: Option<Difference>,
    /// Direction of an improvement.
    pub direction: Direction,
    /// The event set of perf.
    pub part: Option<u32>,
    /// Result of the test whether means of perf differ by more than chance.
    pub significance: Option<WelchTest>,
    /// A change is neither better nor worse.
    by_chance: bool,
    /// Reason why the change is noise.
    pub noise: Option<Noise>,
}

impl Figures {
    /// Figures of the metrics in `format` that the comparison has, then of counters with unknown
    /// names.
    pub fn all(comparison: &MetricsComparison, format: &[MetricKind]) -> Vec<Self> {
        let known = format
            .iter()
            .filter_map(|kind| comparison.row(*kind))
            .map(|row| Self::of(row, comparison));
        // Counters of unknown names are there only if an argument for the tool asks for them.
        let unknown = comparison.unknown.iter();
        let unknown = unknown.map(|row| Self::of_unknown(row, comparison));
        known.chain(unknown).collect()
    }

    fn of(row: &ComparisonRow, comparison: &MetricsComparison) -> Self {
        let label = row.kind.label();
        let unit = comparison.time_unit.as_ref();
        Self {
            label: match unit.filter(|_| row.kind.is_time() && !row.kind.is_system_time()) {
                Some(unit) => format!("{label} ({unit})"),
                None => label.to_owned(),
            },
            new: row.new,
            old: row.old,
            difference: row.difference(),
            direction: row.kind.direction(),
            part: row.kind.event_set(),
            significance: row.significance,
            by_chance: comparison.by_chance,
            noise: comparison.noise(row),
        }
    }

    fn of_unknown(row: &UnknownRow, comparison: &MetricsComparison) -> Self {
        Self {
            label: row.name.clone(),
            new: row.new.map(MetricValue::Int),
            old: row.old.map(MetricValue::Int),
            difference: row.difference(),
            direction: Direction::Lower,
            part: None,
            significance: None,
            by_chance: comparison.by_chance,
            noise: comparison.by_chance.then_some(Noise::Chance),
        }
    }
}

impl Columns {
    fn figures(&self, row: &Figures, tolerance: Option<f64>) -> String {
        // Both sides in the same unit.
        let unit = match row.new.or(row.old) {
            Some(MetricValue::Perf(figure)) => figure.best_unit(),
            _ => None,
        };
        let text = |value: Option<MetricValue>| match value {
            // A side in another family of units keeps its own, since it cannot be converted.
            Some(MetricValue::Perf(figure)) if is_in_family(&figure, unit.as_ref()) => {
                figure.text_in(unit.as_ref())
            }
            Some(value) => value.to_string(),
            None => MISSING.to_owned(),
        };
        let line = RowColumns {
            left: (&text(row.new), Ink::Strong),
            right: &text(row.old),
            difference: Some(difference(row, tolerance, self.style)),
        };
        self.line(&row.label, &line)
    }

    /// Lines below a mean: its relative error with the smallest significant change, and the number
    /// of samples.
    fn samples(&self, row: &Figures) -> String {
        let figure = |value: Option<MetricValue>| match value {
            Some(MetricValue::Perf(figure)) => Some(figure),
            _ => None,
        };
        let (new, old) = (figure(row.new), figure(row.old));
        if ![new, old].iter().flatten().any(|figure| figure.n > 1) {
            return String::new();
        }
        let text = |side: Option<PerfFigure>, text: fn(PerfFigure) -> String| {
            side.map_or(MISSING.to_owned(), text)
        };
        let error = |figure: PerfFigure| match figure.n {
            1 => MISSING.to_owned(),
            _ => MetricValue::Float(figure.rse.abs() * 100.0).to_string(),
        };
        let count = |figure: PerfFigure| figure.n.to_string();
        let error = RowColumns {
            left: (&text(new, error), Ink::Faint),
            right: &text(old, error),
            difference: row
                .significance
                .map(|found| significance(found, self.style)),
        };
        let count = RowColumns {
            left: (&text(new, count), Ink::Faint),
            right: &text(old, count),
            difference: None,
        };
        self.line("  rse%", &error) + &self.line("  samples", &count)
    }
}

/// `(±1.20000%) [+4.00000x]`: the smallest significant change, and the change as a multiple of it.
fn significance(found: WelchTest, style: Style) -> String {
    let threshold = number(found.threshold.abs(), '%').replace('+', "±");
    let ink = match found.is_significant() {
        true => Ink::Strong,
        false => Ink::Faint,
    };
    let factor = style.paint(ink, &number(found.factor, 'x'));
    format!("({threshold}) [{factor}]")
}

/// Can a figure be written in this unit?
pub fn is_in_family(figure: &PerfFigure, unit: Option<&Unit>) -> bool {
    let family = unit.map_or_else(String::new, |unit| unit.base().0);
    figure.family() == family
}

/// `(+49.1803%) [+1.49180x]`, or the reason why there is none.
fn difference(row: &Figures, tolerance: Option<f64>, style: Style) -> String {
    let none = |text| {
        let mut shown = "(".to_owned();
        style.push(&mut shown, Ink::Faint, text);
        shown.push(')');
        shown
    };
    let Some(difference) = row.difference else {
        return none("*********");
    };
    let Some(trend) = difference.trend(row.direction) else {
        return none("No change");
    };
    if tolerance.is_some_and(|tolerance| difference.percent.abs() <= tolerance) {
        return none("Tolerance");
    }
    let ink = match trend {
        _ if row.by_chance => Ink::Faint,
        Trend::Better => Ink::Better,
        Trend::Worse => Ink::Worse,
    };
    let Difference { percent, factor } = difference;
    format!(
        "({}) [{}]",
        style.paint(ink, &number(percent, '%')),
        style.paint(ink, &number(factor, 'x'))
    )
}

/// A number of nine characters, with a sign.
fn number(number: f64, unit: char) -> String {
    format!("{:>9}", with_unit(number, unit))
}

/// A number with a sign; infinite ones have no unit.
pub fn with_unit(number: f64, unit: char) -> String {
    match number {
        f64::INFINITY => "+++inf+++".to_owned(),
        f64::NEG_INFINITY => "---inf---".to_owned(),
        number => format!("{}{unit}", signed(number)),
    }
}

/// A number with a sign and [`decimals`].
pub fn signed(number: f64) -> String {
    format!("{number:+.*}", decimals(number))
}

#[cfg(test)]
mod tests {
    use iai_callgrind::protocol::EventKind::{self, *};

    use super::*;

    const PLAIN: Style = Style {
        color: false,
        grid: false,
    };
    const COLOR: Style = Style {
        color: true,
        grid: false,
    };

    fn row(
        kind: EventKind,
        new: impl Into<Option<u64>>,
        old: impl Into<Option<u64>>,
    ) -> ComparisonRow {
        ComparisonRow {
            kind: kind.into(),
            new: new.into().map(MetricValue::Int),
            old: old.into().map(MetricValue::Int),
            significance: None,
        }
    }

    fn rate(kind: EventKind, new: f64, old: f64) -> ComparisonRow {
        ComparisonRow {
            kind: kind.into(),
            new: Some(MetricValue::Float(new)),
            old: Some(MetricValue::Float(old)),
            significance: None,
        }
    }

    #[track_caller]
    fn check(row: ComparisonRow, expected: &str) {
        check_with(row, None, PLAIN, expected);
    }

    #[track_caller]
    fn check_with(row: ComparisonRow, tolerance: Option<f64>, style: Style, expected: &str) {
        let comparison = row.into();
        let text = rows(&comparison, &[row.kind], tolerance, style);
        assert_eq!(text, format!("{expected}\n"));
    }

    #[test]
    #[rustfmt::skip]
    fn values_and_differences() {
        check(row(Ir, 915, None),      "  Instructions:                         915|N/A                  (*********)");
        check(row(L1hits, 1123, None), "  L1 Hits:                             1123|N/A                  (*********)");
        check(row(L1hits, None, 1123), "  L1 Hits:                              N/A|1123                 (*********)");
        check(row(TotalRW, 525, None), "  Total read+write:                     525|N/A                  (*********)");
        check(row(Ir, 915, 915),       "  Instructions:                         915|915                  (No change)");
        check(row(Ir, 1365, 915),      "  Instructions:                        1365|915                  (+49.1803%) [+1.49180x]");
        check(row(Ir, 555, 1365),      "  Instructions:                         555|1365                 (-59.3407%) [-2.45946x]");
        check(row(Ir, 915, 415),       "  Instructions:                         915|415                  (+120.482%) [+2.20482x]");
        check(row(EstimatedCycles, 1193, 593), "  Estimated Cycles:                    1193|593                  (+101.180%) [+2.01180x]");
        check(row(LLhits, 1200, 0),    "  L2 Hits:                             1200|0                    (+++inf+++) [+++inf+++]");
        check(row(LLhits, 0, 1200),    "  L2 Hits:                                0|1200                 (-100.000%) [---inf---]");
        check(row(Ir, 169_677, 100),   "  Instructions:                      169677|100                  ( +169577%) [+1696.77x]");
        check(row(Ir, u64::MAX, u64::MAX), "  Instructions:        18446744073709551615|18446744073709551615 (No change)");
        check(rate(L1HitRate, 99.4792, 0.64378), "  L1 Hit Rate:                      99.4792|0.64378              (+15352.4%) [+154.524x]");
    }

    #[test]
    #[rustfmt::skip]
    fn labels_of_system_times_have_no_unit_and_unknown_counters_their_own_names() {
        let comparison = MetricsComparison {
            rows: vec![row(SysCount, 3, 3), row(SysTime, 50, None)],
            unknown: vec![
                UnknownRow { name: "allocCount".to_owned(), new: Some(7), old: Some(7) },
                UnknownRow { name: "aCounterWithALongName".to_owned(), new: Some(2), old: Some(1) },
            ],
            time_unit: Some("ns".to_owned()),
            ..MetricsComparison::default()
        };
        let text = rows(&comparison, &[SysCount.into(), SysTime.into()], None, PLAIN);
        assert_eq!(
            text,
            "  SysCount:                                3|3                    (No change)
  SysTime:                                50|N/A                  (*********)
  allocCount:                              7|7                    (No change)
  aCounterWithALongName:                   2|1                    (+100.000%) [+2.00000x]
"
        );
    }

    #[test]
    #[rustfmt::skip]
    fn tolerance_hides_small_changes() {
        let line = "  Instructions:                         101|100                  (Tolerance)";
        check_with(row(Ir, 101, 100), Some(1.0), PLAIN, line);
        let line = "  Instructions:                          99|100                  (Tolerance)";
        check_with(row(Ir, 99, 100), Some(1.0), PLAIN, line);
        let line = "  Instructions:                         102|100                  (+2.00000%) [+1.02000x]";
        check_with(row(Ir, 102, 100), Some(1.0), PLAIN, line);
        let line = "  Instructions:                         100|100                  (No change)";
        check_with(row(Ir, 100, 100), Some(1.0), PLAIN, line);
    }

    #[test]
    fn colours_follow_the_direction_of_the_metric() {
        check_with(
            row(Ir, 1365, 915),
            None,
            COLOR,
            "\x1b[90m  \x1b[0mInstructions:                        \x1b[1m1365\x1b[0m\
             |915                  (\x1b[1;91m+49.1803%\x1b[0m) [\x1b[1;91m+1.49180x\x1b[0m]",
        );
        check_with(
            row(Ir, 915, None),
            None,
            COLOR,
            "\x1b[90m  \x1b[0mInstructions:                         \x1b[1m915\x1b[0m\
             |N/A                  (\x1b[90m*********\x1b[0m)",
        );
        check_with(
            rate(L1HitRate, 99.0, 98.0),
            None,
            COLOR,
            "\x1b[90m  \x1b[0mL1 Hit Rate:                      \x1b[1m99.0000\x1b[0m\
             |98.0000              (\x1b[1;92m+1.02041%\x1b[0m) [\x1b[1;92m+1.01020x\x1b[0m]",
        );
    }
}
