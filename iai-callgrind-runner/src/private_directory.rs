//! Temporary directories that nobody else can enter: they hold what benchmarks print, and copies of fixtures.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use tempfile::TempDir;

use crate::error::{FileContext, Result};

/// The permissions of a private directory.
pub(crate) const MODE: u32 = 0o700;

/// Makes a directory among the temporary files, which is removed when it is dropped.
///
/// # Errors
///
/// The directory cannot be made.
pub(crate) fn temporary() -> Result<TempDir> {
    make("iai-callgrind-", &std::env::temp_dir(), MODE)
}

/// Makes a directory with a name that begins so and these permissions, without those that the umask takes away.
///
/// # Errors
///
/// The directory cannot be made.
pub(crate) fn make(prefix: &str, parent: &Path, mode: u32) -> Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    builder
        .prefix(prefix)
        .permissions(Permissions::from_mode(mode));
    let made = builder.tempdir_in(parent);
    made.context("create a directory in", parent)
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
