//! Code of a benchmark on threads and in processes: not counted, and reported.

use benchmark_tests::{Bench, Home};

/// The other way, of which `threads` has more.
const COUNTS_IT: &str = "--callgrind-args=--toggle-collect=*elsewhere*";

#[test]
fn threads_are_not_counted() {
    let home = Home::new();
    let ended = Bench::new("concurrent")
        .measure(&home)
        .arg("thread")
        .run()
        .code(0);
    for id in ["long", "short"] {
        let name = format!("concurrent::group::thread::{id}");
        assert!(home.count(&name, "Ir") < 500_000, "{ended}");
        let note =
            format!("warning: `{name}`: further threads ran in its process and were not counted");
        assert!(ended.stderr.contains(&note), "{ended}");
    }
}

#[test]
fn a_toggle_on_a_function_of_the_thread_counts_it() {
    let home = Home::new();
    let run = |arguments: &[&str]| {
        let bench = Bench::new("concurrent").measure(&home).arg("thread::long");
        bench.args(arguments).run().code(0)
    };
    run(&[]).says(&["`Callgrind::default().count_threads(true)` counts all threads"]);
    let without = home.count("concurrent::group::thread::long", "Ir");
    let note = "warning: the last run was made with other arguments for callgrind: without ";
    run(&[COUNTS_IT]).says(&[note]);
    // Misses of caches may differ by one, which is said.
    run(&[COUNTS_IT]).without("other arguments");
    let with = home.count("concurrent::group::thread::long", "Ir");
    // Starting a thread is not exact, a thread has to wait now and then.
    let counted = with - without;
    assert!((2_000_000..2_001_000).contains(&counted), "{counted}");
}

#[test]
fn processes_are_not_counted() {
    let home = Home::new();
    let ended = Bench::new("concurrent")
        .measure(&home)
        .arg("process")
        .run()
        .code(0);
    ended.says(&[
        "warning: `concurrent::group::process`: 1 process ran below its process and was not counted",
    ]);
    // More files than for one process, all of them below the benchmark, and none too many next time.
    let again = || {
        Bench::new("concurrent")
            .measure(&home)
            .arg("process")
            .run()
            .code(0)
    };
    again();
    let files = home.names().len();
    again();
    assert_eq!(home.names().len(), files, "{:#?}", home.names());
}
