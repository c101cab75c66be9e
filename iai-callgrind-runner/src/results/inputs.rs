//! The arguments with which kept results were measured: `summary.json` has them, for the files of
//! all tools.

use super::{BenchmarkSlots, OldResults};
use crate::plan::Job;
use crate::settings::Baseline;
use base::benchmark_path::BenchmarkPath;
use records::other_input;
use records::summary::OtherInput;

/// The old result, with a note if it had other arguments than the new one. One whose benchmark was
/// another with the same name is not compared with.
pub(super) fn check(old: OldResults, job: &Job, kept: &BenchmarkSlots<'_>) -> OldResults {
    let baseline = kept.baseline;
    let Some(other) = other(job, kept).filter(|_| old.metrics.is_some()) else {
        return old;
    };
    let note = note(&other, job, baseline);
    let mut checked = match other.compared {
        true => old,
        false => {
            // A baseline was asked for.
            let missing = baseline.missing().filter(|_| baseline.strict);
            let mut none = OldResults::only(old.notes);
            none.missing.extend(missing.map(|_| note.clone()));
            none.record = old.record;
            none
        }
    };
    checked.notes.push(note);
    checked.other_input = Some(other);
    checked
}

/// The difference between the arguments of the new result and those of the old one.
fn other(job: &Job, kept: &BenchmarkSlots<'_>) -> Option<OtherInput> {
    let baseline = kept.baseline;
    let input = |slot| kept.records.input(&kept.entry, slot);
    let old = input(&baseline.compare);
    match baseline.run {
        true => other_input(old.as_ref(), job.input.as_ref()),
        false => other_input(old.as_ref(), input(&baseline.write).as_ref()),
    }
}

/// The note about arguments that differ.
fn note(other: &OtherInput, job: &Job, baseline: &Baseline) -> String {
    let BenchmarkPath { function, id, .. } = &*job.benchmark_path;
    let id = id.as_deref().unwrap_or(function);
    let positional = job.input.as_ref().is_some_and(|input| input.positional);
    other.note(listed(id, positional), &baseline.compare.to_string())
}

/// The word in front of the arguments in the source: `rows` of `rows_1`.
fn listed(id: &str, positional: bool) -> &str {
    match id.rsplit_once('_') {
        Some((list, number)) if positional && number.parse::<u32>().is_ok() => list,
        _ => id,
    }
}

#[cfg(test)]
mod tests {
    use super::listed;

    #[test]
    fn numbers_are_no_part_of_the_name() {
        assert_eq!(listed("rows_1", true), "rows");
        assert_eq!(listed("rows_of_10", true), "rows_of");
        assert_eq!(listed("rows_1", false), "rows_1");
        assert_eq!(listed("rows_large", true), "rows_large");
        assert_eq!(listed("rows", true), "rows");
    }
}
