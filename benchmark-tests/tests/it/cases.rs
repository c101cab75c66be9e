//! Cases that are not written one by one.

use benchmark_tests::{Bench, Home};

/// Upper bound of the cost of the function around the rounds.
const LITTLE: u64 = 10;

#[track_caller]
fn check(home: &Home, benchmark: &str, rounds: u64) {
    let count = home.count(&format!("cases::group::{benchmark}"), "Ir");
    let expected = 2 * rounds..2 * rounds + LITTLE;
    assert!(expected.contains(&count), "{benchmark}: {count}");
}

#[test]
fn each_line_of_a_file_is_a_case() {
    let home = Home::new();
    let bench = Bench::new("cases").measure(&home).arg("characters");
    let ended = bench.run().code(0).quiet();
    ended.shows(&[
        "cases::group::characters line_0:length(\"10\") (line 1)\n",
        "cases::group::characters line_1:length(\"\") (line 2)\n",
        "cases::group::characters line_2:length(\"12 \") (line 3)\n",
    ]);
    for (id, length) in [("line_0", 2), ("line_1", 0), ("line_2", 3)] {
        check(&home, &format!("characters::{id}"), 10 + length);
    }
    assert!(!home.has("cases::group::characters::line_3"));
}

#[test]
fn each_element_is_a_case() {
    let home = Home::new();
    let bench = Bench::new("cases").measure(&home).arg("elements");
    let ended = bench.run().code(0).quiet();
    ended.shows(&["cases::group::elements of_1:200\n"]);
    for (id, rounds) in [("of_0", 100), ("of_1", 200), ("of_2", 300)] {
        check(&home, &format!("elements::{id}"), rounds);
    }
    let home = Home::new();
    let bench = Bench::new("cases").measure(&home).arg("elements::of_2");
    bench.run().code(0).quiet();
    check(&home, "elements::of_2", 300);
}

#[test]
fn an_iterator_that_changes_is_an_error() {
    let home = Home::new();
    let bench = Bench::new("cases").measure(&home).arg("changing");
    bench.run().code(1).says(&[
        "benches/cases.rs:",
        "`iter` gave 2 elements when the benchmarks were listed and 3 when element 0 was to be measured",
        "when element 1 was to be measured",
    ]);
    assert!(!home.has("cases::group::changing::of_0"));
}

#[test]
fn values_of_const_generics() {
    let home = Home::new();
    let bench = Bench::new("cases").measure(&home).arg("sized");
    let ended = bench.run().code(0).quiet();
    ended.shows(&[
        "cases::group::sized one:<1000>()\n",
        "cases::group::sized several_1:<3000>()\n",
    ]);
    for (id, rounds) in [("one", 1000), ("several_0", 2000), ("several_1", 3000)] {
        check(&home, &format!("sized::{id}"), rounds);
    }
}

#[test]
fn labels_stand_for_the_arguments() {
    let home = Home::new();
    let bench = Bench::new("cases").measure(&home).arg("labelled");
    let ended = bench.run().code(0).quiet();
    ended.shows(&[
        "cases::group::labelled one:seven\n",
        "cases::group::labelled two_0:ein Stück\n",
        "cases::group::labelled two_1:zwei Stücke\n",
    ]);
    check(&home, "labelled::one", 7);
}

#[test]
fn all_cases_are_listed_and_run_as_tests() {
    let list = Bench::new("cases").args(["--list", "--format", "terse"]);
    let list = list.run().code(0).quiet().stdout;
    let ids: Vec<&str> = list
        .lines()
        .filter_map(|line| line.strip_prefix("cases::group::elements::"))
        .collect();
    assert_eq!(
        ids,
        ["of_0: benchmark", "of_1: benchmark", "of_2: benchmark"]
    );
    let ended = Bench::new("cases").args(["--skip", "changing"]).run();
    ended.code(0).shows(&[
        "test cases::group::elements::of_2 ... ok\n",
        "test result: ok. 12 passed; 0 failed",
    ]);
}
