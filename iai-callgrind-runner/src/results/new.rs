//! The new result: its figures, found whole and proven, its digest, and the conditions under which
//! it was measured.
//!
//! In: a run that has ended, or a kept result that was copied. First everything that may fail
//! ([`ProvenFiles`]), then what follows from it ([`NewResults`]), each value made once.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use iai_callgrind::protocol::{DhatMetric, Throughput};

use super::digest_pair::DigestPair;
use super::marks::{marks, ResultMarks};
use super::moments::HeapMoments;
use super::realloc::GrownElsewhere;
use super::selection;
use super::{
    ending, heap_seen, notes, nothing_counted, realloc, slow_setup, unknown_roots,
    unread_debug_info, BenchmarkSlots, Code, ToolFiles,
};
use crate::execute::{FailedJob, FinishedRun, FoundErrors, JobFailure, JobRunner, ProcessEnd};
use crate::plan::{loader_variables, tunables, Instrumentation, Job, Subject};
use crate::settings::Baseline;
use base::entry_functions::EntryFunctions;
use base::tool::Tool;
use explain::AllocationCount;
use formats::dhat;
use metrics::readers::Selection;
use metrics::{CounterSet, MeasuredProcess, MetricValue, Metrics};
use records::summary::{Environment, Mode, ObjectCosts, Repeated, RunContext};
use records::{Circumstances, KeptRecord, LACKS_BLOCKS};

/// The new result of a job under one tool.
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
    /// Costs by executable and library; empty if they are not known.
    pub(crate) objects: Vec<ObjectCosts>,
    /// Blocks that the benchmark function allocated, where that is known.
    pub(crate) blocks: Option<FunctionBlocks>,
    /// The digest of this result and of the old one, as far as there are any.
    pub(crate) digests: DigestPair,
    pub(crate) conditions: Conditions,
    /// The counts of one more run, if there was one: of a result that is loaded.
    pub(crate) repeated: Option<Repeated>,
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
    /// Notes on calls that Valgrind does not know and on signal handlers that ran, which `--strict`
    /// makes failures of.
    pub(crate) doubts: Vec<String>,
    /// A note on blocks that nobody knows the maker of; a failure with `--strict`.
    pub(crate) unknown_blocks: Option<String>,
    /// The files, which still hold all that the tool wrote.
    pub(crate) files: ToolFiles,
}

/// The conditions under which a result was measured.
pub(crate) struct Conditions {
    /// The facts of the tool that the figures depend on.
    pub(crate) environment: Environment,
    pub(crate) circumstances: Circumstances,
}

/// Facts about blocks of the heap that are not in DHAT's figures.
#[derive(Debug, Default)]
struct UncountedBlocks {
    grown: GrownElsewhere,
    /// A note on blocks that nobody knows the maker of.
    unknown: Option<String>,
}

/// The files of a result, whole and proven, and the counters in them.
pub(super) struct ProvenFiles<'a> {
    /// The benchmark measured regions of itself, and only they count.
    pub(super) regions: bool,
    pub(super) sets: Vec<CounterSet>,
    pub(super) files: ToolFiles,
    selection: Selection<'a>,
    /// The metrics that the tool counted.
    metrics: Metrics,
    /// Notes about how the count began and ended.
    notes: Vec<String>,
    heap: UncountedBlocks,
}

/// Reads the result of a run that has ended.
///
/// # Errors
///
/// There is no result, or it is not that of the benchmark.
pub(crate) fn read<'a>(
    job: &'a Job,
    run: &FinishedRun,
    kept: &BenchmarkSlots<'_>,
    code: Code<'_>,
    runner: &JobRunner<'_>,
) -> Result<NewResults<'a>, FailedJob> {
    let proven = ProvenFiles::read(job, run, kept.baseline, runner)?;
    Ok(NewResults::of(job, run, proven, kept, code))
}

impl<'a> ProvenFiles<'a> {
    /// Reads the files of a run, and finds them whole and proven.
    ///
    /// The order decides which of several failures is reported: an unexpected end explains what the
    /// files lack, and an incomplete file explains what the figures lack.
    fn read(
        job: &'a Job,
        run: &FinishedRun,
        baseline: &Baseline,
        runner: &JobRunner<'_>,
    ) -> Result<Self, FailedJob> {
        let ended = &run.ended;
        let regions = ended.how == ProcessEnd::ReturnedWithRegions;
        let mut selection = selection::of(job, regions);
        // The arguments of a kept result are not known: `--combine-dumps=yes` may be among them.
        selection.combined |= !baseline.run;
        let mut files = ToolFiles::read(job, run, selection)?;
        ending::check(job, ended, &files).map_err(|failure| ended.failed(failure))?;
        let unread = files.unread_program(job);
        let failed = |failure| ended.failed(unread_debug_info::instead_of(failure, &unread));
        files.check_whole(job).map_err(failed)?;
        let mut notes = Vec::new();
        // A kept result was proven when it was made.
        if baseline.run {
            files.check_handlers(job).map_err(failed)?;
            notes.extend(
                files
                    .check_proof(job, regions, ended.at_return.stopped)
                    .map_err(failed)?,
            );
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
        }
        let heap = match baseline.run {
            true => UncountedBlocks::of(job, files.out_of_root(), selection, runner)?,
            false => UncountedBlocks::default(),
        };
        notes.extend(heap.grown.notes());
        Ok(Self {
            heap,
            regions,
            sets,
            files,
            selection,
            metrics,
            notes,
        })
    }
}

impl<'a> NewResults<'a> {
    /// The result in proven files. The record of a kept result has what its files do not tell.
    fn of(
        job: &Job,
        run: &FinishedRun,
        proven: ProvenFiles<'a>,
        kept: &BenchmarkSlots<'_>,
        code: Code<'_>,
    ) -> Self {
        let baseline = kept.baseline;
        let record = match baseline.run {
            true => None,
            false => kept.record(&baseline.write, job.tool),
        };
        let throughput = match baseline.run {
            true => job.throughput,
            false => record.as_ref().and_then(|record| record.throughput),
        };
        let repeated = record.as_ref().and_then(|record| record.result.repeated);
        // Before the metrics, since only the digest knows allocations.
        let digests = DigestPair::new(job, &proven, kept, code);
        let conditions = match record {
            None if baseline.run => Conditions::now(
                job,
                run.ended.mode,
                &proven,
                digests.executable,
                code.context,
            ),
            None => Conditions::of_files(job, &proven),
            Some(record) => Conditions::of_record(record),
        };
        let objects = objects(job, &proven, &digests, code);
        let ProvenFiles {
            regions,
            sets,
            files,
            selection,
            metrics,
            notes,
            heap,
        } = proven;
        let metrics = completed(metrics, job.tool, digests.allocations(regions), throughput);
        let processes = files.processes(job.tool);
        Self {
            blocks: blocks(job, regions, &processes, &metrics, &digests, heap.grown),
            regions,
            selection,
            metrics,
            throughput,
            processes,
            objects,
            digests,
            conditions,
            repeated,
            errors: files.errors(job, &kept.entry, &baseline.write),
            notes,
            notes_on_figures: files.notes(job),
            circumstances: circumstances(job, run.ended.cpu, &files, &sets),
            doubts: doubts(job, &files),
            unknown_blocks: heap.unknown,
            sets,
            files,
        }
    }
}

impl Conditions {
    /// Returns the conditions of a run that has just ended. `state`: the number for the state of
    /// the job's program, if it is known already.
    fn now(
        job: &Job,
        mode: Mode,
        new: &ProvenFiles<'_>,
        state: Option<u64>,
        context: &RunContext,
    ) -> Self {
        let environment = environment(job, new, marks(job, context, new, state));
        Self {
            circumstances: Circumstances::of(&context.system, &context.files, &environment, mode),
            environment,
        }
    }

    /// Returns the conditions of the time when a kept result was made.
    fn of_record(record: KeptRecord) -> Self {
        Self {
            environment: record.environment,
            circumstances: Arc::unwrap_or_clone(record.result.circumstances),
        }
    }

    /// Returns the conditions of a kept result without a record.
    fn of_files(job: &Job, new: &ProvenFiles<'_>) -> Self {
        Self {
            environment: environment(job, new, None),
            circumstances: Circumstances::default(),
        }
    }
}

/// Did Valgrind itself fail when it was to write which signal handlers ran? It reads the stack for
/// that, which a process that has exhausted its stack does not have.
pub(crate) fn failed_at_handler(job: &Job, run: &FinishedRun) -> bool {
    let ended = matches!(run.ended.how, ProcessEnd::Signaled(_));
    ended && job.args.traces_handlers() && {
        let files = ToolFiles::read(job, run, selection::of(job, false));
        files.is_ok_and(|files| files.are_cut_at_handler())
    }
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

/// The metrics with calls of the allocator and with those that follow from an amount.
fn completed(
    mut metrics: Metrics,
    tool: Tool,
    allocations: Option<AllocationCount>,
    throughput: Option<Throughput>,
) -> Metrics {
    if let Some(allocations) = allocations {
        allocations.add_to(&mut metrics);
    }
    if let Some(throughput) = throughput {
        metrics.add_per_unit(tool, throughput);
    }
    metrics
}

/// Costs by executable and library: those that were read from the profile, else those of the
/// digest. With regions only the digest has them, since it divides the costs of functions among
/// their callers.
fn objects(
    job: &Job,
    new: &ProvenFiles<'_>,
    digests: &DigestPair,
    code: Code<'_>,
) -> Vec<ObjectCosts> {
    if job.tool != Tool::Callgrind {
        return Vec::new();
    }
    let places = job.own_places(code.context.target_directory.as_deref());
    let found = match new.regions {
        true => Vec::new(),
        false => ObjectCosts::of_sets(&new.sets, places),
    };
    if !found.is_empty() {
        return found;
    }
    digests
        .of_new()
        .map(ObjectCosts::of_digest)
        .unwrap_or_default()
}

impl UncountedBlocks {
    /// Returns the uncounted blocks of a job under DHAT. `file`: the file of the benchmark's
    /// process.
    fn of(
        job: &Job,
        file: Option<&Path>,
        selection: Selection<'_>,
        runner: &JobRunner<'_>,
    ) -> Result<Self, FailedJob> {
        if job.tool != Tool::Dhat || selection.is_everything() {
            return Ok(Self::default());
        }
        let Some(whole) = file.and_then(|file| dhat::read_file(file).ok().flatten()) else {
            return Ok(Self::default());
        };
        let Subject::Case(case) = &job.target.subject else {
            let unknown = unknown_roots::note(&whole, selection, None)?;
            return Ok(Self {
                unknown,
                ..Self::default()
            });
        };
        let moments = HeapMoments::new(job, runner);
        Ok(Self {
            grown: realloc::grown(&whole, selection, case.tears_down, &moments)?,
            unknown: unknown_roots::note(&whole, selection, Some(&moments))?,
        })
    }
}

/// Blocks that the benchmark function allocated, as a tool counts them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FunctionBlocks {
    /// The number that is shown.
    pub counted: u64,
    /// The same with blocks that grew in the function, and without those that grew after it.
    pub made: u64,
}

/// Blocks that the benchmark function allocated. `None`: they are not known, or more or less than
/// that function counts.
fn blocks(
    job: &Job,
    regions: bool,
    processes: &[MeasuredProcess],
    metrics: &Metrics,
    digests: &DigestPair,
    grown: GrownElsewhere,
) -> Option<FunctionBlocks> {
    let of_function = EntryFunctions {
        measured: true,
        patterns: Vec::new(),
    };
    // Only then do both count the same: the benchmark function, by which DHAT counts, is not on the
    // stacks of other threads, and regions divide the calls that Callgrind counts.
    let is_one = processes.len() == 1 && !regions && !job.args.count_threads;
    if !is_one || job.args.entry != of_function {
        return None;
    }
    let counted = match job.tool {
        Tool::Callgrind => digests.blocks_of_malloc(),
        Tool::Dhat => match metrics.get(DhatMetric::TotalBlocks) {
            Some(MetricValue::Int(blocks)) => Some(blocks),
            _ => None,
        },
        _ => None,
    };
    counted.map(|counted| FunctionBlocks {
        counted,
        made: grown.moved_back(counted),
    })
}

/// Notes on what makes it doubtful that the figures are those of the benchmark.
fn doubts(job: &Job, files: &ToolFiles) -> Vec<String> {
    let unknown = files.unknown_calls().into_iter();
    let unknown = unknown.map(notes::note_on_unknown_call);
    unknown.chain(files.of_handlers(job)).collect()
}

fn circumstances(
    job: &Job,
    cpu: Option<Duration>,
    files: &ToolFiles,
    sets: &[CounterSet],
) -> Vec<String> {
    let mut notes = files.uncounted_events();
    notes.extend(files.unread_program(job).map(unread_debug_info::note));
    notes.extend(files.lost_in_children(job));
    notes.extend(heap_seen::doubt(job));
    notes.extend(slow_setup::hint(job, cpu, sets));
    notes
}

/// The facts of the tool as far as its files tell them, and the marks of its code.
fn environment(job: &Job, new: &ProvenFiles<'_>, marks: Option<ResultMarks>) -> Environment {
    let ProvenFiles { files, sets, .. } = new;
    let (code, fingerprint) = marks.map(|it| (it.code, it.fingerprint)).unzip();
    let is_fast = job.args.instrumentation == Instrumentation::Function;
    Environment {
        valgrind_version: files.root().and_then(|log| log.version.clone()),
        valgrind_args: job.args.recorded(),
        deterministic_random: Some(job.deterministic_random),
        fast_setup: (job.tool == Tool::Callgrind).then_some(is_fast),
        caches: sets
            .first()
            .map(|set| set.caches.clone())
            .unwrap_or_default(),
        glibc_tunables: tunables(&job.environment),
        loader_variables: loader_variables(&job.environment, &job.target),
        counted_part: Some(match sets.iter().any(|set| lacks_blocks(set, is_fast)) {
            true => job.args.entry.counted_part(new.regions) + LACKS_BLOCKS,
            false => job.args.entry.counted_part(new.regions),
        }),
        unknown_calls: files
            .unknown_calls()
            .into_iter()
            .filter(|call| call.is_refused())
            .map(|call| call.to_string())
            .collect(),
        code,
        fingerprint,
    }
}

/// Do the lines of a profile lack blocks of code in which a client request switched collection or
/// set the counters to zero? They do if caches are simulated, and then are not the same as the
/// calls or the head. After counters were set to zero, the head is less, and can be a negative
/// number; it is less as well where instrumentation began with the function.
fn lacks_blocks(set: &CounterSet, is_fast: bool) -> bool {
    let simulates = set.counters.len() > 1;
    let Some(entered) = set.entered.as_ref().filter(|_| simulates) else {
        return false;
    };
    let lines = entered.lines.first();
    let head = entered.summary.first();
    let is_more = head.filter(|head| **head <= i64::MAX as u64) > lines;
    let is_other = !is_fast && head.is_some() && head != lines;
    entered.costs.first() > lines || is_more || is_other || entered.is_left_on()
}
