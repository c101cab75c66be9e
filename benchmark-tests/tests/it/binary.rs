//! Benchmark files that measure programs, from the macros to the figures.

use benchmark_tests::{Bench, Home};

const FAILING: [&str; 2] = ["--skip", "failing"];

#[test]
fn both_forms_count_the_same() {
    let home = Home::new();
    let bench = || Bench::new("binary").measure(&home).args(FAILING);
    let ended = bench().run().code(0).quiet();
    ended.shows(&[
        "binary::attributes::reads one:(\"input\") -> ",
        " read input\n",
        "binary::attributes::exits () -> ",
        "binary::low_level::reads one:() -> ",
        "First results. 9 without regressions; 0 regressed; 0 compared; 9 new; 2 filtered; 9 benchmarks finished in ",
    ]);
    for (attribute, low_level) in [
        ("reads::one", "reads::one"),
        ("reads::two_0", "reads::two_0"),
        ("reads::two_1", "reads::two_1"),
        // A bench needs an id: without one it has the name of the function.
        ("exits", "exits::exits"),
    ] {
        let of_attribute = home.new_values(&format!("binary::attributes::{attribute}"));
        let of_low_level = home.new_values(&format!("binary::low_level::{low_level}"));
        assert_eq!(of_attribute, of_low_level, "{attribute}");
    }
    let main = home.count("binary::attributes::reads::one", "Ir");
    let whole = home.count("binary::attributes::exits", "Ir");
    assert!(main + 50_000 < whole, "{main} {whole}");
    bench().run().code(0).quiet().unchanged();
}

#[test]
fn setups_run_once_for_each_tool_and_are_shown_on_request() {
    let home = Home::new();
    let bench = Bench::new("binary").measure(&home).args(FAILING);
    let ended = bench.args(["attributes::reads::one", "--tools=dhat"]);
    ended.run().code(0).quiet().without("wrote input");
    for tool in ["callgrind", "dhat"] {
        home.profile("binary::attributes::reads::one", tool);
    }
    let bench = Bench::new("binary").measure(&home);
    let ended = bench.args(["attributes::reads::one", "--nocapture"]).run();
    ended.code(0).shows(&["\nwrote input\n"]);
}

#[test]
fn failures_name_the_benchmark() {
    let home = Home::new();
    let bench = Bench::new("binary").measure(&home).arg("failing");
    bench.run().code(1).says(&[
        "error: benchmark `binary::attributes::failing::fails` did not run, since its setup ended \
         with exit code 4\n",
        "error: benchmark `binary::attributes::failing::waits` could not be started: its delay timed \
         out after 50ms: no file or directory `",
    ]);
    let left = home.names();
    assert!(
        !left.iter().any(|name| name.contains("/.work-")),
        "{left:?}"
    );
}

#[test]
fn without_cargo_bench_the_commands_run_without_a_tool() {
    let home = Home::new();
    let test = || Bench::new("binary").arg("--home").arg(home.path());
    // No Valgrind is needed, and nothing is kept.
    let ended = test().args(FAILING).env("PATH", "/no/programs").run();
    ended.code(0).quiet().shows(&[
        "\ntest binary::attributes::reads::one ... ok\n",
        "\ntest result: ok. 9 passed; 0 failed; 0 ignored; 0 measured; 2 filtered out; ",
    ]);
    test()
        .arg("failing")
        .run()
        .code(1)
        .shows(&["\ntest binary::attributes::failing::waits ... FAILED\n"]);
    assert_eq!(home.names(), [""; 0]);
}
