//! Values of the runner, in the types of the format.

use std::borrow::Cow;

use iai_callgrind::protocol::{self, EventKind};

use super::perf;
use super::{Allocations, Comparison, Input, Lost, Metric, Number, Part, Regression, ToolErrors};
use crate::compare::{self, ComparisonById, PartResult};
use crate::execute::FoundErrors;
use crate::explain::AllocationCount;
use crate::metrics::{self, MetricKind, MetricValue};

impl Comparison {
    /// Comparisons of two benchmarks, one for each tool that both ran under.
    pub(crate) fn of(by_id: &ComparisonById) -> impl Iterator<Item = Self> + use<'_> {
        let tools = by_id.tools.iter();
        tools.map(|(tool, format, comparison)| Self {
            with: by_id.other.to_string(),
            tool: tool.id().to_owned(),
            metrics: Metric::rows(comparison, format),
        })
    }
}

impl Allocations {
    /// Calls of the allocator, if the new ones are known.
    pub(crate) fn of(comparison: &compare::MetricsComparison) -> Option<Self> {
        let rows = [EventKind::Allocations, EventKind::Frees].map(|kind| comparison.row(kind));
        let count = |value: fn(&compare::ComparisonRow) -> Option<MetricValue>| {
            let [calls, frees] = rows.map(|row| match value(row?)? {
                MetricValue::Int(count) => Some(count),
                _ => None,
            });
            let is_known = calls.is_some() || frees.is_some();
            is_known.then_some(AllocationCount { calls, frees })
        };
        Some(Self {
            new: count(|row| row.new)?,
            old: count(|row| row.old),
        })
    }
}

impl Metric {
    /// Metrics of a comparison: first those that the terminal shows, in its order, with counters of
    /// unknown names; then the others.
    pub(crate) fn rows(
        comparison: &compare::MetricsComparison,
        format: &[MetricKind],
    ) -> Vec<Self> {
        let metric = |row: &compare::ComparisonRow, shown| {
            let time = comparison.time_unit.clone().filter(|_| row.kind.is_time());
            let old = row.old.map(|old| perf::in_unit_of(row.new, old));
            let metric = Metric {
                unit: time.or(row.new.or(row.old).and_then(perf::unit)),
                shown,
                ..Metric::named(row.kind, row.difference())
            };
            perf::completed(
                metric.with(row.new.map(Number::from), old.map(Number::from)),
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

    fn named(kind: MetricKind, difference: Option<compare::Difference>) -> Self {
        Self::new(kind.name().into(), kind.label().into(), difference)
    }

    fn new(
        kind: Cow<'static, str>,
        label: Cow<'static, str>,
        difference: Option<compare::Difference>,
    ) -> Self {
        Self {
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

    fn with(self, new: Option<Number>, old: Option<Number>) -> Self {
        Self { new, old, ..self }
    }
}

impl From<&compare::UnknownRow> for Metric {
    fn from(row: &compare::UnknownRow) -> Self {
        let name = || Cow::Owned(row.name.clone());
        Self::new(name(), name(), row.difference())
            .with(row.new.map(Number::Count), row.old.map(Number::Count))
    }
}

impl Part {
    /// A part, with its metrics in the order of the terminal.
    pub(crate) fn of(part: &PartResult, format: &[MetricKind]) -> Self {
        Self {
            new: part.new.clone(),
            old: part.old.clone(),
            metrics: Metric::rows(&part.comparison, format),
        }
    }
}

impl From<&protocol::Input> for Input {
    fn from(input: &protocol::Input) -> Self {
        let protocol::Input { text, positional } = input.clone();
        Self { text, positional }
    }
}

impl From<Input> for protocol::Input {
    fn from(Input { text, positional }: Input) -> Self {
        Self { text, positional }
    }
}

impl From<&compare::ExceededLimit> for Regression {
    fn from(regression: &compare::ExceededLimit) -> Self {
        match *regression {
            compare::ExceededLimit::Soft {
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
            compare::ExceededLimit::Hard {
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

impl From<&compare::UnmetExpectation> for Regression {
    fn from(unmet: &compare::UnmetExpectation) -> Self {
        match unmet {
            compare::UnmetExpectation::Unequal {
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
            compare::UnmetExpectation::Ratio(compare::ExceededRatio {
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
            compare::UnmetExpectation::Growth {
                kind,
                bench,
                stated,
                found,
            } => Self::Growth {
                kind: kind.name().to_owned(),
                bench: bench.clone(),
                stated: stated.name().to_owned(),
                found: match found {
                    compare::FasterGrowth::Like(fit) => Some(fit.model.name().to_owned()),
                    compare::FasterGrowth::Rising(_) => None,
                },
            },
        }
    }
}

impl From<&FoundErrors> for ToolErrors {
    fn from(found: &FoundErrors) -> Self {
        let lost = found.lost.iter();
        Self {
            errors: found.errors,
            contexts: found.contexts,
            lost: lost
                .map(|(kind, amount)| Lost {
                    kind: kind.clone(),
                    bytes: amount.bytes,
                    blocks: amount.blocks,
                })
                .collect(),
            lines: found.records.lines.clone(),
            cut: found.records.cut,
            log: found.log.display().to_string(),
        }
    }
}

impl From<metrics::MetricValue> for Number {
    fn from(value: metrics::MetricValue) -> Self {
        match value {
            metrics::MetricValue::Int(count) => Self::Count(count),
            metrics::MetricValue::Float(rate) => Self::Rate(rate),
            metrics::MetricValue::Perf(figure) if figure.is_count() => {
                Self::Count(crate::metrics::perf::count(figure.value) as u64)
            }
            metrics::MetricValue::Perf(figure) => Self::Rate(figure.value),
        }
    }
}

impl From<Number> for metrics::MetricValue {
    fn from(number: Number) -> Self {
        match number {
            Number::Count(count) => Self::Int(count),
            Number::Rate(rate) => Self::Float(rate),
        }
    }
}

/// JSON has no infinite numbers.
pub(super) fn finite(number: f64) -> Option<f64> {
    Some(number).filter(|number| number.is_finite())
}
