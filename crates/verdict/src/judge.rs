//! The judgement on the metrics of two results.
//!
//! A change is an improvement if the way back would exceed the limit: so each side is as much
//! better as the other one is worse.

use iai_callgrind::protocol::Limit;
use serde::{Deserialize, Serialize};

use super::{
    check, ComparisonRow, Difference, Discrepancy, ExceededLimit, MetricsComparison, RowClass,
    SameCode, Trend, Verdict,
};
use metrics::{MetricKind, MetricValue};
use records::summary::{Number, ObjectCosts};

/// Counts of the program's own code on both sides.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OwnCounts {
    /// The old count.
    pub old: u64,
    /// The new count.
    pub new: u64,
    /// The change in percent of the old count, which was judged; `null` if it is infinite.
    #[serde(default)]
    pub diff_pct: Option<f64>,
}

impl OwnCounts {
    /// Counts of both sides, with their change.
    #[must_use]
    pub fn new(old: u64, new: u64) -> Self {
        let percent = Difference::between(MetricValue::Int(new), MetricValue::Int(old)).percent;
        Self {
            old,
            new,
            // From 0 to something is infinite, which JSON cannot say.
            diff_pct: Some(percent).filter(|percent| percent.is_finite()),
        }
    }
}

/// A count that reviewers agreed to.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct AgreedCount {
    /// The count.
    pub count: Option<Number>,
    /// The part of the program's own code.
    pub own: Option<u64>,
    /// The count was made with another C library than the new one, so that own code alone tells.
    pub is_of_other_library: bool,
}

/// Everything that the judgement on a result depends on.
#[derive(Clone, Copy)]
pub struct JudgedResult<'a> {
    /// Metrics of both sides.
    pub comparison: &'a MetricsComparison,
    /// Soft limits of all metrics; those on counts where the amounts differ are those on counts for
    /// each unit.
    pub soft: &'a [(MetricKind, f64)],
    /// Hard limits, which need no old result.
    pub hard: &'a [(MetricKind, Limit)],
    /// The facts that differ between both sides.
    pub facts: &'a [Discrepancy],
    /// Relation between the code of both sides: the same code may have changed by chance.
    pub code: SameCode,
    /// Costs by executable and library of the old and the new side; empty if they are not known.
    pub objects: [&'a [ObjectCosts]; 2],
    /// A change by fewer counts exceeds no soft limit.
    pub floor: u64,
}

/// The judgements on all metrics of a result that have soft limits.
#[derive(Debug, Default, PartialEq)]
pub struct JudgedLimits {
    /// The soft limits that are exceeded.
    pub exceeded: Vec<ExceededLimit>,
    /// The soft limits that a change exceeds which may not be judged, in either direction.
    pub not_judged: Vec<ExceededLimit>,
    /// Is a total beyond its limit whose own code, which alone was judged, is within it?
    pub changed_outside_own_code: bool,
}

/// The judgement on a metric.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Judgement {
    pub class: RowClass,
    /// The class without hard limits.
    pub(crate) of_change: RowClass,
    /// The hard limits that are exceeded.
    pub hard: Vec<ExceededLimit>,
    /// The soft limits that are exceeded, whether that may be judged or not.
    pub soft: Vec<ExceededLimit>,
    /// The soft limits that the way back exceeds, of a change that may not be judged.
    way_back: Vec<ExceededLimit>,
    /// The own code, if that was judged.
    pub own: Option<OwnCounts>,
    /// A judgement had to be withheld, whether anything changed or not.
    pub(crate) is_withheld: bool,
    pub remark: Option<String>,
}

impl Judgement {
    /// A count that does not meet what its source says has regressed, whatever it was before.
    pub(crate) fn with_unmet(self, is_unmet: bool) -> Self {
        match is_unmet {
            true => Self {
                class: RowClass::Regressed,
                ..self
            },
            false => self,
        }
    }

    /// The exceeded limit that decides.
    pub(crate) fn exceeded(&self) -> Option<&ExceededLimit> {
        // A hard limit makes the class `Regressed` whatever the soft ones say.
        self.hard.first().or(self.soft.first())
    }
}

impl JudgedResult<'_> {
    /// The judgement on a metric. `None`: neither side has it.
    pub(crate) fn metric(
        &self,
        kind: MetricKind,
        agreed: Option<AgreedCount>,
    ) -> Option<Judgement> {
        let row = *self.comparison.row(kind)?;
        let known_own = self.own(kind);
        let verdict = match self.verdict(&row) {
            // Without costs by object the total alone is known, and another C library may be its
            // reason.
            Verdict::OwnCode if known_own.is_none() => Verdict::Shown,
            verdict => verdict,
        };
        let own = known_own.filter(|_| verdict == Verdict::OwnCode);
        let judged = JudgedRow::of(row, own);
        let hard: Vec<_> = of_kind(self.hard, kind);
        let soft: Vec<_> = of_kind(self.soft, kind);
        // Hard limits compare with nothing, so no fact is a reason to pass over one of them.
        let hard = check(&row.into(), &[], &hard);
        let exceeded = self.exceeded(judged, &soft);
        let improves = |row: JudgedRow| !self.exceeded(row.swapped(), &soft).is_empty();
        let is_beyond = |row| !self.exceeded(row, &soft).is_empty() || improves(row);
        let is_judged = verdict != Verdict::Shown;
        // Chance comes first: a count that differs from run to run tells nothing. Then the same
        // code, which cannot be the cause. Only then do the facts and the limits decide.
        let (of_change, remark) = match exceeded.is_empty() {
            _ if self.is_by_chance(&row) => (RowClass::NotDeterministic, None),
            // Code that is the same neither regresses nor improves.
            _ if self.code == SameCode::Elsewhere && is_beyond(judged) => {
                (RowClass::NotJudged, None)
            }
            false if !is_judged => (RowClass::NotJudged, None),
            false => self.regressed_or_accepted(judged, known_own, &soft, agreed),
            // It may be the next of counts that differ in each run: no reason for praise.
            true if is_judged && improves(judged) && self.code == SameCode::Unproven => {
                (RowClass::Changed, None)
            }
            true if is_judged && improves(judged) => (RowClass::Improved, None),
            // A program that calls the C library more often looks the same, so this is no
            // `Changed`.
            true if own.is_some() && is_beyond(JudgedRow::of(row, None)) => {
                (RowClass::ChangedOutsideOwnCode, None)
            }
            true => self.without_limit(&row),
        };
        let has_both = row.old.is_some() && row.new.is_some();
        Some(Judgement {
            class: match hard.is_empty() {
                true => of_change,
                false => RowClass::Regressed,
            },
            of_change,
            // A limit on the value itself is one on all of it.
            own: own.filter(|_| hard.is_empty()),
            // Also without a change: `--require-comparable` asks whether this row could have been
            // judged.
            is_withheld: of_change == RowClass::NotJudged
                || (!is_judged && has_both && !soft.is_empty()),
            // A limit on the value is exceeded by any code: a remark on the code would explain
            // nothing.
            remark: remark
                .or_else(|| self.remark(of_change))
                .filter(|_| hard.is_empty()),
            hard,
            way_back: match of_change {
                RowClass::NotJudged => {
                    let back = self.exceeded(judged.swapped(), &soft);
                    back.into_iter()
                        .map(ExceededLimit::there_and_back)
                        .collect()
                }
                _ => Vec::new(),
            },
            soft: exceeded,
        })
    }

    /// The judgements on all metrics that have soft limits.
    #[must_use]
    pub fn limits(&self) -> JudgedLimits {
        let mut found = JudgedLimits::default();
        let mut kinds: Vec<MetricKind> = Vec::new();
        for (kind, _) in self.soft {
            // Several globs of perf may match one metric, whose judgement has all of its limits.
            if kinds.contains(kind) {
                continue;
            }
            kinds.push(*kind);
            let Some(judgement) = self.metric(*kind, None) else {
                continue;
            };
            match judgement.of_change {
                RowClass::Regressed => found.exceeded.extend(judgement.soft),
                RowClass::NotJudged => {
                    found.not_judged.extend(judgement.soft);
                    found.not_judged.extend(judgement.way_back);
                }
                RowClass::ChangedOutsideOwnCode => found.changed_outside_own_code = true,
                _ => {}
            }
        }
        found
    }

    /// Verdict on a row under the facts that differ. Without samples, a change of hardware counters
    /// cannot be told from noise.
    fn verdict(&self, row: &ComparisonRow) -> Verdict {
        match row.kind {
            MetricKind::Perf(_) if row.significance.is_none() => Verdict::Shown,
            kind => Verdict::of(self.facts, kind),
        }
    }

    /// The program's own code, if both sides know it.
    fn own(&self, kind: MetricKind) -> Option<OwnCounts> {
        let [old, new] = self.objects.map(|objects| ObjectCosts::own(objects, kind));
        Some(OwnCounts::new(old?, new?))
    }

    /// Is the change that of a benchmark which counts differently from run to run?
    fn is_by_chance(&self, row: &ComparisonRow) -> bool {
        // Times and counters of the hardware differ in every run, which proves nothing of the code.
        self.code.is_by_chance()
            && row.kind.is_repeatable()
            && without_limit(row) == RowClass::Changed
    }

    /// The class of a row that no limit is exceeded of, and the reason why it says nothing.
    fn without_limit(&self, row: &ComparisonRow) -> (RowClass, Option<String>) {
        let class = without_limit(row);
        let noise = self.comparison.noise(row);
        match noise.filter(|_| class == RowClass::Changed) {
            Some(noise) => (RowClass::Noise, Some(noise.words().to_owned())),
            None => (class, None),
        }
    }

    fn remark(&self, class: RowClass) -> Option<String> {
        let is_asked = match class {
            RowClass::Regressed | RowClass::Improved | RowClass::NotJudged => true,
            // Within its limit, a change of the same code elsewhere is nobody's concern.
            RowClass::Changed => self.code.is_here(),
            _ => false,
        };
        self.code.reason().filter(|_| is_asked).map(str::to_owned)
    }

    fn exceeded(&self, row: JudgedRow, soft: &[(MetricKind, f64)]) -> Vec<ExceededLimit> {
        let exceeded = check(&row.row.into(), soft, &[]).into_iter();
        let exceeded = exceeded.filter(|exceeded| match exceeded {
            // The floor is one of counts.
            ExceededLimit::Soft { kind, .. } if kind.is_per_unit() => true,
            ExceededLimit::Soft { new, old, .. } => new.minus(*old).abs() >= self.floor as f64,
            ExceededLimit::Hard { .. } => true,
        });
        let exceeded = exceeded.map(|exceeded| match row.is_own {
            true => exceeded.of_own_code(),
            false => exceeded,
        });
        exceeded.collect()
    }

    /// A limit is exceeded. Reviewers may have agreed to a worse old value.
    fn regressed_or_accepted(
        &self,
        judged: JudgedRow,
        own: Option<OwnCounts>,
        soft: &[(MetricKind, f64)],
        agreed: Option<AgreedCount>,
    ) -> (RowClass, Option<String>) {
        // Both sides may have one C library, and the accepted count another one.
        let is_elsewhere = agreed.is_some_and(|agreed| agreed.is_of_other_library);
        let judged = match own.filter(|_| is_elsewhere) {
            Some(own) => JudgedRow::of(judged.row, Some(own)),
            None => judged,
        };
        let agreed = agreed.and_then(|agreed| match judged.is_own {
            true => agreed.own.map(MetricValue::Int),
            // The total of another C library says nothing of this one.
            false if is_elsewhere => None,
            false => agreed.count.map(MetricValue::from),
        });
        let Some(agreed) = agreed else {
            return (RowClass::Regressed, None);
        };
        let of_own = if judged.is_own { " of own code" } else { "" };
        let count = agreed.grouped();
        // A count that is no worse than the old one is of a line that results have reached since:
        // the limit holds against the old value then.
        let from_old = ComparisonRow {
            new: Some(agreed),
            ..judged.row
        };
        let trend = from_old.difference();
        let trend = trend.and_then(|difference| difference.trend(judged.row.kind.direction()));
        let from_agreed = JudgedRow {
            row: ComparisonRow {
                old: Some(agreed),
                ..judged.row
            },
            ..judged
        };
        match trend == Some(Trend::Worse) && self.exceeded(from_agreed, soft).is_empty() {
            true => (
                RowClass::Accepted,
                Some(format!("{count}{of_own} is accepted")),
            ),
            false if trend == Some(Trend::Worse) => (
                RowClass::Regressed,
                Some(format!("{count}{of_own} is accepted, and exceeded as well")),
            ),
            false => (RowClass::Regressed, None),
        }
    }
}

/// The row that soft limits are checked on.
#[derive(Debug, Clone, Copy)]
struct JudgedRow {
    row: ComparisonRow,
    /// Is it that of the own code?
    is_own: bool,
}

impl JudgedRow {
    fn of(row: ComparisonRow, own: Option<OwnCounts>) -> Self {
        let judged = own.map(|own| ComparisonRow {
            old: Some(MetricValue::Int(own.old)),
            new: Some(MetricValue::Int(own.new)),
            ..row
        });
        Self {
            row: judged.unwrap_or(row),
            is_own: own.is_some(),
        }
    }

    fn swapped(self) -> Self {
        Self {
            row: ComparisonRow {
                old: self.row.new,
                new: self.row.old,
                ..self.row
            },
            ..self
        }
    }
}

fn of_kind<T: Copy>(limits: &[(MetricKind, T)], kind: MetricKind) -> Vec<(MetricKind, T)> {
    let of_kind = limits.iter().filter(|(other, _)| *other == kind);
    of_kind.copied().collect()
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
