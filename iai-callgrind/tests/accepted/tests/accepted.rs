//! Runs each benchmark file of `src/bin`, as `cargo test --benches` does: it lists and runs its
//! benchmarks without Valgrind, or starts itself and checks what it does.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Any of them; the others lie beside it.
const ONE: &str = env!("CARGO_BIN_EXE_functions");

/// The names of all files.
fn names() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/bin");
    let files = fs::read_dir(folder).unwrap();
    let paths = files.map(|file| file.unwrap().path());
    let mut names: Vec<String> = paths
        .map(|path| path.file_stem().and_then(OsStr::to_str).unwrap().to_owned())
        .collect();
    names.sort();
    names
}

fn executable(name: &str) -> PathBuf {
    Path::new(ONE).with_file_name(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

#[test]
fn every_file_runs() {
    let names = names();
    assert!(names.len() > 20, "{names:?}");
    for name in names {
        let output = Command::new(executable(&name)).output().unwrap();
        let (stdout, stderr) = (
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr),
        );
        assert!(
            output.status.success(),
            "`{name}` ended with {}\n{stdout}{stderr}",
            output.status
        );
    }
}

/// The lines of a file's list, and what it says beside them.
fn listed(name: &str) -> (Vec<String>, String) {
    let output = Command::new(executable(name))
        .arg("--list")
        .output()
        .unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    let lines = stdout
        .lines()
        .filter_map(|line| line.strip_suffix(": benchmark"));
    let lines = lines.map(str::to_owned).collect();
    (lines, String::from_utf8(output.stderr).unwrap())
}

#[test]
fn groups_have_the_names_of_their_imports() {
    let (lines, _) = listed("same_group_names");
    let expected = ["first::f", "loop::f", "group::f"];
    assert_eq!(
        lines,
        expected.map(|name| format!("same_group_names::{name}"))
    );
}

#[test]
fn an_iterator_without_elements_is_told() {
    #[track_caller]
    fn check(name: &str, line: u32, address: &str) {
        let (lines, stderr) = listed(name);
        let text = format!(
            "tests/accepted/src/bin/{name}.rs:{line}: the `iter` of `{address}` has no elements, so there is \
             no benchmark of it\n"
        );
        assert!(stderr.contains(&text), "{stderr}");
        assert!(
            !lines.iter().any(|line| line.contains(address)),
            "{lines:?}"
        );
    }
    check("typed_elements", 19, "all::number::nothing");
    check("typed_elements", 55, "all::owned::nothing");
    check("typed_elements_binary", 11, "programs::program::nothing");
}
