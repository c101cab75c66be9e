//! Arguments that change behind an id: what is compared, what is said, and what is kept.

use std::fs;

use crate::recorded::{everything, Recorded};
use crate::replayed::{recordings, Replayed, Shown};
use base::exit::Exit;
use iai_callgrind::protocol::Input;
use serde_json::Value;

const REGRESSED: &str =
    "  Instructions:                        3001|2001                 (+49.9750%)";
const FIRST: &str = "  Instructions:                        3001|N/A                  (*********)";
const NOT_COMPARED: &str = "warning: `bench::kernels::works`: was `works(100)`, is `works(50)`: \
                            not compared with the last run\n";

/// The benchmark `works` with other arguments: the id is a place in a list.
fn place(replayed: &mut Replayed, text: &str) {
    replayed.suite.groups[0].functions[1].cases[0].input = Some(Input::new(text.to_owned(), true));
}

/// The same under a name.
fn named(replayed: &mut Replayed, text: &str) {
    replayed.suite.groups[0].functions[1].cases[0].input = Some(Input::new(text.to_owned(), false));
}

#[track_caller]
fn run(replayed: &Replayed, recording: &str, words: &[&str], exit: Exit) -> Shown {
    let shown = replayed.run(&recordings(recording), &[&["works"], words].concat());
    assert_eq!(shown.exit, exit, "{}{}", shown.out, shown.err);
    shown
}

#[track_caller]
fn shows(shown: &Shown, line: &str) {
    assert!(shown.out.contains(line), "{line:?} in\n{}", shown.out);
}

fn summary(replayed: &Replayed) -> Value {
    let mut files = replayed.files().into_iter();
    let found = files.find(|(name, _)| name == "works/summary.json");
    serde_json::from_slice(&found.unwrap().1).unwrap()
}

fn names(replayed: &Replayed) -> Vec<String> {
    replayed.files().into_iter().map(|(name, _)| name).collect()
}

/// The suite has a soft limit of 5 %, and the second recording has half as many instructions more.
#[test]
fn a_place_with_other_arguments_is_not_compared() {
    let mut replayed = Replayed::new();
    place(&mut replayed, "100");
    run(&replayed, "first", &[], Exit::Ok);
    place(&mut replayed, "50");
    let shown = run(&replayed, "changed", &[], Exit::Ok);
    shows(&shown, FIRST);
    assert_eq!(shown.err, NOT_COMPARED);
    let json = summary(&replayed);
    let input = serde_json::json!({ "text": "50", "positional": true });
    assert_eq!(json["benchmark"]["input"], input);
    let profile = &json["profiles"][0];
    let other = serde_json::json!({ "was": "100", "is": "50", "compared": false });
    assert_eq!(profile["other_input"], other);
    let metrics = profile["metrics"].as_array().unwrap();
    assert!(
        metrics.iter().all(|metric| metric["old"].is_null()),
        "{metrics:?}"
    );
    assert!(profile["regressions"].as_array().unwrap().is_empty());
    // From now on it is the last run.
    let shown = run(&replayed, "changed", &[], Exit::Ok);
    shows(&shown, "(No change)");
    assert_eq!(shown.err, "");
    assert_eq!(
        summary(&replayed)["profiles"][0]["other_input"],
        Value::Null
    );
}

#[test]
fn the_same_arguments_are_compared() {
    let mut replayed = Replayed::new();
    place(&mut replayed, "100");
    run(&replayed, "first", &[], Exit::Ok);
    let shown = run(&replayed, "changed", &[], Exit::Regression);
    shows(&shown, REGRESSED);
    assert_eq!(shown.err, "");
}

#[test]
fn hard_limits_hold_without_anything_to_compare_with() {
    let mut replayed = Replayed::new();
    place(&mut replayed, "100");
    run(&replayed, "first", &[], Exit::Ok);
    place(&mut replayed, "50");
    let limits = "--callgrind-limits=ir=5%,ir=3000";
    let shown = run(&replayed, "changed", &[limits], Exit::Regression);
    shows(&shown, "Instructions (3001) exceeds limit by 1 (>3000)");
    assert!(!shown.out.contains("regressed by"), "{}", shown.out);
}

#[test]
fn a_name_with_other_arguments_is_compared_with_a_note() {
    let mut replayed = Replayed::new();
    named(&mut replayed, "100");
    run(&replayed, "first", &[], Exit::Ok);
    named(&mut replayed, "50");
    let shown = run(&replayed, "changed", &[], Exit::Regression);
    shows(&shown, REGRESSED);
    let note =
        "warning: `bench::kernels::works`: was `works(100)`, is `works(50)`: the last run had \
                other arguments\n";
    assert_eq!(shown.err, note);
    let other = serde_json::json!({ "was": "100", "is": "50", "compared": true });
    assert_eq!(summary(&replayed)["profiles"][0]["other_input"], other);
}

#[test]
fn a_record_with_a_damaged_part_is_not_compared_with() {
    let mut replayed = Replayed::new();
    place(&mut replayed, "100");
    run(&replayed, "first", &[], Exit::Ok);
    let mut damaged = summary(&replayed);
    damaged["profiles"][0]["mode"] = 3.into();
    let path = replayed.folder().join("works/summary.json");
    fs::write(path, damaged.to_string()).unwrap();
    place(&mut replayed, "50");
    let shown = run(&replayed, "changed", &[], Exit::Ok);
    shows(&shown, FIRST);
    let damaged = "summary.json` cannot be read: expected value at line 1 column ";
    assert!(shown.err.contains(damaged), "{}", shown.err);
}

/// Example: results of an older version, which did not record them.
#[test]
fn arguments_that_are_not_known_are_compared() {
    let mut replayed = Replayed::new();
    run(&replayed, "first", &[], Exit::Ok);
    place(&mut replayed, "50");
    let shown = run(&replayed, "changed", &[], Exit::Regression);
    shows(&shown, REGRESSED);
    assert_eq!(shown.err, "");
}

#[test]
fn baselines_know_their_arguments() {
    let mut replayed = Replayed::new();
    place(&mut replayed, "100");
    run(&replayed, "first", &["--save-baseline=main"], Exit::Ok);
    place(&mut replayed, "50");
    let shown = run(&replayed, "changed", &["--baseline=main"], Exit::Ok);
    shows(&shown, FIRST);
    let note = "`bench::kernels::works`: was `works(100)`, is `works(50)`: not compared with the \
                baseline `main`\n";
    assert_eq!(shown.err, format!("warning: {note}"));
    // Who asks for a baseline wants to compare with it.
    let strict = run(
        &replayed,
        "changed",
        &["--baseline=main", "--strict"],
        Exit::Error,
    );
    assert!(strict.err.contains("error: "), "{}", strict.err);
    assert!(
        strict.err.contains("not compared with the baseline `main`"),
        "{}",
        strict.err
    );

    // Both sides are kept results, whatever the source says now. (A replay takes what is loaded from the
    // recordings.)
    run(&replayed, "changed", &["--save-baseline=other"], Exit::Ok);
    place(&mut replayed, "100");
    let load = ["--load-baseline=other", "--baseline=main"];
    let shown = run(&replayed, "changed", &load, Exit::Ok);
    shows(&shown, FIRST);
    assert_eq!(shown.err, format!("warning: {note}"));
    run(&replayed, "changed", &["--save-baseline=other"], Exit::Ok);
    place(&mut replayed, "50");
    let shown = run(&replayed, "changed", &load, Exit::Regression);
    shows(&shown, REGRESSED);
    assert_eq!(shown.err, "");
}

/// `summary.json` is then about the baseline, and the last run has not become another one.
#[test]
fn saving_and_loading_a_baseline_does_not_forget_the_arguments_of_the_last_run() {
    for words in [
        &["--save-baseline=main"][..],
        &["--load-baseline=main", "--baseline=main"],
    ] {
        let mut replayed = Replayed::new();
        place(&mut replayed, "50");
        run(&replayed, "changed", &["--save-baseline=main"], Exit::Ok);
        place(&mut replayed, "100");
        run(&replayed, "first", &[], Exit::Ok);
        let last = "works/summary.json.last".to_owned();
        assert!(!names(&replayed).contains(&last));
        place(&mut replayed, "50");
        for _ in 0..2 {
            run(&replayed, "changed", words, Exit::Ok);
            assert!(names(&replayed).contains(&last));
        }
        let shown = run(&replayed, "changed", &[], Exit::Ok);
        shows(&shown, FIRST);
        assert_eq!(shown.err, NOT_COMPARED);
        assert!(!names(&replayed).contains(&last));
    }
}

/// The result of a tool that did not run is not left behind for a later run.
#[test]
fn all_tools_are_of_the_same_arguments() {
    let mut replayed = everything();
    let recorded = Recorded::new(&[("dhat", "alloc")]);
    let both = ["works", "--tools=dhat"];
    place(&mut replayed, "100");
    assert_eq!(replayed.run(recorded.path(), &both).exit, Exit::Ok);
    let dhat = "works/dhat.works.out".to_owned();
    assert!(names(&replayed).contains(&dhat));
    // With the same arguments it stays.
    replayed.run(recorded.path(), &["works"]);
    assert!(names(&replayed).contains(&dhat));
    place(&mut replayed, "50");
    let shown = replayed.run(recorded.path(), &["works"]);
    assert_eq!(shown.err, NOT_COMPARED);
    assert!(!names(&replayed).contains(&dhat));
    assert!(names(&replayed).contains(&format!("{dhat}.old")));
    let shown = replayed.run(recorded.path(), &both);
    shows(&shown, "(No change)");
    shows(&shown, "  Total bytes:                       108488|N/A ");
    assert_eq!(shown.err, "");
}
