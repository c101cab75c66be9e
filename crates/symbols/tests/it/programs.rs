//! Small programs, compiled by the `rustc` of the tests.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Compiles the crate `lab` in a directory, to a program of this name.
#[track_caller]
pub(crate) fn compiled(directory: &Path, name: &str, source: &str, options: &[&str]) -> PathBuf {
    compiled_crate(directory, "lab", name, source, options)
}

/// Compiles a crate in a directory, to a file of this name.
#[track_caller]
pub(crate) fn compiled_crate(
    directory: &Path,
    crate_name: &str,
    name: &str,
    source: &str,
    options: &[&str],
) -> PathBuf {
    let file = directory.join(format!("{crate_name}.rs"));
    fs::write(&file, source).unwrap();
    let compiled = directory.join(name);
    let rustc = Command::new("rustc")
        // The mangling that is no longer, or not yet, the default is an unstable option.
        .env("RUSTC_BOOTSTRAP", "1")
        .args(["--edition=2021", "-Zunstable-options", "-o"])
        .arg(&compiled)
        .arg(format!("--crate-name={crate_name}"))
        .args(options)
        .arg(&file)
        .current_dir(directory)
        .output()
        .unwrap();
    let messages = String::from_utf8_lossy(&rustc.stderr);
    assert!(rustc.status.success(), "{messages}");
    compiled
}

/// The lines of a program of binutils.
#[track_caller]
pub(crate) fn witness(program: &str, arguments: &[&str], executable: &Path) -> Vec<String> {
    let output = Command::new(program)
        .args(arguments)
        .arg(executable)
        .output();
    let output = output.unwrap_or_else(|error| panic!("{program} (of binutils): {error}"));
    assert!(output.status.success(), "{program}: {output:?}");
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().map(str::to_owned).collect()
}

/// Numbers that are the same in each run.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    /// A number below this one.
    pub(crate) fn below(&mut self, most: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % most
    }
}
