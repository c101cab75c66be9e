//! Temporary directories that nobody else can enter: they hold what benchmarks print, and copies of
//! fixtures.

use std::fs::Permissions;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, TempDir};

use crate::error::StoreError;
use base::file_operation::{FileContext, FileResult};

/// The permissions of a private directory.
pub const MODE: u32 = 0o700;

/// Prefix of the names of directories among the temporary files.
const PREFIX: &str = "iai-callgrind-";

/// Makes a directory among the temporary files, which is removed when it is dropped.
///
/// # Errors
///
/// The directory cannot be made.
pub fn temporary() -> Result<TempDir, StoreError> {
    let place = std::env::temp_dir();
    in_place(PREFIX, &place, MODE).map_err(|error| no_place(place, error))
}

/// Makes a file among the temporary files, which is removed when it is dropped.
///
/// # Errors
///
/// The file cannot be made.
pub fn temporary_file() -> Result<NamedTempFile, StoreError> {
    NamedTempFile::new().map_err(|error| no_place(std::env::temp_dir(), error))
}

fn no_place(path: PathBuf, source: io::Error) -> StoreError {
    StoreError::Temporary { path, source }
}

/// Makes a directory with a name that begins so and these permissions, without those that the umask
/// takes away.
///
/// # Errors
///
/// The directory cannot be made.
pub fn make(prefix: &str, parent: &Path, mode: u32) -> FileResult<TempDir> {
    in_place(prefix, parent, mode).context("create a directory in", parent)
}

/// The same as [`make`], but returns the error without a text.
pub(crate) fn in_place(prefix: &str, parent: &Path, mode: u32) -> io::Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    builder
        .prefix(prefix)
        .permissions(Permissions::from_mode(mode));
    builder.tempdir_in(parent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_else_can_enter() {
        let directory = temporary().unwrap();
        let mode = directory.path().metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
        let mode = |mode| {
            let inner = make("x-", directory.path(), mode).unwrap();
            inner.path().metadata().unwrap().permissions().mode() & 0o777
        };
        assert_eq!(mode(MODE), 0o700);
        assert_eq!(mode(0o777) & 0o700, 0o700);
    }
}
