//! Limits where the old and the new result were made under different circumstances.
//!
//! In: the facts of both runs, and the limits that were exceeded. Out: notes on the run, and
//! which of the exceeded limits are regressions; the others are notes.

use super::{discrepancies, Circumstances, Discrepancy, ExceededLimit};
use crate::tool::Tool;

/// The facts that differ and matter for the metrics of a tool.
#[derive(Debug, Default)]
pub(crate) struct Comparable {
    discrepancies: Vec<Discrepancy>,
}

impl Comparable {
    /// Compares the facts of both runs; without an old result none differ.
    pub(crate) fn new(old: Option<&Circumstances>, new: &Circumstances, tool: Tool) -> Self {
        let mut discrepancies = old.map_or_else(Vec::new, |old| discrepancies(old, new));
        discrepancies.retain(|discrepancy| discrepancy.matters(tool));
        Self { discrepancies }
    }

    /// A text about each differing fact. `old` names the old side; equal texts come from all benchmarks
    /// of a run.
    pub(crate) fn texts(&self, old: &str, tool: Tool) -> Vec<String> {
        let discrepancies = self.discrepancies.iter();
        discrepancies
            .map(|discrepancy| discrepancy.text(old, tool))
            .collect()
    }

    /// The exceeded limits that are regressions, and notes about the others. A hard limit needs no old
    /// value, so it is always a regression.
    pub(crate) fn judge(&self, exceeded: Vec<ExceededLimit>) -> (Vec<ExceededLimit>, Vec<String>) {
        let mut notes = Vec::new();
        let mut regressions = Vec::new();
        for regression in exceeded {
            let judges = |discrepancy: &Discrepancy| discrepancy.judges(regression.kind());
            match regression {
                ExceededLimit::Soft {
                    kind,
                    new,
                    old,
                    percent,
                    limit,
                } if !self.discrepancies.iter().all(judges) => notes.push(format!(
                    "{kind} changed by {percent:+.2}% ({old} -> {new}); its limit of {limit:+}% is not \
                     checked, since the results were made under different circumstances"
                )),
                regression => regressions.push(regression),
            }
        }
        (regressions, notes)
    }
}

#[cfg(test)]
mod tests {
    use iai_callgrind::protocol::EventKind;

    use super::*;
    use crate::metrics::{MetricKind, MetricValue};

    fn soft(kind: EventKind) -> ExceededLimit {
        ExceededLimit::Soft {
            kind: kind.into(),
            new: MetricValue::Int(150),
            old: MetricValue::Int(100),
            percent: 50.0,
            limit: 5.0,
        }
    }

    fn by_valgrind(version: &str) -> Circumstances {
        Circumstances {
            valgrind: Some(version.to_owned()),
            ..Circumstances::default()
        }
    }

    #[test]
    fn limits_on_what_may_not_be_the_programs_are_not_checked() {
        let (old, new) = (by_valgrind("3.19.0"), by_valgrind("3.24.0"));
        let comparable = Comparable::new(Some(&old), &new, Tool::Callgrind);
        let hard = ExceededLimit::Hard {
            kind: EventKind::EstimatedCycles.into(),
            new: MetricValue::Int(150),
            limit: MetricValue::Int(100),
            excess: MetricValue::Int(50),
        };
        let exceeded = vec![soft(EventKind::Ir), soft(EventKind::EstimatedCycles), hard];
        let (regressions, notes) = comparable.judge(exceeded);
        let kinds: Vec<MetricKind> = regressions.iter().map(ExceededLimit::kind).collect();
        assert_eq!(
            kinds,
            [EventKind::Ir, EventKind::EstimatedCycles].map(MetricKind::from)
        );
        assert_eq!(
            notes,
            ["Estimated Cycles changed by +50.00% (100 -> 150); its limit of +5% is not checked, since \
              the results were made under different circumstances"]
        );
    }

    #[test]
    fn without_a_difference_everything_is_judged() {
        let facts = by_valgrind("3.19.0");
        for old in [None, Some(&facts)] {
            let comparable = Comparable::new(old, &facts, Tool::Callgrind);
            assert!(comparable.texts("the last run", Tool::Callgrind).is_empty());
            let (regressions, notes) = comparable.judge(vec![soft(EventKind::EstimatedCycles)]);
            assert_eq!((regressions.len(), notes.len()), (1, 0));
        }
    }

    #[test]
    fn what_does_not_matter_for_a_tool_is_not_said() {
        let (old, new) = (by_valgrind("3.19.0"), by_valgrind("3.24.0"));
        let comparable = Comparable::new(Some(&old), &new, Tool::Dhat);
        assert!(comparable.texts("the last run", Tool::Dhat).is_empty());
    }
}
