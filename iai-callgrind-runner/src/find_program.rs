//! Programs by their names: the lookup in PATH that a shell of the user would make.
//!
//! In: a name and the environment of the runner. Out: the absolute path of a file that may be executed.

use std::env;
use std::ffi::OsStr;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::cli::env::Environment;

/// The first program of this name in PATH.
pub(crate) fn in_path(environment: &Environment, name: &Path) -> Option<PathBuf> {
    env::split_paths(search_path(environment))
        .map(|folder| folder.join(name))
        .find(|path| is_program(path))
        .and_then(|path| std::path::absolute(path).ok())
}

/// The value of PATH, for messages too.
pub(crate) fn search_path(environment: &Environment) -> &OsStr {
    environment.get("PATH").unwrap_or_default()
}

/// Is it a file that may be executed?
pub(crate) fn is_program(path: &Path) -> bool {
    path.metadata()
        .is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}
