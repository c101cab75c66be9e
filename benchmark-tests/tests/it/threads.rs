//! Four ways to count threads, and what each of them counts.

use benchmark_tests::{Bench, Home};

fn count(home: &Home, benchmark: &str) -> u64 {
    home.count(&format!("threads::group::{benchmark}"), "Ir")
}

/// Starting threads and waiting for them is not exact.
const WAITING: u64 = 2000;

/// A thread is more than its work: its start and its end.
const THREAD: u64 = 50_000;

#[test]
fn threads_count_when_wanted() {
    let home = Home::new();
    let ended = Bench::new("threads").measure(&home).arg("::work::").run();
    ended.code(0).says(&[
        "warning: `threads::group::work::uncounted`: further threads ran in its process and were \
         not counted; `Callgrind::default().count_threads(true)` counts all threads",
    ]);
    let work = 2 * 2 * 100_000;
    let uncounted = count(&home, "work::uncounted");
    assert!(uncounted < THREAD, "{uncounted}");
    let counted = count(&home, "work::counted") - uncounted;
    assert!(
        (work - WAITING..work + 2 * THREAD).contains(&counted),
        "{counted}"
    );
    let twice = count(&home, "work::counted_twice") - uncounted;
    assert!(
        (2 * work - WAITING..2 * work + 2 * THREAD).contains(&twice),
        "{twice}"
    );
    // Only the function, which is its rounds and a return.
    let toggled = count(&home, "work::toggled") - uncounted;
    assert!(
        (work - WAITING..work + WAITING).contains(&toggled),
        "{toggled}"
    );
    // The whole process, with the start of it.
    let everything = count(&home, "work::everything");
    assert!(everything > count(&home, "work::counted") + 50_000);
}

#[test]
fn the_measuring_thread_counts_what_it_counts_without_threads() {
    let home = Home::new();
    let bench = Bench::new("threads").measure(&home).arg("alone");
    bench.run().code(0).quiet();
    let values = |id: &str| home.new_values(&format!("threads::group::alone::{id}"));
    for kind in ["Ir", "Dr", "Dw"] {
        assert_eq!(values("counted")[kind], values("plain")[kind], "{kind}");
    }
}

#[test]
fn threads_of_the_setup_do_not_count() {
    let home = Home::new();
    let bench = Bench::new("threads").measure(&home).arg("after_others");
    bench.run().code(0);
    let before = count(&home, "after_others::before");
    let plain = count(&home, "after_others::plain");
    assert_eq!(plain, before);
    assert!((200_000..200_010).contains(&plain), "{plain}");
}

#[test]
fn threads_do_not_count_after_the_benchmark() {
    let home = Home::new();
    let bench = Bench::new("threads").measure(&home).arg("worker");
    bench.run().code(0);
    let counted = count(&home, "worker::after");
    assert!((200_000..200_000 + THREAD).contains(&counted), "{counted}");
}

/// Parts that are written in a setup or a teardown, in files of their own or in one for all.
#[test]
fn dumps_do_not_bring_back_what_does_not_count() {
    let home = Home::new();
    let bench = Bench::new("threads").measure(&home);
    let dumps = "--callgrind-args=--dump-before=*elsewhere*";
    let ended = bench.args(["after_others", dumps]).run().code(0);
    ended.quiet();
    let counted = count(&home, "after_others::before");
    assert!((200_000..200_010).contains(&counted), "{counted}");

    for _ in ["new", "compared with the last one"] {
        let bench = Bench::new("threads").measure(&home);
        let one_file = format!("{dumps} --combine-dumps=yes");
        bench
            .args(["worker", "after_others", &one_file])
            .run()
            .code(0);
        let counted = count(&home, "worker::after");
        assert!((200_000..200_000 + THREAD).contains(&counted), "{counted}");
        assert!((200_000..200_010).contains(&count(&home, "after_others::before")));
    }
    let old = home.old_values("threads::group::after_others::before");
    let counted = old["Ir"].unwrap();
    assert!((200_000..200_010).contains(&counted), "{counted}");
}

#[test]
fn processes_of_setup_and_teardown_do_not_count() {
    for mode in ["--fork=yes", "--fork=no"] {
        let home = Home::new();
        let bench = Bench::new("threads").measure(&home);
        let ended = bench.args(["::between::", mode]).run();
        ended.code(0).quiet();
        let plain = count(&home, "between::plain");
        assert!((200_000..200_010).contains(&plain), "{plain}");
        assert_eq!(count(&home, "between::around"), plain);
    }
}

#[test]
fn a_process_that_runs_before_and_after_the_benchmark_is_named() {
    let home = Home::new();
    let ended = Bench::new("threads").measure(&home).arg("::server::").run();
    ended.code(0).says(&[
        "the process `/bin/cat` also ran before the benchmark function began or after it returned; it \
         counts as a whole",
    ]);
    let counted = count(&home, "server::cat");
    assert!(counted > 50_000, "loading the program: {counted}");
}

#[test]
fn processes_count_when_wanted() {
    let home = Home::new();
    let bench = Bench::new("threads").measure(&home);
    let ended = bench.args(["process", "alone::plain"]).run().code(0);
    ended.says(&[
        "warning: `threads::group::process::uncounted`: 1 process ran below its process and was \
         not counted; `--toggle-collect=<function>` with a function of the process counts it",
        "what a started process counts between `fork` and `exec` is lost, since Callgrind begins anew with \
         the program",
    ]);
    // `true` does nothing, but loading it is work.
    let uncounted = count(&home, "process::uncounted");
    let counted = count(&home, "process::counted") - uncounted;
    assert!(counted > 50_000, "{counted}");
    assert!(count(&home, "process::everything") > uncounted + counted + 50_000);
    // Only the function of the process that is toggled.
    let started = count(&home, "process::toggled") - count(&home, "alone::plain");
    assert!(started < 10_000, "{started}");
}
