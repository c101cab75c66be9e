//! Programs: where a shell would find one.
//!
//! In: a name and the value of `PATH`. Out: the absolute path of the first file that may be
//! executed.

use std::env;
use std::ffi::OsStr;
use std::path::{is_separator, Path, PathBuf};

/// Is it a path, as opposed to a name that is looked for?
#[must_use]
pub fn has_separator(program: impl AsRef<OsStr>) -> bool {
    let mut bytes = program.as_ref().as_encoded_bytes().iter();
    bytes.any(|byte| is_separator(char::from(*byte)))
}

/// Looks for a program in the directories of `PATH`.
#[inline]
pub fn find_program(path: &OsStr, name: impl AsRef<Path>) -> Option<PathBuf> {
    find(path, name.as_ref())
}

fn find(path: &OsStr, name: &Path) -> Option<PathBuf> {
    for directory in env::split_paths(path) {
        let program = directory.join(name);
        if is_program(&program) {
            return std::path::absolute(program).ok();
        }
    }
    None
}

/// Is it a file that may be executed?
#[must_use]
pub fn is_program(path: &Path) -> bool {
    path.metadata()
        .is_ok_and(|data| data.is_file() && is_executable(&data))
}

#[cfg(unix)]
fn is_executable(data: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    data.permissions().mode() & 0o111 != 0
}

/// Elsewhere the name of a file says it.
#[cfg(not(unix))]
fn is_executable(_data: &std::fs::Metadata) -> bool {
    true
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn paths_have_separators() {
        for path in ["/bin/sh", "./sh", "bin/sh", "sh/"] {
            assert!(has_separator(path), "{path}");
        }
        for name in ["sh", "..", "", "wörter"] {
            assert!(!has_separator(name), "{name}");
        }
    }

    /// A shell passes over files that it cannot execute.
    #[test]
    fn only_what_may_be_executed_is_found() {
        let package = env!("CARGO_MANIFEST_DIR");
        let path = format!("/no/such/directory:{package}:/bin");
        let path = OsStr::new(&path);
        assert_eq!(
            find_program(path, "sh").as_deref(),
            Some("/bin/sh".as_ref())
        );
        assert_eq!(find_program(path, "Cargo.toml"), None);
        assert_eq!(find_program(path, "src"), None);
        assert_eq!(find_program(OsStr::new(""), "no-such-program"), None);
    }
}
