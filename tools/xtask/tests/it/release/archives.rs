//! Archives of the runner are what `cargo binstall` looks for, and what a user needs.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{manifest, refused, said, script, version};

const GNU: &str = "x86_64-unknown-linux-gnu";
const MUSL: &str = "x86_64-unknown-linux-musl";

/// A small script that prints the version of the runner, because packing the real one takes long.
fn runner(directory: &Path) -> PathBuf {
    let path = directory.join("runner");
    let text = format!("#!/bin/sh\necho iai-callgrind-runner {}\n", version());
    fs::write(&path, text).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

/// A value of the manifest for `cargo binstall`, filled in as its documents say.
fn filled_in(key: &str, target: &str) -> String {
    let workspace = manifest("Cargo.toml");
    let repository = &workspace["workspace"]["package"]["repository"];
    let runner = manifest("iai-callgrind-runner/Cargo.toml");
    let template = &runner["package"]["metadata"]["binstall"][key];
    let text = template.as_str().unwrap();
    let text = text
        .replace("{ repo }", repository.as_str().unwrap())
        .replace("{ name }", "iai-callgrind-runner")
        .replace("{ bin }", "iai-callgrind-runner")
        .replace("{ version }", &version())
        .replace("{ target }", target)
        .replace("{ binary-ext }", "");
    assert!(!text.contains('{'), "{text}");
    text
}

/// Packs an executable for a target; the path of the archive.
fn packed(target: &str, executable: &Path, directory: &Path) -> PathBuf {
    let [executable, directory] = [executable, directory].map(|path| path.to_str().unwrap());
    let words = [target, executable, directory];
    said(&mut script("archive.sh", &words)).trim_end().into()
}

/// The script for archives compares with it.
#[test]
fn the_runner_says_its_name_and_version() {
    let runner = std::env::var("IAI_CALLGRIND_RUNNER")
        .expect("IAI_CALLGRIND_RUNNER names the runner; `cargo suite` builds it and sets this");
    let expected = format!("iai-callgrind-runner {}\n", version());
    assert_eq!(said(Command::new(runner).arg("--version")), expected);
}

#[test]
fn the_archive_is_what_binstall_looks_for() {
    let directory = tempfile::tempdir().unwrap();
    let archive = packed(GNU, &runner(directory.path()), directory.path());

    let url = filled_in("pkg-url", GNU);
    let releases = "https://github.com/iai-callgrind/iai-callgrind/releases/download";
    let (place, name) = url.rsplit_once('/').unwrap();
    assert_eq!(place, format!("{releases}/v{}", version()));
    assert_eq!(archive, directory.path().join(name));

    let inside = filled_in("bin-dir", GNU);
    let folder = inside.strip_suffix("/iai-callgrind-runner").unwrap();
    let list = said(Command::new("tar").arg("-tvzf").arg(&archive));
    let mut files: Vec<(&str, &str)> = list
        .lines()
        .map(|line| (&line[..10], line.rsplit(' ').next().unwrap()))
        .collect();
    files.sort_unstable_by_key(|(_, path)| *path);
    let file = |name: &str| format!("{folder}/{name}");
    assert_eq!(
        files,
        [
            ("drwxr-xr-x", &*file("")),
            ("-rw-r--r--", &*file("LICENSE-APACHE")),
            ("-rw-r--r--", &*file("LICENSE-MIT")),
            ("-rw-r--r--", &*file("README.md")),
            ("-rw-r--r--", &*file("THIRD-PARTY-LICENSES.txt")),
            ("-rwxr-xr-x", &*inside),
        ]
    );
    let license = said(
        Command::new("tar")
            .arg("-xzOf")
            .arg(&archive)
            .arg(file("LICENSE-MIT")),
    );
    let ours = fs::read_to_string(lab::workspace_root().join("LICENSE-MIT")).unwrap();
    assert_eq!(license, ours);

    said(&mut script(
        "check-archive.sh",
        &[GNU, archive.to_str().unwrap()],
    ));
}

#[test]
fn the_same_runner_makes_the_same_archive() {
    let directory = tempfile::tempdir().unwrap();
    let runner = runner(directory.path());
    let [one, two] = ["one", "two"].map(|name| packed(GNU, &runner, &directory.path().join(name)));
    assert_ne!(one, two);
    assert!(fs::read(one).unwrap() == fs::read(two).unwrap());
}

#[test]
fn a_changed_archive_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let archive = packed(GNU, &runner(directory.path()), directory.path());
    let mut bytes = fs::read(&archive).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(&archive, bytes).unwrap();
    let archive = archive.to_str().unwrap();
    assert_eq!(
        refused(&mut script("check-archive.sh", &[GNU, archive])),
        format!("error: {archive} is not what its checksum says")
    );
}

/// The shell needs the C library of this machine.
#[test]
fn an_archive_for_musl_has_a_static_runner() {
    let directory = tempfile::tempdir().unwrap();
    let archive = packed(MUSL, Path::new("/bin/sh"), directory.path());
    let archive = archive.to_str().unwrap();
    let error = script("check-archive.sh", &[MUSL, archive])
        .output()
        .unwrap();
    let error = String::from_utf8(error.stderr).unwrap();
    let begin = format!("error: the runner of {archive} is not static: ");
    assert!(error.starts_with(&begin), "{error}");
}

#[test]
fn what_cannot_be_executed_is_not_packed() {
    let directory = tempfile::tempdir().unwrap();
    let words = [GNU, "/no/such/runner", directory.path().to_str().unwrap()];
    assert_eq!(
        refused(&mut script("archive.sh", &words)),
        "error: /no/such/runner cannot be executed; `cargo build --release --package iai-callgrind-runner` makes it"
    );
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0);
}
