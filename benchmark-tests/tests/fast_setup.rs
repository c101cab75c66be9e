//! `fast_setup` and `instructions_only` against runs without.

use std::path::Path;
use std::time::Duration;

use benchmark_tests::{valgrinds, Bench, Ended, Home};
use nix::sys::resource::{getrusage, UsageWho};
use nix::sys::time::TimeVal;

const PATHS: [&str; 3] = ["get::big", "lengths::with_teardown", "region::part"];

fn run(home: &Home, valgrind: &Path, arguments: &[&str]) -> Ended {
    let bench = Bench::new("fast_setup").measure(home).args(arguments);
    bench.arg("--valgrind-bin").arg(valgrind).run().code(0)
}

/// These metrics of every benchmark.
fn counts(home: &Home, kinds: &[&str]) -> Vec<Vec<u64>> {
    let of_path = |path: &&str| {
        let path = format!("fast_setup::group::{path}");
        kinds.iter().map(|kind| home.count(&path, kind)).collect()
    };
    PATHS.iter().map(of_path).collect()
}

const EXECUTED: &[&str] = &["Ir", "Dr", "Dw"];
const ALL: &[&str] = &[
    "Ir", "Dr", "Dw", "I1mr", "D1mr", "D1mw", "ILmr", "DLmr", "DLmw", "Bc", "Bcm", "Bi", "Bim",
];

/// Processor time of processes that have ended.
fn processor_time() -> Duration {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).unwrap();
    let time = |value: TimeVal| Duration::new(value.tv_sec() as u64, value.tv_usec() as u32 * 1000);
    time(usage.user_time()) + time(usage.system_time())
}

/// One test: processor time is that of one run at a time.
#[test]
fn setups_are_fast_and_counts_the_same() {
    let branches = "--callgrind-args=--branch-sim=yes";
    valgrinds::with_each(|valgrind| {
        let timed = |arguments: &[&str]| {
            let home = Home::new();
            let before = processor_time();
            let ended = run(&home, valgrind, &[&["::group::"], arguments].concat());
            (home, ended, processor_time() - before)
        };
        let (slow, said, slow_time) = timed(&[branches]);
        said.says(&[
            "what it counts explains less than a fifth",
            "hint: `--fast-setup`",
        ]);
        let (fast, said, fast_time) = timed(&[branches, "--fast-setup"]);
        said.quiet();
        println!("{slow_time:?}, with fast setup {fast_time:?}");
        assert!(fast_time * 3 < slow_time, "{fast_time:?} {slow_time:?}");
        let expected = counts(&slow, EXECUTED);
        assert_eq!(counts(&fast, EXECUTED), expected);
        // Alone, in another order and in processes of their own: the same events.
        let all = counts(&fast, ALL);
        let (direct, ..) = timed(&[branches, "--fast-setup", "--fork=no"]);
        assert_eq!(counts(&direct, EXECUTED), expected);
        let (again, ..) = timed(&[branches, "--fast-setup", "--parallel=2"]);
        assert_eq!(counts(&again, ALL), all);
        let (plain, said, _) = timed(&["--instructions-only", branches]);
        said.quiet().without("L1 Hits");
        let instructions =
            |counts: &[Vec<u64>]| counts.iter().map(|row| row[0]).collect::<Vec<_>>();
        assert_eq!(
            instructions(&counts(&plain, &["Ir"])),
            instructions(&expected)
        );
        let profile = plain.profile("fast_setup::group::get::big", "callgrind");
        assert_eq!(profile["environment"]["fast_setup"], true);
    });
}

/// Instructions of both are compared, and cache events are shown only.
#[test]
fn results_with_and_without_are_compared_as_far_as_they_can_be() {
    let valgrind = &valgrinds::all()[0];
    let home = Home::new();
    let limits = "--callgrind-limits=ir=0%,estimatedcycles=0%";
    run(&home, valgrind, &["lengths", limits]).quiet();
    let ended = run(&home, valgrind, &["lengths", limits, "--fast-setup"]);
    ended.says(&[
        "the last run was made without `fast_setup`, this one with",
        "soft limits on cache events, mispredicted branches and cycles are not checked",
    ]);
    run(&home, valgrind, &["lengths", limits, "--fast-setup"])
        .quiet()
        .unchanged();
    // Without simulation there is nothing to say about the caches, and instructions are the same.
    let ended = run(
        &home,
        valgrind,
        &["lengths", "--callgrind-limits=ir=0%", "--instructions-only"],
    );
    ended
        .quiet()
        .shows(&["Instructions:", "(No change)", "L1 Hits:", "N/A|"]);
}

#[test]
fn what_cannot_be_fast_is_said_if_it_was_configured() {
    let valgrind = &valgrinds::all()[0];
    let home = Home::new();
    let ended = run(&home, valgrind, &["::refused::"]);
    ended.says(&["`fast_setup` has no effect: with another entry point"]);
}
