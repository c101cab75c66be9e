//! Causes in reports on files of results: digests that `merge` wrote, and reports without them.

#![expect(clippy::disallowed_methods, reason = "files of the tests")]

use std::fs;

use explain::format;
use explain::sample::digest;
use serde_json::{json, Value};

use crate::results_commands::{lines, record, run, Folder, Ran};

const OLD: &str = "root lab::bench
    own lab::bench:1 = 100
    own lab::bench:2 > lab::f:5 = 900";
const NEW: &str = "root lab::bench
    own lab::bench:1 = 100
    call lab::bench:2 -> lab::f 3 = 4900
    own lab::f:5 = 4900";

/// The words that name the planted cause, as far as all formats write them alike.
const CAUSE: &str = "lab::f src/lib.rs:5";

fn measured(name: &str, instructions: u64) -> Value {
    let mut record = record("exp1", name, instructions);
    record["profiles"][0]["digest"] = json!("callgrind.f.digest");
    record["directory"] = json!(format!("exp1/app/{name}"));
    record
}

/// Homes of both sides with two benchmarks that changed alike.
fn homes() -> Folder {
    let side = |instructions| {
        lines([
            measured("json", instructions),
            measured("other", instructions),
            run("exp1", 2),
        ])
    };
    let folder = Folder::with(&[
        ("old/exp1/app/results.jsonl", &side(1000)),
        ("new/exp1/app/results.jsonl", &side(5000)),
    ]);
    for (side, text) in [("old", OLD), ("new", NEW)] {
        for (name, fingerprint) in [("json", 1), ("other", 2)] {
            let mut digest = digest(text);
            digest.head.fingerprint = fingerprint;
            let directory = folder.path().join(side).join("exp1/app").join(name);
            fs::create_dir_all(&directory).unwrap();
            fs::write(directory.join("callgrind.f.digest"), format::write(&digest)).unwrap();
        }
    }
    folder
}

/// The files of both sides, merged with this option more.
fn merged(more: &[&str]) -> Folder {
    let folder = homes();
    for side in ["old", "new"] {
        let file = format!("{side}.jsonl");
        let words = [&["merge", "-o", &file, side], more].concat();
        folder.run(&words).check(0, "");
        fs::remove_dir_all(folder.path().join(side)).unwrap();
    }
    folder
}

/// Reports of a comparison in all formats with words.
fn reports(folder: &Folder, [old, new]: [&str; 2]) -> Vec<(&'static str, String)> {
    let formats = ["text", "markdown", "json", "github", "gitlab", "junit"];
    let reports = formats.map(|name| {
        let format = format!("--format={name}");
        let ran = folder.run(&["compare", old, new, &format]);
        assert_eq!((ran.code, &*ran.err), (3, ""), "{}", ran.out);
        (name, ran.out)
    });
    reports.to_vec()
}

fn read(folder: &Folder, name: &str) -> String {
    fs::read_to_string(folder.path().join(name)).unwrap()
}

#[test]
fn a_planted_cause_is_named_by_every_format_from_two_files() {
    let from_files = reports(&merged(&[]), ["old.jsonl", "new.jsonl"]);
    let from_homes = reports(&homes(), ["old", "new"]);
    for ((format, of_files), (_, of_homes)) in from_files.iter().zip(&from_homes) {
        let plain = of_files.replace('`', "");
        let plain = plain.split_whitespace().collect::<Vec<_>>().join(" ");
        let named = match *format {
            "json" => {
                let report: Value = serde_json::from_str(of_files).unwrap();
                let cause = &report["rows"][0]["explanation"]["causes"][0];
                format!(
                    "{} {}:{}",
                    cause["function"].as_str().unwrap(),
                    cause["file"].as_str().unwrap(),
                    cause["line"]
                )
            }
            _ => plain,
        };
        assert!(named.contains(CAUSE), "{format}: {of_files}");
        assert!(!of_files.contains("causes need"), "{format}: {of_files}");
        // But for the names of both sides they are the same.
        let as_homes = of_files
            .replace("old.jsonl", "old")
            .replace("new.jsonl", "new");
        assert_eq!(as_homes, *of_homes, "{format}");
    }
}

#[test]
fn without_digests_every_format_says_what_causes_need() {
    let folder = merged(&["--without-digests"]);
    assert!(!read(&folder, "new.jsonl").contains("\"type\":\"digest\""));
    for (format, report) in reports(&folder, ["old.jsonl", "new.jsonl"]) {
        let expected = "causes need digests: both results have none; runs keep one beside each \
            result, and ";
        let plain = report.replace('\\', "");
        assert!(plain.contains(expected), "{format}: {report}");
    }
    // One side is enough to miss them.
    let with = merged(&[]);
    fs::copy(
        folder.path().join("old.jsonl"),
        with.path().join("old.jsonl"),
    )
    .unwrap();
    let ran = with.run(&["compare", "old.jsonl", "new.jsonl"]);
    let note = "note: causes need digests: the old result has none; runs keep one beside each result, and \
        `merge` writes them unless it has `--without-digests` (2 benchmarks)\n";
    assert!(ran.out.contains(note), "{}", ran.out);
}

#[test]
fn files_are_merged_by_cat_and_equal_digests_are_one_line() {
    let folder = merged(&[]);
    let new = read(&folder, "new.jsonl");
    let digests = |text: &str| {
        let objects = text.lines().map(|line| serde_json::from_str(line).unwrap());
        objects
            .filter(|line: &Value| line["type"] == "digest")
            .collect::<Vec<_>>()
    };
    // They differ in the fingerprint alone.
    let [digest] = &digests(&new)[..] else {
        panic!("{new}")
    };
    let of: Vec<&str> = digest["of"]
        .as_array()
        .unwrap()
        .iter()
        .map(|owner| owner["path"].as_str().unwrap())
        .collect();
    assert_eq!(of, ["app::g::json", "app::g::other"]);
    // Records and digests of another file between them.
    let further = "{\"type\":\"of later\"}\n".to_owned() + &new + &new;
    fs::write(folder.path().join("new.jsonl"), further).unwrap();
    let ran = folder.run(&["compare", "old.jsonl", "new.jsonl"]);
    assert_eq!(
        ran.out.matches("  Why  Instructions +4,000").count(),
        2,
        "{}",
        ran.out
    );
    folder
        .run(&["merge", "-o", "again.jsonl", "new.jsonl"])
        .check(0, "");
    assert_eq!(read(&folder, "again.jsonl"), new);
    folder
        .run(&["merge", "-o", "-", "--without-digests", "new.jsonl"])
        .check(
            0,
            &new.lines()
                .take(3)
                .map(|line| format!("{line}\n"))
                .collect::<String>(),
        );
}

#[test]
fn a_damaged_digest_costs_its_causes_and_is_said() {
    let folder = merged(&[]);
    let new = read(&folder, "new.jsonl");
    let (records, digest) = new.trim_end().rsplit_once('\n').unwrap();
    let with = |field: &str, value: Value| {
        let mut digest: Value = serde_json::from_str(digest).unwrap();
        digest[field] = value;
        digest.to_string()
    };
    let bytes = format::write(&digest_of_other_counts());
    let data = |bytes: &[u8]| json!(data_encoding::BASE64.encode(bytes));
    let mut flipped = bytes.clone();
    *flipped.last_mut().unwrap() ^= 1;
    let mut of_later = bytes.clone();
    of_later[4] = 200;
    for (damaged, expected) in [
        (
            digest[..digest.len() / 2].to_owned(),
            "line 4 is left out, and with it causes: the line is damaged",
        ),
        (
            with("version", json!(2)),
            "line 4 is left out, and with it causes: the line has version 2",
        ),
        (
            with("data", json!("a-b")),
            "line 4 of `new.jsonl` cannot be read: the digest is damaged: its text is no base64",
        ),
        (
            with("data", data(&flipped)),
            "line 4 of `new.jsonl` cannot be read: the digest is damaged",
        ),
        (
            with("data", data(&of_later)),
            "line 4 of `new.jsonl` cannot be read: the digest has version 200",
        ),
        (
            with("data", data(&bytes)),
            "line 4 of `new.jsonl` has other counts than the record",
        ),
    ] {
        fs::write(
            folder.path().join("new.jsonl"),
            format!("{records}\n{damaged}\n"),
        )
        .unwrap();
        let ran = folder.run(&["compare", "old.jsonl", "new.jsonl"]);
        assert_eq!(ran.code, 3, "{ran:#?}");
        assert!(ran.out.contains(expected), "{expected}: {}", ran.out);
        assert!(
            ran.out.contains("note: causes need digests: "),
            "{}",
            ran.out
        );
        assert_eq!(ran.out.matches("+400%  > +5%").count(), 2, "{}", ran.out);
    }
    // One that cannot be used is not passed on, which is said.
    fs::write(
        folder.path().join("new.jsonl"),
        format!("{records}\n{}\n", with("data", data(&flipped))),
    )
    .unwrap();
    let ran: Ran = folder.run(&["merge", "-o", "again.jsonl", "new.jsonl"]);
    assert_eq!(ran.code, 0);
    assert!(
        ran.err.contains(
            "warning: the digest in line 4 of `new.jsonl` cannot be read: the digest is damaged"
        ),
        "{}",
        ran.err
    );
    assert_eq!(read(&folder, "again.jsonl"), format!("{records}\n"));
}

fn digest_of_other_counts() -> explain::digest::Digest {
    digest("root lab::bench\nown lab::bench:1 = 7")
}
