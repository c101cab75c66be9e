//! One benchmark, from its run to the comparison with the old result, under every tool.
//!
//! The order is what keeps results safe: the new files are written in private directories and read
//! there, and only results that are whole replace the old ones, those of all tools together.

mod blocks;
mod compared;
mod digest_file;
mod explained;
mod heap;
mod keep;
mod outcome;
mod parts;
mod throughput;

use std::fs;
use std::path::Path;

use self::compared::{Compared, Sides};
use self::explained::DigestPair;
use self::heap::HeapOutcome;
pub use self::outcome::{NewFiles, Outcome, ToolOutcome, ToolOutcomes};
use crate::compare::ToolResult;
use crate::determinism;
use crate::error::{FileContext, Result as RunResult};
use crate::execute::{EndedProcess, FailedJob, FoundErrors, JobFailure, JobRunner};
use crate::flamegraph::{Drawing, PicturePlace};
use crate::metrics::CounterSet;
use crate::plan::{Job, PlannedBenchmark};
use crate::records::KeptRecords;
use crate::results::{self, NewResults, OldResults};
use crate::settings::Baseline;
use crate::store::{BenchmarkEntry, NewFile, Slot, WorkDirectory};
use crate::summary::{
    Clock, ObjectCosts, OwnPlaces, RecordedThroughput, RunContext, Summary, ToolErrors,
};
use crate::symbolize::Symbolizer;
use crate::tool::Tool;

/// Values that a measurement needs beside the job.
struct Surroundings<'a> {
    baseline: &'a Baseline,
    context: &'a RunContext,
    /// The kept results of the benchmark.
    entry: BenchmarkEntry,
    /// The records beside them.
    records: KeptRecords,
    runner: &'a JobRunner<'a>,
    /// The executables, for what explains the results.
    symbolizer: &'a Symbolizer,
}

impl<'a> Surroundings<'a> {
    /// Place of the flamegraphs of a job.
    fn pictures(&'a self, job: &'a Job, work: &'a Path) -> PicturePlace<'a> {
        PicturePlace {
            job,
            entry: &self.entry,
            baseline: self.baseline,
            work,
        }
    }
}

/// Runs a benchmark under its tools and keeps the results.
///
/// The previous result stays as it was where the benchmark did not end as expected, was not counted, or its
/// new result cannot be kept.
pub fn measure(
    benchmark: &PlannedBenchmark,
    baseline: &Baseline,
    context: &RunContext,
    runner: &JobRunner<'_>,
    symbolizer: &Symbolizer,
) -> Outcome {
    let clock = Clock::start();
    let summary = |ran| Summary::new(benchmark, baseline.names(), ran, context);
    let until_now = || (clock, clock.elapsed_ns());
    let first = &benchmark.jobs[0];
    let of_first = |error| (first.tool, FailedJob::from(error));
    let entry = runner.store.entry(&benchmark.path).map_err(of_first);
    let outcome = entry.and_then(|entry| {
        let around = Surroundings {
            baseline,
            context,
            entry,
            records: KeptRecords::default(),
            runner,
            symbolizer,
        };
        let tools = under_all_tools(benchmark, &around)?;
        let ran = outcome::before(clock, &tools).unwrap_or_else(until_now);
        let mut outcome = Outcome::of_tools(summary(ran), around.entry.name(), tools);
        keep::keep(&mut outcome, first, &around).map_err(of_first)?;
        Ok(outcome)
    });
    outcome.unwrap_or_else(|(tool, failed)| Outcome::failed(summary(until_now()), tool, failed))
}

/// Outcomes under all tools. `Err`: nothing is kept, and nothing more is run.
fn under_all_tools(
    benchmark: &PlannedBenchmark,
    around: &Surroundings<'_>,
) -> Result<ToolOutcomes, (Tool, FailedJob)> {
    let mut tools = Vec::new();
    for job in &benchmark.jobs {
        match under_tool(job, around) {
            Err(failed) if failed.ends_run() => return Err((job.tool, failed)),
            outcome => tools.push((job.tool, outcome)),
        }
    }
    blocks::compare(&mut tools);
    Ok(tools)
}

/// Runs a benchmark under one tool: each line is a stage.
///
/// The old result is read after the run, since a benchmark that fails needs none. The new files are reduced
/// to the part that counts when nobody reads them any more.
fn under_tool(job: &Job, around: &Surroundings<'_>) -> Result<ToolOutcome, FailedJob> {
    let Surroundings {
        baseline,
        entry,
        runner,
        ..
    } = around;
    let run = runner.run(job)?;
    let ran = baseline.run.then_some(run.ran);
    log_output(job, &run.ended);
    let mut new = results::read(job, &run, entry, baseline, runner)?;
    let old = results::previous(job, &around.records, entry, baseline, &new)?;
    let mut digests = DigestPair::new(job, &new, around);
    digests.add_allocations(&mut new);
    let blocks = blocks::counted(job, &new, &digests);
    throughput::add(job, around, &mut new);
    let mode = run.ended.mode;
    let made = compared::made(job, around, mode, &mut new, digests.executable);
    let objects = objects(job, &digests, &new.sets, new.regions, around);
    let sides = Sides {
        new: &new,
        made: &made,
        objects: &objects,
        old: &old,
    };
    let mut compared = Compared::new(job, around, mode, sides);
    let differs = compare_again(job, &run.ended, &new, around)?;
    compared.was_repeated(job, differs.is_some(), baseline.run);
    compared.judge(job, &run.ended, sides, around)?;
    let HeapOutcome {
        mut drawn,
        kept: stacks,
        sites,
    } = draw(job, &new, &old, &digests, around, &run.directory)?;
    compared.complete(job, baseline.strict, &mut drawn);
    let result = &mut compared.result;
    result.heap_sites = sites;
    explained::explain(job, &mut digests, &old, around, result);
    let parts = parts::parts(job, &compared.result.total, &new.processes, &old.processes)?;
    let mut files = new.files.kept(job, new.selection)?;
    let digest = digests.file(job, around, &run.directory)?;
    files.extend(digest.into_iter().chain(stacks));

    let strict = compared.strict();
    let errors = new.errors.iter().map(ToolErrors::from).collect();
    let failure = tool_errors(job, new.errors, &mut compared.result);
    if job.show_intermediate {
        compared.result.parts.clone_from(&parts);
    }
    Ok(ToolOutcome {
        result: compared.result,
        limits: compared.limits,
        parts,
        only_part: parts::only_part(job, &new.processes, &old.processes),
        metrics: new.metrics,
        blocks,
        failure: failure.or(differs).or(strict),
        circumstances: compared.circumstances,
        errors,
        mode: run.ended.mode,
        ran,
        objects,
        throughput: RecordedThroughput::of(new.throughput, old.throughput),
        functions: digests.functions(),
        environment: made.environment,
        old_record: old.record,
        other_input: old.other_input,
        flamegraphs: drawn.list,
        files: names_and_lengths(&files, &baseline.write)?,
        new_files: Some(NewFiles {
            files,
            pictures: drawn.files,
            directory: run.directory,
        }),
    })
}

/// The names that files have in a slot, and their lengths in bytes.
fn names_and_lengths(files: &[NewFile], slot: &Slot) -> RunResult<Vec<(String, u64)>> {
    let of_file = |file: &NewFile| {
        let data = fs::symlink_metadata(&file.path).context("read", &file.path)?;
        Ok((slot.file(&file.name), data.len()))
    };
    files.iter().map(of_file).collect()
}

/// Costs by executable and library. The proof has read the profile, most often; the digest divides those below regions, and a
/// kept one is not read for less.
fn objects(
    job: &Job,
    digests: &DigestPair,
    sets: &[CounterSet],
    regions: bool,
    around: &Surroundings<'_>,
) -> Vec<ObjectCosts> {
    if job.tool != Tool::Callgrind {
        return Vec::new();
    }
    let places = OwnPlaces::of(job, around.context);
    let found = match regions {
        true => Vec::new(),
        false => ObjectCosts::of_sets(sets, places),
    };
    if !found.is_empty() {
        return found;
    }
    digests
        .of_new()
        .map(ObjectCosts::of_digest)
        .unwrap_or_default()
}

fn log_output(job: &Job, ended: &EndedProcess) {
    if !ended.output.is_empty() {
        let text = String::from_utf8_lossy(&ended.output);
        log::info!(
            "{}: printed under {}:\n{text}",
            job.benchmark_path,
            job.tool
        );
    }
}

/// Runs the job again for `--check-determinism`. The failure tells how the counts differ.
fn compare_again(
    job: &Job,
    ended: &EndedProcess,
    new: &NewResults<'_>,
    around: &Surroundings<'_>,
) -> Result<Option<JobFailure>, FailedJob> {
    if !around.baseline.run || job.runs <= 1 {
        return Ok(None);
    }
    let differs = determinism::check(job, &ended.how, new, around.runner);
    differs.map_err(|failure| ended.failed(failure))
}

/// Draws the flamegraphs that the job asks for, into files in `work`. Also what is made of the stacks of DHAT.
fn draw(
    job: &Job,
    new: &NewResults<'_>,
    old: &OldResults,
    digests: &DigestPair,
    around: &Surroundings<'_>,
    work: &WorkDirectory,
) -> RunResult<HeapOutcome> {
    if job.tool == Tool::Dhat {
        return heap::outcome(job, new, old, around, work);
    }
    // What tells stacks apart is in the profile only.
    let uses_digests = job.flamegraph.is_some() && !job.args.separates_stacks();
    let digest = match uses_digests {
        true => digests.of_new(),
        false => None,
    };
    let has_old = digest.is_some() && !old.files.is_empty();
    let drawing = Drawing {
        place: around.pictures(job, work.path()),
        regions: new.regions,
        new: new.files.outs(),
        old: &old.files,
        digest,
        old_digest: match has_old {
            true => digests.of_old(around),
            false => None,
        },
    };
    Ok(HeapOutcome {
        drawn: drawing.draw()?,
        ..HeapOutcome::default()
    })
}

/// Failure of a benchmark in which the tool found errors. Errors that are figures become details of the
/// result, still worth reading.
fn tool_errors(job: &Job, found: Vec<FoundErrors>, result: &mut ToolResult) -> Option<JobFailure> {
    if job.args.errors_fail && !found.is_empty() {
        return Some(JobFailure::Errors {
            tool: job.tool,
            found,
        });
    }
    let lines = found.iter().flat_map(FoundErrors::lines);
    result.details = lines.map(str::to_owned).collect();
    None
}
