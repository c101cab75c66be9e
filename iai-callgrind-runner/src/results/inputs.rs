//! The arguments that kept results were measured with.
//!
//! `summary.json` tells them, for the files of all tools: where the arguments behind a positional id
//! change, the results of tools that did not run are retired with the others, so that none stays that
//! was measured with something else.

use std::fs;
use std::path::Path;

use iai_callgrind::protocol::Input;

use crate::compare::{other_input, OtherInput};
use crate::error::{FileContext, Result};
use crate::identity::Identity;
use crate::plan::{Baseline, Job};
use crate::store::{Entry, NewFile, Slot, SUMMARY_OF_LAST};
use crate::summary::Summary;
use crate::tool::Tool;

/// How the arguments of the new result differ from those of the one that it is compared with.
pub(crate) fn other(job: &Job, entry: &Entry, baseline: &Baseline) -> Option<OtherInput> {
    let old = kept(entry, &baseline.compare);
    match baseline.run {
        true => other_input(old.as_ref(), job.input.as_ref()),
        false => other_input(old.as_ref(), kept(entry, &baseline.write).as_ref()),
    }
}

/// The note about it.
pub(crate) fn note(other: &OtherInput, job: &Job, baseline: &Baseline) -> String {
    let Identity { function, id, .. } = &job.identity;
    let id = id.as_deref().unwrap_or(function);
    let positional = job.input.as_ref().is_some_and(|input| input.positional);
    other.note(listed(id, positional), &baseline.compare.to_string())
}

/// What stands in the source in front of the arguments: `rows` of `rows_1`.
fn listed(id: &str, positional: bool) -> &str {
    match id.rsplit_once('_') {
        Some((list, number)) if positional && number.parse::<u32>().is_ok() => list,
        _ => id,
    }
}

/// The tools whose kept results are replaced when `tools` have new ones.
pub(crate) fn replaced(
    tools: Vec<Tool>,
    job: &Job,
    entry: &Entry,
    baseline: &Baseline,
) -> Vec<Tool> {
    let old = kept(entry, &baseline.write);
    match other_input(old.as_ref(), job.input.as_ref()) {
        Some(other) if !other.compared => Tool::ALL.to_vec(),
        _ => tools,
    }
}

/// What is said about the last run, if `summary.json` is about to be that of a baseline.
pub(crate) fn summary_of_last(
    entry: &Entry,
    baseline: &Baseline,
    work: &Path,
) -> Result<Option<NewFile>> {
    let stays = baseline.run && baseline.write == Slot::Last;
    let about_last = entry.summary(&Slot::Last);
    if stays || Summary::in_file(&about_last, &Slot::Last).is_none() {
        return Ok(None);
    }
    let path = work.join(SUMMARY_OF_LAST);
    fs::copy(&about_last, &path).context("copy", &about_last)?;
    Ok(Some(NewFile {
        path,
        name: SUMMARY_OF_LAST.to_owned(),
    }))
}

fn kept(entry: &Entry, slot: &Slot) -> Option<Input> {
    let input = Summary::kept(entry, slot)?.benchmark.input?;
    Some(Input {
        text: input.text,
        positional: input.positional,
    })
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
