//! Comparison of each process, thread and part of the new result with that of the old one.

use crate::plan::Job;
use formats::ParseErrorKind;
use metrics::{MeasuredProcess, Metrics};
use records::summary::{OnlyPart, PartName};
use verdict::{self, MetricsComparison, PartResult, ProcessPart};

/// Compares every process, thread and part, new before old; where there is only one in both runs,
/// its names.
///
/// `total`: the comparison of everything together.
pub(super) fn parts(
    job: &Job,
    total: &MetricsComparison,
    [new, old]: [&[MeasuredProcess]; 2],
) -> Result<(Vec<PartResult>, Option<OnlyPart>), ParseErrorKind> {
    let pairs = verdict::pairs(new, old);
    let name = |place: ProcessPart<'_>| part_name(job, &place);
    // A single part would repeat the figures of the total.
    if pairs.len() < 2 {
        let only = pairs.into_iter().next();
        let only = only.and_then(|(new, old)| {
            Some(OnlyPart {
                new: name(new?),
                old: old.map(name),
            })
        });
        return Ok((Vec::new(), only));
    }
    let metrics = |place: &ProcessPart<'_>| Metrics::of_sets(job.tool, [place.set]);
    let mut parts = Vec::new();
    for (new, old) in pairs {
        let of_new = new.as_ref().map(metrics).transpose()?;
        let of_old = old.as_ref().map(metrics).transpose()?;
        parts.push(PartResult {
            comparison: MetricsComparison {
                // Only whole results are judged, and a part is shown like the result that it
                // belongs to.
                by_chance: total.by_chance,
                ..verdict::compare(&of_new.unwrap_or_default(), of_old.as_ref())
            },
            new: new.map(name),
            old: old.map(name),
        });
    }
    Ok((parts, None))
}

fn part_name(job: &Job, place: &ProcessPart<'_>) -> PartName {
    let ProcessPart { process, set } = place;
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
