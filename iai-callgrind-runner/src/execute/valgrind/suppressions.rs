//! Suppressions for the known blocks of Rust's standard library, which Memcheck gets by default.
//!
//! Valgrind counts them as suppressed. Its own switch for the suppressions that it brings along is
//! that for these as well.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::{FileContext, Result};
use crate::plan::Job;
use base::tool::Tool;

/// The file as Valgrind reads it.
const STD: &str = include_str!("std.supp");

/// Name of the file in the directory in which the tool writes.
const NAME: &str = "std.supp";

/// The argument of Valgrind that leaves out all suppressions but those of the user.
const NONE: &str = "--default-suppressions=no";

/// Writes the file, if the job is to have it: into this directory, or beside the link that leads
/// there. Where the tool writes changes with each benchmark of a server, and a program that one of
/// them starts reads the file as well.
pub(super) fn write(job: &Job, directory: &Path) -> Result<Option<PathBuf>> {
    if job.tool != Tool::Memcheck || job.args.words.iter().any(|word| word == NONE) {
        return Ok(None);
    }
    let place = match directory.is_symlink() {
        true => directory.parent().unwrap_or(directory),
        false => directory,
    };
    let path = place.join(NAME);
    fs::write(&path, STD).context("write", &path)?;
    Ok(Some(path))
}
