//! The commits that have results, and runs with changed files, in their order.

use std::collections::{BTreeMap, BTreeSet};

use super::chains::ChainKey;
use super::model::HistoryCommit;
use super::{compiler, time};
use records::summary::Source;
use records::{RecordSet, RecordedBenchmark, RecordedPoint, RecordedRun};

/// The commits of a history, the oldest first.
#[derive(Debug, Default)]
pub(super) struct Commits<'a> {
    commits: Vec<HistoryCommit>,
    /// The numbers of commits.
    numbers: BTreeMap<&'a str, usize>,
    /// The numbers of the lines of `history.jsonl`, in the order of the set.
    of_points: Vec<usize>,
    /// For each number, how many commits there are up to it; runs with changed files are none.
    counted: Vec<usize>,
    told: ToldRuns<'a>,
}

/// The runs with changed files that lines of `history.jsonl` tell of.
#[derive(Debug, Default)]
struct ToldRuns<'a> {
    /// Their commits, and marks of the code that their benchmarks measured.
    measured: BTreeSet<(Option<&'a str>, &'a str)>,
    /// Their commits and bench executables.
    executables: BTreeSet<(Option<&'a str>, &'a str)>,
}

impl<'a> ToldRuns<'a> {
    fn of(set: &'a RecordSet) -> Self {
        let mut told = Self::default();
        for point in set.points.iter().filter(|point| is_run(&point.source)) {
            let commit = point.source.commit.as_deref();
            let marks = point.marks.all().map(|mark| (commit, mark));
            told.measured.extend(marks);
            let executable = point.source.code.as_deref();
            told.executables.extend(executable.map(|it| (commit, it)));
        }
        told
    }

    /// Does a line have the results of this benchmark?
    fn have(&self, benchmark: &RecordedBenchmark) -> bool {
        let code = benchmark.code();
        Self::are_in(&self.measured, &benchmark.source, code)
    }

    /// Is a line of the same executable as this run? Records of runs contain no programs.
    fn have_run(&self, source: &Source) -> bool {
        Self::are_in(&self.executables, source, source.code.as_deref())
    }

    fn are_in(told: &BTreeSet<(Option<&str>, &str)>, source: &Source, code: Option<&str>) -> bool {
        let is_there = |code| told.contains(&(source.commit.as_deref(), code));
        is_run(source) && code.is_some_and(is_there)
    }
}

/// Facts about a commit in a record.
struct Facts<'a> {
    source: &'a Source,
    at: &'a str,
    rustc: Option<&'a str>,
    valgrind: Option<&'a str>,
    libc: Option<&'a str>,
}

/// A commit or run before its number is known.
#[derive(Default)]
struct Found<'a> {
    described: HistoryCommit,
    /// `None`: a run with changed files.
    commit: Option<&'a str>,
    /// Start of its first run, in UTC.
    first: Option<String>,
}

/// Commits and runs in the order in which they are found.
#[derive(Default)]
struct FoundCommits<'a> {
    found: Vec<Found<'a>>,
    places: BTreeMap<&'a str, usize>,
}

impl<'a> FoundCommits<'a> {
    fn commit(&mut self, commit: &'a str) -> usize {
        *self.places.entry(commit).or_insert_with(|| {
            self.found.push(Found {
                described: HistoryCommit {
                    commit: Some(commit.to_owned()),
                    // Until `add` sees a result without changed files.
                    dirty: true,
                    ..HistoryCommit::default()
                },
                commit: Some(commit),
                first: None,
            });
            self.found.len() - 1
        })
    }

    fn run(&mut self, source: &Source) -> usize {
        self.found.push(Found {
            described: HistoryCommit {
                commit: source.commit.clone(),
                dirty: is_dirty(source),
                code: source.code.clone(),
                ..HistoryCommit::default()
            },
            commit: None,
            first: None,
        });
        self.found.len() - 1
    }

    fn add(&mut self, place: usize, facts: &Facts<'_>) {
        let Found {
            described,
            commit,
            first,
        } = &mut self.found[place];
        if commit.is_some() {
            // One clean result is enough: `number` passes over those of changed files then.
            described.dirty &= is_dirty(facts.source);
        }
        // The variable that replaces the commit has no time.
        if described.committed_at.is_none() {
            described
                .committed_at
                .clone_from(&facts.source.committed_at);
        }
        if described.at.as_deref().is_none_or(|at| at < facts.at) {
            described.at = Some(facts.at.to_owned());
        }
        if first.as_deref().is_none_or(|first| facts.at < first) {
            *first = Some(facts.at.to_owned());
        }
        let said = [
            (&mut described.rustc, facts.rustc.map(compiler)),
            (&mut described.valgrind, facts.valgrind),
            (&mut described.libc, facts.libc),
        ];
        for (known, said) in said {
            if known.is_none() {
                *known = said.map(str::to_owned);
            }
        }
    }
}

impl<'a> Commits<'a> {
    /// The commits of all records. Notes say which results belong to none.
    pub(super) fn of(set: &'a RecordSet, notes: &mut Vec<String>) -> Self {
        let mut found = FoundCommits::default();
        let told = ToldRuns::of(set);
        let mut without = 0;
        let benchmarks = set.benchmarks.iter();
        // `history.jsonl` has these results, which would be there twice.
        let benchmarks = benchmarks.filter(|benchmark| !told.have(benchmark));
        let runs = set.runs.iter();
        let runs = runs.filter(|run| !told.have_run(&run.run.source));
        for facts in benchmarks.map(of_benchmark).chain(runs.map(of_run)) {
            match facts.source.commit.as_deref() {
                Some(commit) => {
                    let place = found.commit(commit);
                    found.add(place, &facts);
                }
                None => without += 1,
            }
        }
        let places = places_of_points(set, &mut found);
        let commits = found.found.iter();
        notes.extend(left_out(set, &told, without, commits));
        Self::sorted(found.found, &places, told)
    }

    /// Gives all found commits their numbers. `places` are those of the lines of `history.jsonl`.
    fn sorted(found: Vec<Found<'a>>, places: &[usize], told: ToldRuns<'a>) -> Self {
        let seconds = |time: &Option<String>| time.as_deref().and_then(time::seconds);
        let mut order: Vec<usize> = (0..found.len()).collect();
        let first_runs = first_runs(&found);
        // Ties stay in the order in which they were given. Runs with changed files come behind
        // their commit.
        order.sort_by_cached_key(|place| {
            let Found {
                described, commit, ..
            } = &found[*place];
            let at = seconds(&described.at).filter(|_| commit.is_none());
            let committed_at = seconds(&described.committed_at);
            // Commits of one second, such as those of a rebase or a script, were measured one after
            // the other.
            let first_run = described
                .commit
                .as_deref()
                .filter(|_| committed_at.is_some());
            let first_run = first_run.and_then(|commit| first_runs.get(commit).cloned());
            // `None` is below all times, so commits of unknown time come first, as the note says.
            (committed_at.or(at), first_run, at)
        });
        let mut numbers = vec![0; found.len()];
        for (number, place) in order.iter().enumerate() {
            numbers[*place] = number;
        }
        let mut found: Vec<Option<Found<'a>>> = found.into_iter().map(Some).collect();
        let mut all = Self {
            of_points: places.iter().map(|place| numbers[*place]).collect(),
            told,
            ..Self::default()
        };
        let mut counted = 0;
        for place in order {
            let Some(Found {
                described, commit, ..
            }) = found[place].take()
            else {
                continue;
            };
            if let Some(commit) = commit {
                all.numbers.insert(commit, all.commits.len());
                counted += 1;
            }
            all.counted.push(counted);
            all.commits.push(described);
        }
        all
    }

    /// The number of the commit of a result. `None`: it has none, or other results were measured
    /// without changes, or `history.jsonl` has it.
    pub(super) fn number(&self, benchmark: &RecordedBenchmark) -> Option<usize> {
        let source = &*benchmark.source;
        let number = *self.numbers.get(source.commit.as_deref()?)?;
        let is_meant = is_dirty(source) == self.commits[number].dirty;
        (is_meant && !self.told.have(benchmark)).then_some(number)
    }

    /// The number of a line of `history.jsonl`, by its place in the set.
    pub(super) fn number_of_point(&self, place: usize) -> usize {
        self.of_points[place]
    }

    /// The number of commits from one to another one.
    pub(super) fn between(&self, before: usize, now: usize) -> usize {
        // The numbers ascend, and `before` is an earlier place, so this does not wrap.
        self.counted[now] - self.counted[before]
    }

    pub(super) fn described(self) -> Vec<HistoryCommit> {
        self.commits
    }
}

/// The start of the first run at each commit, also if that had changed files: these stay beside
/// their commit.
fn first_runs(found: &[Found<'_>]) -> BTreeMap<String, String> {
    let mut first_runs: BTreeMap<String, String> = BTreeMap::new();
    for one in found {
        let (Some(commit), Some(first)) = (&one.described.commit, &one.first) else {
            continue;
        };
        let known = first_runs.entry(commit.clone());
        let known = known.or_insert_with(|| first.clone());
        if *first < *known {
            known.clone_from(first);
        }
    }
    first_runs
}

fn of_benchmark(benchmark: &RecordedBenchmark) -> Facts<'_> {
    let valgrind = benchmark.tools.iter();
    let mut valgrind = valgrind.filter_map(|tool| tool.circumstances.valgrind.as_deref());
    Facts {
        source: &benchmark.source,
        at: &benchmark.started_at,
        rustc: benchmark.system.rustc.as_deref(),
        valgrind: valgrind.next(),
        libc: benchmark.system.libc.as_deref(),
    }
}

fn of_run(run: &RecordedRun) -> Facts<'_> {
    let run = &run.run;
    let valgrind = run.valgrind.as_ref();
    Facts {
        source: &run.source,
        at: &run.started_at,
        rustc: run.system.rustc.as_deref(),
        valgrind: valgrind.and_then(|valgrind| valgrind.version.as_deref()),
        libc: run.system.libc.as_deref(),
    }
}

/// The places of the lines of `history.jsonl` among the found commits and runs.
fn places_of_points<'a>(set: &'a RecordSet, found: &mut FoundCommits<'a>) -> Vec<usize> {
    let mut places: Vec<usize> = Vec::with_capacity(set.points.len());
    let mut last: BTreeMap<ChainKey<'_>, usize> = BTreeMap::new();
    for (number, point) in set.points.iter().enumerate() {
        let before = last.insert(ChainKey::of(point), number);
        let source = &point.source;
        let place = match (source.commit.as_deref(), before) {
            (Some(commit), _) if !is_run(source) => found.commit(commit),
            // It was measured again before anybody changed something.
            (_, Some(before)) if is_same_run(&set.points[before], point) => places[before],
            _ => found.run(source),
        };
        let circumstances = &point.circumstances;
        let facts = Facts {
            source,
            at: &point.at,
            rustc: circumstances.rustc.as_deref(),
            valgrind: circumstances.valgrind.as_deref(),
            libc: circumstances.libc.as_deref(),
        };
        found.add(place, &facts);
        places.push(place);
    }
    places
}

fn is_dirty(source: &Source) -> bool {
    source.dirty == Some(true)
}

/// Is it the source of a single run? Everything else is that of a commit.
fn is_run(source: &Source) -> bool {
    source.commit.is_none() || is_dirty(source)
}

fn is_same_run(one: &RecordedPoint, other: &RecordedPoint) -> bool {
    is_run(&one.source)
        && one.source.commit == other.source.commit
        && one.marks.are_of_the_same_code(&other.marks)
}

fn left_out<'f>(
    set: &RecordSet,
    told: &ToldRuns<'_>,
    without: usize,
    found: impl Iterator<Item = &'f Found<'f>> + Clone,
) -> Vec<String> {
    let mut notes = Vec::new();
    if without > 0 {
        notes.push(format!(
            "{without} records without a commit are left out\n  \
             hint: IAI_CALLGRIND_COMMIT names the commit of a run where git does not"
        ));
    }
    let commits = found.filter_map(|found| Some((found.commit?, &found.described)));
    let clean = commits.clone().filter(|(_, commit)| !commit.dirty);
    let clean: BTreeSet<&str> = clean.map(|(commit, _)| commit).collect();
    let replaced = set.benchmarks.iter().filter(|benchmark| {
        let (source, commit) = (&benchmark.source, benchmark.source.commit.as_deref());
        let is_clean = commit.is_some_and(|commit| clean.contains(commit));
        is_dirty(source) && is_clean && !told.have(benchmark)
    });
    let replaced = replaced.count();
    if replaced > 0 {
        notes.push(format!(
            "{replaced} results of changed files are left out: their commits were measured without changes as well"
        ));
    }
    let number = commits.clone().count();
    let without_time = commits.filter(|(_, commit)| {
        let time = commit.committed_at.as_deref();
        time.and_then(time::seconds).is_none()
    });
    let without_time = without_time.count();
    if without_time > 0 && number > 1 {
        notes.push(format!(
            "the time of {without_time} commits is not known; they stand first, in the order of the arguments"
        ));
    }
    notes
}
