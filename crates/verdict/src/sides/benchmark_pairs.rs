//! Results of two sides by the identities of their benchmarks, and the facts that differ within a
//! pair.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use crate::sides::ResultSide;
use crate::{discrepancies, Discrepancy};
use base::tool::Tool;
use records::{BenchmarkIdentity, Circumstances, RecordedBenchmark, RecordedTool};

/// The records of one benchmark on both sides; at least one side has some.
#[derive(Debug, Clone, Copy)]
pub(super) struct BenchmarkPair<'a> {
    pub(super) old: &'a [RecordedBenchmark],
    pub(super) new: &'a [RecordedBenchmark],
}

/// The result of a tool, with its record.
#[derive(Debug, Clone, Copy)]
pub(super) struct ResultOfSide<'a> {
    pub(super) benchmark: &'a RecordedBenchmark,
    pub(super) result: &'a RecordedTool,
}

/// The old results. Those of a benchmark that the new side has of one other target count as
/// results of that target, which is a fact that differs then, as it is for a run. Where the old
/// side has both targets, each is compared with its own.
pub(super) fn of_new_targets<'a>(
    old: Cow<'a, [RecordedBenchmark]>,
    new: &ResultSide,
) -> Cow<'a, [RecordedBenchmark]> {
    let without_target = |benchmark: &RecordedBenchmark| BenchmarkIdentity {
        target: None,
        ..benchmark.identity.clone()
    };
    // `None`: it has several.
    let mut of_new: HashMap<BenchmarkIdentity, Option<&BenchmarkIdentity>> = HashMap::new();
    for benchmark in &new.benchmarks {
        let identity = &benchmark.identity;
        let known = of_new
            .entry(without_target(benchmark))
            .or_insert(Some(identity));
        *known = known.filter(|known| *known == identity);
    }
    let counterpart = |benchmark: &RecordedBenchmark| {
        let identity = *of_new.get(&without_target(benchmark))?;
        identity.filter(|identity| **identity != benchmark.identity)
    };
    if old.iter().all(|benchmark| counterpart(benchmark).is_none()) {
        return old;
    }
    let results = old.iter().flat_map(|benchmark| {
        let tools = benchmark.tools.iter();
        tools.map(|result| (&benchmark.identity, result.tool))
    });
    let known: HashSet<_> = results.collect();
    let is_known = |identity: &BenchmarkIdentity, benchmark: &RecordedBenchmark| {
        let mut tools = benchmark.tools.iter();
        tools.any(|result| known.contains(&(identity, result.tool)))
    };
    let retargeted = old.iter().map(|benchmark| {
        let identity = counterpart(benchmark);
        let identity = identity.filter(|identity| !is_known(identity, benchmark));
        RecordedBenchmark {
            identity: identity.unwrap_or(&benchmark.identity).clone(),
            ..benchmark.clone()
        }
    });
    let mut retargeted: Vec<_> = retargeted.collect();
    retargeted.sort_by(|one, other| one.identity.cmp(&other.identity));
    retargeted.into()
}

/// The pairs in the order of their identities.
pub(super) fn pairs<'a>(
    mut old: &'a [RecordedBenchmark],
    new: &'a ResultSide,
) -> impl Iterator<Item = BenchmarkPair<'a>> {
    let mut new = new.benchmarks.as_slice();
    // Both sides are sorted by identity, so one pass merges them. Each step takes one record or
    // more.
    std::iter::from_fn(move || {
        let first = match (old.first(), new.first()) {
            (Some(old), Some(new)) => (&old.identity).min(&new.identity),
            (Some(one), None) | (None, Some(one)) => &one.identity,
            (None, None) => return None,
        };
        let take = |side: &mut &'a [RecordedBenchmark]| {
            let equal = side.iter().take_while(|it| it.identity == *first).count();
            let (taken, rest) = side.split_at(equal);
            *side = rest;
            taken
        };
        Some(BenchmarkPair {
            old: take(&mut old),
            new: take(&mut new),
        })
    })
}

impl<'a> BenchmarkPair<'a> {
    /// The record that names the benchmark.
    pub(super) fn named(&self) -> &'a RecordedBenchmark {
        // One of the sides has a record.
        self.new.first().unwrap_or_else(|| &self.old[0])
    }

    /// The tools with a result on one of the sides, each once, in the order of the records.
    pub(super) fn tools(&self) -> Vec<Tool> {
        let mut tools: Vec<Tool> = Vec::new();
        let all = self.new.iter().chain(self.old);
        for result in all.flat_map(|benchmark| &benchmark.tools) {
            if !tools.contains(&result.tool) {
                tools.push(result.tool);
            }
        }
        tools
    }

    pub(super) fn old_result(&self, tool: Tool) -> Option<ResultOfSide<'a>> {
        let of_old = self.old.iter().find_map(|benchmark| {
            let result = benchmark.tool(tool)?;
            Some(ResultOfSide { benchmark, result })
        });
        // A result that was kept has figures, whatever its run failed for.
        of_old.filter(|old| !old.result.failed || !old.result.metrics.is_empty())
    }

    pub(super) fn new_result(&self, tool: Tool) -> Option<ResultOfSide<'a>> {
        self.new.iter().find_map(|benchmark| {
            let result = benchmark.tool(tool).filter(|result| !result.failed)?;
            Some(ResultOfSide { benchmark, result })
        })
    }
}

/// The facts that differ between two results, and their meaning for metrics.
#[derive(Debug, Default)]
pub(super) struct PairFacts(pub(super) Vec<Discrepancy>);

/// The facts of all pairs. Most pairs share both of their conditions, which are compared once.
#[derive(Debug, Default)]
pub(super) struct FactsOfPairs {
    known: RefCell<HashMap<(*const Circumstances, *const Circumstances), Rc<PairFacts>>>,
}

impl FactsOfPairs {
    pub(super) fn of(&self, old: &Arc<Circumstances>, new: &Arc<Circumstances>) -> Rc<PairFacts> {
        // Addresses are not used again while both sides live. Equal facts in two places are
        // compared twice, which costs time and nothing else.
        let key = (Arc::as_ptr(old), Arc::as_ptr(new));
        let mut known = self.known.borrow_mut();
        let facts = known
            .entry(key)
            .or_insert_with(|| Rc::new(PairFacts(discrepancies(old, new))));
        Rc::clone(facts)
    }
}
