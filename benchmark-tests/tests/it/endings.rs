//! Benchmarks that do not return: what is said, what else runs, and what stays.

use std::fs;

use benchmark_tests::bench::{wait_until, Copied};
use benchmark_tests::{processes, Bench, Ended, Home};
use nix::sys::signal::{kill, Signal};
use nix::unistd::Pid;
use snapbox::{assert_data_eq, str, IntoData};

/// A run that went well, a failing one, and one that went well again: nothing of the second stays.
fn check(arguments: &[&str], expected: impl IntoData, fail: impl FnOnce(&Home) -> Ended) {
    let home = Home::new();
    let good = || {
        let bench = Bench::new("endings").measure(&home).args(arguments);
        bench.run().code(0).quiet()
    };
    good();
    let before = home.results();
    let ended = fail(&home).code(1);
    assert_data_eq!(&ended.stderr, expected);
    assert_data_eq!(
        &ended.stdout,
        str![[r#"
endings::group::before
...
endings::group::ends ending()
endings::group::after
...

Iai-Callgrind result: Failed. 2 without regressions; 0 regressed; 2 compared; 1 failed; 2 benchmarks finished in [..]s
  Failed: endings::group::ends

"#]]
    );
    let mut after = home.results();
    // The others have new results, and the failed one exactly the old ones.
    let is_failed = |name: &String| name.contains("/ends/");
    let failed = |all: &std::collections::BTreeMap<String, Vec<u8>>| {
        all.clone()
            .into_iter()
            .filter(|(name, _)| is_failed(name))
            .collect::<Vec<_>>()
    };
    assert_eq!(failed(&before), failed(&after));
    after.retain(|name, _| !name.ends_with(".old"));
    assert!(after.keys().eq(before.keys()), "{:?}", home.names());
    good().unchanged();
}

fn check_ending(ending: &str, expected: impl IntoData) {
    check(&[], expected, |home| {
        Bench::new("endings")
            .measure(home)
            .env("ENDING", ending)
            .run()
    });
}

#[test]
fn a_panic() {
    check_ending(
        "panics",
        str![[r#"
error: benchmark `endings::group::ends` panicked
  hint: `RUST_BACKTRACE=1 cargo bench --bench endings -- --test --exact endings::group::ends` shows a backtrace; measured runs do not get this variable
  output:
  | stdout before it panics
  | stderr before it panics
  | 
  | thread 'main' ([..]) panicked at benchmark-tests/measured/benches/endings.rs:[..]:
  | on purpose
  | note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace

"#]],
    );
}

/// Whether arguments are made, the function runs, or its result is dropped, in both modes and
/// without Valgrind.
#[test]
fn a_panic_outside_of_the_function_is_told_apart() {
    let before =
        "note: it panicked before the benchmark function began: in its setup or arguments\n";
    let after =
        "note: it panicked after the benchmark function returned: in its teardown or a drop\n";
    for (ending, said) in [
        ("panics", None),
        ("panics in the setup", Some(before)),
        ("panics in a drop", Some(after)),
    ] {
        for way in ["--fork=yes", "--fork=no", "--test"] {
            let bench = Bench::new("endings").measure(&Home::new()).arg(way);
            let ended = bench.arg("::ends").env("ENDING", ending).run().code(1);
            let text = ended.stdout.clone() + &ended.stderr;
            for note in [before, after] {
                assert_eq!(text.contains(note), said == Some(note), "{way} {ended}");
            }
            assert!(text.contains("on purpose"), "{way} {ended}");
        }
    }
}

/// A process below Valgrind has less address space.
#[test]
fn what_fails_under_valgrind_alone_is_told_apart() {
    let expected = str![[r#"
error: benchmark `endings::group::ends` panicked
  passes without Valgrind
  hint: below Valgrind these fail most often: reservations of much address space (16 GiB work, 200 GiB do not), instructions and system calls that it does not know, and calls of the vDSO
  output:
  | 
  | thread 'main' ([..]) panicked at benchmark-tests/measured/benches/endings.rs:[..]:
  | no address space
  | note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace

"#]];
    check_ending("reserves", expected);
}

#[test]
fn exit_code_0_is_no_success() {
    check_ending(
        "exits 0",
        str![[r#"
error: benchmark `endings::group::ends` ended with exit code 0 before it returned; its count would not be whole
  hint: return from the benchmark function instead of ending the process
  output:
  | stdout before it exits
  | stderr before it exits

"#]],
    );
}

#[test]
fn exit_code_3() {
    check_ending(
        "exits 3",
        str![[r#"
error: benchmark `endings::group::ends` ended with exit code 3 before it returned; its count would not be whole
  hint: return from the benchmark function instead of ending the process
  output:
  | stdout before it exits
  | stderr before it exits

"#]],
    );
}

/// The code with which a process ends whose benchmark returned is no proof that it did.
#[test]
fn the_exit_code_of_a_return() {
    check_ending(
        "exits 86",
        str![[r#"
error: benchmark `endings::group::ends` ended with exit code 86 before it returned; its count would not be whole
  hint: a benchmark that returns tells the runner so and ends with this code, but the runner was told nothing: the benchmark closed or replaced file descriptors that it did not open, as `close_range` and `closefrom` do, or it called `exit` itself; close only your own descriptors
  output:
  | stdout before it exits
  | stderr before it exits

"#]],
    );
}

#[test]
fn an_abort() {
    check_ending(
        "aborts",
        str![[r#"
error: benchmark `endings::group::ends` was ended by signal 6 (SIGABRT)
...
  output:
  | stdout before it aborts
  | stderr before it aborts

"#]],
    );
}

#[test]
fn a_segmentation_fault() {
    check_ending(
        "segfaults",
        str![[r#"
error: benchmark `endings::group::ends` was ended by signal 11 (SIGSEGV)
...
  output:
  | stdout before it segfaults
  | stderr before it segfaults

"#]],
    );
}

/// Kills a Valgrind while the benchmark runs, as the kernel does when memory runs out.
fn kill_valgrind(bench: Bench, copied: &Copied, which: fn(&[i32]) -> i32) -> Ended {
    let started = copied.beside("started");
    let bench = bench.env("ENDING", "spins once");
    let run = bench.env("STARTED", &started).start();
    wait_until("the benchmark runs", || started.exists());
    let valgrind = which(&processes::valgrinds(copied.path()));
    kill(Pid::from_raw(valgrind), Signal::SIGKILL).unwrap();
    run.wait()
}

#[test]
fn the_valgrind_of_the_benchmark_is_killed() {
    for arguments in [&[][..], &["--fork=no"]] {
        let expected = str![[r#"
error: benchmark `endings::group::ends` was ended by signal 9 (SIGKILL)
  output:
  | stdout before it spins
  | stderr before it spins

"#]];
        check(arguments, expected, |home| {
            let copied = Copied::new("endings");
            let bench = copied.bench().measure(home).args(arguments);
            kill_valgrind(bench, &copied, |all| all[all.len() - 1])
        });
    }
}

/// The process that forks for each benchmark is replaced; it is not the fault of any of them.
#[test]
fn the_valgrind_that_forks_is_killed() {
    let copied = Copied::new("endings");
    let home = Home::new();
    let started = copied.beside("started");
    fs::write(&started, "").unwrap();
    let bench = copied.bench().measure(&home).env("STARTED", &started);
    bench.env("ENDING", "spins once").run().code(0).quiet();
    fs::remove_file(&started).unwrap();
    let ended = kill_valgrind(copied.bench().measure(&home), &copied, |all| all[0]);
    let told = "warning: endings::group::ends: its process was lost and is replaced\n";
    let ended = ended.code(0).unchanged();
    assert_eq!(ended.stderr, told);
}

/// The time is for a benchmark that never ends; one that ends does so in it on a busy machine too.
/// That the benchmark has stopped who notices its end changes nothing.
fn check_too_long(fork: &str) {
    let arguments = ["--timeout=15", fork];
    let expected = str![[r#"
error: benchmark `endings::group::ends` took longer than 15s and was stopped
  hint: `--timeout=<seconds>` sets another limit
  output:
  | stdout before it spins
  | stderr before it spins

"#]];
    check(&arguments, expected, |home| {
        let folder = tempfile::tempdir().unwrap();
        let bench = Bench::new("endings").measure(home).args(arguments);
        let bench = bench.env("STARTED", folder.path().join("started"));
        let ended = bench.env("ENDING", "stops above").run();
        assert!(folder.path().join("started").exists());
        ended
    });
}

#[test]
fn a_fork_that_takes_too_long() {
    check_too_long("--fork=yes");
}

#[test]
fn a_process_that_takes_too_long() {
    check_too_long("--fork=no");
}
