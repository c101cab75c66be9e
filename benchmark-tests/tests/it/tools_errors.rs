//! Errors that Memcheck, Helgrind and DRD find, and their messages.

use std::fs;
use std::path::Path;

use benchmark_tests::{valgrinds, Bench, Ended, Home};
use snapbox::{assert_data_eq, str};

fn run(valgrind: &Path, home: &Home, arguments: &[&str]) -> Ended {
    let bench = Bench::new("tools_errors").measure(home).args(arguments);
    bench.arg("--valgrind-bin").arg(valgrind).run()
}

fn errors(home: &Home, benchmark: &str, tool: &str) -> u64 {
    home.values_of(benchmark, tool)["Errors"].unwrap()
}

#[test]
fn memcheck_shows_what_it_finds_and_where() {
    valgrinds::with_each(|valgrind| {
        let home = Home::new();
        let benchmark = "tools_errors::memory::reads_behind_the_end";
        let arguments = ["reads_behind", "--default-tool=memcheck"];
        let ended = run(valgrind, &home, &arguments).code(1);
        let log = home
            .entry(benchmark)
            .join("memcheck.reads_behind_the_end.log");
        ended
            .says(&[
                &format!("benchmark `{benchmark}` under memcheck has 3 errors from "),
                ", found by Memcheck\n",
                &format!("\n  log: {}\n", log.display()),
                "\n  | Invalid read of size 1\n",
                "tools_errors.rs:",
                " is 0 bytes after a block of size 10 alloc'd\n",
                "hint: `--error-exitcode=0` takes errors as figures",
            ])
            .shows(&[
                "  Errors:                                 3|N/A ",
                "1 failed",
            ])
            // Callers of the benchmark are left out of its errors.
            .without("__internal");
        assert!(log.is_file());
        assert_eq!(errors(&home, benchmark, "memcheck"), 3);

        let arguments = [
            "reads_behind",
            "--default-tool=memcheck",
            "--memcheck-args=--error-exitcode=0",
        ];
        run(valgrind, &home, &arguments).code(0).quiet().shows(&[
            "  Errors:                                 3|3                    (No change)",
        ]);
    });
}

/// Summary, place of the log, the errors, and what takes them as figures; the whole text.
#[test]
fn errors_are_told_with_their_log_and_text() {
    let home = Home::new();
    let valgrind = &valgrinds::all()[0];
    let good = ["is_fine", "--default-tool=memcheck"];
    run(valgrind, &home, &good).code(0).quiet();
    let results = home.results();
    let typed = ["memory::reads_behind", "--default-tool=memcheck"];
    let ended = run(valgrind, &home, &typed).code(1);
    assert_data_eq!(
        ended.stderr,
        str![[r#"
error: benchmark `tools_errors::memory::reads_behind_the_end` under memcheck has 3 errors from [..], found by Memcheck
  log: [..]/tools_errors/memory/reads_behind_the_end/memcheck.reads_behind_the_end.log
  | Invalid read of size 1
  |    at 0x[..] (tools_errors.rs:[..])
...
  |  Address 0x[..] is 0 bytes after a block of size 10 alloc'd
  |    at 0x[..]
...
  hint: `--error-exitcode=0` takes errors as figures and not as a failure

"#]]
    );
    // Results of the other benchmarks stay.
    let mut after = home.results();
    after.retain(|name, _| !name.contains("/reads_behind_the_end/"));
    assert_eq!(after, results);
}

/// Blocks of the standard library count as suppressed, and those of the benchmark as errors.
#[test]
fn known_blocks_of_the_standard_library_are_no_errors() {
    valgrinds::with_each(|valgrind| {
        for way in ["--fork=yes", "--fork=no"] {
            let home = Home::new();
            let check = |arguments: &[&str], code, expected: [u64; 2]| {
                let tool = "--default-tool=memcheck";
                let arguments = [&["asks_for_its_thread", tool, way], arguments].concat();
                run(valgrind, &home, &arguments).code(code);
                let benchmark = "tools_errors::memory::asks_for_its_thread";
                let values = home.values_of(benchmark, "memcheck");
                let found = ["Errors", "SuppressedErrors"].map(|kind| values[kind].unwrap());
                assert_eq!(found, expected, "{arguments:?}");
            };
            check(&["--memcheck-args=--leak-check=full"], 0, [0, 1]);
            // Those of users are further ones.
            let own = home.path().join("own.supp");
            fs::write(&own, "{\n   own\n   Memcheck:Cond\n   fun:nobody\n}\n").unwrap();
            let own = format!(
                "--memcheck-args=--leak-check=full --suppressions={}",
                own.display()
            );
            check(&[&own], 0, [0, 1]);
            let none = "--memcheck-args=--leak-check=full --default-suppressions=no";
            check(&[none], 1, [1, 0]);
        }
    });
}

#[test]
fn lost_memory_is_an_error_if_it_is_searched_for() {
    valgrinds::with_each(|valgrind| {
        let home = Home::new();
        let lost =
            "400 bytes in 4 blocks are definitely lost; `--memcheck-args=--leak-check=full` says";
        run(valgrind, &home, &["leaks", "--default-tool=memcheck"])
            .code(0)
            .says(&[lost]);
        let search = "--memcheck-args=--leak-check=full";
        run(
            valgrind,
            &home,
            &["leaks", "--default-tool=memcheck", search],
        )
        .code(1)
        .says(&[
            "\n  definitely lost: 400 bytes in 4 blocks\n",
            " definitely lost in loss record ",
        ]);
    });
}

#[test]
fn races_are_found_by_both_tools() {
    valgrinds::with_each(|valgrind| {
        for (tool, words) in [("helgrind", "Possible data race"), ("drd", "Conflicting ")] {
            let home = Home::new();
            let ended = run(
                valgrind,
                &home,
                &["threads", &format!("--default-tool={tool}")],
            );
            ended.code(1).says(&[
                &format!("benchmark `tools_errors::threads::races` under {tool} has "),
                words,
            ]);
            assert!(errors(&home, "tools_errors::threads::races", tool) > 0);
            assert_eq!(errors(&home, "tools_errors::threads::is_fine", tool), 0);
        }
    });
}

#[test]
fn trees_of_memory_are_kept_beside_the_log() {
    let home = Home::new();
    let valgrind = &valgrinds::all()[0];
    let arguments = "--memcheck-args=--leak-check=full --xtree-leak=yes --xtree-memory=full";
    run(
        valgrind,
        &home,
        &["leaks", "--default-tool=memcheck", arguments],
    )
    .code(1);
    let names = home.results().into_keys();
    let names: Vec<String> = names
        .map(|name| name.rsplit('/').next().unwrap().to_owned())
        .collect();
    assert_eq!(
        names,
        [
            "memcheck.leaks.log",
            "memcheck.leaks.xleak",
            "memcheck.leaks.xtree",
            "summary.json"
        ]
    );
}
