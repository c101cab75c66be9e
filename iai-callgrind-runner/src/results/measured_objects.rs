//! The files whose code ran, beside the benchmark executable and the program: programs that were
//! started, and shared libraries of the workspace.
//!
//! Profiles of Callgrind name them all. The other tools leave only logs, which name programs but no
//! libraries; so their files are known only if no program can load a library of the workspace.
//! Libraries of the system are conditions and no code of the benchmark.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use super::new::ProvenFiles;
use crate::plan::Job;
use base::own_places::OwnPlaces;
use base::tool::Tool;
use formats::callgrind;
use symbols::loads_c_library_only;

/// Variables that make the loader load further libraries.
const LOADS_MORE: [&str; 2] = ["LD_PRELOAD", "LD_AUDIT"];

/// The files. `None`: they are not known.
pub(super) fn of_result(
    job: &Job,
    new: &ProvenFiles<'_>,
    places: OwnPlaces<'_>,
) -> Option<BTreeSet<PathBuf>> {
    match job.tool {
        Tool::Callgrind => of_profiles(new, places),
        _ => {
            let mut names = job.environment.iter().map(|(name, _)| name);
            match names.any(|name| LOADS_MORE.iter().any(|more| name == *more)) {
                true => None,
                false => programs(new.files.commands()?),
            }
        }
    }
}

/// The programs of processes with these commands. `None`: the file of one is not known, or it may
/// load a library of the workspace.
fn programs<'a>(commands: impl IntoIterator<Item = &'a [u8]>) -> Option<BTreeSet<PathBuf>> {
    let mut found = BTreeSet::new();
    for command in commands {
        let program = first_word(command);
        // A relative path begins in the directory of the process, which nobody knows after its end.
        // Below `/proc` a path leads elsewhere for each process.
        let is_one_file = program.is_absolute() && !program.starts_with("/proc");
        // `found` is asked first: a benchmark may start one program hundreds of times.
        if !is_one_file || !(found.contains(&program) || loads_c_library_only(&program)) {
            return None;
        }
        found.insert(program);
    }
    Some(found)
}

/// The first word of a log's command, in which blanks and backslashes have a backslash before them.
fn first_word(command: &[u8]) -> PathBuf {
    let mut word = Vec::new();
    let mut bytes = command.trim_ascii_start().iter();
    while let Some(byte) = bytes.next() {
        match byte {
            b' ' => break,
            b'\\' => word.extend(bytes.next()),
            byte => word.push(*byte),
        }
    }
    OsString::from_vec(word).into()
}

/// The files that profiles of Callgrind name.
fn of_profiles(new: &ProvenFiles<'_>, places: OwnPlaces<'_>) -> Option<BTreeSet<PathBuf>> {
    let mut found = BTreeSet::new();
    let mut add = |name: &[u8]| {
        let path = Path::new(OsStr::from_bytes(name));
        if is_measured(path, places) && !found.contains(path) {
            found.insert(path.to_owned());
        }
    };
    // Profiles of library benchmarks were read to their end for the proof of their figures.
    let of_proof = || new.sets.iter().map(|set| set.entered.as_ref());
    // A set whose calls were not read names no files, so all profiles are read for them then.
    if of_proof().all(|entered| entered.is_some()) {
        let objects = of_proof().flatten().flat_map(|entered| &entered.objects);
        objects.for_each(|(name, _)| add(name));
    } else {
        for path in new.files.outs() {
            callgrind::objects_of_file(path, &mut add).ok()?;
        }
    }
    Some(found)
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
    fn the_first_word_of_a_command_is_the_program() {
        let program = |command: &[u8]| first_word(command).into_os_string().into_vec();
        assert_eq!(program(b" /w/a 1 2"), b"/w/a");
        assert_eq!(program(br"/w\ x/a\\b c"), br"/w x/a\b");
        assert_eq!(program(b""), b"");
    }

    #[test]
    fn programs_are_known_if_none_loads_an_own_library() {
        let own = std::env::current_exe().unwrap();
        let command = [own.as_os_str().as_bytes(), b" 1"].concat();
        let of = |commands: &[&[u8]]| programs(commands.iter().copied());
        assert_eq!(of(&[&command, &command]), Some(BTreeSet::from([own])));
        assert_eq!(of(&[&command, b"worker 1"]), None);
        assert_eq!(of(&[&command, b"/no/such/program"]), None);
    }

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
