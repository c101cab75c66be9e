//! Regressions, and the final lines.

use iai_callgrind::protocol::{EventKind, Limit};

use super::bench::{check, events, function, Bench};

fn two(bench: &mut Bench) {
    let first = &[(Some("first"), Some("setup(1)"))];
    bench.group("cmp", false, vec![function("bench_a", first)]);
    bench.group(
        "misc",
        false,
        vec![function("printing", &[(Some("p"), None)])],
    );
    bench.counts("cmp/bench_a.first", &[("Ir", 915)]);
    bench.counts("misc/printing.p", &[("Ir", 1626)]);
}

#[test]
fn regressions_stand_below_their_metrics_and_at_the_end() {
    check("regressions", |bench| {
        two(bench);
        bench.run(&[]);
        bench.counts("cmp/bench_a.first", &[("Ir", 1365)]);
        bench.run(&["--callgrind-limits=ir=5%|800"])
    });
}

#[test]
fn losses_can_be_forbidden_and_rates_have_a_direction() {
    check("directions", |bench| {
        two(bench);
        bench.run(&["bench_a"]);
        bench.counts("cmp/bench_a.first", &[("Ir", 555)]);
        let negative = bench.run(&["bench_a", "--callgrind-limits=ir=-5%", "--nosummary"]);
        bench.counts("cmp/bench_a.first", &events(900, 100, 10, 10));
        bench.run(&["bench_a"]);
        bench.counts("cmp/bench_a.first", &events(900, 100, 100, 100));
        bench.callgrind(|callgrind| {
            let limits = &mut callgrind.settings.limits;
            limits.soft = vec![
                (EventKind::L1HitRate.into(), 5.0),
                (EventKind::RamHitRate.into(), 5.0),
            ];
            limits.hard = vec![
                (EventKind::L1HitRate.into(), Limit::Float(99.5)),
                (EventKind::RamHitRate.into(), Limit::Float(1.5)),
            ];
        });
        negative + &bench.run(&["bench_a", "--callgrind-metrics=@hr"])
    });
}

#[test]
fn a_regression_is_said_where_little_is_shown() {
    check("regression_only", |bench| {
        two(bench);
        bench.run(&[
            "--callgrind-limits=ir=1000",
            "--show-only-comparison",
            "--nosummary",
        ])
    });
}

#[test]
fn the_last_line_counts_failed_and_filtered_benchmarks() {
    check("failed", |bench| {
        two(bench);
        bench.prints("misc/printing.p", "it failed\nbecause of this");
        let exit = bench.results("misc/printing.p").join("exit");
        std::fs::write(exit, "3").unwrap();
        bench.prints("misc/printing.p", "it failed\nbecause of this");
        let failed = bench.run(&[]);
        failed + &bench.run(&["cmp"])
    });
}
