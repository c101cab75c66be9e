//! No Valgrind, or something else in its place.

use std::path::Path;

use benchmark_tests::{executables, Bench, Home};
use snapbox::{assert_data_eq, str, IntoData};

#[test]
fn not_in_path() {
    let home = Home::new();
    let bench = Bench::new("endings")
        .measure(&home)
        .env("PATH", "/no/such/folder");
    let ended = bench.run().code(1);
    assert_data_eq!(
        ended.stderr,
        str![[r#"
error: valgrind was not found in PATH (`/no/such/folder`)
  hint: install it (for example with `apt install valgrind`), or name the program with `--valgrind-bin=<path>` or IAI_CALLGRIND_VALGRIND_BIN
  hint: without Valgrind, `cargo test --benches` runs each benchmark once; one command runs `cargo bench` in a container that has it, see https://iai-callgrind.github.io/iai-callgrind/where-it-runs.html

"#]]
    );
    assert_eq!(ended.stdout, "", "before any benchmark");
    assert!(home.names().is_empty());
}

/// Names a Valgrind; nothing is measured and nothing is kept.
fn check(valgrind: &Path, expected: impl IntoData) {
    let home = Home::new();
    let bench = Bench::new("endings").measure(&home).arg("before");
    let ended = bench.arg("--valgrind-bin").arg(valgrind).run().code(1);
    assert_data_eq!(ended.stderr, expected);
    assert!(home.results().is_empty(), "{:?}", home.names());
}

#[test]
fn no_file() {
    check(
        Path::new("/no/such/valgrind"),
        str![[r#"
error: `/no/such/valgrind`, given by `--valgrind-bin` or IAI_CALLGRIND_VALGRIND_BIN, does not exist

"#]],
    );
}

#[test]
fn a_name_that_is_not_in_path() {
    check(
        Path::new("no-such-valgrind"),
        str![[r#"
error: `no-such-valgrind`, given by `--valgrind-bin` or IAI_CALLGRIND_VALGRIND_BIN, was not found in PATH

"#]],
    );
}

#[test]
fn a_directory() {
    check(
        Path::new("/tmp"),
        str![[r#"
error: `/tmp`, given by `--valgrind-bin` or IAI_CALLGRIND_VALGRIND_BIN, is not a program

"#]],
    );
}

#[test]
fn another_program() {
    check(
        Path::new("/bin/true"),
        str![[r#"
error: benchmark `endings::group::before` could not be started: it ended unexpectedly (exit status: 0)
  hint: is `/bin/true` really Valgrind?

"#]],
    );
}

#[test]
fn a_script_that_starts_the_benchmark_without_valgrind() {
    let folder = tempfile::tempdir().unwrap();
    let text = "for last; do :; done\nexec \"$last\"";
    let script = executables::script(folder.path(), "valgrind", text);
    check(
        &script,
        str![[r#"
error: benchmark `endings::group::before` could not be started: the benchmark executable was started, but not under Valgrind
  hint: is `[..]/valgrind` really Valgrind?

"#]],
    );
}

#[test]
fn a_valgrind_that_is_named_works() {
    let home = Home::new();
    let bench = || Bench::new("endings").measure(&home);
    bench()
        .args(["--valgrind-bin", "valgrind"])
        .run()
        .code(0)
        .quiet();
    let variable = bench()
        .env("IAI_CALLGRIND_VALGRIND_BIN", "valgrind")
        .env("PATH", path());
    variable.run().code(0).quiet().unchanged();
}

fn path() -> std::ffi::OsString {
    std::env::var_os("PATH").unwrap()
}

/// Valgrind has opened its log, and the executable ends before it greets.
#[test]
fn an_executable_that_ends_early_is_not_blamed_on_valgrind() {
    let folder = tempfile::tempdir().unwrap();
    let text = "for word; do case $word in --log-file=*) log=${word#--log-file=}; esac; done\n\
                [ -n \"$log\" ] && echo > \"${log%%%p}7\"\nexit 3";
    let script = executables::script(folder.path(), "valgrind", text);
    check(
        &script,
        str![[r#"
error: benchmark `endings::group::before` could not be started: it ended unexpectedly (exit status: 3)
  hint: Valgrind has started it, and the executable ended or closed its descriptors before the benchmark: is there code that runs before `main`?

"#]],
    );
}

/// As where `target-cpu=native` has made instructions that Valgrind does not know: nothing begins.
#[test]
fn the_reason_in_the_log_of_valgrind_is_told_with_its_cure() {
    let folder = tempfile::tempdir().unwrap();
    let text = "for word; do case $word in --log-file=*) log=${word#--log-file=}; esac; done\n\
                [ -n \"$log\" ] || exit 3\n\
                { echo 'vex amd64->IR: unhandled instruction bytes: 0x62 0xF1'\n\
                echo '==7== Process terminating with default action of signal 4 (SIGILL)'\n\
                } > \"${log%%%p}7\"\nkill -ILL $$";
    let script = executables::script(folder.path(), "valgrind", text);
    check(
        &script,
        str![[r#"
error: benchmark `endings::group::before` could not be started: it ended unexpectedly (signal: 4 (SIGILL))
  valgrind: vex amd64->IR: unhandled instruction bytes: 0x62 0xF1
  valgrind: Process terminating with default action of signal 4 (SIGILL)
  hint: Valgrind does not know an instruction that was executed: build without `target-cpu=native`, or use a newer Valgrind

"#]],
    );
}
