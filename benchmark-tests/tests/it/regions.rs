//! `measure`: only what is inside counts.

use benchmark_tests::counted::{independently, REGION};
use benchmark_tests::{build, Bench, Home};

const EXACT: [&str; 3] = ["Ir", "Dr", "Dw"];

fn name(benchmark: &str) -> String {
    format!("regions::group::{benchmark}")
}

#[track_caller]
fn measured(benchmarks: &[&str]) -> Home {
    let home = Home::new();
    let bench = Bench::new("regions").measure(&home).args(benchmarks);
    bench.run().code(0).quiet();
    home
}

#[test]
fn only_the_region_counts() {
    let home = measured(&["one", "around", "several", "--skip=on_a_thread"]);
    let ir = |benchmark: &str| home.count(&name(benchmark), "Ir");
    let overhead = ir("one::short") - 2 * 1000;
    assert!(overhead < 10, "{overhead}");
    assert_eq!(ir("one::long"), 2 * 2000 + overhead);
    // Code around regions has no influence, and regions add up.
    for id in ["around::none", "around::some", "around::more"] {
        assert_eq!(ir(id), ir("around::none"), "{id}");
    }
    assert_eq!(ir("several::six"), 2 * ir("several::three"));
    assert!(ir("several::three") - 3 * 2 * 1000 < 3 * 10);
}

#[test]
fn callgrind_alone_counts_the_same() {
    let home = measured(&["one", "around", "several", "values", "--skip=on_a_thread"]);
    let executable = build::bench("regions");
    for benchmark in ["one::short", "around::more", "several::six", "values::kept"] {
        let address = format!("group::{benchmark}");
        let independent = independently(&executable, &address, REGION);
        let ours = home.new_values(&name(benchmark));
        for kind in EXACT {
            assert_eq!(ours[kind], Some(independent[kind]), "{benchmark} {kind}");
        }
        // It is kept only if its functions add up to the region.
        let digest = format!("callgrind.{}.digest", benchmark.replace("::", "."));
        assert!(
            home.entry(&name(benchmark)).join(&digest).is_file(),
            "{digest}"
        );
    }
}

#[test]
fn regions_that_cannot_be_counted_are_errors() {
    let check = |benchmark: &str, texts: &[&str]| {
        let home = Home::new();
        let bench = Bench::new("regions").measure(&home).arg(benchmark);
        bench.run().code(1).says(texts);
        assert!(!home.has(&name(benchmark)));
    };
    check(
        "nested",
        &["panicked", "`measure` was called inside of `measure`"],
    );
    check(
        "on_a_thread",
        &["counted nothing: `measure` was called, but nothing in its regions was counted"],
    );
    check(
        "with_threads",
        &["`measure` and `count_threads(true)` exclude each other"],
    );
}
