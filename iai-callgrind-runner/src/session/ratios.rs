//! Ratios of the instructions of two benchmarks of a group.
//!
//! Benchmarks arrive one after the other. A ratio that is exceeded belongs to the result of the
//! benchmark that ran last of the two. One that could not be checked is a warning at the end of the
//! group: otherwise it would be taken for one that holds.

use std::collections::BTreeSet;

use iai_callgrind::protocol::{EventKind, Ratio, RatioSide};

use crate::plan::{PlannedBenchmark, PlannedGroup};
use base::tool::Tool;
use metrics::{MetricKind, MetricValue, Metrics};
use verdict::{CountRatio, CountedBenchmark, ExceededRatio, UnmetExpectation};

/// Counts of the benchmarks of a group that ratios are about.
#[derive(Default)]
pub(super) struct GroupRatios {
    counts: Vec<RatioCount>,
    /// Indices of the ratios that were checked, under at least one tool.
    checked: BTreeSet<usize>,
}

struct RatioCount {
    side: RatioSide,
    tool: Tool,
    path: String,
    count: u64,
}

impl GroupRatios {
    /// The ratios that are exceeded now that this benchmark has counted.
    pub(super) fn exceeded(
        &mut self,
        group: &PlannedGroup,
        benchmark: &PlannedBenchmark,
        tool: Tool,
        metrics: &Metrics,
    ) -> Vec<UnmetExpectation> {
        let is_meant = |ratio: &Ratio| benchmark.is(&ratio.limited) || benchmark.is(&ratio.of);
        let ratios = group.ratios.iter().enumerate();
        let ratios: Vec<(usize, &Ratio)> = ratios.filter(|(_, ratio)| is_meant(ratio)).collect();
        let kind = MetricKind::named(tool, EventKind::Ir.to_name().as_str());
        let Some(kind) = kind.filter(|_| !ratios.is_empty()) else {
            return Vec::new();
        };
        let Some(MetricValue::Int(count)) = metrics.get(kind) else {
            return Vec::new();
        };
        self.counts.push(RatioCount {
            side: RatioSide {
                function: benchmark.path.function.clone(),
                id: benchmark.path.id.clone(),
            },
            tool,
            path: benchmark.path.to_string(),
            count,
        });
        let exceeded = ratios
            .into_iter()
            .filter_map(|(index, ratio)| self.check(index, ratio, tool, kind));
        exceeded.collect()
    }

    fn check(
        &mut self,
        index: usize,
        ratio: &Ratio,
        tool: Tool,
        kind: MetricKind,
    ) -> Option<UnmetExpectation> {
        let number = CountRatio::read(&ratio.ratio)?;
        // The first benchmark of a ratio has no partner yet: the check is made with the second one.
        let (limited, of) = (
            self.counted(&ratio.limited, tool)?,
            self.counted(&ratio.of, tool)?,
        );
        self.checked.insert(index);
        (!number.holds(limited.count, of.count)).then_some(UnmetExpectation::Ratio(ExceededRatio {
            kind,
            limited,
            ratio: number,
            of,
        }))
    }

    fn counted(&self, side: &RatioSide, tool: Tool) -> Option<CountedBenchmark> {
        let mut counts = self.counts.iter();
        let found = counts.find(|count| count.side == *side && count.tool == tool)?;
        Some(CountedBenchmark {
            path: found.path.clone(),
            name: name(side),
            count: found.count,
        })
    }

    /// Warnings about the ratios of a group that has ended and that were not checked.
    pub(super) fn unchecked(&self, group: &PlannedGroup) -> Vec<String> {
        let ratios = group.ratios.iter().enumerate();
        let ratios = ratios.filter(|(index, _)| !self.checked.contains(index));
        ratios
            .map(|(_, ratio)| self.warning(group, ratio))
            .collect()
    }

    fn warning(&self, group: &PlannedGroup, ratio: &Ratio) -> String {
        let is_planned = |side: &RatioSide| {
            let mut benchmarks = group.benchmarks.iter();
            benchmarks.any(|benchmark| benchmark.is(side))
        };
        let is_counted = |side: &RatioSide| self.counts.iter().any(|count| count.side == *side);
        let (limited, of) = (name(&ratio.limited), name(&ratio.of));
        let reason = match [&ratio.limited, &ratio.of] {
            sides if !sides.iter().all(|side| is_planned(side)) => {
                let left_out = if is_planned(&ratio.of) { &limited } else { &of };
                format!("`{left_out}` was not selected")
            }
            [_, of_side] => {
                let uncounted = if is_counted(of_side) { &limited } else { &of };
                format!("no tool counted instructions of `{uncounted}`")
            }
        };
        let name = group.benchmarks.first().map(|first| &*first.path.group);
        format!(
            "the ratio `{limited} <= {} * {of}` of `{}` was not checked: {reason}",
            ratio.ratio,
            name.unwrap_or_default()
        )
    }
}

/// `function::id`
fn name(side: &RatioSide) -> String {
    match &side.id {
        Some(id) => format!("{}::{id}", side.function),
        None => side.function.clone(),
    }
}
