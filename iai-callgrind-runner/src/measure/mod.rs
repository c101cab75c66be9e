//! One benchmark, from its run to the comparison with the old result, under every tool.
//!
//! The order is what keeps results safe: the new files are written in private directories and read
//! there, and only results that are whole replace the old ones, those of all tools together.
//!
//! ```text
//! Job                  → FinishedRun   files in a private directory      execute/job_runner.rs
//!                      → NewResults    figures, proven, and the digest   results/new.rs
//! kept files           → OldResults    and what of it is missing         results/previous.rs
//! both results         → Compared      differences, exceeded limits      compared.rs, verdict
//!                      → Explained     pictures, reasons, places, parts  explained.rs
//! all of it            → ToolOutcome   and the files that count          outcome.rs
//! of all tools         → Outcome       with the record                   outcome.rs, recorded/
//! files                → their names                                     keep.rs, store::commit
//! ```

mod blocks;
mod compared;
mod determinism;
mod digest_file;
mod explained;
mod flamegraphs;
mod heap;
mod keep;
mod outcome;
mod parts;
pub(crate) mod recorded;
mod timed;
mod without_tool;

use self::compared::Compared;
use self::explained::Explained;
pub use self::outcome::{NewFiles, Outcome, ToolOutcome, ToolOutcomes};
use self::without_tool::WithoutTool;
use crate::execute::{FailedJob, JobRunner};
use crate::plan::{Job, PlannedBenchmark};
use crate::results::{self, BenchmarkSlots, Code};
use crate::settings::Baseline;
use base::tool::Tool;
use records::summary::{Clock, RunContext};
use records::KeptRecords;
use store::TimeBase;
use symbols::Symbolizer;

/// Runs a benchmark under its tools and keeps the results.
///
/// The previous result stays as it was where the benchmark did not end as expected, was not
/// counted, or its new result cannot be kept.
pub(crate) fn measure(
    benchmark: &PlannedBenchmark,
    (baseline, time_base): (&Baseline, Option<&TimeBase>),
    context: &RunContext,
    runner: &JobRunner<'_>,
    symbolizer: &Symbolizer,
) -> Outcome {
    let clock = Clock::start();
    let summary = |ran| recorded::new_summary(benchmark, baseline.names(), ran, context);
    let until_now = || (clock, clock.elapsed_ns());
    // Errors that concern no tool alone are reported under the first one.
    let first = &benchmark.jobs[0];
    let of_first = |error| (first.tool, FailedJob::from(error));
    let of_first_run = |error| (first.tool, FailedJob::from(error));
    let entry = runner.store.entry(&benchmark.path).map_err(of_first);
    let outcome = entry.and_then(|entry| {
        let kept = BenchmarkSlots {
            baseline,
            entry,
            records: KeptRecords::default(),
            time: benchmark.time.as_ref(),
            time_base,
        };
        let code = Code {
            context,
            symbolizer,
        };
        let tools = under_all_tools(benchmark, &kept, code, runner)?;
        let ran = outcome::before(clock, &tools).unwrap_or_else(until_now);
        let time = timed::measure(benchmark, &kept, runner, &tools);
        let mut summary = summary(ran);
        summary.time = time.map_err(of_first_run)?;
        let mut outcome = Outcome::of_tools(summary, kept.entry.name(), tools);
        keep::keep(&mut outcome, first, &kept, runner.store, context.pretty)
            .map_err(|error| (first.tool, error.into()))?;
        Ok(outcome)
    });
    outcome.unwrap_or_else(|(tool, failed)| Outcome::failed(summary(until_now()), tool, failed))
}

/// Outcomes under all tools. `Err`: nothing is kept, and nothing more is run.
fn under_all_tools(
    benchmark: &PlannedBenchmark,
    kept: &BenchmarkSlots<'_>,
    code: Code<'_>,
    runner: &JobRunner<'_>,
) -> Result<ToolOutcomes, (Tool, FailedJob)> {
    let mut tools = Vec::new();
    let mut without_tool = WithoutTool::default();
    for job in &benchmark.jobs {
        match under_tool(job, kept, code, runner) {
            Err(failed) if failed.ends_run() => return Err((job.tool, failed)),
            Err(mut failed) => {
                without_tool.add_to(&mut failed, job, runner);
                tools.push((job.tool, Err(failed)));
            }
            outcome => tools.push((job.tool, outcome)),
        }
    }
    // After the last tool, since the order of tools is the user's.
    blocks::compare(&mut tools, kept.baseline.strict);
    Ok(tools)
}

/// Runs a benchmark under one tool: each line is a stage, and makes its value once.
///
/// The old result is read after the run, since a benchmark that fails needs none.
fn under_tool(
    job: &Job,
    kept: &BenchmarkSlots<'_>,
    code: Code<'_>,
    runner: &JobRunner<'_>,
) -> Result<ToolOutcome, FailedJob> {
    let baseline = kept.baseline;
    let first = runner.run(job)?;
    // To write which handler ran, Valgrind reads the stack, and fails itself where the process has
    // exhausted it. The benchmark may pass all the same, so it runs without this look.
    let untraced = results::failed_at_handler(job, &first).then(|| job.untraced());
    let (job, run) = match &untraced {
        Some(untraced) => (untraced, runner.run_unseen(untraced)?),
        None => (job, first),
    };
    let new = results::read(job, &run, kept, code, runner)?;
    let old = results::previous(job, kept, &new, code.context.label.as_deref())?;
    // Here, since `ToolOutcome::of` takes the digests, and time is measured after the last tool.
    let code_of_sides = timed::code(job, &new, kept, code, runner);
    let compared = Compared::of(job, &run, &new, &old, baseline, runner)?;
    let explained = Explained::of(job, &run, &new, &old, compared, kept, code)?;
    let outcome = ToolOutcome::of(job, run, new, old, explained, baseline)?;
    Ok(ToolOutcome {
        code: code_of_sides,
        ..outcome
    })
}
