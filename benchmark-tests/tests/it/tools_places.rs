//! Sandboxes, working directories, and benchmarks that have to end in another way than by return.

use std::fs;
use std::path::Path;

use benchmark_tests::bench::wait_until;
use benchmark_tests::{Bench, Ended, Home};
use nix::sys::signal::Signal;

fn run(home: &Home, arguments: &[&str]) -> Ended {
    Bench::new("tools_places")
        .measure(home)
        .args(arguments)
        .run()
}

/// Runs it in a fork and in a process of its own, and returns where it ran.
#[track_caller]
fn place(group: &str) -> [(String, String); 2] {
    ["--fork=yes", "--fork=no"].map(|mode| {
        let home = Home::new();
        let ended = run(&home, &[&format!("::{group}::"), "--nocapture", mode])
            .code(0)
            .quiet();
        let said = |key: &str| {
            let line = ended.stdout.lines().find_map(|line| line.strip_prefix(key));
            line.unwrap_or_else(|| panic!("{ended}")).to_owned()
        };
        let said = (said("here: "), said("holds: "));
        // Neither the sandbox nor what the benchmark left in it is there any more.
        let names = home.names();
        assert!(
            !names
                .iter()
                .any(|name| name.contains("sandbox/") || name.contains(".work")),
            "{names:?}"
        );
        said
    })
}

#[test]
fn without_configuration_benchmarks_run_where_cargo_starts_them() {
    for (here, _) in place("as_cargo") {
        assert_eq!(here, concat!(env!("CARGO_MANIFEST_DIR"), "/measured"));
    }
}

#[test]
fn a_sandbox_holds_the_fixtures_and_is_removed() {
    for (here, holds) in place("sandboxed") {
        assert!(here.ends_with("/sandbox"), "{here}");
        assert_eq!(holds, "Cargo.toml src");
        assert!(!Path::new(&here).exists());
    }
}

/// Is there a path below this one that ends like this? Others come and go at the same time.
fn exists(directory: &Path, end: &str) -> bool {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).any(|path| {
        path.ends_with(end) || (!path.is_symlink() && path.is_dir() && exists(&path, end))
    })
}

#[test]
fn a_sandbox_is_removed_whatever_ends_the_run() {
    for (signal, mode) in [
        (Signal::SIGINT, "--fork=yes"),
        (Signal::SIGTERM, "--fork=no"),
        (Signal::SIGKILL, "--fork=yes"),
    ] {
        let home = Home::new();
        let bench = || {
            Bench::new("tools_places")
                .measure(&home)
                .args(["::spinning::", mode])
        };
        let run = bench().env("SPIN", "yes").start();
        wait_until("the benchmark runs", || {
            exists(home.path(), "sandbox/started")
        });
        assert!(exists(home.path(), "sandbox/src/lib.rs"));
        run.signal(signal);
        run.wait().signalled(signal);
        if signal == Signal::SIGKILL {
            // Nobody was there to do it; the next run does.
            bench().run().code(0).quiet();
        }
        let names = home.names();
        assert!(
            !names.iter().any(|name| name.contains("/.work-")),
            "{names:?}"
        );
    }
}

#[test]
fn directories_lie_in_the_sandbox_or_where_cargo_starts_benchmarks() {
    for (here, holds) in place("in_fixture") {
        assert!(here.ends_with("/sandbox/src"), "{here}");
        assert!(holds.contains("lib.rs"), "{holds}");
    }
    for (here, _) in place("elsewhere") {
        assert_eq!(here, concat!(env!("CARGO_MANIFEST_DIR"), "/measured/src"));
    }
}

#[test]
fn what_is_missing_is_an_error_of_the_benchmark() {
    let home = Home::new();
    run(&home, &["no_fixture"]).code(1).says(&[
        "cannot copy the fixture `",
        "benchmark-tests/no-such-file` into the sandbox",
        "hint: relative paths of fixtures begin at the root of the workspace",
        "No such file or directory",
    ]);
    run(&home, &["nowhere"]).code(1).says(&[
        "cannot run a benchmark in `",
        "no-such-directory`",
        "No such file or directory",
    ]);
    assert!(!home.names().iter().any(|name| name.contains(".work")));
}

#[test]
fn benchmarks_can_be_expected_to_end_otherwise() {
    let measured = |home: &Home, group: &str, function: &str| {
        home.has(&format!("tools_places::{group}::{function}"))
    };
    let ended = |function: &str| match function {
        "panics" => "panicked",
        "exits" => "ended with exit code 3",
        "aborts" => "was ended by signal 6 (SIGABRT)",
        _ => "returned",
    };
    for (group, fine, expected) in [
        ("to_fail", &["panics", "exits", "aborts"][..], "fail"),
        ("to_exit_with_three", &["exits"], "end with exit code 3"),
        ("to_abort", &["aborts"], "be ended by signal 6 (SIGABRT)"),
    ] {
        let home = Home::new();
        let mut run = run(&home, &[group]).code(1);
        for function in ["panics", "exits", "aborts", "returns"] {
            let is_fine = fine.contains(&function);
            assert_eq!(
                measured(&home, group, function),
                is_fine,
                "{group} {function}"
            );
            let how = ended(function);
            let text = format!("::{group}::{function}` {how}, but was to {expected}");
            run = match is_fine {
                true => run.without(&text),
                false => run.says(&[&text]),
            };
        }
        if fine.contains(&"exits") {
            let ir = home.count(&format!("tools_places::{group}::exits"), "Ir");
            assert!(ir > 0);
        }
    }
}
