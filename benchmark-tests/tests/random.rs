//! The executable's own source of random numbers.

use std::collections::BTreeSet;

use benchmark_tests::{Bench, Home};

const RUNS: usize = 8;

/// The different counts of a benchmark in several runs.
fn counts(home: &Home, benchmark: &str) -> BTreeSet<u64> {
    let filter = benchmark.rsplit("::").next().unwrap();
    let count = |_| {
        Bench::new("random").measure(home).arg(filter).run().code(0);
        home.count(benchmark, "Ir")
    };
    (0..RUNS).map(count).collect()
}

#[test]
fn a_hash_map_has_one_count_in_both_modes() {
    let home = Home::new();
    let forked = counts(&home, "random::hashing::map::deterministic");
    assert_eq!(forked.len(), 1, "{forked:?}");
    assert_eq!(counts(&home, "random::hashing::map::own_process"), forked);
}

#[test]
fn without_it_counts_differ() {
    let counts = counts(&Home::new(), "random::hashing::map::random");
    assert!(counts.len() > 1, "{counts:?}");
}

#[test]
fn a_benchmark_sees_one_processor_if_it_wants_to() {
    let shown = |id: &str, mode: &str| {
        let bench = Bench::new("random").measure(&Home::new());
        let path = format!("cpus::{id}");
        bench
            .args(["--nocapture", mode, &path])
            .run()
            .code(0)
            .stdout
    };
    let all = std::thread::available_parallelism().unwrap();
    for mode in ["--fork=yes", "--fork=no"] {
        assert!(shown("single", mode).contains("processors: 1\n"));
        assert!(shown("any", mode).contains(&format!("processors: {all}\n")));
    }
}
