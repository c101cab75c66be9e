//! Expectations about several benchmarks that cannot be checked: one warning each, so that they are
//! not taken for met.

use std::collections::BTreeSet;

use iai_callgrind::protocol::{Function, Group, Ratio, RatioSide, Suite};

use super::{Plan, PlannedBenchmark};
use verdict::{counts_steps, FEWEST_SIZES};

/// Looks at the whole suite: after a filter, a function with several cases may have a single one.
pub(super) fn warnings(suite: &Suite, plan: &Plan) -> Vec<String> {
    let mut warnings = Vec::new();
    for group in &suite.groups {
        for function in &group.functions {
            let name = format!("{}::{}", group.name, function.name);
            let is_meant = |benchmark: &&PlannedBenchmark| {
                benchmark.path.group == group.name && benchmark.path.function == function.name
            };
            let planned = plan.groups.iter().flat_map(|group| &group.benchmarks);
            let planned: Vec<&PlannedBenchmark> = planned.filter(is_meant).collect();
            // A filter may leave out a whole function on purpose.
            if !planned.is_empty() {
                warnings.extend(of_function(&name, function, &planned));
            }
        }
    }
    warnings
}

/// The ratios of a group that concern one of these benchmarks.
pub(super) fn ratios(group: &Group, planned: &[PlannedBenchmark]) -> Vec<Ratio> {
    let is_planned = |side: &RatioSide| {
        let mut planned = planned.iter();
        planned.any(|benchmark| benchmark.is(side))
    };
    let ratios = group.ratios.iter();
    let ratios = ratios.filter(|ratio| is_planned(&ratio.limited) || is_planned(&ratio.of));
    ratios.cloned().collect()
}

fn of_function(name: &str, function: &Function, planned: &[&PlannedBenchmark]) -> Vec<String> {
    let mut warnings = Vec::new();
    let counts = |benchmark: &&PlannedBenchmark| {
        let mut jobs = benchmark.jobs.iter();
        jobs.any(|job| counts_steps(job.tool))
    };
    let is_counted = planned.iter().any(counts);
    if function.equal_counts && function.cases.len() < 2 {
        warnings.push(format!(
            "`equal_counts` of `{name}` compares nothing, since the function has one case; each input is a case"
        ));
    }
    let benches: BTreeSet<&str> = function
        .cases
        .iter()
        .filter_map(|case| case.scaling.as_ref())
        .map(|scaling| scaling.bench.as_str())
        .collect();
    for bench in &benches {
        let of_bench = function
            .cases
            .iter()
            .filter_map(|case| case.scaling.as_ref());
        let of_bench = of_bench.filter(|scaling| scaling.bench == **bench);
        let sizes: BTreeSet<u64> = of_bench.map(|scaling| scaling.size).collect();
        if sizes.len() < FEWEST_SIZES {
            warnings.push(format!(
                "`scaling` of `{name}::{bench}` tells nothing: a growth needs at least {FEWEST_SIZES} different \
                 sizes, and here are {}",
                sizes.len()
            ));
        }
    }
    if !is_counted && (function.equal_counts || !benches.is_empty()) {
        let parameter = match function.equal_counts {
            true => "equal_counts",
            false => "scaling",
        };
        warnings.push(format!(
            "`{parameter}` of `{name}` compares nothing, since no tool counts instructions; \
             `--tools=callgrind` adds one"
        ));
    }
    warnings
}
