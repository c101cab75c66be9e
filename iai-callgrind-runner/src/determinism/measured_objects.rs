//! The files whose code ran, beside the benchmark executable and the program: programs that were
//! started, and shared libraries of the workspace.
//!
//! Only profiles of Callgrind name them. Libraries of the system are conditions and no code of the
//! benchmark.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::model::tool::Tool;
use crate::parse::{callgrind, FileError};
use crate::plan::Job;
use crate::records::summary::OwnPlaces;
use crate::results::NewResults;

/// The files, as far as the tool names them.
///
/// # Errors
///
/// A profile cannot be read.
pub(super) fn of_result(
    job: &Job,
    new: &NewResults<'_>,
    places: OwnPlaces<'_>,
) -> Result<BTreeSet<PathBuf>, FileError> {
    if job.tool != Tool::Callgrind {
        return Ok(BTreeSet::new());
    }
    let mut found = BTreeSet::new();
    let mut add = |name: &[u8]| {
        let path = Path::new(OsStr::from_bytes(name));
        if is_measured(path, places) && !found.contains(path) {
            found.insert(path.to_owned());
        }
    };
    // Profiles of library benchmarks were read to their end for the proof of their figures.
    let of_proof = || new.sets.iter().map(|set| set.entered.as_ref());
    if of_proof().all(|entered| entered.is_some()) {
        let objects = of_proof().flatten().flat_map(|entered| &entered.objects);
        objects.for_each(|(name, _)| add(name));
    } else {
        for path in new.files.outs() {
            callgrind::objects_of_file(path, &mut add)?;
        }
    }
    Ok(found)
}

/// Is it code of the benchmark: a file of the project, or a program wherever it lies? Functions
/// that belong to no file have the object `???`.
fn is_measured(path: &Path, places: OwnPlaces<'_>) -> bool {
    path.is_absolute() && (places.have(path) || !is_shared_library(path))
}

/// `libc.so.6`, `ld-linux-x86-64.so.2`, `vgpreload_core-amd64-linux.so`
fn is_shared_library(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().as_bytes();
    name.ends_with(b".so") || memchr::memmem::find(name, b".so.").is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_and_own_libraries_are_measured_and_libraries_of_the_system_are_not() {
        let places = OwnPlaces {
            executable: Path::new("/copied/app"),
            workspace: Path::new("/w"),
            target: Some(Path::new("/t")),
        };
        for (path, expected) in [
            ("/copied/app", true),
            ("/w/vendor/libx.so", true),
            ("/w/vendor/libx.so.2", true),
            ("/t/release/deps/libd-0123456789abcdef.so", true),
            ("/t/release/worker", true),
            ("/usr/bin/dash", true),
            ("/opt/my.sort", true),
            ("/opt/plugin.so", false),
            ("/usr/lib/x86_64-linux-gnu/libc.so.6", false),
            ("/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2", false),
            ("/usr/libexec/valgrind/vgpreload_core-amd64-linux.so", false),
            ("???", false),
            ("", false),
        ] {
            assert_eq!(is_measured(Path::new(path), places), expected, "{path}");
        }
    }
}
