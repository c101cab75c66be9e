//! Counts that differ although nothing changed: in several runs of one benchmark, and in two runs
//! of the same executable.

use std::fs;
use std::path::Path;
use std::sync::atomic::Ordering;

use crate::in_turn::InTurn;
use crate::replayed::{small_executable, Replayed, Shown};
use base::exit::Exit;
use iai_callgrind::protocol::{Callgrind, EntryPoint, EventKind, Limit, ToolConfig};
use report::{Style, Styles};

const WORKS: [&str; 2] = ["works", "--nosummary"];

fn run(replayed: &Replayed, launch: &InTurn, words: &[&str]) -> Shown {
    replayed.run_by(launch, &[&WORKS, words].concat())
}

fn summary(replayed: &Replayed) -> serde_json::Value {
    let mut files = replayed.files().into_iter();
    let (_, summary) = files
        .find(|(name, _)| name == "works/summary.json")
        .unwrap();
    serde_json::from_slice(&summary).unwrap()
}

#[test]
fn runs_with_the_same_counts_are_not_mentioned() {
    let replayed = Replayed::new();
    let launch = InTurn::new(&["first"]);
    let shown = run(&replayed, &launch, &["--check-determinism=3"]);
    assert_eq!((shown.exit, shown.err.as_str()), (Exit::Ok, ""));
    assert_eq!(launch.runs.load(Ordering::Relaxed), 3);
}

#[test]
fn runs_that_differ_are_an_error_and_the_figures_of_the_first_are_kept() {
    let replayed = Replayed::new();
    let launch = InTurn::new(&["first", "changed"]);
    let shown = run(&replayed, &launch, &["--check-determinism"]);
    assert_eq!(shown.exit, Exit::Error);
    // The totals of the two recordings.
    let first =
        "error: benchmark `bench::kernels::works` is not deterministic: 2 runs gave different \
                 counts\n  Instructions: 2001 to 3001 (+50.0%)\n";
    assert!(shown.err.starts_with(first), "{}", shown.err);
    assert!(shown.err.contains("\n  hint: it may hash"), "{}", shown.err);
    assert!(shown.out.contains("2001|N/A"), "{}", shown.out);
    let summary = summary(&replayed);
    assert_eq!(summary["status"], "failed");
    assert_eq!(summary["failures"][0]["reason"], "not_deterministic");
}

#[test]
fn a_run_that_ends_otherwise_is_no_count() {
    let replayed = Replayed::new();
    let launch = InTurn::new(&["first", "failing"]);
    let shown = run(&replayed, &launch, &["--check-determinism"]);
    assert_eq!(shown.exit, Exit::Error);
    let said = "is not deterministic: run 2 panicked, run 1 returned\n";
    assert!(shown.err.contains(said), "{}", shown.err);
}

#[test]
fn the_configuration_asks_and_the_command_line_wins() {
    let mut replayed = Replayed::new();
    replayed.suite.config.as_mut().unwrap().check_determinism = Some(4);
    for (words, runs) in [(&[][..], 4), (&["--check-determinism=no"], 1)] {
        let launch = InTurn::new(&["first"]);
        let shown = run(&replayed, &launch, words);
        assert_eq!(shown.exit, Exit::Ok);
        assert_eq!(launch.runs.load(Ordering::Relaxed), runs);
    }
}

#[test]
fn the_same_executable_with_other_counts_is_no_regression() {
    let mut replayed = Replayed::new();
    replayed.executable = small_executable();
    let colours = Style {
        color: true,
        grid: false,
    };
    replayed.styles = Styles {
        out: colours,
        err: Style::default(),
        width: None,
        is_log_of_github: false,
    };
    let first = run(&replayed, &InTurn::new(&["first"]), &[]);
    assert_eq!((first.exit, first.err.as_str()), (Exit::Ok, ""));
    assert_eq!(summary(&replayed)["profiles"][0]["by_chance"], false);

    // 5 % are the limit.
    let other = run(&replayed, &InTurn::new(&["changed", "first"]), &[]);
    assert_eq!(other.exit, Exit::Ok);
    let note =
        "warning: `bench::kernels::works`: same executable, other counts: not deterministic \
                (Instructions 3001, before 2001); that exceeds a limit on changes, which is not \
                checked\n  hint: it may hash or order addresses";
    assert!(other.err.starts_with(note), "{}", other.err);
    assert!(other.out.contains("2001"), "{}", other.out);
    // Neither red nor green.
    for ink in ["\u{1b}[1;91m", "\u{1b}[1;92m"] {
        assert!(!other.out.contains(ink), "{:?}", other.out);
    }
    let profile = &summary(&replayed)["profiles"][0];
    assert_eq!(profile["by_chance"], true);
    assert_eq!(profile["regressions"], serde_json::json!([]));

    let same = run(&replayed, &InTurn::new(&["changed"]), &[]);
    assert_eq!((same.exit, same.err.as_str()), (Exit::Ok, ""));
}

/// Such as of a file that the benchmark reads.
#[test]
fn the_same_executable_whose_counts_stay_other_ones_regresses() {
    let mut replayed = Replayed::new();
    replayed.executable = small_executable();
    run(
        &replayed,
        &InTurn::new(&["first"]),
        &["--save-baseline=old"],
    );
    run(&replayed, &InTurn::new(&["first"]), &[]);
    let launch = InTurn::new(&["changed"]);
    let shown = run(&replayed, &launch, &[]);
    assert_eq!(shown.exit, Exit::Regression);
    assert_eq!(launch.runs.load(Ordering::Relaxed), 2);
    let note = "warning: `bench::kernels::works`: same executable, other counts (Instructions 3001, before \
                2001), the same in one more run: what it reads or loads has changed\n";
    assert_eq!(shown.err, note);
    let profile = &summary(&replayed)["profiles"][0];
    assert_eq!(profile["by_chance"], false);
    assert_ne!(profile["regressions"], serde_json::json!([]));

    // A smaller change than the limit needs no proof.
    run(&replayed, &InTurn::new(&["first"]), &[]);
    let launch = InTurn::new(&["changed"]);
    let words = ["--callgrind-limits=ir=60%"];
    assert_eq!(run(&replayed, &launch, &words).exit, Exit::Ok);
    assert_eq!(launch.runs.load(Ordering::Relaxed), 1);

    // Nothing can be run again, so the limit holds.
    run(
        &replayed,
        &InTurn::new(&["changed"]),
        &["--save-baseline=new"],
    );
    let words = ["--load-baseline=new", "--baseline=old"];
    let launch = InTurn::new(&["changed"]);
    let shown = run(&replayed, &launch, &words);
    assert_eq!(shown.exit, Exit::Regression, "{}", shown.err);
    assert_eq!(launch.runs.load(Ordering::Relaxed), 1);
    let said = "what it reads or loads has changed, or it is not deterministic\n";
    assert!(shown.err.contains(said), "{}", shown.err);
}

/// `--check-determinism` has shown it, before anybody asks.
#[test]
fn a_count_that_several_runs_have_shown_regresses() {
    for baseline in [false, true] {
        let mut replayed = Replayed::new();
        replayed.executable = small_executable();
        let [save, compare] = match baseline {
            true => [&["--save-baseline=main"][..], &["--baseline=main"]],
            false => [&[][..], &[]],
        };
        run(&replayed, &InTurn::new(&["first"]), save);
        let launch = InTurn::new(&["changed"]);
        let words = [compare, &["--check-determinism=2"]].concat();
        let shown = run(&replayed, &launch, &words);
        assert_eq!(shown.exit, Exit::Regression, "{}", shown.err);
        // No further run has to tell.
        assert_eq!(launch.runs.load(Ordering::Relaxed), 2);
        let said = "the same in one more run: what it reads or loads has changed\n";
        assert!(shown.err.contains(said), "{}", shown.err);
        assert!(!shown.err.contains("deterministic"), "{}", shown.err);
        let profile = &summary(&replayed)["profiles"][0];
        assert_eq!(profile["repeated"], "same");
        assert_eq!(profile["by_chance"], false);
    }
}

/// The bench executable and the program stay the same.
#[test]
fn a_started_program_that_changed_is_a_change() {
    let directory = tempfile::tempdir().unwrap();
    let worker = directory.path().join("worker");
    for entry_point in [EntryPoint::Default, EntryPoint::None] {
        let mut replayed = Replayed::new();
        replayed.executable = small_executable();
        let config = replayed.suite.config.as_mut().unwrap();
        let callgrind = Callgrind {
            entry_point: Some(entry_point),
            ..Callgrind::default()
        };
        config.tools.push(ToolConfig::Callgrind(callgrind));
        let code = || {
            let code = &summary(&replayed)["profiles"][0]["environment"]["code"];
            code.as_str().map(str::to_owned)
        };
        let run_of = |name: &str, program: &Path| {
            let launch = InTurn {
                started: Some(program.to_owned()),
                ..InTurn::new(&[name])
            };
            let shown = run(&replayed, &launch, &["--explain=no"]);
            (shown.exit, launch.runs.load(Ordering::Relaxed))
        };
        let run = |name: &str| run_of(name, &worker);
        fs::write(&worker, "one").unwrap();
        run("first");
        let one = code().unwrap();
        // The data that it reads may have changed: one more run has to tell.
        assert_eq!(run("changed"), (Exit::Regression, 2));
        assert_eq!(code().unwrap(), one);
        run("first");
        fs::write(&worker, "two").unwrap();
        assert_eq!(run("changed"), (Exit::Regression, 1));
        assert_ne!(code().unwrap(), one);
        // Nothing is known of one that is not there any more.
        let gone = directory.path().join("gone");
        run_of("first", &gone);
        assert_eq!(run_of("changed", &gone), (Exit::Regression, 1));
        assert_eq!(code(), None);
    }
}

#[test]
fn another_executable_or_other_arguments_are_a_change() {
    let mut replayed = Replayed::new();
    replayed.executable = small_executable();
    run(&replayed, &InTurn::new(&["first"]), &[]);
    let words = ["--envs=MORE=1"];
    let shown = run(&replayed, &InTurn::new(&["changed"]), &words);
    assert_eq!((shown.exit, shown.err.as_str()), (Exit::Regression, ""));

    run(&replayed, &InTurn::new(&["first"]), &[]);
    // It cannot be known what it is.
    replayed.executable = "/build/bench".into();
    let shown = run(&replayed, &InTurn::new(&["changed"]), &[]);
    assert_eq!((shown.exit, shown.err.as_str()), (Exit::Regression, ""));
}

#[test]
fn hard_limits_hold_for_whatever_was_counted() {
    let mut replayed = Replayed::new();
    replayed.executable = small_executable();
    let config = replayed.suite.config.as_mut().unwrap();
    let mut callgrind = Callgrind::default();
    callgrind.settings.limits.hard = vec![(EventKind::Ir.into(), Limit::Int(2100))];
    config.tools.push(ToolConfig::Callgrind(callgrind));
    run(&replayed, &InTurn::new(&["first"]), &[]);
    let shown = run(&replayed, &InTurn::new(&["changed"]), &[]);
    assert_eq!(shown.exit, Exit::Regression);
    assert!(shown.out.contains("exceeds limit"), "{}", shown.out);
}
