//! Are the records of a run as many as the run counted? A line that was cut out or damaged leaves
//! no other trace.
//!
//! Only what must be there is demanded. A run that another run of the same filter replaced, or
//! whose suite had other benchmarks, may have lost records rightly, so the newest run of each
//! selection is looked at.

use std::collections::BTreeMap;

use iai_callgrind::protocol::Filter;

use records::summary::Counts;
use records::{BenchTargetKey, RecordSet, RecordedRun};

/// The names that filters match, of the benchmarks with a record: the whole name, and the title of
/// another framework.
#[derive(Debug, Default)]
pub(super) struct RecordedNames<'a>(
    BTreeMap<BenchTargetKey<'a>, BTreeMap<&'a str, Option<&'a str>>>,
);

impl<'a> RecordedNames<'a> {
    pub(super) fn of(set: &'a RecordSet) -> Self {
        let mut targets = Self::default();
        for benchmark in &set.benchmarks {
            let names = targets.0.entry(benchmark.bench_target()).or_default();
            // Where another framework registered the benchmark, this is its title. Arguments that
            // match a filter make the number of records that have to be there no larger.
            let title = benchmark.input.as_ref().map(|input| &*input.text);
            names.insert(&*benchmark.identity.path, title);
        }
        targets
    }

    fn selected(&self, target: &BenchTargetKey<'_>, filter: &Filter) -> u64 {
        let names = self.0.get(target).into_iter().flatten();
        let selected = names.filter(|(path, title)| filter.selects_named(path, **title));
        selected.count() as u64
    }
}

/// A message for each selection of benchmarks that has fewer records than its runs counted.
pub(super) fn lost_records(
    set: &RecordSet,
    names: &RecordedNames<'_>,
    target: &BenchTargetKey<'_>,
    runs: &[&RecordedRun],
) -> Vec<String> {
    // Runs of earlier versions do not say whose they are.
    if target.package.is_empty() {
        return Vec::new();
    }
    let selections = selections(runs).into_iter();
    let lost = selections.filter_map(|ExpectedRecords { filter, counted, input }| {
        let found = names.selected(target, &filter);
        (found < counted).then(|| {
            format!(
                "`{}` lacks records of {target}: its run counted {counted}, and {found} are there, so lines were lost \
                 or edited; measure it again, or `--allow-missing` goes without the rest",
                set.input(input),
            )
        })
    });
    lost.collect()
}

/// The benchmarks that runs of one bench target selected by the same filter, and how many of them
/// these counted.
struct ExpectedRecords {
    filter: Filter,
    /// The sum of all parts.
    counted: u64,
    /// The input of the newest run.
    input: u32,
}

/// The selections of the runs of a bench target, each by the newest run of each of its parts.
fn selections(runs: &[&RecordedRun]) -> Vec<ExpectedRecords> {
    let mut newest_first = runs.to_vec();
    // A part that ran twice counts by its newest run, whose records replaced the others.
    newest_first.sort_by(|one, other| other.run.started_at.cmp(&one.run.started_at));
    let suite = newest_first.first().and_then(|run| run.run.suite.clone());
    let mut known: Vec<&RecordedRun> = Vec::new();
    let mut selections: Vec<ExpectedRecords> = Vec::new();
    for recorded in newest_first {
        let run = &recorded.run;
        let is_replaced = known.iter().any(|newer| is_same_part(newer, recorded));
        if run.suite != suite || is_replaced {
            continue;
        }
        known.push(recorded);
        let filter = recorded.filter();
        let counted = with_record(run.counts);
        // Parts of one filter are added: each counted its own benchmarks alone.
        match selections.iter_mut().find(|it| it.filter == filter) {
            Some(selection) => selection.counted += counted,
            None => selections.push(ExpectedRecords {
                filter,
                counted,
                input: recorded.read_from,
            }),
        }
    }
    selections
}

fn is_same_part(one: &RecordedRun, other: &RecordedRun) -> bool {
    one.run.partition == other.run.partition && one.filter() == other.filter()
}

/// Benchmarks that have a record: all that were not left out.
fn with_record(counts: Counts) -> u64 {
    let Counts {
        ok,
        regressed,
        failed,
        ..
    } = counts;
    // The numbers come from a file and may be any.
    ok.saturating_add(regressed).saturating_add(failed)
}
