//! The guide's page about threads and subprocesses: its benchmark gives the blocks and totals that
//! are shown there. Its figures are those of another compiler, so the truth are the same functions
//! without threads.

use benchmark_tests::{Bench, Ended, Home};
use snapbox::{assert_data_eq, str};

fn run(home: &Home, benchmark: &str) -> Ended {
    Bench::new("lib_bench_threads")
        .measure(home)
        .arg(benchmark)
        .run()
        .code(0)
}

/// The blocks between a benchmark's headlines: their first line and the left values.
fn blocks(ended: &Ended) -> Vec<(String, Vec<u64>)> {
    let mut blocks: Vec<(String, Vec<u64>)> = Vec::new();
    for line in ended.stdout.lines() {
        if let Some(name) = line.strip_prefix("  ## ") {
            blocks.push((name.to_owned(), Vec::new()));
        } else if let (Some((_, row)), Some(block)) = (line.split_once(": "), blocks.last_mut()) {
            let left = row.split('|').next().unwrap_or_default().trim();
            block.1.extend(left.parse::<u64>());
        }
    }
    blocks
}

/// The blocks of threads or processes, without that of the total, which is their sum.
#[track_caller]
fn parts(ended: &Ended, count: usize) -> Vec<Vec<u64>> {
    let mut blocks = blocks(ended);
    let (total, sums) = blocks.pop().expect("there are blocks");
    assert_eq!(total, "Total", "{ended}");
    assert_eq!(blocks.len(), count, "{ended}");
    // Instructions, hits, accesses, cycles: all are counters.
    assert_eq!(sums.len(), 6, "{ended}");
    let values: Vec<Vec<u64>> = blocks.into_iter().map(|(_, values)| values).collect();
    for (row, sum) in sums.iter().enumerate() {
        let added: u64 = values.iter().map(|values| values[row]).sum();
        assert_eq!(added, *sum, "{ended}");
    }
    for values in values.iter().chain([&sums]) {
        let [instructions, l1, ll, ram, total, cycles] = values[..] else {
            panic!("{ended}")
        };
        assert_eq!(l1 + ll + ram, total);
        assert_eq!(l1 + 5 * ll + 35 * ram, cycles);
        assert!(instructions <= total);
    }
    values
}

/// Memory comes from another arena in a thread, which costs a few instructions.
#[track_caller]
fn close(count: u64, expected: u64, more: u64) {
    assert!(
        (expected..expected + more).contains(&count),
        "{count} {expected}"
    );
}

fn alone(home: &Home) -> [u64; 2] {
    run(home, "::alone::").quiet();
    ["first", "second"]
        .map(|id| home.count(&format!("lib_bench_threads::my_group::alone::{id}"), "Ir"))
}

#[test]
fn threads_are_blocks_of_zeros() {
    let home = Home::new();
    let ended = run(&home, "bench_threads::two_threads");
    assert_data_eq!(
        &ended.stdout,
        str![[r#"
lib_bench_threads::my_group::bench_threads two_threads:2
  ## pid: [..] thread: 1 part: 1 [..]|N/A
  Instructions:        [..]|N/A                  (*********)
  L1 Hits:             [..]|N/A                  (*********)
  L2 Hits:             [..]|N/A                  (*********)
  RAM Hits:            [..]|N/A                  (*********)
  Total read+write:    [..]|N/A                  (*********)
  Estimated Cycles:    [..]|N/A                  (*********)
  ## pid: [..] thread: 2 part: 1 [..]|N/A
  Instructions:                           0|N/A                  (*********)
  L1 Hits:                                0|N/A                  (*********)
  L2 Hits:                                0|N/A                  (*********)
  RAM Hits:                               0|N/A                  (*********)
  Total read+write:                       0|N/A                  (*********)
  Estimated Cycles:                       0|N/A                  (*********)
  ## pid: [..] thread: 3 part: 1 [..]|N/A
  Instructions:                           0|N/A                  (*********)
  L1 Hits:                                0|N/A                  (*********)
  L2 Hits:                                0|N/A                  (*********)
  RAM Hits:                               0|N/A                  (*********)
  Total read+write:                       0|N/A                  (*********)
  Estimated Cycles:                       0|N/A                  (*********)
  ## Total
  Instructions:        [..]|N/A                  (*********)
  L1 Hits:             [..]|N/A                  (*********)
  L2 Hits:             [..]|N/A                  (*********)
  RAM Hits:            [..]|N/A                  (*********)
  Total read+write:    [..]|N/A                  (*********)
  Estimated Cycles:    [..]|N/A                  (*********)

Iai-Callgrind result: First results. 1 without regressions; 0 regressed; 0 compared; 1 new; 7 filtered; 1 benchmarks finished in [..]s

"#]]
    );
    parts(&ended, 3);
    // The page does not say it, the runner does.
    ended.says(&["further threads ran in its process and were not counted"]);
}

#[test]
fn a_toggle_counts_the_function_of_each_thread() {
    let home = Home::new();
    let [first, second] = alone(&home);
    let parts = parts(&run(&home, "bench_threads::with_toggle").quiet(), 3);
    close(parts[1][0], first - 20, 2000);
    close(parts[2][0], second - 20, 2000);
    // The page's own relation of the two.
    let ratio = parts[2][0] as f64 / parts[1][0] as f64;
    assert!((1.4..1.6).contains(&ratio), "{ratio}");
}

#[test]
fn without_an_entry_point_everything_counts() {
    let home = Home::new();
    let [first, second] = alone(&home);
    let uncounted = parts(&run(&home, "bench_threads::two_threads"), 3);
    let parts = parts(&run(&home, "bench_threads::at_start").quiet(), 3);
    // The start of the process; the beginning and the end of a thread.
    assert!(parts[0][0] > uncounted[0][0] + 50_000, "{parts:?}");
    close(parts[1][0], first, 50_000);
    close(parts[2][0], second, 50_000);
}

#[test]
fn client_requests_count_the_threads_with_and_without_the_main_one() {
    let home = Home::new();
    let [first, second] = alone(&home);
    let with = parts(&run(&home, "bench_requests::two_threads").quiet(), 3);
    assert!(with[0][0] > 0);
    let without = parts(&run(&home, "bench_requests::only_threads").quiet(), 3);
    assert_eq!(without[0], [0; 6]);
    for threads in [with, without] {
        close(threads[1][0], first - 20, 2000);
        close(threads[2][0], second - 20, 2000);
    }
}

#[test]
fn a_subprocess_has_a_block_with_its_command() {
    let home = Home::new();
    let ended = run(&home, "bench_subprocess").quiet();
    let parts = parts(&ended, 2);
    // It counts itself by client requests, from the opening of its file to the end.
    assert!((500..20_000).contains(&parts[1][0]), "{parts:?}");
    let command = ended
        .stdout
        .lines()
        .find(|line| line.starts_with("  Command: "));
    let command = command.unwrap_or_else(|| panic!("{ended}"));
    assert!(
        command.contains("/cat ") && command.ends_with("lib_bench_threads.txt"),
        "{command}"
    );
}
