//! Counts that have to be equal in all cases of a function, for code whose steps must not depend on
//! its input.
//!
//! Actions of the program are compared: instructions, branches, and the numbers of reads and writes
//! of memory. Simulated caches and predictions are not, since they depend on addresses.

use base::tool::Tool;
use metrics::{MetricKind, MetricValue, Metrics};

/// Names of the counts, of those that were collected.
const COMPARED: [&str; 5] = ["Ir", "Dr", "Dw", "Bc", "Bi"];

/// A count that differs from that of the first case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnequalCount {
    /// The metric.
    pub kind: MetricKind,
    /// The count of the case.
    pub new: u64,
    /// The count of the first case.
    pub other: u64,
}

/// Does the tool count these actions?
#[must_use]
pub fn counts_steps(tool: Tool) -> bool {
    // Each tool that counts one of them counts instructions.
    MetricKind::named(tool, COMPARED[0]).is_some()
}

/// The counts that differ from those of another case.
#[must_use]
pub fn unequal_counts(tool: Tool, new: &Metrics, other: &Metrics) -> Vec<UnequalCount> {
    let kinds = COMPARED.iter();
    let kinds = kinds.filter_map(|name| MetricKind::named(tool, name));
    let unequal = kinds.filter_map(|kind| match (new.get(kind), other.get(kind)) {
        // What one case did not collect is no difference.
        (Some(MetricValue::Int(new)), Some(MetricValue::Int(other))) if new != other => {
            Some(UnequalCount { kind, new, other })
        }
        _ => None,
    });
    unequal.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unequal(tool: Tool, new: &[(&str, u64)], other: &[(&str, u64)]) -> Vec<String> {
        let metrics = |counters: &[(&str, u64)]| {
            Metrics::from_counters(tool, counters.iter().copied()).unwrap()
        };
        let found = unequal_counts(tool, &metrics(new), &metrics(other));
        let text = |UnequalCount { kind, new, other }: UnequalCount| {
            format!("{} {new} {other}", kind.name())
        };
        found.into_iter().map(text).collect()
    }

    #[test]
    fn steps_are_compared_and_caches_are_not() {
        let first = [
            ("Ir", 100),
            ("Dr", 5),
            ("Dw", 5),
            ("D1mr", 1),
            ("Bc", 7),
            ("Bcm", 2),
        ];
        let mut other = first;
        assert_eq!(unequal(Tool::Callgrind, &first, &other), [""; 0]);
        (other[3].1, other[5].1) = (9, 9);
        assert_eq!(unequal(Tool::Callgrind, &first, &other), [""; 0]);
        (other[0].1, other[4].1) = (101, 8);
        assert_eq!(
            unequal(Tool::Callgrind, &first, &other),
            ["Ir 100 101", "Bc 7 8"]
        );
    }

    #[test]
    fn what_one_case_has_not_is_not_compared() {
        let found = unequal(Tool::Callgrind, &[("Ir", 1), ("Bc", 3)], &[("Ir", 1)]);
        assert_eq!(found, [""; 0]);
    }

    #[test]
    fn tools_that_count_instructions_can_tell() {
        let found: Vec<Tool> = Tool::ALL
            .into_iter()
            .filter(|tool| counts_steps(*tool))
            .collect();
        assert_eq!(found, [Tool::Callgrind, Tool::Cachegrind]);
        assert_eq!(
            unequal(Tool::Cachegrind, &[("Ir", 1)], &[("Ir", 2)]),
            ["Ir 1 2"]
        );
    }
}
