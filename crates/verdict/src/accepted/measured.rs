//! The counts of a side that can be accepted.

use std::collections::BTreeMap;

use iai_callgrind::protocol::EventKind;

use super::model::{
    AcceptedBenchmark, AcceptedCount, AcceptedCounts, AcceptedFacts, AcceptedName, AcceptedPlace,
};
use crate::sides::{AgreedCounts, ResultSide};
use crate::AgreedCount;
use base::tool::Tool;
use records::summary::Number;
use records::{BenchmarkIdentity, Circumstances, RecordedBenchmark};

impl From<&BenchmarkIdentity> for AcceptedName {
    fn from(identity: &BenchmarkIdentity) -> Self {
        Self::new(
            identity.target.as_deref(),
            identity.label.as_deref(),
            &identity.package,
            &identity.path,
        )
    }
}

impl AgreedCounts for AcceptedCounts {
    fn agreed(
        &self,
        benchmark: &BenchmarkIdentity,
        tool: Tool,
        metric: &str,
        libc: Option<&str>,
    ) -> Option<AgreedCount> {
        // Most files are short, and most benchmarks are in none.
        if self.is_empty() {
            return None;
        }
        let name = AcceptedName::from(benchmark);
        let accepted = self.benchmark(&name)?;
        let count = accepted.count(tool, metric)?;
        let is_instructions = tool == Tool::Callgrind && metric == "Ir";
        Some(AgreedCount {
            count: Some(count),
            own: accepted.own.filter(|_| is_instructions),
            is_of_other_library: is_instructions && is_other(self.libc(&name), libc),
        })
    }
}

/// Are these different C libraries? An unknown one counts as the same.
pub(super) fn is_other(one: Option<&str>, other: Option<&str>) -> bool {
    one.is_some() && other.is_some() && one != other
}

/// The results of a side by the names of their benchmarks.
pub(super) type ResultsByName<'a> = BTreeMap<AcceptedName, Vec<&'a RecordedBenchmark>>;

/// The results of a side by name.
pub(super) fn by_name(side: &ResultSide) -> ResultsByName<'_> {
    let mut results = ResultsByName::new();
    for benchmark in &side.benchmarks {
        let name = AcceptedName::from(&benchmark.identity);
        results.entry(name).or_default().push(benchmark);
    }
    results
}

/// The count of a metric.
pub(super) fn count(results: &[&RecordedBenchmark], tool: Tool, kind: &str) -> Option<Number> {
    let result = results.iter().find_map(|benchmark| benchmark.tool(tool))?;
    let kind = result.kind(kind)?;
    result.value(kind).map(Number::from)
}

/// The instructions of the program's own code.
pub(super) fn own(results: &[&RecordedBenchmark]) -> Option<u64> {
    let mut tools = results
        .iter()
        .filter_map(|benchmark| benchmark.tool(Tool::Callgrind));
    tools.find_map(|result| result.own(EventKind::Ir.into()))
}

/// The C library that the instructions were counted with.
pub(super) fn libc<'a>(results: &[&'a RecordedBenchmark]) -> Option<&'a str> {
    let mut tools = results
        .iter()
        .filter_map(|benchmark| benchmark.tool(Tool::Callgrind));
    tools.find_map(|result| result.circumstances.libc.as_deref())
}

/// The counts of a snapshot: those that do not depend on the layout of code. Those per unit tell
/// whether another amount was handled.
const OF_SNAPSHOTS: [(Tool, &str); 5] = [
    (Tool::Callgrind, "Ir"),
    (Tool::Callgrind, "InstructionsPerByte"),
    (Tool::Callgrind, "InstructionsPerElement"),
    (Tool::Dhat, "TotalBytes"),
    (Tool::Dhat, "TotalBlocks"),
];

/// All counts of a benchmark that a snapshot has.
pub(super) fn snapshot(results: &[&RecordedBenchmark]) -> AcceptedBenchmark {
    let mut benchmark = AcceptedBenchmark::default();
    for (tool, kind) in OF_SNAPSHOTS {
        if let Some(count) = count(results, tool, kind) {
            benchmark.set(AcceptedCount {
                tool,
                kind: kind.to_owned(),
                count,
            });
        }
    }
    let has_instructions = benchmark.count(Tool::Callgrind, "Ir").is_some();
    benchmark.own = own(results).filter(|_| has_instructions);
    let mut inputs = results.iter().filter_map(|result| result.input.as_deref());
    let input = inputs.find(|input| input.positional);
    benchmark.input = input.map(|input| input.text.clone());
    benchmark
}

impl AcceptedPlace {
    /// The place of a benchmark.
    pub(super) fn of(identity: &BenchmarkIdentity) -> Self {
        Self::new(identity.target.as_deref(), identity.label.as_deref())
    }
}

impl AcceptedFacts {
    /// The facts of these conditions.
    #[must_use]
    pub(super) fn of(circumstances: &Circumstances) -> Self {
        let rustc = circumstances.rustc.as_deref();
        let version = rustc.and_then(|rustc| rustc.split(' ').next());
        let class = circumstances.processor_class.as_deref();
        Self {
            rustc: version.map(str::to_owned),
            libc: circumstances.libc.clone(),
            cpu: class.map(cpu),
        }
    }
}

/// `with AVX2` as a word.
fn cpu(class: &str) -> String {
    match class.strip_prefix("with ") {
        Some(features) => features.to_lowercase(),
        None => class.to_lowercase(),
    }
}
