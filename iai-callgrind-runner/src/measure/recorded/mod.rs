//! Benchmarks of the plan, their ends and errors, in the types of the record.

mod failure;

use iai_callgrind::protocol;

pub(crate) use self::failure::{failure, failure_of_setup};
use crate::execute::FoundErrors;
use crate::plan;
use records::summary::{
    Baselines, Benchmark, Clock, Input, Kind, Lost, RunContext, Status, Summary, ToolErrors,
    VERSION,
};

/// A summary without figures: nothing was measured yet, or nothing will be. The clock is that of
/// the begin, and the duration is in nanoseconds.
pub(crate) fn new_summary(
    benchmark: &plan::PlannedBenchmark,
    baselines: Baselines,
    (clock, duration_ns): (Clock, u64),
    context: &RunContext,
) -> Summary {
    Summary {
        version: VERSION,
        status: Status::Ok,
        label: context.label.clone(),
        source: context.source.get(),
        benchmark: named(benchmark, &context.package),
        baselines,
        started_at: clock.started_at(),
        duration_ns,
        profiles: Vec::new(),
        failures: Vec::new(),
        comparisons: Vec::new(),
        growth: Vec::new(),
        time: None,
        directory: String::new(),
        files: context.files.clone(),
        system: context.system.clone(),
    }
}

fn named(benchmark: &plan::PlannedBenchmark, package: &str) -> Benchmark {
    let benchmark_path = &benchmark.path;
    let target = benchmark.jobs.first().map(|job| &job.target);
    Benchmark {
        path: benchmark_path.to_string(),
        kind: match target.map(plan::Target::kind) {
            Some(protocol::Kind::Binary) => Kind::Binary,
            _ => Kind::Library,
        },
        package: package.to_owned(),
        file: benchmark_path.file.clone(),
        group: benchmark_path.group.clone(),
        function: benchmark_path.function.clone(),
        id: benchmark_path.id.clone(),
        args: benchmark.args.clone(),
        input: benchmark
            .jobs
            .first()
            .and_then(|job| job.input.as_ref())
            .map(Input::from),
        command: target.and_then(plan::Target::command_line),
        description: benchmark_path.args.clone(),
        source_file: benchmark.place.file.clone(),
        line: benchmark.place.line,
    }
}

pub(super) fn tool_errors(found: &FoundErrors) -> ToolErrors {
    let lost = found.lost.iter();
    ToolErrors {
        errors: found.errors,
        contexts: found.contexts,
        lost: lost
            .map(|(kind, amount)| Lost {
                kind: kind.clone(),
                bytes: amount.bytes,
                blocks: amount.blocks,
            })
            .collect(),
        lines: found.records.lines.clone(),
        cut: found.records.cut,
        log: found.log.display().to_string(),
    }
}
