//! Comparison of the new result with the old one: differences, exceeded limits, and notes.
//!
//! In: both results and their conditions. Out: the comparison of a tool, judged, with its notes.
//! It collects the requested results that are missing, of which `explained.rs` makes a failure with
//! `--strict`.

use super::determinism;
use crate::execute::{FailedJob, FinishedRun, JobFailure, JobRunner};
use crate::plan::Job;
use crate::results::{NewResults, OldResults};
use crate::settings::Baseline;
use base::tool::{self, Execution};
use metrics::MetricKind;
use records::layout::Slot;
use records::summary::{Mode, RecordedLimit, Repeated};
use verdict::{
    self, Comparable, CountChange, Doubt, JudgedLimits, JudgedResult, MetricsComparison, SameCode,
    ToolResult,
};

/// Note on a job that was to be forked, but was not.
const NOT_FORKED: &str =
    "measured in a process of its own, since a server was lost twice or could \
    not be made ready; IAI_CALLGRIND_LOG=debug says why";

/// The judged comparison of the new result with the old one.
pub(super) struct Compared {
    pub(super) result: ToolResult,
    /// Limits that were checked.
    pub(super) limits: Vec<RecordedLimit>,
    /// Notes that hold for all benchmarks alike, most often.
    pub(super) circumstances: Vec<String>,
    /// Requested results that are missing: a failure with `--strict`, else notes.
    pub(super) missing: Vec<String>,
    /// Difference between the counts of runs, which `--check-determinism` found.
    pub(super) differs: Option<JobFailure>,
}

/// Both sides of a job, as far as the judgement depends on them.
struct Sides<'a> {
    job: &'a Job,
    run: &'a FinishedRun,
    new: &'a NewResults<'a>,
    old: &'a OldResults,
    /// The facts that differ.
    comparable: &'a Comparable,
    soft: &'a [(MetricKind, f64)],
}

/// Result of checking the limits on changes.
struct Judged {
    limits: JudgedLimits,
    /// The counts of one more run, if there was one.
    repeated: Option<Repeated>,
    by_chance: bool,
    /// Note about code that did not change although its counts did.
    note: Option<String>,
}

impl Compared {
    /// Compares the new result of a job with the old one, and judges it.
    pub(super) fn of(
        job: &Job,
        run: &FinishedRun,
        new: &NewResults<'_>,
        old: &OldResults,
        baseline: &Baseline,
        runner: &JobRunner<'_>,
    ) -> Result<Self, FailedJob> {
        // Before the judgement: this run also tells whether a change is by chance, so it is made
        // once.
        let differs = compare_again(job, run, new, baseline, runner)?;
        let was_repeated = match baseline.run && job.runs > 1 {
            true if differs.is_some() => Some(Repeated::Other),
            true => Some(Repeated::Same),
            // A loaded result cannot run again, but its record says what another run counted.
            false => new.repeated.filter(|_| !baseline.run),
        };
        let total = verdict::compare(&new.metrics, old.metrics.as_ref());
        // Limits on events of `perf` are patterns, so it takes the events of both sides to resolve
        // them.
        let of_events = verdict::event_limits(&job.event_limits, &total);
        let soft = [job.soft_limits.as_slice(), &of_events.soft].concat();
        let hard = [job.hard_limits.as_slice(), &of_events.hard].concat();
        let limits = RecordedLimit::all(&soft, &hard);
        let draft = not_judged_yet(job, &baseline.compare, new, old, total);
        let old_circumstances = old.circumstances.as_ref();
        let comparable =
            Comparable::new(old_circumstances, &new.conditions.circumstances, job.tool);
        let sides = Sides {
            job,
            run,
            new,
            old,
            comparable: &comparable,
            soft: &draft.total.limits_per_unit(soft),
        };
        let may_run = baseline.run.then_some(runner);
        let judged = sides.judged(&draft.total, was_repeated, may_run)?;
        let hard = verdict::check(&draft.total, &[], &hard);
        let (circumstances, mut missing) = sides.notes(baseline);
        // A note of its own for each benchmark, since the number of blocks is that of this one.
        let mut unknown_blocks = new.unknown_blocks.clone();
        if baseline.strict {
            missing.extend(unknown_blocks.take());
        }
        let other_time_unit = other_time_unit(&draft, &baseline.compare);
        Ok(Self {
            limits,
            result: ToolResult {
                repeated: judged.repeated,
                regressions: judged.limits.exceeded.into_iter().chain(hard).collect(),
                not_judged: judged.limits.not_judged,
                changed_outside_own_code: judged.limits.changed_outside_own_code,
                notes: draft
                    .notes
                    .into_iter()
                    .chain(unknown_blocks)
                    .chain(judged.note)
                    .collect(),
                total: MetricsComparison {
                    by_chance: judged.by_chance,
                    ..draft.total
                },
                ..draft
            },
            circumstances: circumstances.into_iter().chain(other_time_unit).collect(),
            missing,
            differs,
        })
    }
}

impl Sides<'_> {
    /// Judges the result. If unchanged code exceeds a limit on changes, it runs once more: only
    /// different counts of this run prove that the benchmark is nondeterministic.
    fn judged(
        &self,
        total: &MetricsComparison,
        was_repeated: Option<Repeated>,
        runner: Option<&JobRunner<'_>>,
    ) -> Result<Judged, FailedJob> {
        let changes = total.changes();
        let change = changes.iter().find(|change| change.has_both());
        let code = self.code(was_repeated);
        let Some(change) = change.filter(|_| code.is_here()) else {
            return Ok(self.by_limits(total, code, was_repeated));
        };
        // Would it be a regression if the code had changed?
        let exceeds = !self.limits(total, SameCode::No).exceeded.is_empty();
        let repeated = match runner {
            // Another run takes as long as the first one; only a limit that is at stake is worth
            // it.
            Some(runner) if exceeds && was_repeated.is_none() => {
                let (job, ended) = (self.job, &self.run.ended);
                let repeated = determinism::repeat(job, &ended.how, self.new, runner);
                Some(repeated.map_err(|failure| ended.failed(failure))?)
            }
            _ => was_repeated,
        };
        let code = self.code(repeated);
        Ok(Judged {
            note: Some(self.doubt(change, exceeds, code)),
            by_chance: code.is_by_chance(),
            ..self.by_limits(total, code, repeated)
        })
    }

    fn by_limits(
        &self,
        total: &MetricsComparison,
        code: SameCode,
        repeated: Option<Repeated>,
    ) -> Judged {
        Judged {
            limits: self.limits(total, code),
            repeated,
            by_chance: false,
            note: None,
        }
    }

    fn doubt(&self, change: &CountChange, exceeds: bool, code: SameCode) -> String {
        let doubt = Doubt {
            change,
            exceeds,
            code,
        };
        doubt.note(|| determinism::hint_lines(self.job, self.new))
    }

    /// Whether both sides have the same code. Native counts differ from run to run anyway.
    fn code(&self, repeated: Option<Repeated>) -> SameCode {
        match &self.old.environment {
            Some(old) if tool::row(self.job.tool).execution == Execution::Simulated => {
                let marks = [old.marks(), self.new.conditions.environment.marks()];
                // The repetition of either side will do: the marks tell whether both are of one
                // code.
                let repeated = repeated.or(self.old.repeated);
                SameCode::of(marks, self.comparable.is_elsewhere(), repeated)
            }
            _ => SameCode::No,
        }
    }

    /// The judgements on the soft limits.
    fn limits(&self, total: &MetricsComparison, code: SameCode) -> JudgedLimits {
        JudgedResult {
            comparison: total,
            soft: self.soft,
            // Hard limits apply whatever else differs, so `Compared::of` checks them.
            hard: &[],
            facts: self.comparable.facts(),
            code,
            objects: [&self.old.objects, &self.new.objects],
            floor: 0,
        }
        .limits()
    }

    /// Notes about the conditions, and requested results that are missing. `--strict` makes
    /// failures of differences in the conditions, so these are missing then.
    fn notes(&self, baseline: &Baseline) -> (Vec<String>, Vec<String>) {
        let (job, new) = (self.job, self.new);
        let differing = self
            .comparable
            .texts(&baseline.compare.to_string(), job.tool);
        let mut circumstances = Vec::new();
        let mut missing = self.old.missing.clone();
        let doubts = differing.into_iter().chain(new.doubts.iter().cloned());
        match baseline.strict {
            true => missing.extend(doubts),
            false => circumstances.extend(doubts),
        }
        if baseline.run && job.mode == Mode::Fork && self.run.ended.mode == Mode::Direct {
            circumstances.push(NOT_FORKED.to_owned());
        }
        circumstances.extend(new.circumstances.iter().cloned());
        (circumstances, missing)
    }
}

/// Runs the job again for `--check-determinism`. The failure contains the differences of the
/// counts.
fn compare_again(
    job: &Job,
    run: &FinishedRun,
    new: &NewResults<'_>,
    baseline: &Baseline,
    runner: &JobRunner<'_>,
) -> Result<Option<JobFailure>, FailedJob> {
    if !baseline.run || job.runs <= 1 {
        return Ok(None);
    }
    let differs = determinism::check(job, &run.ended.how, new, runner);
    differs.map_err(|failure| run.ended.failed(failure))
}

/// The comparison, which is not judged yet.
fn not_judged_yet(
    job: &Job,
    old_slot: &Slot,
    new: &NewResults<'_>,
    old: &OldResults,
    mut total: MetricsComparison,
) -> ToolResult {
    let other_amount = total.other_amount();
    let format = match &job.format {
        Some(format) => format.clone(),
        None => verdict::in_order_of_files(&mut total, &new.sets).into(),
    };
    ToolResult {
        tool: job.tool,
        format,
        not_compared: old.is_not_compared(),
        regressions: Vec::new(),
        not_judged: Vec::new(),
        changed_outside_own_code: false,
        repeated: None,
        unmet: Vec::new(),
        parts: Vec::new(),
        details: Vec::new(),
        explanation: None,
        heap_sites: None,
        total,
        // In the order of the report: the run, the old result, the figures.
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
