//! Errors of file operations: the operation, the path, and a hint where the system has a limit.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// A file operation that failed.
#[derive(Debug, Error)]
#[error("cannot {action} `{}`{}", path.display(), limit_hint(source))]
pub struct FileOperationError {
    /// The operation, to continue "cannot …".
    pub action: &'static str,
    /// The file or directory.
    pub path: PathBuf,
    /// The reason.
    pub source: io::Error,
}

/// The result of a file operation.
pub type FileResult<T> = Result<T, FileOperationError>;

/// Names the path in an error of a file operation.
pub trait FileContext<T> {
    /// `action` continues "cannot".
    ///
    /// # Errors
    ///
    /// The operation failed.
    fn context(self, action: &'static str, path: &Path) -> FileResult<T>;
}

impl<T> FileContext<T> for io::Result<T> {
    fn context(self, action: &'static str, path: &Path) -> FileResult<T> {
        self.map_err(|source| FileOperationError {
            action,
            path: path.to_owned(),
            source,
        })
    }
}

/// Names the limit that is reached where the system starts no more processes and threads, or opens
/// no more files.
#[must_use]
pub fn limit_hint(source: &io::Error) -> &'static str {
    match source.raw_os_error() {
        Some(libc::EAGAIN) => {
            "\n  hint: the number of processes and threads is limited: `ulimit -u` has the limit of this user, \
             and containers have one of their own (`--pids-limit`)"
        }
        Some(libc::EMFILE) => {
            "\n  hint: the number of open files is limited: `ulimit -n` has the limit, and a run needs 256"
        }
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_of_the_system_are_named() {
        let error = |number| {
            let failed: io::Result<()> = Err(io::Error::from_raw_os_error(number));
            let failed = failed.context("start", Path::new("/usr/bin/valgrind"));
            failed.unwrap_err().to_string()
        };
        let start = "cannot start `/usr/bin/valgrind`";
        assert_eq!(error(libc::ENOENT), start);
        for (number, limit) in [(libc::EAGAIN, "`ulimit -u`"), (libc::EMFILE, "`ulimit -n`")] {
            let error = error(number);
            assert!(
                error.starts_with(&format!("{start}\n  hint: ")) && error.contains(limit),
                "{error}"
            );
        }
    }
}
