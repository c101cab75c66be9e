//! Results on terminals of several widths.

use iai_callgrind::protocol::OutputFormat;

use super::bench::{check_on_terminals, events, function, plain, Bench, Process, BENCH};

const LONG: &str = "(0..10).rev().map(|n| n * 77777 % 1013).filter(|n| n % 3 != 0).collect()";

fn two(bench: &mut Bench) {
    bench.group(
        "rows",
        false,
        vec![
            function("parse_rows", &[(Some("rows_100"), Some("make(100)"))]),
            function("sort", &[(Some("a_long_id_of_a_case"), Some(LONG))]),
        ],
    );
}

fn counts(bench: &Bench, parse: &[(&str, u64)], sort: &[(&str, u64)]) {
    bench.counts("rows/parse_rows.rows_100", parse);
    bench.counts("rows/sort.a_long_id_of_a_case", sort);
}

#[test]
fn what_happened_stands_in_the_last_lines() {
    check_on_terminals("changes", |bench| {
        two(bench);
        let mut shown = String::new();
        for [parse, sort] in [
            [plain(2_163_197, 915_210), plain(10_527, 3000)],
            [plain(2_343_018, 915_210), plain(10_527, 3000)],
            // Less, and the caches were met otherwise.
            [plain(555, 210), events(10_527, 3000, 40, 9)],
            // So little says nothing.
            [plain(555, 210), plain(10_530, 3000)],
        ] {
            counts(bench, &parse, &sort);
            shown += &bench.run(&[]);
        }
        shown
    });
}

#[test]
fn regressions_stand_beside_their_limits_and_the_largest_first() {
    check_on_terminals("regressions", |bench| {
        two(bench);
        counts(bench, &plain(2_163_197, 915_210), &plain(10_527, 3000));
        bench.run(&[]);
        counts(
            bench,
            &plain(2_343_018, 915_210),
            &events(20_527, 3000, 40, 9),
        );
        bench.run(&["--callgrind-limits=ir=5%|15000,ramhits=0.5%"])
    });
}

#[test]
fn rows_that_were_asked_for_are_shown() {
    check_on_terminals("all_rows", |bench| {
        two(bench);
        counts(
            bench,
            &events(900, 100, 20, 5),
            &events(u64::MAX / 2, 0, 0, 0),
        );
        bench.run(&[]);
        counts(
            bench,
            &events(169_777, 0, 1200, 0),
            &events(u64::MAX / 2 - 1, 0, 0, 0),
        );
        bench.run(&["--callgrind-metrics=ir,@hits,@hr", "--nosummary"])
    });
}

#[test]
fn failures_are_named_and_what_did_not_run_is_counted() {
    check_on_terminals("failed", |bench| {
        two(bench);
        counts(bench, &plain(915, 210), &plain(10_527, 3000));
        bench.run(&[]);
        let exit = bench.results("rows/parse_rows.rows_100").join("exit");
        std::fs::write(exit, "3").unwrap();
        let failed = bench.run(&[]);
        counts(bench, &plain(1915, 210), &plain(10_527, 3000));
        failed + &bench.run(&["--callgrind-limits=ir=5%", "--regression-fail-fast"])
    });
}

#[test]
fn tools_baselines_and_errors_keep_to_the_columns() {
    check_on_terminals("tools", |bench| {
        bench.group("misc", false, vec![function("f", &[(None, None)])]);
        bench.recorded("misc/f", "memcheck", "reads");
        bench.recorded("misc/f", "massif", "peak");
        let words = [
            "--default-tool=massif",
            "--tools=memcheck",
            "--memcheck-args=--error-exitcode=0",
            "--save-baseline=a_very_long_baseline_name_over_twenty_characters_long_really_long",
        ];
        bench.run(&words);
        bench.run(&words)
    });
}

#[test]
fn parts_come_and_go() {
    check_on_terminals("parts", |bench| {
        bench.group(
            "g",
            false,
            vec![function("threads", &[(Some("two"), Some("2"))])],
        );
        bench.config().output_format = Some(OutputFormat {
            show_intermediate: Some(true),
            show_grid: Some(true),
            ..OutputFormat::default()
        });
        let write = |pid, command, counts: &[(&str, u64)]| {
            let folder = bench.results("g/threads.two");
            let first = Process {
                pid,
                parent: 1,
                command: BENCH,
            };
            first.write(&folder, &[(1, 1, counts), (2, 1, &[("Ir", 5)])]);
            let second = Process {
                pid: pid + 1,
                parent: pid,
                command,
            };
            second.write(&folder, &[(1, 1, &[("Ir", 70)])]);
        };
        write(15969, "/build/target/release/echo-n x", &[("Ir", 9091)]);
        bench.run(&[]);
        write(16034, "/usr/bin/cat", &[("Ir", 9285)]);
        bench.run(&["--nosummary"])
    });
}

#[test]
fn small_differences_can_be_tolerated() {
    check_on_terminals("tolerance", |bench| {
        two(bench);
        counts(bench, &plain(915_000, 210), &plain(10_527, 3000));
        bench.run(&[]);
        counts(bench, &plain(919_000, 210), &[("Ir", 10_627), ("own", 3)]);
        bench.run(&["--tolerance=0.5", "--nosummary"])
    });
}
