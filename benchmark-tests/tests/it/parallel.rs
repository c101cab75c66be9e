//! Benchmarks side by side: the same results in the same order.

use benchmark_tests::{Bench, Home};

/// Everything but the time that it took.
fn without_time(stdout: &str) -> String {
    let time = stdout.rfind(" finished in ").unwrap();
    stdout[..time].to_owned()
}

#[test]
fn results_do_not_depend_on_the_number_of_workers() {
    let home = Home::new();
    let run = |workers: &str| {
        let bench = Bench::new("counts").measure(&home);
        bench.args(["--parallel", workers]).run().code(0)
    };
    run("1");
    let alone = run("1").quiet().unchanged();
    for workers in ["2", "5"] {
        let ended = run(workers).quiet().unchanged();
        assert_eq!(without_time(&ended.stdout), without_time(&alone.stdout));
    }
}

#[test]
fn a_number_of_workers_is_a_positive_number() {
    for workers in ["0", "-1", "many"] {
        let bench = Bench::new("counts").measure(&Home::new());
        let ended = bench.arg(format!("--parallel={workers}")).run().code(2);
        assert!(
            ended
                .stderr
                .contains("expected a number above 0, or `auto`"),
            "{}",
            ended.stderr
        );
    }
}

/// The number of processors in a list such as `0-3,8`.
fn number_of(list: &str) -> usize {
    let number = |text: &str| text.parse::<usize>().unwrap();
    let ranges = list.split(',').map(|range| match range.split_once('-') {
        Some((from, to)) => number(to) - number(from) + 1,
        None => 1,
    });
    ranges.sum()
}

/// The processors of each benchmark and those of its server.
fn placed(workers: &str) -> Vec<(String, String)> {
    let notes = tempfile::NamedTempFile::new().unwrap();
    let home = Home::new();
    let bench = Bench::new("max_parallel").measure(&home);
    bench
        .env("NOTES", notes.path())
        .args(["placed::", "--parallel", workers])
        .run()
        .code(0)
        .quiet();
    let notes = std::fs::read_to_string(notes.path()).unwrap();
    let pairs = notes.lines().map(|line| line.split_once(' ').unwrap());
    pairs
        .map(|(own, server)| (own.to_owned(), server.to_owned()))
        .collect()
}

#[test]
fn benchmarks_and_their_servers_may_use_all_processors() {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let mut lines = status.lines();
    let all = lines.find_map(|line| line.strip_prefix("Cpus_allowed_list:\t"));
    let all = all.unwrap();
    // Not `available_parallelism`, which is less where a container may not use all of their time.
    let number = number_of(all);
    for workers in [1, number.max(2)] {
        let placed = placed(&workers.to_string());
        assert_eq!(placed.len(), 4);
        for (own, server) in placed {
            assert_eq!(own, all);
            assert_eq!(server, all);
        }
    }
}

/// The greatest number of benchmarks of a group that ran at the same time. The first ones wait
/// until so many have begun.
fn most(group: &str, wait_for: usize, arguments: &[&str]) -> usize {
    let home = Home::new();
    let notes = tempfile::NamedTempFile::new().unwrap();
    let bench = Bench::new("max_parallel").measure(&home);
    bench
        .env("NOTES", notes.path())
        .env("WAIT_FOR", wait_for.to_string())
        .arg(format!("{group}::"))
        .args(arguments)
        .run()
        .code(0)
        .quiet();
    let notes = std::fs::read_to_string(notes.path()).unwrap();
    assert_eq!(notes.lines().count(), 8, "{notes}");
    let mut running = 0_usize;
    let mut most = 0;
    for note in notes.lines() {
        running = match note {
            "begin" => running + 1,
            _ => running - 1,
        };
        most = most.max(running);
    }
    most
}

#[test]
fn a_group_can_limit_how_many_run_at_the_same_time() {
    assert_eq!(most("free", 1, &[]), 1);
    assert!(most("free", 3, &["--parallel=4"]) > 2);
    assert_eq!(most("alone", 1, &["--parallel=4"]), 1);
    assert_eq!(most("pairs", 2, &["--parallel=4"]), 2);
}
