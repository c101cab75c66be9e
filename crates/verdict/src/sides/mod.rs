//! Results of two sides against each other, over all bench targets, packages and machines: one
//! report and one verdict.
//!
//! In: records of two sides, and limits. Out: [`ComparisonReport`], a plain value that every format
//! is written from. A [`ResultSide`] says what is wrong with its records as a whole: missing parts,
//! contradictions, several commits.

mod benchmark_pairs;
mod causes;
mod checks;
mod differences;
mod digests;
mod functions;
mod mixed;
mod model;
mod options;
mod outcome;
mod previous;
mod renamed;
mod result_limits;
mod row_maker;
mod run_counts;
#[cfg(any(test, feature = "sample"))]
pub mod sample;
mod side;
#[cfg(test)]
mod side_tests;
#[cfg(test)]
mod tests;
mod wall_time;

pub use causes::{event, explain_rows, ExplainedChange, RowDigests};
pub use model::{
    ComparisonOutcome, ComparisonReport, JudgedLimit, ReportRow, ReportSide, RowCounts, RowFailure,
    RowFunction, RowMetric, SideDifference, VERSION,
};
pub use options::{AgreedCounts, ComparisonOptions, NothingAgreed};
pub use previous::{previous_side, PREVIOUS};
pub use side::{NotRunReason, ResultSide, SideOptions};
pub use wall_time::PairedSideTimes;

use std::collections::HashMap;

use self::benchmark_pairs::FactsOfPairs;
use self::differences::Differences;
use self::outcome::SideFindings;
use self::renamed::UnpairedBenchmarks;
use self::row_maker::{ComparedTool, RowMaker};
use self::wall_time::WallTimes;
use crate::RowClass;
use base::benchmark_path::by_numbers;
use records::summary::System;

/// Compares two sides, or reports on one.
#[must_use]
pub fn compare_sides(
    old: Option<&ResultSide>,
    new: &ResultSide,
    options: &ComparisonOptions,
    agreed: &dyn AgreedCounts,
) -> ComparisonReport {
    let maker = RowMaker {
        new_side: new,
        options,
        agreed,
        facts: FactsOfPairs::default(),
    };
    let mut differences = Differences::default();
    let mut one_sided = UnpairedBenchmarks::default();
    let mut limits = Vec::new();
    let mut wall_times = WallTimes::default();
    let mut rows = Vec::new();
    let mut is_withheld = false;
    let of_old = old.map(ResultSide::as_old_side).unwrap_or_default();
    let of_old = benchmark_pairs::of_new_targets(of_old, new);
    for pair in benchmark_pairs::pairs(&of_old, new) {
        let (made, tools) = maker.rows(&pair);
        differences.add(&tools, &made);
        one_sided.add(&pair);
        wall_times.add(&pair);
        add_limits(&mut limits, &tools);
        is_withheld |= made.iter().any(|made| made.is_withheld);
        rows.extend(made.into_iter().map(|made| made.row));
    }
    limits.extend(wall_times.limits());
    remark_renamed(&mut rows, &one_sided);
    // Stable: rows that tie keep the order of pairs, tools and metrics, which no order of inputs
    // changes.
    rows.sort_by(in_order);
    let sides = || old.into_iter().chain([new]);
    let texts = |of: fn(&ResultSide) -> &Vec<String>| sides().flat_map(of).cloned().collect();
    let mut report = ComparisonReport {
        version: VERSION,
        outcome: ComparisonOutcome::Ok,
        exit_code: 0,
        old: old.map(reported_side),
        new: reported_side(new),
        limits,
        headlines: differences.headlines(),
        differences: differences.reported(),
        counts: RowCounts::default(),
        rows,
        notes: texts(|side| &side.notes),
        errors: texts(|side| &side.errors),
    };
    report.notes.extend(new.unchecked());
    report.notes.extend(wall_times.note());
    let left_alone = old.map_or(0, |old| old.of_other_commits.len());
    if left_alone > 0 {
        report.notes.push(format!(
            "{left_alone} of them {} compared with all the same: the newest run was not to measure their benchmarks",
            if left_alone == 1 { "is" } else { "are" }
        ));
    }
    let findings = SideFindings {
        has_other_commits: sides().any(|side| side.has_other_commits),
        has_other_builds: sides().any(|side| side.has_other_builds),
        has_several_conditions: sides().any(|side| !side.mixed.is_empty()),
    };
    // Last: with `--strict` it depends on limits, rows and errors.
    outcome::complete(&mut report, options, is_withheld, &findings, &new.stopped);
    report
}

/// Adds the limits of a benchmark that are not known yet.
fn add_limits(known: &mut Vec<JudgedLimit>, tools: &[ComparedTool]) {
    for tool in tools {
        for limit in tool.limits.judged(tool.tool) {
            if !known.contains(&limit) {
                known.push(limit);
            }
        }
    }
}

fn remark_renamed(rows: &mut [ReportRow], one_sided: &UnpairedBenchmarks<'_>) {
    let renamed = one_sided.renamed().into_iter();
    let renamed: HashMap<(&str, &str), &str> = renamed
        .map(|(new, gone)| {
            let key = (&*new.identity.package, &*new.identity.path);
            (key, &*gone.identity.path)
        })
        .collect();
    for row in rows.iter_mut().filter(|row| row.class == RowClass::New) {
        if let Some(gone) = renamed.get(&(&*row.package, &*row.path)) {
            row.remarks.push(format!("same counts as {gone}: renamed?"));
        }
    }
}

/// By class, then by relative change, then by identity, numbers in names by their value.
fn in_order(one: &ReportRow, other: &ReportRow) -> std::cmp::Ordering {
    let change = |row: &ReportRow| match &row.metric {
        Some(metric) => match (row.judged_pct(), metric.old, metric.new) {
            (Some(percent), ..) => percent.abs(),
            // From 0.
            (None, Some(_), Some(_)) => f64::INFINITY,
            _ => 0.0,
        },
        None => 0.0,
    };
    let class = one.class.cmp(&other.class);
    class
        .then_with(|| change(other).total_cmp(&change(one)))
        .then_with(|| one.package.cmp(&other.package))
        .then_with(|| by_numbers(&one.path).cmp(&by_numbers(&other.path)))
        .then_with(|| identity(one).cmp(&identity(other)))
}

fn identity(row: &ReportRow) -> [Option<&str>; 4] {
    let (label, target) = (row.label.as_deref(), row.target.as_deref());
    [Some(&row.package), Some(&row.path), label, target]
}

/// Old results of a home have no runs.
fn measured_at(side: &ResultSide) -> Option<String> {
    let runs = side.runs.iter().map(|run| &run.run.started_at);
    let benchmarks = || {
        side.benchmarks
            .iter()
            .map(|benchmark| &benchmark.started_at)
    };
    runs.max().or_else(|| benchmarks().max()).cloned()
}

fn reported_side(side: &ResultSide) -> ReportSide {
    let mut systems: Vec<System> = Vec::new();
    let mut valgrinds: Vec<String> = Vec::new();
    // Most records of a run share one system, so most texts need no comparison.
    let mut last = std::ptr::null();
    for benchmark in &side.benchmarks {
        let system = std::sync::Arc::as_ptr(&benchmark.system);
        if system != last && !systems.contains(&benchmark.system) {
            systems.push((*benchmark.system).clone());
        }
        last = system;
        for tool in &benchmark.tools {
            let valgrind = tool.circumstances.valgrind.as_ref();
            valgrinds.extend(valgrind.filter(|it| !valgrinds.contains(it)).cloned());
        }
    }
    let mut identities: Vec<_> = side.benchmarks.iter().map(|it| &it.identity).collect();
    // Sorted by identity: records of one benchmark under several tools are neighbours.
    identities.dedup();
    ReportSide {
        inputs: side.arguments.clone(),
        name: None,
        commit: side.source.commit.clone(),
        committed_at: side.source.committed_at.clone(),
        branch: side.source.branch.clone(),
        dirty: side.source.dirty,
        measured_at: measured_at(side),
        benchmarks: identities.len() as u64,
        systems,
        valgrinds,
    }
}
