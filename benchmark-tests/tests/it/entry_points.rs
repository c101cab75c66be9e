//! Counting from another function on, and the whole process.

use benchmark_tests::{Bench, Home};

#[test]
fn entry_points() {
    let home = Home::new();
    let bench = Bench::new("entry_points").measure(&home);
    bench.args(["--skip", "missing"]).run().code(0).quiet();
    let ir = |id: &str| home.count(&format!("entry_points::group::counts::{id}"), "Ir");
    // Two instructions a round, and no others in between.
    assert_eq!(ir("custom") - ir("custom_short"), 2 * (5000 - 10));
    assert!(ir("custom") < 2 * 5000 + 10, "{}", ir("custom"));
    // The function around it has a loop of its own.
    assert!(ir("function") > ir("custom") + 1000, "{}", ir("function"));
    // The start of the process alone is more than all of it.
    assert!(ir("none") > ir("function") + 50_000, "{}", ir("none"));
}

#[test]
fn an_entry_point_that_does_not_exist() {
    let home = Home::new();
    let bench = Bench::new("entry_points").measure(&home).arg("missing");
    bench.run().code(1).says(&[
        "error: benchmark `entry_points::group::counts::missing` ",
        "the executable has no function whose name matches `*no_such_function*`\n",
    ]);
    assert!(!home.has("entry_points::group::counts::missing"));
}
