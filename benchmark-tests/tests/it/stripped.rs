//! Executables without symbols, or with some that Valgrind does not read: counting works on names.

use std::path::PathBuf;
use std::process::Command;

use benchmark_tests::{build, executables, valgrinds, Bench, Home};
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

/// Valgrind skips the names of functions together with debug information that it cannot read.
#[test]
fn debug_information_that_valgrind_does_not_know_is_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let executable = folder.path().join("counts");
    let compressed = Command::new("objcopy")
        .arg("--compress-debug-sections=zstd")
        .args([&build::bench("counts"), &executable])
        .output();
    if !compressed.is_ok_and(|output| output.status.success()) {
        // Binutils of before 2.40.
        return;
    }
    let executable = executable.canonicalize().unwrap();
    valgrinds::with_each(|valgrind| {
        let bench = Bench::at(&executable).measure(&Home::new());
        let bench = bench.arg("--valgrind-bin").arg(valgrind);
        let ended = bench.arg("nops_1000").run();
        if valgrinds::number(valgrind) > (3, 19) && ended.status.success() {
            return;
        }
        ended.code(1).says(&[
            "Valgrind cannot read the debug information of ",
            "leave `--compress-debug-sections=zstd` out of the linker's arguments",
        ]);
    });
}
