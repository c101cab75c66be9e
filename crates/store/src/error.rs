//! Places that cannot be used.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use base::file_operation::FileOperationError;

/// Results cannot be kept, or there is no place for temporary files.
#[derive(Debug, Error)]
pub enum StoreError {
    /// A file operation.
    #[error(transparent)]
    File(#[from] FileOperationError),
    /// There is no place for temporary files.
    #[error(
        "cannot make temporary files in `{}`\n  hint: let TMPDIR name a directory that you can write in",
        path.display()
    )]
    Temporary {
        /// The directory.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The directory for results cannot be used.
    #[error(
        "cannot keep results in `{}`\n  hint: choose another place with `--home=<directory>`",
        path.display()
    )]
    Home {
        /// The directory.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
}
