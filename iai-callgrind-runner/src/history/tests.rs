//! Records of several commits to their history. The records are those of a small generator.

use std::io::Cursor;

use iai_callgrind::protocol::EventKind;
use serde_json::json;

use super::*;
use crate::records::{RecordInput, RecordReader};

/// The record of `app::g::f` at a commit of a day, with instructions of which `own` are the program's.
#[derive(Clone)]
struct Measurement {
    day: u32,
    instructions: u64,
    own: u64,
    libc: &'static str,
    rustc: &'static str,
    dirty: bool,
    path: &'static str,
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
            "environment": {"valgrind_args": [], "caches": []},
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
    let mut reader = RecordReader::default();
    let input = RecordInput {
        name: "all.jsonl".to_owned(),
        has_runs: true,
    };
    reader.read(input, Cursor::new(text)).unwrap();
    let options = HistoryOptions {
        metrics: vec![EventKind::Ir.into()],
        ..HistoryOptions::default()
    };
    history(&reader.finish(), &options)
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
        .map(|it| it.commit.as_str())
        .collect();
    assert_eq!(commits, ["0000003", "0000014", "0000022"]);
    let last = &history.series[0].points[2];
    assert_eq!(last.diff_pct, Some(20.0));
    assert_eq!((last.commits_since, &last.circumstances), (1, &Vec::new()));
    assert!(history.notes.is_empty());
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
