//! The conditions that differ between both sides, over all pairs, and their meaning for the
//! judgement.

use iai_callgrind::protocol::metric::Family;

use super::row_maker::{ComparedTool, MadeRow};
use super::SideDifference;
use crate::{meaning, Discrepancy, Fact, RowClass, SameCode};
use metrics::MetricKind;

/// Differences of conditions, each once.
#[derive(Debug, Default)]
pub(super) struct Differences {
    found: Vec<FoundDifference>,
    /// Pairs whose sides are of the same executable: under the same conditions, and under different
    /// ones.
    same_code: u64,
    same_code_elsewhere: u64,
    /// Does a count of such a pair differ?
    differs: bool,
    /// All pairs.
    pairs: u64,
    compilers: Compilers,
}

#[derive(Debug)]
struct FoundDifference {
    discrepancy: Discrepancy,
    benchmarks: u64,
    /// The families of metrics that it was asked about.
    families: Vec<Family>,
}

/// Changes of pairs that different compilers compiled.
#[derive(Debug, Default)]
struct Compilers {
    versions: Option<(String, String)>,
    /// The changes in percent, of all pairs.
    changes: Vec<f64>,
}

impl Differences {
    /// Adds a benchmark.
    pub(super) fn add(&mut self, tools: &[ComparedTool], rows: &[MadeRow]) {
        let mut of_benchmark: Vec<&Discrepancy> = Vec::new();
        for tool in tools {
            for discrepancy in &tool.facts.0 {
                // Several tools say the same of the machine of one benchmark.
                let is_counted = of_benchmark.contains(&discrepancy);
                let found = self.found(discrepancy);
                found.benchmarks += u64::from(!is_counted);
                for family in tool.kinds.iter().map(|kind| kind.family()) {
                    if !found.families.contains(&family) {
                        found.families.push(family);
                    }
                }
                of_benchmark.push(discrepancy);
            }
        }
        let has_pair = rows.iter().any(has_both);
        self.pairs += u64::from(has_pair);
        // Under another Valgrind some tools count differently, and others do not.
        let compared = || tools.iter().filter(|tool| tool.has_both);
        let is_compared = has_pair && compared().next().is_some();
        let is_same_code = is_compared && compared().all(|tool| tool.code.is_here());
        let is_known = is_compared && compared().all(|tool| tool.code != SameCode::No);
        self.same_code += u64::from(is_same_code);
        self.same_code_elsewhere += u64::from(is_known && !is_same_code);
        self.differs |= is_known && rows.iter().any(differs);
        self.compilers.add(tools, rows);
    }

    fn found(&mut self, discrepancy: &Discrepancy) -> &mut FoundDifference {
        let mut known = self.found.iter();
        let known = known.position(|found| found.discrepancy == *discrepancy);
        let index = known.unwrap_or_else(|| {
            self.found.push(FoundDifference {
                discrepancy: discrepancy.clone(),
                benchmarks: 0,
                families: Vec::new(),
            });
            self.found.len() - 1
        });
        &mut self.found[index]
    }

    /// Headlines about all pairs.
    pub(super) fn headlines(&self) -> Vec<String> {
        let some = |number: u64| match number == self.pairs {
            true => String::new(),
            false => format!(" ({number} of {} benchmarks)", self.pairs),
        };
        let mut headlines = Vec::new();
        // Where nothing differs, there is nothing to say about it.
        if self.same_code > 0 && self.differs {
            headlines.push(format!(
                "two runs of the same executable{}: what differs is not the code",
                some(self.same_code)
            ));
        }
        if self.same_code_elsewhere > 0 && self.differs {
            headlines.push(format!(
                "the same executable under other conditions{}: no change is one of the code, so none regresses or improves",
                some(self.same_code_elsewhere)
            ));
        }
        headlines.extend(self.compilers.headline());
        headlines
    }

    /// The differences, as they are reported.
    pub(super) fn reported(self) -> Vec<SideDifference> {
        let found = self.found.into_iter();
        let found = found.filter(|found| found.discrepancy.fact.is_named(&found.families));
        let found = found.map(|found| SideDifference {
            meaning: meaning(found.discrepancy.fact, &found.families),
            fact: found.discrepancy.fact.name().to_owned(),
            old: found.discrepancy.old,
            new: found.discrepancy.new,
            benchmarks: found.benchmarks,
        });
        found.collect()
    }
}

impl Compilers {
    fn add(&mut self, tools: &[ComparedTool], rows: &[MadeRow]) {
        let discrepancies = tools.iter().flat_map(|tool| &tool.facts.0);
        let mut compilers = discrepancies.filter(|other| other.fact == Fact::Compiler);
        let Some(compiler) = compilers.next() else {
            return;
        };
        self.versions = Some((compiler.old.clone(), compiler.new.clone()));
        let is_of_instructions = |made: &&MadeRow| {
            let family = made.kind.map(MetricKind::family);
            family == Some(Family::Instructions) && has_both(made)
        };
        if let Some(made) = rows.iter().find(is_of_instructions) {
            let percent = made.row.metric.as_ref().and_then(|metric| metric.diff_pct);
            // From 0: above all other changes.
            self.changes.push(percent.unwrap_or(f64::INFINITY));
        }
    }

    fn headline(&self) -> Option<String> {
        let (old, new) = self.versions.as_ref()?;
        let version = |text: &str| text.split(' ').next().unwrap_or_default().to_owned();
        let (mut old, mut new) = (version(old), version(new));
        // Nightlies of one version.
        if old == new {
            let (versions_old, versions_new) = self.versions.clone()?;
            (old, new) = (versions_old, versions_new);
        }
        let mut changes = self.changes.clone();
        changes.sort_by(f64::total_cmp);
        let changed = changes.iter().filter(|change| **change != 0.0).count();
        let median = median(&changes).map(|median| format!(", median {median:+.1}%"));
        let median = median.unwrap_or_default();
        let all = changes.len();
        Some(format!(
            "compiled by rustc {old} | {new}: {changed} of {all} changed{median}, not judged"
        ))
    }
}

/// The median of sorted changes. `None`: there are none, or it is infinite.
fn median(sorted: &[f64]) -> Option<f64> {
    // `None` without changes, so that the subtraction below cannot wrap.
    let upper = *sorted.get(sorted.len() / 2)?;
    let lower = sorted[(sorted.len() - 1) / 2];
    let median = lower + (upper - lower) / 2.0;
    median.is_finite().then_some(median)
}

fn differs(made: &MadeRow) -> bool {
    let metric = made.row.metric.as_ref();
    has_both(made) && metric.is_some_and(|metric| metric.old != metric.new)
}

fn has_both(made: &MadeRow) -> bool {
    let metric = made.row.metric.as_ref();
    metric.is_some_and(|metric| metric.old.is_some() && metric.new.is_some())
        && made.row.class != RowClass::Failed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_between_the_two_in_the_middle() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[3.0]), Some(3.0));
        assert_eq!(median(&[0.0, 3.0]), Some(1.5));
        assert_eq!(median(&[-1.0, 0.0, 3.0]), Some(0.0));
        assert_eq!(median(&[0.0, f64::INFINITY]), None);
        assert_eq!(median(&[f64::INFINITY, f64::INFINITY]), None);
        assert_eq!(median(&[0.0, 1.0, f64::INFINITY]), Some(1.0));
    }
}
