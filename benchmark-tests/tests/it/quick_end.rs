//! The end of a process without exit handlers, and what a fork has to translate.

use std::fs;
use std::path::Path;

use benchmark_tests::{build, valgrinds, Bench, Home};

fn bench(home: &Home, valgrind: &Path, filter: &str) -> Bench {
    let bench = Bench::new("quick_end").measure(home).arg(filter);
    bench.arg("--valgrind-bin").arg(valgrind)
}

/// Each block costs some 30 microseconds in every fork.
#[test]
fn a_fork_translates_a_few_blocks() {
    valgrinds::with_each(|valgrind| {
        let home = Home::new();
        let bench = bench(&home, valgrind, "one_block");
        let bench = bench.arg("--valgrind-args=--trace-flags=00000010 --trace-notbelow=0");
        bench.run().code(0).quiet();
        let log = home.entry("quick_end::group::one_block");
        let log = fs::read(log.join("callgrind.one_block.log")).unwrap();
        let log = String::from_utf8_lossy(&log);
        let blocks: Vec<&str> = log
            .lines()
            .filter(|line| line.starts_with("==== SB "))
            .collect();
        assert!((8..=14).contains(&blocks.len()), "{blocks:#?}");
    });
}

#[test]
fn exit_handlers_run_if_they_are_wanted() {
    valgrinds::with_each(|valgrind| {
        for (arguments, expected) in [
            (&["--fork=yes"][..], false),
            (&["--fork=no"], false),
            (&["--exit-handlers"], true),
            (&["--exit-handlers", "--fork=no"], true),
            // The end of the process belongs to what these tools tell.
            (&["--default-tool=memcheck"], true),
        ] {
            let home = Home::new();
            let file = home.path().join("at_exit");
            let bench = bench(&home, valgrind, "registers");
            let bench = bench.arg(format!("--envs=AT_EXIT={}", file.display()));
            bench.args(arguments).run().code(0).quiet();
            assert_eq!(file.exists(), expected, "{arguments:?}");
        }
    });
}

/// An exit handler writes the counters that the compiler added.
#[test]
fn instrumented_executables_run_exit_handlers() {
    let executable = build::instrumented_bench("quick_end");
    for (arguments, expected) in [
        (&[][..], true),
        (&["--fork=no"], true),
        (&["--exit-handlers=no"], false),
    ] {
        let home = Home::new();
        let file = home.path().join("of.profraw");
        let bench = Bench::at(&executable).measure(&home).arg("one_block");
        let bench = bench.env("LLVM_PROFILE_FILE", &file).args(arguments);
        let ended = bench.run().code(0);
        ended.says(&[
            "is instrumented by the compiler",
            "its counts include the instrumentation",
        ]);
        let length = fs::metadata(&file).map_or(0, |data| data.len());
        assert_eq!(length > 0, expected, "{arguments:?}: {length}");
    }
}

#[test]
fn streams_are_flushed() {
    let valgrind = &valgrinds::all()[0];
    for arguments in [&["--fork=yes"][..], &["--fork=no"], &["--exit-handlers"]] {
        let home = Home::new();
        let bench = bench(&home, valgrind, "prints").arg("--nocapture");
        let ended = bench.args(arguments).run().code(0).quiet();
        ended.shows(&["of Rust and of C"]);
    }
}

/// The usual end leaves a stream alone that another thread has locked, and ends.
#[test]
fn a_thread_that_is_left_does_not_hold_the_end() {
    let valgrind = &valgrinds::all()[0];
    let home = Home::new();
    let ended = bench(&home, valgrind, "leaves_a_thread_with_stdout").arg("--timeout=60s");
    ended
        .run()
        .code(0)
        .shows(&["First results. 1 without regressions"]);
}

/// A server has records of 32 threads at least; one with more gets another server, and all count
/// the same.
#[test]
fn more_threads_than_a_server_has_records_of() {
    valgrinds::with_each(|valgrind| {
        let count = |arguments: &[&str]| {
            let home = Home::new();
            let bench = bench(&home, valgrind, "crowded").args(arguments);
            let ended = bench.run().code(0);
            ended
                .shows(&["First results. 2 without regressions"])
                .without("lost");
            ["few", "many"].map(|id| {
                let path = format!("quick_end::group::crowded::{id}");
                let summary = home.profile(&path, "callgrind");
                (home.count(&path, "Ir"), summary["mode"].clone())
            })
        };
        let forked = count(&["--fork=yes"]);
        for ((_, mode), id) in forked.iter().zip(["few", "many"]) {
            assert_eq!(mode, "fork", "{id}");
        }
        // The order of threads decides who waits, so only about: none of them is missing.
        let direct = count(&["--fork=no"]);
        for ((forked, _), (direct, _)) in forked.iter().zip(&direct) {
            assert!(forked.abs_diff(*direct) * 2 < *direct, "{forked} {direct}");
        }
    });
}
