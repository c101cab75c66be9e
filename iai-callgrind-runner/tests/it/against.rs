//! `bench --base` and `bench --bisect` in a repository of their own, with a program in place of
//! cargo, which measures by writing the number in a file.
//!
//! It needs `bash`, `git`, and `cc` for an executable with a section of ours.

#![allow(
    clippy::disallowed_methods,
    reason = "the test is what surrounds the runner"
)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use nix::sys::signal::{killpg, Signal};
use nix::unistd::Pid;
use records::sample;
use serde_json::json;
use tempfile::TempDir;

/// In place of cargo. `broken` and a bench file that the library does not know fail to compile.
const CARGO: &str = r#"#!/usr/bin/env bash
case $1 in
    metadata)
        targets=
        if [ -e benches/app.rs ]; then
            targets='{"name":"app","kind":["bench"],"src_path":"'$PWD'/benches/app.rs"}'
        fi
        packages=
        for directory in "$(git rev-parse --show-toplevel)"/crates/*/; do
            packages+=',{"name":"'$(basename "$directory")'","manifest_path":"'$directory'Cargo.toml","dependencies":[],"targets":[]}'
        done
        printf '{"workspace_root":"%s","target_directory":"%s/target","packages":[{"name":"exp1","manifest_path":"%s/Cargo.toml","dependencies":[],"targets":[%s]}%s]}' \
            "$PWD" "$PWD" "$PWD" "$targets" "$packages"
        exit ;;
    bench) ;;
    *) exit 101 ;;
esac
words=" $* "
if [[ $words == *" --no-run "* ]]; then
    echo "builds $(git log -1 --format=%s) in ${CARGO_TARGET_DIR:-target}:$words" >>"$LOG"
    if [ -e hangs ]; then
        touch "$LOG.hangs"
        sleep 60
    fi
    if [ -e broken ]; then
        printf 'warning: unused\n\nerror[E0425]: cannot find value `x` in this scope\n --> src/lib.rs:1:1\n\nerror: could not compile `exp1` (lib)\n' >&2
        exit 101
    fi
    if [ -e benches/app.rs ] && ! grep -q "$(cat benches/app.rs)" api; then
        printf 'error[E0432]: unresolved import\n\nerror: could not compile `exp1` (bench "app") due to 1 previous error\n' >&2
        exit 101
    fi
    [ -e none ] || printf '{"reason":"compiler-artifact","package_id":"exp1","target":{"name":"app","kind":["bench"]},"executable":"%s"}\n' "$EXECUTABLE"
    exit
fi
echo "runs $(git log -1 --format=%s):$words${IAI_CALLGRIND_TIME:+time=$IAI_CALLGRIND_TIME}" >>"$LOG"
directory=$IAI_CALLGRIND_HOME/exp1/app
mkdir -p "$directory"
sed "s/123456/$(cat "$(git rev-parse --show-toplevel)/count")/; s/1111111aaaa/$(git rev-parse HEAD)/" "$RECORDS" >"$directory/results.jsonl"
if [ -e fails ]; then
    failure='[{"tool":"callgrind","reason":"ended","message":"exited with 101"}]'
    sed -i "1s/\"failures\":\[\]/\"failures\":$failure/; 1s/\"status\":\"ok\"/\"status\":\"failed\"/" "$directory/results.jsonl"
fi
tail -n 1 "$directory/results.jsonl" >>"$IAI_CALLGRIND_RUN_RECORDS"
"#;

struct Sandbox(TempDir);

struct Ended {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl From<Output> for Ended {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Ended {
    fn of(command: &mut Command) -> Self {
        command.output().unwrap().into()
    }

    #[track_caller]
    fn code(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{}\n{}", self.stdout, self.stderr);
        self
    }

    #[track_caller]
    fn shows(&self, texts: &[&str]) -> &Self {
        for text in texts {
            assert!(self.stdout.contains(text), "`{text}` in\n{}", self.stdout);
        }
        self
    }

    #[track_caller]
    fn says(&self, texts: &[&str]) -> &Self {
        for text in texts {
            assert!(self.stderr.contains(text), "`{text}` in\n{}", self.stderr);
        }
        self
    }
}

/// Have records wall times?
enum RecordedTimes {
    None,
    Paired,
}

/// What every run writes, with a count and a commit of its own.
fn records(times: RecordedTimes) -> String {
    sample::run(|records| {
        records[0]["profiles"][0]["metrics"][0]["new"] = json!(123_456);
        for record in records.as_array_mut().unwrap() {
            record["source"] = json!({"commit": "1111111aaaa"});
            if matches!(times, RecordedTimes::Paired) {
                record["time"] = json!({
                    "basis": "wall", "min_ns": 99.0, "median_ns": 100.2, "old_min_ns": 89.0,
                    "old_median_ns": 90.1, "ratio": 1.11, "ratio_low": 1.10, "ratio_high": 1.12,
                    "level": 0.999, "starts": 60, "pairs": 12, "calls": 1000, "preempted": 0.0,
                    "steal": 0.0, "class": "slower", "executables": ["new", "old"],
                });
            }
        }
    })
}

impl Sandbox {
    /// `main` counts 100, the branch that is checked out 120.
    fn new() -> Self {
        let sandbox = Self(tempfile::tempdir().unwrap());
        let cargo = sandbox.path("cargo");
        fs::write(&cargo, CARGO).unwrap();
        fs::set_permissions(&cargo, fs::Permissions::from_mode(0o755)).unwrap();
        fs::write(sandbox.path("records"), records(RecordedTimes::None)).unwrap();
        sandbox.compile();
        fs::create_dir(sandbox.path("a project")).unwrap();
        sandbox.git(&["init", "--quiet", "--initial-branch=main"]);
        sandbox.write(
            "Cargo.toml",
            "[package]\nname = \"exp1\"\nversion = \"0.1.0\"\n",
        );
        sandbox.write("api", "old");
        sandbox.commit("100", "on main");
        sandbox.git(&["switch", "--quiet", "--create", "topic"]);
        sandbox.commit("120", "on the branch");
        sandbox
    }

    /// An object with a section that benchmarks of this library have.
    fn compile(&self) {
        let source = self.path("section.c");
        let text = "__attribute__((section(\"iai_cg_v1\"))) int in_section = 1;\n";
        fs::write(&source, text).unwrap();
        let mut cc = Command::new("cc");
        cc.arg("-c").arg(&source).arg("-o").arg(self.path("bench"));
        assert!(cc.status().unwrap().success());
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path("a project").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn remove(&self, name: &str) {
        fs::remove_file(self.path("a project").join(name)).unwrap();
    }

    /// Commits everything, with this count.
    fn commit(&self, count: &str, title: &str) {
        self.write("count", count);
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "--message", title]);
    }

    fn git(&self, words: &[&str]) -> String {
        let output = Command::new("git")
            .args(["-c", "user.name=a", "-c", "user.email=a@example.org"])
            .args(words)
            .current_dir(self.path("a project"))
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "git {words:?}: {said}");
        String::from_utf8(output.stdout).unwrap()
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_iai-callgrind-runner"));
        command
            .arg("bench")
            .args(words)
            .current_dir(self.path("a project"))
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap())
            .env("HOME", self.path("home"))
            .env("CARGO", self.path("cargo"))
            .env("LOG", self.path("log"))
            .env("EXECUTABLE", self.path("bench"))
            .env("RECORDS", self.path("records"))
            .stdin(Stdio::null());
        command
    }

    fn bench(&self, words: &[&str]) -> Ended {
        Ended::of(&mut self.command(words))
    }

    /// Everything about the bases of the project.
    fn area(&self) -> PathBuf {
        let mut areas = fs::read_dir(self.path("home/.cache/iai-callgrind")).unwrap();
        areas.next().unwrap().unwrap().path()
    }

    /// Lines of the log since the last call.
    fn log(&self) -> Vec<String> {
        let log = fs::read_to_string(self.path("log")).unwrap_or_default();
        let _ = fs::remove_file(self.path("log"));
        log.lines().map(str::to_owned).collect()
    }

    /// What was measured since the last call.
    fn measured(&self) -> Vec<String> {
        let log = self.log().into_iter();
        let runs = log.filter_map(|line| Some(line.strip_prefix("runs ")?.to_owned()));
        runs.map(|line| line.split(':').next().unwrap_or_default().to_owned())
            .collect()
    }

    /// Everything of the checkout that a user may see.
    fn state(&self) -> (String, Vec<u8>) {
        let index = self.path("a project/.git/index");
        let status = self.git(&[
            "--no-optional-locks",
            "status",
            "--porcelain=v2",
            "--branch",
        ]);
        (status, fs::read(index).unwrap())
    }
}

#[test]
fn the_branch_is_compared_with_where_it_left_main() {
    let sandbox = Sandbox::new();
    let before = sandbox.state();
    let ended = sandbox
        .bench(&["--features", "fast", "--base", "--", "a"])
        .code(3);
    ended.shows(&[
        "merge base with main",
        "the base is ",
        "`on main` (merge base with main)",
        "Regressed (1)",
        "app::g::a",
        "Iai-Callgrind result: Regressed. ",
    ]);
    ended.says(&["measuring the branch", "measuring "]);
    assert_eq!(sandbox.state(), before, "the checkout stays as it is");
    let log = sandbox.log();
    let cache = sandbox.path("home/.cache/iai-callgrind");
    let builds: Vec<&String> = log
        .iter()
        .filter(|line| line.starts_with("builds"))
        .collect();
    assert!(
        builds[0].starts_with("builds on the branch in target:"),
        "{builds:?}"
    );
    let of_base = format!("builds on main in {}", cache.display());
    assert!(builds[1].starts_with(&of_base), "{builds:?}");
    let words = |line: &&String| line.rsplit(':').next().unwrap().to_owned();
    let runs: Vec<_> = log.iter().filter(|line| line.starts_with("runs")).collect();
    assert_eq!(
        words(&runs[0]),
        words(&runs[1]),
        "the same words on both sides"
    );
    assert!(words(&runs[0]).contains("--features fast") && words(&runs[0]).contains(" -- a "));
}

#[test]
fn the_branch_is_timed_with_the_executables_of_the_base() {
    let sandbox = Sandbox::new();
    let runs = || {
        sandbox.bench(&["--base", "--", "--time"]).code(3);
        let log = sandbox.log().into_iter();
        log.filter(|line| line.starts_with("runs"))
            .collect::<Vec<_>>()
    };
    let first = runs();
    assert_eq!(first.len(), 2, "{first:?}");
    assert!(first[0].starts_with("runs on main:"), "{first:?}");
    assert!(!first[0].contains("--time-base"), "{first:?}");
    let word = format!(" --time-base={}/results/", sandbox.area().display());
    assert!(first[1].starts_with("runs on the branch:"), "{first:?}");
    assert!(first[1].contains(&word), "{first:?}");
    // Kept results have kept executables.
    assert_eq!(runs(), first[1..]);
    // Without time they are results under other conditions.
    sandbox.bench(&["--base"]).code(3);
    assert_eq!(sandbox.measured(), ["on the branch", "on main"]);
}

#[test]
fn a_branch_whose_benchmarks_ask_for_time_is_timed_with_its_base() {
    let sandbox = Sandbox::new();
    fs::write(sandbox.path("records"), records(RecordedTimes::Paired)).unwrap();
    let measured = |words: &[&str]| {
        sandbox.bench(words).code(3);
        let log = sandbox.log().into_iter();
        let runs = log.filter(|line| line.starts_with("runs"));
        let side = |line: &String| {
            let side = if line.contains(" on main:") {
                "base"
            } else {
                "branch"
            };
            (side, line.contains("--time-base="))
        };
        runs.map(|line| side(&line)).collect::<Vec<_>>()
    };
    // Only results say that there are times.
    let branch_again = [("branch", false), ("base", false), ("branch", true)];
    assert_eq!(measured(&["--base"]), branch_again);
    assert_eq!(measured(&["--base"]), [("branch", true)], "a kept base");
    assert_eq!(measured(&["--base", "--remeasure"]), branch_again);
    let without = ["--base", "--", "--time=no"];
    assert_eq!(measured(&without), branch_again[..2], "nothing is timed");
    let given = format!("--branch={}", sandbox.area().join("branch").display());
    assert_eq!(measured(&["--base", &given]), [], "given results stay");
}

#[test]
fn a_bisection_times_nothing() {
    let sandbox = Sandbox::new();
    let limit = "--callgrind-limits=ir=5%";
    sandbox.bench(&["--bisect", "main", "--", limit]).code(3);
    let log = sandbox.log();
    let mut runs = log.iter().filter(|line| line.starts_with("runs"));
    assert!(runs.all(|line| line.ends_with("time=no")), "{log:?}");
    // Results without times are none for a comparison with them.
    sandbox.bench(&["--base", "--", limit]).code(3);
    assert_eq!(sandbox.measured().len(), 2);
}

#[test]
fn a_base_is_measured_once_for_each_condition() {
    let sandbox = Sandbox::new();
    let measured = |words: &[&str]| {
        sandbox.bench(words).code(3);
        sandbox.measured()
    };
    let both = ["on the branch", "on main"];
    assert_eq!(measured(&["--base"]), both);
    assert_eq!(measured(&["--base"]), both[..1]);
    assert_eq!(measured(&["--base=main"]), both[..1], "the same commit");
    assert_eq!(
        measured(&["--base", "-p", "exp1"]),
        both,
        "another selection"
    );
    assert_eq!(measured(&["--base", "--remeasure"]), both);
    sandbox.bench(&["--prune"]).code(0);
    assert_eq!(sandbox.git(&["worktree", "list"]).lines().count(), 1);
    assert_eq!(measured(&["--base"]), both);
}

#[test]
fn packages_that_the_base_lacks_are_told_and_no_error() {
    let sandbox = Sandbox::new();
    let note = "the base has no package `new`; the benchmarks there are new";
    for measured in [["on the branch", "on main"].as_slice(), &["on the branch"]] {
        let ended = sandbox
            .bench(&["--base", "-p", "exp1", "-p", "new"])
            .code(3);
        ended.shows(&[note]);
        let log = sandbox.log();
        let runs = log.iter().filter(|line| line.starts_with("runs"));
        let runs: Vec<_> = runs.collect();
        assert_eq!(runs.len(), measured.len());
        assert!(runs[0].contains("-p exp1 -p new"), "{runs:?}");
        assert!(
            runs.iter().skip(1).all(|line| !line.contains("new")),
            "{runs:?}"
        );
    }
    // Without a name cargo would measure what nobody asked for.
    let ended = sandbox.bench(&["--base", "-p", "new", "--bench=x"]).code(4);
    ended.shows(&["has no results: it has no package `new`, no bench target `x`\n"]);
    assert_eq!(sandbox.measured(), ["on the branch"]);
}

#[test]
fn a_directory_that_the_base_lacks_is_no_base() {
    let sandbox = Sandbox::new();
    sandbox.write("crates/new/Cargo.toml", "");
    sandbox.commit("120", "a new package");
    let mut command = sandbox.command(&["--base"]);
    command.current_dir(sandbox.path("a project/crates/new"));
    let output = command.output().unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(4), "{stdout}");
    assert!(
        stdout.contains("has no results: it has no directory `crates/new/`\n"),
        "{stdout}"
    );
}

#[test]
fn files_are_written_as_compare_writes_them() {
    let sandbox = Sandbox::new();
    let markdown = sandbox.path("report.md");
    let page = sandbox.path("page.html");
    let exports = [
        format!("markdown={}", markdown.display()),
        format!("html={}", page.display()),
    ];
    let words = [
        "--base",
        "--export",
        &exports[0],
        "--export",
        &exports[1],
        "--format=json",
    ];
    let ended = sandbox.bench(&words).code(3);
    let report: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(report["old"]["name"], "merge base with main");
    assert_eq!(report["new"]["name"], "the branch");
    assert!(fs::read_to_string(&markdown)
        .unwrap()
        .contains("**regressed**"));
    assert!(fs::read_to_string(&page)
        .unwrap()
        .starts_with("<!DOCTYPE html>"));
}

#[test]
fn a_base_without_results_is_no_verdict_and_says_why() {
    let sandbox = Sandbox::new();
    sandbox.git(&["switch", "--quiet", "main"]);
    sandbox.write("broken", "");
    sandbox.commit("100", "broken on main");
    sandbox.git(&["switch", "--quiet", "topic"]);
    let ended = sandbox.bench(&["--base=main"]).code(4);
    ended.shows(&[
        "`broken on main` (main) has no results: error[E0425]: cannot find value `x` in this scope (src/lib.rs:1:1)\n",
        "app::g::a",
        "Iai-Callgrind result: No base. ",
    ]);
    ended.says(&["could not compile `exp1`"]);
    assert_eq!(sandbox.measured(), ["on the branch"]);
    // It is not kept: an outage of a registry looks like that too.
    sandbox.bench(&["--base=main"]).code(4);
    let log = sandbox.log();
    assert!(
        log.iter()
            .any(|line| line.starts_with("builds broken on main")),
        "{log:?}"
    );

    sandbox.git(&["switch", "--quiet", "main"]);
    sandbox.remove("broken");
    sandbox.write("none", "");
    sandbox.commit("100", "without benchmarks");
    sandbox.git(&["switch", "--quiet", "topic"]);
    let ended = sandbox.bench(&["--base=main"]).code(4);
    ended.shows(&["has no results: no bench target that cargo selects has benchmarks"]);
}

#[test]
fn a_branch_without_results_is_an_error() {
    let sandbox = Sandbox::new();
    sandbox.write("broken", "");
    let ended = sandbox.bench(&["--base"]).code(1);
    ended.says(&["the benchmarks of the branch have no results: error[E0425]"]);
    assert!(!sandbox.log().iter().any(|line| line.contains("on main")));
}

#[test]
fn what_was_not_committed_belongs_to_the_branch() {
    let sandbox = Sandbox::new();
    sandbox.write("count", "300");
    let ended = sandbox.bench(&["--base=HEAD"]).code(3);
    ended.shows(&[
        "the branch was measured with 1 file that is not committed",
        "+150",
    ]);
    sandbox.write("count", "120");
    sandbox
        .bench(&["--base=HEAD"])
        .code(1)
        .says(&["nothing is uncommitted", "--base=HEAD~1"]);
}

#[test]
fn mistakes_say_what_to_write() {
    let sandbox = Sandbox::new();
    for option in [
        "--save-baseline=x",
        "--baseline=x",
        "--home=x",
        "--list",
        "--time-base=x",
    ] {
        let ended = sandbox.bench(&["--base", "--", option]).code(2);
        let name = option.split('=').next().unwrap();
        ended.says(&[name, "has no meaning with `--base` and `--bisect`"]);
    }
    sandbox
        .bench(&["--bisect", "main", "--", "--time"])
        .code(2)
        .says(&["--time", "`--bisect` compares counts", "`--base=GOOD`"]);
    sandbox
        .bench(&["--base=mian"])
        .code(1)
        .says(&["git does not know the revision `mian`", "`main`"]);
    sandbox.bench(&["--base", "--exe", "x"]).code(2);
    sandbox.bench(&["--base", "--bisect", "main"]).code(2);
    assert!(!sandbox.path("a project/target").exists());
}

#[test]
fn a_manifest_and_a_directory_of_builds_are_not_shared_by_both_sides() {
    let sandbox = Sandbox::new();
    let manifest = sandbox.path("a project/Cargo.toml");
    let manifest = format!("--manifest-path={}", manifest.display());
    let ended = sandbox.bench(&["--base", &manifest, "--target-dir", "builds"]);
    ended.code(3);
    let log = sandbox.log();
    let runs: Vec<_> = log.iter().filter(|line| line.starts_with("runs")).collect();
    assert!(runs[0].contains(&manifest), "{runs:?}");
    assert!(runs[0].contains("--target-dir builds"), "{runs:?}");
    assert!(runs[1].contains("/worktree/Cargo.toml"), "{runs:?}");
    assert!(!runs[1].contains("--target-dir"), "{runs:?}");
}

#[test]
fn a_home_of_the_environment_is_left_alone() {
    let sandbox = Sandbox::new();
    let mut command = sandbox.command(&["--base"]);
    let output = command
        .env("IAI_CALLGRIND_HOME", sandbox.path("own"))
        .output();
    let output = output.unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(3), "{stderr}");
    assert!(!sandbox.path("own").exists());
}

#[test]
fn another_version_of_the_library_names_both() {
    let sandbox = Sandbox::new();
    sandbox.git(&["switch", "--quiet", "main"]);
    let lock = |version: &str| {
        let text = format!(
            "version = 4\n[[package]]\nname = \"iai-callgrind\"\nversion = \"{version}\"\n"
        );
        sandbox.write("Cargo.lock", &text);
        sandbox.commit("100", version);
    };
    lock("0.16.1");
    lock("0.99.0");
    sandbox.git(&["switch", "--quiet", "topic"]);
    sandbox
        .bench(&["--base=main~1"])
        .code(1)
        .says(&["the base uses iai-callgrind 0.16.1, whose runner has no command `bench`"]);
    sandbox.bench(&["--base=main"]).code(1).says(&[
        "the base uses iai-callgrind 0.99.0, but this is iai-callgrind-runner 0.17.0",
        "cargo install iai-callgrind-runner --version 0.99.0 --root ",
    ]);
}

#[test]
fn bench_files_of_the_branch_measure_the_base_where_they_compile() {
    let sandbox = Sandbox::new();
    sandbox.write("benches/app.rs", "old");
    sandbox.commit("120", "a benchmark of the branch");
    let mine = ["--base=main", "--benches=mine"];
    let ended = sandbox.bench(&mine).code(3);
    assert!(!ended.stdout.contains("do not compile"), "{}", ended.stdout);
    assert_eq!(sandbox.measured(), ["a benchmark of the branch", "on main"]);
    sandbox.bench(&mine).code(3);
    assert_eq!(sandbox.measured(), ["a benchmark of the branch"], "kept");
    sandbox.write("benches/app.rs", "new");
    sandbox.write("api", "old\nnew");
    sandbox.commit("120", "of a new function");
    let ended = sandbox.bench(&mine).code(3);
    ended.shows(&["do not compile with the base, so its own were measured: `app`"]);
    assert_eq!(sandbox.measured(), ["of a new function", "on main"]);
    // Cargo's option of that name is cargo's.
    sandbox.bench(&["--base=main", "--benches"]).code(3);
    assert!(sandbox
        .log()
        .iter()
        .all(|line| !line.starts_with("builds") || line.contains(" --benches ")));
}

#[test]
fn the_first_bad_commit_is_found_and_explained() {
    let sandbox = Sandbox::new();
    for (count, title) in [("120", "two"), ("121", "three")] {
        sandbox.commit(count, title);
    }
    sandbox.write("broken", "");
    sandbox.commit("200", "broken");
    sandbox.remove("broken");
    for title in ["bad", "later", "last"] {
        sandbox.commit("200", title);
    }
    let ended = sandbox.bench(&["--bisect", "topic~6", "--", "a"]).code(3);
    ended.shows(&[
        "the first bad commit is ",
        "`bad`",
        "these were skipped, and may be the first bad one as well: ",
        "`broken`",
        "Regressed (1)",
    ]);
    ended.says(&["`three` is good", "`broken` is skipped"]);
    // Kept results need no run.
    sandbox.log();
    sandbox.bench(&["--bisect", "topic~6", "--", "a"]).code(3);
    assert_eq!(sandbox.measured(), [""; 0]);
    let same = sandbox
        .bench(&["--bisect", "topic~2", "topic", "--", "a"])
        .code(1);
    same.says(&["exceeds no limit against"]);
    sandbox
        .bench(&["--bisect", "topic", "topic"])
        .code(1)
        .says(&["no commit lies between"]);
}

#[test]
fn a_commit_whose_benchmarks_fail_is_neither_good_nor_bad() {
    let sandbox = Sandbox::new();
    sandbox.commit("120", "good");
    sandbox.write("fails", "");
    sandbox.commit("120", "fails");
    sandbox.commit("200", "fails and is bad");
    sandbox.remove("fails");
    sandbox.commit("200", "bad");
    let ended = sandbox.bench(&["--bisect", "topic~4"]).code(3);
    ended.says(&[
        "`fails` is skipped: not all of it was compared",
        "`good` is good",
    ]);
    ended.shows(&["the first bad commit is ", "`bad`", "these were skipped"]);
    let ended = sandbox.bench(&["--bisect", "topic~4", "topic~2"]).code(1);
    ended.says(&["exceeds no limit against"]);
}

#[test]
fn options_about_a_base_need_one() {
    let sandbox = Sandbox::new();
    for words in [
        &["--remeasure"][..],
        &["--require-comparable"],
        &["--export", "markdown=x.md"],
        &["--format", "json"],
        &["--benches=mine"],
    ] {
        let ended = sandbox.bench(words).code(2);
        ended.says(&["--base[=<REV>]"]);
    }
    assert!(sandbox.log().is_empty());
}

#[test]
fn a_command_of_the_shell_measures_both_sides() {
    let sandbox = Sandbox::new();
    let command = "IAI_CALLGRIND_RUN_RECORDS=/dev/null \"$CARGO\" bench of ours";
    let with = ["--base", "--with", command];
    let ended = sandbox.bench(&with).code(3);
    ended.shows(&["Regressed (1)", "+20"]);
    let log = sandbox.log();
    assert_eq!(
        log,
        [
            "runs on the branch: bench of ours ",
            "runs on main: bench of ours "
        ]
    );
    sandbox.bench(&with).code(3);
    assert_eq!(sandbox.measured(), ["on the branch"], "the base is kept");
    sandbox.bench(&["--base"]).code(3);
    assert_eq!(sandbox.measured().len(), 2, "what another command measured");
    sandbox
        .bench(&["--base", "--with", "false"])
        .code(1)
        .says(&["the benchmarks of the branch have no results"]);
    let command = command.replace("ours", "\"$@\"");
    let with = ["--base", "--with", &command, "--", "a b"];
    sandbox.log();
    sandbox.bench(&with).code(3);
    assert_eq!(sandbox.log()[1], "runs on main: bench of a b ");
    sandbox
        .bench(&["--base", "--with", "false", "-p", "exp1"])
        .code(2)
        .says(&["'--with <COMMAND>' cannot be used with '[CARGO OPTIONS]...'"]);
}

#[test]
fn given_results_of_the_branch_are_not_measured() {
    let sandbox = Sandbox::new();
    sandbox.bench(&["--base"]).code(3);
    let mine = sandbox.area().join("branch/exp1/app/results.jsonl");
    let copy = sandbox.path("mine.jsonl");
    fs::copy(mine, &copy).unwrap();
    let given = format!("--branch={}", copy.display());
    sandbox.log();
    let ended = sandbox.bench(&["--base", &given, "--remeasure"]).code(3);
    ended.shows(&["Regressed (1)", "+20"]);
    assert_eq!(sandbox.measured(), ["on main"]);
    let ended = sandbox.bench(&["--base", "--branch=gone", "--remeasure"]);
    ended.code(1).says(&["gone"]);
    assert!(sandbox.log().is_empty(), "told before anything runs");
    // With time as well, where the base comes first else.
    let ended = sandbox.bench(&["--base", "--branch=gone", "--", "--time"]);
    ended.code(1).says(&["gone"]);
    assert!(sandbox.log().is_empty(), "told before anything runs");
}

#[test]
fn configuration_that_git_ignores_is_told() {
    let sandbox = Sandbox::new();
    sandbox.write(".gitignore", ".cargo\nrust-toolchain.toml\n");
    sandbox.commit("120", "ignored");
    let note = "git ignores `";
    let ended = sandbox.bench(&["--base"]).code(3);
    assert!(!ended.stdout.contains(note), "{}", ended.stdout);
    sandbox.write(".cargo/config.toml", "");
    sandbox.write("rust-toolchain.toml", "");
    sandbox.bench(&["--base"]).code(3).shows(&[
        "git ignores `.cargo/config.toml`, `rust-toolchain.toml`, so the branch alone was measured with it\n",
    ]);
}

const POINTER: &str = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n";

/// Three crates, of which the branch renames one, a submodule, and a file of Git LFS, which is not
/// installed; in a directory with a blank.
fn sandbox_with_everything() -> Sandbox {
    let sandbox = Sandbox::new();
    let library = sandbox.path("a library");
    let library = library.to_str().unwrap();
    sandbox.git(&["clone", "--quiet", ".", library]);
    sandbox.git(&["switch", "--quiet", "main"]);
    for name in ["a", "b", "old"] {
        sandbox.write(&format!("crates/{name}/Cargo.toml"), name);
    }
    sandbox.write(
        ".gitattributes",
        "*.bin filter=lfs diff=lfs merge=lfs -text\n",
    );
    sandbox.write("data/input.bin", POINTER);
    let allowed = ["-c", "protocol.file.allow=always"];
    let add = ["submodule", "--quiet", "add", library, "a library"];
    sandbox.git(&[allowed.as_slice(), &add].concat());
    sandbox.commit("100", "three crates");
    sandbox.git(&["switch", "--quiet", "--create", "work"]);
    sandbox.git(&["mv", "crates/old", "crates/new"]);
    sandbox.commit("120", "renamed");
    sandbox
}

#[test]
fn a_workspace_is_measured_from_every_place() {
    let sandbox = sandbox_with_everything();
    let before = sandbox.state();
    let runs = || {
        let log = sandbox.log().into_iter();
        let runs = log.filter(|line| line.starts_with("runs"));
        runs.collect::<Vec<_>>()
    };
    let ended = sandbox.bench(&["--base", "-p", "a", "-p", "new"]).code(3);
    ended.shows(&[
        "`three crates` (merge base with main)",
        "the base has no package `new`; the benchmarks there are new",
        "+20",
    ]);
    let both = runs();
    assert!(both[0].contains(" -p a -p new "), "{both:?}");
    assert!(
        both[1].contains(" -p a ") && !both[1].contains("new"),
        "{both:?}"
    );
    let worktree = sandbox.area().join("worktree");
    let read = |file: &str| fs::read_to_string(worktree.join(file)).unwrap();
    assert_eq!(read("a library/count"), "120", "the submodule");
    assert_eq!(read("data/input.bin"), POINTER);
    sandbox
        .bench(&["--base", "--bench", "gone"])
        .code(4)
        .shows(&[
            "`three crates` (merge base with main) has no results: it has no bench target `gone`",
        ]);

    // From a package, where cargo selects others than at the root, so that results of there are not
    // used. The user's directory of builds is for the branch alone.
    sandbox.bench(&["--base"]).code(3);
    sandbox.log();
    let mut command = sandbox.command(&["--base"]);
    command.current_dir(sandbox.path("a project/crates/a"));
    let ended = Ended::of(command.env("CARGO_TARGET_DIR", sandbox.path("builds")));
    ended.code(3).shows(&["+20"]);
    let log = sandbox.log();
    let builds: Vec<_> = log.iter().filter(|it| it.starts_with("builds")).collect();
    let [mine, of_base] = [sandbox.path("builds"), sandbox.area().join("target")];
    assert!(
        builds[0].contains(&format!(" in {}:", mine.display())),
        "{builds:?}"
    );
    assert!(
        builds[1].contains(&format!(" in {}:", of_base.display())),
        "{builds:?}"
    );
    // The branch has a package whose directory the base has under another name.
    let mut command = sandbox.command(&["--base"]);
    command.current_dir(sandbox.path("a project/crates/new"));
    Ended::of(&mut command)
        .code(4)
        .shows(&["has no results: it has no directory `crates/new/`"]);
    assert_eq!(sandbox.state(), before, "the checkout stays as it is");
}

#[test]
fn states_of_a_checkout_have_a_base_or_a_text() {
    let sandbox = sandbox_with_everything();
    sandbox.git(&["switch", "--quiet", "--detach"]);
    let ended = sandbox.bench(&["--base"]).code(3);
    ended.shows(&["`three crates` (merge base with main)", "+20"]);
    sandbox.write("count", "130");
    sandbox.write("a new file", "");
    sandbox.bench(&["--base"]).code(3).shows(&[
        "the branch was measured with 2 files that are not committed",
        "+30",
    ]);
    sandbox.remove("a new file");
    sandbox.git(&["switch", "--quiet", "--force", "main"]);
    sandbox
        .bench(&["--base"])
        .code(1)
        .says(&["`HEAD` is the base itself", "--base=HEAD~1"]);
    sandbox.write("broken", "");
    sandbox.commit("100", "does not compile");
    sandbox.git(&["switch", "--quiet", "work"]);
    sandbox.bench(&["--base=main"]).code(4).shows(&[
        "`does not compile` (main) has no results: error[E0425]",
        "Iai-Callgrind result: No base. ",
    ]);

    // A clone of the newest commit of the branch alone.
    sandbox.git(&["switch", "--quiet", "main"]);
    let from = format!("file://{}", sandbox.path("a project").display());
    let clone = sandbox.path("shallow clone");
    let words = ["clone", "--quiet", "--depth=1", "--branch=work", &from];
    sandbox.git(&[words.as_slice(), &[clone.to_str().unwrap()]].concat());
    let bench = |words: &[&str]| Ended::of(sandbox.command(words).current_dir(&clone));
    let fetch = |words: &[&str]| {
        sandbox.git(&[&["-C", clone.to_str().unwrap(), "fetch", "--quiet"], words].concat());
    };
    bench(&["--base"]).code(1).says(&[
        "there is no branch `origin/HEAD`",
        "git fetch origin main:refs/remotes/origin/main",
    ]);
    bench(&["--base=HEAD~1"])
        .code(1)
        .says(&["the clone is shallow: `git fetch --unshallow`"]);
    fetch(&["--depth=1", "origin", "main:refs/remotes/origin/main"]);
    bench(&["--base"]).code(1).says(&[
        "no commit in common",
        "the clone is shallow: `git fetch --unshallow`",
    ]);
    fetch(&["--unshallow"]);
    bench(&["--base"])
        .code(3)
        .shows(&["`three crates` (merge base with origin/main)", "+20"]);
}

#[test]
fn two_runs_at_once_have_the_same_result() {
    let sandbox = Sandbox::new();
    let start = || {
        let mut command = sandbox.command(&["--base", "--remeasure"]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    };
    let both = [start(), start()].map(|runner| Ended::from(runner.wait_with_output().unwrap()));
    for ended in both {
        ended
            .code(3)
            .shows(&["Regressed (1)", "+20", "1 regressed"]);
    }
    assert_eq!(sandbox.measured().len(), 4);
}

#[test]
fn a_killed_run_leaves_nothing_that_is_wrong() {
    let sandbox = Sandbox::new();
    sandbox.bench(&["--base"]).code(3);
    // It is killed while it builds the base, then while it builds the branch.
    for place in ["main", "topic"] {
        sandbox.git(&["switch", "--quiet", "main"]);
        sandbox.write("hangs", "");
        sandbox.commit("100", "hangs");
        sandbox.git(&["switch", "--quiet", "topic"]);
        if place == "topic" {
            sandbox.write("hangs", "");
        }
        let _ = fs::remove_file(sandbox.path("log.hangs"));
        let mut command = sandbox.command(&["--base=main"]);
        command
            .process_group(0)
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let mut runner = command.spawn().unwrap();
        wait_for(&sandbox.path("log.hangs"));
        killpg(Pid::from_raw(runner.id() as i32), Signal::SIGKILL).unwrap();
        runner.wait().unwrap();
        let _ = fs::remove_file(sandbox.path("a project/hangs"));
        sandbox.git(&["switch", "--quiet", "main"]);
        sandbox.remove("hangs");
        sandbox.commit("100", "goes on");
        sandbox.git(&["switch", "--quiet", "topic"]);
        sandbox.log();
        sandbox
            .bench(&["--base=main"])
            .code(3)
            .shows(&["`goes on`", "+20"]);
        assert_eq!(sandbox.measured(), ["on the branch", "goes on"]);
    }
}

fn wait_for(path: &Path) {
    for _ in 0..600 {
        if path.exists() {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("`{}` does not come", path.display());
}
