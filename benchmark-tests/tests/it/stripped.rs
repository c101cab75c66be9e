//! Executables without symbols: counting works on names.

use std::path::PathBuf;

use benchmark_tests::{build, executables, Bench, Home};
use snapbox::{assert_data_eq, str};
use tempfile::TempDir;

/// Benchmarks without symbols, as `strip = true` in a profile makes them.
fn stripped() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let executable = folder.path().join("counts");
    executables::copy_stripped(build::bench("counts"), &executable);
    (folder, executable)
}

/// The hint is printed once for all benchmarks.
#[test]
fn a_stripped_executable_is_an_error_that_says_so() {
    let home = Home::new();
    let (_folder, executable) = stripped();
    let ended = Bench::at(&executable).measure(&home).arg("nops_1").run();
    let ended = ended.code(1);
    assert_data_eq!(
        &ended.stderr,
        str![[r#"
error: benchmark `counts::exact::nops_1` counted nothing: the executable has no symbols, so Valgrind cannot see where the benchmark begins
  hint: set `strip = false` and `debug = true` in `[profile.bench]` of `Cargo.toml`
error: benchmark `counts::exact::nops_1000` counted nothing: the executable has no symbols, so Valgrind cannot see where the benchmark begins

"#]]
    );
    assert_eq!(home.results().len(), 0);
}

#[test]
fn what_needs_no_names_works() {
    let (_folder, executable) = stripped();
    let bench = || Bench::at(&executable);
    bench()
        .arg("nops_1")
        .run()
        .code(0)
        .shows(&["test counts::exact::nops_1 ... ok"]);
    bench()
        .arg("--list")
        .run()
        .code(0)
        .shows(&["counts::exact::nops_1: benchmark"]);
}
