//! Benchmarks that were written for Divan are counted, named and chosen as their readers expect.

use std::collections::BTreeMap;
use std::time::Duration;

use benchmark_tests::server::described;
use benchmark_tests::{build, Bench, Ended, Home};
use serde_json::Value;

const PACKAGE: &str = "divan-source";

const ALL: &str = "\
shapes::main::plain
shapes::main::returned
shapes::main::another_name
shapes::main::timed
shapes::main::random
shapes::main::never_calls
shapes::main::panics
shapes::main::api
shapes::bencher::bench
shapes::bencher::bench_local
shapes::bencher::bench_values
shapes::bencher::bench_local_values
shapes::bencher::bench_refs
shapes::bencher::bench_local_refs
shapes::renamed::outer
shapes::renamed::inner::deep
shapes::renamed::left_out::still_there
shapes::generics::collected::Vec_u32__0
shapes::generics::collected::Vec_u32__16
shapes::generics::collected::BTreeSet_u32__0
shapes::generics::collected::BTreeSet_u32__16
shapes::generics::collected::HashSet_u32__0
shapes::generics::collected::HashSet_u32__16
shapes::generics::from_str::_str
shapes::generics::from_str::String
shapes::generics::listed::1
shapes::generics::listed::10
shapes::generics::listed::100
shapes::generics::flag::false
shapes::generics::flag::true
shapes::generics::all::u8_1_a_b
shapes::generics::all::u8_1_c
shapes::generics::all::u8_10_a_b
shapes::generics::all::u8_10_c
shapes::generics::all::u16_1_a_b
shapes::generics::all::u16_1_c
shapes::generics::all::u16_10_a_b
shapes::generics::all::u16_10_c
shapes::arguments::values::100
shapes::arguments::values::200
shapes::arguments::values::100-2
shapes::arguments::shared::100
shapes::arguments::shared::200
shapes::arguments::range::1
shapes::arguments::range::2
shapes::arguments::debugged::One
shapes::arguments::debugged::Two_200_
shapes::arguments::strings::x
shapes::arguments::strings::xx
shapes::arguments::references::_1,_2_
shapes::arguments::references::_3_
";

fn bench(target: &str) -> Bench {
    Bench::at(&build::source(PACKAGE, target))
}

/// The benchmarks that a command line selects.
fn listed(words: &[&str]) -> String {
    let listed = bench("shapes").args(["--list", "--format=terse"]);
    let stdout = listed.args(words).run().code(0).quiet().stdout;
    stdout.replace(": benchmark\n", "\n")
}

/// The metrics of each benchmark, by its path below the file.
fn figures(home: &Home, target: &str) -> BTreeMap<String, BTreeMap<String, f64>> {
    let of_record = |record: Value| {
        let benchmark = &record["benchmark"];
        let names = ["group", "function", "id"].iter();
        let names: Vec<&str> = names
            .filter_map(|field| benchmark[field].as_str())
            .collect();
        let metrics = record["profiles"][0]["metrics"].as_array();
        let figure =
            |metric: &Value| Some((metric["kind"].as_str()?.to_owned(), metric["new"].as_f64()?));
        let figures = metrics.into_iter().flatten().filter_map(figure).collect();
        (names.join("::"), figures)
    };
    let records = home.records(target).into_iter();
    records
        .filter(|record| record["type"] == "benchmark")
        .map(of_record)
        .collect()
}

#[test]
fn every_benchmark_is_listed_in_the_order_of_the_source() {
    assert_eq!(listed(&[]), ALL);
}

#[test]
fn filters_are_expressions_and_names() {
    // A text, in the path and in Divan's name.
    assert_eq!(listed(&["main::pla"]), "shapes::main::plain\n");
    assert_eq!(listed(&["shapes::plain"]), "shapes::main::plain\n");
    let exact = ["--exact", "shapes::generics::all::u8::1::a b"];
    assert_eq!(listed(&exact), "shapes::generics::all::u8_1_a_b\n");
    let two = "shapes::arguments::shared::200\nshapes::arguments::strings::x\n";
    assert_eq!(listed(&["shared::2|strings::x$"]), two);
    assert_eq!(listed(&["arguments::s", "--skip=x{2}|shared::1"]), two);
    // A filter that is no regular expression is a glob, as everywhere.
    assert_eq!(listed(&["*::x"]), "shapes::arguments::strings::x\n");
    assert_eq!(listed(&["nothing.*"]), "");
}

#[test]
fn ignored_benchmarks_are_there_when_they_are_asked_for() {
    let ignored = "shapes::main::ignored\nshapes::main::ignored_above\nshapes::renamed::left_out::ignored_by_its_group\n";
    assert_eq!(listed(&["--ignored"]), ignored);
    let both = "shapes::main::ignored\nshapes::main::ignored_above\n";
    assert_eq!(listed(&["--include-ignored", "main::ignored"]), both);
    let home = Home::of_package(PACKAGE);
    let run = bench("shapes").measure(&home).args(["--ignored", "above"]);
    run.run().code(0).shows(&["shapes::main::ignored_above"]);
    assert_eq!(figures(&home, "shapes").len(), 1);
}

#[test]
fn the_test_mode_runs_everything_once() {
    let ended = bench("shapes").arg("--skip=panics|never").run().code(0);
    ended.shows(&["test shapes::main::plain ... ok", "49 passed; 0 failed"]);
    let ended = bench("shapes").args(["--test", "panics"]).run().code(1);
    ended.shows(&["there is no file"]);
}

/// Instructions that the call of the routine has more than that of an annotated function. The
/// routine gets a pointer to the captures of its closure before the input, so the input is one
/// register further and is moved (`mov rdi, rsi`); a variable that is captured is loaded from
/// there, and here through a second reference (`mov rax, [rdi]`, `mov rdi, [rax]`); and a function
/// of the user that is not inlined is jumped to (`jmp`), where the annotated one is the function
/// itself. of the user that is not inlined is jumped to (`jmp`), where the annotated one is the
/// function itself.
const MORE: [(&str, &str, u64); 6] = [
    ("main::plain", "main::plain", 1),
    ("main::returned", "main::returned", 1),
    ("arguments::values::100", "main::values::hundred", 1),
    ("bencher::bench", "main::bench::hundred", 2),
    ("bencher::bench_values", "main::bench_values::text", 1),
    ("bencher::bench_refs", "main::bench_refs::reversed", 1),
];

#[test]
fn counts_are_those_of_the_routine_in_every_run() {
    let home = Home::of_package(PACKAGE);
    let run = || bench("shapes").measure(&home).run();
    let first: Ended = run().code(1);
    // Said once.
    let said = "note: one call of each benchmark is counted, in one thread, so these options mean nothing: \
                `sample_count`, `skip_ext_time`, `threads`\n";
    assert_eq!(first.stderr.matches("note: one call").count(), 1, "{first}");
    first.says(&[
        said,
        "its function returned without calling a routine",
        "there is no file",
    ]);
    run().code(1).unchanged();
    let by_hand = bench("by_hand").measure(&home).run();
    by_hand.code(0).quiet();

    let counts = figures(&home, "shapes");
    let count = |name: &str| counts[name]["Ir"] as u64;
    let expected = figures(&home, "by_hand");
    for (name, hand, more) in MORE {
        let expected = expected[hand]["Ir"] as u64;
        let difference = count(name).checked_sub(expected);
        assert!(
            difference.is_some_and(|difference| difference <= more),
            "{name}: {} instead of {expected}",
            count(name)
        );
    }
    // A round has four instructions.
    assert_eq!(count("main::timed") - count("main::plain"), 1200);
    assert_eq!(
        count("generics::flag::true") - count("generics::flag::false"),
        400
    );

    let of = |name: &str, kind: &str| counts[name].get(kind).copied();
    let per = |name: &str, units: u64| Some(count(name) as f64 / units as f64);
    let (bytes, elements) = ("InstructionsPerByte", "InstructionsPerElement");
    let deep = "renamed::inner::deep";
    assert_eq!(
        (of(deep, bytes), of(deep, elements)),
        (per(deep, 4), per(deep, 25))
    );
    for (name, kind, units) in [
        ("renamed::outer", elements, 50),
        ("bencher::bench", elements, 100),
        ("bencher::bench_values", bytes, 101),
        ("bencher::bench_local_refs", elements, 100),
        ("arguments::range::2", elements, 2),
    ] {
        assert_eq!(of(name, kind), per(name, units), "{name}");
    }
    assert_eq!(of("main::plain", elements), None);
}

#[test]
fn options_about_time_hold_where_time_is_measured() {
    let suite = described(&build::source(PACKAGE, "shapes"));
    let functions = suite.groups.iter().flat_map(|group| &group.functions);
    let timed = functions.filter(|function| function.name == "timed");
    let cases: Vec<_> = timed.flat_map(|function| &function.cases).collect();
    let [case] = cases.as_slice() else {
        panic!("{cases:?}");
    };
    let time = case.config.as_deref().unwrap().all_tools().time.unwrap();
    // Of the three seconds that it may take, the ones that it has to.
    assert_eq!(time.duration, Some(Duration::from_millis(1500)));
    assert_eq!((time.enable, time.calls), (Some(false), Some(1)));
    let home = Home::of_package(PACKAGE);
    let run = |words: &[&str]| {
        let bench = bench("shapes").measure(&home).arg("shapes::timed");
        bench.args(words).run().code(0);
        home.summary("shapes::main::timed")["time"].clone()
    };
    assert!(run(&[]).is_null());
    assert_eq!(run(&["--time=50ms"])["calls"], 1);
}

#[test]
fn options_of_the_command_line() {
    let home = Home::of_package(PACKAGE);
    let run = |words: &[&str]| {
        bench("shapes")
            .measure(&home)
            .arg("shapes::plain")
            .args(words)
            .run()
    };
    let words = [
        "--sample-count",
        "5",
        "--timer=os",
        "--items-count=10",
        "--save-baseline=x",
    ];
    run(&words)
        .code(0)
        .says(&["mean nothing: `--sample-count`, `--timer`, `sample_count`"])
        .shows(&["shapes::main::plain", "  Instructions/Element:  "]);
    run(&["--baseline=x"]).code(0).shows(&["(No change)"]);
    run(&["--sample-size"])
        .code(2)
        .says(&["a value is required for '--sample-size'"]);
    run(&["--bytes-count=x"])
        .code(2)
        .says(&["'--bytes-count': expected a number"]);
    run(&["--no-such-option"])
        .code(2)
        .says(&["--no-such-option"]);
}

#[test]
fn a_program_may_set_options_and_go_on() {
    let home = Home::of_package(PACKAGE);
    let ended = bench("builder")
        .arg("--home")
        .arg(home.path())
        .run()
        .code(0);
    ended
        .says(&["mean nothing: `bytes_format`, `color`"])
        .without("Estimated Cycles");
    let figures = figures(&home, "builder");
    assert_eq!(
        figures.keys().collect::<Vec<_>>(),
        ["main::counted", "main::ignored"]
    );
    let counted = &figures["main::counted"];
    assert_eq!(counted["InstructionsPerElement"], counted["Ir"] / 10.0);
    assert_eq!(counted["InstructionsPerByte"], counted["Ir"] / 20.0);

    let listed = bench("builder")
        .arg("--bench")
        .env("LISTS", "1")
        .run()
        .code(0);
    listed.shows(&["builder::main::counted: benchmark\n", "the end of `main`\n"]);
}

/// One source, timed by Divan itself, and counted with a feature of its package.
#[test]
fn a_source_can_be_timed_as_well() {
    let built = |words: &[&str]| Bench::at(&build::source_with("divan-both", "both", words));
    let timed = built(&[]).args(["--bench", "--list"]).run();
    timed.code(0).quiet().shows(&["both\n╰─ sum\n"]);
    let counted = built(&["--features", "count"]);
    let counted = counted.args(["--bench", "--list"]).run();
    counted
        .code(0)
        .quiet()
        .shows(&["both::main::sum: benchmark\n"]);

    // The book has this source.
    let source = include_str!("../../divan-both/benches/both.rs");
    let (_, code) = source.split_once("\n\n").unwrap();
    let book = include_str!("../../../docs/from-divan.md");
    assert!(book.contains(&format!("```rust,ignore\n{code}```\n")));
}

#[test]
fn a_filter_spares_the_call_of_what_it_leaves_out() {
    let home = Home::of_package(PACKAGE);
    let run = |words: &[&str]| bench("slow").measure(&home).args(words).run();
    // `never` ends the process that calls it, and `slow` is slow.
    let quick = run(&["quick"]).code(0);
    let quick = quick.shows(&["slow::main::quick", "Instructions/Element"]);
    assert!(!quick.stderr.contains("note:"), "{}", quick.stderr);
    // What takes long is named, and its time is that of the run.
    let slow = run(&["slow::3$"]).code(0);
    let note =
        "note: to list the benchmarks, `slow::slow::3` is called, without Valgrind: 2 s so far\n";
    assert_eq!(slow.stderr, note);
    let (_, took) = slow.stdout.rsplit_once("finished in ").unwrap();
    let took: f64 = took.trim().trim_end_matches('s').parse().unwrap();
    assert!(took > 3.0, "{took}");
    for words in [
        &["--skip=never", "--skip=slow"][..],
        &["slow::main::quick", "--exact"],
    ] {
        run(words).code(0);
    }
    let all = run(&[]).code(1);
    all.says(&["did not describe its benchmarks (exit status: 9)"]);
}
