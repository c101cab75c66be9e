//! Files to figures: the files of a tool, for this run and for the one with which it is compared,
//! as metrics of each process, thread and part. `metrics::readers` reads each file; here are the
//! files of a job, and the checks of what is in them.
//!
//! `read` takes a run that has ended and hands over everything that is known about it, as one
//! value; `previous` does the same for the result that it is compared with. Both say why where
//! there is nothing. Nothing is written here before `ToolFiles::kept`, which comes last.
//!
//! The checks of a new result, in their order: how the process ended (`ending.rs`), whether the
//! files are whole (`whole.rs`), whether the figures are those of the function (`proof.rs`),
//! whether there are any (`nothing_counted.rs`), whether the heap was seen (`heap_seen.rs`).

mod ending;
mod family;
mod heap_seen;
mod inputs;
mod kept_files;
mod notes;
mod nothing_counted;
mod outside;
mod perf;
mod previous;
mod proof;
mod realloc;
mod selection;
mod slow_setup;
mod tool_files;
mod whole;

pub(crate) use self::previous::{previous, OldResults};
pub(crate) use self::tool_files::ToolFiles;
use std::time::Duration;

use iai_callgrind::protocol::Throughput;

use crate::execute::{FailedJob, FinishedRun, FoundErrors, JobFailure, JobRunner, ProcessEnd};
use crate::plan::{tunables, Instrumentation, Job};
use crate::settings::Baseline;
use base::entry_functions::EntryFunctions;
use base::tool::Tool;
use metrics::readers::Selection;
use metrics::{CounterSet, MeasuredProcess, Metrics};
use records::layout::BenchmarkEntry;
use records::summary::Environment;

/// The result of a run, found whole and proven.
pub(crate) struct NewResults<'a> {
    /// The benchmark measured regions of itself, and only they count.
    pub(crate) regions: bool,
    /// The part of the files that counts.
    pub(crate) selection: Selection<'a>,
    /// The metrics of everything together.
    pub(crate) metrics: Metrics,
    /// Amounts that the benchmark handled, if they are known.
    pub(crate) throughput: Option<Throughput>,
    /// The counters of each process, thread and part, in the order of the files.
    pub(crate) sets: Vec<CounterSet>,
    /// Counters by process; empty under perf, which only knows the whole.
    pub(crate) processes: Vec<MeasuredProcess>,
    /// The facts of the tool that figures depend on, which go to the comparison.
    pub(crate) environment: Environment,
    /// Errors that the tool found, one for each log with errors in it.
    pub(crate) errors: Vec<FoundErrors>,
    /// Notes about how the count began and ended. They come before those about the old result.
    pub(crate) notes: Vec<String>,
    /// Notes about the parts that figures contain or lack. They come after those about the old
    /// result.
    pub(crate) notes_on_figures: Vec<String>,
    /// Notes that hold for all benchmarks alike, most often: about events that cannot be counted
    /// here.
    pub(crate) circumstances: Vec<String>,
    /// Notes on calls that Valgrind does not know, which `--strict` makes failures of.
    pub(crate) unknown_calls: Vec<String>,
    /// The files, which still hold all that the tool wrote.
    pub(crate) files: ToolFiles,
}

/// Reads the result of a run that has ended.
///
/// The order decides which of several failures is reported: an unexpected end explains what the
/// files lack, and an incomplete file explains what the figures lack.
///
/// # Errors
///
/// There is no result, or it is not that of the benchmark.
pub(crate) fn read<'a>(
    job: &'a Job,
    run: &FinishedRun,
    entry: &BenchmarkEntry,
    baseline: &Baseline,
    runner: &JobRunner<'_>,
) -> Result<NewResults<'a>, FailedJob> {
    let ended = &run.ended;
    let failed = |failure| ended.failed(failure);
    let regions = ended.how == ProcessEnd::ReturnedWithRegions;
    let mut selection = selection::of(job, regions);
    // The arguments of a kept result are not known: `--combine-dumps=yes` may be among them.
    selection.combined |= !baseline.run;
    let mut files = ToolFiles::read(job, run, selection)?;
    ending::check(job, ended, &files).map_err(failed)?;
    files.check_whole(job).map_err(failed)?;
    let mut notes = Vec::new();
    // A kept result was proven when it was made.
    if baseline.run {
        notes.extend(files.check_proof(job, regions).map_err(failed)?);
    }
    let sets = files.sets(job.tool);
    let mut metrics = Metrics::of_sets(job.tool, &sets)?;
    metrics.alpha = job.backend.perf().map(|perf| perf.alpha);
    if metrics.is_zero() {
        notes.extend(nothing_counted::check(job, regions).map_err(failed)?);
    }
    // A kept result has passed these checks, one of which runs the benchmark again.
    if baseline.run {
        heap_seen::check(job, &sets).map_err(failed)?;
        notes.extend(realloc::notes(job, files.out_of_root(), selection, runner)?);
    }
    Ok(NewResults {
        regions,
        selection,
        metrics,
        throughput: None,
        processes: files.processes(job.tool),
        environment: environment(job, regions, &files, &sets),
        errors: files.errors(job, entry, &baseline.write),
        notes,
        notes_on_figures: files.notes(job),
        circumstances: circumstances(job, ended.cpu, &files, &sets),
        unknown_calls: files
            .unknown_calls()
            .into_iter()
            .map(notes::note_on_unknown_call)
            .collect(),
        sets,
        files,
    })
}

/// Reads the metrics of another run of a job that was found whole.
///
/// # Errors
///
/// There is no result.
pub(crate) fn read_again(
    job: &Job,
    run: &FinishedRun,
    selection: Selection<'_>,
) -> Result<Metrics, JobFailure> {
    let mut files = ToolFiles::read(job, run, selection)?;
    files.check_whole(job)?;
    Ok(Metrics::of_sets(job.tool, &files.sets(job.tool))?)
}

fn circumstances(
    job: &Job,
    cpu: Option<Duration>,
    files: &ToolFiles,
    sets: &[CounterSet],
) -> Vec<String> {
    let mut notes = files.uncounted_events();
    notes.extend(files.lost_in_children(job));
    notes.extend(heap_seen::doubt(job));
    notes.extend(slow_setup::hint(job, cpu, sets));
    notes
}

/// The facts of the tool as far as its files tell them; the marks of its code are not among them.
fn environment(job: &Job, regions: bool, files: &ToolFiles, sets: &[CounterSet]) -> Environment {
    Environment {
        valgrind_version: files.root().and_then(|log| log.version.clone()),
        valgrind_args: job.args.recorded(),
        deterministic_random: Some(job.deterministic_random),
        fast_setup: (job.tool == Tool::Callgrind)
            .then_some(job.args.instrumentation == Instrumentation::Function),
        caches: sets
            .first()
            .map(|set| set.caches.clone())
            .unwrap_or_default(),
        glibc_tunables: tunables(&job.environment),
        counted_part: Some(counted_part(job, regions)),
        unknown_calls: files
            .unknown_calls()
            .into_iter()
            .filter(|call| call.is_refused())
            .map(|call| call.to_string())
            .collect(),
        code: None,
        fingerprint: None,
    }
}

/// The part of the benchmark that counts, in words.
fn counted_part(job: &Job, regions: bool) -> String {
    let EntryFunctions { measured, patterns } = &job.args.entry;
    if regions {
        return "regions of the benchmark".to_owned();
    }
    let function = measured.then(|| "the benchmark function".to_owned());
    let patterns = patterns.iter().map(|pattern| format!("`{pattern}`"));
    let parts: Vec<String> = function.into_iter().chain(patterns).collect();
    match parts.is_empty() {
        true => "all functions".to_owned(),
        false => parts.join(", "),
    }
}
