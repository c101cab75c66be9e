//! The file of what is kept of a tool's profile to explain later results.

use std::fs;
use std::path::Path;

use crate::error::{FileContext, Result};
use crate::plan::Job;
use crate::store::{FileName, NewFile};
use crate::tool::ToolFile;

/// Writes the digest of a job into `work`. It is one file for all processes, threads and parts.
pub(super) fn write(job: &Job, digest: &[u8], work: &Path) -> Result<NewFile> {
    let path = work.join("digest");
    fs::write(&path, digest).context("write", &path)?;
    let name = FileName {
        tool: job.tool,
        stem: &job.benchmark_path.stem(),
        pid: None,
        thread: None,
        part: None,
        file: ToolFile::Digest,
    };
    let name = name.current();
    Ok(NewFile { path, name })
}
