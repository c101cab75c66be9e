//! The file of a tool's digest, from which later results are explained.

use std::fs;

use crate::error::{FileContext, Result};
use crate::plan::Job;
use crate::results::DigestPair;
use crate::settings::Baseline;
use records::layout::FileName;
use store::{NewFile, WorkDirectory};

/// The name of the file in the last result.
pub(super) fn name(job: &Job) -> String {
    FileName::of_digest(job.tool, &job.benchmark_path.stem()).current()
}

/// The digest of the new result, as a file in `work`.
pub(super) fn of_new(
    job: &Job,
    digests: &DigestPair,
    baseline: &Baseline,
    work: &WorkDirectory,
) -> Result<Option<NewFile>> {
    let digest = digests.bytes().filter(|_| baseline.run);
    let file = digest.map(|digest| write(name(job), digest, work));
    file.transpose()
}

/// Writes a digest among the files of the run.
pub(super) fn write(name: String, digest: &[u8], work: &WorkDirectory) -> Result<NewFile> {
    let path = work.file("digest");
    fs::write(&path, digest).context("write", &path)?;
    Ok(NewFile { path, name })
}
