//! Executables without symbols: counting works on names.

use benchmark_tests::{build, Bench, Home};
use snapbox::{assert_data_eq, str};

/// What to do about it is said once for all benchmarks.
#[test]
fn a_stripped_executable_is_an_error_that_says_so() {
    let home = Home::new();
    let executable = build::stripped_bench("counts");
    let ended = Bench::at(&executable).measure(&home).arg("nops_1").run();
    let ended = ended.code(1);
    assert_data_eq!(
        &ended.stderr,
        str![[r#"
error: benchmark `counts::exact::nops_1` counted nothing: the executable has no symbols, so Valgrind cannot see where the benchmark begins
  hint: set `strip = false` and `debug = true` in `[profile.bench]` of `Cargo.toml`
error: benchmark `counts::exact::nops_1000` counted nothing: the executable has no symbols, so Valgrind cannot see where the benchmark begins

"#]]
    );
    assert_eq!(home.names(), ["benchmark-tests/counts/.lock"]);
}

#[test]
fn what_needs_no_names_works() {
    let bench = || Bench::at(&build::stripped_bench("counts"));
    bench()
        .arg("nops_1")
        .run()
        .code(0)
        .shows(&["test counts::exact::nops_1 ... ok"]);
    bench()
        .arg("--list")
        .run()
        .code(0)
        .shows(&["counts::exact::nops_1: benchmark"]);
}
