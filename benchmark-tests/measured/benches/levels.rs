//! The same settings on every level, and benchmarks that panic if their environment is another one.

use std::env;

use iai_callgrind::{
    library_benchmark, library_benchmark_group, main, Callgrind, LibraryBenchmarkConfig,
};
use inside_benchmarks::rounds;

/// Variables that Valgrind and the runner add.
const OTHERS: &[&str] = &[
    "GLIBCPP_FORCE_NEW",
    "GLIBCXX_FORCE_NEW",
    "GLIBC_TUNABLES",
    "IAI_CALLGRIND_PADDING",
    "IAI_CALLGRIND_SERVER",
    "LD_LIBRARY_PATH",
    "LD_PRELOAD",
    "PWD",
];

/// Sets `LEVEL` to the name of the level and `<name>` to `yes`, and adds an argument that changes
/// nothing.
fn level(name: &str) -> LibraryBenchmarkConfig {
    LibraryBenchmarkConfig::default()
        .env("LEVEL", name)
        .env(name, "yes")
        .tool(Callgrind::with_args([format!(
            "--toggle-collect=level_{name}"
        )]))
        .build()
}

/// Panics unless these are all variables of this process.
fn expect(expected: &'static [(&'static str, &'static str)]) {
    let mut variables: Vec<(String, String)> = env::vars().collect();
    variables.retain(|(name, _)| !OTHERS.contains(&name.as_str()));
    variables.sort_unstable();
    let variables: Vec<(&str, &str)> = variables.iter().map(|(k, v)| (&**k, &**v)).collect();
    assert_eq!(variables, expected);
}

#[library_benchmark(config = level("attribute"), setup = expect)]
#[bench::case(
    args = (&[("LEVEL", "bench"), ("attribute", "yes"), ("bench", "yes"), ("group", "yes"), ("main", "yes")]),
    config = level("bench")
)]
#[bench::inherits(&[("LEVEL", "attribute"), ("attribute", "yes"), ("group", "yes"), ("main", "yes")])]
fn on_all_levels(_checked: ()) {
    rounds(10);
}

fn expect_passed(expected: Option<&str>) {
    assert_eq!(env::var("PASSED").ok().as_deref(), expected);
    assert_eq!(env::var("NOT_PASSED").ok(), None);
}

#[library_benchmark(setup = expect_passed)]
#[bench::passed(
    args = (Some("through")),
    config = LibraryBenchmarkConfig::default().pass_through_envs(["PASSED", "ABSENT"])
)]
#[bench::cleared(None)]
fn passes(_checked: ()) {
    rounds(10);
}

fn expect_all() {
    assert_eq!(env::var("PASSED").as_deref(), Ok("through"));
    assert_eq!(env::var("NOT_PASSED").as_deref(), Ok("is there"));
    assert!(env::var_os("PATH").is_some());
}

#[library_benchmark(
    setup = expect_all,
    config = LibraryBenchmarkConfig::default().env_clear(false)
)]
fn not_cleared(_checked: ()) {
    rounds(10);
}

#[library_benchmark(
    config = LibraryBenchmarkConfig::default()
        .valgrind_args(["log-file=elsewhere"])
        .tool(Callgrind::with_args(["--callgrind-out-file=elsewhere", "log-file=elsewhere"]))
)]
#[benches::twice(args = [1, 2])]
fn refused(n: u64) -> u64 {
    rounds(10);
    n
}

library_benchmark_group!(
    name = levels,
    config = level("group"),
    benchmarks = [on_all_levels]
);
library_benchmark_group!(name = environment, benchmarks = [passes, not_cleared]);
library_benchmark_group!(name = arguments, benchmarks = [refused]);
main!(
    config = level("main"),
    library_benchmark_groups = [levels, environment, arguments]
);
