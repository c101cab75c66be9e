//! Valgrind's records of threads: a server has only as many as most benchmarks need.
//!
//! Valgrind makes 500 of them, and visits all after every fork: two megabytes in 500 pages, which
//! the kernel copies for each benchmark. That is half of all page faults of a fork. Their number
//! changes no count. Valgrind ends a process that needs more; its benchmark then runs again in a
//! server with Valgrind's default number.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;

use super::{file_of_process, ProcessEnd};
use crate::error::{FileContext, Result};
use crate::plan::Job;
use base::listed_directory::{list, Listed};
use base::tool::ToolFile;

/// Option of Valgrind.
const OPTION: &str = "--max-threads";

/// Least number of records in a server.
const LEAST: usize = 32;

/// Words of Valgrind when it has no record for a further thread.
const TOO_FEW: &str = "Max number of threads is too low";

/// Number of threads for which Valgrind has records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ThreadRecords {
    /// Enough for a few threads on each processor.
    Few,
    /// Valgrind's own number, or that of the user.
    Default,
}

impl ThreadRecords {
    /// Records for a server of this job, unless the user has chosen a number.
    pub(super) fn of_server(job: &Job) -> Self {
        let is_chosen = |word: &String| {
            let value = word.strip_prefix(OPTION);
            value.is_some_and(|value| value.starts_with('='))
        };
        match job.args.words.iter().any(is_chosen) {
            true => Self::Default,
            false => Self::Few,
        }
    }

    /// Argument for Valgrind.
    pub(super) fn argument(self) -> Option<String> {
        let processors = || std::thread::available_parallelism().map_or(1, Into::into);
        match self {
            Self::Few => Some(format!("{OPTION}={}", LEAST.max(2 * processors() + 8))),
            Self::Default => None,
        }
    }
}

/// Did a process end because it had too few thread records? The files of the tool are in the
/// directory, `how` is the end of the benchmark's process: the log of one that returned is not
/// read. A process that it started may have ended without it.
pub(super) fn were_too_few(directory: &Path, pid: i32, how: &ProcessEnd) -> Result<bool> {
    let has_returned = matches!(how, ProcessEnd::Returned | ProcessEnd::ReturnedWithRegions);
    for Listed { name, .. } in list(directory).context("list", directory)? {
        let Some((ToolFile::Log, process)) = file_of_process(&name) else {
            continue;
        };
        if (!has_returned || process != pid as u32) && says_too_few(&directory.join(&name))? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn says_too_few(log: &Path) -> Result<bool> {
    let file = fs::File::open(log).context("open", log)?;
    for line in BufReader::new(file).split(b'\n') {
        let line = line.context("read", log)?;
        if String::from_utf8_lossy(&line).contains(TOO_FEW) {
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logs_are_read_where_a_process_may_have_ended_early() {
        let too_few =
            "==7== \nvalgrind: the 'impossible' happened:\n   Max number of threads is too low\n";
        let own = ("log.7", too_few);
        let other = ("log.8", too_few);
        let usual = ("log.9", "==9== \n==9== Events    : Ir\n");
        let profile = ("out.7", too_few);
        let check = |files: &[(&str, &str)], how| {
            let folder = tempfile::tempdir().unwrap();
            for (name, text) in files {
                fs::write(folder.path().join(name), text).unwrap();
            }
            were_too_few(folder.path(), 7, &how).unwrap()
        };
        assert!(check(&[profile, own], ProcessEnd::Exited(1)));
        assert!(!check(&[profile, own], ProcessEnd::Returned));
        assert!(check(&[own, other], ProcessEnd::Returned));
        assert!(!check(&[usual, profile], ProcessEnd::Exited(1)));
    }
}
