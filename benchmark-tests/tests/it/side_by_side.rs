//! Two runs at the same time in one home.

use std::fs;

use benchmark_tests::bench::{wait_until, Copied};
use benchmark_tests::{Bench, Home};
use nix::sys::signal::Signal;

#[test]
fn two_files_do_not_disturb_each_other() {
    let home = Home::new();
    let runs = || [Bench::new("counts"), Bench::new("endings")];
    for bench in runs() {
        bench.measure(&home).run().code(0).quiet();
    }
    let both = runs().map(|bench| bench.measure(&home).start());
    for run in both {
        run.wait().code(0).quiet().unchanged();
    }
    assert!(!home.names().iter().any(|name| name.contains("/.work-")));
}

#[test]
fn the_second_run_of_a_file_waits_and_says_for_whom() {
    let copied = Copied::new("endings");
    let home = Home::new();
    copied.bench().measure(&home).run().code(0);

    let started = copied.beside("started");
    let bench = copied.bench().measure(&home).env("ENDING", "spins");
    let first = bench.env("STARTED", &started).start();
    wait_until("the first runs", || started.exists());

    let second = copied.bench().measure(&home).start();
    let waiting = format!(
        "warning: waiting for another run of `endings` (process {})\n",
        first.pid()
    );
    wait_until("the second waits", || second.stderr() == waiting);
    first.signal(Signal::SIGTERM);
    first.wait().signalled(Signal::SIGTERM);
    let second = second.wait().code(0).unchanged();
    assert_eq!(second.stderr, waiting);
}

#[test]
fn both_runs_of_a_file_succeed() {
    let home = Home::new();
    let run = || Bench::new("endings").measure(&home);
    run().run().code(0);
    for run in [run().start(), run().start()] {
        run.wait().code(0).unchanged();
    }
}

#[test]
fn a_signal_ends_the_wait() {
    let copied = Copied::new("endings");
    let home = Home::new();
    let started = copied.beside("started");
    let bench = copied.bench().measure(&home).env("ENDING", "spins");
    let first = bench.env("STARTED", &started).start();
    wait_until("the first runs", || started.exists());
    let second = copied.bench().measure(&home).start();
    wait_until("the second waits", || second.stderr().contains("waiting"));
    // Not SIGINT, which is ignored in what a shell starts in the background.
    second.signal(Signal::SIGTERM);
    second.wait().signalled(Signal::SIGTERM);
    first.signal(Signal::SIGTERM);
    first.wait();
}

/// The lock belongs to an open file and not to its text.
#[test]
fn a_lock_file_that_was_left_is_no_lock() {
    let home = Home::new();
    let folder = home.path().join("measured-benchmarks/endings");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(".lock"), "process 1\n").unwrap();
    Bench::new("endings").measure(&home).run().code(0).quiet();
}
