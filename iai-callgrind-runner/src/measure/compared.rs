//! Comparison of the new result with the old one: differences, exceeded limits, and notes.
//!
//! In: both results and their circumstances. Out: the comparison of a tool with all notes. With `--strict`,
//! requested results that are missing are a failure instead of a note.

use std::mem;

use iai_callgrind::protocol::EventKind;

use super::Surroundings;
use crate::compare::{self, Circumstances, Comparable, MetricsComparison, ToolResult};
use crate::determinism;
use crate::execute::{EndedProcess, FailedJob, JobFailure};
use crate::flamegraph::DrawnFlamegraphs;
use crate::metrics::MetricKind;
use crate::plan::Job;
use crate::results::{NewResults, OldResults};
use crate::store::Slot;
use crate::summary::{is_same, Environment, Mode, RecordedLimit};
use crate::tool::{self, Execution};

/// Note on a job that was to be forked, but was not.
const NOT_FORKED: &str =
    "measured in a process of its own, since a server was lost twice or could \
    not be made ready; IAI_CALLGRIND_LOG=debug says why";

/// Comparison of the new result with the old one.
pub(super) struct Compared {
    pub(super) result: ToolResult,
    /// Limits that were checked.
    pub(super) limits: Vec<RecordedLimit>,
    /// Notes that hold for all benchmarks alike, most often.
    pub(super) circumstances: Vec<String>,
    /// Requested results that are missing: a failure with `--strict`, else notes.
    pub(super) missing: Vec<String>,
    /// The facts of the tool that the new figures depend on.
    pub(super) environment: Environment,
    /// Both results are of the same executable under the same circumstances.
    is_same: bool,
}

impl Compared {
    /// Compares a new result, which was made in this mode, with the old one.
    pub(super) fn new(
        job: &Job,
        around: &Surroundings<'_>,
        mode: Mode,
        new: &mut NewResults<'_>,
        old: &OldResults,
        executable: Option<u64>,
    ) -> Self {
        let baseline = around.baseline;
        let (environment, made) = made_with(job, around, mode, new, executable);
        let comparable = Comparable::new(old.circumstances.as_ref(), &made, job.tool);
        let mut circumstances = comparable.texts(&baseline.compare.to_string(), job.tool);
        let mut missing = old.missing.clone();
        // `--strict` makes failures of differences in the circumstances, so these are moved before the
        // other notes join them.
        if baseline.strict {
            missing.append(&mut circumstances);
        }
        if baseline.run && job.mode == Mode::Fork && mode == Mode::Direct {
            circumstances.push(NOT_FORKED.to_owned());
        }
        circumstances.extend(new.circumstances.iter().cloned());
        let (result, limits) = result(job, &baseline.compare, new, old, &comparable);
        let made = old.made.as_ref();
        let is_same =
            made.is_some_and(|(old, theirs)| is_same((*old, theirs), (mode, &environment)));
        circumstances.extend(other_time_unit(&result, &baseline.compare));
        Self {
            result,
            limits,
            circumstances,
            missing,
            environment,
            // Native counts differ from run to run anyway.
            is_same: is_same && tool::row(job.tool).execution == Execution::Simulated,
        }
    }

    /// Doubts a change where the same executable ran under the same circumstances.
    pub(super) fn doubt(
        &mut self,
        job: &Job,
        ended: &EndedProcess,
        new: &NewResults<'_>,
        around: &Surroundings<'_>,
    ) -> Result<(), FailedJob> {
        if !self.is_same {
            return Ok(());
        }
        let how = around.baseline.run.then_some(&ended.how);
        let doubted = determinism::doubt(&mut self.result, job, how, new, around.runner);
        doubted.map_err(|failure| ended.failed(failure))
    }

    /// Adds the notes of flamegraphs and limits, after which `missing` is complete.
    pub(super) fn complete(&mut self, job: &Job, strict: bool, drawn: &mut DrawnFlamegraphs) {
        self.result.notes.append(&mut drawn.notes);
        let total = &self.result.total;
        let mut uncollected: Vec<String> = uncollected(job, total)
            .into_iter()
            .chain(without_allocations(job, total))
            .collect();
        uncollected.append(&mut drawn.uncollected);
        if strict {
            self.missing.extend(uncollected);
        } else {
            self.circumstances.append(&mut self.missing);
            self.result.notes.extend(uncollected);
        }
    }

    /// Failure where a requested result is missing under `--strict`.
    pub(super) fn strict(&self) -> Option<JobFailure> {
        (!self.missing.is_empty()).then(|| JobFailure::Strict(self.missing.join("\n  and ")))
    }
}

/// Facts and circumstances of the new result: for its record, and to be compared.
fn made_with(
    job: &Job,
    around: &Surroundings<'_>,
    mode: Mode,
    new: &mut NewResults<'_>,
    executable: Option<u64>,
) -> (Environment, Circumstances) {
    let Surroundings {
        baseline,
        entry,
        context,
        records,
        ..
    } = around;
    if baseline.run {
        let environment = Environment {
            fingerprint: determinism::fingerprint(job, context, executable),
            ..mem::take(&mut new.environment)
        };
        let made = Circumstances::of(&context.system, &context.files, &environment, mode);
        return (environment, made);
    }
    // A kept result has the facts of the time when it was made.
    let kept = records.of_tool(entry, &baseline.write, job.tool);
    match kept.ok().flatten() {
        None => (mem::take(&mut new.environment), Circumstances::default()),
        Some(kept) => (kept.made().1, kept.circumstances()),
    }
}

/// The comparison, and the limits that were checked.
fn result(
    job: &Job,
    old_slot: &Slot,
    new: &NewResults<'_>,
    old: &OldResults,
    comparable: &Comparable,
) -> (ToolResult, Vec<RecordedLimit>) {
    let mut total = compare::compare(&new.metrics, old.metrics.as_ref());
    let of_events = compare::event_limits(&job.event_limits, &total);
    let soft = [job.soft_limits.as_slice(), &of_events.soft].concat();
    let hard = [job.hard_limits.as_slice(), &of_events.hard].concat();
    let exceeded = compare::check(&total, &total.limits_per_unit(soft.clone()), &hard);
    let other_amount = total.other_amount();
    let (regressions, not_judged) = comparable.judge(exceeded);
    let format = match &job.format {
        Some(format) => format.clone(),
        None => compare::in_order_of_files(&mut total, &new.sets).into(),
    };
    let result = ToolResult {
        tool: job.tool,
        format,
        regressions,
        unmet: Vec::new(),
        parts: Vec::new(),
        details: Vec::new(),
        explanation: None,
        heap_sites: None,
        total,
        notes: [&new.notes, &old.notes, &new.notes_on_figures, &not_judged]
            .into_iter()
            .flatten()
            .cloned()
            .chain(other_amount.map(|amount| amount.note(&old_slot.to_string())))
            .collect(),
    };
    (result, RecordedLimit::all(&soft, &hard))
}

/// Note on times that are shown, but not compared.
fn other_time_unit(result: &ToolResult, old: &Slot) -> Option<String> {
    let (theirs, ours) = (
        result.total.other_time_unit.as_ref()?,
        result.total.time_unit.as_ref()?,
    );
    let is_shown = result.format.iter().any(|kind| kind.is_time());
    is_shown.then(|| format!("{old} counted times in {theirs}, this one in {ours}"))
}

/// Conditions under which calls of the allocator are known.
const NO_ALLOCATIONS: &str = "\n  hint: Callgrind counts allocations by what it keeps to explain results, so there are none with \
     `--dump-instr=no`, with `ExplainConfig::enabled(false)`, where `measure` chooses what counts, and where a global allocator that \
     does not take each block from `malloc` was inlined or the executable does not tell (`debug = true` in its profile may help); \
     of such an allocator there are no frees";

/// Note on allocations that are asked for, but were not counted. Whoever asks for all metrics gets those that there are.
fn without_allocations(job: &Job, total: &MetricsComparison) -> Option<String> {
    let asked = job.format.as_deref().unwrap_or_default();
    if asked.len() == MetricKind::all(job.tool).len() {
        return None;
    }
    let allocations = asked.iter().copied().filter(|kind| is_of_allocator(*kind));
    // Limits have a note of their own.
    let allocations = allocations.filter(|kind| !limited(job).any(|limited| limited == *kind));
    let missing = total.uncollected(allocations);
    let names: Vec<String> = missing.iter().map(MetricKind::to_string).collect();
    (!names.is_empty()).then(|| format!("not collected: {}{NO_ALLOCATIONS}", names.join(", ")))
}

/// The metrics that have limits.
fn limited(job: &Job) -> impl Iterator<Item = MetricKind> + '_ {
    let soft = job.soft_limits.iter().map(|(kind, _)| *kind);
    let limited = soft.chain(job.hard_limits.iter().map(|(kind, _)| *kind));
    // A limit for all benchmarks says nothing about those that handle no such amount; `plan` warns where none does.
    limited.filter(|kind| !kind.is_per_unit())
}

fn is_of_allocator(kind: MetricKind) -> bool {
    [EventKind::Allocations, EventKind::Frees]
        .map(MetricKind::from)
        .contains(&kind)
}

/// Note on limits on metrics that were not collected, which are a mistake: nothing can exceed them.
fn uncollected(job: &Job, total: &MetricsComparison) -> Option<String> {
    let uncollected = total.uncollected(limited(job));
    let mut names: Vec<String> = uncollected.iter().map(MetricKind::to_string).collect();
    names.extend(compare::event_limits(&job.event_limits, total).uncollected);
    let hint = match uncollected.iter().any(|kind| is_of_allocator(*kind)) {
        true => NO_ALLOCATIONS,
        false => "",
    };
    (!names.is_empty()).then(|| {
        format!(
            "limits on metrics that were not collected: {}{hint}",
            names.join(", ")
        )
    })
}
