//! `main!` without a list of groups, and functions that a list has forgotten.

use benchmark_tests::{Bench, Home};

const ALL: [(&str, u64); 6] = [
    ("main::last_in_the_alphabet", 1000),
    ("main::first_in_the_alphabet", 1_000_000),
    ("inner::rounds_of::short", 2000),
    ("inner::rounds_of::few_0", 3000),
    ("inner::rounds_of::few_1", 4000),
    ("inner::deeper::hidden", 5000),
];

#[test]
fn every_function_runs_grouped_by_module_in_the_order_of_the_source() {
    let list = Bench::new("without_list").args(["--list", "--format=terse"]);
    let list = list.run().code(0).quiet().stdout;
    let expected: String = ALL
        .iter()
        .map(|(address, _)| format!("without_list::{address}: benchmark\n"))
        .collect();
    assert_eq!(list, expected);

    let home = Home::new();
    let ended = Bench::new("without_list").measure(&home).run();
    let ended = ended.code(0).quiet();
    let headlines: Vec<&str> = ended
        .stdout
        .lines()
        .filter_map(|line| line.strip_prefix("without_list::"))
        .collect();
    let addresses = headlines.iter().map(|line| {
        let (path, args) = line.split_once(' ').unwrap_or((line, ""));
        let id = args.split(':').next().unwrap_or_default();
        format!("{path}::{id}").trim_end_matches("::").to_owned()
    });
    let expected = ALL.iter().map(|(address, _)| (*address).to_owned());
    assert_eq!(addresses.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
}

#[test]
fn figures_and_filters() {
    let home = Home::new();
    for (address, rounds) in ALL {
        let bench = Bench::new("without_list").measure(&home);
        let ended = bench.args(["--exact", &format!("without_list::{address}")]);
        let ended = ended.run().code(0).quiet();
        let line = ended
            .stdout
            .lines()
            .find(|line| line.contains("Instructions"));
        let count = line.and_then(|line| line.split([':', '|']).nth(1));
        let count: u64 = count.unwrap().trim().parse().unwrap();
        // One of them reads a variable.
        assert!(
            (2 * rounds..2 * rounds + 1000).contains(&count),
            "{address}: {count}"
        );
    }
    let tests = Bench::new("without_list").run().code(0);
    tests.shows(&["test result: ok. 6 passed; 0 failed"]);
}

#[test]
fn a_forgotten_function_is_named() {
    let home = Home::new();
    let ended = Bench::new("unlisted").measure(&home).run().code(0);
    let warnings: Vec<&str> = ended.stderr.lines().collect();
    let [first, second, third] = warnings.as_slice() else {
        panic!("{ended}");
    };
    assert!(
        first.starts_with("warning: ")
            && first.contains("benches/unlisted.rs:10: forgotten is in no group"),
        "{first}"
    );
    assert!(
        second.contains("benches/unlisted.rs:17: forgotten_too is in no group"),
        "{second}"
    );
    let expected = "benches/unlisted.rs:25: the `iter` of `group::empty::none` has no elements, so there is no \
                    benchmark of it";
    assert!(third.contains(expected), "{third}");
}
