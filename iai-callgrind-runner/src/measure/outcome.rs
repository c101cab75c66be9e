//! The outcome of a benchmark, from which the report, the output for other programs and the kept
//! files are made.

use std::sync::Arc;
use std::time::Duration;

use super::explained::Explained;
use super::recorded;
use crate::error::Result as RunResult;
use crate::execute::{FailedJob, FinishedRun, FoundErrors, JobFailure};
use crate::plan::Job;
use crate::results::{FunctionBlocks, NewResults, OldResults};
use crate::settings::Baseline;
use base::tool::Tool;
use explain::RecordedFunctions;
use metrics::Metrics;
use records::layout::FileName;
use records::summary::{
    Clock, Environment, Flamegraph, Mode, ObjectCosts, OnlyPart, OtherInput, Profile,
    RecordedLimit, RecordedThroughput, Regression, Summary, ToolErrors,
};
use store::{NewFile, WorkDirectory};
use time::CodeOfSides;
use verdict::{self, PartResult, ToolResult};

/// The outcome of a benchmark.
#[derive(Debug)]
pub struct Outcome {
    /// The outcome for programs; the report completes it.
    pub summary: Summary,
    /// The outcome under each tool.
    pub tools: ToolOutcomes,
}

/// Outcomes of a benchmark under its tools; `Err`: the tool has none.
pub type ToolOutcomes = Vec<(Tool, Result<ToolOutcome, FailedJob>)>;

/// The outcome of a benchmark under one tool that has new.
#[derive(Debug)]
pub struct ToolOutcome {
    /// The comparison with the old result, and the notes about it.
    pub result: ToolResult,
    /// Limits that were checked, until the summary has them.
    pub limits: Vec<RecordedLimit>,
    /// Each process, thread and part, whether the report shows them or not.
    pub parts: Vec<PartResult>,
    /// Names of the process, thread and part where there are no others.
    pub only_part: Option<OnlyPart>,
    /// The new metrics, for comparisons with later benchmarks of the group.
    pub metrics: Metrics,
    /// Blocks that the benchmark function allocated, as the tool counts them, where Callgrind and
    /// DHAT count those of the same function.
    pub blocks: Option<FunctionBlocks>,
    /// Failure of a benchmark that has figures: errors that the tool found, other counts when it
    /// ran again, or a requested result that is missing under `--strict`.
    pub failure: Option<JobFailure>,
    /// Notes about the conditions of the run. Most often they hold for all benchmarks alike.
    pub circumstances: Vec<String>,
    /// Errors that an error tool found, one for each process with errors.
    pub errors: Vec<ToolErrors>,
    /// Mode of the measurement: a fork or a process of its own.
    pub mode: Mode,
    /// Start and duration of the run in nanoseconds; absent if nothing ran.
    pub ran: Option<(Clock, u64)>,
    /// Processor time of the fork that ran the benchmark.
    pub cpu: Option<Duration>,
    /// Amounts that the benchmark handles, on both sides, if they are configured.
    pub throughput: Option<RecordedThroughput>,
    /// Own costs of the functions, where they are known, until the summary has them.
    pub functions: Option<Arc<RecordedFunctions>>,
    /// Costs by executable and library, where they are known, until the summary has them.
    pub objects: Vec<ObjectCosts>,
    /// The facts of the tool that the figures depend on.
    pub environment: Environment,
    /// The record of the old result, if it has one.
    pub old_record: Option<Arc<str>>,
    /// Difference of the arguments from those of the old result.
    pub other_input: Option<OtherInput>,
    /// Flamegraphs that were drawn.
    pub flamegraphs: Vec<Flamegraph>,
    /// Final names of the files, and their lengths in bytes.
    pub files: Vec<(String, u64)>,
    /// The known facts about the code of both sides, where wall time is measured.
    pub code: CodeOfSides,
    /// Files that are not moved to their places yet.
    pub new_files: Option<NewFiles>,
}

/// Files of a result that is not kept yet.
#[derive(Debug)]
pub struct NewFiles {
    /// The files of the tool.
    pub files: Vec<NewFile>,
    /// Flamegraphs, which are drawn of old results as well.
    pub pictures: Vec<NewFile>,
    /// The directory that holds the files.
    pub directory: WorkDirectory,
}

/// Start and duration of the run of a benchmark that was begun before its turn, at which `turn`
/// starts.
pub(super) fn before(turn: Clock, tools: &ToolOutcomes) -> Option<(Clock, u64)> {
    // Only benchmarks under a single tool begin before their turn.
    let [(_, Ok(tool))] = tools.as_slice() else {
        return None;
    };
    tool.ran.filter(|(begin, _)| begin.is_before(&turn))
}

impl Outcome {
    /// The outcome of a benchmark that has no result under any tool.
    pub(super) fn failed(mut summary: Summary, tool: Tool, failed: FailedJob) -> Self {
        summary.failures.push(for_programs(tool, &failed));
        Self {
            summary: summary.judged(),
            tools: vec![(tool, Err(failed))],
        }
    }

    /// The outcome under all tools.
    pub(super) fn of_tools(
        mut summary: Summary,
        directory: String,
        mut tools: ToolOutcomes,
    ) -> Self {
        summary.directory = directory;
        for (tool, result) in &mut tools {
            match result {
                Ok(outcome) => {
                    summary.profiles.push(outcome.profile());
                    let failure = outcome.failure.as_ref();
                    let failure = failure.map(|failure| recorded::failure(*tool, failure, &[]));
                    summary.failures.extend(failure);
                }
                Err(failed) => summary.failures.push(for_programs(*tool, failed)),
            }
        }
        Self {
            summary: summary.judged(),
            tools,
        }
    }
}

fn for_programs(tool: Tool, failed: &FailedJob) -> records::summary::Failure {
    recorded::failure(tool, &failed.failure, &failed.output)
}

impl ToolOutcome {
    /// The outcome of a job. The new files are reduced to the part that counts, since nobody reads
    /// them any more.
    pub(super) fn of(
        job: &Job,
        run: FinishedRun,
        new: NewResults<'_>,
        old: OldResults,
        explained: Explained,
        baseline: &Baseline,
    ) -> Result<Self, FailedJob> {
        let errors = new.errors.iter().map(recorded::tool_errors).collect();
        let (failure, details) = tool_errors(job, new.errors);
        let shown_parts = match job.show_intermediate {
            true => explained.parts.clone(),
            false => Vec::new(),
        };
        let throughput = RecordedThroughput::of(new.throughput, old.throughput);
        let functions = new.digests.functions();
        // From here on nobody reads the tool's files.
        let mut files = new.files.kept(job, new.selection)?;
        files.extend(explained.files);
        let named = files
            .iter()
            .map(|file| Ok((baseline.write.file(&file.name), file.length()?)));
        Ok(Self {
            result: ToolResult {
                details,
                parts: shown_parts,
                ..explained.result
            },
            limits: explained.limits,
            parts: explained.parts,
            only_part: explained.only_part,
            metrics: new.metrics,
            blocks: new.blocks,
            // Errors in the program come first: other counts and missing results may follow from
            // them.
            failure: failure.or(explained.failure),
            circumstances: explained.circumstances,
            errors,
            mode: run.ended.mode,
            ran: baseline.run.then_some(run.ran),
            cpu: run.ended.cpu,
            objects: new.objects,
            throughput,
            functions,
            environment: new.conditions.environment,
            old_record: old.record,
            other_input: old.other_input,
            flamegraphs: explained.drawn.list,
            files: named.collect::<RunResult<_>>()?,
            code: CodeOfSides::default(),
            new_files: Some(NewFiles {
                files,
                pictures: explained.drawn.files,
                directory: run.directory,
            }),
        })
    }

    /// The outcome for programs, which takes functions, objects and limits.
    #[must_use]
    pub fn profile(&mut self) -> Profile {
        let functions = self.functions.take().map(Arc::unwrap_or_clone);
        let RecordedFunctions { events, functions } = functions.unwrap_or_default();
        let ToolResult {
            tool,
            format,
            total,
            regressions,
            repeated,
            notes,
            explanation,
            heap_sites,
            ..
        } = &self.result;
        let files = self.files.iter();
        let (digests, files): (Vec<_>, Vec<_>) =
            files.partition(|(name, _)| FileName::is_digest(name));
        let (logs, outs): (Vec<_>, Vec<_>) = files
            .into_iter()
            .partition(|(name, _)| FileName::is_log(name));
        let names = |files: &[&(String, u64)]| files.iter().map(|(name, _)| name.clone()).collect();
        let parts = self.parts.iter();
        Profile {
            tool: tool.id().to_owned(),
            mode: self.mode,
            started_at: self.ran.map(|(clock, _)| clock.started_at()),
            duration_ns: self.ran.map(|(_, duration)| duration),
            cpu_ns: self.cpu.and_then(|cpu| u64::try_from(cpu.as_nanos()).ok()),
            metrics: verdict::recorded::metric_rows(total, format),
            parts: parts
                .map(|part| verdict::recorded::part(part, format))
                .collect(),
            only_part: self.only_part.clone(),
            regressions: regressions.iter().map(Regression::from).collect(),
            limits: std::mem::take(&mut self.limits),
            errors: self.errors.clone(),
            by_chance: total.by_chance,
            repeated: *repeated,
            other_input: self.other_input.clone(),
            notes: [notes.as_slice(), &self.circumstances].concat(),
            flamegraphs: self.flamegraphs.clone(),
            explanation: explanation.clone(),
            heap_sites: heap_sites.clone(),
            allocations: verdict::recorded::allocations(total),
            throughput: self.throughput,
            events,
            functions,
            objects: std::mem::take(&mut self.objects),
            digest: digests.first().map(|(name, _)| name.clone()),
            out_files: names(&outs),
            log_files: names(&logs),
            // In the order of both lists, out files first: a length has nothing but its position.
            file_lengths: outs
                .iter()
                .chain(&logs)
                .map(|(_, length)| *length)
                .collect(),
            environment: self.environment.clone(),
        }
    }
}

/// The failure of a benchmark in which the tool found errors. Errors that are figures are details
/// of the result, still worth reading.
fn tool_errors(job: &Job, found: Vec<FoundErrors>) -> (Option<JobFailure>, Vec<String>) {
    if job.args.errors_fail && !found.is_empty() {
        let failure = JobFailure::Errors {
            tool: job.tool,
            found,
        };
        return (Some(failure), Vec::new());
    }
    let lines = found.iter().flat_map(FoundErrors::lines);
    (None, lines.map(str::to_owned).collect())
}
