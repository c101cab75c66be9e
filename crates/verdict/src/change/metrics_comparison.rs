//! New metrics beside old ones, and the difference of each.

use iai_callgrind::protocol::Direction;

use super::WelchTest;
use metrics::{MetricKind, MetricValue, Metrics};

/// Two sets of metrics side by side.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MetricsComparison {
    /// Rows of the metrics that at least one side has, in the order of [`MetricKind`].
    pub rows: Vec<ComparisonRow>,
    /// Counters that no table of the runner has, under the tool's names.
    pub unknown: Vec<UnknownRow>,
    /// The unit of the times among the rows.
    pub time_unit: Option<String>,
    /// The unit of the old times, if it differs: the rows have no old times then.
    pub other_time_unit: Option<String>,
    /// Changes are by chance, since the same code counted both sides under the same conditions and
    /// one more run of it counted differently: they are neither better nor worse.
    pub by_chance: bool,
}

/// One counter of an unknown name on both sides; at least one has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownRow {
    /// The tool's name.
    pub name: String,
    /// The left side.
    pub new: Option<u64>,
    /// The right side.
    pub old: Option<u64>,
}

/// One metric on both sides; at least one has it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ComparisonRow {
    /// The metric.
    pub kind: MetricKind,
    /// The left side.
    pub new: Option<MetricValue>,
    /// The right side.
    pub old: Option<MetricValue>,
    /// The significance of their difference, where that can be said.
    pub significance: Option<WelchTest>,
}

/// The difference of the new value from the old one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Difference {
    /// `(new - old) / old * 100`; infinite if only the old value is 0.
    pub percent: f64,
    /// `new / old`, or `-old / new` if the new value is smaller; infinite if the divisor is 0.
    pub factor: f64,
}

/// Is a change welcome?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trend {
    /// The metric moved in its direction.
    Better,
    /// The metric moved against its direction.
    Worse,
}

/// Puts new metrics beside old ones. Old times in another unit are left out.
#[must_use]
pub fn compare(new: &Metrics, old: Option<&Metrics>) -> MetricsComparison {
    let old_kinds = old.into_iter().flat_map(Metrics::iter);
    let all = new.iter().chain(old_kinds).map(|(kind, _)| kind);
    // Most often both have the same ones, each in its order.
    let mut kinds: Vec<MetricKind> = all.collect();
    kinds.sort();
    kinds.dedup();
    let other_time_unit = old
        .and_then(|old| old.time_unit.clone())
        .filter(|unit| new.time_unit.as_ref().is_some_and(|new| new != unit));
    let comparable = |kind: MetricKind| !kind.is_time() || other_time_unit.is_none();
    let row = |kind| {
        let left = new.get(kind);
        let right = old
            .filter(|_| comparable(kind))
            .and_then(|old| old.get(kind));
        let significance = match (left, right, new.alpha) {
            (Some(MetricValue::Perf(left)), Some(MetricValue::Perf(right)), Some(alpha)) => {
                WelchTest::of(&left, &right, alpha)
            }
            _ => None,
        };
        ComparisonRow {
            kind,
            new: left,
            old: right,
            significance,
        }
    };
    let time_unit = new.time_unit.as_ref();
    MetricsComparison {
        rows: kinds.into_iter().map(row).collect(),
        unknown: unknown(new, old),
        time_unit: time_unit
            .or(old.and_then(|old| old.time_unit.as_ref()))
            .cloned(),
        other_time_unit,
        // Only the caller knows what code ran on both sides.
        by_chance: false,
    }
}

/// Rows in the order of the new side; rows that only the old side has come last.
fn unknown(new: &Metrics, old: Option<&Metrics>) -> Vec<UnknownRow> {
    let old = old.map(|old| old.unknown.as_slice()).unwrap_or_default();
    let count = |side: &[(String, u64)], name: &str| {
        let mut side = side.iter();
        side.find(|(known, _)| known == name)
            .map(|(_, count)| *count)
    };
    let only_old = old
        .iter()
        .filter(|(name, _)| count(&new.unknown, name).is_none());
    let names = new.unknown.iter().chain(only_old).map(|(name, _)| name);
    names
        .map(|name| UnknownRow {
            name: name.clone(),
            new: count(&new.unknown, name),
            old: count(old, name),
        })
        .collect()
}

impl MetricsComparison {
    /// The row of one metric, if a side has it.
    #[must_use]
    pub fn row(&self, kind: impl Into<MetricKind>) -> Option<&ComparisonRow> {
        let kind = kind.into();
        self.rows.iter().find(|row| row.kind == kind)
    }
}

/// The comparison of one metric alone.
impl From<ComparisonRow> for MetricsComparison {
    fn from(row: ComparisonRow) -> Self {
        Self {
            rows: vec![row],
            ..Self::default()
        }
    }
}

impl ComparisonRow {
    /// The difference of both sides, if both are there and can be compared.
    #[must_use]
    pub fn difference(&self) -> Option<Difference> {
        let (new, old) = (self.new?, self.old?);
        new.is_comparable(old)
            .then(|| Difference::between(new, old))
    }
}

impl UnknownRow {
    /// The difference of both sides, if both are there.
    #[must_use]
    pub fn difference(&self) -> Option<Difference> {
        let (new, old) = (MetricValue::Int(self.new?), MetricValue::Int(self.old?));
        Some(Difference::between(new, old))
    }
}

impl Difference {
    /// The difference of two values.
    #[must_use]
    pub fn between(new: MetricValue, old: MetricValue) -> Self {
        // Also of two zeros, whose quotient would be NaN.
        if new.equals(old) {
            return Self {
                percent: 0.0,
                factor: 1.0,
            };
        }
        let (difference, new, old) = (new.minus(old), new.as_f64(), old.as_f64());
        // Dividing by zero gives the infinity with the right sign, as zeros are never negative.
        let factor = if difference > 0.0 {
            new / old
        } else {
            -(old / new)
        };
        Self {
            // In this order: a percentage with few decimals comes out as it is written.
            percent: difference * 100.0 / old,
            factor,
        }
    }

    /// Is it a change for the better or worse, for a metric of this direction? `None`: no change.
    #[must_use]
    pub fn trend(&self, direction: Direction) -> Option<Trend> {
        let rises = match self.percent {
            percent if percent > 0.0 => true,
            percent if percent < 0.0 => false,
            _ => return None,
        };
        let welcome = rises == (direction == Direction::Higher);
        Some(if welcome { Trend::Better } else { Trend::Worse })
    }
}

#[cfg(test)]
mod tests {
    use iai_callgrind::protocol::EventKind;

    use super::*;
    use base::tool::Tool;

    #[track_caller]
    fn check(new: u64, old: u64, percent: f64, factor: f64) {
        let difference = Difference::between(MetricValue::Int(new), MetricValue::Int(old));
        let close = |left: f64, right: f64| left == right || (left - right).abs() < 1e-9;
        assert!(close(difference.percent, percent), "{difference:?}");
        assert!(close(difference.factor, factor), "{difference:?}");
    }

    #[test]
    fn percent_and_factor() {
        check(915, 915, 0.0, 1.0);
        check(0, 0, 0.0, 1.0);
        check(200, 100, 100.0, 2.0);
        check(100, 200, -50.0, -2.0);
        check(1, 0, f64::INFINITY, f64::INFINITY);
        check(0, 1, -100.0, f64::NEG_INFINITY);
    }

    #[test]
    fn counts_that_differ_by_one_are_never_equal() {
        let new = MetricValue::Int(u64::MAX);
        let difference = Difference::between(new, MetricValue::Int(u64::MAX - 1));
        assert!(difference.percent > 0.0);
        assert_eq!(difference.trend(Direction::Lower), Some(Trend::Worse));
    }

    #[test]
    fn direction_decides_what_is_better() {
        let rise = Difference::between(MetricValue::Float(99.0), MetricValue::Float(98.0));
        assert_eq!(
            rise.trend(MetricKind::from(EventKind::L1HitRate).direction()),
            Some(Trend::Better)
        );
        assert_eq!(
            rise.trend(MetricKind::from(EventKind::LLMissRate).direction()),
            Some(Trend::Worse)
        );
        assert_eq!(
            rise.trend(MetricKind::from(EventKind::RamHitRate).direction()),
            Some(Trend::Worse)
        );
    }

    #[test]
    fn a_side_that_lacks_a_metric_leaves_a_gap() {
        let new = Metrics::from_counters(Tool::Callgrind, [("Ir", 1), ("Bc", 2)]).unwrap();
        let old = Metrics::from_counters(Tool::Callgrind, [("Ir", 1), ("Ge", 3)]).unwrap();
        let rows = compare(&new, Some(&old)).rows;
        let kinds: Vec<_> = rows
            .iter()
            .map(|row| (row.kind, row.new, row.old))
            .collect();
        let one = Some(MetricValue::Int(1));
        assert_eq!(
            kinds,
            [
                (EventKind::Ir.into(), one, one),
                (EventKind::Ge.into(), None, Some(MetricValue::Int(3))),
                (EventKind::Bc.into(), Some(MetricValue::Int(2)), None),
            ]
        );
        assert!(compare(&new, None)
            .rows
            .iter()
            .all(|row| row.difference().is_none()));
    }
}
