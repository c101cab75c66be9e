//! Runs each benchmark file of `src/bin`, as `cargo test --benches` does: it lists and runs its benchmarks
//! without Valgrind, or starts itself and checks what it does.

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
