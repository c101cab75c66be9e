//! Runs one after the other, comparisons by id, columns, and baselines.

use super::bench::{check, events, function, plain, Bench};

/// The groups of the examples: two functions that are compared, and one that is not.
fn compared(bench: &mut Bench) {
    let first = &[(Some("first"), Some("setup(1)"))];
    bench.group(
        "cmp",
        true,
        vec![function("bench_a", first), function("bench_b", first)],
    );
    bench.group("misc", false, vec![function("no_id", &[(None, None)])]);
    bench.counts("cmp/bench_a.first", &plain(915, 210));
    bench.counts("cmp/bench_b.first", &plain(415, 110));
    bench.counts("misc/no_id", &plain(466, 100));
}

fn alone(bench: &mut Bench) {
    let first = &[(Some("first"), Some("setup(1)"))];
    bench.group("cmp", true, vec![function("bench_a", first)]);
}

#[test]
fn first_run_and_comparison_by_id() {
    check("first_run", |bench| {
        compared(bench);
        bench.run(&[])
    });
}

#[test]
fn unchanged_slower_and_faster() {
    check("changes", |bench| {
        alone(bench);
        let mut shown = String::new();
        for (ir, data) in [(915, 210), (915, 210), (1365, 210), (555, 210)] {
            bench.counts("cmp/bench_a.first", &plain(ir, data));
            shown += &bench.run(&["--nosummary"]);
        }
        shown
    });
}

#[test]
fn several_benchmarks_are_compared_with_each_other() {
    check("comparisons", |bench| {
        let cases = [(Some("x"), Some("1")), (Some("y"), Some("2")), (None, None)];
        let functions = ["a", "b", "c"];
        for (index, name) in (1..).zip(functions) {
            for id in ["x", "y"] {
                bench.counts(&format!("g/{name}.{id}"), &[("Ir", 100 * index)]);
            }
        }
        let with = |name, cases| function(name, cases);
        bench.group(
            "g",
            true,
            vec![
                with("a", &cases[..2]),
                with("b", &cases[..1]),
                with("c", &cases[..]),
            ],
        );
        bench.counts("g/c", &[("Ir", 7)]);
        let all = bench.run(&["--show-only-comparison"]);
        all + &bench.run(&["--nosummary", "::b", "::x"])
    });
}

/// Two groups of which one has no pair, and one with two ids.
fn two_algorithms(bench: &mut Bench) {
    let cases = [
        (Some("few"), Some("[3, 1]")),
        (Some("many"), Some("random(9)")),
    ];
    let functions = vec![function("bubble", &cases), function("insertion", &cases)];
    bench.group("sort", true, functions);
    bench.group("single", true, vec![function("alone", &cases[..1])]);
    bench.counts("sort/bubble.few", &plain(8140, 520));
    bench.counts("sort/bubble.many", &plain(620_001, 1000));
    bench.counts("sort/insertion.few", &plain(100, 10));
    bench.counts("sort/insertion.many", &plain(1000, 999));
    bench.counts("single/alone.few", &plain(1, 1));
}

#[test]
fn comparisons_are_tables_on_a_terminal_and_pairs_elsewhere() {
    check("comparison_tables", |bench| {
        two_algorithms(bench);
        let to_pipe = bench.run(&["--nosummary"]);
        assert_eq!(
            bench
                .run(&["--nosummary", "--show-comparison=pairs"])
                .lines()
                .count(),
            to_pipe.lines().count()
        );
        bench.on_terminal(80);
        let pairs = bench.run(&["--nosummary", "--show-comparison=pairs"]);
        assert!(pairs.contains("Comparison with"), "{pairs}");
        assert!(to_pipe.contains("Comparison with"), "{to_pipe}");
        let shown = bench.run(&["--nosummary", "--show-only-comparison"]);
        bench.on_terminal(50);
        shown + &bench.run(&["--nosummary", "--show-only-comparison", "::sort"])
    });
}

#[test]
fn a_pipe_gets_tables_if_it_asks_for_them() {
    check("comparison_tables_in_a_pipe", |bench| {
        two_algorithms(bench);
        bench.run(&["--nosummary", "--show-comparison=table", "::few"])
    });
}

#[test]
fn metrics_come_and_go() {
    check("missing", |bench| {
        alone(bench);
        bench.counts("cmp/bench_a.first", &[("Ir", 915), ("Ge", 3)]);
        bench.run(&[]);
        bench.counts("cmp/bench_a.first", &[("Ir", 915), ("Bc", 12), ("Bcm", 1)]);
        bench.run(&["--callgrind-metrics=ir,ge,@bs", "--nosummary"])
    });
}

#[test]
fn rates_have_decimals_and_a_direction() {
    check("rates", |bench| {
        alone(bench);
        bench.counts("cmp/bench_a.first", &events(900, 100, 20, 5));
        bench.run(&[]);
        bench.counts("cmp/bench_a.first", &events(900, 100, 10, 10));
        bench.run(&["--callgrind-metrics=@hr,@mr", "--nosummary"])
    });
}

#[test]
fn from_nothing_to_nothing_and_by_far() {
    check("extremes", |bench| {
        alone(bench);
        let metrics = "--callgrind-metrics=ir,@hits";
        let mut shown = String::new();
        for events in [
            events(100, 0, 0, 0),
            events(169_777, 0, 1200, 0),
            events(100, 0, 0, 0),
            events(u64::MAX / 2, 0, 0, 0),
        ] {
            bench.counts("cmp/bench_a.first", &events);
            shown = bench.run(&[metrics, "--nosummary"]) + &shown;
        }
        shown
    });
}

#[test]
fn small_differences_can_be_tolerated() {
    check("tolerance", |bench| {
        alone(bench);
        let mut shown = String::new();
        // Up by 1 %, down by about as much, up by 3 %.
        for ir in [1000, 1010, 1000, 1030] {
            bench.counts("cmp/bench_a.first", &[("Ir", ir)]);
            shown += &bench.run(&["--tolerance=1", "--nosummary"]);
        }
        bench
            .config()
            .output_format
            .get_or_insert_default()
            .tolerance = Some(5.0);
        shown += &bench.run(&["--nosummary"]);
        bench.counts("cmp/bench_a.first", &[("Ir", 1000)]);
        shown + &bench.run(&["--nosummary", "--callgrind-limits=ir=-1%"])
    });
}

#[test]
fn baselines_are_named_on_the_first_line() {
    check("baselines", |bench| {
        alone(bench);
        bench.counts("cmp/bench_a.first", &[("Ir", 915)]);
        let long = "a_very_long_baseline_name_over_twenty_characters_long_really_long_name";
        let mut shown = String::new();
        for words in [
            "--save-baseline=main",
            "--save-baseline=main",
            "--save-baseline=feat",
            "--baseline=main",
            "--load-baseline=feat --baseline=main",
            &format!("--save-baseline={long}"),
            &format!("--save-baseline={long} --show-grid"),
        ] {
            let words: Vec<&str> = words.split(' ').chain(["--nosummary"]).collect();
            shown += &bench.run(&words);
        }
        shown
    });
}
