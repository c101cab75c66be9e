//! Expectations about several benchmarks that cannot be checked: one warning each, so that they are
//! not taken for met.

use std::collections::{BTreeMap, BTreeSet};

use iai_callgrind::protocol::{Function, Group, Ratio, RatioSide, Scaling, Suite};

use super::{Plan, PlannedBenchmark};
use verdict::{counts_steps, FEWEST_SIZES};

/// Looks at the whole suite: after a filter, a function with several cases may have a single one.
pub(super) fn warnings(suite: &Suite, plan: &Plan) -> Vec<String> {
    each_function(suite, plan, of_function)
}

/// Expectations that hold for the selected cases alone: nobody has compared them with those that a
/// filter or a part left out.
pub(super) fn unchecked(suite: &Suite, plan: &Plan) -> Vec<String> {
    each_function(suite, plan, of_selection)
}

/// The texts about each function of which something is measured. A filter may leave out a whole
/// function on purpose.
fn each_function(
    suite: &Suite,
    plan: &Plan,
    texts: impl Fn(&str, &Function, &[&PlannedBenchmark]) -> Vec<String>,
) -> Vec<String> {
    let mut all = Vec::new();
    for group in &suite.groups {
        for function in &group.functions {
            let name = format!("{}::{}", group.name, function.name);
            let is_meant = |benchmark: &&PlannedBenchmark| {
                benchmark.path.group == group.name && benchmark.path.function == function.name
            };
            let planned = plan.groups.iter().flat_map(|group| &group.benchmarks);
            let planned: Vec<&PlannedBenchmark> = planned.filter(is_meant).collect();
            if !planned.is_empty() {
                all.extend(texts(&name, function, &planned));
            }
        }
    }
    all
}

fn of_selection(name: &str, function: &Function, planned: &[&PlannedBenchmark]) -> Vec<String> {
    let mut texts = Vec::new();
    let (all, selected) = (function.cases.len(), planned.len());
    if selected == all {
        return texts;
    }
    if function.equal_counts {
        texts.push(format!(
            "`equal_counts` of `{name}` was checked for {selected} of {all} cases, since the others were not selected"
        ));
    }
    let sizes = |scalings: &mut dyn Iterator<Item = &Scaling>| {
        let mut sizes: BTreeMap<String, BTreeSet<u64>> = BTreeMap::new();
        for scaling in scalings {
            sizes
                .entry(scaling.bench.clone())
                .or_default()
                .insert(scaling.size);
        }
        sizes
    };
    let whole = sizes(
        &mut function
            .cases
            .iter()
            .filter_map(|case| case.scaling.as_ref()),
    );
    let selected = sizes(&mut planned.iter().filter_map(|it| it.scaling.as_ref()));
    for (bench, whole) in whole {
        let left = selected.get(&bench).map_or(0, BTreeSet::len);
        if left > 0 && left < FEWEST_SIZES && whole.len() >= FEWEST_SIZES {
            texts.push(format!(
                "`scaling` of `{name}::{bench}` was not checked: {left} of {} sizes were selected, and a growth needs \
                 at least {FEWEST_SIZES}",
                whole.len()
            ));
        }
    }
    texts
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
