//! `history` over records of several commits, as the executable shows it.

use std::path::Path;
use std::process::Command;

use crate::generated::{counted, facts, runs, shell, shell_block, Facts};
use tempfile::TempDir;

/// A directory of `<commit>.jsonl`: `f` gets slower twice, once with another compiler; `h` was not
/// measured in between.
fn project() -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    let write = |facts: &Facts, counts: &[(&str, u64)]| {
        let all: Vec<_> = counts.iter().map(|(name, ir)| counted(name, *ir)).collect();
        let path = directory.path().join(format!("{}.jsonl", facts.commit));
        std::fs::write(path, facts.records(&all)).unwrap();
    };
    // Their names do not stand in the order of their times.
    let older = Facts {
        rustc: "1.94.1 (aaa 2026-01-01)",
        ..facts("91aa0c2aaaa", 3)
    };
    write(&older, &[("f", 14_230), ("g", 100), ("h", 7_000)]);
    write(&facts("5be3302bbbb", 14), &[("f", 15_005), ("g", 100)]);
    write(&facts("3e3457ecccc", 20), &[("f", 15_005), ("g", 100)]);
    write(
        &facts("03ab7bbdddd", 22),
        &[("f", 16_387), ("g", 100), ("h", 6_300)],
    );
    directory
}

fn text(directory: &Path, words: &[&str]) -> String {
    let ended = runs(directory, &[&["history", "."], words].concat(), 0);
    assert_eq!(ended.err, "");
    ended.out
}

#[test]
fn commits_at_which_a_count_changed() {
    let expected = "\
exp1 app::g::f  Instructions, 2026-11-03 to 2026-11-22, 4 commits
  2026-11-03  91aa0c2        14,230
  2026-11-14  5be3302        15,005      +5.45%  rustc 1.94.1 -> 1.95.0
  2026-11-22  03ab7bb        16,387      +9.21%
exp1 app::g::h  Instructions, 2026-11-03 to 2026-11-22, 2 commits
  2026-11-03  91aa0c2         7,000
  2026-11-22  03ab7bb         6,300      -10.0%  rustc 1.94.1 -> 1.95.0; 3 commits after 91aa0c2
1 unchanged at 4 commits
";
    let project = project();
    assert_eq!(text(project.path(), &[]), expected);
    let all = text(project.path(), &["--all", "--only=app::g::g"]);
    assert_eq!(all.lines().count(), 5, "{all}");
}

#[test]
fn a_row_for_each_commit_and_metric() {
    let project = project();
    let csv = text(project.path(), &["--format=csv", "--only", "::f"]);
    let rows: Vec<Vec<&str>> = csv
        .split("\r\n")
        .map(|row| row.split(',').collect())
        .collect();
    assert_eq!(rows.len(), 6);
    assert_eq!(rows[5], [""]);
    assert!(rows[..5].iter().all(|row| row.len() == 14), "{rows:?}");
    assert_eq!(rows[0][8], "value");
    assert_eq!(
        [1, 2, 3, 4].map(|row| rows[row][8]),
        ["14230", "15005", "15005", "16387"]
    );
    assert_eq!(
        [1, 2, 3, 4].map(|row| rows[row][10]),
        ["false", "true", "false", "true"]
    );
}

#[test]
fn one_object_for_programs() {
    let project = project();
    let json = text(project.path(), &["--format=json"]);
    let history: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(history["version"], 1);
    assert_eq!(history["commits"][3]["commit"], "03ab7bbdddd");
    let last = &history["series"][0]["points"][3];
    assert_eq!(
        (&last["value"], &last["commit"]),
        (&16_387.into(), &3.into())
    );
    assert_eq!(history["series"].as_array().unwrap().len(), 3);
}

/// The lines that runs of `app` left below a home: at a clean commit, with changed files, and at
/// the next commit with another compiler.
fn home() -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    let line = |minute: u32, commit: &str, changed: Option<&str>, rustc: &str, values: &str| {
        let day = if commit == "91aa0c2aaaa" { 3 } else { 4 };
        format!(
            "{{\"type\":\"point\",\"version\":1,\"at\":\"2026-11-05T12:{minute:02}:00Z\",\"package\":\"exp1\",\
             \"file\":\"app\",\"label\":null,\"source\":{{\"commit\":\"{commit}\",\"dirty\":{},\
             \"committed_at\":\"2026-11-0{day}T10:00:00Z\"}},\"code\":\"{}\",\"rustc\":\"{rustc}\",\
             \"valgrind\":\"3.19.0\",\"libc\":\"glibc 2.36\",\"runs\":2,\"values\":{{{values}}}}}\n",
            changed.is_some(),
            changed.unwrap_or(commit),
        )
    };
    let both = r#""app::g::f":{"Ir":14230},"app::g::g":{"Ir":100}"#;
    let text = [
        line(1, "91aa0c2aaaa", None, "1.94.1", both),
        line(
            2,
            "91aa0c2aaaa",
            Some("b"),
            "1.94.1",
            r#""app::g::f":{"Ir":28460}"#,
        ),
        line(3, "91aa0c2aaaa", Some("c"), "1.94.1", ""),
        line(
            4,
            "5be3302bbbb",
            None,
            "1.95.0",
            r#""app::g::f":{"Ir":14230}"#,
        ),
    ];
    let bench = directory.path().join("target/iai/exp1/app");
    std::fs::create_dir_all(&bench).unwrap();
    std::fs::write(bench.join("history.jsonl"), text.concat()).unwrap();
    // Another file of the same place is no history.
    std::fs::write(bench.join("results.jsonl"), "{\"type\":\"benchmark\"").unwrap();
    directory
}

#[test]
fn the_project_has_a_history_of_its_own() {
    let expected = "\
exp1 app::g::f  Instructions, 2026-11-03 to 2026-11-04, 4 commits and runs
  2026-11-03  91aa0c2        14,230
  2026-11-05  91aa0c2        28,460       +100%  with changed files
  2026-11-04  5be3302        14,230      -50.0%  rustc 1.94.1 -> 1.95.0
1 unchanged at 4 commits and runs
";
    let project = home();
    let shown = |words: &[&str]| {
        let words = [&["history", "--home=target/iai"], words].concat();
        let ended = runs(project.path(), &words, 0);
        assert_eq!(ended.err, "");
        ended.out
    };
    assert_eq!(shown(&[]), expected);
    // Other commands pass the lines over.
    let records = facts("5be3302bbbb", 4).records(&[counted("f", 1)]);
    std::fs::write(
        project.path().join("target/iai/exp1/app/results.jsonl"),
        records,
    )
    .unwrap();
    runs(
        project.path(),
        &["report", "target/iai", "--format=json"],
        0,
    );
    // A file and a copy behind it, as `cat` makes it.
    let text = shown(&[]);
    let lines = std::fs::read_to_string(project.path().join("target/iai/exp1/app/history.jsonl"));
    std::fs::write(project.path().join("both"), lines.unwrap().repeat(2)).unwrap();
    let both = runs(project.path(), &["history", "both"], 0).out;
    assert!(
        both.starts_with(text.split(", 4").next().unwrap()),
        "{both}"
    );
}

#[test]
fn bars_are_drawn_where_they_are_wanted() {
    let project = home();
    let bars = |words: &[&str]| {
        let words = [&["history", "--home=target/iai"], words].concat();
        let text = runs(project.path(), &words, 0).out;
        text.lines().nth(1).unwrap().to_owned()
    };
    assert_eq!(
        bars(&["--sparklines=always"]),
        "  _##|_  | rustc 1.94.1 -> 1.95.0"
    );
    assert_eq!(
        bars(&["--sparklines=never"]),
        "  2026-11-03  91aa0c2        14,230"
    );
}

#[test]
fn names_of_others_stay_on_their_line() {
    const HOSTILE: &str = "a\u{1b}[2J\n::error::b,\"c\"\r\td";
    let directory = tempfile::tempdir().unwrap();
    let mut lines = String::new();
    for (commit, day, count) in [("1\n2", 1, 100), ("\u{1b}]0;x\u{7}", 2, 120)] {
        let path = format!("app::g::{HOSTILE}");
        let line = serde_json::json!({
            "type": "point", "version": 1, "at": "2026-11-05T12:00:00Z", "package": HOSTILE, "file": "app",
            "target": day.to_string() + HOSTILE, "label": HOSTILE, "runs": 1, "rustc": format!("1.9{day}{HOSTILE}"),
            "source": {"commit": commit, "committed_at": format!("2026-11-0{day}T10:00:00Z")},
            "values": {path: {"Ir": count}},
        });
        let same_target = line.to_string().replace("\"target\":\"2", "\"target\":\"1");
        lines += &format!("{line}\n{same_target}\n");
    }
    std::fs::write(directory.path().join("h.jsonl"), lines).unwrap();
    let shown = |words: &[&str]| {
        let words = [&["history", ".", "--all", "--sparklines=always"], words].concat();
        runs(directory.path(), &words, 0).out
    };
    let text = shown(&[]);
    assert!(!text.contains(['\u{1b}', '\r', '\t', '\u{7}']), "{text:?}");
    // Two targets, each with a headline, its bars and its commits.
    assert_eq!(text.lines().count(), 2 + 2 + 3, "{text}");
    assert!(text.contains("\\n::error::b"), "{text}");
    let csv = shown(&["--format=csv"]);
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let rows: Vec<_> = reader.records().map(|row| row.unwrap()).collect();
    assert_eq!((rows.len(), csv.lines().count()), (3, 4), "{csv}");
    assert!(!csv.contains('\u{1b}') && rows.iter().all(|row| row.len() == 14));
}

/// Formats for programs are written to the log of a job as well.
#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "the test starts the runner; nothing of it is in the runner"
)]
fn no_format_has_a_command_for_a_job() {
    let directory = tempfile::tempdir().unwrap();
    let mut lines = String::new();
    for (day, count) in [(1, 100), (2, 120)] {
        let point = serde_json::json!({
            "type": "point", "version": 1, "at": "2026-11-05T12:00:00Z", "package": "##[error]p", "file": "app",
            "target": "t", "label": "::error::forged", "runs": 1, "rustc": "1.95.0",
            "source": {"commit": day.to_string(), "committed_at": format!("2026-11-0{day}T10:00:00Z")},
            "values": {"app::g::f": {"Ir": count}},
        });
        lines += &format!("{point}\n");
    }
    std::fs::write(directory.path().join("h.jsonl"), lines).unwrap();
    for format in ["text", "csv", "json"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_iai-callgrind-runner"));
        command.args(["history", ".", "--all", "--format", format]);
        command
            .current_dir(directory.path())
            .env("GITHUB_ACTIONS", "true");
        let output = command.output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains("forged"), "{format}: {text}");
        let mut commands = text.lines().map(str::trim_start);
        let is_command = |line: &str| line.starts_with("::") || line.contains("##[");
        assert!(!commands.any(is_command), "{format}: {text}");
    }
}

#[test]
fn mistakes_say_what_to_do() {
    let empty = tempfile::tempdir().unwrap();
    let ended = runs(empty.path(), &["history", "."], 2);
    assert!(
        ended
            .err
            .contains("no results in `.`; `cargo bench` leaves them"),
        "{}",
        ended.err
    );
    let ended = runs(empty.path(), &["history", "not-there.jsonl"], 1);
    assert!(
        ended
            .err
            .contains("cannot read the results in `not-there.jsonl`"),
        "{}",
        ended.err
    );
    let ended = runs(empty.path(), &["history", "--home=none"], 2);
    assert!(
        ended
            .err
            .contains("no history in `none`; `cargo bench` leaves them"),
        "{}",
        ended.err
    );
    runs(empty.path(), &["history", "@main"], 2);
    let ended = runs(empty.path(), &["history", ".", "--metrics=instr"], 2);
    assert!(
        ended.err.contains("did you mean `instructions`?"),
        "{}",
        ended.err
    );
    let project = project();
    let ended = runs(project.path(), &["history", ".", "--only=nothing"], 0);
    assert!(
        ended.err.contains("no benchmark that is selected"),
        "{}",
        ended.err
    );
}

/// Two jobs at two commits, each in a clone and a home of its own; the second one pushes while the
/// first one does.
#[test]
fn the_branch_of_the_documentation_keeps_a_history() {
    let recipe = shell_block("history.md", "mktree");
    let all = tempfile::tempdir().unwrap();
    let root = all.path();
    let git = |directory: &str, lines: &str| shell(&root.join(directory), root, lines);
    git(
        "",
        "git init -q --bare -b main origin; git clone -q origin source 2>/dev/null",
    );
    git(
        "source",
        "git checkout -q -b main; git commit -q --allow-empty -m 1; git push -q origin main",
    );
    let job = |name: &str, day: u32, instructions: u64| {
        git(
            "",
            &format!("git clone -q origin {name}; mkdir home-{name}"),
        );
        let clone = root.join(name);
        let commit = git(
            name,
            &format!("git commit -q --allow-empty -m {name}; git rev-parse HEAD"),
        );
        let results = clone.join("target/iai/exp1/app");
        std::fs::create_dir_all(&results).unwrap();
        let records = facts(commit.trim(), day).records(&[counted("f", instructions)]);
        std::fs::write(results.join("results.jsonl"), records).unwrap();
        commit
    };
    let commits = [job("one", 1, 100), job("two", 2, 120), job("three", 3, 120)];
    let run = |name: &str| {
        shell(
            &root.join(name),
            &root.join(format!("home-{name}")),
            &recipe,
        )
    };
    run("one");
    // `three` knows the branch before `two` pushes.
    let (before, after) = recipe.split_once("cd \"$HOME").unwrap();
    let home = root.join("home-three");
    shell(&root.join("three"), &home, before);
    run("two");
    shell(&root.join("three"), &home, &format!("cd \"$HOME{after}"));
    git("", "git clone -q -b iai-results origin kept");
    let kept = root.join("kept");
    let shown = runs(&kept, &["history", "."], 0).out;
    assert!(
        shown.contains("2026-11-01 to 2026-11-03, 3 commits"),
        "{shown}"
    );
    assert!(
        shown.contains(&format!("{}           120      +20.0%", &commits[1][..7])),
        "{shown}"
    );
}
