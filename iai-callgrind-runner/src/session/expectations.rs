//! Expectations about several benchmarks of a group: equal counts of the cases of a function, and
//! the growth of counts with the size of the input.
//!
//! Benchmarks arrive one after the other, in their order. A violation belongs to the benchmark that
//! showed it: the case whose counts differ from those of the first one, or the last case of an
//! attribute with sizes.

use iai_callgrind::protocol::{EventKind, Scaling};

use crate::plan::{PlannedBenchmark, PlannedGroup};
use base::benchmark_path::BenchmarkPath;
use base::tool::{Tool, ToolFile};
use explain::digest::Digest;
use explain::kept_digest;
use explain::{parting_places, PartingPlace};
use metrics::{MetricKind, MetricValue, Metrics};
use records::layout::Slot;
use store::Store;
use verdict::{
    counts_steps, unequal_counts, BenchGrowth, GrowthModel, MeasuredGrowth, SizedCount,
    UnmetExpectation,
};

/// The most divergence points of two cases.
const MOST_PLACES: usize = 5;

/// Counts of earlier benchmarks of a group with which later ones are compared.
#[derive(Default)]
pub(super) struct GroupExpectations {
    /// The first case of each function, under each tool.
    firsts: Vec<FirstCase>,
    /// The counts of each attribute with sizes.
    growths: Vec<CollectedGrowth>,
}

struct FirstCase {
    path: BenchmarkPath,
    tool: Tool,
    metrics: Metrics,
}

struct CollectedGrowth {
    function: String,
    bench: String,
    /// The first tool that counts; others that count the same are left out.
    tool: Tool,
    points: Vec<SizedCount>,
}

/// Kept results with their digests.
#[derive(Clone, Copy)]
pub(super) struct KeptResults<'a> {
    pub(super) store: &'a Store,
    pub(super) slot: &'a Slot,
}

impl GroupExpectations {
    /// Counts of this benchmark that differ from those of the first case of its function.
    pub(super) fn unequal(
        &mut self,
        benchmark: &PlannedBenchmark,
        tool: Tool,
        metrics: &Metrics,
        kept: KeptResults<'_>,
    ) -> Vec<UnmetExpectation> {
        if !benchmark.equal_counts || !counts_steps(tool) {
            return Vec::new();
        }
        let path = &benchmark.path;
        let is_same =
            |first: &&FirstCase| first.tool == tool && first.path.function == path.function;
        let Some(first) = self.firsts.iter().find(is_same) else {
            self.firsts.push(FirstCase {
                path: BenchmarkPath::clone(path),
                tool,
                metrics: metrics.clone(),
            });
            return Vec::new();
        };
        let unequal = unequal_counts(tool, metrics, &first.metrics);
        let digests = match tool {
            Tool::Callgrind if !unequal.is_empty() => kept.digests(&first.path, path),
            _ => None,
        };
        let unmet = unequal.into_iter().map(|count| UnmetExpectation::Unequal {
            places: digests
                .as_ref()
                .map_or_else(Vec::new, |digests| places(digests, count.kind)),
            count,
            with: first.path.to_string(),
            with_id: first.path.id.clone().unwrap_or_default(),
        });
        unmet.collect()
    }

    /// The growth of the counts, if this is the last benchmark of an attribute with sizes and there
    /// are enough of them.
    pub(super) fn growth(
        &mut self,
        group: &PlannedGroup,
        benchmark: &PlannedBenchmark,
        tool: Tool,
        metrics: &Metrics,
    ) -> Option<BenchGrowth> {
        let scaling = benchmark.scaling.as_ref()?;
        let kind = MetricKind::named(tool, EventKind::Ir.to_name().as_str())?;
        let Some(MetricValue::Int(count)) = metrics.get(kind) else {
            return None;
        };
        let function = &benchmark.path.function;
        let is_same =
            |known: &CollectedGrowth| known.function == *function && known.bench == scaling.bench;
        let index = match self.growths.iter().position(is_same) {
            Some(index) => index,
            None => {
                self.growths.push(CollectedGrowth {
                    function: function.clone(),
                    bench: scaling.bench.clone(),
                    tool,
                    points: Vec::new(),
                });
                self.growths.len() - 1
            }
        };
        let collected = &mut self.growths[index];
        // The first tool that counts instructions has the say: counts of two tools are not one
        // curve.
        if collected.tool != tool {
            return None;
        }
        collected.points.push(SizedCount {
            size: scaling.size,
            count,
        });
        if !is_last(group, benchmark, scaling) {
            return None;
        }
        Some(BenchGrowth {
            bench: scaling.bench.clone(),
            kind,
            stated: GrowthModel::named(&scaling.growth),
            measured: MeasuredGrowth::of(std::mem::take(&mut collected.points))?,
        })
    }
}

/// Does no later benchmark of the group belong to the same attribute?
fn is_last(group: &PlannedGroup, benchmark: &PlannedBenchmark, scaling: &Scaling) -> bool {
    let mut later = group.benchmarks.iter().rev();
    let last = later.find(|other| {
        let is_same = |other: &Scaling| other.bench == scaling.bench;
        other.path.function == benchmark.path.function
            && other.scaling.as_ref().is_some_and(is_same)
    });
    last.is_some_and(|last| std::ptr::eq(last, benchmark))
}

/// Divergence points of the runs. Counts that are not in digests have none.
fn places([first, new]: &[Digest; 2], kind: MetricKind) -> Vec<PartingPlace> {
    let event = EventKind::from_event(kind.name());
    let places = event.and_then(|event| parting_places(first, new, event, MOST_PLACES).ok());
    places.unwrap_or_default()
}

impl KeptResults<'_> {
    /// Digests of two results of this run. Unless both exist, no place can be named.
    fn digests(self, first: &BenchmarkPath, new: &BenchmarkPath) -> Option<[Digest; 2]> {
        Some([self.digest(first)?, self.digest(new)?])
    }

    fn digest(self, path: &BenchmarkPath) -> Option<Digest> {
        // The entry waits for the thread that keeps results.
        let entry = self.store.entry(path).ok()?;
        let files = entry.files(self.slot, Tool::Callgrind, ToolFile::Digest);
        kept_digest::read_whole(files.first()?).ok()?
    }
}
