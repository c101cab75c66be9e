//! Conditions that differ among the results of one side, such as parts that machines with two C
//! libraries measured.
//!
//! In: the results, in the order of their identities. Out: a text for each fact with its values and
//! the number of benchmarks of each. Results of another target or label are meant to differ.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::{discrepancies, Fact};
use base::counted::counted;
use base::tool::Tool;
use records::{Circumstances, RecordedBenchmark};

/// Target and label: all results of one place are meant to be made under the same conditions.
type Place<'a> = (Option<&'a str>, Option<&'a str>);

/// The results of a place.
#[derive(Debug, Default)]
struct PlaceResults<'a> {
    benchmarks: usize,
    /// The conditions of the first result of each tool, with which all others are compared.
    firsts: Vec<(Tool, &'a Arc<Circumstances>)>,
    /// The facts of conditions that were compared. Most results share theirs.
    known: HashMap<(Tool, *const Circumstances), Vec<OtherValue>>,
    /// The number of benchmarks of each value that is not the first one, by the fact and the first
    /// value.
    others: BTreeMap<(usize, String), BTreeMap<String, usize>>,
}

/// A value of a fact that is not that of the first result.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct OtherValue {
    /// The number of the fact in the order of reports.
    fact: usize,
    first: String,
    value: String,
}

/// The facts that differ, each once: `C library glibc 2.36 (59 benchmarks) | glibc 2.39 (58
/// benchmarks)`.
pub(super) fn mixed_conditions(benchmarks: &[RecordedBenchmark]) -> Vec<String> {
    let mut places: BTreeMap<Place<'_>, PlaceResults<'_>> = BTreeMap::new();
    let mut rest = benchmarks;
    while let Some(first) = rest.first() {
        let identity = &first.identity;
        // Sorted by identity: the records of one benchmark are neighbours.
        let equal = rest.iter().take_while(|it| it.identity == *identity);
        let (records, others) = rest.split_at(equal.count());
        rest = others;
        let place = (identity.target.as_deref(), identity.label.as_deref());
        places.entry(place).or_default().add(records);
    }
    places.values().flat_map(PlaceResults::texts).collect()
}

impl<'a> PlaceResults<'a> {
    /// Adds a benchmark.
    fn add(&mut self, records: &'a [RecordedBenchmark]) {
        self.benchmarks += 1;
        let mut others: Vec<OtherValue> = Vec::new();
        for result in records.iter().flat_map(|record| &record.tools) {
            let (tool, conditions) = (result.tool, &result.circumstances);
            // Facts of another tool's result say nothing of this one.
            let first = self.firsts.iter().find(|(known, _)| *known == tool);
            let Some((_, first)) = first else {
                self.firsts.push((tool, conditions));
                continue;
            };
            let known = self.known.entry((tool, Arc::as_ptr(conditions)));
            let of_result = known.or_insert_with(|| other_values(first, conditions, tool));
            others.extend(of_result.iter().cloned());
        }
        // Several tools say the same of the machine.
        others.sort();
        others.dedup();
        for other in others {
            let values = self.others.entry((other.fact, other.first)).or_default();
            *values.entry(other.value).or_default() += 1;
        }
    }

    fn texts(&self) -> Vec<String> {
        let number = |count: usize| counted(count as u64, "benchmark");
        let texts = self.others.iter().map(|((fact, first), values)| {
            let others: usize = values.values().sum();
            let rest = number(self.benchmarks.saturating_sub(others));
            let mut text = format!("{} {first} ({rest})", OF_RUNS[*fact].name());
            for (value, count) in values {
                text += &format!(" | {value} ({})", number(*count));
            }
            text
        });
        texts.collect()
    }
}

/// Facts of the machine and of the build, which all benchmarks of a run share. All others are
/// settings of single benchmarks.
const OF_RUNS: [Fact; 6] = [
    Fact::Build,
    Fact::Compiler,
    Fact::CLibrary,
    Fact::Processor,
    Fact::ProcessorClass,
    Fact::Valgrind,
];

/// The facts of runs that differ and matter for the tool.
fn other_values(first: &Circumstances, result: &Circumstances, tool: Tool) -> Vec<OtherValue> {
    let all = discrepancies(first, result).into_iter();
    let others = all.filter(|it| it.matters(tool)).filter_map(|it| {
        let fact = OF_RUNS.iter().position(|fact| *fact == it.fact)?;
        Some(OtherValue {
            fact,
            first: it.old,
            value: it.new,
        })
    });
    others.collect()
}
