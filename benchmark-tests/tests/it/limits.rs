//! Limits, and comparisons of benchmarks with each other.

use benchmark_tests::{Bench, Ended, Home};
use snapbox::{assert_data_eq, str};

fn run(home: &Home, filter: &str, work: u64) -> Ended {
    let bench = Bench::new("limits").measure(home).arg(filter);
    bench.env("WORK", work.to_string()).run()
}

#[test]
fn soft_limits() {
    let home = Home::new();
    run(&home, "soft", 1000).code(0).quiet();
    run(&home, "soft", 1040).code(0).quiet();
    let ended = run(&home, "soft", 2080).code(3).quiet();
    assert_data_eq!(
        ended.stdout,
        str![[r#"
limits::soft::works work()
  Instructions:        [..]|[..] (+[..]%) [+[..]x]
...
Performance has regressed: Instructions ([..] -> [..]) regressed by +[..]% (>+5.00000%)
  Why  Instructions +2,080 (+100%): limits +2,080
       same executable: the data is different
        +2,080     +100%  limits::rounds
                          benchmark-tests/measured/benches/limits.rs:17
                          own code, 2,080 -> 4,160

Regressions:

  limits::soft::works:
    Callgrind: Instructions ([..] -> [..]): +[..]% exceeds limit of +5.00000%

Iai-Callgrind result: Regressed. 0 without regressions; 1 regressed; 1 compared; 5 filtered; 1 benchmarks finished in [..]s
  Changed: 1 more
  hint: the next run compares with this one; to compare with the base of the branch:
      `iai-callgrind-runner bench --base`

"#]]
    );
    // The result was kept, so the next run compares with it.
    run(&home, "soft", 2080).code(0).quiet().unchanged();
}

#[test]
fn hard_limits() {
    let home = Home::new();
    run(&home, "hard", 1000).code(0).quiet();
    let ended = run(&home, "hard", 10_000)
        .code(3)
        .shows(&["  Why  Instructions +18,000 (+900%)"]);
    let ir = home.count("limits::hard::works", "Ir");
    ended.shows(&[
        &format!(
            "Performance has regressed: Instructions ({ir}) exceeds limit by {} (>10000)\n",
            ir - 10_000
        ),
        &format!(
            "    Callgrind: Instructions ({ir}): {ir} exceeds limit of 10000 by {}\n",
            ir - 10_000
        ),
        "Iai-Callgrind result: Regressed. ",
    ]);
}

#[test]
fn the_exit_code_is_zero_where_somebody_else_has_the_verdict() {
    let home = Home::new();
    run(&home, "soft", 1000).code(0).quiet();
    let bench = || {
        let bench = Bench::new("limits").measure(&home);
        bench.arg("--exit-zero").env("WORK", "2080")
    };
    let line = |code| {
        format!("exit code 0 instead of {code} (--exit-zero); iai-callgrind-runner compare has the verdict\n")
    };
    let ended = bench().arg("soft").run().code(0);
    assert!(ended.stderr.ends_with(&line(3)), "{}", ended.stderr);
    ended.shows(&["Iai-Callgrind result: Regressed. "]);
    // The code without the option is in the records.
    let last = || home.records("limits").pop().unwrap();
    assert_eq!(
        (&last()["ending"], &last()["exit_code"]),
        (&"regression".into(), &3.into())
    );
    // Where all is well nothing has to be said.
    bench().arg("soft").run().code(0).quiet();
    assert_eq!(last()["exit_code"], 0);
    bench().arg("--no-such-option").run().code(2);
    // Without results nobody has a verdict.
    let records = home.path().join("measured-benchmarks/limits/results.jsonl");
    std::fs::remove_file(&records).unwrap();
    std::fs::create_dir(&records).unwrap();
    let ended = bench().arg("soft").run().code(1);
    ended.says(&["error: cannot replace `", "/limits/results.jsonl`"]);
}

#[test]
fn limits_on_what_is_not_collected() {
    let home = Home::new();
    let ended = run(&home, "uncollected", 1000).code(0);
    assert_data_eq!(
        ended.stderr,
        str![[r#"
warning: `limits::uncollected::works`: limits on metrics that were not collected: Bc

"#]]
    );
}

#[test]
fn benchmarks_of_the_same_id_are_compared() {
    let home = Home::new();
    let ended = run(&home, "by_id", 1000).code(0).quiet();
    assert_data_eq!(
        &ended.stdout,
        str![[r#"
limits::by_id::once one:work()
  Instructions:        [..]|N/A                  (*********)
...
limits::by_id::once other:7
  Instructions:        [..]|N/A                  (*********)
...
limits::by_id::twice one:work()
  Instructions:        [..]|N/A                  (*********)
...
  Comparison with once one:work()
  Instructions:        [..]|[..] (-[..]%) [-[..]x]
...

Iai-Callgrind result: First results. 3 without regressions; 0 regressed; 0 compared; 3 new; 3 filtered; 3 benchmarks finished in [..]s

"#]]
    );
    let ir = |function: &str| home.count(&format!("limits::by_id::{function}"), "Ir");
    let line = format!(
        "  Instructions:        {:>20}|{:<20} (-",
        ir("once::one"),
        ir("twice::one")
    );
    ended.shows(&[&line]);
}
