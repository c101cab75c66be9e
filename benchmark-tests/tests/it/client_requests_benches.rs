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

const STOPPED: &str =
    "instrumentation was switched off inside of the benchmark function; what ran \
                       later is not counted, also if it was switched on again";

const LEFT_OFF: &str = "a single `toggle_collect` switched collection off inside of the benchmark \
                        function; what ran later is not counted";

/// The profile shows it in some modes, and another way in each; the words are the same.
#[test]
fn what_is_left_out_is_said_in_every_mode() {
    for mode in [
        &[][..],
        &["--fork=no"],
        &["--fast-setup"],
        &["--instructions-only"],
        &["--instructions-only", "--fork=no"],
        &["--instructions-only", "--fast-setup=no"],
    ] {
        println!("{mode:?}");
        let home = Home::new();
        let bench = Bench::new("client_requests").measure(&home);
        let ended = bench.args(mode).arg("client_requests::cut").run().code(0);
        let said = |benchmark: &str, note: &str| {
            format!("warning: `client_requests::cut::{benchmark}`: {note}\n")
        };
        ended.says(&[
            &said("stopped", STOPPED),
            &said("stopped_region", STOPPED),
            &said("toggled_once", LEFT_OFF),
            &said("toggled_region", LEFT_OFF),
        ]);
        for benchmark in [
            "stopped",
            "stopped_region",
            "toggled_once",
            "toggled_region",
        ] {
            assert_rounds(
                home.count(&format!("client_requests::cut::{benchmark}"), "Ir"),
                1000,
            );
        }
        let notes = |benchmark: &str| {
            let profile = home.profile(&format!("client_requests::cut::{benchmark}"), "callgrind");
            profile["notes"].as_array().unwrap().len()
        };
        assert_eq!(notes("stopped"), 1);
        assert_eq!(notes("toggled_twice::after_a_setup"), 0);
        let twice = home.count("client_requests::cut::toggled_twice::after_a_setup", "Ir");
        assert_rounds(twice, 1000);
    }
}

/// A few instructions for each switch depend on the simulation.
#[test]
fn results_with_toggles_are_not_judged_with_another_simulation() {
    const LACKS: &str = ", without blocks in which a client request switched collection";
    for (benchmark, counted) in [
        ("left_out", "the benchmark function"),
        ("zeroed_region", "regions of the benchmark"),
    ] {
        let home = Home::new();
        let run = |words: &[&str]| {
            let bench = Bench::new("client_requests").measure(&home);
            let words = [words, &["--callgrind-limits=ir=0%", benchmark]].concat();
            bench.args(words).run()
        };
        run(&[]).code(0).quiet();
        run(&[]).code(0).quiet();
        for (options, lacks) in [(&["--instructions-only"][..], ""), (&[], LACKS)] {
            let part = format!("this one {counted}{lacks}; other code counts: nothing is judged");
            run(options).code(0).says(&[&part]);
        }
    }
}
