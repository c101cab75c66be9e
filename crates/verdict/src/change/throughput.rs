//! Two results that handled different amounts: their counts for each unit can be compared, their
//! totals cannot.
//!
//! In: a comparison with rows of counts for each unit. Out: the amounts that differ, and the limits
//! that say something about results of different amounts. The amounts follow from the rows, so
//! records of any age will do.

use super::noise::is_instructions;
use super::MetricsComparison;
use metrics::{MetricKind, MetricValue};

/// Amounts of one unit that differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OtherAmount {
    /// The metric of the unit.
    pub kind: MetricKind,
    /// The amount of the old result.
    pub was: u64,
    /// The amount of the new result.
    pub is: u64,
}

impl MetricsComparison {
    /// The amount that differs between the two results.
    #[must_use]
    pub fn other_amount(&self) -> Option<OtherAmount> {
        let counts = self.rows.iter().map(|row| (row.kind, row.old, row.new));
        OtherAmount::between(counts)
    }

    /// Soft limits for these amounts. If the amounts differ, the limit on instructions applies to
    /// those for each unit, unless that has its own, and no limit applies to other totals.
    #[must_use]
    pub fn limits_per_unit(&self, soft: Vec<(MetricKind, f64)>) -> Vec<(MetricKind, f64)> {
        let Some(other) = self.other_amount() else {
            return soft;
        };
        let has_own = soft.iter().any(|(kind, _)| *kind == other.kind);
        let of_unit = soft.into_iter().filter_map(|(kind, limit)| {
            if is_instructions(kind) && !has_own {
                return Some((other.kind, limit));
            }
            other.compares(kind).then_some((kind, limit))
        });
        of_unit.collect()
    }
}

impl OtherAmount {
    /// The first unit whose amount differs between old and new counts. `None`: an amount is as
    /// before, or no unit is known on both sides.
    pub(crate) fn between(
        counts: impl Iterator<Item = (MetricKind, Option<MetricValue>, Option<MetricValue>)> + Clone,
    ) -> Option<Self> {
        let (_, old, new) = counts.clone().find(|(kind, ..)| is_instructions(*kind))?;
        let [was, is] = [old?, new?];
        let amounts = counts.filter(|(kind, ..)| kind.is_per_unit());
        let amounts = amounts.filter_map(|(kind, old, new)| {
            let was = amount(was, old?)?;
            let is = amount(is, new?)?;
            Some(Self { kind, was, is })
        });
        let amounts: Vec<Self> = amounts.collect();
        // Where one amount is as before, its count per unit changes by the same percentage as the
        // total, so the totals can be judged.
        let is_other = amounts.iter().all(|amount| amount.was != amount.is);
        amounts.into_iter().next().filter(|_| is_other)
    }

    /// Can a metric be compared although the amounts differ? Rates are parts of a whole and counts
    /// per unit are divided by the amount; totals grow with it.
    pub(crate) fn compares(&self, kind: MetricKind) -> bool {
        kind.is_rate()
    }

    /// The change of the amount: `bytes 100 -> 200`.
    pub(crate) fn change(&self) -> String {
        let Self { was, is, .. } = self;
        format!("{} {was} -> {is}", self.units())
    }

    fn units(&self) -> String {
        let unit = self.kind.label().rsplit('/').next().unwrap_or_default();
        format!("{}s", unit.to_lowercase())
    }

    /// The note for the user; `last` is the old result.
    #[must_use]
    pub fn note(&self, last: &str) -> String {
        let Self { kind, was, is } = self;
        let units = self.units();
        format!(
            "{last} handled {was} {units}, and the new one {is}: soft limits on instructions apply to {kind}, and those on \
             other totals are not checked"
        )
    }
}

/// The amount by which the instructions were divided.
fn amount(instructions: MetricValue, per_unit: MetricValue) -> Option<u64> {
    // The amount was a whole number; two roundings of a quotient move it by far less than a half.
    let amount = (instructions.as_f64() / per_unit.as_f64()).round();
    (amount.is_finite() && amount >= 1.0).then_some(amount as u64)
}

#[cfg(test)]
mod tests {
    use iai_callgrind::protocol::EventKind::{self, *};
    use iai_callgrind::protocol::Throughput;

    use super::super::{compare, Noise};
    use super::*;
    use base::tool::Tool;
    use metrics::Metrics;

    fn handled(ir: u64, bytes: u64) -> Metrics {
        handled_both(ir, Some(bytes), None)
    }

    fn handled_both(ir: u64, bytes: Option<u64>, elements: Option<u64>) -> Metrics {
        let mut metrics = Metrics::from_counters(Tool::Callgrind, [("Ir", ir)]).unwrap();
        metrics.add_per_unit(Tool::Callgrind, Throughput { bytes, elements });
        metrics
    }

    fn comparison(new: (u64, u64), old: (u64, u64)) -> MetricsComparison {
        compare(&handled(new.0, new.1), Some(&handled(old.0, old.1)))
    }

    #[track_caller]
    fn check_limits(
        comparison: &MetricsComparison,
        soft: &[(EventKind, f64)],
        expected: &[(EventKind, f64)],
    ) {
        let kinds = |limits: &[(EventKind, f64)]| -> Vec<(MetricKind, f64)> {
            limits
                .iter()
                .map(|(kind, limit)| ((*kind).into(), *limit))
                .collect()
        };
        assert_eq!(comparison.limits_per_unit(kinds(soft)), kinds(expected));
    }

    #[test]
    fn amounts_follow_from_the_rows() {
        assert_eq!(comparison((300, 7), (100, 7)).other_amount(), None);
        let other = comparison((2_000_000_019, 999_999_937), (5, 3)).other_amount();
        let expected = OtherAmount {
            kind: InstructionsPerByte.into(),
            was: 3,
            is: 999_999_937,
        };
        assert_eq!(other, Some(expected));
        let note = other.map(|amount| amount.note("the last run"));
        let expected = "the last run handled 3 bytes, and the new one 999999937: soft limits on instructions apply to \
                        Instructions/Byte, and those on other totals are not checked";
        assert_eq!(note.as_deref(), Some(expected));
        // The amount of a result that does not record it is unknown.
        let mut unknown = Metrics::from_counters(Tool::Callgrind, [("Ir", 5)]).unwrap();
        assert_eq!(compare(&handled(5, 3), Some(&unknown)).other_amount(), None);
        unknown.set(InstructionsPerByte.into(), MetricValue::Float(0.0));
        assert_eq!(compare(&handled(5, 3), Some(&unknown)).other_amount(), None);
    }

    #[test]
    fn as_many_elements_as_before_are_the_same_amount() {
        let old = handled_both(100, Some(8), Some(2));
        let other = |bytes, elements| {
            let new = handled_both(100, bytes, elements);
            compare(&new, Some(&old))
                .other_amount()
                .map(|amount| amount.kind)
        };
        assert_eq!(other(Some(16), Some(2)), None);
        assert_eq!(other(Some(16), Some(4)), Some(InstructionsPerByte.into()));
        assert_eq!(other(None, Some(4)), Some(InstructionsPerElement.into()));
    }

    #[test]
    fn limits_on_totals_say_nothing_about_other_amounts() {
        let same = comparison((200, 10), (100, 10));
        let soft = [(Ir, 5.0), (EstimatedCycles, 10.0), (L1HitRate, 1.0)];
        check_limits(&same, &soft, &soft);
        let other = comparison((200, 20), (100, 10));
        check_limits(
            &other,
            &soft,
            &[(InstructionsPerByte, 5.0), (L1HitRate, 1.0)],
        );
        let own = [(Ir, 5.0), (InstructionsPerByte, 2.0)];
        check_limits(&other, &own, &[(InstructionsPerByte, 2.0)]);
    }

    #[test]
    fn what_is_noise_of_instructions_is_noise_for_each_unit() {
        #[track_caller]
        fn check(new: (u64, u64), old: (u64, u64), expected: Option<Noise>) {
            let comparison = comparison(new, old);
            let row = comparison.row(InstructionsPerByte).unwrap();
            assert_eq!(comparison.noise(row), expected, "{new:?} {old:?}");
        }
        check((1000, 10), (1000, 10), None);
        check((1005, 10), (1000, 10), Some(Noise::Small));
        check((1050, 10), (1000, 10), None);
        check((100_500, 10), (100_000, 10), None);
        check((100_050, 10), (100_000, 10), Some(Noise::Small));
        // An equal total for more bytes is less per byte.
        check((1000, 11), (1000, 10), None);
        check((2001, 20), (1000, 10), Some(Noise::Small));
    }
}
