//! Metrics and limits in version 6: values say their type, and percentages and factors are texts,
//! since they may be infinite.

use std::collections::BTreeMap;

use iai_callgrind::protocol::EventKind;
use serde::Serialize;

use super::EitherSide;
use crate::summary::{Metric, Number, Regression};
use base::tool::Tool;
use metrics::MetricKind;

/// Metrics of a result, by name.
type MetricsByName<'a> = BTreeMap<&'a str, MetricV6>;

/// Metrics of a tool.
#[derive(Debug, Serialize)]
pub(super) enum ToolMetricsV6<'a> {
    /// The format has no metrics of Massif and exp-bbv.
    None,
    Callgrind(MetricsByName<'a>),
    Cachegrind(MetricsByName<'a>),
    Dhat(MetricsByName<'a>),
    ErrorTool(MetricsByName<'a>),
}

/// Values of one metric.
#[derive(Debug, Serialize)]
pub(super) struct MetricV6 {
    diffs: Option<DifferenceV6>,
    metrics: EitherSide<NumberV6>,
}

#[derive(Debug, PartialEq, Serialize)]
pub(super) struct DifferenceV6 {
    diff_pct: String,
    factor: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(super) enum NumberV6 {
    Int(u64),
    Float(f64),
}

/// The metric of a limit.
#[derive(Debug, Serialize)]
pub(super) enum MetricNameV6<'a> {
    None,
    Callgrind(&'a str),
    Cachegrind(&'a str),
    Dhat(&'a str),
    Memcheck(&'a str),
    Helgrind(&'a str),
    #[serde(rename = "DRD")]
    Drd(&'a str),
}

/// An exceeded limit.
#[derive(Debug, Serialize)]
pub(super) enum RegressionV6<'a> {
    Soft {
        diff_pct: String,
        limit: String,
        metric: MetricNameV6<'a>,
        new: NumberV6,
        old: NumberV6,
    },
    Hard {
        diff: NumberV6,
        limit: NumberV6,
        metric: MetricNameV6<'a>,
        new: NumberV6,
    },
}

impl<'a> ToolMetricsV6<'a> {
    pub(super) fn of(tool: Tool, metrics: &'a [Metric]) -> Self {
        let known = metrics.iter().filter(|metric| is_known(tool, &metric.kind));
        let by_name = || {
            known
                .filter_map(|metric| Some((&*metric.kind, MetricV6::of(metric)?)))
                .collect()
        };
        match tool {
            Tool::Callgrind => Self::Callgrind(by_name()),
            Tool::Cachegrind => Self::Cachegrind(by_name()),
            Tool::Dhat => Self::Dhat(by_name()),
            Tool::Memcheck | Tool::Helgrind | Tool::Drd => Self::ErrorTool(by_name()),
            // The format stays as it is, so it has no metrics of other tools.
            _ => Self::None,
        }
    }
}

/// Has the format a metric of this name? Its readers refuse names that they do not know.
fn is_known(tool: Tool, name: &str) -> bool {
    let later = [EventKind::Allocations, EventKind::Frees].map(MetricKind::from);
    MetricKind::named(tool, name).is_some_and(|kind| !later.contains(&kind) && !kind.is_per_unit())
}

impl MetricV6 {
    /// `None`: the metric has no value.
    fn of(metric: &Metric) -> Option<Self> {
        let (new, old) = (metric.new, metric.old);
        let diffs = match (new, old) {
            (Some(new), Some(old)) => Some(DifferenceV6::of(metric, new, old)),
            _ => None,
        };
        let metrics = EitherSide::new(new.map(NumberV6::from), old.map(NumberV6::from))?;
        Some(Self { diffs, metrics })
    }
}

impl DifferenceV6 {
    /// Returns the texts of a difference. A number that is infinite in the text is `None` in the
    /// metric.
    fn of(metric: &Metric, new: Number, old: Number) -> Self {
        let infinity = match new.as_f64() > old.as_f64() {
            true => f64::INFINITY,
            false => f64::NEG_INFINITY,
        };
        Self {
            diff_pct: metric.diff_pct.unwrap_or(infinity).to_string(),
            factor: metric.factor.unwrap_or(infinity).to_string(),
        }
    }
}

impl From<Number> for NumberV6 {
    fn from(number: Number) -> Self {
        match number {
            Number::Count(count) => Self::Int(count),
            Number::Rate(rate) => Self::Float(rate),
        }
    }
}

impl<'a> MetricNameV6<'a> {
    fn of(tool: Tool, name: &'a str) -> Self {
        match tool {
            _ if !is_known(tool, name) => Self::None,
            Tool::Callgrind => Self::Callgrind(name),
            Tool::Cachegrind => Self::Cachegrind(name),
            Tool::Dhat => Self::Dhat(name),
            Tool::Memcheck => Self::Memcheck(name),
            Tool::Helgrind => Self::Helgrind(name),
            Tool::Drd => Self::Drd(name),
            // The format stays as it is, so it has no metrics of other tools.
            _ => Self::None,
        }
    }
}

impl<'a> RegressionV6<'a> {
    pub(super) fn of(tool: Tool, regression: &'a Regression) -> Option<Self> {
        Some(match regression {
            Regression::Soft {
                kind,
                new,
                old,
                diff_pct,
                limit,
                ..
            } => Self::Soft {
                // Only a change from 0 upwards is infinite.
                diff_pct: diff_pct.unwrap_or(f64::INFINITY).to_string(),
                limit: limit.to_string(),
                metric: MetricNameV6::of(tool, kind),
                new: (*new).into(),
                old: (*old).into(),
            },
            Regression::Hard {
                kind,
                new,
                limit,
                excess,
            } => Self::Hard {
                diff: (*excess).into(),
                limit: (*limit).into(),
                metric: MetricNameV6::of(tool, kind),
                new: (*new).into(),
            },
            // The format has limits alone.
            Regression::Unequal { .. } | Regression::Ratio { .. } | Regression::Growth { .. } => {
                return None
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use super::*;

    /// The metric `Ir` with these values.
    fn metric(new: Option<u64>, old: Option<u64>) -> Metric {
        let both = new.zip(old).map(|(new, old)| (new as f64, old as f64));
        let percent = both.map(|(new, old)| match new == old {
            true => 0.0,
            false => (new - old) / old * 100.0,
        });
        let factor = both.map(|(new, old)| match new.total_cmp(&old) {
            Ordering::Less => -old / new,
            Ordering::Equal => 1.0,
            Ordering::Greater => new / old,
        });
        let finite = |number: f64| Some(number).filter(|number| number.is_finite());
        let json = serde_json::json!({
            "kind": "Ir", "label": "Instructions", "shown": true, "new": new, "old": old,
            "diff_pct": percent.and_then(finite),
            "factor": factor.and_then(finite),
        });
        serde_json::from_value(json).unwrap()
    }

    #[test]
    fn differences_are_texts_that_may_be_infinite() {
        #[track_caller]
        fn check(new: u64, old: u64, diff_pct: &str, factor: &str) {
            let metric = MetricV6::of(&metric(Some(new), Some(old))).unwrap();
            let (diff_pct, factor) = (diff_pct.to_owned(), factor.to_owned());
            assert_eq!(metric.diffs, Some(DifferenceV6 { diff_pct, factor }));
            let both = EitherSide::Both(NumberV6::Int(new), NumberV6::Int(old));
            assert_eq!(metric.metrics, both);
        }
        check(1365, 915, "49.18032786885246", "1.4918032786885247");
        check(915, 1365, "-32.967032967032964", "-1.4918032786885247");
        check(7, 7, "0", "1");
        check(0, 0, "0", "1");
        check(7, 0, "inf", "inf");
        check(0, 7, "-100", "-inf");
    }

    #[test]
    fn metrics_that_came_later_are_left_out() {
        assert!(is_known(Tool::Callgrind, "Ir"));
        for later in ["Allocations", "Frees", "InstructionsPerByte"] {
            assert!(!is_known(Tool::Callgrind, later));
            let name = serde_json::to_value(MetricNameV6::of(Tool::Callgrind, later));
            assert_eq!(name.unwrap(), "None");
        }
    }

    #[test]
    fn a_side_alone_has_no_difference() {
        let left = MetricV6::of(&metric(Some(7), None)).unwrap();
        assert_eq!(left.metrics, EitherSide::Left(NumberV6::Int(7)));
        let right = MetricV6::of(&metric(None, Some(7))).unwrap();
        assert_eq!(right.metrics, EitherSide::Right(NumberV6::Int(7)));
        assert_eq!((left.diffs, right.diffs), (None, None));
        assert!(MetricV6::of(&metric(None, None)).is_none());
    }
}
