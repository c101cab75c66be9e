//! Executables that tests make.
//!
//! They are written by another process. While this one has a file open for writing, a process that
//! another test starts in this moment has it open as well, and then nobody can execute the file.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use memchr::memmem;

/// Copies an executable.
pub fn copy(from: impl AsRef<Path>, to: impl AsRef<Path>) {
    let (from, to) = (from.as_ref(), to.as_ref());
    let copied = Command::new("cp").arg(from).arg(to).status();
    assert!(copied.expect("there is `cp`").success(), "{}", to.display());
}

/// Copies an executable and puts another text of the same length in the place of all occurrences of
/// one: paths that it was compiled with.
pub fn copy_with(from: impl AsRef<Path>, to: impl AsRef<Path>, text: &str, instead: &str) {
    assert_eq!(text.len(), instead.len());
    let (from, to) = (from.as_ref(), to.as_ref());
    let mut bytes = fs::read(from).unwrap();
    // A plain search takes half a minute where it is not optimized.
    let places: Vec<usize> = memmem::find_iter(&bytes, text).collect();
    for at in places {
        bytes[at..at + text.len()].copy_from_slice(instead.as_bytes());
    }
    let draft = to.with_extension("draft");
    fs::write(&draft, bytes).unwrap();
    copy(&draft, to);
    fs::remove_file(draft).unwrap();
    fs::set_permissions(to, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Copies an executable without its symbols.
pub fn copy_stripped(from: impl AsRef<Path>, to: impl AsRef<Path>) {
    let (from, to) = (from.as_ref(), to.as_ref());
    let stripped = Command::new("strip").arg("-o").arg(to).arg(from).status();
    let stripped = stripped.expect("there is `strip`");
    assert!(stripped.success(), "{}", to.display());
}

/// A shell script in a folder.
pub fn script(folder: &Path, name: &str, text: &str) -> PathBuf {
    let (draft, path) = (folder.join(format!("{name}.draft")), folder.join(name));
    fs::write(&draft, format!("#!/bin/sh\n{text}\n")).unwrap();
    copy(&draft, &path);
    fs::remove_file(draft).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}
