//! The picture of a library: what its functions cost, how their costs grow with the input, and
//! which of those that do the same costs least.
//!
//! In: the records of one side or of two. Out: [`LibraryPictures`], plain values by group and
//! function, which the page draws. Nothing is judged here: a figure of the old side is left out
//! where its arguments were others.

mod sizes;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use iai_callgrind::protocol::{Direction, EventKind};

pub use self::sizes::{SizeKind, SizedCosts};
use crate::comparison::{IdentityParts, RowNames};
use base::benchmark_path::by_numbers;
use base::tool::Tool;
use metrics::{MetricKind, MetricValue};
use records::{other_input, RecordText, RecordedBenchmark};
use verdict::sides::ResultSide;

/// The groups of a side, by the identity of their bench targets.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LibraryPictures {
    /// Name of the metric: `Instructions`.
    pub metric: String,
    /// Is less better?
    pub lower_is_better: bool,
    /// The groups with a count of the metric.
    pub groups: Vec<PicturedGroup>,
}

/// The functions of a group.
#[derive(Debug, Clone, PartialEq)]
pub struct PicturedGroup {
    /// `app::sorting`, after what tells it from others of that name.
    pub name: String,
    /// The functions, in the order of the source.
    pub functions: Vec<PicturedFunction>,
    /// Functions of the same id side by side, if the group compares by id.
    pub rankings: Vec<Ranking>,
}

/// A benchmark function.
#[derive(Debug, Clone, PartialEq)]
pub struct PicturedFunction {
    /// Its name.
    pub name: String,
    /// Counts over sizes of the input: of each attribute with `scaling`, or of all cases whose
    /// sizes are known.
    pub growth: Vec<SizedCosts>,
    /// All cases.
    pub cases: Vec<PicturedCase>,
}

/// A case of a benchmark function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PicturedCase {
    /// Its id, or the name of the function.
    pub name: String,
    /// The count.
    pub new: u64,
    /// That of the old side, for the same arguments.
    pub old: Option<u64>,
    /// Calls that allocate, if they are known.
    pub allocations: Option<u64>,
}

/// Functions that were measured with the same id, the best first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ranking {
    /// The id.
    pub id: String,
    /// The case of each function, under the name of the function.
    pub cases: Vec<PicturedCase>,
}

impl LibraryPictures {
    /// The picture of a side, and of the one that it is compared with.
    #[must_use]
    pub fn of(old: Option<&ResultSide>, new: &ResultSide) -> Self {
        let Some((tool, kind)) = metric(new) else {
            return Self::default();
        };
        let names = RowNames::among(new.benchmarks.iter().map(identity));
        let mut groups: BTreeMap<String, Vec<Measured<'_>>> = BTreeMap::new();
        for benchmark in &new.benchmarks {
            if let Some(measured) = Measured::of(benchmark, old, (tool, kind)) {
                let group = format!("{}::{}", benchmark.file, benchmark.group);
                let name = names.joined(identity(benchmark), &group);
                groups.entry(name).or_default().push(measured);
            }
        }
        Self {
            metric: kind.label().to_owned(),
            lower_is_better: kind.direction() == Direction::Lower,
            groups: groups
                .into_iter()
                .map(|(name, members)| PicturedGroup::of(name, &members, kind))
                .collect(),
        }
    }
}

fn identity(benchmark: &RecordedBenchmark) -> IdentityParts<'_> {
    let identity = &benchmark.identity;
    let (label, target) = (identity.label.as_deref(), identity.target.as_deref());
    (label, target, &identity.package)
}

/// The metric of all pictures: instructions, or the first one of the first result that has any.
fn metric(side: &ResultSide) -> Option<(Tool, MetricKind)> {
    let instructions = MetricKind::from(EventKind::Ir);
    let results = || side.benchmarks.iter().flat_map(|it| &it.tools);
    let of_callgrind = results()
        .find(|result| result.tool == Tool::Callgrind && result.value(instructions).is_some());
    let of_callgrind = of_callgrind.map(|_| (Tool::Callgrind, instructions));
    of_callgrind.or_else(|| {
        let is_count =
            |(_, value): &&(MetricKind, MetricValue)| matches!(value, MetricValue::Int(_));
        results().find_map(|result| {
            let (kind, _) = result.metrics.iter().find(is_count)?;
            Some((result.tool, *kind))
        })
    })
}

/// A benchmark with its count.
struct Measured<'a> {
    benchmark: &'a RecordedBenchmark,
    /// The old result, for the same arguments.
    old: Option<&'a RecordedBenchmark>,
    metric: (Tool, MetricKind),
    new: u64,
}

impl<'a> Measured<'a> {
    fn of(
        benchmark: &'a RecordedBenchmark,
        old: Option<&'a ResultSide>,
        metric: (Tool, MetricKind),
    ) -> Option<Self> {
        let new = count(benchmark, metric)?;
        let has_same_input = |old: &&RecordedBenchmark| {
            other_input(old.input.as_deref(), benchmark.input.as_deref()).is_none()
        };
        let old = old.and_then(|side| {
            let mut results = side.results(&benchmark.identity).filter(has_same_input);
            results.find(|old| count(old, metric).is_some())
        });
        Some(Self {
            benchmark,
            old,
            metric,
            new,
        })
    }

    fn old_count(&self) -> Option<u64> {
        self.old.and_then(|old| count(old, self.metric))
    }

    fn case(&self, name: &str) -> PicturedCase {
        let allocations = (self.metric.0, EventKind::Allocations.into());
        PicturedCase {
            name: name.to_owned(),
            new: self.new,
            old: self.old_count(),
            allocations: count(self.benchmark, allocations),
        }
    }

    /// The texts of both records. A side that was read without its texts has none.
    fn text(benchmark: &'a RecordedBenchmark) -> Option<RecordText<'a>> {
        RecordText::of(benchmark.text.as_deref()?).ok()
    }
}

/// The count of a result that did not fail.
fn count(benchmark: &RecordedBenchmark, (tool, kind): (Tool, MetricKind)) -> Option<u64> {
    let result = benchmark.tool(tool).filter(|result| !result.failed)?;
    match result.value(kind)? {
        MetricValue::Int(count) => Some(count),
        _ => None,
    }
}

impl PicturedGroup {
    fn of(name: String, members: &[Measured<'_>], kind: MetricKind) -> Self {
        let mut functions: Vec<(&str, Vec<&Measured<'_>>)> = Vec::new();
        for member in members {
            let function = &*member.benchmark.function;
            match functions.iter_mut().find(|(known, _)| *known == function) {
                Some((_, cases)) => cases.push(member),
                None => functions.push((function, vec![member])),
            }
        }
        // In the order of the source, whichever order the records have.
        functions.sort_by_key(|(_, cases)| {
            let lines = cases.iter().map(|it| it.benchmark.line);
            lines.min().flatten()
        });
        let rankings = match members.iter().any(is_compared) {
            true => rankings(&functions, kind),
            false => Vec::new(),
        };
        let functions = functions.into_iter();
        Self {
            name,
            functions: functions
                .map(|(name, cases)| PicturedFunction::of(name, &cases))
                .collect(),
            rankings,
        }
    }
}

fn is_compared(member: &Measured<'_>) -> bool {
    let text = Measured::text(member.benchmark);
    text.is_some_and(|text| text.is_compared_by_id().unwrap_or_default())
}

impl PicturedFunction {
    fn of(name: &str, members: &[&Measured<'_>]) -> Self {
        let case = |member: &&Measured<'_>| {
            let id = member.benchmark.id.as_deref();
            member.case(id.unwrap_or(name))
        };
        Self {
            name: name.to_owned(),
            growth: sizes::growth(members),
            cases: cases(members.iter().map(case)),
        }
    }
}

/// Cases in the order in which people count: `n_9` before `n_10`.
fn cases(cases: impl Iterator<Item = PicturedCase>) -> Vec<PicturedCase> {
    let mut cases: Vec<PicturedCase> = cases.collect();
    cases.sort_by(|one, other| by_numbers(&one.name).cmp(&by_numbers(&other.name)));
    cases
}

fn rankings(functions: &[(&str, Vec<&Measured<'_>>)], kind: MetricKind) -> Vec<Ranking> {
    let mut rankings: Vec<Ranking> = Vec::new();
    for (function, members) in functions {
        for member in members {
            let Some(id) = member.benchmark.id.as_deref() else {
                continue;
            };
            let case = member.case(function);
            match rankings.iter_mut().find(|ranking| ranking.id == id) {
                Some(ranking) => ranking.cases.push(case),
                None => rankings.push(Ranking {
                    id: id.to_owned(),
                    cases: vec![case],
                }),
            }
        }
    }
    rankings.retain(|ranking| ranking.cases.len() > 1);
    rankings.sort_by(|one, other| by_numbers(&one.id).cmp(&by_numbers(&other.id)));
    for ranking in &mut rankings {
        ranking.cases.sort_by_key(|case| case.new);
        if kind.direction() == Direction::Higher {
            ranking.cases.reverse();
        }
    }
    rankings
}
