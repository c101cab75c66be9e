//! Records of several commits to their history. The records are those of a small generator.

use std::io::Cursor;

use iai_callgrind::protocol::EventKind;
use serde_json::json;

use super::*;
use records::{RecordInput, RecordReader};

/// The record of `app::g::f` at a commit of a day, with instructions of which `own` are the
/// program's.
#[derive(Clone)]
struct Measurement {
    day: u32,
    instructions: u64,
    own: u64,
    libc: &'static str,
    rustc: &'static str,
    dirty: bool,
    path: &'static str,
    /// Mark of the code.
    mark: Option<&'static str>,
}

fn at(day: u32, instructions: u64) -> Measurement {
    Measurement {
        day,
        instructions,
        own: instructions - 10,
        libc: "glibc 2.36",
        rustc: "1.94.1 (aaa 2026-01-01)",
        dirty: false,
        path: "app::g::f",
        mark: Some("1f"),
    }
}

fn record(measured: &Measurement) -> String {
    let Measurement {
        day,
        instructions,
        own,
        ..
    } = measured;
    let record = json!({
        "type": "benchmark", "version": 1, "status": "ok",
        "benchmark": {
            "path": measured.path, "kind": "library", "package": "exp1", "file": "app", "group": "g",
            "function": "f",
        },
        "source": {"commit": format!("{day:07}"), "committed_at": format!("2026-11-{day:02}T10:00:00+01:00"),
            "dirty": measured.dirty},
        "baselines": {}, "started_at": format!("2026-11-{day:02}T11:00:00.000Z"), "duration_ns": 3,
        "profiles": [{
            "tool": "callgrind", "mode": "fork", "parts": [], "regressions": [], "errors": [],
            "notes": [], "out_files": [], "log_files": [],
            "environment": {"valgrind_args": [], "caches": [], "code": measured.mark},
            "objects": [{"name": "app", "own": true, "Ir": own},
                {"name": "libc.so.6", "own": false, "Ir": instructions - own}],
            "metrics": [{"kind": "Ir", "label": "Instructions", "shown": true, "new": instructions}],
        }],
        "failures": [], "comparisons": [], "directory": "exp1/app/g",
        "files": {"workspace": "/w", "package_dir": "/w", "bench_file": "/w/b.rs", "executable": "/w/e",
            "home": "/w/target/iai", "home_in_workspace": "target/iai"},
        "system": {"runner": "0.17.0", "target": "x86_64-unknown-linux-gnu", "libc": measured.libc,
            "rustc": measured.rustc, "cpu_features": ["avx2"]},
    });
    format!("{record}\n")
}

fn of_records(text: &str) -> History {
    let mut reader = RecordReader::with_points();
    let input = RecordInput {
        name: "all.jsonl".to_owned(),
    };
    reader.read(input, Cursor::new(text)).unwrap();
    let options = HistoryOptions {
        metrics: vec![EventKind::Ir.into()],
        ..HistoryOptions::default()
    };
    history(&reader.finish(), &options)
}

/// A line of `history.jsonl` of the run at this minute of 2026-11-05.
fn line(minute: u32, state: serde_json::Value, runs: u64, values: serde_json::Value) -> String {
    let mut line = json!({
        "type": "point", "version": 1, "at": format!("2026-11-05T12:{minute:02}:00Z"), "package": "exp1", "file": "app",
        "target": "x86_64-unknown-linux-gnu", "rustc": "1.94.1", "valgrind": "3.19.0", "libc": "glibc 2.36",
        "label": null, "runs": runs, "values": values,
    });
    let fields = line.as_object_mut().unwrap();
    fields.extend(state.as_object().unwrap().clone());
    format!("{line}\n")
}

/// A source at a commit of a day, where changed files have this code.
fn source(day: u32, changed: Option<&str>) -> serde_json::Value {
    json!({
        "source": {"commit": format!("{day:07}"), "dirty": changed.is_some(),
            "committed_at": format!("2026-11-{day:02}T10:00:00+01:00")},
        "code": changed.unwrap_or("clean"),
        "marks": {"most": changed.unwrap_or("clean")},
    })
}

fn ir(count: u64) -> serde_json::Value {
    json!({"app::g::f": {"Ir": count}})
}

fn of(measured: &[Measurement]) -> History {
    let records: String = measured.iter().map(record).collect();
    of_records(&records)
}

/// Commit, value and whether it changed.
fn values(history: &History) -> Vec<(usize, f64, bool)> {
    let points = history.series[0].points.iter();
    points
        .map(|point| (point.commit, point.value.as_f64(), point.changed))
        .collect()
}

#[test]
fn commits_stand_in_the_order_of_their_times() {
    let history = of(&[at(22, 120), at(3, 100), at(14, 100)]);
    let expected = [(0, 100.0, false), (1, 100.0, false), (2, 120.0, true)];
    assert_eq!(values(&history), expected);
    let commits: Vec<&str> = history
        .commits
        .iter()
        .map(|it| it.commit.as_deref().unwrap())
        .collect();
    assert_eq!(commits, ["0000003", "0000014", "0000022"]);
    let last = &history.series[0].points[2];
    assert_eq!(last.diff_pct, Some(20.0));
    assert_eq!((last.commits_since, &last.circumstances), (1, &Vec::new()));
    assert!(history.notes.is_empty());
}

/// Commits of a rebase or of a script have one time. The last one has records as well, which are
/// read before the lines.
#[test]
fn commits_of_one_second_stand_in_the_order_of_their_first_runs() {
    let of_one_second = |commit: &str, changed: Option<&str>| {
        let mut state = source(5, changed);
        state["source"]["commit"] = json!(commit);
        state
    };
    let mut last = at(5, 300);
    last.mark = Some("c");
    let text = [
        record(&last).replace("0000005", "ccc"),
        line(10, of_one_second("bbb", None), 1, ir(100)),
        line(20, of_one_second("aaa", None), 1, ir(200)),
        line(25, of_one_second("bbb", Some("changed")), 1, ir(150)),
        // A commit that is measured again stays in its place.
        line(40, of_one_second("bbb", None), 1, ir(100)),
    ];
    let late = text[0].replace("2026-11-05T11:00", "2026-11-05T12:30");
    let history = of_records(
        &[&late, &text[1], &text[2], &text[3], &text[4]]
            .map(String::as_str)
            .concat(),
    );
    let commits = history.commits.iter();
    let commits: Vec<(&str, bool)> = commits
        .map(|it| (it.commit.as_deref().unwrap(), it.dirty))
        .collect();
    let expected = [
        ("bbb", false),
        ("bbb", true),
        ("aaa", false),
        ("ccc", false),
    ];
    assert_eq!(commits, expected);
}

#[test]
fn a_benchmark_that_was_not_measured_has_a_gap() {
    let other = Measurement {
        path: "app::g::z",
        ..at(5, 70)
    };
    let history = of(&[at(3, 100), other, at(9, 120)]);
    assert_eq!(values(&history), [(0, 100.0, false), (2, 120.0, true)]);
    assert_eq!(history.series[0].points[1].commits_since, 2);
}

#[test]
fn another_compiler_is_named() {
    let nightly = Measurement {
        rustc: "1.95.0 (bbb 2026-02-02)",
        ..at(4, 130)
    };
    let history = of(&[at(3, 100), nightly]);
    let point = &history.series[0].points[1];
    assert_eq!(point.circumstances, ["rustc 1.94.1 -> 1.95.0"]);
    assert!(point.changed && point.own.is_none());
}

#[test]
fn with_another_c_library_only_own_code_counts() {
    let newer = |day, instructions, own| Measurement {
        libc: "glibc 2.41",
        own,
        ..at(day, instructions)
    };
    let history = of(&[at(3, 100), newer(4, 130, 90), newer(5, 130, 90)]);
    let expected = [(0, 100.0, false), (1, 130.0, false), (2, 130.0, false)];
    assert_eq!(values(&history), expected);
    let point = &history.series[0].points[1];
    assert_eq!(point.own, Some(HistoryOwn { old: 90, new: 90 }));
    assert_eq!(point.circumstances, ["glibc 2.36 -> glibc 2.41"]);
    // The own code is slower, although the total is the same.
    let history = of(&[at(3, 100), newer(4, 100, 99)]);
    let point = &history.series[0].points[1];
    assert_eq!((point.changed, point.diff_pct), (true, Some(10.0)));
    // Nothing can be judged with another compiler as well, and own code is no exception.
    let both = Measurement {
        rustc: "1.95.0 (bbb 2026-02-02)",
        ..newer(4, 130, 90)
    };
    let history = of(&[at(3, 100), both]);
    let point = &history.series[0].points[1];
    assert_eq!((point.own, point.diff_pct), (None, Some(30.0)));
    assert_eq!(point.circumstances.len(), 2);
    // Without sums of the objects the total is all that there is.
    let text: String = [at(3, 100), newer(4, 101, 90)].iter().map(record).collect();
    let history = of_records(&text.replace("\"objects\"", "\"other\""));
    let point = &history.series[0].points[1];
    assert_eq!((point.changed, point.own), (true, None));
}

#[test]
fn two_values_of_a_commit_are_not_deterministic() {
    let history = of(&[at(3, 100), at(3, 101), at(3, 101), at(4, 100)]);
    let points = &history.series[0].points;
    assert_eq!(points.len(), 2);
    assert_eq!(points[0].others.len(), 1);
    // Another machine may have another value.
    let other = Measurement {
        libc: "glibc 2.41",
        ..at(3, 101)
    };
    let history = of(&[at(3, 100), other]);
    assert!(history.series[0].points[0].others.is_empty());
    // So may other code, and nothing is known without a mark.
    for mark in [Some("2f"), None] {
        let marked = |instructions| Measurement {
            mark,
            ..at(3, instructions)
        };
        let history = of(&[at(3, 100), marked(101)]);
        assert!(history.series[0].points[0].others.is_empty(), "{mark:?}");
        let history = of(&[marked(100), marked(101)]);
        let others = history.series[0].points[0].others.len();
        assert_eq!(others, usize::from(mark.is_some()), "{mark:?}");
    }
}

/// The record and the line of a result say the same to the history.
fn both_forms(
    day: u32,
    minute: u32,
    count: u64,
    input: Option<&str>,
    repeated: Option<&str>,
) -> [String; 2] {
    let mut result: serde_json::Value = serde_json::from_str(&record(&at(day, count))).unwrap();
    result["profiles"][0]["repeated"] = json!(repeated);
    let mut said = line(minute, source(day, None), 1, ir(count));
    let mut facts = json!({});
    if let Some(text) = input {
        result["benchmark"]["input"] = json!({"text": text, "positional": true});
        facts["inputs"] = json!({"app::g::f": text});
    }
    if let Some(repeated) = repeated {
        facts["repeated"] = json!({"app::g::f": repeated});
    }
    let facts = facts.as_object().unwrap().clone();
    let mut with_facts: serde_json::Value = serde_json::from_str(&said).unwrap();
    with_facts.as_object_mut().unwrap().extend(facts);
    said = format!("{with_facts}\n");
    [format!("{result}\n"), said]
}

#[test]
fn other_arguments_at_a_place_in_a_list_are_no_step() {
    let [old, new] = [("100", 3, 150), ("50", 4, 75)]
        .map(|(arguments, day, count)| both_forms(day, day, count, Some(arguments), None));
    let unknown = both_forms(4, 4, 75, None, None);
    for form in 0..2 {
        let history = of_records(&format!("{}{}", old[form], new[form]));
        assert_eq!(values(&history), [(0, 150.0, false), (1, 75.0, false)]);
        let point = &history.series[0].points[1];
        assert_eq!((point.diff_pct, point.other_arguments), (None, true));
        assert_eq!(point.circumstances, ["arguments 100 -> 50"]);
        // What one side does not know counts as equal.
        let history = of_records(&format!("{}{}", old[form], unknown[form]));
        assert!(history.series[0].points[1].changed);
    }
}

#[test]
fn a_total_of_another_amount_is_no_step() {
    let counts = |ir: u64, per_byte: f64| json!({"Ir": ir, "InstructionsPerByte": per_byte});
    let point =
        |minute, day, counts| line(minute, source(day, None), 1, json!({"app::g::f": counts}));
    let whole = |day, ir: u64, per_byte: f64| {
        let mut record: serde_json::Value = serde_json::from_str(&record(&at(day, ir))).unwrap();
        let metrics = record["profiles"][0]["metrics"].as_array_mut().unwrap();
        metrics.push(
            json!({"kind": "InstructionsPerByte", "label": "Instructions/Byte",
            "shown": true, "new": per_byte}),
        );
        format!("{record}\n")
    };
    let old = [point(1, 3, counts(1000, 10.0)), whole(3, 1000, 10.0)];
    let more = [point(2, 4, counts(2000, 10.0)), whole(4, 2000, 10.0)];
    let slower = [point(2, 4, counts(2000, 20.0)), whole(4, 2000, 20.0)];
    for (old, (more, slower)) in old.iter().zip(more.iter().zip(&slower)) {
        let history = of_records(&format!("{old}{more}"));
        let point = &history.series[0].points[1];
        assert_eq!((point.diff_pct, point.changed), (None, false));
        assert_eq!(point.circumstances, ["bytes 100 -> 200"]);
        assert!(point.other_arguments);
        // Of the same amount, the total tells the change.
        let history = of_records(&format!("{old}{slower}"));
        let point = &history.series[0].points[1];
        assert_eq!((point.diff_pct, point.changed), (Some(100.0), true));
        assert!(point.circumstances.is_empty());
    }
}

#[test]
fn a_change_that_one_more_run_confirmed_is_none_by_chance() {
    for (repeated, others) in [(None, 1), (Some("other"), 1), (Some("same"), 0)] {
        let [old, new] = [(0, 100, None), (1, 120, repeated)]
            .map(|(minute, count, repeated)| both_forms(3, minute, count, None, repeated));
        for form in 0..2 {
            let history = of_records(&format!("{}{}", old[form], new[form]));
            let point = &history.series[0].points[0];
            assert_eq!(point.others.len(), others, "{repeated:?} {form}");
        }
    }
}

/// The bench executable of binary benchmarks stays the same when a program changes.
#[test]
fn a_run_of_a_changed_program_is_another_one() {
    let run = |minute, marks: serde_json::Value, count| {
        let mut state = source(1, Some("executable"));
        state["marks"] = marks;
        let values = json!({"app::g::f": {"Ir": count}, "app::g::g": {"Ir": 5}});
        line(minute, state, 2, values)
    };
    let counts = |lines: &[String]| {
        let history = of_records(&lines.concat());
        let others = history.series[0].points.iter();
        let others: usize = others.map(|point| point.others.len()).sum();
        let values: Vec<f64> = values(&history).iter().map(|value| value.1).collect();
        (values, others, history.commits.len())
    };
    let one = || json!({"most": "1f"});
    let program = |mark: &str| json!({"most": "1f", "others": {"app::g::f": mark}});
    // The same code again, with another count.
    for marks in [one(), program("2f")] {
        let again = [run(1, marks.clone(), 100), run(2, marks, 200)];
        assert_eq!(counts(&again), (vec![200.0], 1, 1));
    }
    let edited = [run(1, program("2f"), 100), run(2, program("3f"), 200)];
    assert_eq!(counts(&edited), (vec![100.0, 200.0], 0, 2));
    let both = [run(1, one(), 100), run(2, json!({"most": "4f"}), 200)];
    assert_eq!(counts(&both), (vec![100.0, 200.0], 0, 2));
    // Lines of before have the mark of the executable only.
    let before = [
        run(1, json!({}), 100),
        run(2, json!({}), 200),
        run(3, one(), 300),
    ];
    assert_eq!(counts(&before), (vec![100.0, 200.0, 300.0], 0, 3));
}

/// A record of the last run stands beside the line of the run.
#[test]
fn a_record_is_told_by_the_line_of_the_same_code() {
    let mut state = source(1, Some("executable"));
    state["marks"] = json!({"most": "1f", "others": {"app::g::f": "2f"}});
    let line = line(1, state, 1, ir(100));
    let commits = |mark| {
        let record = record(&Measurement {
            dirty: true,
            mark,
            ..at(1, 200)
        });
        let executable = "\"dirty\":true,\"code\":\"executable\"";
        let record = record.replace("\"dirty\":true", executable);
        of_records(&(record + &line)).commits.len()
    };
    assert_eq!(commits(Some("2f")), 1);
    assert_eq!([Some("3f"), None].map(commits), [2, 2]);
}

#[test]
fn changed_files_count_only_where_nothing_else_does() {
    let dirty = |day, instructions| Measurement {
        dirty: true,
        ..at(day, instructions)
    };
    let history = of(&[at(3, 100), dirty(3, 150), dirty(4, 160)]);
    assert_eq!(values(&history), [(0, 100.0, false), (1, 160.0, true)]);
    assert_eq!(
        [false, true],
        [0, 1].map(|commit| history.commits[commit].dirty)
    );
    assert!(
        history.notes[0].starts_with("1 results of changed files"),
        "{:?}",
        history.notes
    );
}

#[test]
fn results_without_a_commit_are_left_out() {
    let text = record(&at(3, 100)).replace("\"commit\"", "\"other\"");
    let history = of_records(&text);
    assert!(history.series.is_empty() && history.commits.is_empty());
    assert!(
        history.notes[0].starts_with("1 records without a commit"),
        "{:?}",
        history.notes
    );
}

#[test]
fn lines_that_do_not_name_a_benchmark_leave_its_value() {
    let both = json!({"app::g::f": {"Ir": 100}, "app::g::g": {"Ir": 50, "dhat.TotalBytes": 8}});
    let text = [
        line(1, source(1, None), 2, both),
        line(2, source(2, None), 2, json!({})),
        // A filter selected something else.
        line(3, source(3, None), 1, json!({"app::g::g": {"Ir": 60}})),
        line(4, source(4, None), 2, ir(120)),
        line(5, source(5, None), 1, json!({"app::g::g": null})),
        line(6, source(6, None), 1, json!({})),
    ];
    let history = of_records(&text.concat());
    let expected = [
        (0, 100.0, false),
        (1, 100.0, false),
        (3, 120.0, true),
        (4, 120.0, false),
        (5, 120.0, false),
    ];
    assert_eq!(values(&history), expected);
    let since: Vec<usize> = history.series[0]
        .points
        .iter()
        .map(|it| it.commits_since)
        .collect();
    assert_eq!(since, [0, 1, 2, 1, 1]);
    let other = &history.series[1];
    let found: Vec<_> = other.points.iter().map(|it| it.commit).collect();
    assert_eq!((&*other.path, found), ("app::g::g", vec![0, 1, 2, 3]));
    assert!(history.notes.is_empty(), "{:?}", history.notes);
}

#[test]
fn runs_with_changed_files_stand_behind_their_commit() {
    let text = [
        line(1, source(1, None), 1, ir(100)),
        line(2, source(1, Some("a")), 1, ir(110)),
        line(3, source(1, Some("b")), 1, ir(105)),
        // Measured again with another Valgrind.
        line(4, source(1, Some("b")), 1, json!({})).replace("3.19.0", "3.24.0"),
        line(5, source(2, None), 1, json!({})),
    ];
    // They are read whatever order the files have, and a record of the same run is not told twice.
    let record = record(&Measurement {
        dirty: true,
        mark: Some("b"),
        ..at(1, 999)
    });
    let history = of_records(&(record + &text.concat()));
    let expected = [
        (0, 100.0, false),
        (1, 110.0, true),
        (2, 105.0, true),
        (3, 105.0, false),
    ];
    assert_eq!(values(&history), expected);
    let shown: Vec<_> = history
        .commits
        .iter()
        .map(|it| (it.dirty, it.code.as_deref(), it.time().unwrap()))
        .collect();
    let expected = [
        (false, None, "2026-11-01T10:00:00+01:00"),
        (true, Some("a"), "2026-11-05T12:02:00Z"),
        (true, Some("b"), "2026-11-05T12:04:00Z"),
        (false, None, "2026-11-02T10:00:00+01:00"),
    ];
    assert_eq!(shown, expected);
    let points = &history.series[0].points;
    let since: Vec<usize> = points.iter().map(|it| it.commits_since).collect();
    assert_eq!(since, [0, 0, 0, 1]);
    assert!(history.notes.is_empty(), "{:?}", history.notes);
}

#[test]
fn lines_and_records_of_a_commit_are_one_point() {
    let text = record(&at(3, 100))
        + &line(1, source(3, None), 1, ir(100))
        + &record(&at(4, 130))
        + &line(2, source(4, None), 1, ir(130));
    let history = of_records(&text);
    assert_eq!(values(&history), [(0, 100.0, false), (1, 130.0, true)]);
    let point = &history.series[0].points[1];
    // The version of the compiler is all that a line has.
    assert!(
        point.others.is_empty() && point.circumstances.is_empty(),
        "{point:?}"
    );
    let commit = &history.commits[1];
    assert_eq!(commit.valgrind.as_deref(), Some("3.19.0"));
}

#[test]
fn only_changes_are_left_if_that_is_wanted() {
    let day = |day, text: serde_json::Value| line(day, source(day, None), 1, text);
    let text = [
        day(1, ir(100)),
        day(2, json!({})),
        day(3, json!({})).replace("1.94.1", "1.95.0"),
        day(4, ir(120)).replace("1.94.1", "1.95.0"),
        day(5, json!({})).replace("1.94.1", "1.95.0"),
        day(6, json!({})).replace("1.94.1", "1.95.0"),
    ];
    let mut reader = RecordReader::with_points();
    let input = RecordInput {
        name: "history.jsonl".to_owned(),
    };
    reader.read(input, Cursor::new(text.concat())).unwrap();
    let options = HistoryOptions {
        metrics: vec![EventKind::Ir.into()],
        changes_only: true,
        ..HistoryOptions::default()
    };
    let history = history(&reader.finish(), &options);
    let points = &history.series[0].points;
    let shown: Vec<usize> = points.iter().map(|point| point.commit).collect();
    assert_eq!((shown, history.series[0].measured), (vec![0, 2, 3, 5], 6));
    assert_eq!(points[1].circumstances, ["rustc 1.94.1 -> 1.95.0"]);
}

/// Each bench target and label has values of its own, and so has each file.
#[test]
fn lines_of_other_targets_say_nothing_about_a_benchmark() {
    let text = [
        line(1, source(1, None), 1, ir(100)),
        line(1, source(1, None), 1, ir(500)).replace("\"label\":null", "\"label\":\"big\""),
        line(2, source(2, None), 1, json!({"other::g::f": {"Ir": 7}}))
            .replace("\"file\":\"app\"", "\"file\":\"other\""),
        line(3, source(3, None), 1, ir(100)),
    ];
    let history = of_records(&text.concat());
    assert_eq!(values(&history), [(0, 100.0, false), (2, 100.0, false)]);
    let labels: Vec<_> = history
        .series
        .iter()
        .map(|it| (it.label.as_deref(), &*it.path, it.points.len()))
        .collect();
    let expected = [
        (None, "app::g::f", 2),
        (None, "other::g::f", 1),
        (Some("big"), "app::g::f", 1),
    ];
    assert_eq!(labels, expected);
}

#[test]
fn lines_that_are_not_understood_are_passed_over() {
    let good = line(1, source(1, None), 1, ir(100));
    let later = good.replace("\"version\":1", "\"version\":2");
    let torn = &good[..good.len() / 2];
    let number = good.replace("{\"Ir\":100}", "{\"Ir\":\"x\"}");
    let text = format!("{later}\0\0\0\n{number}{{\"type\":\"point\",\"version\":1}}\n{good}{torn}");
    let history = of_records(&text);
    assert_eq!(values(&history), [(0, 100.0, false)]);
    // Metrics of later versions.
    let unknown = good.replace("\"Ir\"", "\"foo.Bar\":1,\"Later\":2,\"Ir\"");
    assert_eq!(values(&of_records(&unknown)), [(0, 100.0, false)]);
}

/// A small file can say that very many benchmarks did not change in very many runs.
#[test]
fn lines_of_others_take_no_time_without_end() {
    let paths = (0..200).map(|number| (format!("app::g::f{number}"), json!({"Ir": 1})));
    let first = line(1, source(1, None), 200, paths.collect());
    let same = line(2, source(2, None), 200, json!({}));
    let history = of_records(&(first + &same.repeat(110)));
    assert_eq!(history.series.len(), 200);
    assert!(history.notes[0].starts_with("there are too many lines"));
}
