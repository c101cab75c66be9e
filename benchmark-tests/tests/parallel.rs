//! Benchmarks side by side: the same results in the same order.

use benchmark_tests::{Bench, Home};

/// Everything but the time that it took.
fn without_time(stdout: &str) -> String {
    let time = stdout.rfind(" finished in ").unwrap();
    stdout[..time].to_owned()
}

#[test]
fn results_do_not_depend_on_the_number_of_workers() {
    let home = Home::new();
    let run = |workers: &str| {
        let bench = Bench::new("counts").measure(&home);
        bench.args(["--parallel", workers]).run().code(0)
    };
    run("1");
    let alone = run("1").quiet().unchanged();
    for workers in ["2", "5"] {
        let ended = run(workers).quiet().unchanged();
        assert_eq!(without_time(&ended.stdout), without_time(&alone.stdout));
    }
}

#[test]
fn a_number_of_workers_is_a_positive_number() {
    for workers in ["0", "-1", "many"] {
        let bench = Bench::new("counts").measure(&Home::new());
        let ended = bench.arg(format!("--parallel={workers}")).run().code(2);
        assert!(
            ended
                .stderr
                .contains("expected a number above 0, or `auto`"),
            "{}",
            ended.stderr
        );
    }
}
