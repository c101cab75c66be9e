//! Lines of `history.jsonl` to values. A line has changes only, so the value of a run is the last
//! one in the lines up to it.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use super::commits::Commits;
use base::tool::Tool;
use metrics::{MetricKind, MetricValue};
use records::{BenchmarkIdentity, PointMetrics, PointResult, RecordSet, RecordedPoint};

/// Lines that continue each other: those of a bench target in one file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ChainKey<'a> {
    read_from: u32,
    label: Option<&'a str>,
    target: Option<&'a str>,
    package: &'a str,
    file: &'a str,
}

impl<'a> ChainKey<'a> {
    pub(super) fn of(point: &'a RecordedPoint) -> Self {
        Self {
            read_from: point.read_from,
            label: point.label.as_deref(),
            target: point.target.as_deref(),
            package: &point.package,
            file: &point.file,
        }
    }
}

/// The lines of a bench target in one file, in their order.
#[derive(Debug, Default)]
struct Chain<'a> {
    lines: Vec<ChainLine<'a>>,
    /// For each benchmark, the lines that name it.
    named: BTreeMap<&'a str, Vec<NamedValues<'a>>>,
}

#[derive(Debug)]
struct ChainLine<'a> {
    point: &'a RecordedPoint,
    /// The number of its commit.
    number: usize,
    /// Were all benchmarks measured that are known until then?
    is_whole: bool,
}

/// The values of a benchmark in a line, by the line's place in the chain.
type NamedValues<'a> = (usize, Option<&'a PointResult>);

/// All lines of `history.jsonl`, by bench target.
#[derive(Debug, Default)]
pub(super) struct Chains<'a> {
    chains: Vec<Chain<'a>>,
    of_benchmark: BTreeMap<BenchmarkIdentity, Vec<usize>>,
    /// The number of lines that may still be looked at for benchmarks that they do not name.
    patience: Cell<usize>,
}

/// A value that a run had.
#[derive(Debug, Clone, Copy)]
pub(super) struct ChainValue<'a> {
    pub(super) point: &'a RecordedPoint,
    /// The number of its commit.
    pub(super) number: usize,
    pub(super) value: MetricValue,
    /// The result of the last line that names the benchmark.
    pub(super) result: &'a PointResult,
}

/// The most steps: far above the lines of years times the benchmarks of large projects. Files that
/// were not written by runs may have more.
const PATIENCE: usize = if cfg!(test) { 20_000 } else { 2_000_000 };

impl<'a> Chains<'a> {
    pub(super) fn of(set: &'a RecordSet, commits: &Commits<'_>) -> Self {
        let mut chains: BTreeMap<ChainKey<'a>, Chain<'a>> = BTreeMap::new();
        for (place, point) in set.points.iter().enumerate() {
            let chain = chains.entry(ChainKey::of(point)).or_default();
            for (path, values) in &point.values {
                let named = chain.named.entry(path).or_default();
                named.push((chain.lines.len(), values.as_ref()));
            }
            chain.lines.push(ChainLine {
                point,
                number: commits.number_of_point(place),
                is_whole: false,
            });
        }
        let mut all = Self {
            patience: Cell::new(PATIENCE),
            ..Self::default()
        };
        for mut chain in chains.into_values() {
            chain.find_whole();
            // The key makes these fields equal in all lines, so the first line speaks for its
            // chain.
            let first = chain.lines.first().map(|line| line.point);
            for (point, path) in first
                .into_iter()
                .flat_map(|it| chain.named.keys().map(move |path| (it, path)))
            {
                let identity = BenchmarkIdentity {
                    label: point.label.clone(),
                    target: point.target.clone(),
                    package: point.package.clone(),
                    path: (*path).into(),
                };
                all.of_benchmark
                    .entry(identity)
                    .or_default()
                    .push(all.chains.len());
            }
            all.chains.push(chain);
        }
        all
    }

    /// All benchmarks that lines name.
    pub(super) fn benchmarks(&self) -> impl Iterator<Item = &BenchmarkIdentity> {
        self.of_benchmark.keys()
    }

    /// Was it too much to look at all lines for all benchmarks?
    pub(super) fn is_exhausted(&self) -> bool {
        self.patience.get() == 0
    }

    /// The values of a metric, in the order of the lines.
    pub(super) fn values(
        &self,
        benchmark: &BenchmarkIdentity,
        tool: Tool,
        kind: MetricKind,
    ) -> Vec<ChainValue<'a>> {
        let mut values = Vec::new();
        for chain in self.of_benchmark.get(benchmark).into_iter().flatten() {
            let chain = &self.chains[*chain];
            let named = chain.named.get(&*benchmark.path);
            let named = named.map(Vec::as_slice).unwrap_or_default();
            self.add_values(chain, named, (tool, kind), &mut values);
        }
        values
    }

    fn add_values(
        &self,
        chain: &Chain<'a>,
        named: &[NamedValues<'a>],
        wanted: (Tool, MetricKind),
        values: &mut Vec<ChainValue<'a>>,
    ) {
        let found = |metrics: &PointMetrics| {
            let mut metrics = metrics.iter();
            metrics.find(|it| (it.0, it.1) == wanted).map(|it| it.2)
        };
        let mut value = None;
        for (index, (place, named_result)) in named.iter().enumerate() {
            let said = named_result.map(|result| found(&result.metrics).map(|it| (it, result)));
            value = match said {
                // Another tool alone ran: what is known of this one stays.
                Some(None) => value,
                said => said.flatten(),
            };
            let Some((value, result)) = value else {
                continue;
            };
            let at = |line: &ChainLine<'a>| ChainValue {
                point: line.point,
                number: line.number,
                value,
                result,
            };
            if matches!(said, Some(Some(_))) {
                values.push(at(&chain.lines[*place]));
            }
            // Until the next line that names it, a run of all benchmarks counted what this one did.
            let next = named.get(index + 1).map_or(chain.lines.len(), |it| it.0);
            let unnamed = chain.lines.get(place + 1..next).unwrap_or_default();
            let left = self.patience.get().saturating_sub(unnamed.len());
            self.patience.set(left);
            if left > 0 {
                values.extend(unnamed.iter().filter(|line| line.is_whole).map(at));
            }
        }
    }
}

impl Chain<'_> {
    /// Finds the lines of runs that measured all benchmarks known until then. Lines of other runs
    /// say nothing about benchmarks that they do not name.
    fn find_whole(&mut self) {
        let mut known: BTreeSet<&str> = BTreeSet::new();
        for line in &mut self.lines {
            for (path, values) in &line.point.values {
                match values {
                    Some(_) => known.insert(path),
                    None => known.remove(&**path),
                };
            }
            line.is_whole = line.point.runs == known.len() as u64;
        }
    }
}
