//! Wall time of a benchmark beside its counts: the old executable, what is known of the code of
//! both, and the record.

use std::path::Path;

use super::ToolOutcomes;
use crate::error::Result;
use crate::execute::JobRunner;
use crate::plan::{Job, PlannedBenchmark};
use crate::results::{BenchmarkSlots, Code, NewResults};
use base::tool::Tool;
use explain::placement;
use iai_callgrind::protocol::{EventKind, Kind, Throughput};
use metrics::MetricKind;
use records::summary::{RecordedThroughput, RecordedTime};
use store::{OldExecutable, TimedBenchmark};
use symbols::CodeObject;
use time::{CodeOfSides, ExecutableSide, PairedTimes, SideFailure, TimeClass, TimeJudgement};

/// The program of a binary benchmark.
fn program(job: &Job) -> Option<&Path> {
    let is_program = job.target.kind() == Kind::Binary;
    is_program.then_some(&*job.target.program)
}

/// The executable that the new one is compared with, or why there is none.
fn old_executable(job: &Job, kept: &BenchmarkSlots<'_>, runner: &JobRunner<'_>) -> OldExecutable {
    let benchmark = TimedBenchmark {
        entry: &kept.entry,
        records: &kept.records,
        compared: &kept.baseline.compare,
        input: job.input.as_ref(),
        program: program(job),
    };
    runner.store.old_executable(kept.time_base, benchmark)
}

/// Compares the machine code of both sides, as far as Callgrind saw it.
pub(super) fn code(
    job: &Job,
    new: &NewResults<'_>,
    kept: &BenchmarkSlots<'_>,
    code: Code<'_>,
    runner: &JobRunner<'_>,
) -> CodeOfSides {
    let unknown = CodeOfSides::default();
    // Of a program everything is on the clock, whether it is counted or not.
    let is_whole = program(job).is_none() || job.args.entry.is_everything();
    let is_seen = job.tool == Tool::Callgrind && is_whole;
    if kept.time.is_none() || !is_seen {
        return unknown;
    }
    let old = old_executable(job, kept, runner);
    let (Some(digest), Ok(path)) = (new.digests.of_new(), old.path) else {
        return unknown;
    };
    let objects = code
        .symbolizer
        .object(&job.target.program)
        .ok()
        .zip(CodeObject::open(&path).ok());
    let Some((object, old_object)) = objects else {
        return unknown;
    };
    // The digest of the old result is that of the kept executable, and not of another one.
    let old = new
        .digests
        .of_old(kept)
        .filter(|_| kept.time_base.is_none());
    let aligned = || {
        placement::is_aligned(digest, &object)
            && placement::is_aligned(old.unwrap_or(digest), &old_object)
    };
    CodeOfSides {
        same: old.is_some_and(|old| placement::have_same_code(digest, old)),
        aligned: aligned(),
    }
}

/// Measures the wall time of a benchmark, if that is asked for and it has results.
pub(super) fn measure(
    benchmark: &PlannedBenchmark,
    kept: &BenchmarkSlots<'_>,
    runner: &JobRunner<'_>,
    tools: &ToolOutcomes,
) -> Result<Option<RecordedTime>> {
    let job = &benchmark.jobs[0];
    let failed = |(_, outcome): &(Tool, std::result::Result<_, _>)| {
        outcome
            .as_ref()
            .map_or(true, |outcome: &super::ToolOutcome| {
                outcome.failure.is_some()
            })
    };
    let Some(planned) = kept.time else {
        return Ok(None);
    };
    if !kept.baseline.run || tools.iter().any(failed) {
        return Ok(None);
    }
    let counted = tools.iter().find(|(tool, _)| *tool == Tool::Callgrind);
    let counted = counted.and_then(|(_, outcome)| outcome.as_ref().ok());
    // Unchanged code may do other work, such as on other data: only equal counts show that it does
    // not.
    let same_count = counted.is_some_and(|outcome| {
        let row = outcome.result.total.row(MetricKind::from(EventKind::Ir));
        row.is_some_and(|row| row.new.is_some() && row.new == row.old)
    });
    let code = counted.map(|outcome| outcome.code).unwrap_or_default();
    let OldExecutable {
        name: old_name,
        path: old,
    } = old_executable(job, kept, runner);
    // A copy of a script, or of a program by a relative path, would not do what the program does.
    let new_name = match program(job).and_then(store::not_kept) {
        Some(_) => None,
        None => Some(runner.store.keep_executable(&job.target.program)?),
    };
    // The same executable has the same code, whatever of it is known.
    let is_same_file = new_name.is_some() && new_name == old_name;
    let code = CodeOfSides {
        same: (code.same || is_same_file) && same_count,
        ..code
    };
    // The record of the old result is about another executable than that of `--time-base`.
    let of_old = counted.filter(|_| kept.time_base.is_none());
    let of_old = of_old.and_then(|outcome| outcome.throughput?.old);
    let throughput = RecordedThroughput::of(job.throughput, of_old.map(Throughput::from));
    let record = |times: Option<&PairedTimes>, judgement: Option<TimeJudgement>| RecordedTime {
        throughput: throughput.filter(|_| times.is_some()),
        ..RecordedTime::of(
            times,
            judgement,
            planned.limit,
            [new_name.clone(), old_name.clone()],
        )
    };
    if planned.only_changed && code.same && old.is_ok() {
        return Ok(Some(RecordedTime {
            class: TimeClass::Unchanged,
            ..record(None, None)
        }));
    }
    let directory = runner.store.work_directory()?;
    let run = |old: Option<&Path>| {
        runner
            .launch
            .time(job, old, &planned.settings, directory.path())
    };
    let mut reason = old.as_ref().err().map(|reason| (*reason).to_owned());
    let mut measured = run(old.as_deref().ok())?;
    if let Some(Err(failure)) = &measured {
        if failure.side == ExecutableSide::Old {
            reason = Some(match failure.reason.as_str() {
                // Reports recognize this reason by its words.
                RecordedTime::DIFFERENT_INPUT => failure.reason.clone(),
                reason => format!("the old executable cannot be timed: {reason}"),
            });
            measured = run(None)?;
        }
    }
    Ok(match measured {
        None => None,
        Some(Ok(times)) => {
            let judgement = TimeJudgement::of(&times, code, planned.settings.noise);
            let doubt = judgement.doubt.map(|doubt| doubt.word().to_owned());
            Some(RecordedTime {
                reason: reason.or(doubt),
                ..record(Some(&times), Some(judgement))
            })
        }
        Some(Err(SideFailure { reason, .. })) => Some(RecordedTime {
            reason: Some(match program(job) {
                Some(_) => format!("cannot be run again and again: {reason}"),
                None => format!("cannot be called again and again: {reason}"),
            }),
            ..record(None, None)
        }),
    })
}
