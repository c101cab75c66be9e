//! Settings on all levels, and on the command line.

use benchmark_tests::{Bench, Home};

/// The arguments that Valgrind got.
fn arguments(home: &Home, benchmark: &str) -> Vec<String> {
    let profile = home.profile(benchmark, "callgrind");
    let words = profile["environment"]["valgrind_args"].as_array().unwrap();
    words
        .iter()
        .map(|word| word.as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn arguments_add_up_outer_level_first() {
    let home = Home::new();
    Bench::new("levels")
        .measure(&home)
        .arg("levels::levels")
        .arg("--callgrind-args=--toggle-collect=on_the_command_line")
        .env(
            "IAI_CALLGRIND_CALLGRIND_ARGS",
            "--toggle-collect=in_the_environment",
        )
        .run()
        .code(0)
        .quiet();
    let toggles: Vec<String> = arguments(&home, "levels::levels::on_all_levels::case")
        .iter()
        .filter_map(|word| word.strip_prefix("--toggle-collect="))
        .map(str::to_owned)
        .collect();
    let expected = [
        "level_main",
        "level_group",
        "level_attribute",
        "level_bench",
        "in_the_environment",
        "on_the_command_line",
    ];
    assert_eq!(toggles, expected);
}

#[test]
fn the_environment_is_cleared_and_filled_level_by_level() {
    let home = Home::new();
    let bench = Bench::new("levels").measure(&home).arg("levels::levels");
    bench.env("NOT_PASSED", "is there").run().code(0).quiet();
}

#[test]
fn variables_pass_through_if_asked_for() {
    let home = Home::new();
    let bench = Bench::new("levels").measure(&home).arg("environment");
    let bench = bench.env("PASSED", "through").env("NOT_PASSED", "is there");
    bench.run().code(0).quiet();
}

#[test]
fn callgrinds_arguments_on_the_command_line_show_more() {
    let home = Home::new();
    let run = |arguments: &[&str]| {
        let bench = Bench::new("endings").measure(&home).arg("ends");
        bench.args(arguments).run().code(0)
    };
    run(&["--callgrind-args=--branch-sim=yes"]).shows(&["  Bc:  ", "  Bim:  "]);
    run(&["--callgrind-args", "--cache-sim=no"])
        .shows(&["  Instructions:"])
        .without("|N/A");
    run(&["--valgrind-args=--branch-sim=no '--cache-sim=yes'"]).without("  Bc:");
}

#[test]
fn refused_arguments_are_named_once() {
    let home = Home::new();
    let bench = Bench::new("levels")
        .measure(&home)
        .args(["refused", "passes::cleared"]);
    let bench = bench.arg("--callgrind-args=--log-file=x --quiet");
    let ended = bench.run().code(0);
    let reason = "is ignored: output and log files have their names from the benchmark";
    let configured = "for callgrind in the configuration";
    let typed = "for callgrind in `--callgrind-args`";
    let expected = format!(
        "warning: the argument `--log-file` {typed} {reason}\n\
         warning: the argument `--quiet` {typed} is ignored: the log is read after the run\n\
         warning: the argument `--log-file` {configured} {reason}\n\
         warning: the argument `--callgrind-out-file` {configured} {reason}\n"
    );
    assert_eq!(ended.stderr, expected);
}

#[test]
fn arguments_that_cannot_be_read() {
    let home = Home::new();
    let run = |argument: &str| Bench::new("levels").measure(&home).arg(argument).run();
    run("--callgrind-args='--a")
        .code(2)
        .says(&["a quote in `'--a` is not closed"]);
    run("--callgrind-args=--cache-sim=maybe")
        .code(2)
        .says(&["argument `--cache-sim` for callgrind in `--callgrind-args`: `maybe` is none of"]);
    run("--no-such-option").code(2).says(&["--no-such-option"]);
}
