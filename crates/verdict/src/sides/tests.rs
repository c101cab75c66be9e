//! Two sides of records to a report. Each expected value was written down by hand.

use proptest::prelude::*;
use serde_json::{json, Value};

use super::*;
use crate::AgreedCount;
use records::summary::Number;
use records::{RecordInput, RecordReader};

/// The record of a benchmark with 1000 instructions, 700 of them own ones, and a limit of 5 %.
fn benchmark(name: &str) -> Value {
    json!({
        "type": "benchmark", "version": 1, "status": "ok",
        "benchmark": {
            "path": format!("app::g::{name}"), "kind": "library", "package": "exp1", "file": "app",
            "group": "g", "function": name, "source_file": "benches/app.rs", "line": 31,
        },
        "baselines": {}, "started_at": "2026-11-20T10:00:01.000Z", "duration_ns": 3,
        "profiles": [profile("callgrind", &[("Ir", 1000), ("EstimatedCycles", 3000), ("Dr", 10)])],
        "failures": [], "comparisons": [], "directory": "exp1/app/g",
        "files": {"workspace": "/w", "package_dir": "/w", "bench_file": "/w/b.rs", "executable": "/w/e",
            "home": "/w/target/iai", "home_in_workspace": "target/iai"},
        "system": {
            "runner": "0.17.0", "library": "0.17.0", "target": "x86_64-unknown-linux-gnu", "libc": "glibc 2.36",
            "rustc": "1.95.0 (59807616e 2026-04-14)", "cpu": "AMD EPYC", "cpu_features": ["avx2"],
            "build": {"settings": {"debug": "false", "opt-level": "3", "strip": "none"}},
        },
    })
}

fn profile(tool: &str, metrics: &[(&str, u64)]) -> Value {
    let rows = metrics.iter();
    let rows: Vec<Value> = rows
        .map(|(kind, new)| json!({"kind": kind, "label": kind, "shown": true, "new": new}))
        .collect();
    let limits = metrics.iter().filter(|(kind, _)| *kind != "Dr");
    let limits: Vec<Value> = limits
        .map(|(kind, _)| json!({"type": "soft", "kind": kind, "limit": 5.0}))
        .collect();
    json!({
        "tool": tool, "mode": "fork", "parts": [], "regressions": [], "errors": [], "notes": [],
        "out_files": [], "log_files": [], "metrics": rows, "limits": limits,
        "objects": [{"name": "app", "own": true, "Ir": 700}, {"name": "libc.so.6", "own": false, "Ir": 300}],
        "environment": {
            "valgrind_version": "3.19.0", "valgrind_args": ["--tool=callgrind"], "deterministic_random": true,
            "caches": ["I1 cache: 32768 B"], "fast_setup": false,
        },
    })
}

fn side_of(records: &[Value]) -> ResultSide {
    let benchmarks = records
        .iter()
        .filter(|record| record["type"] == "benchmark")
        .count();
    let run = json!({
        "type": "run", "version": 1, "ending": "ok", "exit_code": 0,
        "counts": {"ok": benchmarks, "regressed": 0, "failed": 0, "filtered": 0, "not_run": 0},
        "started_at": "2026-11-20T10:00:00.000Z", "duration_ns": 5, "package": "exp1", "file": "app",
        "baselines": {}, "system": records.first().map_or(Value::Null, |first| first["system"].clone()),
        "warnings": [], "errors": [],
    });
    let run = match records.is_empty() {
        true => None,
        false => Some(&run),
    };
    let text: String = records
        .iter()
        .chain(run)
        .map(|record| format!("{record}\n"))
        .collect();
    let mut reader = RecordReader::default();
    let input = RecordInput {
        name: "x.jsonl".to_owned(),
    };
    reader.read(input, text.as_bytes()).unwrap();
    ResultSide::of(reader.finish(), &SideOptions::default())
}

/// Sets the instructions of a benchmark, and how many of them are own ones.
fn instructions(record: &mut Value, all: u64, own: u64) {
    let profile = &mut record["profiles"][0];
    profile["metrics"][0]["new"] = json!(all);
    profile["objects"][0]["Ir"] = json!(own);
    profile["objects"][1]["Ir"] = json!(all - own);
}

fn compared(old: &[Value], new: &[Value], options: &ComparisonOptions) -> ComparisonReport {
    compare_sides(Some(&side_of(old)), &side_of(new), options, &NothingAgreed)
}

/// The classes of the rows of a pair, by metric.
fn classes(old: &Value, new: &Value) -> Vec<(String, RowClass)> {
    let report = compared(
        std::slice::from_ref(old),
        std::slice::from_ref(new),
        &ComparisonOptions::default(),
    );
    assert_eq!(report.errors, [""; 0]);
    let rows = report.rows.into_iter();
    let mut rows: Vec<_> = rows
        .filter_map(|row| Some((row.metric?.kind, row.class)))
        .collect();
    rows.sort();
    rows
}

/// Everything rises by 10 %, own code by `own`, and one fact differs.
#[track_caller]
fn check_fact(edit: impl Fn(&mut Value), [cycles, instructions, bytes]: [RowClass; 3]) {
    let mut old = benchmark("a");
    let dhat = |bytes| profile("dhat", &[("TotalBytes", bytes)]);
    old["profiles"].as_array_mut().unwrap().push(dhat(100));
    let mut new = old.clone();
    self::instructions(&mut new, 1100, 770);
    new["profiles"][0]["metrics"][1]["new"] = json!(3300);
    new["profiles"][1]["metrics"][0]["new"] = json!(110);
    edit(&mut new);
    let expected = [
        ("EstimatedCycles", cycles),
        ("Ir", instructions),
        ("TotalBytes", bytes),
    ];
    assert_eq!(
        classes(&old, &new),
        expected.map(|(name, class)| (name.to_owned(), class))
    );
}

fn environment(new: &mut Value, key: &str, value: Value) {
    for profile in new["profiles"].as_array_mut().unwrap() {
        profile["environment"][key] = value.clone();
    }
}

/// Each row of the table of facts, with what it means for cycles, instructions and the heap.
#[test]
fn what_is_judged_depends_on_what_differs() {
    use RowClass::{NotJudged as Shown, Regressed as Judged};
    check_fact(|_| {}, [Judged, Judged, Judged]);
    check_fact(
        |new| environment(new, "valgrind_version", json!("3.24.0")),
        [Shown, Judged, Judged],
    );
    check_fact(
        |new| environment(new, "caches", json!(["I1 cache: 16384 B"])),
        [Shown, Judged, Judged],
    );
    check_fact(
        |new| {
            for profile in new["profiles"].as_array_mut().unwrap() {
                profile["mode"] = json!("direct");
            }
        },
        [Shown, Judged, Judged],
    );
    check_fact(
        |new| environment(new, "valgrind_args", json!(["--collect-jumps=yes"])),
        [Shown, Shown, Shown],
    );
    check_fact(
        |new| new["system"]["libc"] = json!("glibc 2.41"),
        [Shown, Judged, Judged],
    );
    check_fact(
        |new| new["system"]["cpu_features"] = json!(["avx"]),
        [Shown, Shown, Judged],
    );
    check_fact(
        |new| new["system"]["rustc"] = json!("1.96.0"),
        [Shown, Shown, Shown],
    );
    check_fact(
        |new| new["system"]["build"]["settings"]["opt-level"] = json!("2"),
        [Shown, Shown, Shown],
    );
    check_fact(
        |new| environment(new, "deterministic_random", json!(false)),
        [Shown, Shown, Shown],
    );
    check_fact(
        |new| new["system"]["runner"] = json!("0.18.0"),
        [Judged, Judged, Judged],
    );
    check_fact(
        |new| new["system"]["library"] = json!("0.18.0"),
        [Judged, Judged, Judged],
    );
    check_fact(
        |new| new["system"]["cpu"] = json!("Intel Xeon"),
        [Judged, Judged, Judged],
    );
    check_fact(
        |new| environment(new, "glibc_tunables", json!("glibc.malloc.check=1")),
        [Shown, Judged, Judged],
    );
    for (key, value) in [("debug", "true"), ("strip", "symbols")] {
        check_fact(
            |new| new["system"]["build"]["settings"][key] = json!(value),
            [Judged, Judged, Judged],
        );
    }
    check_fact(
        |new| {
            new["files"] = json!({"workspace": "/x", "package_dir": "/x", "bench_file": "/x/b.rs",
            "executable": "/x/e", "home": "/results", "home_in_workspace": null})
        },
        [Shown, Judged, Judged],
    );
    check_fact(
        |new| environment(new, "fast_setup", json!(true)),
        [Shown, Judged, Judged],
    );
    // A fact that one side does not know counts as equal.
    check_fact(
        |new| new["system"]["libc"] = Value::Null,
        [Judged, Judged, Judged],
    );
    check_fact(
        |new| new["system"]["cpu_features"] = json!([]),
        [Judged, Judged, Judged],
    );
}

#[test]
fn another_target_is_not_judged_and_another_label_another_benchmark() {
    let old = benchmark("a");
    let mut new = old.clone();
    instructions(&mut new, 2000, 700);
    new["system"]["target"] = json!("aarch64-unknown-linux-gnu");
    let report = compared(
        std::slice::from_ref(&old),
        std::slice::from_ref(&new),
        &ComparisonOptions::default(),
    );
    assert_eq!(
        (report.rows[0].class, report.exit_code),
        (RowClass::NotJudged, 0)
    );
    let said = report.differences.iter().map(|it| &*it.fact);
    assert!(said.clone().any(|fact| fact == "target"), "{report:?}");

    // Where one side has both, each is compared with its own.
    let both = [old.clone(), new.clone()];
    let report = compared(&[new], &both, &ComparisonOptions::default());
    assert_eq!((report.counts.same, report.counts.new), (2, 2));

    let mut labelled = old.clone();
    labelled["label"] = json!("simd");
    let report = compared(&[old], &[labelled], &ComparisonOptions::default());
    assert_eq!((report.counts.gone, report.counts.new), (2, 2));
}

/// Objects have other counts as well, which no accepted count of own code is.
#[test]
fn only_instructions_have_own_code_to_accept() {
    let mut old = benchmark("a");
    let profile = &mut old["profiles"][0];
    let limit = json!({"type": "soft", "kind": "Dr", "limit": 5.0});
    profile["limits"].as_array_mut().unwrap().insert(0, limit);
    profile["objects"][0]["Dr"] = json!(8);
    profile["objects"][1]["Dr"] = json!(2);
    let mut new = old.clone();
    instructions(&mut new, 1100, 770);
    new["profiles"][0]["metrics"][2]["new"] = json!(20);
    new["profiles"][0]["objects"][0]["Dr"] = json!(18);
    let report = compared(&[old], &[new], &ComparisonOptions::default());
    let mut own: Vec<_> = report
        .rows
        .iter()
        .map(|row| (&*row.metric.as_ref().unwrap().kind, row.new_own))
        .collect();
    own.sort_unstable();
    let expected = [("Dr", None), ("EstimatedCycles", None), ("Ir", Some(770))];
    assert_eq!(own, expected);
}

#[test]
fn own_code_decides_where_the_library_differs() {
    let old = benchmark("a");
    let class = |all, own, known: bool| {
        let mut new = old.clone();
        instructions(&mut new, all, own);
        new["system"]["libc"] = json!("glibc 2.41");
        if !known {
            new["profiles"][0]["objects"] = json!([]);
        }
        let report = compared(
            std::slice::from_ref(&old),
            &[new],
            &ComparisonOptions::default(),
        );
        let mut rows = report.rows.into_iter();
        let row = rows
            .find(|row| row.metric.as_ref().unwrap().kind == "Ir")
            .unwrap();
        assert_eq!(row.new_own, known.then_some(own));
        (row.class, row.own.map(|own| (own.old, own.new)))
    };
    // 7.2 % more in all, and nothing of that is own code.
    assert_eq!(
        class(1072, 700, true),
        (RowClass::ChangedOutsideOwnCode, Some((700, 700)))
    );
    assert_eq!(
        class(1000, 770, true),
        (RowClass::Regressed, Some((700, 770)))
    );
    assert_eq!(
        class(1000, 630, true),
        (RowClass::Improved, Some((700, 630)))
    );
    // 5 % in all are within the limit, whatever they are of.
    assert_eq!(
        class(1050, 700, true),
        (RowClass::Changed, Some((700, 700)))
    );
    assert_eq!(
        class(928, 700, true),
        (RowClass::ChangedOutsideOwnCode, Some((700, 700)))
    );
    assert_eq!(class(1072, 700, false), (RowClass::NotJudged, None));
    assert_eq!(class(1049, 700, false), (RowClass::Changed, None));
}

#[test]
fn rows_have_the_first_class_that_fits() {
    let old = benchmark("a");
    let class = |new: u64| {
        let mut record = old.clone();
        instructions(&mut record, new, 0);
        classes(&old, &record)[1].1
    };
    assert_eq!(class(1000), RowClass::Same);
    assert_eq!(class(1050), RowClass::Changed);
    assert_eq!(class(1051), RowClass::Regressed);
    // The way back from 952 to 1000 is 5.04 %, that from 953 4.93 %.
    assert_eq!(class(952), RowClass::Improved);
    assert_eq!(class(953), RowClass::Changed);
}

#[test]
fn failed_benchmarks_and_those_of_one_side_have_rows() {
    let mut failed = benchmark("a");
    failed["profiles"] = json!([]);
    failed["failures"] =
        json!([{"tool": "callgrind", "reason": "ended", "message": "exited with code 1\nmore"}]);
    let old = [benchmark("a"), benchmark("b")];
    let new = [failed, benchmark("c")];
    let report = compared(&old, &new, &ComparisonOptions::default());
    let classes: Vec<RowClass> = report.rows.iter().map(|row| row.class).collect();
    let [new, gone] = [RowClass::New, RowClass::Gone];
    assert_eq!(classes, [RowClass::Failed, new, new, gone, gone]);
    assert_eq!(
        (report.exit_code, report.outcome),
        (1, ComparisonOutcome::Failed)
    );
    assert_eq!(
        report.rows[1].remarks,
        ["same counts as app::g::b: renamed?"]
    );
}

#[test]
fn what_does_not_meet_its_source_has_regressed_whatever_it_was_before() {
    let old = benchmark("a");
    let mut new = old.clone();
    new["profiles"][0]["regressions"] = json!([
        {"type": "unequal", "kind": "Dr", "new": 10, "other": 66, "with": "app::g::b", "places": []},
        {"type": "growth", "kind": "Ir", "bench": "many", "stated": "n", "found": "n^2"},
        {"type": "of a later version", "kind": "Ir"},
        {"type": "unequal", "kind": "NoMetric", "new": 1, "other": 2, "with": "x", "places": []},
    ]);
    let sides = [old, new];
    let report = compared(&sides[..1], &sides[1..], &ComparisonOptions::default());
    let rows: Vec<_> = report
        .rows
        .iter()
        .filter(|row| row.class == RowClass::Regressed)
        .map(|row| {
            (
                &*row.metric.as_ref().unwrap().kind,
                row.limit.is_none(),
                &*row.remarks[0],
            )
        })
        .collect();
    let expected = [
        ("Ir", true, "many grows like n^2, and not n"),
        ("Dr", true, "differs from 66 of app::g::b"),
    ];
    assert_eq!(rows, expected);
    assert_eq!((report.exit_code, report.counts.regressed), (3, 2));
    // That of the old side is over.
    let report = compared(&sides[1..], &sides[..1], &ComparisonOptions::default());
    assert_eq!((report.exit_code, report.counts.regressed), (0, 0));
}

#[test]
fn changed_limits_are_said_and_those_of_the_new_side_hold() {
    let old = benchmark("a");
    let mut new = old.clone();
    instructions(&mut new, 1080, 700);
    new["profiles"][0]["limits"] = json!([{"type": "soft", "kind": "Ir", "limit": 10.0}]);
    let report = compared(&[old], &[new], &ComparisonOptions::default());
    let rows: Vec<_> = report
        .rows
        .iter()
        .map(|row| (row.class, &*row.remarks[0]))
        .collect();
    let expected = [
        (RowClass::Changed, "limit +5% -> +10%"),
        (RowClass::Same, "no limit, was +5%"),
    ];
    assert_eq!(rows, expected);
    assert_eq!(report.exit_code, 0);
}

#[test]
fn a_new_limit_is_written_as_other_counts() {
    let limited = |limits: Value| {
        let mut record = benchmark("a");
        record["profiles"][0]["limits"] = limits;
        record
    };
    let largest = json!([{"type": "hard", "kind": "Ir", "limit": 10_000}]);
    let sides = [limited(json!([])), limited(largest)];
    let report = compared(&sides[..1], &sides[1..], &ComparisonOptions::default());
    let remarks: Vec<&String> = report.rows.iter().flat_map(|row| &row.remarks).collect();
    assert_eq!(remarks, ["new limit 10,000"]);
}

#[test]
fn results_of_other_amounts_are_judged_for_each_unit() {
    // 100 instructions for each of 10 bytes.
    let handled = |all: u64, bytes: u64| {
        let mut record = benchmark("a");
        instructions(&mut record, all, 700);
        record["profiles"][0]["metrics"][1]["new"] = json!(3 * all);
        let per_byte = json!({
            "kind": "InstructionsPerByte", "label": "Instructions/Byte", "shown": true,
            "new": all as f64 / bytes as f64,
        });
        let metrics = record["profiles"][0]["metrics"].as_array_mut();
        metrics.unwrap().push(per_byte);
        record
    };
    let rows = |new: (u64, u64), floor: u64| {
        let options = ComparisonOptions {
            floor,
            ..ComparisonOptions::default()
        };
        let report = compared(&[handled(1000, 10)], &[handled(new.0, new.1)], &options);
        let rows = report.rows.into_iter();
        let mut rows: Vec<_> = rows
            .map(|row| (row.metric.unwrap().kind, row.class, row.remarks.len()))
            .collect();
        rows.sort();
        (rows, report.exit_code)
    };
    let expected = |rows: &[(&str, RowClass, usize)], exit_code| {
        let rows = rows.iter();
        let rows = rows.map(|(kind, class, remarks)| ((*kind).to_owned(), *class, *remarks));
        (rows.collect::<Vec<_>>(), exit_code)
    };
    // Twice the amount at the same cost per byte: totals are not judged.
    let twice = [
        ("EstimatedCycles", RowClass::Changed, 1),
        ("InstructionsPerByte", RowClass::Same, 1),
        ("Ir", RowClass::Changed, 1),
    ];
    assert_eq!(rows((2000, 20), 0), expected(&twice, 0));
    // More for each byte, which no floor for counts forgives.
    let mut more = twice;
    more[1].1 = RowClass::Regressed;
    assert_eq!(rows((2200, 20), 50), expected(&more, 3));
    // For the same amount the totals are judged, without a remark.
    let same = [
        ("EstimatedCycles", RowClass::Regressed, 0),
        ("Ir", RowClass::Regressed, 0),
    ];
    assert_eq!(rows((1100, 10), 0), expected(&same, 3));
}

#[test]
fn limits_of_the_command_line_replace_those_of_the_same_metric_and_a_floor_forgives() {
    let old = benchmark("a");
    let mut new = old.clone();
    instructions(&mut new, 1020, 700);
    let mut options = ComparisonOptions::default();
    let typed = metrics::TypedLimits {
        soft: vec![(iai_callgrind::protocol::EventKind::Ir.into(), 1.0)],
        hard: Vec::new(),
    };
    options.limits[base::tool::Tool::Callgrind] = Some(typed);
    let regressed = compared(
        std::slice::from_ref(&old),
        std::slice::from_ref(&new),
        &options,
    );
    assert_eq!((regressed.counts.regressed, regressed.exit_code), (1, 3));
    assert_eq!(regressed.limits.len(), 2);
    options.floor = 20;
    assert_eq!(
        compared(
            std::slice::from_ref(&old),
            std::slice::from_ref(&new),
            &options
        )
        .exit_code,
        3
    );
    options.floor = 21;
    assert_eq!(compared(&[old], &[new], &options).exit_code, 0);
}

#[test]
fn hard_limits_hold_without_an_old_side_and_whatever_differs() {
    let mut new = benchmark("a");
    new["profiles"][0]["limits"] = json!([{"type": "hard", "kind": "Ir", "limit": 999}]);
    let report = compare_sides(
        None,
        &side_of(std::slice::from_ref(&new)),
        &ComparisonOptions::default(),
        &NothingAgreed,
    );
    assert_eq!((report.counts.regressed, report.exit_code), (1, 3));
    let old = benchmark("a");
    new["system"]["rustc"] = json!("1.96.0");
    let report = compared(&[old], &[new], &ComparisonOptions::default());
    assert_eq!((report.counts.regressed, report.exit_code), (1, 3));
}

/// DHAT counts alike under each Valgrind, and Callgrind does not.
#[test]
fn another_valgrind_is_no_second_run_of_the_same() {
    let mut old = benchmark("a");
    let dhat = profile("dhat", &[("TotalBytes", 100)]);
    old["profiles"].as_array_mut().unwrap().push(dhat);
    environment(&mut old, "code", json!("1f"));
    let headlines = |new: &Value| {
        let new = std::slice::from_ref(new);
        compared(
            std::slice::from_ref(&old),
            new,
            &ComparisonOptions::default(),
        )
        .headlines
    };
    // Where nothing differs, nothing is said about what does.
    assert_eq!(headlines(&old), [""; 0]);
    let mut new = old.clone();
    instructions(&mut new, 1001, 700);
    assert!(headlines(&new)[0].starts_with("two runs of the same executable: "));
    environment(&mut new, "valgrind_version", json!("3.24.0"));
    let [headline] = &headlines(&new)[..] else {
        panic!("one headline");
    };
    assert!(headline.starts_with("the same executable under other conditions: "));
}

#[test]
fn the_same_code_is_not_judged_where_one_more_run_counted_otherwise() {
    let mut old = benchmark("a");
    environment(&mut old, "code", json!("1f"));
    let mut new = old.clone();
    instructions(&mut new, 2000, 700);
    let judged = |old: &Value, new: &Value| {
        let report = compared(
            std::slice::from_ref(old),
            std::slice::from_ref(new),
            &ComparisonOptions::default(),
        );
        let row = &report.rows[0];
        let remark = row.remarks.first().cloned().unwrap_or_default();
        (report.exit_code, row.class, remark)
    };
    let [changed, unknown] = [
        "same code: what it reads or loads has changed",
        "same code: what it reads or loads has changed, or it is not deterministic",
    ];
    let regressed = |remark: &str| (3, RowClass::Regressed, remark.to_owned());
    assert_eq!(judged(&old, &new), regressed(unknown));
    // Without a proof, nothing within the limit is said to be random, and nothing is praised.
    let open = (0, RowClass::Changed, unknown.to_owned());
    for count in [1030, 500] {
        let mut other = new.clone();
        instructions(&mut other, count, 100);
        assert_eq!(judged(&old, &other), open, "{count}");
    }
    let chance = (0, RowClass::NotDeterministic, String::new());
    new["profiles"][0]["repeated"] = json!("same");
    assert_eq!(judged(&old, &new), regressed(changed));
    new["profiles"][0]["repeated"] = json!("other");
    assert_eq!(judged(&old, &new), chance);
    // Also what the old run showed.
    new["profiles"][0]["repeated"] = Value::Null;
    old["profiles"][0]["repeated"] = json!("other");
    assert_eq!(judged(&old, &new), chance);
    // A hard limit holds in any case.
    new["profiles"][0]["limits"] = json!([{"type": "hard", "kind": "Ir", "limit": 1500}]);
    assert_eq!(judged(&old, &new).1, RowClass::Regressed);

    // Another C library is a reason to differ.
    new["profiles"][0]["limits"] = json!([{"type": "soft", "kind": "Ir", "limit": 5.0}]);
    new["system"]["libc"] = json!("glibc 2.41");
    instructions(&mut new, 2000, 1700);
    let elsewhere = "not judged: the same code, other data or machine".to_owned();
    let remarks = judged(&old, &new);
    assert_eq!(remarks, (0, RowClass::NotJudged, elsewhere));
}

/// Example: `available_parallelism` counts own instructions by the number of processors.
#[test]
fn the_same_code_elsewhere_neither_regresses_nor_improves() {
    let side = |code: &str, own: u64, edit: &dyn Fn(&mut Value)| {
        let mut record = benchmark("cores");
        environment(&mut record, "code", json!(code));
        instructions(&mut record, own + 300, own);
        edit(&mut record);
        record
    };
    let class = |old: &Value, new: &Value, options: &ComparisonOptions| {
        let report = compared(
            std::slice::from_ref(old),
            std::slice::from_ref(new),
            options,
        );
        let mut rows = report.rows.into_iter();
        let row = rows.find(|row| row.metric.as_ref().unwrap().kind == "Ir");
        let row = row.unwrap();
        (row.class, row.remarks.concat(), report.exit_code)
    };
    let usual = ComparisonOptions::default();
    let same = "not judged: the same code, other data or machine";
    let old = side("3b39", 700, &|_| {});
    let libc = |new: &mut Value| new["system"]["libc"] = json!("glibc 2.41");
    let cpu = |new: &mut Value| new["system"]["cpu"] = json!("Intel Xeon");
    let valgrind = |new: &mut Value| environment(new, "valgrind_version", json!("3.24.0"));
    let elsewhere: [&dyn Fn(&mut Value); 3] = [&libc, &cpu, &valgrind];
    for edit in elsewhere {
        for own in [800, 600] {
            let new = side("3b39", own, edit);
            assert_eq!(
                class(&old, &new, &usual),
                (RowClass::NotJudged, same.to_owned(), 0)
            );
            let comparable = ComparisonOptions {
                requires_comparable: true,
                ..ComparisonOptions::default()
            };
            assert_eq!(class(&old, &new, &comparable).2, 4);
            let strict = ComparisonOptions {
                strict: true,
                ..ComparisonOptions::default()
            };
            assert_eq!(class(&old, &new, &strict).2, 1);
            // Other code is judged as ever.
            let other = side("77aa", own, edit);
            let expected = match own {
                800 => (RowClass::Regressed, String::new(), 3),
                _ => (RowClass::Improved, String::new(), 0),
            };
            assert_eq!(class(&old, &other, &usual), expected);
        }
        // Within the limit there is nothing to judge.
        let new = side("3b39", 710, edit);
        assert_eq!(class(&old, &new, &usual).0, RowClass::Changed);
        // A limit on the value needs no other side.
        let mut hard = side("3b39", 800, edit);
        hard["profiles"][0]["limits"] = json!([{"type": "hard", "kind": "Ir", "limit": 1050}]);
        assert_eq!(class(&old, &hard, &usual).0, RowClass::Regressed);
    }
    // Nothing differs but the count: chance, or data that nobody knows.
    let here = side("3b39", 800, &|_| {});
    assert_eq!(class(&old, &here, &usual).0, RowClass::Regressed);
}

/// The code is that of the benchmark, whichever tool counts what it does.
#[test]
fn all_tools_of_the_same_code_elsewhere_have_one_verdict() {
    let side = |libc: &str, instructions: u64, bytes: u64| {
        let mut record = benchmark("cores");
        let dhat = profile("dhat", &[("TotalBytes", bytes)]);
        record["profiles"].as_array_mut().unwrap().push(dhat);
        self::instructions(&mut record, instructions, instructions - 300);
        environment(&mut record, "code", json!("3b39"));
        record["system"]["libc"] = json!(libc);
        record
    };
    let old = side("glibc 2.36", 1000, 100);
    let [same, not_judged] = [RowClass::Same, RowClass::NotJudged];
    let of_both = |ir, bytes| {
        [("EstimatedCycles", same), ("Ir", ir), ("TotalBytes", bytes)]
            .map(|(name, class)| (name.to_owned(), class))
    };
    let elsewhere = |instructions, bytes| {
        let new = side("glibc 2.39", instructions, bytes);
        classes(&old, &new)
    };
    assert_eq!(elsewhere(1200, 120), of_both(not_judged, not_judged));
    assert_eq!(elsewhere(1200, 100), of_both(not_judged, same));
    assert_eq!(elsewhere(1000, 80), of_both(same, not_judged));
    let here = side("glibc 2.36", 1200, 120);
    let regressed = RowClass::Regressed;
    assert_eq!(classes(&old, &here), of_both(regressed, regressed));
}

/// The terminal gives the same verdict on this pair.
#[test]
fn what_says_nothing_about_the_code_is_noise() {
    let check = |old: u64, new: u64, limit: f64| {
        let [mut before, mut after] = [benchmark("a"), benchmark("a")];
        instructions(&mut before, old, old - 300);
        instructions(&mut after, new, new - 300);
        after["profiles"][0]["limits"] = json!([{"type": "soft", "kind": "Ir", "limit": limit}]);
        let report = compared(&[before], &[after], &ComparisonOptions::default());
        let mut rows = report.rows.into_iter();
        let row = rows.find(|row| row.metric.as_ref().unwrap().kind == "Ir");
        let row = row.unwrap();
        (row.class, row.remarks.last().cloned().unwrap_or_default())
    };
    let tiny = (RowClass::Noise, "(tiny)".to_owned());
    assert_eq!(check(2_000_011, 2_000_006, 5.0), tiny);
    assert_eq!(check(2_000_006, 2_000_011, 5.0), tiny);
    assert_eq!(check(2_000_000, 2_020_000, 5.0).0, RowClass::Changed);
    // A limit that is exceeded is exceeded.
    assert_eq!(check(2_000_006, 2_000_011, 0.0).0, RowClass::Regressed);
}

#[test]
fn the_percentage_that_was_judged_is_told() {
    let old = benchmark("a");
    let mut new = old.clone();
    instructions(&mut new, 1004, 770);
    new["system"]["libc"] = json!("glibc 2.41");
    let report = compared(&[old], &[new], &ComparisonOptions::default());
    let row = &report.rows[0];
    assert_eq!(row.class, RowClass::Regressed);
    assert_eq!(row.metric.as_ref().unwrap().diff_pct, Some(0.4));
    assert_eq!(row.own.unwrap().diff_pct, Some(10.0));
    assert_eq!(row.judged_pct(), Some(10.0));
}

/// Own code was judged, so that the pair is comparable; what is not judged is what `--strict`
/// refuses.
#[test]
fn changes_outside_of_own_code_are_counted_and_strict_refuses_them() {
    let old = benchmark("a");
    let mut new = old.clone();
    instructions(&mut new, 1072, 700);
    new["system"]["libc"] = json!("glibc 2.41");
    // Cycles are not judged in any case.
    new["profiles"][0]["limits"] = json!([{"type": "soft", "kind": "Ir", "limit": 5.0}]);
    let check = |strict, requires_comparable| {
        let options = ComparisonOptions {
            strict,
            requires_comparable,
            ..ComparisonOptions::default()
        };
        compared(
            std::slice::from_ref(&old),
            std::slice::from_ref(&new),
            &options,
        )
    };
    assert_eq!(check(false, true).exit_code, 0);
    assert_eq!(check(false, true).counts.changed_outside_own_code, 1);
    let strict = check(true, false);
    assert_eq!(
        strict.errors,
        ["1 changed outside own code, which is not judged (`--strict`)"]
    );
    assert_eq!(strict.exit_code, 1);
}

/// The bench executable stays the same when a program or a library of the workspace changes.
#[test]
fn a_program_that_changed_is_judged() {
    let side = |mark: Value, count: u64| {
        let mut record = benchmark("a");
        record["source"] = json!({"code": "3b39"});
        environment(&mut record, "fingerprint", json!("77"));
        environment(&mut record, "code", mark);
        instructions(&mut record, count, 700);
        record
    };
    let judged = |old: Value, new: Value| {
        let report = compared(&[old], &[new], &ComparisonOptions::default());
        let same = report.headlines.iter().any(|line| line.contains("same"));
        (report.exit_code, report.counts.not_deterministic, same)
    };
    let [one, other] = [json!("1f"), json!("2f")];
    assert_eq!(
        judged(side(one.clone(), 1000), side(other, 2000)),
        (3, 0, false)
    );
    // Nobody has shown that it counts differently from run to run.
    assert_eq!(
        judged(side(one.clone(), 1000), side(one, 2000)),
        (3, 0, true)
    );
    // Nothing is known: never the same.
    let unknown = || side(Value::Null, 1000);
    assert_eq!(judged(unknown(), side(Value::Null, 2000)), (3, 0, false));
}

#[test]
fn counters_of_the_hardware_are_judged_by_their_samples() {
    let side = |mean: f64, samples: bool| {
        let mut record = benchmark("a");
        let mut profile = profile("perf", &[("cycles", mean as u64)]);
        if samples {
            profile["metrics"][0]["new_samples"] = json!({"n": 10, "mean": mean, "rse_pct": 0.1});
        }
        record["profiles"] = json!([profile]);
        record
    };
    let class = |samples| {
        let (old, new) = (side(1000.0, samples), side(1200.0, samples));
        classes(&old, &new)[0].1
    };
    assert_eq!(class(false), RowClass::NotJudged);
    assert_eq!(class(true), RowClass::Regressed);
}

#[test]
fn strict_and_comparable_are_exit_codes() {
    let old = [benchmark("a"), benchmark("b")];
    let mut new = benchmark("a");
    instructions(&mut new, 1100, 700);
    new["system"]["rustc"] = json!("1.96.0");
    let check = |strict, requires_comparable| {
        let options = ComparisonOptions {
            strict,
            requires_comparable,
            allows_missing: true,
            ..ComparisonOptions::default()
        };
        compared(&old, std::slice::from_ref(&new), &options)
    };
    assert_eq!(check(false, false).exit_code, 0);
    let strict = check(true, false);
    let expected = ["1 not judged, since conditions differ (`--strict`)"];
    assert_eq!(
        (strict.errors, strict.exit_code),
        (expected.map(str::to_owned).to_vec(), 1)
    );
    let unlike = check(false, true);
    assert_eq!(
        (unlike.outcome, unlike.exit_code),
        (ComparisonOutcome::NotComparable, 4)
    );
    assert_eq!(check(true, true).exit_code, 1);
    assert_eq!(
        unlike.headlines,
        ["compiled by rustc 1.95.0 | 1.96.0: 1 of 1 changed, median +10.0%, not judged"]
    );
    let [difference] = unlike.differences.as_slice() else {
        panic!("{:?}", unlike.differences)
    };
    assert_eq!(difference.fact, "rustc");
    assert_eq!(difference.meaning, "nothing is judged");
}

#[test]
fn a_benchmark_that_is_gone_leaves_the_comparison_incomplete() {
    let old = [benchmark("a"), benchmark("b")];
    let check = |new: &[Value], allows_missing| {
        let options = ComparisonOptions {
            allows_missing,
            ..ComparisonOptions::default()
        };
        let report = compared(&old, new, &options);
        (report.outcome, report.exit_code, report.counts.gone)
    };
    let incomplete = (ComparisonOutcome::Incomplete, 4, 2);
    assert_eq!(check(&old[..1], false), incomplete);
    assert_eq!(check(&old[..1], true), (ComparisonOutcome::Ok, 0, 2));
    assert_eq!(check(&old, false), (ComparisonOutcome::Ok, 0, 0));
    // Two sides without anything in common were not compared, whatever may be gone.
    let (outcome, code, _) = check(&[benchmark("c")], true);
    assert_eq!((outcome, code), (ComparisonOutcome::Incomplete, 4));
    // A metric with a limit, and so a result of a tool.
    let mut new = benchmark("b");
    let metrics = new["profiles"][0]["metrics"].as_array_mut().unwrap();
    metrics.retain(|metric| metric["kind"] != "EstimatedCycles");
    let counts = check(&[benchmark("a"), new], false);
    assert_eq!(counts, (ComparisonOutcome::Incomplete, 4, 1));
    // A regression is worse.
    let mut regressed = benchmark("a");
    instructions(&mut regressed, 1100, 800);
    assert_eq!(check(&[regressed], false).1, 3);
}

#[test]
fn numbers_in_names_are_in_the_order_of_their_values() {
    let names = [
        "n_0", "n_2", "n_9", "n_10", "n_100", "n_100a2", "n_100a10", "o",
    ];
    let new: Vec<Value> = names.iter().rev().map(|name| benchmark(name)).collect();
    let report = compared(&[], &new, &ComparisonOptions::default());
    let mut found: Vec<&str> = report.rows.iter().map(|row| &row.path[8..]).collect();
    // Each has a row for both limits.
    found.dedup();
    assert_eq!(found, names);
}

#[test]
fn rows_with_both_values_are_compared() {
    let old = [benchmark("a"), benchmark("b")];
    let new = [benchmark("b"), benchmark("c")];
    let counts = compared(&old, &new, &ComparisonOptions::default()).counts;
    assert_eq!((counts.compared, counts.gone, counts.new), (2, 2, 2));
}

#[test]
fn other_arguments_under_one_id_are_not_compared() {
    let with_input = |text: &str| {
        let mut record = benchmark("a");
        record["benchmark"]["input"] = json!({"text": text, "positional": true});
        record
    };
    let report = compared(
        &[with_input("x<y")],
        &[with_input("x>y")],
        &ComparisonOptions::default(),
    );
    let counts = report.counts;
    assert_eq!(
        (counts.not_compared, counts.compared, counts.gone),
        (2, 0, 0)
    );
    assert_eq!(
        (report.outcome, report.exit_code),
        (ComparisonOutcome::Ok, 0)
    );
    assert_eq!(
        report.rows[0].remarks,
        ["was `a(x<y)`, is `a(x>y)`: not compared with the old side"]
    );
}

#[test]
fn reviewers_may_have_agreed_to_a_worse_count() {
    struct Agreed(u64);
    impl AgreedCounts for Agreed {
        fn agreed(
            &self,
            _: &BenchmarkIdentity,
            _: Tool,
            metric: &str,
            _: Option<&str>,
        ) -> Option<AgreedCount> {
            (metric == "Ir").then_some(AgreedCount {
                count: Some(Number::Count(self.0)),
                ..AgreedCount::default()
            })
        }
    }
    use base::tool::Tool;
    use records::BenchmarkIdentity;
    let old = side_of(&[benchmark("a")]);
    let mut new = benchmark("a");
    instructions(&mut new, 1100, 700);
    let new = side_of(&[new]);
    for (agreed, class) in [
        (1100, RowClass::Accepted),
        (1060, RowClass::Accepted),
        (1040, RowClass::Regressed),
        (900, RowClass::Regressed),
    ] {
        let options = ComparisonOptions::default();
        let report = compare_sides(Some(&old), &new, &options, &Agreed(agreed));
        assert_eq!(report.rows[0].class, class, "{agreed}");
    }
}

#[test]
fn functions_that_changed_most_are_named() {
    let functions = |sort: u64, free: u64| {
        json!([
            {"name": "app::sort", "origin": "user", "own": [sort], "inlined": false},
            {"name": "free", "origin": "system", "own": [free], "inlined": false},
            {"name": "…", "origin": "unknown", "own": [7 + sort], "inlined": false},
        ])
    };
    let mut old = benchmark("a");
    old["profiles"][0]["events"] = json!(["Ir"]);
    old["profiles"][0]["functions"] = functions(500, 100);
    let mut new = old.clone();
    instructions(&mut new, 1590, 700);
    new["profiles"][0]["functions"] = functions(1100, 90);
    let named = |old: &Value, new: &Value| -> Vec<(i64, String)> {
        let sides = [old, new].map(|side| [side.clone()]);
        let report = compared(&sides[0], &sides[1], &ComparisonOptions::default());
        let functions = report.rows[0].functions.iter();
        functions.map(|it| (it.diff, it.name.clone())).collect()
    };
    let rows = |rows: [(i64, &str); 2]| rows.map(|(diff, name)| (diff, name.to_owned()));
    assert_eq!(named(&old, &new), rows([(600, "app::sort"), (-10, "free")]));

    // Another C library, which has no symbols.
    new["system"]["libc"] = json!("glibc 2.41");
    new["profiles"][0]["functions"][1]["name"] = json!("libc.so.6");
    for (side, own) in [(&mut old, 800), (&mut new, 795)] {
        side["profiles"][0]["objects"] = json!([
            {"name": "app", "own": true, "Ir": own}, {"name": "libc.so.6", "own": false, "Ir": own},
        ]);
    }
    assert_eq!(
        named(&old, &new),
        rows([(600, "app::sort"), (-5, "libc.so.6")])
    );
}

#[test]
fn what_filters_left_out_is_not_gone() {
    let old = side_of(&[benchmark("a"), benchmark("b")]);
    let mut new = side_of(&[benchmark("a")]);
    new.runs[0].run.filters = vec!["::a".to_owned()];
    let report = compare_sides(
        Some(&old),
        &new,
        &ComparisonOptions::default(),
        &NothingAgreed,
    );
    assert_eq!((report.counts.not_run, report.counts.gone), (1, 0));
    // How long the old side took is no time of this one.
    let rows = report.rows.iter();
    let mut not_run = rows.filter(|row| row.class == RowClass::NotRun);
    assert_eq!(not_run.next().unwrap().duration_ns, None);
}

fn side_with(counts: &[u64]) -> ResultSide {
    let counts = counts.iter().enumerate();
    let records = counts.map(|(number, count)| {
        let mut record = benchmark(&format!("b{number}"));
        instructions(&mut record, *count, 0);
        record
    });
    side_of(&records.collect::<Vec<_>>())
}

proptest! {
    #[test]
    fn a_side_against_itself_has_no_row_that_changed(counts in proptest::collection::vec(0..3000_u64, 1..8)) {
        let side = side_with(&counts);
        let report = compare_sides(Some(&side), &side, &ComparisonOptions::default(), &NothingAgreed);
        prop_assert_eq!(report.counts.same, report.rows.len() as u64);
        prop_assert_eq!(report.exit_code, 0);
    }

    #[test]
    fn swapped_sides_swap_what_is_better_and_worse(
        counts in proptest::collection::vec((0..3000_u64, 0..3000_u64), 1..8)
    ) {
        let (old, new): (Vec<u64>, Vec<u64>) = counts.into_iter().unzip();
        let (old, new) = (side_with(&old), side_with(&new));
        let counts = |old, new| {
            compare_sides(Some(old), new, &ComparisonOptions::default(), &NothingAgreed).counts
        };
        let (there, back) = (counts(&old, &new), counts(&new, &old));
        let swapped = RowCounts { regressed: back.improved, improved: back.regressed, ..back };
        prop_assert_eq!(there, swapped);
    }
}

/// A snapshot knows what its counts are of, so that it is compared as results are.
#[test]
fn a_snapshot_of_other_arguments_or_another_amount_is_no_regression() {
    let with = |arguments: &str, count: u64, per_byte: f64| {
        let mut record = benchmark("rows_1");
        instructions(&mut record, count, count);
        record["benchmark"]["input"] = json!({"text": arguments, "positional": true});
        let metrics = record["profiles"][0]["metrics"].as_array_mut().unwrap();
        metrics.push(
            json!({"kind": "InstructionsPerByte", "label": "Instructions/Byte",
            "shown": true, "new": per_byte}),
        );
        record
    };
    let snapshot = |record: &Value| {
        let mut document = crate::accepted::AcceptedDocument::parse("version = 1\n").unwrap();
        let only = iai_callgrind::protocol::Filter::default();
        let side = side_of(std::slice::from_ref(record));
        crate::accepted::accept_all(&mut document, &side, &only, None);
        document.text()
    };
    let text = snapshot(&with("10", 1000, 10.0));
    assert!(text.contains(r#"input = "10""#), "{text}");
    let counts = crate::accepted::parse(&text).unwrap();
    let class = |new: &Value| {
        let new = side_of(std::slice::from_ref(new));
        let old = crate::accepted::old_side(&counts, &new, "a.toml");
        let options = ComparisonOptions::default();
        let report = compare_sides(old.as_ref(), &new, &options, &NothingAgreed);
        let rows = report.rows.iter();
        let of_instructions =
            |row: &&ReportRow| row.metric.as_ref().is_some_and(|it| it.kind == "Ir");
        let class = rows.clone().find(of_instructions).map(|row| row.class);
        (class, report.exit_code)
    };
    assert_eq!(
        class(&with("10", 1200, 12.0)),
        (Some(RowClass::Regressed), 3)
    );
    assert_eq!(
        class(&with("50", 5000, 10.0)),
        (Some(RowClass::NotCompared), 0)
    );
    // Five times the bytes.
    let (more, exit) = class(&with("10", 5000, 10.0));
    assert_ne!(more, Some(RowClass::Regressed));
    assert_eq!(exit, 0);
}

/// The total fell with another C library, and own code, which alone is judged, got worse.
#[test]
fn own_code_that_got_worse_is_accepted_whatever_the_total_did() {
    let mut old = benchmark("a");
    // Cycles are not judged under another C library.
    old["profiles"][0]["limits"] = json!([{"type": "soft", "kind": "Ir", "limit": 5.0}]);
    let mut new = old.clone();
    instructions(&mut new, 990, 770);
    new["system"]["libc"] = json!("glibc 2.41");
    let [old, new] = [&old, &new].map(|side| side_of(std::slice::from_ref(side)));
    let options = ComparisonOptions::default();
    let report = compare_sides(Some(&old), &new, &options, &NothingAgreed);
    assert_eq!(report.rows[0].class, RowClass::Regressed);
    let mut document = crate::accepted::AcceptedDocument::parse("version = 1\n").unwrap();
    let spent = Default::default();
    let changes = crate::accepted::accept_regressions(&mut document, &spent, &report, &new, None);
    assert_eq!(changes.refused, [""; 0]);
    let text = document.text();
    assert!(text.contains("Ir = 990, own = 770"), "{text}");
    // The line holds for the same pair.
    let counts = crate::accepted::parse(&text).unwrap();
    let report = compare_sides(Some(&old), &new, &options, &counts);
    assert_eq!(report.rows[0].class, RowClass::Accepted);
}

/// Else the line would have no effect, and the hint at it no end.
#[test]
fn what_a_limit_on_a_decrease_forbids_is_not_accepted() {
    let mut old = benchmark("a");
    old["profiles"][0]["limits"] = json!([{"type": "soft", "kind": "Ir", "limit": -1.0}]);
    let mut new = old.clone();
    instructions(&mut new, 500, 100);
    let [old, new] = [&old, &new].map(|side| side_of(std::slice::from_ref(side)));
    let report = compare_sides(
        Some(&old),
        &new,
        &ComparisonOptions::default(),
        &NothingAgreed,
    );
    assert_eq!(report.exit_code, 3);
    let mut document = crate::accepted::AcceptedDocument::parse("version = 1\n").unwrap();
    let changes = crate::accepted::accept_regressions(
        &mut document,
        &Default::default(),
        &report,
        &new,
        None,
    );
    assert_eq!(changes.refused.len(), 1, "{:?}", changes.refused);
    assert!(changes.refused[0].contains("it did not get worse"));
}

/// The record with a time of 100 ns that was measured in pairs with an executable of 90 ns.
fn timed(name: &str, executables: [&str; 2]) -> Value {
    let mut record = benchmark(name);
    record["time"] = json!({
        "basis": "wall", "min_ns": 99.0, "median_ns": 100.2, "old_min_ns": 89.0, "old_median_ns": 90.1,
        "ratio": 1.11, "ratio_low": 1.10, "ratio_high": 1.12, "level": 0.999, "starts": 60, "pairs": 12,
        "calls": 1000, "preempted": 0.0, "steal": 0.0, "class": "slower", "limit": 5.0, "exceeded_limit": 5.0,
        "executables": executables,
    });
    record
}

#[test]
fn wall_time_is_told_of_the_executables_that_it_was_measured_with() {
    let (old, new) = (timed("a", ["old", "before"]), timed("a", ["new", "old"]));
    let row_of_time = |old: &Value, new: &Value| {
        let (old, new) = (std::slice::from_ref(old), std::slice::from_ref(new));
        let report = compared(old, new, &ComparisonOptions::default());
        let outcome = report.outcome;
        let mut rows = report.rows.into_iter().filter(|row| row.tool.is_none());
        (outcome, rows.next())
    };
    let (outcome, row) = row_of_time(&old, &new);
    let row = row.unwrap();
    assert_eq!(
        (outcome, row.class),
        (ComparisonOutcome::Regressed, RowClass::Regressed)
    );
    let metric = row.metric.unwrap();
    assert_eq!(
        (metric.old, metric.new),
        (Some(Number::Count(90)), Some(Number::Count(100)))
    );
    // The ratio that was measured, and not that of both times.
    assert!((metric.diff_pct.unwrap() - 11.0).abs() < 1e-9);
    assert_eq!(row.remarks, ["99.9% interval: +10.0% to +12.0%"]);

    // Within the limit it is a change, and no regression.
    let mut within = new.clone();
    within["time"]
        .as_object_mut()
        .unwrap()
        .remove("exceeded_limit");
    let (outcome, row) = row_of_time(&old, &within);
    assert_eq!(
        (outcome, row.unwrap().class),
        (ComparisonOutcome::Ok, RowClass::Changed)
    );

    // What is not judged has no row, and is no silence.
    let mut noisy = within.clone();
    noisy["time"]["class"] = "not_judged".into();
    noisy["time"]["reason"] = "too noisy".into();
    let (sides, options) = ([old.clone(), noisy], ComparisonOptions::default());
    let report = compared(&sides[..1], &sides[1..], &options);
    assert_eq!(report.outcome, ComparisonOutcome::Ok);
    assert_eq!(
        report.notes,
        ["wall time of 1 benchmark is not judged: too noisy"]
    );
    let limits = report.limits.iter();
    let of_time = |limit: &&JudgedLimit| matches!(limit, JudgedLimit::Soft { kind, limit, .. } if kind == "Time" && *limit == 5.0);
    assert_eq!(limits.filter(of_time).count(), 1);

    // Of another executable, of none, and of code placement there is nothing to tell.
    let other = timed("a", ["other", "before"]);
    let mut layout = new.clone();
    layout["time"]["class"] = "layout".into();
    for (old, new) in [(&other, &new), (&benchmark("a"), &new), (&old, &layout)] {
        assert_eq!(row_of_time(old, new), (ComparisonOutcome::Ok, None));
    }
}

#[test]
fn pictures_have_the_times_that_are_about_the_old_side() {
    let times = |old: Option<&[Value]>, new: &[Value]| {
        let old = old.map(side_of);
        let times = PairedSideTimes::of(old.as_ref(), &side_of(new));
        let paths: Vec<String> = times
            .all
            .iter()
            .map(|(it, _)| it.path.to_string())
            .collect();
        (paths, times.others)
    };
    let paths = |paths: &[&str]| {
        paths
            .iter()
            .map(|path| (*path).to_owned())
            .collect::<Vec<_>>()
    };
    let old = [
        timed("a", ["old", "before"]),
        timed("b", ["old", "before"]),
        benchmark("d"),
    ];
    let mut same = timed("b", ["new", "old"]);
    same["time"]["class"] = "unchanged".into();
    let new = [
        timed("a", ["new", "other"]),
        same,
        benchmark("c"),
        timed("d", ["new", "old"]),
    ];
    // That of `a` was measured with another executable, `d` was not timed on the old side.
    assert_eq!(times(Some(&old), &new), (paths(&["app::g::b"]), 2));
    // Alone, a side has what it measured with whatever was there.
    let all = paths(&["app::g::a", "app::g::b", "app::g::d"]);
    assert_eq!(times(None, &new), (all, 0));
}
