//! A source that was written for Criterion is counted as it is: names, filters, baselines, the test
//! mode, what has no effect and what is refused, and counts as those of annotated functions with
//! the same calls.

use std::time::Duration;

use benchmark_tests::server::described;
use benchmark_tests::{build, Bench, Home};

const PACKAGE: &str = "criterion-source";

/// All benchmarks of `source.rs`, as their paths.
const PATHS: [&str; 19] = [
    "source::benches::fib_20",
    "source::benches::fib_20::2",
    "source::benches::fib::15",
    "source::fibs::recursive",
    "source::sorting::batched::10",
    "source::sorting::batched::100",
    "source::sorting::batched_ref::10",
    "source::sorting::batched_ref::100",
    "source::sorting::with_setup",
    "source::sorting::large_setup",
    "source::sorting::large_drop",
    "source::maps::insert",
    "source::maps::sum_of_a_slice",
    "source::neighbours::last",
    "source::async::futures",
    "source::async::tokio",
    "source::environment::unset",
    "source::environment::set",
    "source::environment::unset_again",
];

fn bench(target: &str) -> Bench {
    Bench::at(&build::source(PACKAGE, target))
}

/// The paths that `--list` shows for these arguments.
fn listed(arguments: &[&str]) -> Vec<String> {
    let list = ["--bench", "--list", "--format", "terse"];
    let ended = bench("source").args(list).args(arguments).run();
    let ended = ended.code(0).quiet();
    let path = |line: &str| line.strip_suffix(": benchmark").unwrap().to_owned();
    ended.stdout.lines().map(path).collect()
}

#[test]
fn settings_of_time_hold_for_their_group_and_ask_for_none() {
    let suite = described(&build::source(PACKAGE, "source"));
    let mut timed = Vec::new();
    for group in &suite.groups {
        for case in group.functions.iter().flat_map(|function| &function.cases) {
            let config = case.config.as_deref();
            if let Some(time) = config.and_then(|config| config.all_tools().time) {
                assert_eq!(time.enable, Some(false));
                timed.push((group.name.as_str(), time.duration));
            }
        }
    }
    timed.dedup();
    assert_eq!(timed, [("sorting", Some(Duration::from_secs(1)))]);
}

#[test]
fn all_forms_are_counted_and_count_the_same_again() {
    let home = Home::of_package(PACKAGE);
    let first = bench("source").measure(&home).run().code(0).says(&[
        "note: `sample_size`, `plot_config`, `sampling_mode`, `with_profiler`, `save_baseline` have no \
         effect: ",
        "hint: baselines are options: `--save-baseline=NAME`",
    ]);
    assert_eq!(first.stderr.lines().count(), 2, "said once: {first}");
    first.shows(&[
        "\nsource::sorting::batched 100\n",
        "  Instructions/Element: ",
    ]);
    let count = |path: &str| home.count(path, "Ir");

    // Two of one name are two benchmarks, and both are the first call in their process.
    assert_eq!(
        count("source::benches::fib_20"),
        count("source::benches::fib_20::2")
    );
    // Maps of a thousand elements are made and dropped around it.
    assert!(count("source::maps::sum_of_a_slice") < 100);
    // The configuration is for what comes after it in the same target.
    let of_environment = |name: &str| count(&format!("source::environment::{name}"));
    assert!(of_environment("set") > count("source::benches::fib_20"));
    assert_eq!(of_environment("unset"), of_environment("unset_again"));
    assert!(of_environment("unset") < 1000);
    // The function that the futures call takes most of it, and the waker is made before.
    let recursive = count("source::fibs::recursive");
    assert!((recursive..recursive + 100).contains(&count("source::async::futures")));
    assert_eq!(home.count("source::async::futures", "Allocations"), 0);
    assert!(count("source::async::tokio") > recursive);

    bench("source").measure(&home).run().code(0).unchanged();
}

/// The differences are those of the machine code around the call, as `objdump` shows it for the
/// compiler that this was written with:
///
/// - `fib` and `insert`: none. A constant is stored instead of an argument.
/// - `batched`: 5 more. The closure comes before the vector, so one more register is saved and
///   restored, with one more word to keep the stack aligned (4), and the capacity of the vector is
///   loaded before the call and not after a panic (1).
/// - `batched_ref`: 1 less. The reference comes as the second argument, so the pointer of the slice
///   goes to its place in one step.
/// - `sum_of_a_slice`: 3 more. The closure refers to the slice: its address, its pointer and its
///   length are loaded.
#[test]
fn counts_are_those_of_annotated_functions_but_for_what_is_around_the_call() {
    let home = Home::of_package(PACKAGE);
    let selected = "fib 20|batched|insert|slice";
    bench("source").measure(&home).arg(selected).run().code(0);
    bench("by_hand").measure(&home).run().code(0).quiet();
    // Another compiler may save another register.
    const SAVED: u64 = 8;
    for (source, by_hand, around) in [
        ("benches::fib_20", "fib::fib_20", 0),
        ("sorting::batched::10", "batched::size_10", SAVED),
        ("sorting::batched::100", "batched::size_100", SAVED),
        ("sorting::batched_ref::10", "batched_ref::size_10", SAVED),
        ("sorting::batched_ref::100", "batched_ref::size_100", SAVED),
        ("maps::insert", "insert", 0),
        ("maps::sum_of_a_slice", "sum_of_a_slice::three", SAVED),
    ] {
        let counts = [
            format!("source::{source}"),
            format!("by_hand::by_hand::{by_hand}"),
        ];
        let [source_count, by_hand_count] = counts.map(|path| home.count(&path, "Ir"));
        assert!(
            source_count.abs_diff(by_hand_count) <= around,
            "{source}: {source_count}, {by_hand}: {by_hand_count}"
        );
    }
    // It does not grow with what the routine does.
    let difference = |size: u64| {
        let source = home.count(&format!("source::sorting::batched::{size}"), "Ir");
        source - home.count(&format!("by_hand::by_hand::batched::size_{size}"), "Ir")
    };
    assert_eq!(difference(10), difference(100));
}

#[test]
fn benchmarks_before_it_do_not_change_a_count() {
    let count = |neighbours: u32| {
        let home = Home::of_package(PACKAGE);
        let bench = bench("source")
            .measure(&home)
            .args(["--exact", "neighbours/last"]);
        let variable = format!("NEIGHBOURS={neighbours}");
        let bench = bench
            .env("NEIGHBOURS", neighbours.to_string())
            .args(["--envs", &variable]);
        bench.run().code(0);
        home.count("source::neighbours::last", "Ir")
    };
    let alone = count(0);
    assert!(alone > 500, "it allocates: {alone}");
    for neighbours in [1, 2, 40] {
        assert_eq!(count(neighbours), alone, "{neighbours}");
    }
}

#[test]
fn paths_read_as_titles_and_filters_match_both() {
    assert_eq!(listed(&[]), PATHS);
    let list = ["--bench", "--list", "--format", "terse", "^maps"];
    let printing = bench("source").args(list).env("PRINTS", "1").run().code(0);
    let lines = PATHS[11..13]
        .iter()
        .map(|path| format!("{path}: benchmark\n"));
    assert_eq!(printing.stdout, lines.collect::<String>());
    printing.says(&["is no output of the run"]);
    for (filter, selected) in [
        ("sorting/batched/", &PATHS[4..6]),
        ("sorting::batched::", &PATHS[4..6]),
        ("^maps", &PATHS[11..13]),
        ("^fib 20$", &PATHS[..2]),
        ("batched.*/100$|futures", &[PATHS[5], PATHS[7], PATHS[14]]),
        ("source::async::*", &PATHS[14..16]),
    ] {
        assert_eq!(listed(&[filter]), selected, "{filter}");
    }
    assert_eq!(listed(&["--exact", "sorting/batched/10"]), PATHS[4..5]);
    let refused = bench("source")
        .args(["--bench", "--list", "(fib|sort)"])
        .run();
    refused.code(2).says(&[
        "error: the filter `(fib|sort)` is a regular expression with `(`",
        "hint: a filter is a part of the name",
    ]);
}

#[test]
fn baselines_and_options_are_spelled_as_in_criterion() {
    let home = Home::of_package(PACKAGE);
    let of_one = |words: &[&str]| {
        let bench = bench("source").measure(&home).arg("fibs/recursive");
        bench.args(words).run().code(0)
    };
    let timed = [
        "-s",
        "main",
        "--noplot",
        "--measurement-time",
        "5",
        "--output-format",
        "bencher",
    ];
    of_one(&timed).says(&[
        "note: `--noplot`, `--measurement-time`, `--output-format=bencher`, `sample_size`",
    ]);
    let same = "(No change)\n";
    of_one(&["--baseline", "main", "--quick"]).shows(&["|main\n", same]);
    of_one(&["--baseline-lenient=main", "-c", "never"]).shows(&["|main\n", same]);
    of_one(&["--load-baseline", "main", "-b", "main"]).shows(&["main|main\n", same]);
}

#[test]
fn the_test_mode_runs_everything_once() {
    let ended = bench("source").args(["--bench", "--test"]).run();
    let ended = ended.code(0).quiet();
    ended.shows(&[
        "test source::sorting::batched::10 ... ok",
        "19 passed; 0 failed",
    ]);
    // A routine with a clock of its own can be run, if not counted.
    let ended = bench("refused").run().code(1);
    ended.shows(&[
        "test refused::refused::custom ... ok",
        "test refused::refused::never ... FAILED",
        "test refused::refused::good ... ok",
    ]);
}

/// The names are known after a call of the target alone, the closures of benchmarks that a filter
/// leaves out are not called.
#[test]
fn a_target_that_takes_long_to_list_is_named() {
    let home = Home::of_package(PACKAGE);
    let ended = bench("slow").measure(&home).arg("quick").run().code(0);
    assert_eq!(
        ended.stderr,
        "note: to list the benchmarks, `prepared` is called, without Valgrind: 2 s so far\n"
    );
    assert!(home.count("slow::benches::quick", "Ir") > 100);
    assert!(!home.has("slow::benches::never"));
    let (_, took) = ended.stdout.rsplit_once("finished in ").unwrap();
    let took: f64 = took.trim().trim_end_matches('s').parse().unwrap();
    assert!(took > 3.0, "{took}");
}

#[test]
fn what_cannot_be_counted_fails_with_its_reason_and_the_others_go_on() {
    let home = Home::of_package(PACKAGE);
    let ended = bench("refused").measure(&home).run().code(1).says(&[
        "benchmark `refused::refused::custom` ended with exit code 88 before it returned",
        "| error: `iter_custom` does its own timing",
        "|   hint: `iter_batched` has a setup that does not count",
        "benchmark `refused::refused::twice` ended",
        "| error: it calls a routine twice",
        "benchmark `refused::refused::never` ended",
        "| error: its function returned without calling a routine, such as `b.iter(..)`",
    ]);
    // `custom` runs in the test mode, which says nothing about Valgrind.
    let ended = ended.without("passes without Valgrind");
    ended.shows(&["3 failed; 1 benchmarks"]);
    assert!(home.count("refused::refused::good", "Ir") > 1000);
}

#[test]
fn a_main_of_the_users_own_is_told_what_to_write() {
    for (name, value) in [("WITHOUT_GROUP", "1"), ("WITH_GROUP", "1")] {
        for arguments in [&["--bench"][..], &["--list"], &[]] {
            let own_main = bench("own_main").env(name, value).args(arguments);
            own_main.run().code(1).says(&[
                "error: benchmarks are registered by a `main` that does not begin with that of the framework",
                "hint: write `criterion_main!(..)`",
            ]);
        }
    }
}
