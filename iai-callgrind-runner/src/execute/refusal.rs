//! Reasons why Valgrind started nothing: it does not accept an argument, or the program is not
//! Valgrind.

use std::fs;
use std::path::{Path, PathBuf};

use super::{file_of_process, ProcessEnd};
use crate::error::{FileContext, Result};
use crate::plan::{ArgumentOrigin, Job};
use base::tool::ToolFile;

/// Beginnings of Valgrind's messages about arguments that it does not accept.
const REFUSALS: [&str; 2] = ["valgrind: Unknown option: ", "valgrind: Bad option: "];

/// Valgrind's words about a directory for temporary files in which it can make none.
const NO_PLACE: &str = "failed to create temp file";

/// Output of Valgrind, or of the program that was started in its place.
#[derive(Debug, Clone, Copy)]
pub(super) enum StartOutput<'a> {
    /// On a stream of its own.
    Alone(&'a str),
    /// In the output of the benchmark, which is shown with the failure.
    InOutput(&'a str),
}

impl StartOutput<'_> {
    fn text(&self) -> &str {
        match self {
            Self::Alone(text) | Self::InOutput(text) => text,
        }
    }

    /// Lines for the message, unless the output is shown anyway.
    fn quoted(&self) -> String {
        match self {
            Self::Alone(text) => text.lines().map(|line| format!("\n  {line}")).collect(),
            Self::InOutput(_) => String::new(),
        }
    }
}

/// Did Valgrind write into this directory? It opens its log before it looks at the program.
pub(super) fn has_log(directory: &Path) -> Result<bool> {
    Ok(logs(directory)?.next().is_some())
}

/// Does a log in this directory say why the process ended?
fn gives_reason(directory: &Path) -> Result<bool> {
    let mut logs = logs(directory)?.filter_map(|path| formats::log::read_file(&path).ok()?);
    Ok(logs.any(|log| !log.fatal.is_empty()))
}

/// Does a log in this directory say that Valgrind skips the debug information of this program?
pub(super) fn skips_debug_info(directory: &Path, program: &Path) -> Result<bool> {
    let mut logs = logs(directory)?.filter_map(|path| formats::log::read_file(&path).ok()?);
    Ok(logs.any(|log| log.unread_of(program).is_some()))
}

/// The logs in this directory.
fn logs(directory: &Path) -> Result<impl Iterator<Item = PathBuf>> {
    let list = fs::read_dir(directory).context("list", directory)?;
    Ok(list.flatten().filter_map(|entry| {
        let (file, _) = file_of_process(&entry.file_name().to_string_lossy())?;
        (file == ToolFile::Log).then(|| entry.path())
    }))
}

/// Explains why the benchmark was not started; `text` describes the end of the process, `directory`
/// is the one in which the tool writes.
///
/// # Errors
///
/// An argument of the command line is not accepted, so nothing else will work either.
pub(super) fn not_started(
    job: &Job,
    valgrind: &Path,
    directory: &Path,
    text: &str,
    said: StartOutput<'_>,
) -> Result<ProcessEnd> {
    let reason = match refused(job, said.text()) {
        Some((word, origin @ ArgumentOrigin::Option { .. })) => {
            let lines = about_refusal(said.text()).map(|line| format!("\n  {line}"));
            let reason = format!("Valgrind does not accept it{}", lines.collect::<String>());
            return Err(origin.refused(job.tool, word, reason));
        }
        Some((word, origin)) => {
            format!(
                "Valgrind does not accept `{word}` in {origin}{}",
                said.quoted()
            )
        }
        // Valgrind's log says why, and is quoted below.
        None if gives_reason(directory)? => format!("{text}{}", said.quoted()),
        None if said.text().trim().is_empty() && has_log(directory)? => {
            format!(
                "{text}\n  hint: Valgrind has started it, and the executable ended or closed its \
                 descriptors before the benchmark: is there code that runs before `main`?"
            )
        }
        None if said.text().trim().is_empty() => {
            format!(
                "{text}\n  hint: is `{}` really Valgrind?",
                valgrind.display()
            )
        }
        None if said.text().contains(NO_PLACE) => {
            format!(
                "{text}{}\n  hint: Valgrind writes files of its own in `/tmp`; where that cannot be \
                 written to, set TMPDIR to another directory, and pass it on with `--envs=TMPDIR`",
                said.quoted()
            )
        }
        None => format!("{text}{}", said.quoted()),
    };
    Ok(ProcessEnd::NotStarted(reason))
}

/// An argument of the user that Valgrind does not accept, and its origin.
fn refused<'a>(job: &'a Job, said: &'a str) -> Option<(&'a str, &'a ArgumentOrigin)> {
    let mut words = about_refusal(said).filter_map(|line| {
        let mut starts = REFUSALS.iter();
        starts.find_map(|start| line.strip_prefix(start))
    });
    words.find_map(|word| Some((word, job.args.origin(word)?)))
}

/// Valgrind's own lines: a setup may have printed others before.
fn about_refusal(said: &str) -> impl Iterator<Item = &str> {
    said.lines().filter(|line| line.starts_with("valgrind: "))
}
