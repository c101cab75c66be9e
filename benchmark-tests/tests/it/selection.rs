//! Filters, and what benchmarks print.

use benchmark_tests::{Bench, Home};
use snapbox::{assert_data_eq, str};

#[test]
fn a_filter_that_matches_nothing_is_said_out_loud() {
    let home = Home::new();
    let ended = Bench::new("counts")
        .measure(&home)
        .arg("nobs_1000")
        .run()
        .code(0);
    assert_data_eq!(
        ended.stderr,
        str![[r#"
warning: no benchmark matches `nobs_1000`
  there is: counts::exact::nops_1000
  there is: counts::exact::nops_0
  there is: counts::exact::nops_1

"#]]
    );
    assert_data_eq!(
        ended.stdout,
        str![[r#"

Iai-Callgrind result: Nothing ran. 0 without regressions; 0 regressed; 0 compared; 11 filtered; 0 benchmarks finished in [..]s

"#]]
    );
    // Only that nothing was selected is kept.
    let names = [".lock", "results.jsonl"].map(|name| format!("measured-benchmarks/counts/{name}"));
    assert_eq!(home.names(), names);
    let [run] = &home.records("counts")[..] else {
        panic!("{:?}", home.records("counts"));
    };
    assert_eq!(
        (&run["type"], &run["filters"][0]),
        (&"run".into(), &"nobs_1000".into())
    );
    assert_eq!(
        (&run["counts"]["filtered"], &run["suite"]["benchmarks"]),
        (&11.into(), &11.into())
    );
}

#[test]
fn a_filter_may_be_meant_for_the_option_before_it() {
    let home = Home::new();
    let bench = Bench::new("counts").measure(&home);
    let ended = bench.args(["--nocapture", "off"]).run().code(0);
    assert_eq!(
        ended.stderr,
        "warning: no benchmark matches `off`\n  \
         hint: `--nocapture=off` gives the option this value\n"
    );
}

#[test]
fn filters() {
    let home = Home::new();
    let names = |arguments: &[&str]| -> Vec<String> {
        let ended = Bench::new("counts")
            .measure(&home)
            .args(arguments)
            .run()
            .code(0);
        let headlines = ended
            .stdout
            .lines()
            .filter(|line| line.starts_with("counts::"));
        headlines.map(str::to_owned).collect()
    };
    assert_eq!(
        names(&["--exact", "counts::exact::nops_1"]),
        ["counts::exact::nops_1"]
    );
    assert_eq!(
        names(&["*::nops_?"]),
        ["counts::exact::nops_0", "counts::exact::nops_1"]
    );
    assert_eq!(
        names(&["nops", "--skip", "nops_1"]),
        ["counts::exact::nops_0"]
    );
    assert_eq!(
        names(&["rounds", "nops_0"]),
        [
            "counts::exact::nops_0",
            "counts::exact::rounds short:10",
            "counts::exact::rounds long:12345"
        ]
    );
}

#[test]
fn what_benchmarks_print_is_shown_if_asked_for() {
    let home = Home::new();
    let run = |arguments: &[&str]| {
        let bench = Bench::new("endings")
            .measure(&home)
            .arg("ends")
            .env("ENDING", "talks");
        bench.args(arguments).run().code(0)
    };
    run(&[]).quiet().without("it talks");
    for arguments in [&["--nocapture"], &["--nocapture=yes"], &["--no-capture"]] {
        run(arguments)
            .shows(&["stdout before it talks\n"])
            .says(&["stderr before it talks\n"]);
    }
    run(&["--nocapture=no"]).quiet();
    let variable = Bench::new("endings")
        .measure(&home)
        .arg("ends")
        .env("ENDING", "talks");
    variable
        .env("IAI_CALLGRIND_NOCAPTURE", "yes")
        .run()
        .shows(&["stdout before it talks\n"]);
}
