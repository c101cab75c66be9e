//! The arguments with which kept results were measured: `summary.json` has them, for the files of
//! all tools.

use crate::plan::Job;
use crate::settings::Baseline;
use base::benchmark_path::BenchmarkPath;
use records::layout::BenchmarkEntry;
use records::summary::OtherInput;
use records::{other_input, KeptRecords};

/// The difference between the arguments of the new result and those of the old one.
pub(super) fn other(
    job: &Job,
    records: &KeptRecords,
    entry: &BenchmarkEntry,
    baseline: &Baseline,
) -> Option<OtherInput> {
    let kept = |slot| records.input(entry, slot);
    let old = kept(&baseline.compare);
    match baseline.run {
        true => other_input(old.as_ref(), job.input.as_ref()),
        false => other_input(old.as_ref(), kept(&baseline.write).as_ref()),
    }
}

/// The note about arguments that differ.
pub(super) fn note(other: &OtherInput, job: &Job, baseline: &Baseline) -> String {
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
