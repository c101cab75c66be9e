//! The order of setups, benchmarks and teardowns, also if something fails.

use std::fs;

use benchmark_tests::{Bench, Ended, Home};

/// Runs with a failure; returns what happened, in order.
fn run(bench: Bench, fails: &str) -> (Ended, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let order = folder.path().join("order");
    let ended = bench.env("ORDER", &order).env("FAILS", fails).run();
    let text = fs::read_to_string(&order).unwrap_or_default();
    (ended, text.lines().map(str::to_owned).collect())
}

#[track_caller]
fn check(fails: &str, code: i32, expected: &[&str]) -> Ended {
    let home = Home::new();
    let (ended, mut order) = run(Bench::new("hooks").measure(&home), fails);
    // A benchmark that fails runs once more without Valgrind, before what is around it ends.
    if let Some(again) = order.iter().rposition(|name| name == fails) {
        if order.iter().filter(|name| *name == fails).count() > 1 {
            assert_eq!(order.remove(again), fails);
            assert_eq!(order[again], "group teardown", "{ended}");
        }
    }
    assert_eq!(order, expected, "{ended}");
    // Without a tool it is the same.
    let (tested, order) = run(Bench::new("hooks"), fails);
    assert_eq!(order, expected, "{tested}");
    tested.code(i32::from(code != 0));
    ended.code(code)
}

#[test]
fn setups_come_before_and_teardowns_after() {
    let order = [
        "main setup",
        "group setup",
        "first a",
        "first b",
        "group teardown",
        "second",
        "main teardown",
    ];
    check("", 0, &order).quiet();
}

#[test]
fn only_what_is_selected_is_set_up() {
    let home = Home::new();
    let (ended, order) = run(Bench::new("hooks").measure(&home).arg("second"), "");
    ended.code(0);
    assert_eq!(order, ["main setup", "second", "main teardown"]);
    let (ended, order) = run(Bench::new("hooks").measure(&home).arg("nothing"), "");
    ended.code(0);
    assert!(order.is_empty());
}

#[test]
fn teardowns_run_although_a_benchmark_failed() {
    let order = [
        "main setup",
        "group setup",
        "first a",
        "first b",
        "group teardown",
        "second",
        "main teardown",
    ];
    check("first a", 1, &order).says(&[
        "error: benchmark `hooks::with_hooks::first::a` panicked\n",
        "  | first a prints this\n",
    ]);
}

#[test]
fn without_its_setup_no_benchmark_of_a_group_runs() {
    let order = ["main setup", "group setup", "second", "main teardown"];
    check("group setup", 1, &order)
        .says(&[
            "error: setup of `with_hooks` panicked\n",
            "  | group setup prints this\n",
        ])
        .shows(&["Failed. 1 without regressions; 0 regressed; 0 compared; 1 new; 2 failed; "]);
}

#[test]
fn without_the_setup_of_the_file_nothing_runs() {
    check("main setup", 1, &["main setup"])
        .says(&["error: setup of `main!` panicked\n"])
        .shows(&["Failed. 0 without regressions; 0 regressed; 0 compared; 3 failed; "]);
}

#[test]
fn a_teardown_that_fails_is_an_error() {
    let order = [
        "main setup",
        "group setup",
        "first a",
        "first b",
        "group teardown",
        "second",
        "main teardown",
    ];
    check("group teardown", 1, &order).says(&["error: teardown of `with_hooks` panicked\n"]);
    check("main teardown", 1, &order).says(&["error: teardown of `main!` panicked\n"]);
}
