//! Comparison of the new result with the old one: differences, exceeded limits, and notes.
//!
//! In: both results and their circumstances. Out: the comparison of a tool with all notes. With `--strict`,
//! requested results that are missing are a failure instead of a note.

use std::mem;
use std::sync::Arc;

use iai_callgrind::protocol::{EventKind, Limit};

use super::Surroundings;
use crate::compare::{self, Circumstances, ExceededLimit, MetricsComparison, Repeated, ToolResult};
use crate::determinism;
use crate::execute::{EndedProcess, FailedJob, JobFailure};
use crate::flamegraph::DrawnFlamegraphs;
use crate::metrics::MetricKind;
use crate::plan::Job;
use crate::results::{NewResults, OldResults};
use crate::store::Slot;
use crate::summary::{Environment, Mode, ObjectCosts, RecordedLimit};
use crate::tool::{self, Execution};
use crate::verdict::{Comparable, JudgedResult, RowClass, SameCode};

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
    soft: Vec<(MetricKind, f64)>,
    hard: Vec<(MetricKind, Limit)>,
    /// The facts that differ.
    comparable: Comparable,
}

/// What a result was made with and of.
pub(super) struct Made {
    /// The facts of the tool that the figures depend on.
    pub(super) environment: Environment,
    circumstances: Circumstances,
    /// The counts of one more run, if there was one: of a result that is loaded.
    repeated: Option<Repeated>,
}

/// Both sides, as far as the judgement depends on them.
#[derive(Clone, Copy)]
pub(super) struct Sides<'a> {
    pub(super) new: &'a NewResults<'a>,
    pub(super) made: &'a Made,
    /// Costs of the new side by executable and library.
    pub(super) objects: &'a [ObjectCosts],
    pub(super) old: &'a OldResults,
}

impl Compared {
    /// Compares a new result, which was made in this mode, with the old one.
    pub(super) fn new(job: &Job, around: &Surroundings<'_>, mode: Mode, sides: Sides<'_>) -> Self {
        let Sides { new, made, old, .. } = sides;
        let baseline = around.baseline;
        let comparable = Comparable::new(old.circumstances.as_ref(), &made.circumstances, job.tool);
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
        let total = compare::compare(&new.metrics, old.metrics.as_ref());
        let of_events = compare::event_limits(&job.event_limits, &total);
        let soft = [job.soft_limits.as_slice(), &of_events.soft].concat();
        let hard = [job.hard_limits.as_slice(), &of_events.hard].concat();
        let result = result(job, &baseline.compare, new, old, total);
        circumstances.extend(other_time_unit(&result, &baseline.compare));
        Self {
            limits: RecordedLimit::all(&soft, &hard),
            soft: result.total.limits_per_unit(soft),
            hard,
            result: ToolResult {
                repeated: made.repeated.filter(|_| !baseline.run),
                ..result
            },
            circumstances,
            missing,
            comparable,
        }
    }

    /// Notes what `--check-determinism` showed.
    pub(super) fn was_repeated(&mut self, job: &Job, differs: bool, ran: bool) {
        if ran && job.runs > 1 {
            self.result.repeated = Some(match differs {
                true => Repeated::Other,
                false => Repeated::Same,
            });
        }
    }

    /// Judges the result. Where the same code exceeds a limit on changes, it runs once more: what is by chance has to prove it.
    pub(super) fn judge(
        &mut self,
        job: &Job,
        ended: &EndedProcess,
        sides: Sides<'_>,
        around: &Surroundings<'_>,
    ) -> Result<(), FailedJob> {
        let new = sides.new;
        let changes = self.result.total.changes();
        let change = changes.iter().find(|change| change.has_both());
        let mut code = self.code(job, sides);
        if let Some(change) = change.filter(|_| code.is_here()) {
            let exceeds = !self.exceeded(SameCode::No, sides).0.is_empty();
            if exceeds && self.result.repeated.is_none() && around.baseline.run {
                let repeated = determinism::repeat(job, &ended.how, new, around.runner);
                let repeated = repeated.map_err(|failure| ended.failed(failure))?;
                self.result.repeated = Some(repeated);
                code = self.code(job, sides);
            }
            let doubt = determinism::Doubt {
                change,
                exceeds,
                code,
            };
            self.result.notes.push(doubt.note(job, new));
            self.result.total.by_chance = code.is_by_chance(exceeds);
        }
        let (judged, not_judged) = self.exceeded(code, sides);
        let hard = compare::check(&self.result.total, &[], &self.hard);
        self.result.regressions = judged.into_iter().chain(hard).collect();
        self.result.not_judged = not_judged;
        Ok(())
    }

    /// What is known of the code of both sides. Native counts differ from run to run anyway.
    fn code(&self, job: &Job, Sides { made, old, .. }: Sides<'_>) -> SameCode {
        match &old.environment {
            Some(environment) if tool::row(job.tool).execution == Execution::Simulated => {
                let marks = [environment.marks(), made.environment.marks()];
                let repeated = self.result.repeated.or(old.repeated);
                SameCode::of(marks, self.comparable.is_elsewhere(), repeated)
            }
            _ => SameCode::No,
        }
    }

    /// The soft limits that are exceeded, and of those that may not be judged.
    fn exceeded(
        &self,
        code: SameCode,
        sides: Sides<'_>,
    ) -> (Vec<ExceededLimit>, Vec<ExceededLimit>) {
        let judged = JudgedResult {
            comparison: &self.result.total,
            soft: &self.soft,
            // They hold whatever else differs.
            hard: &[],
            facts: self.comparable.facts(),
            code,
            objects: [&sides.old.objects, sides.objects],
            floor: 0,
        };
        let mut found = (Vec::new(), Vec::new());
        let mut kinds: Vec<MetricKind> = Vec::new();
        for (kind, _) in &self.soft {
            if kinds.contains(kind) {
                continue;
            }
            kinds.push(*kind);
            let Some(judgement) = judged.metric(*kind, None) else {
                continue;
            };
            match judgement.of_change {
                RowClass::Regressed => found.0.extend(judgement.soft),
                RowClass::NotJudged => found.1.extend(judgement.soft),
                _ => {}
            }
        }
        found
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
pub(super) fn made(
    job: &Job,
    around: &Surroundings<'_>,
    mode: Mode,
    new: &mut NewResults<'_>,
    executable: Option<u64>,
) -> Made {
    let Surroundings {
        baseline,
        entry,
        context,
        records,
        ..
    } = around;
    if baseline.run {
        let marks = determinism::marks(job, context, new, executable);
        let (code, fingerprint) = marks.map(|it| (it.code, it.fingerprint)).unzip();
        let environment = Environment {
            code,
            fingerprint,
            ..mem::take(&mut new.environment)
        };
        return Made {
            circumstances: Circumstances::of(&context.system, &context.files, &environment, mode),
            environment,
            repeated: None,
        };
    }
    // A kept result has the facts of the time when it was made.
    let kept = records.of_tool(entry, &baseline.write, job.tool);
    match kept.ok().flatten() {
        None => Made {
            environment: mem::take(&mut new.environment),
            circumstances: Circumstances::default(),
            repeated: None,
        },
        Some(kept) => Made {
            environment: kept.environment,
            circumstances: Arc::unwrap_or_clone(kept.result.circumstances),
            repeated: kept.result.repeated,
        },
    }
}

/// The comparison, which is not judged yet.
fn result(
    job: &Job,
    old_slot: &Slot,
    new: &NewResults<'_>,
    old: &OldResults,
    mut total: MetricsComparison,
) -> ToolResult {
    let other_amount = total.other_amount();
    let format = match &job.format {
        Some(format) => format.clone(),
        None => compare::in_order_of_files(&mut total, &new.sets).into(),
    };
    ToolResult {
        tool: job.tool,
        format,
        not_compared: old.is_not_compared(),
        regressions: Vec::new(),
        not_judged: Vec::new(),
        repeated: None,
        unmet: Vec::new(),
        parts: Vec::new(),
        details: Vec::new(),
        explanation: None,
        heap_sites: None,
        total,
        notes: [&new.notes, &old.notes, &new.notes_on_figures]
            .into_iter()
            .flatten()
            .cloned()
            .chain(other_amount.map(|amount| amount.note(&old_slot.to_string())))
            .collect(),
    }
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
