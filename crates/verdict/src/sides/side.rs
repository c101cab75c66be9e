//! The results of one side: of one commit, each benchmark once, in the order of their identities.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use iai_callgrind::protocol::Filter;

use super::checks::{self, lacks_part};
use super::digests::CarriedDigests;
use super::mixed::mixed_conditions;
use crate::{discrepancies, Discrepancy};
use records::layout::is_of_old_records;
use records::summary::{short_commit, Source};
use records::{
    BenchTargetKey, BenchmarkIdentity, RecordInput, RecordSet, RecordedBenchmark, RecordedRun,
};

/// The results of one side.
#[derive(Debug, Default)]
pub struct ResultSide {
    /// The arguments that name the results.
    pub arguments: Vec<String>,
    /// Results in the order of their identities. A benchmark has several if it was measured under
    /// several tools in different runs.
    pub benchmarks: Vec<RecordedBenchmark>,
    /// Runs, by bench target.
    pub runs: Vec<RecordedRun>,
    /// The texts that records are from.
    pub inputs: Vec<RecordInput>,
    /// Digests that were read with the records.
    pub(crate) digests: CarriedDigests,
    /// State of the source of the newest run.
    pub source: Arc<Source>,
    /// Notes on what was left out.
    pub notes: Vec<String>,
    /// Reasons why the results are not those of one whole run.
    pub errors: Vec<String>,
    /// The `errors` that say that a run stopped at its first regression.
    pub(crate) stopped: Vec<String>,
    /// The benchmarks that are looked at.
    pub only: Filter,
    /// Results of other commits were left out.
    pub has_other_commits: bool,
    /// Results of other commits, the newest first, of benchmarks that the newest run was not to
    /// measure.
    pub(crate) of_other_commits: Vec<RecordedBenchmark>,
    /// Benchmarks whose results of other commits were left out.
    pub(crate) left_out: BTreeSet<BenchmarkIdentity>,
    /// Results of several builds of an executable are beside each other.
    pub has_other_builds: bool,
    /// Conditions that differ among the results, such as the C libraries of two machines, in words.
    /// Each is a note as well.
    pub mixed: Vec<String>,
}

/// Choices about the results of a side.
#[derive(Debug, Clone, Default)]
pub struct SideOptions {
    /// Missing parts and killed runs are notes.
    pub allow_missing: bool,
    /// Benchmarks that are looked at.
    pub only: Filter,
}

/// Reason why a benchmark has no result although it may exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotRunReason {
    /// Filters left it out.
    Filtered,
    /// A part of the suite is missing.
    MissingPart,
    /// The run ended before.
    RunEnded,
    /// Its result is of another commit than the newest run.
    OtherCommit,
}

impl NotRunReason {
    /// The reason, for people.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::Filtered => "filters left it out",
            Self::MissingPart => "a part of the suite is missing",
            Self::RunEnded => "the run ended before",
            Self::OtherCommit => "its result is of another commit, and left out",
        }
    }
}

impl ResultSide {
    /// The side of these records.
    #[must_use]
    pub fn of(mut set: RecordSet, options: &SideOptions) -> Self {
        let mut side = Self {
            arguments: std::mem::take(&mut set.arguments),
            notes: std::mem::take(&mut set.notes),
            digests: CarriedDigests::new(std::mem::take(&mut set.digests)),
            only: options.only.clone(),
            ..Self::default()
        };
        if set.is_empty() {
            side.errors.push(nothing(&side.arguments));
            return side;
        }
        // Checks ask the runs of one commit, so other commits go first.
        side.keep_one_commit(&mut set);
        checks::mark_whole(&mut set);
        let builds = checks::older_builds(&set);
        side.has_other_builds = !builds.is_empty();
        side.notes.extend(builds);
        let checked = checks::check(&set);
        side.errors.extend(checked.errors);
        side.stopped = checked.stopped;
        match options.allow_missing {
            true => side.notes.extend(checked.missing),
            false => side.errors.extend(checked.missing),
        }
        // After the checks: a filter of the reader must not look like lost records.
        set.benchmarks
            .retain(|benchmark| options.only.selects(&benchmark.identity.path));
        sort(&mut set);
        side.keep_each_once(&mut set);
        side.mixed = mixed_conditions(&side.benchmarks);
        let mixed = side.mixed.iter();
        let mixed = mixed.map(|text| format!("results of one side differ in {text}"));
        side.notes.extend(mixed);
        side.runs = set.runs;
        side.inputs = set.inputs;
        // Last, since it asks the runs and inputs of the side.
        side.choose_of_other_commits();
        side
    }

    /// Keeps the results of other commits that a later run left alone: a home has them beside its
    /// own, and its next run compares with them.
    fn choose_of_other_commits(&mut self) {
        let mut others = std::mem::take(&mut self.of_other_commits);
        others.sort_by(|a, b| b.started_at.cmp(&a.started_at));
        others.retain(|other| {
            let input = self.inputs.get(other.read_from as usize);
            let is_old = input.is_some_and(|input| is_of_old_records(&input.name));
            let is_left_alone = || self.not_run(other) == Some(NotRunReason::Filtered);
            self.only.selects(&other.identity.path)
                && self.results(&other.identity).next().is_none()
                && (is_old || is_left_alone())
        });
        self.of_other_commits = others;
    }

    /// The results that another side is compared with: also those of other commits that the newest
    /// run left alone.
    #[must_use]
    pub(super) fn as_old_side(&self) -> Cow<'_, [RecordedBenchmark]> {
        if self.of_other_commits.is_empty() {
            return Cow::Borrowed(&self.benchmarks);
        }
        let mut all = self.benchmarks.clone();
        for other in &self.of_other_commits {
            // Newest first, so an older result of the same tool finds the newer one here.
            let is_known = |known: &RecordedBenchmark| {
                known.identity == other.identity
                    && other
                        .tools
                        .iter()
                        .any(|tool| known.tool(tool.tool).is_some())
            };
            if !all.iter().any(is_known) {
                all.push(other.clone());
            }
        }
        all.sort_by(|a, b| a.identity.cmp(&b.identity));
        all.into()
    }

    /// Keeps the records of the newest run's commit.
    fn keep_one_commit(&mut self, set: &mut RecordSet) {
        let runs = set
            .runs
            .iter()
            .map(|run| (&run.run.started_at, &run.run.source));
        // The commit decides between equal times, so that the order of the inputs does not.
        let newest = runs.max_by(|a, b| (a.0, &a.1.commit).cmp(&(b.0, &b.1.commit)));
        let benchmarks = || {
            let all = set.benchmarks.iter();
            let all = all.map(|benchmark| (&benchmark.started_at, &*benchmark.source));
            all.max_by(|a, b| (a.0, &a.1.commit).cmp(&(b.0, &b.1.commit)))
        };
        // Old records of a home have no runs.
        if let Some((_, source)) = newest.or_else(benchmarks) {
            self.source = Arc::new(source.clone());
        }
        let commit = self.source.commit.clone();
        let is_other = |source: &Source| source.commit != commit;
        let mut others: Vec<(String, u32)> = Vec::new();
        for benchmark in set.benchmarks.iter().filter(|it| is_other(&it.source)) {
            let other = (
                short(benchmark.source.commit.as_deref()),
                benchmark.read_from,
            );
            if !others.contains(&other) {
                others.push(other);
            }
        }
        others.sort_unstable();
        let shown = others.iter().take(MOST_NAMED);
        let shown = shown.map(|(other, input)| format!("{other} in `{}`", set.input(*input)));
        let shown = shown.collect::<Vec<_>>().join(", ");
        if !others.is_empty() {
            let more = others.len().saturating_sub(MOST_NAMED);
            let more = if more > 0 {
                format!(" and {more} more")
            } else {
                String::new()
            };
            self.notes.push(format!(
                "results of other commits than {} are left out: {shown}{more}",
                short(commit.as_deref())
            ));
            self.has_other_commits = true;
        }
        let (others, benchmarks) = std::mem::take(&mut set.benchmarks)
            .into_iter()
            .partition(|benchmark| is_other(&benchmark.source));
        set.benchmarks = benchmarks;
        let left_out = others
            .iter()
            .map(|other: &RecordedBenchmark| other.identity.clone());
        self.left_out = left_out.collect();
        self.of_other_commits = others;
        set.runs.retain(|run| !is_other(&run.run.source));
    }

    /// Keeps the newest of equal results. Results that contradict each other are errors.
    fn keep_each_once(&mut self, set: &mut RecordSet) {
        let all = std::mem::take(&mut set.benchmarks);
        let (mut doubled, mut contradictions) = (0_u64, Vec::new());
        for benchmark in all {
            // Sorted by identity and newest first: equal ones are the last that were kept.
            let kept = self.benchmarks.iter().rev();
            let kept = kept.take_while(|kept| kept.identity == benchmark.identity);
            let kept: Vec<&RecordedBenchmark> = kept.collect();
            match Doubled::of(&benchmark, &kept) {
                Doubled::Not => self.benchmarks.push(benchmark),
                Doubled::Equal => doubled += 1,
                Doubled::Different(index) => {
                    contradictions.push(contradiction(set, &benchmark, kept[index]));
                }
            }
        }
        if doubled > 0 {
            let results = if doubled == 1 {
                "result is"
            } else {
                "results are"
            };
            self.notes.push(format!(
                "{doubled} {results} there more than once, with the same counts"
            ));
        }
        let more = contradictions.len().saturating_sub(MOST_NAMED);
        self.errors
            .extend(contradictions.into_iter().take(MOST_NAMED));
        if more > 0 {
            self.errors.push(format!(
                "{more} more benchmarks have two results that differ"
            ));
        }
    }

    /// The expectations that runs left unchecked, each once: they saw a part of the benchmarks that
    /// these are about.
    #[must_use]
    pub fn unchecked(&self) -> Vec<String> {
        let texts = self.runs.iter().flat_map(|run| &run.run.unchecked);
        let texts: BTreeSet<&String> = texts.collect();
        texts.into_iter().cloned().collect()
    }

    /// The errors, but for those of runs that stopped at their first regression: what these
    /// measured is whole.
    pub fn errors_of_results(&self) -> impl Iterator<Item = &str> {
        let errors = self.errors.iter().map(String::as_str);
        errors.filter(|error| !self.stopped.iter().any(|stopped| stopped == error))
    }

    /// The records as lines: those of benchmarks in the order of their identities, then those of
    /// runs. Only if the reader kept their texts.
    #[must_use]
    pub fn to_text(&self) -> String {
        let benchmarks = self.benchmarks.iter().filter_map(|it| it.text.as_deref());
        let runs = self.runs.iter().filter_map(|run| run.text.as_deref());
        let mut text = String::new();
        for line in benchmarks.chain(runs) {
            text += line;
            text.push('\n');
        }
        text
    }

    /// Why there is no result of a benchmark that the other side has. `None`: it is gone.
    #[must_use]
    pub fn not_run(&self, other: &RecordedBenchmark) -> Option<NotRunReason> {
        let target = other.bench_target();
        let runs: Vec<&RecordedRun> = self.runs_of(&target).collect();
        // Of several bench targets, only some may have been measured at the newest commit.
        if runs.is_empty() && self.left_out.contains(&other.identity) {
            return Some(NotRunReason::OtherCommit);
        }
        // Each benchmark of the suite has a result, so this one is no longer in it.
        if runs.is_empty() || runs.iter().any(|run| run.has_whole_suite) {
            return None;
        }
        if lacks_part(&runs) {
            return Some(NotRunReason::MissingPart);
        }
        let selects = |run: &&RecordedRun| run.filter().selects(&other.identity.path);
        if !runs.iter().any(selects) {
            return Some(NotRunReason::Filtered);
        }
        // A run that came to its end measured all that it selected.
        let ended = runs.iter().all(|run| run.run.counts.not_run > 0);
        ended.then_some(NotRunReason::RunEnded)
    }

    /// The results with this identity; there may be several, each under other tools.
    pub fn results<'a>(
        &'a self,
        identity: &'a BenchmarkIdentity,
    ) -> impl Iterator<Item = &'a RecordedBenchmark> {
        let begin = self
            .benchmarks
            .partition_point(|benchmark| benchmark.identity < *identity);
        let results = self.benchmarks[begin..].iter();
        results.take_while(move |benchmark| benchmark.identity == *identity)
    }

    fn runs_of<'a>(
        &'a self,
        target: &'a BenchTargetKey<'_>,
    ) -> impl Iterator<Item = &'a RecordedRun> + 'a {
        let begin = self
            .runs
            .partition_point(|run| run.bench_target() < *target);
        let runs = self.runs[begin..].iter();
        runs.take_while(|run| run.bench_target() == *target)
    }
}

/// The most inputs and benchmarks that an error or note names.
const MOST_NAMED: usize = 5;

/// The order does not depend on that of the inputs: equal results are kept once, the newest of
/// them.
fn sort(set: &mut RecordSet) {
    set.benchmarks.sort_by(|a, b| {
        let key = a.identity.cmp(&b.identity);
        key.then_with(|| b.started_at.cmp(&a.started_at))
            .then_with(|| a.text.cmp(&b.text))
    });
    set.runs.sort_by(|a, b| {
        let part = |run: &RecordedRun| run.run.partition.as_ref().map(|partition| partition.part);
        let key = a.bench_target().cmp(&b.bench_target());
        key.then_with(|| part(a).cmp(&part(b)))
            .then_with(|| a.run.started_at.cmp(&b.run.started_at))
            .then_with(|| a.text.cmp(&b.text))
    });
    // Two arguments may name one file, or a directory above it.
    set.runs.dedup_by(|a, b| a.run == b.run);
}

/// Is a result there already?
enum Doubled {
    Not,
    Equal,
    /// Index of the one with other counts.
    Different(usize),
}

impl Doubled {
    fn of(benchmark: &RecordedBenchmark, kept: &[&RecordedBenchmark]) -> Self {
        let mut is_new = kept.is_empty();
        for tool in &benchmark.tools {
            let mut others = kept.iter().enumerate();
            match others.find_map(|(index, kept)| Some((index, kept.tool(tool.tool)?))) {
                None => is_new = true,
                Some((index, other)) if !tool.has_counts_of(other) => {
                    return Self::Different(index)
                }
                Some(_) => {}
            }
        }
        // What one tool found and the failure of another one are parts of one result.
        is_new |= benchmark.failures.iter().any(|failure| {
            let is_told = |kept: &&RecordedBenchmark| {
                let mut tools = kept.failures.iter().map(|failure| failure.tool);
                tools.any(|tool| tool == failure.tool)
                    || failure.tool.is_none_or(|tool| kept.tool(tool).is_some())
            };
            !kept.iter().any(is_told)
        });
        // By tool and reason: messages may have paths of a machine in them.
        let failures = |side: &RecordedBenchmark| {
            let failures = side.failures.iter();
            failures
                .map(|failure| (failure.tool, failure.reason))
                .collect::<Vec<_>>()
        };
        if !is_new {
            let differs = |kept: &&RecordedBenchmark| failures(kept) != failures(benchmark);
            if let Some(index) = kept.iter().position(differs) {
                return Self::Different(index);
            }
        }
        if is_new {
            Self::Not
        } else {
            Self::Equal
        }
    }
}

fn contradiction(set: &RecordSet, one: &RecordedBenchmark, other: &RecordedBenchmark) -> String {
    let mut differing: Vec<Discrepancy> = Vec::new();
    for new in &one.tools {
        let Some(old) = other.tool(new.tool) else {
            continue;
        };
        for discrepancy in discrepancies(&old.circumstances, &new.circumstances) {
            if !differing.contains(&discrepancy) {
                differing.push(discrepancy);
            }
        }
    }
    let differing = differing
        .iter()
        .map(|it| format!(" ({}: {} | {})", it.fact.name(), it.old, it.new));
    format!(
        "{} has different counts in `{}` and `{}`: not deterministic, or machines that are not comparable{}",
        one.identity,
        set.input(other.read_from),
        set.input(one.read_from),
        differing.collect::<String>()
    )
}

fn nothing(arguments: &[String]) -> String {
    let places = arguments.iter().map(|argument| format!("`{argument}`"));
    let places = places.collect::<Vec<_>>().join(", ");
    match arguments {
        [argument] if argument.starts_with('@') => {
            let name = &argument[1..];
            format!("no results in {places}; run `cargo bench -- --save-baseline={name}` first")
        }
        _ => format!("no results in {places}; run `cargo bench` first"),
    }
}

fn short(commit: Option<&str>) -> String {
    commit.map_or_else(|| "no commit".to_owned(), short_commit)
}
