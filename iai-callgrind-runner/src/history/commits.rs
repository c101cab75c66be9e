//! The commits that have results, in their order.

use std::collections::BTreeMap;

use super::model::HistoryCommit;
use super::time;
use crate::records::{RecordSet, RecordedBenchmark};
use crate::summary::Source;

/// The commits of a history, the oldest first.
#[derive(Debug, Default)]
pub(super) struct Commits {
    commits: Vec<HistoryCommit>,
    numbers: BTreeMap<String, usize>,
}

impl Commits {
    /// The commits of all records. Notes say which results belong to none.
    pub(super) fn of(set: &RecordSet, notes: &mut Vec<String>) -> Self {
        let mut found: Vec<HistoryCommit> = Vec::new();
        let mut places: BTreeMap<&str, usize> = BTreeMap::new();
        let mut without = 0;
        let benchmarks = set.benchmarks.iter().map(|benchmark| &*benchmark.source);
        for source in benchmarks.chain(set.runs.iter().map(|run| &run.run.source)) {
            let Some(commit) = source.commit.as_deref() else {
                without += 1;
                continue;
            };
            let place = *places.entry(commit).or_insert_with(|| {
                found.push(described(commit, source));
                found.len() - 1
            });
            let known = &mut found[place];
            known.dirty &= is_dirty(source);
            // The variable that replaces the commit has no time.
            if known.committed_at.is_none() {
                known.committed_at.clone_from(&source.committed_at);
            }
        }
        // Ties stay in the order in which they were given.
        found.sort_by_key(|commit| commit.committed_at.as_deref().and_then(time::seconds));
        notes.extend(left_out(set, without, &found));
        let numbers = found.iter().enumerate();
        Self {
            numbers: numbers
                .map(|(number, commit)| (commit.commit.clone(), number))
                .collect(),
            commits: found,
        }
    }

    /// The number of the commit of a result. `None`: it has none, or others were measured without changes.
    pub(super) fn number(&self, benchmark: &RecordedBenchmark) -> Option<usize> {
        let number = *self.numbers.get(benchmark.source.commit.as_deref()?)?;
        (is_dirty(&benchmark.source) == self.commits[number].dirty).then_some(number)
    }

    pub(super) fn described(self) -> Vec<HistoryCommit> {
        self.commits
    }
}

fn described(commit: &str, source: &Source) -> HistoryCommit {
    HistoryCommit {
        commit: commit.to_owned(),
        committed_at: source.committed_at.clone(),
        dirty: true,
    }
}

fn is_dirty(source: &Source) -> bool {
    source.dirty == Some(true)
}

fn left_out(set: &RecordSet, without: usize, commits: &[HistoryCommit]) -> Vec<String> {
    let mut notes = Vec::new();
    if without > 0 {
        notes.push(format!(
            "{without} records without a commit are left out\n  \
             hint: IAI_CALLGRIND_COMMIT names the commit of a run where git does not"
        ));
    }
    let clean: Vec<&str> = commits
        .iter()
        .filter(|commit| !commit.dirty)
        .map(|commit| commit.commit.as_str())
        .collect();
    let replaced = set.benchmarks.iter().filter(|benchmark| {
        let commit = benchmark.source.commit.as_deref();
        is_dirty(&benchmark.source) && commit.is_some_and(|commit| clean.contains(&commit))
    });
    let replaced = replaced.count();
    if replaced > 0 {
        notes.push(format!(
            "{replaced} results of changed files are left out: their commits were measured without changes as well"
        ));
    }
    let without_time = commits.iter().filter(|commit| {
        let time = commit.committed_at.as_deref();
        time.and_then(time::seconds).is_none()
    });
    let without_time = without_time.count();
    if without_time > 0 && commits.len() > 1 {
        notes.push(format!(
            "the time of {without_time} commits is not known; they stand first, in the order of the arguments"
        ));
    }
    notes
}
