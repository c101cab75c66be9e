//! The counts that differ between two results.

use super::MetricsComparison;
use metrics::MetricValue;

/// A count that is not the same on both sides.
#[derive(Debug, Clone, PartialEq)]
pub struct CountChange {
    /// Name of the metric on the terminal.
    pub label: String,
    /// The left side.
    pub new: Option<MetricValue>,
    /// The right side.
    pub old: Option<MetricValue>,
}

impl CountChange {
    /// Was the count collected on both sides?
    pub fn has_both(&self) -> bool {
        self.new.is_some() && self.old.is_some()
    }
}

impl MetricsComparison {
    /// The counts that differ, without derived ones and without times, which always differ.
    pub fn changes(&self) -> Vec<CountChange> {
        let known = self.rows.iter();
        let known = known
            .filter(|row| !row.kind.is_derived() && !row.kind.is_time())
            .map(|row| CountChange {
                label: row.kind.label().to_owned(),
                new: row.new,
                old: row.old,
            });
        let unknown = self.unknown.iter().map(|row| CountChange {
            label: row.name.clone(),
            new: row.new.map(MetricValue::Int),
            old: row.old.map(MetricValue::Int),
        });
        let differs = |change: &CountChange| match (change.new, change.old) {
            (Some(new), Some(old)) => !new.equals(old),
            (new, old) => new.is_some() != old.is_some(),
        };
        known.chain(unknown).filter(differs).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::compare;
    use base::tool::Tool;
    use metrics::Metrics;

    #[test]
    fn counts_differ_but_what_follows_from_them_and_times_do_not() {
        let metrics = |ir, time, own| {
            let counters = [("Ir", ir), ("Dr", 5), ("sysTime", time), ("own", own)];
            Metrics::from_counters(Tool::Callgrind, counters).unwrap()
        };
        let labels = |new: &Metrics, old: &Metrics| -> Vec<String> {
            let changes = compare(new, Some(old)).changes();
            changes.into_iter().map(|change| change.label).collect()
        };
        let one = metrics(1, 2, 3);
        assert_eq!(labels(&one, &one), [""; 0]);
        assert_eq!(labels(&metrics(1, 9, 3), &one), [""; 0]);
        assert_eq!(labels(&metrics(2, 2, 4), &one), ["Instructions", "own"]);
    }
}
