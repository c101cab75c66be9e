//! The judgement on one metric of two results.
//!
//! All limits are checked by `compare::check`, as in `cargo bench`. A change is an improvement if the way back would
//! exceed the limit: so each side is as much better as the other one is worse.

use super::limits::{exceeded_limit, ResultLimits};
use super::{AgreedCount, JudgedLimit, OwnCounts, RowClass};
use crate::compare::{check, ComparisonRow, ExceededLimit, Trend, Verdict};
use crate::metrics::{MetricKind, MetricValue};
use crate::tool::Tool;

/// Everything that the judgement on a metric depends on.
pub(super) struct JudgedMetric<'a> {
    pub(super) tool: Tool,
    pub(super) row: ComparisonRow,
    /// The program's own code, where both sides know it.
    pub(super) own: Option<OwnCounts>,
    /// What the facts that differ mean.
    pub(super) verdict: Verdict,
    /// Is the code of both sides the same?
    pub(super) code: CodeOfSides,
    pub(super) limits: &'a ResultLimits,
    pub(super) floor: u64,
    pub(super) agreed: Option<AgreedCount>,
}

/// The code of both sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CodeOfSides {
    /// It differs, or nobody knows it.
    Different,
    /// It is the same, and so is everything else that is known.
    Same,
    /// It is the same, under other conditions or on another machine.
    SameElsewhere,
}

/// The remark on a change that the code cannot be the reason of.
const SAME_CODE: &str = "not judged: the same code, other data or machine";

/// The judgement on a metric.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Judgement {
    pub(super) class: RowClass,
    /// The exceeded limit, or the first one.
    pub(super) limit: Option<JudgedLimit>,
    /// The own code, if that was judged.
    pub(super) own: Option<OwnCounts>,
    /// A judgement had to be withheld, whether anything changed or not.
    pub(super) is_withheld: bool,
    pub(super) remark: Option<String>,
}

impl Judgement {
    /// A count that does not meet what its source says has regressed, whatever it was before. The limit stays if it is
    /// exceeded as well.
    pub(super) fn with_unmet(self, is_unmet: bool) -> Self {
        match is_unmet && self.class != RowClass::Regressed {
            true => Self {
                class: RowClass::Regressed,
                limit: None,
                ..self
            },
            false => self,
        }
    }
}

impl JudgedMetric<'_> {
    pub(super) fn judge(&self) -> Judgement {
        let limits = self.limits.of_metric(self.row.kind);
        let has_both = self.row.old.is_some() && self.row.new.is_some();
        let verdict = match self.verdict {
            Verdict::OwnCode if self.own.is_none() => Verdict::Shown,
            verdict => verdict,
        };
        let own = self.own.filter(|_| verdict == Verdict::OwnCode);
        let judged = self.judged_row(own);
        let hard = check(&self.row.into(), &[], &limits.hard);
        let soft = self.exceeded(judged, &limits);
        let is_better = |row| !self.exceeded(swapped(row), &limits).is_empty();
        let is_beyond = |row| !self.exceeded(row, &limits).is_empty() || is_better(row);
        let is_judged = verdict != Verdict::Shown;
        let (class, remark) = match (hard.first(), soft.first()) {
            (Some(_), _) => (RowClass::Regressed, None),
            _ if self.is_not_deterministic() => (RowClass::NotDeterministic, None),
            // Code that is the same neither regresses nor improves.
            _ if self.code == CodeOfSides::SameElsewhere && is_beyond(judged) => {
                (RowClass::NotJudged, Some(SAME_CODE.to_owned()))
            }
            (_, Some(_)) if !is_judged => (RowClass::NotJudged, None),
            (_, Some(_)) => self.regressed_or_accepted(judged, own.is_some(), &limits),
            _ if is_judged && is_better(judged) => (RowClass::Improved, None),
            _ if own.is_some() && is_beyond(self.row) => (RowClass::ChangedOutsideOwnCode, None),
            _ => (without_limit(&self.row), None),
        };
        let exceeded = hard.first().or(soft.first());
        let limit = exceeded.map(|exceeded| exceeded_limit(self.tool, exceeded));
        Judgement {
            class,
            limit: limit.or_else(|| limits.judged(self.tool).into_iter().next()),
            // A limit on the value itself is one on all of it.
            own: own.filter(|_| hard.is_empty()),
            is_withheld: class == RowClass::NotJudged
                || (!is_judged && has_both && !limits.soft.is_empty()),
            remark,
        }
    }

    /// The row that soft limits are checked on.
    fn judged_row(&self, own: Option<OwnCounts>) -> ComparisonRow {
        match own {
            Some(own) => ComparisonRow {
                old: Some(MetricValue::Int(own.old)),
                new: Some(MetricValue::Int(own.new)),
                ..self.row
            },
            None => self.row,
        }
    }

    fn exceeded(&self, row: ComparisonRow, limits: &ResultLimits) -> Vec<ExceededLimit> {
        let mut exceeded = check(&row.into(), &limits.soft, &[]);
        exceeded.retain(|exceeded| match exceeded {
            // The floor is one of counts.
            ExceededLimit::Soft { kind, .. } if kind.is_per_unit() => true,
            ExceededLimit::Soft { new, old, .. } => new.minus(*old).abs() >= self.floor as f64,
            ExceededLimit::Hard { .. } => true,
        });
        exceeded
    }

    /// A limit is exceeded. Reviewers may have agreed to a worse old value.
    fn regressed_or_accepted(
        &self,
        judged: ComparisonRow,
        is_own: bool,
        limits: &ResultLimits,
    ) -> (RowClass, Option<String>) {
        let is_elsewhere = self.agreed.is_some_and(|agreed| agreed.is_of_other_library);
        // Both sides may have one C library, and the accepted count another one.
        let judged = match self.own.filter(|_| is_elsewhere) {
            Some(own) => self.judged_row(Some(own)),
            None => judged,
        };
        let agreed = self.agreed.and_then(|agreed| match is_own || is_elsewhere {
            true => agreed
                .own
                .filter(|_| self.own.is_some())
                .map(MetricValue::Int),
            false => agreed.count.map(MetricValue::from),
        });
        let Some(agreed) = agreed else {
            return (RowClass::Regressed, None);
        };
        let of_own = if is_own || is_elsewhere {
            " of own code"
        } else {
            ""
        };
        let from_old = ComparisonRow {
            new: Some(agreed),
            ..judged
        };
        let trend = from_old.difference();
        let trend = trend.and_then(|difference| difference.trend(judged.kind.direction()));
        let from_agreed = ComparisonRow {
            old: Some(agreed),
            ..judged
        };
        match trend == Some(Trend::Worse) && self.exceeded(from_agreed, limits).is_empty() {
            true => (
                RowClass::Accepted,
                Some(format!("{agreed}{of_own} is accepted")),
            ),
            false if trend == Some(Trend::Worse) => (
                RowClass::Regressed,
                Some(format!(
                    "{agreed}{of_own} is accepted, and exceeded as well"
                )),
            ),
            false => (RowClass::Regressed, None),
        }
    }

    /// Do two runs of the same executable differ? Times always do, and figures of the hardware.
    fn is_not_deterministic(&self) -> bool {
        let kind = self.row.kind;
        self.code == CodeOfSides::Same
            && self.verdict == Verdict::Judged
            && !kind.is_time()
            && !matches!(kind, MetricKind::Perf(_))
            && without_limit(&self.row) == RowClass::Changed
    }
}

/// The class of a row that no limit is exceeded of.
fn without_limit(row: &ComparisonRow) -> RowClass {
    match (row.old, row.new) {
        (None, _) => RowClass::New,
        (_, None) => RowClass::Gone,
        (Some(old), Some(new)) if new.equals(old) => RowClass::Same,
        _ => RowClass::Changed,
    }
}

fn swapped(row: ComparisonRow) -> ComparisonRow {
    ComparisonRow {
        old: row.new,
        new: row.old,
        ..row
    }
}
