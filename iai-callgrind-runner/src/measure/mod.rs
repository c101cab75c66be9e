//! One benchmark, from the old result to the new one, under every tool.
//!
//! The order is what keeps results safe: the new files are written in private directories and read
//! there, and only results that are whole replace the old ones, those of all tools together.

use std::fs;
use std::path::Path;

use iai_callgrind::protocol::ExitWith;
use tempfile::TempDir;

use crate::allocator;
use crate::compare::{self, Circumstances, Comparable, PartName, PartResult, Place, ToolResult};
use crate::determinism::{self, First};
use crate::error::{FileContext, Result as RunResult};
use crate::execute::{Ended, EntryFault, Failure, Found, How, Watched};
use crate::flamegraph::{Drawing, Drawn};
use crate::metrics::{CounterSet, Kind, Metrics, Process};
use crate::parse::Reason;
use crate::plan::{self, Baseline, Benchmark, Job};
use crate::results::nothing_counted::{not_entered, nothing_matched, why_nothing};
use crate::results::previous::Previous;
use crate::results::{growth, inputs, Collected, Selection};
use crate::store::{self, Entry, NewFile, Slot, Store};
use crate::summary::{
    self, Clock, Context, Environment, Kept, Measurement, Mode, Profile, Record, Summary,
};
use crate::tool::Tool;

/// A job that was to be forked, but was not.
const NOT_FORKED: &str =
    "measured in a process of its own, since a server was lost twice or could \
    not be made ready; IAI_CALLGRIND_LOG=debug says why";

/// What became of a benchmark.
#[derive(Debug)]
pub struct Finished {
    /// For other programs; the report completes it.
    pub summary: Summary,
    /// One for each tool.
    pub outcomes: Vec<Outcome>,
}

/// What became of a benchmark under one tool.
#[derive(Debug)]
pub struct Outcome {
    /// The tool.
    pub tool: Tool,
    /// Its result, or why there is none.
    pub result: Result<Measured, Failed>,
}

/// A job that has a result.
#[derive(Debug)]
pub struct Measured {
    /// For the report.
    pub result: ToolResult,
    /// The new metrics, for comparisons with later benchmarks of the group.
    pub metrics: Metrics,
    /// Errors that the tool found: there are figures, but the benchmark failed.
    pub errors: Option<Failure>,
    /// What is to be said about the circumstances of the run. Most often it holds for all benchmarks
    /// alike.
    pub circumstances: Vec<String>,
}

/// A job that has none.
#[derive(Debug)]
pub struct Failed {
    /// Why.
    pub failure: Failure,
    /// What the benchmark printed.
    pub output: Vec<u8>,
}

impl<T: Into<Failure>> From<T> for Failed {
    fn from(failure: T) -> Self {
        Self {
            failure: failure.into(),
            output: Vec::new(),
        }
    }
}

/// A result that is not kept yet.
struct New {
    measured: Measured,
    profile: Profile,
    files: Vec<NewFile>,
    /// Flamegraphs, which are drawn of old results as well.
    pictures: Vec<NewFile>,
    /// Holds the files.
    work: TempDir,
}

/// Runs a benchmark under its tools and keeps the results.
///
/// Where it did not end as expected, was not counted, or its result cannot be kept, the previous result
/// stays as it was.
pub fn measure(
    benchmark: &Benchmark,
    baseline: &Baseline,
    context: &Context,
    store: &Store,
    launch: &Watched<'_>,
) -> Finished {
    let clock = Clock::start();
    let summary = || Summary::new(benchmark, baseline.names(), clock, context);
    let only = |tool, failed: Failed| {
        let mut summary = summary();
        summary.failures.push(failed.for_programs(tool));
        Finished {
            summary: summary.judged(),
            outcomes: vec![Outcome {
                tool,
                result: Err(failed),
            }],
        }
    };
    let first = benchmark.jobs[0].tool;
    let entry = match store.entry(&benchmark.identity) {
        Ok(entry) => entry,
        Err(error) => return only(first, error.into()),
    };
    let mut results = Vec::new();
    for job in &benchmark.jobs {
        match under_tool(job, baseline, &entry, context, store, launch) {
            // Nothing is kept, and nothing more is run.
            Err(failed) if failed.ends_run() => return only(job.tool, failed),
            result => results.push((job.tool, result)),
        }
    }
    let summary = summarized(summary(), &entry, &results).judged();
    let record = Record::Benchmark(Box::new(summary));
    let job = &benchmark.jobs[0];
    if let Err(error) = keep(&record, job, baseline, context, &entry, &mut results) {
        return only(first, error.into());
    }
    let Record::Benchmark(summary) = record else {
        unreachable!("it was made above")
    };
    let outcomes = results.into_iter().map(|(tool, result)| Outcome {
        tool,
        result: result.map(|new| new.measured),
    });
    Finished {
        summary: *summary,
        outcomes: outcomes.collect(),
    }
}

/// What the tools found, for programs.
fn summarized(
    mut summary: Summary,
    entry: &Entry,
    results: &[(Tool, Result<New, Failed>)],
) -> Summary {
    summary.directory = entry.name();
    for (tool, result) in results {
        match result {
            Ok(new) => {
                summary.profiles.push(new.profile.clone());
                let errors = new.measured.errors.as_ref();
                let failure = errors.map(|errors| summary::Failure::new(*tool, errors, &[]));
                summary.failures.extend(failure);
            }
            Err(failed) => summary.failures.push(failed.for_programs(*tool)),
        }
    }
    summary
}

impl Failed {
    /// Is there nothing more to run?
    fn ends_run(&self) -> bool {
        matches!(&self.failure, Failure::Run(error) if error.ends_run())
    }

    fn for_programs(&self, tool: Tool) -> summary::Failure {
        summary::Failure::new(tool, &self.failure, &self.output)
    }
}

/// Replaces the results of the last run by those of the tools that have one.
fn keep(
    record: &Record,
    job: &Job,
    baseline: &Baseline,
    context: &Context,
    entry: &Entry,
    results: &mut [(Tool, Result<New, Failed>)],
) -> RunResult<()> {
    let mut tools = Vec::new();
    let mut files = Vec::new();
    let mut pictures = Vec::new();
    let mut work = None;
    for (tool, result) in results {
        if let Ok(new) = result {
            tools.push(*tool);
            files.append(&mut new.files);
            pictures.append(&mut new.pictures);
            work.get_or_insert(new.work.path());
        }
    }
    let Some(work) = work else { return Ok(()) };
    pictures.push(write_summary(record, context.format, work)?);
    pictures.extend(inputs::summary_of_last(entry, baseline, work)?);
    if !baseline.run {
        // The files are those of a baseline, where they stay.
        return entry.replace(&Slot::Last, &[], work, &pictures);
    }
    files.append(&mut pictures);
    let tools = inputs::replaced(tools, job, entry, baseline);
    entry.replace(&baseline.write, &tools, work, &files)
}

/// The result for other programs.
fn write_summary(record: &Record, format: summary::Format, work: &Path) -> RunResult<NewFile> {
    let path = work.join("summary");
    record
        .to_bytes(format)
        .and_then(|json| fs::write(&path, json))
        .context("write", &path)?;
    Ok(NewFile {
        path,
        name: store::SUMMARY.to_owned(),
    })
}

/// Runs a benchmark under one tool.
fn under_tool(
    job: &Job,
    baseline: &Baseline,
    entry: &Entry,
    context: &Context,
    store: &Store,
    launch: &Watched<'_>,
) -> Result<New, Failed> {
    let work = store.work_directory()?;
    let clock = Clock::start();
    let Ended {
        how,
        output,
        mode,
        pid,
        hooks,
    } = launch.launch(job, work.path())?;
    let ran = baseline.run.then(|| (clock, clock.elapsed_ns()));
    if !output.is_empty() {
        let text = String::from_utf8_lossy(&output);
        log::info!("{}: printed under {}:\n{text}", job.identity, job.tool);
    }
    let regions = how == How::ReturnedWithRegions;
    let mut selection = Selection::of(job, regions);
    // Nobody says how a baseline was made.
    selection.combined |= !baseline.run;
    let mut collected = Collected::read(job, work.path(), pid, selection)?;
    let failed = |failure: Failure| Failed {
        failure,
        output: output.clone(),
    };
    if !is_expected(&how, job.exit_with) {
        let failure = unexpected(job, how, collected.fatal(), &output);
        return Err(failed(match hooks.is_empty() {
            true => failure,
            false => Failure::WithHooks {
                failure: Box::new(failure),
                hooks,
            },
        }));
    }
    if !hooks.is_empty() {
        return Err(failed(Failure::Hooks(hooks)));
    }
    if regions && job.args.count_threads {
        return Err(failed(Failure::RegionsOfThreads));
    }
    if regions && job.tool == Tool::Cachegrind && job.target.has_brackets() {
        return Err(failed(Failure::RegionsOfCachegrind));
    }
    collected.check(job).map_err(failed)?;
    let mut notes = Vec::new();
    // What is kept was proven when it was made.
    if baseline.run {
        let proof = collected.prove(job, regions);
        notes.extend(proof.map_err(|fault| {
            failed(match fault {
                EntryFault::NotEntered => Failure::NothingCounted(not_entered(job)),
                fault => Failure::Entry(fault),
            })
        })?);
    }
    let sets = collected.sets(job.tool);
    let mut metrics = Metrics::of_sets(job.tool, &sets)?;
    metrics.alpha = job.perf.as_ref().map(|perf| perf.alpha);
    if metrics.is_zero() {
        let nothing = why_nothing(job, regions);
        if let Some(nothing) = nothing {
            return Err(failed(Failure::NothingCounted(nothing)));
        }
        notes.extend(nothing_matched(job));
    }
    // What was kept was seen when it was made.
    if baseline.run {
        allocator::check(job, &sets).map_err(failed)?;
        let file = collected.out_of_root();
        notes.extend(growth::notes(job, file, selection, store, launch)?);
    }
    let said = notes.len();
    let mut previous = Previous::read(job, entry, &baseline.compare, selection, &mut notes)?;
    let other_input = inputs::other(job, entry, baseline).filter(|_| previous.metrics.is_some());
    let mut missing: Vec<String> = Vec::new();
    if let Some(other) = &other_input {
        let note = inputs::note(other, job, baseline);
        if !other.compared {
            previous = Previous::default();
            // A baseline was asked for.
            missing.extend(
                baseline
                    .missing()
                    .filter(|_| baseline.strict)
                    .map(|_| note.clone()),
            );
        }
        notes.push(note);
    }
    // What is there and cannot be read was said.
    let absent = previous.metrics.is_none() && notes.len() == said;
    missing.extend(baseline.missing().filter(|_| absent));
    let mode = mode.into();
    let (environment, made) = made_with(job, baseline, entry, context, &collected, mode);
    let comparable = Comparable::new(previous.circumstances.as_ref(), &made, job.tool);
    let mut circumstances = Vec::new();
    match baseline.strict {
        true => missing.extend(comparable.texts(&baseline.compare, job.tool)),
        false => circumstances = comparable.texts(&baseline.compare, job.tool),
    }
    if baseline.run && job.mode == plan::Mode::Fork && mode == Mode::Direct {
        circumstances.push(NOT_FORKED.to_owned());
    }
    circumstances.extend(collected.uncounted_events());
    notes.extend(collected.notes(job));
    let mut result = result(job, &metrics, &previous, &comparable, notes);
    let is_same = job.tool != Tool::Perf && previous.is_same(mode, &environment);
    let mut differs = None;
    if baseline.run && job.runs > 1 {
        let first = First {
            how: &how,
            metrics: &metrics,
            selection,
            profiles: &collected.outs(),
        };
        differs = determinism::check(job, &first, store, launch).map_err(failed)?;
    }
    if is_same {
        determinism::doubt(&mut result, job, &collected.outs());
    }
    if job.tool == Tool::Perf {
        in_order_of(&mut result, &sets);
    }
    circumstances.extend(other_time_unit(&result, &baseline.compare));
    let drawing = Drawing {
        job,
        entry,
        baseline,
        regions,
        new: collected.outs(),
        old: previous.files,
    };
    let Drawn {
        files: pictures,
        list: flamegraphs,
        notes: not_drawn,
        uncollected: no_flamegraph,
    } = drawing.draw(work.path())?;
    result.notes.extend(not_drawn);
    let mut uncollected: Vec<String> = uncollected(job, &result.total).into_iter().collect();
    uncollected.extend(no_flamegraph);
    if baseline.strict {
        missing.extend(uncollected);
    } else {
        circumstances.append(&mut missing);
        result.notes.extend(uncollected);
    }
    // Perf knows the whole only.
    let mut parts = match job.tool {
        Tool::Perf => Vec::new(),
        _ => parts(job, &collected.processes(job.tool), &previous.processes)?,
    };
    if result.total.by_chance {
        let comparisons = parts.iter_mut().map(|part| &mut part.comparison);
        comparisons.for_each(|comparison| comparison.by_chance = true);
    }
    collected.sanitize(job, selection)?;
    collected.condense(job)?;
    let found = collected.found(job, entry, &baseline.write);
    let files = collected.files(job);
    let name = |file: &NewFile| baseline.write.file(&file.name);
    let mut profile = Measurement {
        result: &result,
        parts: &parts,
        found: &found,
        circumstances: &circumstances,
        mode,
        ran,
        files: files.iter().map(name).collect(),
        flamegraphs,
        environment,
    }
    .profile();
    profile.other_input = other_input.map(Into::into);
    if job.show_intermediate {
        result.parts = parts;
    }
    let errors = match job.args.errors_fail && !found.is_empty() {
        true => Some(Failure::Errors {
            tool: job.tool,
            found,
        }),
        false => {
            // Errors that are figures are still worth reading.
            let lines = found.iter().flat_map(Found::lines);
            result.details = lines.map(str::to_owned).collect();
            None
        }
    };
    let strict = (!missing.is_empty()).then(|| Failure::Strict(missing.join("\n  and ")));
    Ok(New {
        profile,
        measured: Measured {
            result,
            metrics,
            errors: errors.or(differs).or(strict),
            circumstances,
        },
        files,
        pictures,
        work,
    })
}

/// The failure of a benchmark that did not end as it has to.
fn unexpected(job: &Job, how: How, valgrind: Vec<String>, output: &[u8]) -> Failure {
    let ended = matches!(
        how,
        How::Returned | How::ReturnedWithRegions | How::Exited(_) | How::Signaled(_)
    );
    match job.exit_with {
        expected if ended && expected != ExitWith::Success => Failure::Unexpected {
            how,
            expected,
            valgrind,
            remarks: job.remarks.clone(),
        },
        _ => Failure::Ended {
            how,
            valgrind,
            hint: backtrace_hint(job, output).or_else(|| allocator::hint(job)),
        },
    }
}

/// A panic asks for a variable that benchmarks do not see.
fn backtrace_hint(job: &Job, output: &[u8]) -> Option<String> {
    let note: &[u8] = b"run with `RUST_BACKTRACE=1`";
    let is_told = job.target.command_line().is_none();
    let asks = is_told && output.windows(note.len()).any(|window| window == note);
    asks.then(|| {
        let identity = &job.identity;
        format!(
            "`RUST_BACKTRACE=1 cargo bench --bench {} -- --test --exact {identity}` shows a \
             backtrace; benchmarks that are measured do not see this variable",
            identity.file
        )
    })
}

/// Did the benchmark end as it has to?
fn is_expected(how: &How, expected: ExitWith) -> bool {
    let returned = matches!(how, How::Returned | How::ReturnedWithRegions);
    match (how, expected) {
        (_, ExitWith::Success) => returned,
        (How::Exited(code), ExitWith::Failure) => *code != 0,
        (How::Signaled(_), ExitWith::Failure) => true,
        (How::Exited(code), ExitWith::Code(expected)) => *code == expected,
        (_, ExitWith::Code(0)) => returned,
        (How::Signaled(signal), ExitWith::Signal(expected)) => *signal == expected,
        (How::Signaled(signal), ExitWith::OneOfSignals(expected)) => expected.contains(*signal),
        _ => false,
    }
}

/// What the new result was made with: for the record, and to be compared.
fn made_with(
    job: &Job,
    baseline: &Baseline,
    entry: &Entry,
    context: &Context,
    collected: &Collected,
    mode: Mode,
) -> (Environment, Circumstances) {
    if baseline.run {
        let environment = Environment {
            fingerprint: determinism::fingerprint(job, context),
            ..collected.environment(job)
        };
        let made = Circumstances::of(&context.system, &context.files, &environment, mode);
        return (environment, made);
    }
    // Of the time when it was made.
    let kept = Kept::read(entry, &baseline.write, job.tool).ok().flatten();
    kept.map_or_else(
        || (collected.environment(job), Circumstances::default()),
        |kept| (kept.profile.environment.clone(), kept.circumstances()),
    )
}

fn result(
    job: &Job,
    metrics: &Metrics,
    previous: &Previous,
    comparable: &Comparable,
    mut notes: Vec<String>,
) -> ToolResult {
    let total = compare::compare(metrics, previous.metrics.as_ref());
    let (mut soft, mut hard) = (job.soft_limits.clone(), job.hard_limits.clone());
    if let Some(perf) = &job.perf {
        let found = perf.limits_on(&total);
        (soft, hard) = (found.soft, found.hard);
    }
    let exceeded = compare::check(&total, &soft, &hard);
    let (regressions, not_judged) = comparable.judge(exceeded);
    notes.extend(not_judged);
    ToolResult {
        tool: job.tool,
        format: job.format.clone(),
        regressions,
        parts: Vec::new(),
        details: Vec::new(),
        total,
        notes,
    }
}

/// Times that are shown and not compared.
fn other_time_unit(result: &ToolResult, old: &Slot) -> Option<String> {
    let (theirs, ours) = (
        result.total.other_time_unit.as_ref()?,
        result.total.time_unit.as_ref()?,
    );
    let is_shown = result.format.iter().any(|kind| kind.is_time());
    is_shown.then(|| format!("{old} counted times in {theirs}, this one in {ours}"))
}

/// The metrics of perf in the order in which perf wrote them, then those that only the old run has.
fn in_order_of(result: &mut ToolResult, sets: &[CounterSet]) {
    let place = |kind: Kind| {
        let Kind::Perf(perf) = kind else { return None };
        let of_part = |set: &&CounterSet| set.part == Some(perf.part.into());
        let set = sets.iter().find(of_part)?;
        let same = |(event, _): &(String, _)| event == perf.event.as_str();
        set.figures.iter().position(same)
    };
    result.total.rows.sort_by_key(|row| {
        let Kind::Perf(perf) = row.kind else {
            return (0, 0);
        };
        (perf.part, place(row.kind).unwrap_or(usize::MAX))
    });
    result.format = result.total.rows.iter().map(|row| row.kind).collect();
}

/// Every process, thread and part; nothing if there is only one in both runs.
fn parts(job: &Job, new: &[Process], old: &[Process]) -> Result<Vec<PartResult>, Reason> {
    let pairs = compare::pairs(new, old);
    if pairs.len() < 2 {
        return Ok(Vec::new());
    }
    let metrics = |place: &Place<'_>| Metrics::of_sets(job.tool, [place.set]);
    let mut parts = Vec::new();
    for (new, old) in pairs {
        let of_new = new.as_ref().map(metrics).transpose()?;
        let of_old = old.as_ref().map(metrics).transpose()?;
        parts.push(PartResult {
            comparison: compare::compare(&of_new.unwrap_or_default(), of_old.as_ref()),
            new: new.map(|place| part_name(job, &place)),
            old: old.map(|place| part_name(job, &place)),
        });
    }
    Ok(parts)
}

fn part_name(job: &Job, place: &Place<'_>) -> PartName {
    let Place { process, set } = place;
    let plain = job.plain_command.as_ref();
    let is_plain = plain.is_some_and(|plain| process.command.starts_with(plain));
    let in_workspace = |command: &str| {
        let workspace = format!("{}/", job.target.workspace.display());
        command
            .strip_prefix(&workspace)
            .unwrap_or(command)
            .to_owned()
    };
    PartName {
        pid: process.pid,
        parent_pid: process.parent_pid,
        thread: set.thread,
        part: set.part,
        command: (!is_plain && !process.command.is_empty()).then(|| in_workspace(&process.command)),
        trigger: set.trigger.clone(),
    }
}

/// Limits that nothing can exceed are a mistake.
fn uncollected(job: &Job, total: &compare::Comparison) -> Option<String> {
    let soft = job.soft_limits.iter().map(|(kind, _)| *kind);
    let limited = soft.chain(job.hard_limits.iter().map(|(kind, _)| *kind));
    let uncollected = total.uncollected(limited);
    let mut names: Vec<String> = uncollected.iter().map(Kind::to_string).collect();
    if let Some(perf) = &job.perf {
        names.extend(perf.limits_on(total).uncollected);
    }
    (!names.is_empty()).then(|| {
        format!(
            "limits on metrics that were not collected: {}",
            names.join(", ")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_as_expected_or_not() {
        #[track_caller]
        fn check(expected: ExitWith, how: How, is_fine: bool) {
            assert_eq!(is_expected(&how, expected), is_fine, "{expected:?} {how:?}");
        }
        let signals = ExitWith::Signals([6, 15]);
        for (how, fine) in [
            (How::Returned, &[ExitWith::Success, ExitWith::Code(0)][..]),
            (
                How::ReturnedWithRegions,
                &[ExitWith::Success, ExitWith::Code(0)],
            ),
            (How::Exited(0), &[ExitWith::Code(0)]),
            (How::Exited(3), &[ExitWith::Failure, ExitWith::Code(3)]),
            (
                How::Signaled(6),
                &[ExitWith::Failure, ExitWith::Signal(6), signals],
            ),
            (How::TimedOut(std::time::Duration::ZERO), &[]),
            (How::NotStarted(String::new()), &[]),
        ] {
            for expected in [
                ExitWith::Success,
                ExitWith::Failure,
                ExitWith::Code(0),
                ExitWith::Code(3),
                ExitWith::Code(4),
                ExitWith::Signal(6),
                ExitWith::Signal(9),
                signals,
            ] {
                check(expected, how.clone(), fine.contains(&expected));
            }
        }
    }
}
