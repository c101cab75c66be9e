//! `fast_setup` and `instructions_only` against runs without.

use std::path::Path;

use benchmark_tests::{valgrinds, Bench, Ended, Home};

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

#[test]
fn counts_do_not_depend_on_it() {
    let branches = "--callgrind-args=--branch-sim=yes";
    valgrinds::with_each(|valgrind| {
        let ran = |arguments: &[&str]| {
            let home = Home::new();
            let ended = run(&home, valgrind, &[&["::group::"], arguments].concat());
            (home, ended)
        };
        let (slow, said) = ran(&[branches]);
        said.says(&[
            "what it counts explains less than a fifth",
            "hint: `--fast-setup`",
        ]);
        let (fast, said) = ran(&[branches, "--fast-setup"]);
        said.quiet();
        let expected = counts(&slow, EXECUTED);
        assert_eq!(counts(&fast, EXECUTED), expected);
        // Alone, in another order and in processes of their own: the same events.
        let all = counts(&fast, ALL);
        let (direct, _) = ran(&[branches, "--fast-setup", "--fork=no"]);
        assert_eq!(counts(&direct, EXECUTED), expected);
        let (again, _) = ran(&[branches, "--fast-setup", "--parallel=2"]);
        assert_eq!(counts(&again, ALL), all);
        let instructions =
            |counts: &[Vec<u64>]| counts.iter().map(|row| row[0]).collect::<Vec<_>>();
        let only = [&["::group::"][..], &["--instructions-only", branches]].concat();
        let plain = Home::new();
        let is_fast = |path: &str| {
            let path = format!("fast_setup::group::{path}");
            plain.profile(&path, "callgrind")["environment"]["fast_setup"].clone()
        };
        // What a setup costs is known after the first run. A cheap one is slower with it.
        run(&plain, valgrind, &only).without("L1 Hits");
        assert_eq!(is_fast("get::big"), false);
        for _ in 0..2 {
            run(&plain, valgrind, &only).quiet();
            assert_eq!(is_fast("get::big"), true);
            assert_eq!(is_fast("region::part"), false);
            assert_eq!(
                instructions(&counts(&plain, &["Ir"])),
                instructions(&expected)
            );
        }
        let no = [&only[..], &["--fast-setup=no"]].concat();
        run(&plain, valgrind, &no);
        assert_eq!(is_fast("get::big"), false);
        let alone = [&only[..], &["--fork=no", "region"]].concat();
        run(&plain, valgrind, &alone);
        assert_eq!(is_fast("region::part"), true);
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
        "cache events and cycles are not judged",
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
