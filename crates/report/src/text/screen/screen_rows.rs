//! Rows of metrics on a terminal: name, new value, old value if it differs, and the change.
//!
//! ```text
//!   Instructions:              2,343,018 | 2,163,197         +8.31%  1.08x
//!   Estimated Cycles:          3,163,197   (no change)
//! ```

use super::layout::{RowLayout, LAYOUTS};
use super::Screen;
use crate::numbers::{count_in, decimal, factor, percent};
use crate::room::{at_left, at_right, columns, cut};
use crate::text::paint::{Edge, Ink};
use crate::text::piped_rows::{is_in_family, Figures};
use crate::text::wall_time::{self, TimeRow};
use crate::text::{parts, Style};
use base::counted::grouped;
use metrics::perf::{self, PerfFigure};
use metrics::{MetricKind, MetricValue};
use records::summary::RecordedTime;
use verdict::{Difference, MetricsComparison, Noise, Trend, WelchTest};

/// The width of the change in percent, which is most often less.
const PERCENT: usize = 8;

impl Screen {
    /// The rows of these metrics that the comparison has, then of counters of unknown names.
    pub fn rows(
        self,
        comparison: &MetricsComparison,
        format: &[MetricKind],
        tolerance: Option<f64>,
    ) -> String {
        let figures = Figures::all(comparison, format);
        let several = figures.iter().any(|row| row.part != figures[0].part);
        let mut part = None;
        let mut lines = Vec::new();
        for figures in &figures {
            if let Some(number) = figures.part.filter(|_| several && figures.part != part) {
                lines.push(Line::Text(parts::event_set(number, self.style)));
            }
            part = figures.part;
            lines.push(Line::Row(Row::of(figures, tolerance)));
            lines.extend(samples(figures).map(Line::Row));
        }
        self.fitted(&lines)
    }

    /// The row of wall time; empty if there is none to show.
    #[must_use]
    pub fn time(self, time: &RecordedTime) -> String {
        let Some(row) = TimeRow::of(time) else {
            return String::new();
        };
        let rows = [row].into_iter().chain(wall_time::rates(time));
        let rows = rows.map(|row| {
            Line::Row(Row {
                label: row.label.to_owned(),
                new: Some(ShownValue::Text(row.new_text())),
                old: row.old_text().map(ShownValue::Text),
                change: ShownChange::Judged(row.change.0, row.change.1),
                is_remark: false,
            })
        });
        let rows: Vec<Line> = rows.collect();
        let remark = wall_time::remark(time, self.style);
        self.fitted(&rows) + &self.wrapped(&remark, "      ")
    }

    /// The lines in the first layout in which all of them fit.
    fn fitted(self, lines: &[Line]) -> String {
        let rows: Vec<&Row> = lines.iter().filter_map(Line::row).collect();
        let columns_of = |layout: &RowLayout| {
            let columns = TerminalColumns::of(&rows, *layout);
            let mut lines = rows.iter().map(|row| columns.line(row, self.style));
            lines
                .all(|line| self::columns(&line) <= self.width)
                .then_some(columns)
        };
        let fitting = LAYOUTS.iter().find_map(columns_of);
        let columns =
            fitting.unwrap_or_else(|| TerminalColumns::of(&rows, LAYOUTS[LAYOUTS.len() - 1]));
        let lines: String = lines
            .iter()
            .map(|line| match line {
                Line::Text(text) => text.clone(),
                Line::Row(row) => columns.line(row, self.style) + "\n",
            })
            .collect();
        self.wrapped(&lines, "      ")
    }
}

/// A line among rows.
enum Line {
    Row(Row),
    /// The headline of the rows below.
    Text(String),
}

impl Line {
    fn row(&self) -> Option<&Row> {
        match self {
            Self::Row(row) => Some(row),
            Self::Text(_) => None,
        }
    }
}

/// The content of a row.
struct Row {
    label: String,
    new: Option<ShownValue>,
    old: Option<ShownValue>,
    change: ShownChange,
    /// The row is about the one above.
    is_remark: bool,
}

/// A value as text.
enum ShownValue {
    Count(u64),
    Text(String),
}

/// Text behind the values of a row.
enum ShownChange {
    /// Words in place of the old value, which is missing or the same.
    Words(&'static str),
    Changed {
        difference: Difference,
        ink: Ink,
        reason: &'static str,
    },
    Text(String),
    /// A judgement in its color.
    Judged(String, Ink),
}

impl Row {
    fn of(figures: &Figures, tolerance: Option<f64>) -> Self {
        // Both sides in the same unit.
        let unit = match figures.new.or(figures.old) {
            Some(MetricValue::Perf(figure)) => figure.best_unit(),
            _ => None,
        };
        let value = |value: MetricValue| match value {
            MetricValue::Int(count) => ShownValue::Count(count),
            MetricValue::Float(rate) => ShownValue::Text(decimal(rate)),
            MetricValue::Perf(figure) if figure.is_count() && figure.value >= 0.0 => {
                ShownValue::Count(perf::count(figure.value) as u64)
            }
            MetricValue::Perf(figure) if is_in_family(&figure, unit.as_ref()) => {
                ShownValue::Text(figure.text_in(unit.as_ref()))
            }
            MetricValue::Perf(figure) => ShownValue::Text(figure.to_string()),
        };
        Self {
            label: figures.label.clone(),
            new: figures.new.map(value),
            old: figures.old.map(value),
            change: change(figures, tolerance),
            is_remark: false,
        }
    }
}

/// The change between both values of a row.
fn change(figures: &Figures, tolerance: Option<f64>) -> ShownChange {
    let Some(difference) = figures.difference else {
        return ShownChange::Words(match (figures.new, figures.old) {
            (Some(_), None) => "(new)",
            (None, _) => "(gone)",
            (Some(_), Some(_)) => "(other unit)",
        });
    };
    let Some(trend) = difference.trend(figures.direction) else {
        return ShownChange::Words("(no change)");
    };
    let is_tolerated = tolerance.is_some_and(|tolerance| difference.percent.abs() <= tolerance);
    // A tolerated change is none, whether it is noise or not.
    let reason = match figures.noise {
        _ if is_tolerated => Some("(tolerance)"),
        noise => noise.map(Noise::words),
    };
    let ink = match (reason, trend) {
        (Some(_), _) => Ink::Quiet,
        (None, Trend::Better) => Ink::Good,
        (None, Trend::Worse) => Ink::Bad,
    };
    ShownChange::Changed {
        difference,
        ink,
        reason: reason.unwrap_or_default(),
    }
}

/// The rows below a mean: its relative error with the smallest significant change, and the number
/// of samples.
fn samples(figures: &Figures) -> impl Iterator<Item = Row> {
    let figure = |value: Option<MetricValue>| match value {
        Some(MetricValue::Perf(figure)) => Some(figure),
        _ => None,
    };
    let (new, old) = (figure(figures.new), figure(figures.old));
    let is_mean = [new, old].iter().flatten().any(|figure| figure.n > 1);
    let error = |figure: PerfFigure| match figure.n {
        1 => ShownValue::Text("one sample".to_owned()),
        _ => {
            let error = percent(figure.rse.abs() * 100.0);
            ShownValue::Text(error.replace('+', "±"))
        }
    };
    let least = |test: WelchTest| format!("(significant from {})", percent(test.threshold.abs()));
    let errors = Row {
        label: "  error".to_owned(),
        new: new.map(error),
        old: old.map(error),
        change: ShownChange::Text(figures.significance.map(least).unwrap_or_default()),
        is_remark: true,
    };
    let samples = Row {
        label: "  samples".to_owned(),
        new: new.map(|figure| ShownValue::Count(figure.n)),
        old: old.map(|figure| ShownValue::Count(figure.n)),
        change: ShownChange::Text(String::new()),
        is_remark: true,
    };
    [errors, samples].into_iter().filter(move |_| is_mean)
}

impl ShownValue {
    fn text(&self, room: usize) -> String {
        match self {
            Self::Count(count) if room == usize::MAX => grouped(*count),
            Self::Count(count) => count_in(*count, room),
            Self::Text(text) => cut(text, room),
        }
    }
}

/// Columns of a layout that are wide enough for all of its rows.
struct TerminalColumns {
    layout: RowLayout,
    label: usize,
    new: usize,
    old: usize,
    /// 0: there is no factor.
    factor: usize,
}

impl TerminalColumns {
    fn of(rows: &[&Row], layout: RowLayout) -> Self {
        let widest = |column: &dyn Fn(&Row) -> usize, least: usize| {
            let all = rows.iter().map(|row| column(row));
            all.max().unwrap_or(0).max(least)
        };
        let value = |value: &Option<ShownValue>| {
            let value = value.as_ref();
            value.map_or(0, |value| columns(&value.text(layout.most_of_value)))
        };
        let label = widest(&|row| columns(&row.label) + 1, layout.label);
        let factor = |row: &Row| row.factor().map_or(0, |factor| columns(&factor));
        Self {
            layout,
            factor: match layout.has_factor {
                true => widest(&factor, 0),
                false => 0,
            },
            label: label.min(layout.most_of_label),
            new: widest(
                &|row| value(&row.new),
                // The column before the value, which `line` adds, is a part of the layout's width.
                layout.value - usize::from(layout.value > 0),
            ),
            old: widest(&|row| value(&row.old), layout.value),
        }
    }

    /// One row, without the end of the line.
    fn line(&self, row: &Row, style: Style) -> String {
        let most = self.layout.most_of_value;
        let text = |value: &Option<ShownValue>| {
            let value = value.as_ref();
            value.map_or_else(String::new, |value| value.text(most))
        };
        let paint = |ink: Ink, text: &str| match text.is_empty() {
            true => String::new(),
            false => style.paint(ink, text),
        };
        let label = cut(&row.label, self.label.saturating_sub(1)) + ":";
        let (value_ink, old_ink) = match row.is_remark {
            true => (Ink::Quiet, Ink::Quiet),
            false => (Ink::Strong, Ink::Plain),
        };
        let mut line = format!(
            "{}{}{}",
            style.edge(Edge::Row),
            at_left(&label, self.label),
            // One column parts a long label from a long value.
            at_right(&paint(value_ink, &text(&row.new)), self.new + 1)
        );
        let old = text(&row.old);
        let has_old = self.layout.has_old && !old.is_empty() && !row.is_same();
        if has_old {
            let bar = style.paint(Ink::Quiet, "|");
            line += &format!(" {bar} {}", at_left(&paint(old_ink, &old), self.old));
        }
        line += &self.change(row, has_old, style);
        line.trim_end().to_owned()
    }

    fn change(&self, row: &Row, has_old: bool, style: Style) -> String {
        let paint = |ink: Ink, text: &str| style.paint(ink, text);
        match &row.change {
            ShownChange::Judged(text, _) | ShownChange::Text(text) if text.is_empty() => {
                String::new()
            }
            ShownChange::Judged(text, ink) => {
                let gap = if has_old { "  " } else { "   " };
                format!("{gap}{}", style.paint(*ink, text))
            }
            ShownChange::Text(text) => format!("  {}", style.paint(Ink::Quiet, text)),
            ShownChange::Words(words) => {
                let gap = if has_old { "  " } else { "   " };
                format!("{gap}{}", style.paint(Ink::Quiet, words))
            }
            ShownChange::Changed {
                difference,
                ink,
                reason,
            } => {
                let percent = difference.percent;
                let is_finite = percent.is_finite();
                let change = match (is_finite, has_old) {
                    (true, _) => (self.layout.percent)(percent),
                    // The old value stands beside it.
                    (false, true) => "from 0".to_owned(),
                    (false, false) => "(was 0)".to_owned(),
                };
                let change = at_right(&style.paint(*ink, &change), PERCENT);
                let mut text = format!(" {change}");
                if self.factor > 0 {
                    let factor = row.factor();
                    let factor = factor.map_or_else(String::new, |factor| paint(*ink, &factor));
                    text += &format!("  {}", at_left(&factor, self.factor));
                }
                if !reason.is_empty() {
                    text += &format!("  {}", style.paint(Ink::Quiet, reason));
                }
                text
            }
        }
    }
}

impl Row {
    /// Factor of the change. `1.00x` would say nothing.
    fn factor(&self) -> Option<String> {
        let ShownChange::Changed { difference, .. } = &self.change else {
            return None;
        };
        let factor = difference.factor;
        (factor.is_finite() && factor.abs() >= 1.005).then(|| self::factor(factor))
    }

    /// Are both sides the same?
    fn is_same(&self) -> bool {
        matches!(self.change, ShownChange::Words("(no change)"))
    }
}

#[cfg(test)]
mod tests {
    use iai_callgrind::protocol::EventKind;
    use proptest::collection::vec;
    use proptest::option;
    use proptest::prelude::*;

    use super::*;
    use metrics::perf::{InternedText, PerfMetricKind};
    use verdict::{ComparisonRow, UnknownRow};

    fn screen(width: usize, color: bool) -> Screen {
        Screen {
            width,
            style: Style { color, grid: false },
        }
    }

    fn comparison(rows: Vec<ComparisonRow>) -> MetricsComparison {
        MetricsComparison {
            rows,
            ..MetricsComparison::default()
        }
    }

    #[track_caller]
    fn check(width: usize, new: Option<u64>, old: Option<u64>, expected: &str) {
        let row = ComparisonRow {
            kind: EventKind::Ir.into(),
            new: new.map(MetricValue::Int),
            old: old.map(MetricValue::Int),
            significance: None,
        };
        let text = screen(width, false).rows(&comparison(vec![row]), &[row.kind], None);
        assert_eq!(text, format!("{expected}\n"));
    }

    #[test]
    #[rustfmt::skip]
    fn columns_go_where_there_is_no_room_for_them() {
        let (new, old) = (Some(2_343_018), Some(2_163_197));
        check(80, new, old, "  Instructions:              2,343,018 | 2,163,197         +8.31%  1.08x");
        check(70, new, old, "  Instructions:              2,343,018 | 2,163,197         +8.31%");
        check(60, new, old, "  Instructions:       2,343,018 | 2,163,197     +8.31%");
        check(50, new, old, "  Instructions:       2,343,018   +8.31%");
        check(40, new, old, "  Instructions:       2,343,018   +8.31%");
        let most = Some(u64::MAX);
        check(80, most, most, "  Instructions:         18,446,744,073,709,551,615   (no change)");
        check(80, most, Some(1), "  Instructions:         18,446,744,073,709,551,615 | 1               +1.8e21%");
        check(40, most, Some(1), "  Instructions: 18.4E +1.8e21%");
    }

    #[test]
    #[rustfmt::skip]
    fn words_stand_for_what_is_not_there() {
        check(80, Some(915), None, "  Instructions:                    915   (new)");
        check(80, None, Some(915), "  Instructions:                        | 915              (gone)");
        check(80, Some(915), Some(0), "  Instructions:                    915 | 0                 from 0");
        check(40, Some(915), Some(0), "  Instructions:             915  (was 0)");
        check(80, Some(0), Some(915), "  Instructions:                      0 | 915                -100%");
        check(80, Some(915), Some(915), "  Instructions:                    915   (no change)");
        check(80, Some(100_001), Some(100_000), "  Instructions:                100,001 | 100,000          +0.001%  (tiny)");
    }

    fn figure() -> impl Strategy<Value = PerfFigure> {
        let units = prop_oneof![Just(""), Just("msec"), Just("Joules"), Just("G/sec")];
        (any::<f64>(), units, 1..100_u64, 0.0..10.0_f64).prop_map(|(value, unit, n, rse)| {
            PerfFigure {
                n,
                rse,
                ..PerfFigure::exact(value, InternedText::from(unit))
            }
        })
    }

    fn value() -> impl Strategy<Value = MetricValue> {
        prop_oneof![
            any::<u64>().prop_map(MetricValue::Int),
            (0..2000_u64).prop_map(MetricValue::Int),
            any::<f64>().prop_map(MetricValue::Float),
            figure().prop_map(MetricValue::Perf),
        ]
    }

    fn kind() -> impl Strategy<Value = MetricKind> {
        let perf = |event: &str, part| {
            MetricKind::from(PerfMetricKind {
                part,
                event: InternedText::from(event),
            })
        };
        prop_oneof![
            Just(EventKind::Ir.into()),
            Just(EventKind::EstimatedCycles.into()),
            Just(EventKind::L1HitRate.into()),
            Just(perf("task-clock", 1)),
            Just(perf("a/very,long=name,of=an,event=of,perf/uk", 2)),
        ]
    }

    proptest! {
        #[test]
        fn no_row_is_wider_than_the_terminal(
            values in vec((kind(), option::of(value()), option::of(value()), option::of(-9.0..9.0_f64)), 1..5),
            unknown in vec(("[a-z漢\u{202e}]{1,80}", option::of(any::<u64>()), option::of(any::<u64>())), 0..2),
            width in 40_usize..160,
            tolerance in option::of(0.0..50.0_f64),
            by_chance in any::<bool>(),
        ) {
            let rows = values.into_iter().map(|(kind, new, old, factor)| ComparisonRow {
                kind,
                new,
                old,
                significance: factor.map(|factor| WelchTest { threshold: 1.0 / factor, factor }),
            });
            let rows: Vec<ComparisonRow> = rows.collect();
            let format: Vec<MetricKind> = rows.iter().map(|row| row.kind).collect();
            let unknown = unknown.into_iter().map(|(name, new, old)| UnknownRow { name, new, old });
            let comparison = MetricsComparison {
                unknown: unknown.collect(),
                by_chance,
                ..comparison(rows)
            };
            for color in [false, true] {
                let text = screen(width, color).rows(&comparison, &format, tolerance);
                for line in text.lines() {
                    prop_assert!(columns(line) <= width, "{width}: {line:?}");
                }
            }
        }
    }
}
