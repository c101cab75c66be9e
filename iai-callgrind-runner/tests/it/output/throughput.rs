//! Instructions for each byte and element of what benchmarks handle.

use iai_callgrind::protocol::{Function, Throughput};
use iai_callgrind_runner::summary::{HandledAmounts, Number, RecordedThroughput, Status, Summary};

use super::bench::{check, check_on_terminals, function, Bench};

fn handles(id: &'static str, bytes: Option<u64>, elements: Option<u64>) -> Function {
    let mut function = function("parse", &[(Some(id), None)]);
    function.cases[0].throughput = Some(Box::new(Throughput { bytes, elements }));
    function
}

fn set(bench: &mut Bench, bytes: Option<u64>, elements: Option<u64>, ir: u64) {
    bench.suite.groups.clear();
    let functions = vec![
        handles("text", bytes, elements),
        function("sum", &[(Some("text"), None)]),
    ];
    bench.group("io", false, functions);
    bench.counts("io/parse.text", &[("Ir", ir)]);
    bench.counts("io/sum.text", &[("Ir", 42)]);
}

/// Another amount, and fewer instructions for each byte of it.
fn larger(bench: &mut Bench) {
    set(bench, Some(1000), Some(20), 12_410);
    let first = bench.run(&[]);
    assert!(first.contains("Instructions/Byte:"), "{first}");
    set(bench, Some(4000), Some(80), 47_700);
}

fn record(bench: &Bench) -> Summary {
    bench.record("io/parse.text")
}

fn figure(summary: &Summary, kind: &str) -> (Option<Number>, Option<Number>) {
    let metrics = &summary.profiles[0].metrics;
    let metric = metrics.iter().find(|metric| metric.kind == kind);
    let metric = metric.unwrap_or_else(|| panic!("no {kind}: {metrics:?}"));
    (metric.new, metric.old)
}

#[test]
fn counts_for_each_unit_are_the_last_rows_where_there_are_some() {
    check("throughput", |bench| {
        set(bench, Some(1000), Some(20), 12_410);
        let first = bench.run(&[]);
        set(bench, Some(1000), Some(20), 13_020);
        let more = bench.run(&[]);
        larger(bench);
        let other = bench.run(&["--callgrind-limits=ir=5%"]);
        let chosen = bench.run(&["--nosummary", "--callgrind-metrics=ir/element,ir"]);
        first + &more + &other + &chosen
    });
}

#[test]
fn people_see_them_below_the_instructions() {
    check_on_terminals("throughput", |bench| {
        set(bench, Some(1 << 20), None, 32_768);
        let small = bench.run(&[]);
        larger(bench);
        small + &bench.run(&["--callgrind-limits=ir/byte=-5%|11,ir/element=600"])
    });
}

#[test]
fn the_record_has_amounts_and_figures_of_both_sides() {
    let mut bench = Bench::with(vec![]);
    larger(&mut bench);
    bench.run(&[]);
    let summary = record(&bench);
    let amounts = |bytes, elements| Some(HandledAmounts { bytes, elements });
    let expected = RecordedThroughput {
        new: amounts(Some(4000), Some(80)),
        old: amounts(Some(1000), Some(20)),
    };
    assert_eq!(summary.profiles[0].throughput, Some(expected));
    let rates = |new, old| (Some(Number::Rate(new)), Some(Number::Rate(old)));
    assert_eq!(
        figure(&summary, "InstructionsPerByte"),
        rates(11.925, 12.41)
    );
    assert_eq!(
        figure(&summary, "InstructionsPerElement"),
        rates(596.25, 620.5)
    );
    assert_eq!(bench.record("io/sum.text").profiles[0].throughput, None);
}

#[test]
fn limits_on_instructions_hold_for_each_unit_where_amounts_differ() {
    #[track_caller]
    fn check(ir: u64, limits: &str, expected: Status) {
        let mut bench = Bench::with(vec![]);
        larger(&mut bench);
        set(&mut bench, Some(4000), Some(80), ir);
        let text = bench.run(&[limits]);
        assert_eq!(record(&bench).status, expected, "{text}");
    }
    // 12.41 for each byte before.
    check(4 * 12_410, "--callgrind-limits=ir=5%", Status::Ok);
    check(4 * 13_500, "--callgrind-limits=ir=5%", Status::Regressed);
    check(
        4 * 13_500,
        "--callgrind-limits=ir=5%,ir/byte=10%",
        Status::Ok,
    );
    check(4 * 12_410, "--callgrind-limits=ir=40000", Status::Regressed);
    check(
        4 * 12_410,
        "--callgrind-limits=ir/byte=12.4",
        Status::Regressed,
    );
}

#[test]
fn kept_results_have_the_amounts_of_their_records() {
    let mut bench = Bench::with(vec![]);
    set(&mut bench, Some(1000), None, 12_410);
    bench.run(&["--save-baseline=small"]);
    set(&mut bench, Some(4000), None, 47_700);
    bench.run(&["--save-baseline=large"]);
    // The current amount in the source has no effect on results that were kept.
    set(&mut bench, Some(1), None, 47_700);
    let text = bench.run(&["--load-baseline=large", "--baseline=small", "parse"]);
    let row = "  Instructions/Byte:                11.9250|12.4100              (-3.90814%) [-1.04067x]\n";
    assert!(text.contains(row), "{text}");
}

#[test]
fn limits_that_no_benchmark_can_exceed_are_a_warning() {
    let warnings = |bytes, elements, limits: &str| {
        let mut bench = Bench::with(vec![]);
        set(&mut bench, bytes, elements, 1);
        bench.warnings(&["--strict", limits])
    };
    let none = warnings(Some(1), None, "--callgrind-limits=ir/byte=1%,ir=5%");
    assert_eq!(none, [""; 0]);
    let missing = warnings(Some(1), None, "--callgrind-limits=ir/byte=1%,ir/element=5");
    let expected = "limits on Instructions/Element have no effect, since no benchmark says how much of it there is; \
                    `#[library_benchmark(throughput = Bytes(n))]` does, or `Elements(n)`";
    assert_eq!(missing, [expected]);
}

#[test]
fn nothing_is_divided_by_zero() {
    let mut bench = Bench::with(vec![]);
    set(&mut bench, Some(8), Some(0), 1);
    let error = bench.refused(&[]);
    let expected = "`throughput` of `i_lib::io::parse::text`: an amount is not above 0, ";
    assert!(error.contains(expected), "{error}");
    // One that does not run is not looked at.
    assert_eq!(bench.warnings(&["sum"]), [""; 0]);
    // Said by an attribute, and unset by `()`.
    set(&mut bench, None, None, 5);
    let text = bench.run(&["parse"]);
    assert!(!text.contains("Instructions/"), "{text}");
    assert_eq!(record(&bench).profiles[0].throughput, None);
}
