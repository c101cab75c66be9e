//! Limits that are exceeded and expectations that are not met, on a terminal.

use iai_callgrind::protocol::Direction;

use super::Screen;
use crate::numbers::{decimal, percent};
use crate::text::exceeded::OF_OWN_CODE;
use crate::text::paint::Ink;
use crate::text::scaling::FormulaLetters;
use crate::text::{expectations, Style};
use base::counted::grouped;
use metrics::MetricValue;
use verdict::{ExceededLimit, UnmetExpectation};

/// Indent of a line that continues another one.
const INDENT: &str = "      ";

impl Screen {
    /// `  Regressed: Instructions 2,163,197 -> 2,343,018: +8.31%, limit +5%`, below the rows of a
    /// benchmark.
    pub fn regression(self, regression: &ExceededLimit) -> String {
        let label = self.style.paint(Ink::Bad, "Regressed");
        let line = format!("  {label}: {}\n", exceeded_limit(regression, self.style));
        self.wrapped(&line, INDENT)
    }

    /// Lines about an unmet expectation of the source, below the rows of a benchmark.
    pub fn unmet(self, unmet: &UnmetExpectation) -> String {
        let text = expectations::line(unmet, FormulaLetters::Unicode, self.style);
        let lines: String = text
            .split_inclusive('\n')
            .map(|line| format!("  {line}"))
            .collect();
        self.wrapped(&lines, INDENT)
    }
}

/// `Instructions 2,163,197 -> 2,343,018: +8.31%, limit +5%`
pub fn exceeded_limit(exceeded: &ExceededLimit, style: Style) -> String {
    let kind = exceeded.kind();
    let bad = |text: String| style.paint(Ink::Bad, &text);
    match exceeded {
        ExceededLimit::Soft {
            new,
            old,
            percent,
            limit,
            own,
            ..
        } => {
            let [old, new] = [*old, *new].map(value);
            let percent = bad(self::percent(*percent));
            let of = if *own { OF_OWN_CODE } else { "" };
            format!(
                "{kind}{of} {old} -> {new}: {percent}, limit {}",
                bound(*limit)
            )
        }
        ExceededLimit::Hard {
            new, limit, excess, ..
        } => {
            let [limit, excess] = [*limit, *excess].map(value);
            let new = value(*new);
            match kind.direction() {
                Direction::Lower => {
                    format!("{kind} {new}: {} above the limit of {limit}", bad(excess))
                }
                Direction::Higher => {
                    format!("{kind} {new}: {} below the limit of {limit}", bad(excess))
                }
            }
        }
    }
}

fn value(value: MetricValue) -> String {
    match value {
        MetricValue::Int(count) => grouped(count),
        MetricValue::Float(rate) => decimal(rate),
        MetricValue::Perf(figure) => figure.to_string(),
    }
}

/// A limit as the user wrote it, if that is short.
fn bound(limit: f64) -> String {
    match limit.abs() {
        absolute if absolute < 1e6 => format!("{limit:+}%"),
        _ => percent(limit),
    }
}
