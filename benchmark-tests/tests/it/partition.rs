//! `--partition`: parts of the benchmarks for several machines.

use benchmark_tests::{Bench, Home};

/// The names that a list shows.
fn listed(arguments: &[&str]) -> Vec<String> {
    let bench = Bench::new("counts").args(["--list", "--format=terse"]);
    let ended = bench.args(arguments).run().code(0).quiet();
    ended.stdout.lines().map(str::to_owned).collect()
}

/// The parts are disjoint, and together they are everything that the filters select.
#[test]
fn all_parts_are_everything() {
    for filter in [
        &[][..],
        &["rounds"],
        &["--skip=nops"],
        &["no such benchmark"],
    ] {
        let everything = listed(filter);
        for (kind, parts) in [
            ("hash", 1),
            ("hash", 3),
            ("count", 2),
            ("count", 4),
            ("count", 50),
        ] {
            let mut sizes = Vec::new();
            let mut union = Vec::new();
            for part in 1..=parts {
                let partition = format!("--partition={kind}:{part}/{parts}");
                let part = listed(&[filter, &[&partition]].concat());
                sizes.push(part.len());
                union.extend(part);
            }
            union.sort_by_key(|name| everything.iter().position(|other| other == name));
            assert_eq!(union, everything, "{kind} {parts}");
            let (least, most) = (sizes.iter().min(), sizes.iter().max());
            if kind == "count" {
                assert!(most.unwrap() - least.unwrap() <= 1, "{sizes:?}");
            }
        }
    }
}

#[test]
fn what_is_listed_is_measured_and_tested() {
    let names = listed(&["--partition", "count:2/3", "--skip", "rounds"]);
    assert!(!names.is_empty());
    let home = Home::new();
    let bench = Bench::new("counts")
        .measure(&home)
        .args(["--skip", "rounds"]);
    let ended = bench
        .env("IAI_CALLGRIND_PARTITION", "count:2/3")
        .run()
        .code(0)
        .quiet();
    let all = listed(&[]).len();
    let [selected, filtered] = [names.len(), all - names.len()];
    ended.shows(&[&format!(
        "First results. {selected} without regressions; 0 regressed; 0 compared; {selected} new; {filtered} filtered; {selected} benchmarks"
    )]);
    for name in &names {
        let name = name.strip_suffix(": benchmark").unwrap();
        assert!(home.has(name), "{name}");
    }
    let tests = Bench::new("counts").args(["--partition", "count:2/3", "--skip", "rounds"]);
    tests.run().code(0).shows(&[
        &format!("running {selected} tests\n"),
        &format!("{selected} passed; 0 failed; 0 ignored; 0 measured; {filtered} filtered out"),
    ]);
}

/// Two machines with the times of the same results measure everything between them, each benchmark
/// once.
#[test]
fn parts_by_the_times_of_earlier_results() {
    let earlier = Home::new();
    let bench = |home: &Home| Bench::new("counts").measure(home).arg("rounds");
    bench(&earlier).run().code(0);
    let paths = |home: &Home| -> Vec<String> {
        let records = home.records("counts").into_iter();
        let paths = records.filter_map(|it| Some(it["benchmark"]["path"].as_str()?.to_owned()));
        paths.collect()
    };
    let mut parts = Vec::new();
    for part in ["1", "2"] {
        let home = Home::new();
        let timed = bench(&home).arg(format!("--partition=time:{part}/2"));
        let missing = format!("`time:{part}/2` needs `--timings=RESULTS`");
        timed.run().code(2).says(&[&missing]);
        let timed = bench(&home).arg(format!("--partition=time:{part}/2"));
        timed.arg("--timings").arg(earlier.path()).run().code(0);
        let run = home.records("counts").pop().unwrap();
        assert_eq!(run["partition"]["kind"], "time");
        parts.extend(paths(&home));
    }
    let mut all = paths(&earlier);
    assert!(all.len() > 1, "{all:?}");
    all.sort();
    parts.sort();
    assert_eq!(parts, all);
    let empty = tempfile::tempdir().unwrap();
    let nothing = bench(&Home::new()).args(["--partition=time:1/2", "--timings"]);
    nothing
        .arg(empty.path())
        .run()
        .code(2)
        .says(&["no results in `"]);
    let list = Bench::new("counts").args(["--list", "--partition=time:1/2"]);
    list.run()
        .code(2)
        .says(&["the list and the test mode know `hash` and `count` only"]);
}

#[test]
fn an_empty_part_is_said_out_loud() {
    let home = Home::new();
    let bench = Bench::new("counts").measure(&home).arg("nops_1000");
    let ended = bench.arg("--partition=count:1/2").run().code(0);
    ended
        .says(&["warning: no benchmark is in this part, `--partition` left out all\n"])
        .shows(&["Nothing ran. 0 without regressions; 0 regressed; 0 compared; 11 filtered; 0 benchmarks"]);
    // Whoever puts the parts together sees that this one is not missing.
    let records = home.records("counts");
    let partition = serde_json::json!({"kind": "count", "part": 1, "parts": 2});
    assert_eq!((records.len(), &records[0]["partition"]), (1, &partition));
}

#[test]
fn wrong_values_are_usage_errors() {
    let home = Home::new();
    for mode in [&["--list"][..], &[], &["--bench", "--home"]] {
        for value in ["2", "slice:1/2", "count:0/2", "hash:3/2", "hash:1/0"] {
            let mut bench = Bench::new("counts").args(mode);
            if mode.len() > 1 {
                bench = bench.arg(home.path());
            }
            let ended = bench.arg(format!("--partition={value}")).run().code(2);
            ended.says(&[&format!(
                "error: invalid value '{value}' for '--partition <PART>': "
            )]);
        }
    }
    assert!(home.names().is_empty());
}
