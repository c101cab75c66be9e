//! Client requests in benchmarks: the examples of the guide, and what they count.

use benchmark_tests::{Bench, Home};

/// Runs a group and returns the instructions of its benchmarks.
fn run(group: &str, options: &[&str]) -> impl Fn(&str) -> u64 {
    let home = Home::new();
    let bench = Bench::new("client_requests").measure(&home);
    bench.args(options).arg(group).run().code(0).quiet();
    let group = group.to_owned();
    move |benchmark| home.count(&format!("client_requests::{group}::{benchmark}"), "Ir")
}

/// Whatever is not a round of a kernel: requests, calls, closures.
const FEW: u64 = 40;

#[track_caller]
fn assert_rounds(count: u64, rounds: u64) {
    assert!(
        (2 * rounds..2 * rounds + FEW).contains(&count),
        "{count} instructions in {rounds} rounds"
    );
}

#[test]
fn threads_and_processes_count_what_is_between_their_toggles() {
    let ir = run("guide", &[]);
    let work = ir("one_thread::first") + ir("one_thread::second");
    let alone = ir("threads::alone");
    // The first allocation of a thread makes its heap.
    assert!((work..work + 2000).contains(&alone), "{work} {alone}");
    // The main thread starts two threads, and puts their results together.
    let main = ir("threads::with_main") - alone;
    assert!((10_000..100_000).contains(&main), "{main}");
    let child = ir("subprocess::alone");
    assert!((500..20_000).contains(&child), "{child}");
    let parent = ir("subprocess::with_parent") - child;
    assert!((500..50_000).contains(&parent), "{parent}");
}

/// Both modes, since in a forked process the state of Callgrind's switches comes from the server.
#[test]
fn parts_of_a_function() {
    for mode in ["--fork=yes", "--fork=no"] {
        println!("{mode}");
        let skip_errors = ["--skip=not_collecting", "--skip=with_entry_point"];
        let ir = run("parts", &[&[mode], skip_errors.as_slice()].concat());
        assert_rounds(ir("instrumentation::collecting"), 1000);
        assert_rounds(ir("instrumentation_and_toggle"), 1000);
        assert_rounds(ir("left_out"), 2000 + 4000);
        // All parts together; what was before `zero_stats` is forgotten.
        assert_rounds(ir("zero_and_dump::entry_point"), 2000 + 4000);
        // The end of the process is counted as well.
        let none = ir("zero_and_dump::none");
        assert!((12_000..12_000 + 20_000).contains(&none), "{none}");
    }
}

#[test]
fn nothing_counted_is_an_error_that_says_why() {
    for (benchmark, reason) in [
        (
            "instrumentation::not_collecting",
            "counted nothing: collection was never switched on",
        ),
        (
            "instrumentation::with_entry_point",
            "counted nothing: the benchmark function was never entered",
        ),
    ] {
        let home = Home::new();
        let bench = Bench::new("client_requests").measure(&home).arg(benchmark);
        bench.run().code(1).says(&[reason]);
        assert!(!home.has(&format!("client_requests::parts::{benchmark}")));
    }
}
