//! The judgement in the types of the record.

mod growth;
mod perf;

use std::borrow::Cow;

use iai_callgrind::protocol::EventKind;

pub use self::growth::growth;
use crate::{
    ComparisonById, ComparisonRow, Difference, ExceededLimit, ExceededRatio, FasterGrowth,
    MetricsComparison, PartResult, UnknownRow, UnmetExpectation,
};
use explain::AllocationCount;
use metrics::{MetricKind, MetricValue};
use records::summary::{Allocations, Comparison, Metric, Number, Part, Regression};

/// Comparisons of two benchmarks, one for each tool that both ran under.
pub fn comparisons(by_id: &ComparisonById) -> impl Iterator<Item = Comparison> + use<'_> {
    let tools = by_id.tools.iter();
    tools.map(|(tool, format, comparison)| Comparison {
        with: by_id.other.to_string(),
        tool: tool.id().to_owned(),
        metrics: metric_rows(comparison, format),
    })
}

/// Calls of the allocator, if the new ones are known.
pub fn allocations(comparison: &MetricsComparison) -> Option<Allocations> {
    let rows = [EventKind::Allocations, EventKind::Frees].map(|kind| comparison.row(kind));
    let count = |value: fn(&ComparisonRow) -> Option<MetricValue>| {
        let [calls, frees] = rows.map(|row| match value(row?)? {
            MetricValue::Int(count) => Some(count),
            _ => None,
        });
        // A program with an allocator of its own has a number of calls and none of frees: the
        // compiler may have left nothing of a `dealloc`.
        let is_known = calls.is_some() || frees.is_some();
        is_known.then_some(AllocationCount { calls, frees })
    };
    Some(Allocations {
        new: count(|row| row.new)?,
        old: count(|row| row.old),
    })
}

/// Metrics of a comparison: first those that the terminal shows, in its order, with counters of
/// unknown names; then the others.
pub fn metric_rows(comparison: &MetricsComparison, format: &[MetricKind]) -> Vec<Metric> {
    let metric = |row: &ComparisonRow, shown| {
        let time = comparison.time_unit.clone().filter(|_| row.kind.is_time());
        let old = row.old.map(|old| perf::in_unit_of(row.new, old));
        let metric = Metric {
            unit: time.or(row.new.or(row.old).and_then(perf::unit)),
            shown,
            ..named(row.kind, row.difference())
        };
        perf::completed(
            with_values(metric, row.new.map(Number::from), old.map(Number::from)),
            row,
        )
    };
    let shown = format.iter().filter_map(|kind| comparison.row(*kind));
    let rest = comparison.rows.iter();
    let rest = rest.filter(|row| !format.contains(&row.kind));
    shown
        .map(|row| metric(row, true))
        .chain(comparison.unknown.iter().map(Metric::from))
        .chain(rest.map(|row| metric(row, false)))
        .collect()
}

fn named(kind: MetricKind, difference: Option<Difference>) -> Metric {
    metric_of(kind.name().into(), kind.label().into(), difference)
}

fn metric_of(
    kind: Cow<'static, str>,
    label: Cow<'static, str>,
    difference: Option<Difference>,
) -> Metric {
    Metric {
        kind,
        label,
        unit: None,
        shown: true,
        new: None,
        old: None,
        diff_pct: difference.and_then(|difference| finite(difference.percent)),
        factor: difference.and_then(|difference| finite(difference.factor)),
        part: None,
        new_samples: None,
        old_samples: None,
        significance: None,
    }
}

fn with_values(metric: Metric, new: Option<Number>, old: Option<Number>) -> Metric {
    Metric { new, old, ..metric }
}

impl From<&UnknownRow> for Metric {
    fn from(row: &UnknownRow) -> Self {
        let name = || Cow::Owned(row.name.clone());
        let metric = metric_of(name(), name(), row.difference());
        with_values(
            metric,
            row.new.map(Number::Count),
            row.old.map(Number::Count),
        )
    }
}

/// A part, with its metrics in the order of the terminal.
pub fn part(part: &PartResult, format: &[MetricKind]) -> Part {
    Part {
        new: part.new.clone(),
        old: part.old.clone(),
        metrics: metric_rows(&part.comparison, format),
    }
}

impl From<&ExceededLimit> for Regression {
    fn from(regression: &ExceededLimit) -> Self {
        match *regression {
            ExceededLimit::Soft {
                kind,
                new,
                old,
                percent,
                limit,
                own,
            } => Self::Soft {
                kind: kind.name().to_owned(),
                new: new.into(),
                old: old.into(),
                diff_pct: finite(percent),
                limit,
                own,
            },
            ExceededLimit::Hard {
                kind,
                new,
                limit,
                excess,
            } => Self::Hard {
                kind: kind.name().to_owned(),
                new: new.into(),
                limit: limit.into(),
                excess: excess.into(),
            },
        }
    }
}

impl From<&UnmetExpectation> for Regression {
    fn from(unmet: &UnmetExpectation) -> Self {
        match unmet {
            UnmetExpectation::Unequal {
                count,
                with,
                places,
                ..
            } => Self::Unequal {
                kind: count.kind.name().to_owned(),
                new: Number::Count(count.new),
                other: Number::Count(count.other),
                with: with.clone(),
                places: places.clone(),
            },
            UnmetExpectation::Ratio(ExceededRatio {
                kind,
                limited,
                ratio,
                of,
            }) => Self::Ratio {
                kind: kind.name().to_owned(),
                limited: limited.path.clone(),
                limited_count: limited.count,
                ratio: ratio.written().to_owned(),
                of: of.path.clone(),
                of_count: of.count,
            },
            UnmetExpectation::Growth {
                kind,
                bench,
                stated,
                found,
            } => Self::Growth {
                kind: kind.name().to_owned(),
                bench: bench.clone(),
                stated: stated.name().to_owned(),
                found: match found {
                    FasterGrowth::Like(fit) => Some(fit.model.name().to_owned()),
                    FasterGrowth::Rising(_) => None,
                },
            },
        }
    }
}

/// JSON has no infinite numbers.
fn finite(number: f64) -> Option<f64> {
    Some(number).filter(|number| number.is_finite())
}
