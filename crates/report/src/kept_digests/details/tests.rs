//! Details of results in directories, as runs leave them.

use std::fs;
use std::io::empty;
use std::path::Path;
use std::sync::Arc;

use iai_callgrind::protocol::EventKind;
use serde_json::{json, Value};

use super::{BenchmarkDetails, DetailSource, SideDetails, WantedDetails};
use explain::digest::Digest;
use explain::sample::digest;
use explain::{self, format};
use records::{RecordReader, ResultsPlace};
use verdict::sides::{
    compare_sides, previous_side, ComparisonOptions, NothingAgreed, ResultSide, SideOptions,
};

const OLD: &str = "root lab::bench
    own lab::bench:1 = 100
    own lab::bench:2 > lab::f:5 = 900";
const NEW: &str = "root lab::bench
    own lab::bench:1 = 100
    call lab::bench:2 -> lab::f 3 = 4900
    own lab::f:5 = 4900";

/// A record with these instructions, old and new.
fn record(old: Option<u64>, new: u64, more: &Value) -> String {
    let mut profile = json!({
        "tool": "callgrind", "mode": "fork", "parts": [], "regressions": [], "errors": [], "notes": [],
        "out_files": [], "log_files": [], "digest": "callgrind.f.digest",
        "metrics": [{"kind": "Ir", "label": "Instructions", "unit": null, "shown": true, "new": new, "old": old}],
        "environment": {"valgrind_args": [], "caches": []},
    });
    for (key, value) in more.as_object().unwrap() {
        profile[key] = value.clone();
    }
    let record = json!({
        "type": "benchmark", "version": 1, "status": "ok",
        "benchmark": {"path": "app::g::f", "kind": "library", "package": "exp1", "file": "app", "group": "g",
            "function": "f"},
        "baselines": {}, "started_at": "2026-11-20T10:00:01.000Z", "duration_ns": 3, "profiles": [profile],
        "failures": [], "comparisons": [], "directory": "exp1/app/g/f",
        "files": {"workspace": "/w", "package_dir": "/w", "bench_file": "/w/b.rs", "executable": "/w/e",
            "home": "/w/target/iai", "home_in_workspace": "target/iai"},
        "system": {"runner": "0.17.0", "cpu_features": []},
    });
    let run = json!({
        "type": "run", "version": 1, "ending": "ok", "exit_code": 0,
        "counts": {"ok": 1, "regressed": 0, "failed": 0, "filtered": 0, "not_run": 0},
        "started_at": "2026-11-20T10:00:00.000Z", "duration_ns": 5, "package": "exp1", "file": "app",
        "baselines": {}, "system": {"runner": "0.17.0", "cpu_features": []}, "warnings": [], "errors": [],
    });
    format!("{record}\n{run}\n")
}

/// A home with one benchmark, and the files that explain it.
struct Home(tempfile::TempDir);

impl Home {
    fn new(record: &str, digests: &[(&str, &Digest)]) -> Self {
        let home = Self(tempfile::tempdir().unwrap());
        let target = home.0.path().join("exp1/app");
        fs::create_dir_all(target.join("g/f")).unwrap();
        fs::write(target.join("results.jsonl"), record).unwrap();
        for (name, digest) in digests {
            fs::write(home.file(name), format::write(digest)).unwrap();
        }
        home
    }

    /// With the record of the result that the last one was compared with.
    fn after(self, record: &str) -> Self {
        let path = self.0.path().join("exp1/app/results.jsonl.old");
        fs::write(path, record).unwrap();
        self
    }

    fn file(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join("exp1/app/g/f").join(name)
    }

    fn side(&self) -> ResultSide {
        side(self.0.path())
    }

    /// The details of the last run against the one before.
    fn details(&self) -> BenchmarkDetails {
        let new = self.side();
        let old = previous_side(&new, RecordReader::with_texts()).unwrap();
        details((!old.benchmarks.is_empty()).then_some(old), new)
    }
}

fn side(path: &Path) -> ResultSide {
    let mut reader = RecordReader::with_texts().and_digests();
    let place = ResultsPlace::Path(path.to_owned());
    place.read(&mut reader, empty()).unwrap();
    let side = ResultSide::of(reader.finish(), &SideOptions::default());
    assert!(side.errors.is_empty(), "{:?}", side.errors);
    side
}

fn details(old: Option<ResultSide>, new: ResultSide) -> BenchmarkDetails {
    let options = ComparisonOptions::default();
    let report = compare_sides(old.as_ref(), &new, &options, &NothingAgreed);
    let sides = SideDetails {
        old: old.map(Arc::new),
        new: Arc::new(new),
    };
    let wanted = WantedDetails {
        lines: true,
        code: true,
    };
    sides.details(&report.rows[0], wanted)
}

fn without(more: &[&str]) -> Value {
    more.iter()
        .map(|key| ((*key).to_owned(), Value::Null))
        .collect()
}

#[test]
fn the_last_run_is_explained_by_the_files_of_both_runs() {
    let (old, new) = (digest(OLD), digest(NEW));
    let text = record(Some(1000), 5000, &json!({}));
    let home = Home::new(
        &text,
        &[
            ("callgrind.f.digest", &new),
            ("callgrind.f.digest.old", &old),
        ],
    )
    .after(&record(None, 1000, &json!({})));
    let details = home.details();
    let expected = explain::explain(&old, &new, EventKind::Ir).unwrap();
    assert_eq!(details.explanation, Some(expected));
    assert_eq!(details.frames.unwrap().totals(), [1000, 5000]);
    let f = &details.functions[0];
    let own = [f.old, f.new].map(|side| side.unwrap().own);
    assert_eq!((&*f.name, own), ("lab::f", [900, 4900]));
    assert_eq!(details.notes, [""; 0]);
}

#[test]
fn directories_of_results_are_sides() {
    let (old, new) = (digest(OLD), digest(NEW));
    let current = "callgrind.f.digest";
    let before = Home::new(&record(None, 1000, &json!({})), &[(current, &old)]);
    let after = Home::new(&record(None, 5000, &json!({})), &[(current, &new)]);
    let found = details(Some(before.side()), after.side());
    let expected = explain::explain(&old, &new, EventKind::Ir).unwrap();
    assert_eq!(found.explanation, Some(expected));
    // One side has nothing to compare with.
    let found = details(None, after.side());
    assert_eq!(
        (found.explanation, found.frames.unwrap().totals()),
        (None, [0, 5000])
    );
    assert_eq!(found.notes.len(), 1);
}

/// The page has the causes that the other formats have, from a file as from a directory.
#[test]
fn files_of_merged_results_tell_what_directories_tell() {
    let (old, new) = (digest(OLD), digest(NEW));
    let current = "callgrind.f.digest";
    let before = Home::new(&record(None, 1000, &json!({})), &[(current, &old)]);
    let after = Home::new(&record(None, 5000, &json!({})), &[(current, &new)]);
    let merged = |home: &Home| {
        let side = home.side();
        let (digests, faults) = side.digest_lines();
        assert_eq!(faults, [""; 0]);
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), side.to_text() + &digests).unwrap();
        super::tests::side(file.path())
    };
    let of_files = details(Some(merged(&before)), merged(&after));
    assert_eq!(of_files, details(Some(before.side()), after.side()));
    let cause = of_files.explanation.unwrap();
    let cause = cause.causes[0].one().unwrap();
    assert_eq!((&*cause.function, cause.line), ("lab::f", Some(5)));
    // A file without digests has no causes, and says what they need.
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), before.side().to_text()).unwrap();
    let found = details(Some(side(file.path())), merged(&after));
    assert_eq!(found.explanation, None);
    let note = &found.notes[0];
    assert!(
        note.starts_with("causes need digests: the old result has none; "),
        "{note}"
    );
}

/// A digest that cannot be read, or is of another run, leaves the details of the other side.
#[test]
fn damaged_digests_are_notes() {
    let (old, new) = (digest(OLD), digest(NEW));
    let text = record(Some(1000), 5000, &json!({}));
    let current = "callgrind.f.digest";
    let home = Home::new(&text, &[(current, &new), ("callgrind.f.digest.old", &old)])
        .after(&record(None, 1000, &json!({})));
    let whole = fs::read(home.file(current)).unwrap();
    for damaged in [&whole[..0], &whole[..whole.len() / 2], b"something else"] {
        fs::write(home.file(current), damaged).unwrap();
        let details = home.details();
        assert_eq!(details.explanation, None);
        assert_eq!(details.frames.unwrap().totals(), [1000, 0]);
        assert!(
            details.notes[0].contains("callgrind.f.digest` cannot be read"),
            "{:?}",
            details.notes
        );
    }
    fs::write(home.file(current), format::write(&old)).unwrap();
    let notes = home.details().notes;
    assert!(
        notes[0].contains("has other counts than the record"),
        "{notes:?}"
    );
}

#[test]
fn names_of_digests_lead_nowhere_else() {
    let new = digest(NEW);
    let elsewhere = tempfile::tempdir().unwrap();
    let file = elsewhere.path().join("callgrind.f.digest");
    fs::write(&file, format::write(&new)).unwrap();
    for name in [file.to_str().unwrap(), "../f/callgrind.f.digest", "..", ""] {
        let text = record(None, 5000, &json!({"digest": name}));
        let home = Home::new(&text, &[("callgrind.f.digest", &new)]);
        let found = details(None, home.side());
        assert_eq!(found.frames, None, "{name}");
    }
}

#[test]
fn records_alone_tell_their_explanation_and_functions() {
    let explanation = explain::explain(&digest(OLD), &digest(NEW), EventKind::Ir).unwrap();
    let parts = |own: u64| {
        json!({
            "digest": null, "explanation": explanation, "events": ["Ir"],
            "functions": [{"name": "lab::f", "origin": "user", "own": [own], "calls": 3, "inlined": false}],
        })
    };
    let home = Home::new(&record(Some(1000), 5000, &parts(4900)), &[]).after(&record(
        None,
        1000,
        &without(&["digest"]),
    ));
    let details = home.details();
    assert_eq!(details.explanation.as_ref(), Some(&explanation));
    let f = &details.functions[0];
    assert_eq!((f.old, f.new.unwrap().own), (None, 4900));
    assert_eq!(f.new.unwrap().inclusive, None);
    // An explanation of other values is that of another comparison.
    let other = Home::new(&record(None, 900, &parts(700)), &[]);
    let found = super::tests::details(Some(other.side()), home.side());
    assert_eq!(found.explanation, None);
    let own = [found.functions[0].old, found.functions[0].new].map(|side| side.unwrap().own);
    assert_eq!(own, [700, 4900]);
    // Without anything there is nothing, and no failure.
    let bare = Home::new(&record(Some(1000), 5000, &without(&["digest"])), &[]).after(&record(
        None,
        1000,
        &without(&["digest"]),
    ));
    let details = bare.details();
    assert_eq!((details.explanation, details.functions.len()), (None, 0));
}
