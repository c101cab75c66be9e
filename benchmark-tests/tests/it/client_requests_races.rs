//! Requests to Helgrind and DRD. Two threads write the same word, one after the other, and no tool
//! can see the order: without annotations that is one error. A usual run takes some of the
//! scenarios, `SUITE_FULL=1` all.

use std::path::Path;

use benchmark_tests::requests::{Made, Requests};
use benchmark_tests::sample;
use benchmark_tests::valgrinds::with_each;

fn race(valgrind: &Path, tool: &str, scenario: &str) -> Made {
    Requests::under(valgrind, tool).make(&format!("races::{scenario}"))
}

/// Each scenario with what it shows.
fn check(tool: &str, scenarios: &[(&str, &[&str])]) {
    with_each(|valgrind| {
        for (scenario, expected) in sample::some(scenarios) {
            println!("{scenario}");
            race(valgrind, tool, scenario).shows(expected);
        }
    });
}

const RACE: &[&str] = &["errors=1"];
const NO_RACE: &[&str] = &["errors=0"];

#[test]
fn helgrind_knows_an_order_that_it_was_told() {
    check(
        "helgrind",
        &[
            ("unordered", RACE),
            ("read_after_write", RACE),
            ("hg::happens_before", NO_RACE),
            ("hg::happens_before_another", RACE),
            ("hg_forget_all", RACE),
            ("hg::rwlock", &["errors=0", "errors_after_destroy=0"]),
            ("hg_mutex", &["errors=0", "errors_after_destroy=0"]),
            ("hg_semaphore", NO_RACE),
            ("hg_barrier", &["errors=0", "errors_after_destroy=0"]),
            ("hg_barrier_resized", NO_RACE),
            ("hg_barrier_too_large", RACE),
        ],
    );
}

#[test]
fn helgrind_forgets_what_was_done_with_memory() {
    check(
        "helgrind",
        &[
            ("hg::new_memory", NO_RACE),
            ("hg_clean_memory", NO_RACE),
            ("hg_clean_ref", NO_RACE),
            ("hg_disable_checking", NO_RACE),
            ("hg_enable_checking", RACE),
            (
                "hg_memory",
                &[
                    "clean_memory_heapblock=32",
                    "clean_memory_heapblock_unknown=-1",
                    "get_abits=(4, [255, 255, 255, 255])",
                    "get_abits_disabled=(2, [0, 0, 255, 255])",
                    "errors=0",
                ],
            ),
        ],
    );
}

#[test]
fn helgrind_finds_misuse_of_what_was_annotated() {
    check(
        "helgrind",
        &[
            (
                "hg::rwlock_destroyed",
                &["errors=0", "errors_after_destroy=1"],
            ),
            (
                "hg_mutex_destroyed",
                &["errors=0", "errors_after_destroy=1"],
            ),
            ("hg_mutex_not_locked", RACE),
            ("hg_mutex_twice", &["twice=1", "recursive=0", "is_try=0"]),
            ("hg_rwlock_unknown", &["errors=0", "errors_unknown=1"]),
            ("hg_semaphore_values", &["one=0", "zero=1", "destroyed=1"]),
            ("hg_barrier_destroyed", &["errors=0", "errors_again=1"]),
        ],
    );
}

#[test]
fn drd_knows_an_order_that_it_was_told() {
    check(
        "drd",
        &[
            ("unordered", RACE),
            ("read_after_write", RACE),
            ("dr::happens_before", NO_RACE),
            ("dr::happens_before_another", RACE),
            ("dr::rwlock", &["errors=0", "errors_after_destroy=0"]),
            ("dr::new_memory", NO_RACE),
            ("drd_semaphore", &["errors=0", "errors_after_destroy=0"]),
        ],
    );
}

#[test]
fn drd_does_not_look_where_it_was_told_not_to() {
    check(
        "drd",
        &[
            ("drd_ignore_var", NO_RACE),
            ("drd_stop_ignoring_var", RACE),
            ("drd_benign_race", NO_RACE),
            ("drd_benign_race_sized", NO_RACE),
            ("drd_ignore_writes", NO_RACE),
            ("drd_ignore_writes_ended", RACE),
            ("drd_ignore_reads", NO_RACE),
            ("drd_ignore_reads_and_writes", NO_RACE),
            // While the guard lives, and after it.
            ("drd_guards", &["errors=0", "errors=1"]),
        ],
    );
}

#[test]
fn drd_finds_misuse_of_what_was_annotated() {
    check(
        "drd",
        &[
            (
                "dr::rwlock_destroyed",
                &["errors=0", "errors_after_destroy=1"],
            ),
            ("drd_rwlock_created_twice", &["errors=0", "errors_again=1"]),
            ("drd_semaphore_values", &["one=0", "zero=1", "destroyed=1"]),
            (
                "drd_semaphore_waited_for",
                &["errors=0", "errors_after_destroy=1"],
            ),
        ],
    );
}

#[test]
fn drd_says_who_does_what() {
    with_each(|valgrind| {
        race(valgrind, "drd", "drd_ids").shows(&["ids=(1, 1)", "ids_of_thread=(2, 2)"]);
        race(valgrind, "drd", "drd_thread_name")
            .shows(RACE)
            .logs(&[("Thread 3 (the second writer):", 1)]);
        // One write of three, and one read; one write while a guard lived.
        race(valgrind, "drd", "drd_trace").logs(&[(" store 0x", 1), (" load  0x", 1)]);
        race(valgrind, "drd", "drd_guards").logs(&[(" store 0x", 1)]);
    });
}
