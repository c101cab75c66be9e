//! Limits: how far a metric may move (soft) and what it may reach (hard).
//!
//! For metrics of which less is better (all but the hit rates):
//! - soft, without a minus sign: exceeded if the change is above it; with one, also `-0`: if it is
//!   below it,
//! - hard: exceeded if the new value is above it.
//!
//! For metrics of which more is better, a loss is what counts: a soft limit of 5 % and one of
//! -5 % are both exceeded by a change below -5 %, a hard limit by a new value below it.
//!
//! Reaching a limit is no regression. Soft limits on counts are decimals as they were written and
//! are checked in whole numbers, `(new - old) · 100 · 10^k > limit · 10^k · old`; percentages of
//! rates, means and counts for each unit are rounded to nine decimals first. Where the significance
//! of a change is known, a change that is not significant does not exceed a soft limit.

use std::cmp::Ordering;

use iai_callgrind::protocol::{Direction, Limit};

use super::decimal::WrittenDecimal;
use crate::{Difference, MetricsComparison};
use metrics::perf::PerfFigure;
use metrics::{MetricKind, MetricValue};

/// A limit that was exceeded.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ExceededLimit {
    /// The change against the old value is too large.
    Soft {
        /// The metric.
        kind: MetricKind,
        /// The new value.
        new: MetricValue,
        /// The old value.
        old: MetricValue,
        /// The change in percent.
        percent: f64,
        /// The limit in percent, with the sign of the changes that it forbids.
        limit: f64,
        /// Are the values those of the program's own code, since all others cannot be compared?
        own: bool,
    },
    /// The new value is too large (or too small, if more is better).
    Hard {
        /// The metric.
        kind: MetricKind,
        /// The new value.
        new: MetricValue,
        /// The limit.
        limit: MetricValue,
        /// The distance of the value from the limit.
        excess: MetricValue,
    },
}

impl ExceededLimit {
    /// The change whose way back exceeds this limit.
    #[must_use]
    pub(crate) fn there_and_back(self) -> Self {
        match self {
            Self::Soft {
                kind,
                new: old,
                old: new,
                limit,
                own,
                ..
            } => Self::Soft {
                kind,
                new,
                old,
                percent: Difference::between(new, old).percent,
                limit,
                own,
            },
            hard @ Self::Hard { .. } => hard,
        }
    }

    /// The metric.
    #[must_use]
    pub fn kind(&self) -> MetricKind {
        match self {
            Self::Soft { kind, .. } | Self::Hard { kind, .. } => *kind,
        }
    }

    /// Size of the excess: the change in percent, or the distance in percent of the limit.
    pub fn size(&self) -> f64 {
        match self {
            Self::Soft { percent, .. } => percent.abs(),
            Self::Hard { limit, excess, .. } => {
                // Infinite for a limit of 0.
                (excess.as_f64() / limit.as_f64() * 100.0).abs()
            }
        }
    }

    /// The same of the program's own code.
    #[must_use]
    pub fn of_own_code(mut self) -> Self {
        if let Self::Soft { own, .. } = &mut self {
            *own = true;
        }
        self
    }
}

/// The limits that are exceeded: all soft ones in their order, then all hard ones.
///
/// A soft limit needs both sides, a hard one only the new value. Limits on metrics that were not
/// collected have no effect; [`uncollected`](MetricsComparison::uncollected) names them.
#[must_use]
pub fn check(
    comparison: &MetricsComparison,
    soft: &[(MetricKind, f64)],
    hard: &[(MetricKind, Limit)],
) -> Vec<ExceededLimit> {
    let soft = soft
        .iter()
        .filter_map(|(kind, limit)| check_soft(comparison, *kind, *limit));
    let hard = hard
        .iter()
        .filter_map(|(kind, limit)| check_hard(comparison, *kind, *limit));
    soft.chain(hard).collect()
}

impl MetricsComparison {
    /// The metrics among these that the new side does not have, each once.
    pub fn uncollected(&self, kinds: impl IntoIterator<Item = MetricKind>) -> Vec<MetricKind> {
        let mut missing = Vec::new();
        for kind in kinds {
            let collected = self.row(kind).is_some_and(|row| row.new.is_some());
            if !collected && !missing.contains(&kind) {
                missing.push(kind);
            }
        }
        missing
    }
}

fn check_soft(
    comparison: &MetricsComparison,
    kind: MetricKind,
    limit: f64,
) -> Option<ExceededLimit> {
    let row = comparison.row(kind)?;
    let (new, old) = (row.new?, row.old?);
    let percent = row.difference()?.percent;
    if row
        .significance
        .is_some_and(|found| !found.is_significant())
    {
        return None;
    }
    // By the sign bit, so that `-0` forbids each fall as `0` forbids each rise.
    let falling = limit.is_sign_negative() || kind.direction() == Direction::Higher;
    let limit = if falling { -limit.abs() } else { limit };
    let beyond = match falling {
        true => Ordering::Less,
        false => Ordering::Greater,
    };
    let exceeded = against(new, old, percent, limit) == Some(beyond);
    exceeded.then_some(ExceededLimit::Soft {
        kind,
        new,
        old,
        percent,
        limit,
        own: false,
    })
}

/// Is a change above or below a limit in percent?
fn against(new: MetricValue, old: MetricValue, percent: f64, limit: f64) -> Option<Ordering> {
    let percent = match (new, old) {
        // 28 of 400 are 7.000000000000001 % in floating point, which would exceed a limit of 7 %.
        (MetricValue::Int(new), MetricValue::Int(old)) => match in_whole_numbers(new, old, limit) {
            None => percent,
            found => return found,
        },
        _ => (percent * 1e9).round() / 1e9,
    };
    percent.partial_cmp(&limit)
}

/// The same of counts, without rounding. `None`: the limit has more digits than fit, or is no
/// number.
fn in_whole_numbers(new: u64, old: u64, limit: f64) -> Option<Ordering> {
    // The shortest decimal that is read as this number, which is the one that was written.
    let limit = WrittenDecimal::read(&limit.to_string())?;
    // The limit is in percent, hence two digits more. With up to 16 decimals nothing overflows:
    // 10^18 times a count of 64 bits fits in 127 bits.
    let scale = 10_i128.checked_pow(limit.decimals + 2)?;
    let change = (i128::from(new) - i128::from(old)).checked_mul(scale)?;
    Some(change.cmp(&limit.digits.checked_mul(i128::from(old))?))
}

fn check_hard(
    comparison: &MetricsComparison,
    kind: MetricKind,
    limit: Limit,
) -> Option<ExceededLimit> {
    let new = comparison.row(kind)?.new?;
    let limit = match (limit, new) {
        (Limit::Int(limit), MetricValue::Int(_)) => MetricValue::Int(limit),
        (Limit::Int(limit), MetricValue::Float(_)) => MetricValue::Float(limit as f64),
        // In the unit of the metric.
        (Limit::Float(limit), MetricValue::Perf(new)) => {
            MetricValue::Perf(PerfFigure::exact(limit, new.unit))
        }
        (Limit::Int(limit), MetricValue::Perf(new)) => {
            MetricValue::Perf(PerfFigure::exact(limit as f64, new.unit))
        }
        (Limit::Float(limit), _) => MetricValue::Float(limit),
    };
    let (high, low) = match kind.direction() {
        Direction::Lower => (new, limit),
        Direction::Higher => (limit, new),
    };
    let excess = match (high, low) {
        (MetricValue::Int(high), MetricValue::Int(low)) => {
            // Below the limit the excess is 0, and nothing is exceeded.
            MetricValue::Int(high.saturating_sub(low))
        }
        (MetricValue::Perf(high), MetricValue::Perf(low)) => {
            MetricValue::Perf(PerfFigure::exact(high.value - low.value, high.unit))
        }
        _ => MetricValue::Float(high.minus(low)),
    };
    (excess.as_f64() > 0.0).then_some(ExceededLimit::Hard {
        kind,
        new,
        limit,
        excess,
    })
}

#[cfg(test)]
mod tests {
    use iai_callgrind::protocol::EventKind::{self, Ge, Ir, L1HitRate, RamHits};

    use super::*;
    use crate::ComparisonRow;

    fn comparison() -> MetricsComparison {
        let row = |kind: EventKind, new, old| ComparisonRow {
            kind: kind.into(),
            new: Some(new),
            old,
            significance: None,
        };
        MetricsComparison {
            rows: vec![
                row(Ir, MetricValue::Int(1365), Some(MetricValue::Int(1300))), // +5 %
                row(
                    L1HitRate,
                    MetricValue::Float(99.0),
                    Some(MetricValue::Float(100.0)),
                ), // -1 %
                row(RamHits, MetricValue::Int(3), None),
            ],
            ..MetricsComparison::default()
        }
    }

    #[track_caller]
    fn check_soft(kind: EventKind, limit: f64, exceeded: bool) {
        let found = check(&comparison(), &[(kind.into(), limit)], &[]);
        assert_eq!(!found.is_empty(), exceeded, "{kind} {limit}: {found:?}");
    }

    #[track_caller]
    fn check_hard(kind: EventKind, limit: impl Into<Limit>, excess: Option<MetricValue>) {
        let found = check(&comparison(), &[], &[(kind.into(), limit.into())]);
        let found = found.first().map(|regression| match regression {
            ExceededLimit::Hard { excess, .. } => *excess,
            ExceededLimit::Soft { .. } => unreachable!(),
        });
        assert_eq!(found, excess);
    }

    #[test]
    fn soft_limits_are_strict() {
        check_soft(Ir, 5.0, false);
        check_soft(Ir, 4.9, true);
        check_soft(Ir, 0.0, true);
        check_soft(Ir, -5.0, false);
        check_soft(Ir, -0.0, false);
        check_soft(Ir, f64::NAN, false);
        check_soft(Ir, f64::INFINITY, false);
    }

    /// Each limit from 0.1 % to 100 %, on old counts that can reach it.
    #[test]
    fn a_limit_that_is_reached_is_kept() {
        let is_exceeded = |new: u64, old: u64, limit: f64| {
            let row = ComparisonRow {
                kind: Ir.into(),
                new: Some(MetricValue::Int(new)),
                old: Some(MetricValue::Int(old)),
                significance: None,
            };
            super::check_soft(&row.into(), Ir.into(), limit).is_some()
        };
        for tenths in 1..=1000_u64 {
            let limit: f64 = format!("{}.{}", tenths / 10, tenths % 10).parse().unwrap();
            let olds = (1..=40).map(|factor| factor * 1000);
            for old in olds.chain([7, 333, (1 << 40) + 1, 1000 << 52]) {
                // Rounded down: the last count that keeps the limit.
                let step = (u128::from(old) * u128::from(tenths) / 1000) as u64;
                assert!(!is_exceeded(old + step, old, limit), "{old} {limit}");
                assert!(is_exceeded(old + step + 1, old, limit), "{old} {limit}");
                assert!(!is_exceeded(old - step, old, -limit), "{old} -{limit}");
                if step < old {
                    assert!(is_exceeded(old - step - 1, old, -limit), "{old} -{limit}");
                }
            }
        }
        // More digits than fit: in floating point.
        assert!(is_exceeded(u64::MAX, 1, 1e300) != is_exceeded(u64::MAX, 1, 1.0));
    }

    #[test]
    fn hit_rates_must_not_fall() {
        check_soft(L1HitRate, 0.5, true);
        check_soft(L1HitRate, -0.5, true);
        check_soft(L1HitRate, 1.0, false);
        check_soft(L1HitRate, -1.0, false);
        check_hard(L1HitRate, 99.0, None);
        check_hard(L1HitRate, 98.0, None);
        check_hard(L1HitRate, 99.5, Some(MetricValue::Float(0.5)));
        check_hard(L1HitRate, 100, Some(MetricValue::Float(1.0)));
    }

    #[test]
    fn hard_limits_are_strict_and_need_no_old_value() {
        check_hard(Ir, 1365, None);
        check_hard(Ir, 800, Some(MetricValue::Int(565)));
        check_hard(RamHits, 2, Some(MetricValue::Int(1)));
        check_hard(Ge, 0, None);
    }

    #[test]
    fn from_zero_every_limit_is_exceeded() {
        let row = ComparisonRow {
            kind: Ir.into(),
            new: Some(MetricValue::Int(1)),
            old: Some(MetricValue::Int(0)),
            significance: None,
        };
        let found = check(&row.into(), &[(Ir.into(), 1e9)], &[]);
        assert_eq!(found.len(), 1);
    }

    #[test]
    fn soft_limits_come_first() {
        let hard = [(Ir.into(), Limit::Int(1))];
        let soft = [(L1HitRate.into(), 0.1), (Ir.into(), 1.0)];
        let found = check(&comparison(), &soft, &hard);
        let kinds: Vec<_> = found.iter().map(ExceededLimit::kind).collect();
        assert_eq!(kinds, [L1HitRate, Ir, Ir].map(MetricKind::from));
    }

    #[test]
    fn metrics_that_were_not_collected_are_named() {
        let kinds = [Ir, Ge, Ge, RamHits].map(MetricKind::from);
        assert_eq!(comparison().uncollected(kinds), [Ge.into()]);
    }
}
