//! The place in which benchmarks run, as containers and services for CI restrict it: `/proc`,
//! temporary files, the directory for results and fixed addresses.
//!
//! Of `/proc` and temporary files only restrictions are reported; a place without any needs no
//! line.

use std::io::ErrorKind;
use std::path::Path;

use crate::{Cure, Finding, Project};
use base::os::addresses;

/// Examines everything that benchmarks, Valgrind and this program need besides files of the
/// project.
pub fn examine() -> Vec<Finding> {
    [
        processes(Path::new("/proc")),
        temporary(&std::env::temp_dir()),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The kernel's files about processes. Without them Valgrind and benchmark executables do not find
/// themselves.
fn processes(directory: &Path) -> Option<Finding> {
    let is_missing = cfg!(target_os = "linux") && !directory.join("self/exe").exists();
    is_missing.then(|| {
        Finding::problem(
            format!(
                "`{}` is not mounted, so neither Valgrind nor a benchmark finds its own executable",
                directory.display()
            ),
            Cure::run(format!("mount -t proc proc {}", directory.display())),
        )
    })
}

/// The directory for temporary files.
fn temporary(directory: &Path) -> Option<Finding> {
    // Tried, since permissions say nothing of a full disk or a read-only mount.
    let error = tempfile::tempfile_in(directory).err()?;
    Some(Finding::problem(
        format!(
            "temporary files cannot be made in `{}`: {error}",
            directory.display()
        ),
        Cure::run("export TMPDIR=<directory>"),
    ))
}

/// Checks that the directory for results can be written to. `home` is the configured one.
pub fn home(project: &Project, home: Option<&Path>) -> Finding {
    let home = match home {
        Some(home) => project.root.join(home),
        None => project.target_directory.join("iai"),
    };
    let mut above = home.ancestors();
    // The first run makes the directory.
    let existing = above.find(|path| path.exists()).unwrap_or(&home);
    match tempfile::tempfile_in(existing) {
        Ok(_) => Finding::fine(format!("results can be kept in `{}`", home.display())),
        Err(error) => Finding::problem(
            format!("results cannot be kept in `{}`: {error}", home.display()),
            Cure::run("cargo bench -- --home=<directory>"),
        ),
    }
}

/// Checks that the kernel lets processes run without random addresses. Benchmarks run in any case.
pub fn randomisation() -> Finding {
    match addresses::try_to_fix() {
        Ok(()) => Finding::fine("the kernel allows benchmarks to run without random addresses"),
        Err(error) if error.kind() == ErrorKind::Unsupported => Finding::note(
            "addresses are random, since this system knows no way to fix them; counts of cache \
             misses may differ between runs",
            None,
        ),
        Err(error) => Finding::note(
            format!(
                "the kernel does not let benchmarks run without random addresses ({error}), as in \
                 many containers; counts of cache misses may differ between runs"
            ),
            Cure::run("docker run --security-opt seccomp=unconfined <image>"),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Severity;

    #[test]
    fn a_place_with_everything_is_not_mentioned() {
        assert_eq!(examine(), []);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn an_empty_directory_is_no_list_of_processes() {
        let empty = tempfile::tempdir().unwrap();
        let found = processes(empty.path()).unwrap();
        assert_eq!(found.level, Severity::Problem);
        assert!(found.text.contains("is not mounted"), "{}", found.text);
        let line = format!("mount -t proc proc {}", empty.path().display());
        assert_eq!(found.cure.unwrap().lines, [line]);
    }

    #[test]
    fn a_directory_without_room_for_files_is_named() {
        let empty = tempfile::tempdir().unwrap();
        let missing = empty.path().join("missing");
        let found = temporary(&missing).unwrap();
        let text = format!(
            "temporary files cannot be made in `{}`: No such file or directory",
            missing.display()
        );
        assert!(found.text.starts_with(&text), "{}", found.text);
        assert_eq!(found.cure.unwrap().lines, ["export TMPDIR=<directory>"]);
    }
}
