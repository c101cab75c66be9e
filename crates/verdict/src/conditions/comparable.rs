//! The facts that differ between the old and the new result of a run, and the notes about them.

use super::{discrepancies, Discrepancy};
use base::tool::Tool;
use records::Circumstances;

/// The facts that differ and matter for the metrics of a tool.
#[derive(Debug, Default)]
pub struct Comparable {
    discrepancies: Vec<Discrepancy>,
    /// Does any fact differ, whether it matters for the tool or not?
    is_elsewhere: bool,
}

impl Comparable {
    /// Compares the facts of both runs; without an old result none differ.
    pub fn new(old: Option<&Circumstances>, new: &Circumstances, tool: Tool) -> Self {
        let mut discrepancies = old.map_or_else(Vec::new, |old| discrepancies(old, new));
        // Before facts are left out: another processor matters to no count of Callgrind, and is
        // another machine for the same code.
        let is_elsewhere = !discrepancies.is_empty();
        discrepancies.retain(|discrepancy| discrepancy.matters(tool));
        Self {
            discrepancies,
            is_elsewhere,
        }
    }

    /// A text about each differing fact. `old` names the old side; equal texts come from all
    /// benchmarks of a run.
    pub fn texts(&self, old: &str, tool: Tool) -> Vec<String> {
        let discrepancies = self.discrepancies.iter();
        discrepancies
            .map(|discrepancy| discrepancy.text(old, tool))
            .collect()
    }

    /// Were both made under other conditions, or on other machines?
    pub fn is_elsewhere(&self) -> bool {
        self.is_elsewhere
    }

    /// The facts that differ and matter.
    pub fn facts(&self) -> &[Discrepancy] {
        &self.discrepancies
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by_valgrind(version: &str) -> Circumstances {
        Circumstances {
            valgrind: Some(version.to_owned()),
            ..Circumstances::default()
        }
    }

    #[test]
    fn without_a_difference_everything_is_judged() {
        let facts = by_valgrind("3.19.0");
        for old in [None, Some(&facts)] {
            let comparable = Comparable::new(old, &facts, Tool::Callgrind);
            assert!(comparable.texts("the last run", Tool::Callgrind).is_empty());
            assert!(comparable.facts().is_empty());
        }
    }

    #[test]
    fn what_does_not_matter_for_a_tool_is_not_said() {
        let (old, new) = (by_valgrind("3.19.0"), by_valgrind("3.24.0"));
        let comparable = Comparable::new(Some(&old), &new, Tool::Dhat);
        assert!(comparable.texts("the last run", Tool::Dhat).is_empty());
    }
}
