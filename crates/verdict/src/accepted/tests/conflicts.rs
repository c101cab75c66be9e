use super::super::{has_conflict, resolve};
use super::*;

/// A conflict as git writes it, also with `merge.conflictStyle = diff3`.
const CONFLICT: &str = r#"version = 1

["x86_64-unknown-linux-gnu".exp1]
"b::g::a" = { Ir = 1 }
<<<<<<< HEAD
# ours
"b::g::b" = { Ir = 2, reason = "ours" }
"b::g::c" = { Ir = 3 }
||||||| 1234567
"b::g::c" = { Ir = 2 }
=======
# theirs
"b::g::c" = { Ir = 4 }

["x86_64-unknown-linux-gnu".exp2]
"b::g::d" = { Ir = 5 }
>>>>>>> other branch
"#;

#[test]
fn benchmarks_between_the_markers_are_taken_out() {
    assert!(has_conflict(CONFLICT));
    let resolved = resolve(CONFLICT).unwrap();
    let taken: Vec<(&str, Option<&str>)> = resolved
        .benchmarks
        .iter()
        .map(|(name, it)| (name.path.as_str(), it.reason.as_deref()))
        .collect();
    let expected = [
        ("b::g::b", Some("ours")),
        ("b::g::c", None),
        ("b::g::d", None),
    ];
    assert_eq!(taken, expected);
    let mut document = resolved.document;
    let left = r#"version = 1

["x86_64-unknown-linux-gnu".exp1]
"b::g::a" = { Ir = 1 }
# ours
# theirs
"#;
    assert_eq!(document.text(), left);
    document.set([(name(None, "exp2", "b::g::d"), ir(6, None))].into());
    let with_one = "\n[\"x86_64-unknown-linux-gnu\".exp2]\n\"b::g::d\" = { Ir = 6 }\n";
    assert_eq!(document.text(), format!("{left}{with_one}"));
}

#[test]
fn both_branches_that_begin_the_file() {
    let text = "<<<<<<< HEAD\nversion = 1\n[t.p]\n\"a\" = { Ir = 1 }\n=======\nversion = 1\n[t.p]\n\"b\" = { Ir = 1 }\n>>>>>>> x\n";
    let resolved = resolve(text).unwrap();
    assert_eq!(resolved.benchmarks.len(), 2);
    assert_eq!(resolved.document.text(), "version = 1\n");
}

#[track_caller]
fn check_error(text: &str, expected: &str) {
    let error = resolve(text).unwrap_err().to_string();
    assert!(error.starts_with(expected), "{error}");
}

#[test]
fn what_cannot_be_resolved_names_its_line() {
    check_error("a\n=======\n", "line 2: a conflict marker without");
    check_error(
        "version = 1\n<<<<<<< HEAD\n",
        "line 2: a conflict marker without",
    );
    check_error(
        "version = 1\n<<<<<<< HEAD\n=======\n[t.p]\n\"a\" = { Irr = 1 }\n>>>>>>> x\n",
        "line 5: unknown metric `Irr`",
    );
    let facts = "version = 1\n[t]\n<<<<<<< a\nlibc = \"x\"\n=======\nlibc = \"y\"\n>>>>>>> b\n";
    check_error(facts, "line 3: both branches changed more");
    assert!(!has_conflict(EXAMPLE));
}
