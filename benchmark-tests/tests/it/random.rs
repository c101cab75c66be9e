//! The executable's own source of random numbers.

use std::collections::BTreeSet;

use benchmark_tests::{sample, Bench, Home};

/// So many runs count differently at least once, if something is random.
const RUNS: usize = 8;

/// One count of a benchmark.
fn count(home: &Home, benchmark: &str) -> u64 {
    let filter = benchmark.rsplit("::").next().unwrap();
    Bench::new("random").measure(home).arg(filter).run().code(0);
    home.count(benchmark, "Ir")
}

/// The different counts of a benchmark that is not random, in several runs.
fn counts(home: &Home, benchmark: &str) -> BTreeSet<u64> {
    let runs = if sample::is_full() { RUNS } else { 3 };
    (0..runs).map(|_| count(home, benchmark)).collect()
}

#[test]
fn a_hash_map_has_one_count_in_both_modes() {
    let home = Home::new();
    let forked = counts(&home, "random::hashing::map::deterministic");
    assert_eq!(forked.len(), 1, "{forked:?}");
    assert_eq!(counts(&home, "random::hashing::map::own_process"), forked);
}

/// `main!` of these benchmarks does not mention random numbers.
#[test]
fn a_hash_map_has_one_count_by_default() {
    let home = Home::new();
    let count = |mode: &str| {
        let bench = Bench::new("kernels").measure(&home);
        bench.args([mode, "noise::random_hasher"]).run().code(0);
        home.count("kernels::noise::random_hasher", "Ir")
    };
    let modes = ["--fork=yes", "--fork=no", "--fork=yes", "--fork=no"];
    let counts: BTreeSet<u64> = modes.into_iter().map(count).collect();
    assert_eq!(counts.len(), 1, "{counts:?}");
}

#[test]
fn without_it_counts_differ() {
    let home = Home::new();
    let count = || count(&home, "random::hashing::map::random");
    let first = count();
    let other = (1..RUNS).map(|_| count()).find(|other| *other != first);
    assert!(other.is_some(), "always {first}");
}

#[test]
fn the_ways_of_other_crates_lead_to_the_same_numbers() {
    let bench = Bench::new("random").measure(&Home::new());
    let checked = bench.args(["--check-determinism=4", "hashing::numbers"]);
    let ended = checked.run().code(1);
    let says = |id: &str| {
        let said = format!("benchmark `random::hashing::numbers::{id}` is not deterministic");
        ended.stderr.contains(&said)
    };
    assert!(says("declined"), "{}", ended.stderr);
    assert!(!says("system_call") && !says("entropy"), "{}", ended.stderr);
}

#[test]
fn other_system_calls_are_those_of_the_kernel() {
    let bench = Bench::new("random").measure(&Home::new());
    bench.arg("system_calls").run().code(0).quiet();
}

#[test]
fn several_runs_tell_what_is_random_and_why() {
    for mode in ["--fork=yes", "--fork=no"] {
        let home = Home::new();
        let bench = Bench::new("random").measure(&home);
        let ended = bench.args(["--check-determinism=6", mode, "map"]).run();
        let ended = ended.code(1).says(&[
            "error: benchmark `random::hashing::map::random` is not deterministic: 6 runs gave \
             different counts",
            "  Instructions: ",
            "  hint: it makes hash maps with random keys (`std::hash::RandomState`)",
        ]);
        // The two others count the same.
        assert_eq!(
            ended.stderr.matches("error: ").count(),
            1,
            "{}",
            ended.stderr
        );
        assert!(home.has("random::hashing::map::random"));
    }
}

#[test]
fn the_same_executable_with_another_count_is_no_change_of_the_code() {
    let home = Home::new();
    let run = || {
        let bench = Bench::new("random").measure(&home);
        let limited = bench.args(["--callgrind-limits=ir=0.0%", "map::random"]);
        limited.run().code(0)
    };
    let first = run().quiet();
    drop(first);
    // Two maps may cost the same by chance, but not all of them.
    let noted = (0..RUNS).map(|_| run()).find(|ended| {
        let profile = home.profile("random::hashing::map::random", "callgrind");
        let is_said = ended
            .stderr
            .contains("same executable, other counts: not deterministic");
        assert_eq!(profile["by_chance"], is_said, "{}", ended.stderr);
        is_said
    });
    noted
        .unwrap()
        .says(&["hint: it makes hash maps with random keys"]);
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
