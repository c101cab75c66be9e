//! Moves the new files of a benchmark to their places: results of all tools together replace the
//! old ones.
//!
//! `summary.json` has the arguments for the files of all tools: if the arguments of a positional id
//! change, the results of tools that did not run are retired with the others, so that no result
//! stays that was measured with other arguments.

use std::fs;

use super::outcome::{NewFiles, Outcome};
use crate::error::{FileContext, FileResult};
use crate::plan::Job;
use crate::results::BenchmarkSlots;
use base::tool::Tool;
use records::layout::{Slot, SUMMARY, SUMMARY_OF_LAST};
use records::other_input;
use records::summary::Summary;
use store::{NewFile, NewResult, Store, WorkDirectory};

/// Replaces the results of the last run by those of the tools that have one.
pub(super) fn keep(
    outcome: &mut Outcome,
    job: &Job,
    kept: &BenchmarkSlots<'_>,
    store: &Store,
    pretty: bool,
) -> FileResult<()> {
    let BenchmarkSlots {
        baseline, entry, ..
    } = kept;
    let mut tools = Vec::new();
    let mut files = Vec::new();
    let mut pictures = Vec::new();
    // The directories hold the files until these are moved.
    let mut directories = Vec::new();
    for (tool, result) in &mut outcome.tools {
        let new_files = result.as_mut().ok().and_then(|new| new.new_files.take());
        if let Some(new) = new_files {
            let NewFiles {
                files: of_tool,
                pictures: drawn,
                directory,
            } = new;
            tools.push(*tool);
            files.extend(of_tool);
            pictures.extend(drawn);
            directories.push(directory);
        }
    }
    let Some(work) = directories.first() else {
        return Ok(());
    };
    let summary = write_summary(&outcome.summary, pretty, work)?;
    pictures.push(summary);
    // `summary.json` is about a baseline then, and the last result, which stays, needs its record.
    if !baseline.run || baseline.write != Slot::Last {
        pictures.extend(other_records(kept, &Slot::Last, &[], work)?);
    }
    if !baseline.run {
        // The files are those of a baseline, where they stay.
        let result = NewResult {
            slot: &Slot::Last,
            tools: &[],
            work: directories,
            files: &pictures,
        };
        return store.replace(entry, result);
    }
    let tools = replaced(tools, job, kept);
    pictures.extend(other_records(kept, &baseline.write, &tools, work)?);
    files.append(&mut pictures);
    let result = NewResult {
        slot: &baseline.write,
        tools: &tools,
        work: directories,
        files: &files,
    };
    store.replace(entry, result)
}

/// File with the outcome for other programs.
fn write_summary(summary: &Summary, pretty: bool, work: &WorkDirectory) -> FileResult<NewFile> {
    let json = summary.to_bytes(pretty);
    let json = json.context("write", work.path())?;
    let path = work.file("summary");
    fs::write(&path, &json).context("write", &path)?;
    let name = SUMMARY.to_owned();
    Ok(NewFile { path, name })
}

/// The tools whose kept results are replaced when `tools` have new ones.
fn replaced(tools: Vec<Tool>, job: &Job, kept: &BenchmarkSlots<'_>) -> Vec<Tool> {
    let old = kept.records.input(&kept.entry, &kept.baseline.write);
    match other_input(old.as_ref(), job.input.as_ref()) {
        Some(other) if !other.compared => Tool::ALL.to_vec(),
        _ => tools,
    }
}

/// The records of a slot that `summary.json` will not be about, as far as the results of these
/// tools are not replaced.
fn other_records(
    kept: &BenchmarkSlots<'_>,
    slot: &Slot,
    tools: &[Tool],
    work: &WorkDirectory,
) -> FileResult<Option<NewFile>> {
    let lines = kept.records.of_other_tools(&kept.entry, slot, tools);
    if lines.is_empty() {
        return Ok(None);
    }
    let name = slot.file(SUMMARY_OF_LAST);
    let path = work.file(&name);
    fs::write(&path, lines).context("write", &path)?;
    Ok(Some(NewFile { path, name }))
}
