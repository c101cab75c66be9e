//! Mistakes on the command line and in variables, as the runner's executable tells them.

#![expect(
    clippy::disallowed_methods,
    reason = "the test starts the runner; nothing of it is in the runner"
)]

use std::process::Command;

/// Stderr of the runner with a word and a variable. Neither starts a benchmark.
#[track_caller]
fn mistake(word: &str, variable: Option<(&str, &str)>) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_iai-callgrind-runner"));
    command.args(["bench", "--exe=/not/there", "--", word, "--bench"]);
    let output = command.envs(variable).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn words_of_others_are_shown_without_what_a_terminal_obeys_or_hides() {
    let shown = mistake("--x\u{202e}y\x1b]0;title\x07", None);
    let begin = "error: unexpected argument '--x\\u{202e}y\\u{1b}]0;title\\u{7}' found\n";
    assert!(shown.starts_with(begin), "{shown:?}");
    let shown = mistake("sort", Some(("IAI_CALLGRIND_TOOLS", "dh\u{200b}at\r")));
    assert!(shown.contains("dh\\u{200b}at\\r"), "{shown:?}");
    assert!(!shown.contains(['\r', '\u{200b}']), "{shown:?}");
}

#[test]
fn options_and_metrics_that_may_be_meant_are_named() {
    let shown = mistake("--verbose", None);
    assert!(
        shown.contains("tip: `IAI_CALLGRIND_LOG=debug` shows"),
        "{shown}"
    );
    let instr = ("IAI_CALLGRIND_CALLGRIND_METRICS", "instr");
    let shown = mistake("sort", Some(instr));
    assert!(shown.contains("did you mean `instructions`?"), "{shown}");
}
