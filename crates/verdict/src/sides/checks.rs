//! Checks of all runs of one side: parts that are missing or contradict each other, runs that ended
//! early, records without a run, and runs without all of their records.

use std::collections::{BTreeMap, BTreeSet};

use super::run_counts::{lost_records, RecordedNames};
use records::layout::is_of_old_records;
use records::summary::{Ending, SuiteFacts};
use records::{BenchTargetKey, RecordSet, RecordedBenchmark, RecordedRun};

/// The findings of the checks.
#[derive(Debug, Default)]
pub(super) struct CheckedRuns {
    pub(super) errors: Vec<String>,
    /// The `errors` that say that a run stopped at its first regression.
    pub(super) stopped: Vec<String>,
    /// Errors that `--allow-missing` turns into notes.
    pub(super) missing: Vec<String>,
}

/// The runs of each bench target.
pub(super) type RunsByTarget<'a> = BTreeMap<BenchTargetKey<'a>, Vec<&'a RecordedRun>>;

/// The runs of one commit by bench target.
pub(super) fn by_target(set: &RecordSet) -> RunsByTarget<'_> {
    let mut targets = RunsByTarget::new();
    for run in &set.runs {
        targets.entry(run.bench_target()).or_default().push(run);
    }
    targets
}

/// Marks the runs of bench targets whose suite is whole.
pub(super) fn mark_whole(set: &mut RecordSet) {
    let targets = by_target(set).into_iter();
    let whole: BTreeMap<BenchTargetKey<'_>, bool> = targets
        .map(|(target, runs)| (target, has_whole_suite(&set.benchmarks, &runs)))
        .collect();
    let of_run = set.runs.iter().map(|run| whole[&run.bench_target()]);
    let of_run: Vec<bool> = of_run.collect();
    for (run, is_whole) in set.runs.iter_mut().zip(of_run) {
        run.has_whole_suite = is_whole;
    }
}

/// Checks the runs, all of one commit.
pub(super) fn check(set: &RecordSet) -> CheckedRuns {
    let mut found = CheckedRuns::default();
    let targets = by_target(set);
    for run in &set.runs {
        let error = early_end(set, run);
        if run.run.ending == Ending::FailFast {
            found.stopped.extend(error.clone());
        }
        found.errors.extend(error);
    }
    let names = RecordedNames::of(set);
    for (target, runs) in &targets {
        // Lines of several runs may be beside each other where the last one replaced its own.
        if runs.iter().any(|run| run.has_whole_suite) {
            continue;
        }
        // Parts that do not belong together cannot say what is missing.
        match contradiction(set, target, runs) {
            Some(error) => found.errors.push(error),
            None => {
                found.missing.extend(missing_parts(target, runs));
                found
                    .missing
                    .extend(lost_records(set, &names, target, runs));
            }
        }
    }
    found.missing.extend(without_run(set, &targets));
    found
}

/// Error for a run that did not reach its end, whose results are not complete.
fn early_end(set: &RecordSet, recorded: &RecordedRun) -> Option<String> {
    let run = &recorded.run;
    let how = match run.ending {
        Ending::Ok | Ending::Regression | Ending::Failure => return None,
        Ending::FailFast => "stopped at the first exceeded limit",
        Ending::Interrupted => "was interrupted",
        Ending::Error | Ending::Other => "ended early",
    };
    let message = run.message.as_deref();
    let message =
        message.map(|message| format!(": {}", message.lines().next().unwrap_or_default()));
    let input = set.input(recorded.read_from);
    let mut error = format!(
        "the run of {} in `{input}` {how}{}",
        recorded.bench_target(),
        message.unwrap_or_default()
    );
    if run.ending == Ending::FailFast {
        error.push_str(
            "; run it again without `--regression-fail-fast`, which measures all benchmarks",
        );
    }
    Some(error)
}

/// Does each benchmark of the suite, as the newest run knows it, have a result?
fn has_whole_suite(benchmarks: &[RecordedBenchmark], runs: &[&RecordedRun]) -> bool {
    let newest = runs.iter().max_by_key(|run| &run.run.started_at);
    let Some((newest, suite)) = newest.and_then(|run| Some((run, run.run.suite.as_ref()?))) else {
        return false;
    };
    let target = newest.bench_target();
    let mut paths: Vec<&str> = benchmarks
        .iter()
        .filter(|benchmark| benchmark.bench_target() == target)
        .map(|benchmark| &*benchmark.identity.path)
        .collect();
    // A benchmark has several records if tools ran in runs of their own.
    paths.sort_unstable();
    paths.dedup();
    SuiteFacts::new(paths.iter().map(|path| (*path).to_owned()).collect()) == *suite
}

/// Parts that do not belong together.
fn contradiction(
    set: &RecordSet,
    target: &BenchTargetKey<'_>,
    runs: &[&RecordedRun],
) -> Option<String> {
    let first = runs.iter().find(|run| run.run.partition.is_some())?;
    let division = |run: &RecordedRun| {
        let partition = run.run.partition.as_ref();
        partition.map(|partition| (partition.kind.clone(), partition.parts))
    };
    for run in runs {
        let (one, other) = (&first.run, &run.run);
        let what = if division(first) != division(run) {
            "divided in different ways"
        } else if first.filter() != run.filter() {
            "of different filters"
        } else if one.suite != other.suite {
            "of different benchmarks"
        } else {
            continue;
        };
        return Some(format!(
            "the parts of {target} in `{}` and `{}` are {what}",
            set.input(first.read_from),
            set.input(run.read_from)
        ));
    }
    None
}

/// Results of an older build of their bench file, beside others that a later run measured. Parts of
/// a suite may be built on several machines.
pub(super) fn older_builds(set: &RecordSet) -> Vec<String> {
    let mut found = Vec::new();
    for (target, runs) in by_target(set) {
        if runs.iter().all(|run| run.run.partition.is_some()) {
            continue;
        }
        let of_target = || {
            let all = set.benchmarks.iter();
            all.filter(|benchmark| {
                benchmark.bench_target() == target && benchmark.source.code.is_some()
            })
        };
        let Some(newest) = of_target().max_by_key(|benchmark| &benchmark.started_at) else {
            continue;
        };
        let is_older = |other: &&RecordedBenchmark| other.source.code != newest.source.code;
        let older: Vec<_> = of_target().filter(is_older).collect();
        if older.is_empty() {
            continue;
        }
        let results = match older.len() {
            1 => "1 result is".to_owned(),
            number => format!("{number} results are"),
        };
        // Of benchmarks that the last run measured as well, it was the tool that did not run.
        let measured = of_target().filter(|it| !is_older(it));
        let measured: BTreeSet<_> = measured.map(|it| &it.identity).collect();
        let measures = match older.iter().all(|it| measured.contains(&it.identity)) {
            true => {
                let tools = older.iter().flat_map(|it| &it.tools);
                let tools: BTreeSet<&str> = tools.map(|tool| tool.tool.id()).collect();
                let options = tools
                    .iter()
                    .map(|tool| format!("`cargo bench -- --default-tool={tool}`"));
                let options = options.collect::<Vec<_>>().join(" and ");
                format!("the last run had other tools, and {options} measures again")
            }
            false => "the last run measured others, and `cargo bench` without filters measures all"
                .to_owned(),
        };
        found.push(format!(
            "{results} of an older build of {target}: {measures}"
        ));
    }
    found
}

fn missing_parts<'a>(
    target: &'a BenchTargetKey<'_>,
    runs: &[&'a RecordedRun],
) -> impl Iterator<Item = String> + 'a {
    let (there, parts) = parts_of(runs);
    let mut partitions = runs.iter().filter_map(|run| run.run.partition.as_ref());
    let kind = partitions.next().map_or("hash", |it| &it.kind);
    // The number comes from a file and may be any.
    let missing = (1..=parts)
        .filter(move |part| !there.contains(part))
        .take(MOST);
    missing.map(move |part| {
        format!(
            "part {part} of {parts} of {target} is missing: `--partition={kind}:{part}/{parts}` measures it, and \
             `--allow-missing` goes without it"
        )
    })
}

/// The most missing parts of a bench target that are named.
const MOST: usize = 20;

/// Does a bench target lack a part?
pub(super) fn lacks_part(runs: &[&RecordedRun]) -> bool {
    let (there, parts) = parts_of(runs);
    (there.len() as u64) < parts
}

/// The parts that are there, and how many there have to be: 0 without `--partition`.
fn parts_of(runs: &[&RecordedRun]) -> (BTreeSet<u64>, u64) {
    let partitions = || runs.iter().filter_map(|run| run.run.partition.as_ref());
    let there = partitions().map(|partition| partition.part).collect();
    let parts = partitions().map(|partition| partition.parts).max();
    (there, parts.unwrap_or(0))
}

/// Bench targets with results but without a run: the run was killed.
fn without_run(set: &RecordSet, targets: &RunsByTarget<'_>) -> Vec<String> {
    // Runs of earlier versions do not say whose they are.
    let unnamed = set.runs.iter().filter(|run| run.run.package.is_none());
    let unnamed: BTreeSet<u32> = unnamed.map(|run| run.read_from).collect();
    // Old records of a home are those of whatever runs.
    let old = |benchmark: &RecordedBenchmark| is_of_old_records(set.input(benchmark.read_from));
    let mut found = BTreeMap::new();
    for benchmark in &set.benchmarks {
        let target = benchmark.bench_target();
        let needs_run = !unnamed.contains(&benchmark.read_from) && !old(benchmark);
        if needs_run && !targets.contains_key(&target) {
            found.entry(target).or_insert(benchmark.read_from);
        }
    }
    let found = found.into_iter().map(|(target, input)| {
        format!(
            "`{}` has results of {target} and no record of a run at their end: the run was killed, or the file \
             is cut off; `--allow-missing` goes without the rest",
            set.input(input)
        )
    });
    found.collect()
}
