//! Code that is defined inside of a benchmark function counts: closures, nested functions, local
//! types.
//!
//! The truth is in the code: each benchmark executes a loop of two instructions a round a known
//! number of times, with one round and with a million more. Whatever else there is, the difference
//! is known to the last instruction, for every way to compile.

use benchmark_tests::{build, executables, Bench, Home};
use serde_json::Value;

/// Rounds that the second case of each benchmark has more, and the instructions of one.
const MORE: u64 = 2 * 1_000_000;

/// Starting threads and waiting for them is not exact.
const WAITING: u64 = 5000;

/// Runs all benchmarks of the executable and checks every difference.
fn check(settings: &[&str], flags: &[&str]) {
    let executable = build::inside(settings, flags);
    let home = Home::new();
    let bench = Bench::at(&executable).measure(&home);
    let ended = bench.arg("--output-format=json").run().code(0).quiet();
    let mut counts = Vec::new();
    for line in ended.stdout.lines() {
        let record: Value = serde_json::from_str(line).unwrap();
        if record["type"] != "benchmark" {
            continue;
        }
        let text = |field: &str| record["benchmark"][field].as_str().unwrap().to_owned();
        let metrics = record["profiles"][0]["metrics"].as_array().unwrap();
        let ir = metrics
            .iter()
            .find(|metric| metric["kind"] == "Ir")
            .unwrap();
        counts.push((text("group"), text("function"), ir["new"].as_u64().unwrap()));
    }
    assert!(
        counts.len() > 80,
        "{settings:?} {flags:?}: {}",
        counts.len()
    );
    for pair in counts.chunks(2) {
        let [(group, function, one), (_, same, many)] = pair else {
            panic!("{pair:?}");
        };
        assert_eq!(function, same);
        let times = match group.as_str() {
            "once" => 1,
            "twice" => 2,
            "thrice" => 3,
            _ => panic!("{group}"),
        };
        let (more, expected) = (many - one, times * MORE);
        let tolerance = if group == "twice" && has_threads(function) {
            WAITING
        } else {
            0
        };
        assert!(
            more.abs_diff(expected) <= tolerance,
            "{settings:?} {flags:?} {group}::{function}: {more} instead of {expected}"
        );
    }
}

fn has_threads(function: &str) -> bool {
    ["closure_on_both_threads", "spawned"].contains(&function)
}

const V0: &[&str] = &["-C", "symbol-mangling-version=v0"];

#[test]
fn all_counts_with_the_usual_profile() {
    check(&[], &[]);
}

/// Without symbols nobody switches the count of the measuring thread on; other threads count.
#[test]
fn threads_alone_are_no_result() {
    let folder = tempfile::tempdir().unwrap();
    let stripped = folder.path().join("inside");
    executables::copy_stripped(build::inside(&[], &[]), &stripped);
    let home = Home::new();
    let bench = Bench::at(&stripped).measure(&home);
    let ended = bench
        .args(["spawned::n_0", "local_drop::n_0"])
        .run()
        .code(1);
    ended.says(&[
        "error: benchmark `inside::twice::spawned::n_0` counted nothing: the executable has no symbols",
        "error: benchmark `inside::once::local_drop::n_0` counted nothing: the executable has no symbols",
    ]);
    assert_eq!(home.results().len(), 0);
}

mod in_full_runs {
    use super::*;

    #[test]
    fn all_counts_however_it_is_compiled() {
        let at_link_time = [
            "lto='fat'",
            "panic='abort'",
            "codegen-units=1",
            "split-debuginfo='unpacked'",
        ];
        let builds: [(&[&str], &[&str]); 9] = [
            (&["codegen-units=256"], V0),
            (&["opt-level=0"], &[]),
            (&["opt-level=0"], V0),
            (&["opt-level=1"], V0),
            (&["opt-level=2", "codegen-units=1"], &[]),
            (&["opt-level='s'"], V0),
            (&["opt-level='z'"], &[]),
            (&["opt-level='z'"], V0),
            (&at_link_time, V0),
        ];
        for (settings, flags) in builds {
            check(settings, flags);
        }
    }
}
