//! Mistakes on the command line and in variables, as the runner's executable tells them.

#![expect(
    clippy::disallowed_methods,
    reason = "the test starts the runner; nothing of it is in the runner"
)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use crate::replayed::Replayed;

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

/// Cargo goes by times: in a target directory of two checkouts the one that was built last is up to
/// date for both.
#[test]
fn an_executable_of_another_checkout_is_not_measured_for_this_one() {
    let root = tempfile::tempdir().unwrap();
    let [here, other] = ["here", "other"].map(|name| root.path().join(name));
    for directory in [&here, &other] {
        fs::create_dir(directory).unwrap();
    }
    let mut suite = Replayed::new().suite;
    suite.package.manifest_dir = here.to_str().unwrap().to_owned();
    let description = root.path().join("suite.json");
    fs::write(&description, serde_json::to_vec(&suite).unwrap()).unwrap();
    let executable = root.path().join("bench");
    let script = format!("#!/bin/sh\ncp '{}' \"$3\"\n", description.display());
    fs::write(&executable, script).unwrap();
    fs::set_permissions(&executable, fs::Permissions::from_mode(0o755)).unwrap();
    let run = |directory, is_of_cargo: bool| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_iai-callgrind-runner"));
        command.arg("bench").arg("--exe").arg(&executable);
        command.args(["--", "--home=results", "none_has_this_name"]);
        if is_of_cargo {
            command.env("IAI_CALLGRIND_RUN_RECORDS", root.path().join("runs"));
        }
        let output = command.current_dir(directory).output().unwrap();
        String::from_utf8(output.stderr).unwrap()
    };
    let refused = run(&other, true);
    let expected = format!(
        "error: `{}` was built in `{}`, another checkout, and cargo took it for up to date\n  \
         hint: `cargo clean -p replayed` builds it anew; ",
        executable.display(),
        here.display()
    );
    assert!(refused.starts_with(&expected), "{refused}");
    assert!(!other.join("results").exists());
    for (directory, is_of_cargo) in [(&here, true), (&other, false)] {
        let said = run(directory, is_of_cargo);
        assert!(said.contains("no benchmark matches"), "{said}");
    }
    // A project that was moved as a whole, with what it has built.
    fs::remove_dir_all(&here).unwrap();
    let said = run(&other, true);
    assert!(said.contains("no benchmark matches"), "{said}");
}
