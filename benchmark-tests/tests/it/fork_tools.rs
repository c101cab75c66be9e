//! Results of tools other than Callgrind do not depend on the benchmarks that the server ran
//! before.
//!
//! One server for each order; all have to write the same as the first one. A usual run takes a few
//! kernels, `SUITE_FULL=1` more; `VALGRINDS` names further Valgrinds.

use std::collections::BTreeMap;
use std::path::Path;

use benchmark_tests::server::{self, Case, Options};
use benchmark_tests::{build, sample, valgrinds};
use iai_callgrind::protocol::Tool;
use serde_json::Value;

/// Result of a tool for each benchmark.
type Said = BTreeMap<String, String>;

/// Runs these benchmarks in this order.
fn run(options: &Options<'_>, order: &[&Case]) -> Said {
    let mut server = options.start();
    let mut said = Said::new();
    for case in order {
        let pid = server.begin(case);
        let ran = server.end(pid);
        assert_eq!(ran.status.code(), Some(86), "{}: {ran:?}", case.name);
        let (log, out) = (server.log(pid), ran.files.into_values().next());
        let figures = match options.tool {
            Tool::Dhat => of_dhat(&out.unwrap()),
            Tool::Massif => of_massif(&out.unwrap()),
            Tool::Cachegrind => out.unwrap(),
            Tool::Drd => without_suppressed(&log),
            _ => log,
        };
        said.insert(case.name.clone(), figures);
    }
    said
}

/// All but the process and the times: its clock began with the server.
fn of_dhat(file: &str) -> String {
    let mut profile: Value = serde_json::from_str(file).unwrap();
    for key in ["pid", "te", "tg"] {
        profile.as_object_mut().unwrap().remove(key);
    }
    for point in profile["pps"].as_array_mut().unwrap() {
        point.as_object_mut().unwrap().remove("tl");
    }
    assert!(profile["ftbl"].is_array());
    profile.to_string()
}

/// All but the first line, which names the server's directory.
fn of_massif(file: &str) -> String {
    let (options, profile) = file.split_once('\n').unwrap();
    assert!(options.starts_with("desc: --time-unit=B"), "{options}");
    assert!(profile.contains("snapshot=1\n"), "{profile}");
    profile.to_owned()
}

/// DRD's suppressed errors are other ones in each run of the same program.
fn without_suppressed(log: &str) -> String {
    let lines = log
        .lines()
        .map(|line| match line.split_once(" (suppressed:") {
            Some((summary, _)) => summary,
            None => line,
        });
    lines.collect::<Vec<_>>().join("\n")
}

/// Every fifth kernel whose counts are the same in every run, and of these what this run takes.
fn kernels(executable: &Path) -> Vec<Case> {
    let mut all = server::cases(executable);
    all.retain(|case| case.group != "noise");
    let some: Vec<Case> = all.into_iter().step_by(5).collect();
    assert!(some.len() >= 10, "{}", some.len());
    sample::some(some)
}

/// File order, reverse order, and one in which each benchmark has other neighbours.
fn check(options: &Options<'_>) {
    let kernels = kernels(options.executable);
    let order: Vec<&Case> = kernels.iter().collect();
    let expected = run(options, &order);
    let reverse: Vec<&Case> = kernels.iter().rev().collect();
    let (even, odd): (Vec<_>, Vec<_>) = order.iter().enumerate().partition(|(i, _)| i % 2 == 0);
    let mixed: Vec<&Case> = odd.into_iter().chain(even).map(|(_, case)| *case).collect();
    for (what, order) in [("reverse", reverse), ("mixed", mixed)] {
        for (name, said) in run(options, &order) {
            assert_eq!(said, expected[&name], "{} {what} {name}", options.tool);
        }
    }
}

#[track_caller]
fn check_tool(tool: Tool, arguments: &[&str]) {
    let executable = build::bench("kernels");
    valgrinds::with_each(|valgrind| {
        check(&Options {
            tool,
            arguments,
            ..Options::new(valgrind, &executable)
        });
    });
}

#[test]
fn dhat() {
    check_tool(Tool::Dhat, &["--num-callers=500"]);
}

#[test]
fn massif() {
    check_tool(Tool::Massif, &["--time-unit=B", "--peak-inaccuracy=0.0"]);
}

#[test]
fn memcheck() {
    check_tool(Tool::Memcheck, &["--leak-check=full"]);
}

#[test]
fn helgrind() {
    check_tool(Tool::Helgrind, &[]);
}

#[test]
fn drd() {
    check_tool(Tool::Drd, &[]);
}

/// Only newer ones can begin to count later, which the executable has to be built for.
#[test]
fn cachegrind() {
    let arguments = [
        "--I1=32768,8,64",
        "--D1=32768,8,64",
        "--LL=8388608,16,64",
        "--cache-sim=yes",
        "--branch-sim=yes",
        "--instr-at-start=no",
    ];
    valgrinds::with_each(|valgrind| {
        if valgrinds::number(valgrind) >= (3, 22) {
            let executable = build::cachegrind_bench("kernels");
            check(&Options {
                tool: Tool::Cachegrind,
                arguments: &arguments,
                ..Options::new(valgrind, &executable)
            });
        }
    });
}
