//! A benchmark of which the compiler left nothing says so.

use benchmark_tests::{Bench, Home};

#[test]
fn work_that_was_removed_has_a_warning() {
    for fork in ["--fork=yes", "--fork=no"] {
        let home = Home::new();
        let ended = Bench::new("removed").measure(&home).arg(fork).run().code(0);
        let warnings: Vec<&str> = ended.stderr.lines().collect();
        let [removed, region] = warnings.as_slice() else {
            panic!("{ended}");
        };
        for (warning, name) in [
            (removed, "removed::group::removed"),
            (region, "removed::group::removed_in_a_region"),
        ] {
            let few = format!("warning: `{name}`: only ");
            assert!(warning.starts_with(&few), "{warning}");
            assert!(warning.contains("std::hint::black_box"), "{warning}");
        }
        let count = |name: &str| home.count(&format!("removed::group::{name}"), "Ir");
        assert!(count("removed") < 10 && count("removed_in_a_region") < 10);
        assert!(count("calls") < 10, "{}", count("calls"));
        assert!(count("kept") > 1000);
    }
}
