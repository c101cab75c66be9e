//! The snapshot of the heap at the end of a benchmark, in the file of Massif.
//!
//! Massif takes its snapshots at times of its own, and the last one may lie a hundred kilobytes of
//! allocations before the end. So the process of a library benchmark asks for one more when it has
//! returned, and tells it to the runner, which adds it to the file: what is kept is whole, and
//! `ms_print` shows it as well.

use std::io::Write;
use std::path::Path;

use super::{name_of_process, EndedProcess};
use crate::error::{FileContext, Result};
use base::tool::ToolFile;
use formats::massif;

/// Adds the snapshot that the process told to its file in the directory. One that is not whole is
/// left out, and the end is unknown then.
pub(super) fn keep(directory: &Path, ended: &EndedProcess) -> Result<()> {
    let snapshot = &ended.at_return.snapshot;
    let Some(pid) = ended.pid.filter(|_| !snapshot.is_empty()) else {
        return Ok(());
    };
    let path = directory.join(name_of_process(ToolFile::Out, pid));
    let (Ok(Some(end)), Ok(Some(whole))) = (massif::read(&snapshot[..]), massif::read_file(&path))
    else {
        return Ok(());
    };
    let [end] = &end.snapshots[..] else {
        return Ok(());
    };
    let text = massif::end_snapshot(whole.snapshots.len(), end);
    let file = std::fs::OpenOptions::new().append(true).open(&path);
    let mut file = file.context("open", &path)?;
    file.write_all(text.as_bytes()).context("write", &path)?;
    Ok(())
}
