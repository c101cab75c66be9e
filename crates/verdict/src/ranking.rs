//! Benchmarks of a group that have the same id, ranked against the best of them.
//!
//! In: the figures of the benchmarks of a group. Out: for each tool and id one [`RankedId`] with
//! the benchmarks from the best to the worst, and a [`RankedOverview`] where several ids are
//! compared. The first metric that is shown decides who is best.

use std::sync::Arc;

use iai_callgrind::protocol::Direction;

use base::benchmark_path::BenchmarkPath;
use base::tool::Tool;
use metrics::{MetricKind, MetricValue, Metrics};

/// A benchmark of a group that compares by id, with its figures.
#[derive(Debug, Clone)]
pub struct ComparedBenchmark {
    /// The benchmark; it has an id.
    pub path: BenchmarkPath,
    /// Figures under each tool that has some.
    pub tools: Vec<ToolFigures>,
}

/// The figures of one tool.
#[derive(Debug, Clone)]
pub struct ToolFigures {
    /// The tool.
    pub tool: Tool,
    /// The metrics to show.
    pub format: Arc<[MetricKind]>,
    /// The subset that tables for people have.
    pub in_tables: Vec<MetricKind>,
    /// The figures.
    pub metrics: Metrics,
}

/// Rankings of a group under one tool.
#[derive(Debug, PartialEq)]
pub struct RankedGroup<'a> {
    /// The tool.
    pub tool: Tool,
    /// The ids that at least two benchmarks have, in the order in which they ran first.
    pub ids: Vec<RankedId<'a>>,
    /// The ranking over all ids, if there are several.
    pub overview: Option<RankedOverview<'a>>,
}

/// Benchmarks of the same id.
#[derive(Debug, PartialEq)]
pub struct RankedId<'a> {
    /// The id.
    pub id: &'a str,
    /// The arguments as headlines show them, if all benchmarks have the same.
    pub args: Option<&'a str>,
    /// The metrics, in the order in which they are shown.
    pub metrics: Vec<MetricKind>,
    /// The functions from the best to the worst, with a value for each metric.
    pub functions: Vec<RankedFunction<'a>>,
}

/// The first metric of all ids side by side.
#[derive(Debug, PartialEq)]
pub struct RankedOverview<'a> {
    /// The metric.
    pub metric: MetricKind,
    /// The ids.
    pub ids: Vec<&'a str>,
    /// The functions from the best to the worst by the geometric mean of their relations, with a
    /// value for each id.
    pub functions: Vec<RankedFunction<'a>>,
}

/// A function with its values.
#[derive(Debug, PartialEq)]
pub struct RankedFunction<'a> {
    /// Name of the function.
    pub name: &'a str,
    /// Values; `None` where there is none.
    pub values: Vec<Option<RankedValue>>,
}

/// A value and its relation to the best one of the same metric and id.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RankedValue {
    /// The value.
    pub value: MetricValue,
    /// Factor to the best: 1 for the best, infinite if the better one of both is 0. Absent if they
    /// are of different units.
    pub relation: Option<f64>,
}

/// Ranks the benchmarks of a group under each tool that measured two of the same id.
#[must_use]
pub fn ranked_groups(benchmarks: &[ComparedBenchmark]) -> Vec<RankedGroup<'_>> {
    let mut tools: Vec<Tool> = Vec::new();
    for figures in benchmarks.iter().flat_map(|benchmark| &benchmark.tools) {
        if !tools.contains(&figures.tool) {
            tools.push(figures.tool);
        }
    }
    let groups = tools.into_iter().map(|tool| ranked_group(benchmarks, tool));
    groups.filter(|group| !group.ids.is_empty()).collect()
}

/// A benchmark under the tool in question.
type Member<'a> = (&'a BenchmarkPath, &'a ToolFigures);

fn ranked_group(benchmarks: &[ComparedBenchmark], tool: Tool) -> RankedGroup<'_> {
    let mut by_id: Vec<(&str, Vec<Member<'_>>)> = Vec::new();
    for ComparedBenchmark { path, tools } in benchmarks {
        let figures = tools.iter().find(|figures| figures.tool == tool);
        let (Some(id), Some(figures)) = (path.id.as_deref(), figures) else {
            continue;
        };
        match by_id.iter_mut().find(|(known, _)| *known == id) {
            Some((_, members)) => members.push((path, figures)),
            None => by_id.push((id, vec![(path, figures)])),
        }
    }
    by_id.retain(|(_, members)| members.len() > 1);
    let ids: Vec<RankedId<'_>> = by_id
        .iter()
        .map(|(id, members)| ranked_id(id, members))
        .collect();
    RankedGroup {
        tool,
        overview: overview(&ids),
        ids,
    }
}

fn ranked_id<'a>(id: &'a str, members: &[Member<'a>]) -> RankedId<'a> {
    // Levels of configuration may show other metrics of single benchmarks.
    let mut metrics: Vec<MetricKind> = Vec::new();
    for (_, figures) in members {
        for kind in &figures.in_tables {
            if !metrics.contains(kind) && figures.metrics.get(*kind).is_some() {
                metrics.push(*kind);
            }
        }
    }
    let columns: Vec<Vec<Option<RankedValue>>> = metrics
        .iter()
        .map(|kind| {
            let values = members
                .iter()
                .map(|(_, figures)| figures.metrics.get(*kind));
            relations(values.collect(), kind.direction())
        })
        .collect();
    let mut functions: Vec<RankedFunction<'_>> = members
        .iter()
        .enumerate()
        .map(|(index, (path, _))| RankedFunction {
            name: &path.function,
            values: columns.iter().map(|column| column[index]).collect(),
        })
        .collect();
    // Stable: equal ones stay in the order in which they ran.
    functions.sort_by(|one, other| first_relation(one).total_cmp(&first_relation(other)));
    // `ranked_group` hands over ids of at least two benchmarks.
    let args = members[0].0.args.as_deref();
    let is_same = members.iter().all(|(path, _)| path.args.as_deref() == args);
    RankedId {
        id,
        args: args.filter(|_| is_same),
        metrics,
        functions,
    }
}

/// The relation that decides; functions without one come last.
fn first_relation(function: &RankedFunction<'_>) -> f64 {
    let first = function.values.first().copied().flatten();
    first
        .and_then(|first| first.relation)
        .unwrap_or(f64::INFINITY)
}

/// The values of one metric with their relations.
fn relations(values: Vec<Option<MetricValue>>, direction: Direction) -> Vec<Option<RankedValue>> {
    let is_better = |one: MetricValue, other: MetricValue| match direction {
        Direction::Lower => one.minus(other) < 0.0,
        Direction::Higher => one.minus(other) > 0.0,
    };
    let best = values.iter().flatten().copied();
    let best = best.reduce(|best, value| match is_better(value, best) {
        true => value,
        false => best,
    });
    let relation = |value: MetricValue| {
        let best = best.filter(|best| best.is_comparable(value))?;
        // Before the division: of two zeros it would be NaN, which has no place in the order.
        if value.equals(best) {
            return Some(1.0);
        }
        let (value, best) = (value.as_f64(), best.as_f64());
        Some(match direction {
            Direction::Lower => value / best,
            Direction::Higher => best / value,
        })
    };
    let ranked = |value| RankedValue {
        value,
        relation: relation(value),
    };
    values.into_iter().map(|value| value.map(ranked)).collect()
}

fn overview<'a>(ids: &[RankedId<'a>]) -> Option<RankedOverview<'a>> {
    // With one id the overview would repeat the table of that id.
    let [first, _, ..] = ids else { return None };
    let metric = *first.metrics.first()?;
    let mut names: Vec<&str> = Vec::new();
    for function in ids.iter().flat_map(|id| &id.functions) {
        if !names.contains(&function.name) {
            names.push(function.name);
        }
    }
    let value = |id: &RankedId<'a>, name: &str| {
        let column = id.metrics.iter().position(|kind| *kind == metric)?;
        let mut functions = id.functions.iter();
        functions.find(|function| function.name == name)?.values[column]
    };
    let mut functions: Vec<RankedFunction<'a>> = names
        .into_iter()
        .map(|name| RankedFunction {
            name,
            values: ids.iter().map(|id| value(id, name)).collect(),
        })
        .collect();
    functions.sort_by(|one, other| mean_logarithm(one).total_cmp(&mean_logarithm(other)));
    Some(RankedOverview {
        metric,
        ids: ids.iter().map(|id| id.id).collect(),
        functions,
    })
}

/// The logarithm of the geometric mean of the relations that there are.
fn mean_logarithm(function: &RankedFunction<'_>) -> f64 {
    let relations = function.values.iter().flatten();
    // A product of many factors overflows, a sum of their logarithms does not.
    let logarithms: Vec<f64> = relations
        .filter_map(|value| value.relation)
        .map(f64::ln)
        .collect();
    match logarithms.len() {
        0 => f64::INFINITY,
        count => logarithms.iter().sum::<f64>() / count as f64,
    }
}

#[cfg(test)]
mod tests {
    use iai_callgrind::protocol::EventKind::{Ir, L1HitRate};

    use super::*;

    fn benchmark(function: &str, id: &str, counters: &[(&str, u64)]) -> ComparedBenchmark {
        let metrics = Metrics::from_counters(Tool::Callgrind, counters.iter().copied()).unwrap();
        ComparedBenchmark {
            path: BenchmarkPath {
                file: "file".to_owned(),
                group: "group".to_owned(),
                function: function.to_owned(),
                id: Some(id.to_owned()),
                args: Some("1".to_owned()),
            },
            tools: vec![ToolFigures {
                tool: Tool::Callgrind,
                format: [Ir, L1HitRate].map(MetricKind::from).into(),
                in_tables: [Ir, L1HitRate].map(MetricKind::from).into(),
                metrics,
            }],
        }
    }

    fn relations_of(function: &RankedFunction<'_>) -> Vec<Option<f64>> {
        let values = function.values.iter();
        values
            .map(|value| value.and_then(|value| value.relation))
            .collect()
    }

    #[test]
    fn the_best_comes_first_and_is_one() {
        let all = [
            benchmark("slow", "x", &[("Ir", 8140)]),
            benchmark("fast", "x", &[("Ir", 100)]),
            benchmark("medium", "x", &[("Ir", 130)]),
            benchmark("alone", "y", &[("Ir", 1)]),
        ];
        let groups = ranked_groups(&all);
        let [group] = groups.as_slice() else {
            panic!("{groups:?}")
        };
        let [id] = group.ids.as_slice() else {
            panic!("{group:?}")
        };
        assert_eq!((id.id, id.args), ("x", Some("1")));
        assert_eq!(id.metrics, [Ir.into()]);
        let found: Vec<_> = id
            .functions
            .iter()
            .map(|function| (function.name, relations_of(function)))
            .collect();
        assert_eq!(
            found,
            [
                ("fast", vec![Some(1.0)]),
                ("medium", vec![Some(1.3)]),
                ("slow", vec![Some(81.4)]),
            ]
        );
        assert_eq!(group.overview, None);
    }

    #[test]
    fn of_hit_rates_the_highest_is_the_best() {
        let values = [Some(90.0), None, Some(99.0)].map(|rate| rate.map(MetricValue::Float));
        let found = relations(values.to_vec(), MetricKind::from(L1HitRate).direction());
        let relations: Vec<_> = found
            .iter()
            .map(|found| found.map(|it| it.relation))
            .collect();
        assert_eq!(relations, [Some(Some(1.1)), None, Some(Some(1.0))]);
    }

    #[test]
    fn nothing_is_infinitely_better_than_something() {
        let values = [0, 5, 0].map(|count| Some(MetricValue::Int(count)));
        let found = relations(values.to_vec(), MetricKind::from(Ir).direction());
        let found: Vec<_> = found.iter().flatten().map(|found| found.relation).collect();
        assert_eq!(found, [Some(1.0), Some(f64::INFINITY), Some(1.0)]);
        let found = relations(values[..2].to_vec(), Direction::Higher);
        let found: Vec<_> = found.iter().flatten().map(|found| found.relation).collect();
        assert_eq!(found, [Some(f64::INFINITY), Some(1.0)]);
    }

    #[test]
    fn over_several_ids_the_geometric_mean_decides() {
        // `a` is 1 and 4, `b` 2 and 1, `c` 2 and -: their means are 2, 1.41 and 2.
        let all = [
            benchmark("a", "x", &[("Ir", 100)]),
            benchmark("b", "x", &[("Ir", 200)]),
            benchmark("c", "x", &[("Ir", 200)]),
            benchmark("a", "y", &[("Ir", 400)]),
            benchmark("b", "y", &[("Ir", 100)]),
        ];
        let groups = ranked_groups(&all);
        let overview = groups[0].overview.as_ref().unwrap();
        assert_eq!(overview.ids, ["x", "y"]);
        let found: Vec<_> = overview
            .functions
            .iter()
            .map(|function| (function.name, relations_of(function)))
            .collect();
        assert_eq!(
            found,
            [
                ("b", vec![Some(2.0), Some(1.0)]),
                ("a", vec![Some(1.0), Some(4.0)]),
                ("c", vec![Some(2.0), None]),
            ]
        );
    }
}
