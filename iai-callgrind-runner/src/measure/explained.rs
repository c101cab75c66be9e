//! Explains a compared result: flamegraphs, places in the heap, reasons for the change, and the
//! parts. With `--strict`, what is missing of it is a failure instead of a note.

use iai_callgrind::protocol::{EventKind, ToolMetric};

use super::compared::Compared;
use super::flamegraphs::{Drawing, DrawnFlamegraphs, PicturePlace};
use super::heap::{self, HeapOutcome};
use super::{digest_file, parts};
use crate::error::Result as RunResult;
use crate::execute::{FailedJob, FinishedRun, JobFailure};
use crate::plan::{ExplainSettings, Job};
use crate::results::{BenchmarkSlots, Code, DigestPair, NewResults, OldResults};
use base::tool::Tool;
use explain::Explanation;
use metrics::{MetricKind, MetricValue};
use records::summary::{OnlyPart, RecordedLimit};
use store::NewFile;
use verdict::{self, MetricsComparison, PartResult, ToolResult, LEAST_COUNT, LEAST_PERCENT};

/// A comparison with its explanation.
pub(super) struct Explained {
    pub(super) result: ToolResult,
    pub(super) limits: Vec<RecordedLimit>,
    pub(super) circumstances: Vec<String>,
    /// Each process, thread and part, whether the report shows them or not.
    pub(super) parts: Vec<PartResult>,
    /// Names of the process, thread and part where there are no others.
    pub(super) only_part: Option<OnlyPart>,
    pub(super) drawn: DrawnFlamegraphs,
    /// Files that explain later results.
    pub(super) files: Vec<NewFile>,
    /// Other counts in other runs, or a requested result that is missing under `--strict`.
    pub(super) failure: Option<JobFailure>,
}

impl Explained {
    /// Draws pictures, finds places and reasons, and writes the files that later results are
    /// explained with.
    pub(super) fn of(
        job: &Job,
        run: &FinishedRun,
        new: &NewResults<'_>,
        old: &OldResults,
        compared: Compared,
        kept: &BenchmarkSlots<'_>,
        code: Code<'_>,
    ) -> Result<Self, FailedJob> {
        let Compared {
            result,
            limits,
            mut circumstances,
            mut missing,
            differs,
        } = compared;
        let HeapOutcome {
            mut drawn,
            kept: stacks,
            sites,
        } = draw(job, run, new, old, kept, code)?;
        let digest = digest_file::of_new(job, &new.digests, kept.baseline, &run.directory)?;
        let (parts, only_part) =
            parts::parts(job, &result.total, [&new.processes, &old.processes])?;
        let mut notes = std::mem::take(&mut drawn.notes);
        let uncollected = uncollected(job, &result.total)
            .into_iter()
            .chain(without_allocations(job, &result.total))
            .chain(std::mem::take(&mut drawn.uncollected));
        match kept.baseline.strict {
            true => missing.extend(uncollected),
            false => {
                circumstances.append(&mut missing);
                notes.extend(uncollected);
            }
        }
        let (explanation, about_digests) = explanation(job, new, old, kept, &result);
        notes.extend(about_digests);
        let strict = (!missing.is_empty()).then(|| JobFailure::Strict(missing.join("\n  and ")));
        Ok(Self {
            result: ToolResult {
                heap_sites: sites,
                explanation,
                notes: result.notes.into_iter().chain(notes).collect(),
                ..result
            },
            limits,
            circumstances,
            parts,
            only_part,
            drawn,
            files: digest.into_iter().chain(stacks).collect(),
            failure: differs.or(strict),
        })
    }
}

/// Draws the requested flamegraphs into files of the run's directory. For DHAT, also compares its
/// stacks.
fn draw(
    job: &Job,
    run: &FinishedRun,
    new: &NewResults<'_>,
    old: &OldResults,
    kept: &BenchmarkSlots<'_>,
    code: Code<'_>,
) -> RunResult<HeapOutcome> {
    let work = &run.directory;
    if job.tool == Tool::Dhat {
        return heap::outcome(job, new, old, kept, code.symbolizer, work);
    }
    // Digests merge stacks that `--separate-callers` and similar arguments keep apart; the profile
    // has them.
    let uses_digests = job.flamegraph.is_some() && !job.args.separates_stacks();
    let digest = match uses_digests {
        true => new.digests.of_new(),
        false => None,
    };
    // Without old files the results are not comparable, even if there is an old digest.
    let has_old = digest.is_some() && !old.files.is_empty();
    let drawing = Drawing {
        place: PicturePlace::of(job, kept, work.path()),
        regions: new.regions,
        new: new.files.outs(),
        old: &old.files,
        digest,
        old_digest: match has_old {
            true => new.digests.of_old(kept),
            false => None,
        },
    };
    Ok(HeapOutcome {
        drawn: drawing.draw()?,
        ..HeapOutcome::default()
    })
}

/// The explanation of the change, if the job asks for it and there is one, and notes about digests.
fn explanation(
    job: &Job,
    new: &NewResults<'_>,
    old: &OldResults,
    kept: &BenchmarkSlots<'_>,
    result: &ToolResult,
) -> (Option<Box<Explanation>>, Vec<String>) {
    let Some(settings) = job.explain else {
        return (None, Vec::new());
    };
    let mut notes: Vec<String> = new.digests.note.iter().cloned().collect();
    let metric = metric(settings, result).filter(|metric| is_change(*metric, result));
    let metric = metric.filter(|_| old.metrics.is_some() && new.digests.has_new());
    let found = metric.map_or(Ok(None), |metric| {
        by_digests(job, &new.digests, kept, metric)
    });
    let explanation = found.unwrap_or_else(|note| {
        notes.push(note);
        None
    });
    (explanation, notes)
}

/// The change of a metric explained. What stands in the way is a debug line or a note: results do
/// not depend on it.
fn by_digests(
    job: &Job,
    digests: &DigestPair,
    kept: &BenchmarkSlots<'_>,
    metric: EventKind,
) -> Result<Option<Box<Explanation>>, String> {
    let Some((old, new)) = digests.both(kept)? else {
        return Ok(None);
    };
    match explain::explain(old, new, metric) {
        Ok(explanation) => Ok(Some(Box::new(explanation))),
        Err(error) => {
            log::debug!("{}: not explained: {error}", job.benchmark_path);
            Ok(None)
        }
    }
}

/// Conditions under which calls of the allocator are known.
const NO_ALLOCATIONS: &str = "\n  hint: Callgrind counts allocations by what it keeps to explain results, so there are none with \
     `--dump-instr=no`, with `ExplainConfig::enabled(false)`, where `measure` chooses what counts, and where a global allocator that \
     does not take each block from `malloc` was inlined or the executable does not tell (`debug = true` in its profile may help); \
     of such an allocator there are no frees";

/// Note on allocations that are asked for, but were not counted. A request for all metrics means
/// those that exist.
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

/// The metrics that have limits which any benchmark can exceed. A limit for all benchmarks says
/// nothing about those that handle no such amount; `plan` warns where none does.
fn limited(job: &Job) -> impl Iterator<Item = MetricKind> + '_ {
    job.limited().filter(|kind| !kind.is_per_unit())
}

fn is_of_allocator(kind: MetricKind) -> bool {
    [EventKind::Allocations, EventKind::Frees]
        .map(MetricKind::from)
        .contains(&kind)
}

/// Is the limit on this metric one of a whole group, some of which was collected? Groups have
/// metrics that only further options collect, so that is no mistake.
fn is_by_group(job: &Job, kind: MetricKind, total: &MetricsComparison) -> bool {
    let limited: Vec<MetricKind> = job.limited().collect();
    let is_collected = |kind: &MetricKind| total.row(*kind).is_some_and(|row| row.new.is_some());
    MetricKind::groups(job.tool).iter().any(|members| {
        members.contains(&kind)
            && members.iter().all(|member| limited.contains(member))
            && members.iter().any(is_collected)
    })
}

/// Note on limits on metrics that were not collected, which are a mistake: nothing can exceed them.
fn uncollected(job: &Job, total: &MetricsComparison) -> Option<String> {
    let mut uncollected = total.uncollected(limited(job));
    uncollected.retain(|kind| !is_by_group(job, *kind, total));
    let mut names: Vec<String> = uncollected.iter().map(MetricKind::to_string).collect();
    names.extend(verdict::event_limits(&job.event_limits, total).uncollected);
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

/// The metric whose change is explained.
fn metric(settings: ExplainSettings, result: &ToolResult) -> Option<EventKind> {
    if settings.metric.is_some() {
        return settings.metric;
    }
    // The reason for an exceeded limit is more urgent than that of any other change.
    let exceeded = result.regressions.iter().map(|limit| limit.kind());
    let mut kinds = exceeded
        .chain(result.format.iter().copied())
        .filter_map(sum);
    kinds.find(|kind| result.total.row(*kind).is_some())
}

/// The metric, if it is a count whose parts add up, or the count that is divided by an amount.
fn sum(kind: MetricKind) -> Option<EventKind> {
    match kind {
        MetricKind::Tabled(ToolMetric::Callgrind(_)) if kind.is_per_unit() => Some(EventKind::Ir),
        MetricKind::Tabled(ToolMetric::Callgrind(event)) if !kind.is_rate() && !kind.is_time() => {
            Some(event)
        }
        _ => None,
    }
}

/// Is the change worth an explanation?
fn is_change(metric: EventKind, result: &ToolResult) -> bool {
    let mut exceeded = result.regressions.iter();
    if exceeded.any(|limit| limit.kind() == metric.into()) {
        return true;
    }
    let Some(row) = result.total.row(metric) else {
        return false;
    };
    let (Some(new), Some(old)) = (row.new, row.old) else {
        return false;
    };
    let count = MetricValue::minus(new, old).abs();
    let percent = row
        .difference()
        .map_or(0.0, |difference| difference.percent);
    count >= LEAST_COUNT && percent.abs() >= LEAST_PERCENT
}
