//! `compare`, `report` and `merge` as users run them, on records that were written by hand. All
//! counts below follow from those in [`record`].

#![expect(
    clippy::disallowed_methods,
    reason = "the test starts the runner; nothing of it is in the runner"
)]

use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{json, Value};

/// Characters that mean something in one of the formats, on a terminal or in a shell.
const HOSTILE: &str = "a|b`c\n::error::d\r\x1b[2J\u{202e}-->,\"e\"=f,'g' $(h)<i>&j;";

/// A benchmark of a bench target with this many instructions.
pub(crate) fn record(package: &str, name: &str, instructions: u64) -> Value {
    json!({
        "type": "benchmark", "version": 1, "status": "ok",
        "source": {"commit": "3e3457e0d1", "committed_at": "2026-11-20T10:11:12Z", "branch": "main"},
        "benchmark": {
            "path": format!("app::g::{name}"), "kind": "library", "package": package, "file": "app",
            "group": "g", "function": name, "source_file": "benches/app.rs", "line": 31,
        },
        "baselines": {}, "started_at": "2026-11-20T10:00:01.000Z", "duration_ns": 3,
        "profiles": [{
            "tool": "callgrind", "mode": "fork", "parts": [], "regressions": [], "errors": [], "notes": [],
            "out_files": [], "log_files": [],
            "metrics": [{"kind": "Ir", "label": "Instructions", "shown": true, "new": instructions}],
            "limits": [{"type": "soft", "kind": "Ir", "limit": 5.0}],
            "environment": {"valgrind_version": "3.19.0", "valgrind_args": [], "caches": []},
        }],
        "failures": [], "comparisons": [], "directory": "x",
        "files": {"workspace": "/w", "package_dir": "/w", "bench_file": "/w/b.rs", "executable": "/w/e",
            "home": "/w/target/iai", "home_in_workspace": "target/iai"},
        "system": {"runner": "0.17.0", "target": "x86_64-unknown-linux-gnu", "libc": "glibc 2.36",
            "rustc": "1.95.0", "cpu_features": ["avx2"]},
    })
}

/// The record of a run that measured so many benchmarks.
pub(crate) fn run(package: &str, benchmarks: usize) -> Value {
    json!({
        "type": "run", "version": 1, "ending": "ok", "exit_code": 0,
        "counts": {"ok": benchmarks, "regressed": 0, "failed": 0, "filtered": 0, "not_run": 0},
        "source": {"commit": "3e3457e0d1", "committed_at": "2026-11-20T10:11:12Z", "branch": "main"},
        "started_at": "2026-11-20T10:00:00.000Z", "duration_ns": 5, "package": package, "file": "app",
        "baselines": {}, "system": {"runner": "0.17.0", "target": "x86_64-unknown-linux-gnu", "cpu_features": []},
        "warnings": [], "errors": [],
    })
}

/// A package with benchmarks of these instructions.
fn package(name: &str, counts: &[(&str, u64)]) -> String {
    let records = counts.iter();
    let records = records.map(|(benchmark, count)| record(name, benchmark, *count));
    lines(records.chain([run(name, counts.len())]))
}

pub(crate) fn lines(records: impl IntoIterator<Item = Value>) -> String {
    records
        .into_iter()
        .map(|record| format!("{record}\n"))
        .collect()
}

pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        for (name, text) in files {
            let path = folder.0.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        folder
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_iai-callgrind-runner"));
        command.args(words).current_dir(self.0.path());
        for variable in [
            "GITHUB_ACTIONS",
            "GITHUB_EVENT_PATH",
            "GITHUB_SHA",
            "GITHUB_STEP_SUMMARY",
            "CARGO_TARGET_DIR",
            "IAI_CALLGRIND_HOME",
            "IAI_CALLGRIND_COLOR",
            "BROWSER",
            "DISPLAY",
            "WAYLAND_DISPLAY",
        ] {
            command.env_remove(variable);
        }
        command.env("CARGO_TERM_COLOR", "never");
        command
    }

    pub(crate) fn run(&self, words: &[&str]) -> Ran {
        Ran::of(self.command(words).output().unwrap())
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }
}

#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    fn of(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    #[track_caller]
    pub(crate) fn check(&self, code: i32, out: &str) {
        assert_eq!(self.code, code, "{self:#?}");
        assert_eq!(self.out, out, "{}", self.err);
    }

    #[track_caller]
    fn fails(&self, code: i32, words: &str) {
        assert_eq!(self.code, code, "{self:#?}");
        assert!(self.err.contains(words), "{}", self.err);
    }
}

fn two_sides() -> Folder {
    let old = package(
        "exp1",
        &[("json", 15005), ("same", 10), ("less", 1000), ("gone", 7)],
    );
    let new = package(
        "exp1",
        &[("json", 16387), ("same", 10), ("less", 900), ("added", 934)],
    );
    Folder::with(&[
        ("old.jsonl", &old),
        ("new/a/results.jsonl", &new),
        ("new/README", "no record"),
    ])
}

/// Recorded by one executable with the C libraries of two releases of Debian; of each record the
/// functions are cut.
#[test]
fn own_code_is_the_same_under_two_c_libraries() {
    let recorded = |name: &str| {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/c-libraries");
        fs::read_to_string(data.join(name)).unwrap()
    };
    let (old, new) = (recorded("glibc-2.36.jsonl"), recorded("glibc-2.41.jsonl"));
    let without_objects = lines(new.lines().map(|line| {
        let mut record: Value = serde_json::from_str(line).unwrap();
        for profile in record["profiles"].as_array_mut().into_iter().flatten() {
            profile.as_object_mut().unwrap().remove("objects");
        }
        record
    }));
    let folder = Folder::with(&[("old", &old), ("new", &new), ("without", &without_objects)]);
    let report = |new: &str| -> Value {
        let words = [
            "compare",
            "--format=json",
            "--callgrind-limits=ir=1%",
            "old",
            new,
        ];
        let ran = folder.run(&words);
        assert_eq!(ran.code, 0, "{ran:#?}");
        serde_json::from_str(&ran.out).unwrap()
    };
    let judged = report("new");
    let rows = judged["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 6);
    for row in rows {
        assert_eq!(row["own"]["old"], row["own"]["new"], "{row:#}");
        let percent = row["metric"]["diff_pct"].as_f64().unwrap();
        assert!(percent.abs() > 1.0, "{row:#}");
        assert_eq!(row["own"]["diff_pct"], 0.0, "{row:#}");
        assert_eq!(row["class"], "changed_outside_own_code", "{row:#}");
    }
    assert_eq!(judged["differences"][0]["old"], "glibc 2.36");
    // Without own code nothing can be judged; three of them rose. The records do not say that the
    // code is the same.
    assert_eq!(report("without")["counts"]["not_judged"], 3);
}

/// Two runs of a state of 0.17 whose records had no marks of code, and of which no home kept the
/// old side.
#[test]
fn results_of_an_earlier_state_are_read_and_judged() {
    let recorded = |name: &str| {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/home-0.17");
        fs::read_to_string(data.join(name)).unwrap()
    };
    let (old, new) = (recorded("old.jsonl"), recorded("new.jsonl"));
    let folder = Folder::with(&[
        ("old.jsonl", &old),
        ("home/recorded/lib/results.jsonl", &new),
        ("home/recorded/lib/results.jsonl.base@named", &old),
    ]);
    let classes = |words: &[&str], code: i32| -> Vec<String> {
        let ran = folder.run(&[words, &["--home=home", "--format=json"]].concat());
        assert_eq!(ran.code, code, "{ran:#?}");
        let report: Value = serde_json::from_str(&ran.out).unwrap();
        let rows = report["rows"].as_array().unwrap().iter();
        let row = |row: &Value| {
            let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
            let [path, class] = [&row["path"], &row["class"]].map(text);
            format!("{path} {} {class}", text(&row["metric"]["kind"]))
        };
        rows.map(row).collect()
    };
    let expected = [
        "lib::all::fails - failed",
        "lib::all::limited Ir regressed",
        "lib::all::summed::small Ir changed",
        "lib::all::heap Ir changed",
        "lib::all::summed::large Ir changed",
        "bin::programs::tool::ten Ir changed",
        "lib::all::positional::sizes_3 Ir new",
        // The list of arguments has one more at its front.
        "lib::all::positional::sizes_0 Ir not_compared",
        "lib::all::positional::sizes_1 Ir not_compared",
        "lib::all::positional::sizes_2 Ir not_compared",
        "lib::all::heap TotalBytes same",
        "lib::all::unchanged Ir same",
    ];
    assert_eq!(classes(&["compare", "old.jsonl", "home"], 1), expected);
    assert_eq!(classes(&["compare", "@named"], 1), expected);
    let limited = ["compare", "@named", "--only=::limited"];
    assert_eq!(classes(&limited, 3), expected[1..2]);
    let back = ["compare", "home", "old.jsonl", "--only=::limited"];
    assert_eq!(classes(&back, 0), ["lib::all::limited Ir improved"]);
    // Without marks nothing is the same code: each change is judged.
    let itself = ["compare", "@named", "old.jsonl", "--only=lib::all::heap"];
    let same = ["lib::all::heap Ir same", "lib::all::heap TotalBytes same"];
    assert_eq!(classes(&itself, 0), same);

    let accepted = [
        "accept",
        "@named",
        "--home=home",
        "--accepted=accepted.toml",
    ];
    fs::write(folder.path().join("accepted.toml"), "version = 1\n").unwrap();
    assert_eq!(folder.run(&accepted).code, 0);
    let written = fs::read_to_string(folder.path().join("accepted.toml")).unwrap();
    assert!(
        written
            .ends_with("\"lib::all::limited\" = { Ir = 734, own = 734, libc = \"glibc 2.36\" }\n"),
        "{written}"
    );
    let history = folder.run(&["history", "old.jsonl", "home", "--only=::tool"]);
    history.check(
        0,
        "recorded bin::programs::tool::ten  Instructions, 2026-11-26, 2 commits\n  \
         2026-11-26  e82bd55       297,706\n  \
         2026-11-26  7fee32c       298,906      +0.40%\n",
    );
}

/// `available_parallelism` counts by the machine: the limit stands beside the change that is beyond
/// it only.
#[test]
fn the_same_code_elsewhere_is_said_with_the_change_that_was_judged() {
    let side = |libc: &str, counts: &[(&str, u64, u64)]| {
        let records = counts.iter().map(|(name, all, own)| {
            let mut record = record("p", name, *all);
            record["system"]["libc"] = json!(libc);
            record["profiles"][0]["environment"]["code"] = json!("3b39");
            record["profiles"][0]["objects"] = json!([
                {"name": "app", "own": true, "Ir": own}, {"name": "libc.so.6", "own": false, "Ir": all - own},
            ]);
            record
        });
        lines(records.chain([run("p", counts.len())]))
    };
    let folder = Folder::with(&[
        (
            "old.jsonl",
            &side(
                "glibc 2.36",
                &[("more", 1000, 700), ("less", 1000, 700), ("out", 1000, 700)],
            ),
        ),
        (
            "new.jsonl",
            &side(
                "glibc 2.41",
                &[("more", 1004, 770), ("less", 996, 630), ("out", 1072, 700)],
            ),
        ),
    ]);
    folder.run(&["compare", "old.jsonl", "new.jsonl"]).check(
        0,
        "old  3e3457e  main  2026-11-20  3 benchmarks  old.jsonl\n\
         new  3e3457e  main  2026-11-20  3 benchmarks  new.jsonl\n\
         differs: C library glibc 2.36 | glibc 2.41 (3 benchmarks): instructions are judged on own code\n\
         the same executable under other conditions: no change is one of the code, so none regresses or improves\n\
         limits: Instructions +5%\n\
         \n\
         \x20                                      old         new      change\n\
         Not judged (2)\n  \
         p app::g::less  Instructions       1,000         996      -0.40%  own 700 | 630  -10.0%\n      \
         not judged: the same code, other data or machine\n  \
         p app::g::more  Instructions       1,000       1,004      +0.40%  own 700 | 770  +10.0%  > +5%\n      \
         not judged: the same code, other data or machine\n\
         Changed outside own code: not judged (1)\n  \
         p app::g::out   Instructions       1,000       1,072      +7.20%  own 700 | 700  same\n\
         \n\
         Iai-Callgrind result: Ok. 3 compared; 0 regressed; 0 improved; 0 changed; 0 unchanged; 2 not judged; \
         1 changed outside own code\n",
    );
}

/// Parts of two machines, of which the second one has another C library.
#[test]
fn conditions_that_differ_between_parts_are_said_and_strict_refuses_them() {
    let part = |part: u64, libc: &str, counts: &[(&str, u64)]| {
        let mut run = run("p", counts.len());
        run["partition"] = json!({"kind": "hash", "part": part, "parts": 2});
        let records = counts.iter().map(|(name, count)| {
            let mut record = record("p", name, *count);
            record["system"]["libc"] = json!(libc);
            record
        });
        lines(records.chain([run]))
    };
    let folder = Folder::with(&[
        ("1.jsonl", &part(1, "glibc 2.36", &[("a", 1), ("b", 2)])),
        ("2.jsonl", &part(2, "glibc 2.39", &[("c", 3)])),
        ("3.jsonl", &part(2, "glibc 2.36", &[("c", 3)])),
    ]);
    let said = "results of one side differ in C library glibc 2.36 (2 benchmarks) | glibc 2.39 (1 benchmark)";
    let merged = folder.run(&["merge", "-o", "all.jsonl", "1.jsonl", "2.jsonl"]);
    assert_eq!(
        (merged.code, &*merged.err),
        (0, &*format!("warning: {said}\n"))
    );
    let report = folder.run(&["report", "all.jsonl"]);
    assert_eq!(report.code, 0);
    assert!(
        report.out.contains(&format!("note: {said}\n")),
        "{report:#?}"
    );
    let strict = folder.run(&["report", "--strict", "all.jsonl"]);
    assert_eq!(strict.code, 1);
    let error = "error: results of several conditions are among those of one side (`--strict`)";
    assert!(strict.out.contains(error), "{strict:#?}");

    let words = [
        "merge",
        "--strict",
        "-o",
        "none.jsonl",
        "1.jsonl",
        "2.jsonl",
    ];
    let refused = folder.run(&words);
    assert_eq!(refused.code, 1);
    let error = "error: the results differ in C library glibc 2.36 (2 benchmarks) | glibc 2.39 (1 benchmark) \
                 (`--strict`)\n  hint: measure all parts in one image, or go without `--strict`\n";
    assert!(refused.err.ends_with(error), "{refused:#?}");
    assert!(!folder.path().join("none.jsonl").exists());

    // All is as it should be.
    let words = ["merge", "--strict", "-o", "-", "1.jsonl", "3.jsonl"];
    let alike = folder.run(&words);
    assert_eq!((alike.code, &*alike.err), (0, ""));
}

#[test]
fn the_merge_of_a_pull_request_is_named_by_its_two_sides() {
    let folder = two_sides();
    let event = json!({"number": 12, "pull_request": {
        "base": {"sha": "91aa0c2ff0", "ref": "main"}, "head": {"sha": "5be3302ff0", "ref": "json"}}});
    fs::write(folder.path().join("event.json"), event.to_string()).unwrap();
    let report = |commit: &str| {
        let mut command = folder.command(&["report", "new"]);
        command.env("GITHUB_EVENT_PATH", "event.json");
        Ran::of(command.env("GITHUB_SHA", commit).output().unwrap()).out
    };
    let said = "merge of pull request 12: 91aa0c2 (main) and 5be3302 (json)\n";
    assert!(report("3e3457e0d1").contains(said));
    // The head itself is checked out.
    assert!(!report("5be3302ff0").contains("pull request"));
}

/// The hint is to be copied as it is.
#[test]
fn what_is_wanted_is_accepted_with_the_same_limits() {
    let folder = two_sides();
    let file = folder.path().join("a b.toml");
    fs::write(&file, "version = 1\n").unwrap();
    let words = [
        "compare",
        "old.jsonl",
        "new",
        "--callgrind-limits=ir=0%|20000,estimatedcycles=3%",
        "--floor=10",
        "--only=::json",
        "--accepted=a b.toml",
    ];
    let ran = folder.run(&words);
    assert_eq!(ran.code, 3);
    let hint = ran.out.lines().last().unwrap();
    let command = hint
        .strip_prefix("  hint: intended? `iai-callgrind-runner ")
        .unwrap();
    let command = command.strip_suffix('`').unwrap();
    let words = shlex::split(command).unwrap();
    let expected = [
        "accept",
        "old.jsonl",
        "new",
        "--callgrind-limits=Ir=0%,EstimatedCycles=3%,Ir=20000",
        "--floor=10",
        "--only=::json",
        "--accepted=a b.toml",
    ];
    assert_eq!(words, expected);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    assert_eq!(folder.run(&words).code, 0);
    let written = fs::read_to_string(file).unwrap();
    assert!(written.contains("Ir = 16387"), "{written}");
}

#[test]
fn a_limit_far_below_the_value_may_lack_its_percent_sign() {
    let folder = two_sides();
    let limited = |limit: &str| folder.run(&["compare", "old.jsonl", "new", limit]).out;
    let note = "note: `ir=5` limits the value, which is 900; `ir=5%` limits the change\n";
    let shown = limited("--callgrind-limits=ir=5");
    assert!(shown.contains(note), "{shown}");
    let shown = limited("--callgrind-limits=ir=5%|16387");
    assert!(!shown.contains("limits the value"), "{shown}");
}

#[test]
fn a_regression_is_shown_with_the_rest_and_is_the_exit_code() {
    let folder = two_sides();
    folder.run(&["compare", "old.jsonl", "new"]).check(
        3,
        "\
old  3e3457e  main  2026-11-20  4 benchmarks  old.jsonl
new  3e3457e  main  2026-11-20  4 benchmarks  new
limits: Instructions +5%

                                           old         new      change
Regressed (1)
  exp1 app::g::json   Instructions      15,005      16,387      +9.21%  > +5%
Improved (1)
  exp1 app::g::less   Instructions       1,000         900      -10.0%
New (1)
  exp1 app::g::added  Instructions                     934
Gone (1)
  exp1 app::g::gone   Instructions           7
1 unchanged
note: causes need digests: both results have none; runs keep one beside each result, and `merge` writes them unless it has `--without-digests`

Iai-Callgrind result: Regressed. 3 compared; 1 regressed; 1 improved; 0 changed; 1 unchanged; 1 new; 1 gone
  hint: intended? `iai-callgrind-runner accept old.jsonl new`
",
    );
    let words = [
        "compare",
        "old.jsonl",
        "new",
        "--only=::json",
        "--callgrind-limits=ir=10%",
    ];
    folder.run(&words).check(
        0,
        "\
old  3e3457e  main  2026-11-20  1 benchmark  old.jsonl
new  3e3457e  main  2026-11-20  1 benchmark  new
limits: Instructions +10%

                                          old         new      change
Changed within limits (1)
  exp1 app::g::json  Instructions      15,005      16,387      +9.21%

Iai-Callgrind result: Changed. 1 compared; 0 regressed; 0 improved; 1 changed; 0 unchanged
",
    );
    // A regression goes before what is gone.
    assert_eq!(
        folder
            .run(&["compare", "new", "old.jsonl", "--strict"])
            .code,
        3
    );
}

#[test]
fn results_may_come_from_stdin_and_need_no_old_side() {
    let folder = two_sides();
    let mut command = folder.command(&["report", "-", "--format=csv"]);
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let text = format!("   Compiling\n{}", package("exp1", &[("json", 15005)]));
    child
        .stdin
        .take()
        .unwrap()
        .write_all(text.as_bytes())
        .unwrap();
    Ran::of(child.wait_with_output().unwrap()).check(
        0,
        "label,target,package,path,tool,metric,old,new,diff_pct,class,limit,own_old,own_new,own_diff_pct\r\n\
         ,x86_64-unknown-linux-gnu,exp1,app::g::json,callgrind,Ir,,15005,,new,5%,,,\r\n",
    );
}

#[test]
fn the_home_has_the_last_results_and_baselines() {
    let (old, new) = (
        package("exp1", &[("json", 10)]),
        package("exp1", &[("json", 20)]),
    );
    let folder = Folder::with(&[
        ("home/exp1/app/results.jsonl", &new),
        ("home/exp1/app/results.jsonl.base@main", &old),
        ("home/exp1/app/g/json/summary.json", &old),
    ]);
    let ran = folder.run(&["compare", "@main", "--home=home", "--format=csv"]);
    assert_eq!(ran.code, 3, "{ran:?}");
    assert!(
        ran.out
            .contains(",callgrind,Ir,10,20,100,regressed,5%,,,\r\n"),
        "{ran:?}"
    );
    let ran = folder.run(&["compare", "@other", "--home=home"]);
    assert_eq!(ran.code, 1);
    let expected =
        "error: no results in `@other`; run `cargo bench -- --save-baseline=other` first";
    assert!(ran.out.contains(expected), "{ran:?}");
    // A link below a directory is not followed, one that is named is.
    std::os::unix::fs::symlink("home", folder.path().join("link")).unwrap();
    assert_eq!(folder.run(&["report", "link"]).code, 0);
    assert!(!folder.run(&["report", "."]).out.contains("more than once"));
}

/// Two projects with one target directory, and the second one inside of the first.
#[test]
fn results_of_other_projects_are_left_out_by_all_commands() {
    let manifest = "[package]\nname = \"p\"\nversion = \"0.0.0\"\n[workspace]\n";
    let folder = Folder::with(&[
        ("Cargo.toml", manifest),
        ("src/lib.rs", ""),
        ("second/Cargo.toml", manifest),
        ("second/src/lib.rs", ""),
    ]);
    let root = fs::canonicalize(folder.path()).unwrap();
    let second = root.join("second");
    let of = |package: &str, workspace: &Path, counts: [u64; 2]| {
        let of_side = |count: u64| {
            let mut record = record(package, "json", count);
            record["files"]["workspace"] = json!(workspace);
            record["files"]["home_in_workspace"] = Value::Null;
            lines([record, run(package, 1)])
        };
        let directory = root.join("shared/iai").join(package).join("app");
        fs::create_dir_all(&directory).unwrap();
        fs::write(directory.join("results.jsonl.old"), of_side(counts[0])).unwrap();
        fs::write(directory.join("results.jsonl.base@x"), of_side(counts[0])).unwrap();
        fs::write(directory.join("results.jsonl"), of_side(counts[1])).unwrap();
        let points = counts.map(|count| {
            let (commit, at) = (
                format!("{count}aaaaaaaaa"),
                format!("2026-11-05T12:{count}:00Z"),
            );
            json!({
                "type": "point", "version": 1, "at": at, "package": package, "file": "app",
                "label": null, "source": {"commit": commit, "dirty": false, "committed_at": at},
                "code": commit, "rustc": "1.95.0", "valgrind": "3.19.0", "libc": "glibc 2.36",
                "runs": 1, "values": {"app::g::json": {"Ir": count}},
            })
        });
        fs::write(directory.join("history.jsonl"), lines(points)).unwrap();
    };
    of("first", &root, [10, 20]);
    of("second", &second, [11, 10]);
    let ran = |directory: &Path, shared: bool, words: &[&str]| {
        let mut command = folder.command(words);
        command.current_dir(directory);
        if shared {
            command.env("CARGO_TARGET_DIR", root.join("shared"));
        }
        Ran::of(command.output().unwrap())
    };
    let note = |other: &Path| {
        format!(
            "also has results of 1 bench file of other workspaces (`{}`), which are left out",
            other.display()
        )
    };
    for words in [
        &["compare"][..],
        &["compare", "@x"],
        &["report"],
        &["history", "--all"],
    ] {
        let of_second = ran(&second, true, words);
        assert_eq!(of_second.code, 0, "{of_second:#?}");
        let said = format!("{}{}", of_second.out, of_second.err);
        assert!(said.contains(&note(&root)), "{of_second:#?}");
        assert!(!said.contains("first app::"), "{of_second:#?}");
    }
    let page = ran(&second, true, &["open"]);
    assert_eq!(page.code, 0, "{page:#?}");
    let page = fs::read_to_string(root.join("shared/iai/report.html")).unwrap();
    assert!(page.contains("second") && !page.contains("first app::"));
    for (directory, regressed) in [(&second, 0), (&root, 1)] {
        let file = directory.join("a.toml");
        let words = ["accept", "--accepted=a.toml", "--callgrind-limits=ir=5%"];
        let accepted = ran(directory, true, &[&words[..], &["@x"]].concat());
        assert_eq!(accepted.code, 0, "{accepted:#?}");
        let text = fs::read_to_string(file).unwrap_or_default();
        assert_eq!(text.matches("Ir = ").count(), regressed, "{accepted:#?}");
    }
    let of_first = ran(&root, true, &["compare"]);
    assert_eq!(of_first.code, 3, "{of_first:#?}");
    assert!(of_first.out.contains(&note(&second)), "{of_first:#?}");
    assert!(!of_first.out.contains("second app::"), "{of_first:#?}");
    let explained = ran(&second, true, &["explain"]);
    explained.fails(2, "no result in `");
    // Who names the directory means all of it.
    let all = ran(&second, true, &["compare", "--home=../shared/iai"]);
    assert_eq!(all.code, 3, "{all:#?}");
    assert!(!all.out.contains("left out"), "{all:#?}");
    // The one inside ends at its own workspace, with cargo and without it.
    fs::rename(root.join("shared"), root.join("target")).unwrap();
    for words in [&["explain"][..], &["report"]] {
        let inside = ran(&second, false, words);
        assert_ne!(inside.code, 0, "{inside:#?}");
        let said = format!("{}{}", inside.out, inside.err);
        assert!(said.contains("in `target/iai`"), "{said}");
        let mut command = folder.command(words);
        let without = command.current_dir(&second).env("CARGO", "/no/such/cargo");
        let without = Ran::of(without.output().unwrap());
        without.fails(1, "the results of this project are not found");
    }
    let mut command = folder.command(&["report"]);
    let below = command.current_dir(root.join("src"));
    let below = Ran::of(below.env("CARGO", "/no/such/cargo").output().unwrap());
    assert_eq!(below.code, 0, "{below:#?}");
    assert!(below.out.contains("first app::g::json"), "{below:#?}");
}

/// A home whose last run compared with another one.
fn compared_home() -> Folder {
    let first = record("exp1", "first", 7);
    let new = lines([record("exp1", "json", 16387), first, run("exp1", 2)]);
    let old = lines([record("exp1", "json", 15005)]);
    Folder::with(&[
        ("home/exp1/app/results.jsonl", &new),
        ("home/exp1/app/results.jsonl.old", &old),
    ])
}

#[test]
fn without_arguments_the_last_results_are_compared_as_their_run_did() {
    let folder = compared_home();
    let ran = folder.run(&["compare", "--home=home"]);
    assert_eq!(ran.code, 3, "{ran:#?}");
    let begin =
        "old  3e3457e  main  2026-11-20  1 benchmark  the run before\nnew  3e3457e  main  2026-11-20  2 benchmarks  home\n";
    assert!(ran.out.starts_with(begin), "{ran:#?}");
    assert!(
        ran.out
            .contains("    15,005      16,387      +9.21%  > +5%"),
        "{ran:#?}"
    );
    assert!(
        ran.out.contains("New (1)\n  exp1 app::g::first"),
        "{ran:#?}"
    );
    // No argument names the run before, so `accept` cannot read it.
    assert!(!ran.out.contains("hint"), "{ran:#?}");
    let ran = folder.run(&["compare", "--home=home", "--format=csv"]);
    assert!(ran.out.contains(",callgrind,Ir,15005,16387,"), "{ran:?}");
    let first = Folder::with(&[(
        "home/exp1/app/results.jsonl",
        &package("exp1", &[("json", 10)]),
    )]);
    let ran = first.run(&["compare", "--home=home"]);
    assert_eq!(ran.code, 0, "{ran:#?}");
    let word = "result: Nothing compared. 1 benchmark\n";
    let note = "the last results in `home` were compared with nothing; change something and run `cargo bench` again";
    assert!(ran.out.contains(word) && ran.out.contains(note), "{ran:#?}");
    // A failure needs no old side.
    let mut failed = record("exp1", "json", 0);
    failed["status"] = json!("failed");
    failed["profiles"] = json!([]);
    failed["failures"] = json!([{"tool": "callgrind", "reason": "ended", "message": "panicked"}]);
    let failing = Folder::with(&[(
        "home/exp1/app/results.jsonl",
        &lines([failed, run("exp1", 1)]),
    )]);
    let ran = failing.run(&["compare", "--home=home"]);
    ran.fails(1, "");
    assert!(
        ran.out
            .contains("Failed (1)\n  exp1 app::g::json\n      callgrind: panicked\n"),
        "{ran:#?}"
    );
    let ran = folder.run(&["compare", "--home=elsewhere"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.out
            .contains("error: no results in `elsewhere`; run `cargo bench` first"),
        "{ran:?}"
    );
}

#[test]
fn the_page_of_the_last_results_is_written_and_its_place_said() {
    let folder = compared_home();
    folder
        .run(&["open", "--home=home"])
        .check(0, "home/report.html\n");
    let page = folder.path().join("home/report.html");
    let text = fs::read_to_string(&page).unwrap();
    assert!(
        text.contains("<h1>exp1 <small>3e3457e → 3e3457e</small></h1>"),
        "{text}"
    );
    assert!(
        text.contains("<td>regressed</td><td>+9.21%</td><td>16,387</td>"),
        "{text}"
    );
    // A page is no result.
    assert_eq!(folder.run(&["compare", "--home=home"]).code, 3);

    // A browser gets the whole path; one that is missing is a warning.
    let shown = folder.path().join("shown");
    fs::write(
        folder.path().join("browser"),
        "#!/bin/sh\nprintf %s \"$1\" >shown.new\nmv shown.new shown\n",
    )
    .unwrap();
    let browser = folder.path().join("browser");
    fs::set_permissions(
        &browser,
        std::os::unix::fs::PermissionsExt::from_mode(0o755),
    )
    .unwrap();
    let opened = |browser: &str| {
        let mut command = folder.command(&["open", "--home=home"]);
        Ran::of(command.env("BROWSER", browser).output().unwrap())
    };
    let ran = opened("/no/such/browser");
    ran.check(0, "home/report.html\n");
    ran.fails(
        0,
        "warning: cannot open the page with `/no/such/browser`: No such file",
    );
    opened(browser.to_str().unwrap()).check(0, "home/report.html\n");
    // Nobody waits for it but this test.
    while !shown.exists() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let path = fs::canonicalize(&page).unwrap();
    let told = fs::canonicalize(fs::read_to_string(&shown).unwrap()).unwrap();
    assert_eq!(told, path);

    // A first run has a page of its own, and what never ran has none.
    let first = Folder::with(&[(
        "home/exp1/app/results.jsonl",
        &package("exp1", &[("json", 10)]),
    )]);
    first
        .run(&["open", "--home=home"])
        .check(0, "home/report.html\n");
    folder.run(&["open", "--home=elsewhere"]).fails(
        1,
        "error: no results in `elsewhere`; run `cargo bench` first",
    );
    folder
        .run(&["open", "--home=home", "--baseline=main"])
        .fails(1, "no results in `@main`");
}

#[test]
fn earlier_results_are_the_history_of_a_page() {
    let folder = two_sides();
    let words = ["compare", "old.jsonl", "new", "--format=html"];
    let page = |more: &[&str]| folder.run(&[&words[..], more].concat());
    assert!(page(&[]).out.contains("\"points\":[]"));
    let ran = page(&["--history=old.jsonl", "--history=new"]);
    // Both sides are of one commit.
    assert!(
        ran.out
            .contains("\"points\":[{\"at\":\"2026-11-20T10:11:12Z\",\"commit\":\"3e3457e0d1\""),
        "{ran:#?}"
    );
    page(&["--history=none.jsonl"]).fails(1, "cannot read the results in `none.jsonl`");
}

#[test]
fn all_formats_are_written_and_files_stay_whole() {
    let folder = two_sides();
    let formats = [
        "text",
        "markdown",
        "json",
        "csv",
        "github",
        "gitlab",
        "junit",
        "bmf",
        "html",
        "github-action-benchmark",
    ];
    for format in formats {
        let export = format!("--export={format}=report");
        let ran = folder.run(&["compare", "old.jsonl", "new", "--format", format, &export]);
        assert_eq!(ran.code, 3, "{format}: {ran:#?}");
        assert_eq!(
            fs::read_to_string(folder.path().join("report")).unwrap(),
            ran.out,
            "{format}"
        );
        let has_count = ["16387", "16,387"]
            .iter()
            .any(|count| ran.out.contains(count));
        assert!(has_count, "{format}: {}", ran.out);
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
    let ran = folder.run(&["compare", "old.jsonl", "new", "--export=json=none/x"]);
    ran.fails(1, "cannot write `none/x`");
    folder
        .run(&["compare", "old.jsonl", "--export=yaml=x"])
        .fails(2, "yaml");
}

/// The object of the JSON format, checked against its schema.
#[track_caller]
fn checked(text: &str) -> Value {
    let schema = include_str!("../../../schemas/comparison.v1.schema.json");
    let schema = jsonschema::validator_for(&serde_json::from_str(schema).unwrap()).unwrap();
    let object: Value = serde_json::from_str(text).unwrap();
    let errors: Vec<String> = schema
        .iter_errors(&object)
        .map(|error| error.to_string())
        .collect();
    assert!(errors.is_empty(), "{errors:#?}\n{object:#}");
    object
}

#[test]
fn the_object_for_programs_has_a_schema_and_says_all() {
    let folder = two_sides();
    let of = |words: &[&str]| checked(&folder.run(&[words, &["--format=json"]].concat()).out);
    let found = of(&["compare", "old.jsonl", "new"]);
    let counts = &found["counts"];
    let counts = ["regressed", "improved", "new", "gone", "same"].map(|class| &counts[class]);
    assert_eq!(counts, [1, 1, 1, 1, 1]);
    assert_eq!(
        (&found["exit_code"], &found["outcome"]),
        (&json!(3), &json!("regressed"))
    );
    let row = &found["rows"][0];
    assert_eq!(row["metric"]["new"], 16387);
    assert_eq!(
        (&row["source_file"], &row["line"]),
        (&json!("benches/app.rs"), &json!(31))
    );
    assert_eq!(found["rows"].as_array().unwrap().len(), 5);
    assert_eq!(of(&["report", "new"])["old"], Value::Null);
}

#[test]
fn the_summary_of_a_job_is_added_to() {
    let folder = two_sides();
    fs::write(folder.path().join("summary"), "before\n").unwrap();
    let mut command = folder.command(&["compare", "old.jsonl", "new", "--format=github"]);
    command.env("GITHUB_STEP_SUMMARY", "summary");
    let ran = Ran::of(command.output().unwrap());
    assert!(
        ran.out.contains("\n::error file=benches/app.rs,line=31,"),
        "{}",
        ran.out
    );
    let summary = fs::read_to_string(folder.path().join("summary")).unwrap();
    assert!(
        summary.starts_with("before\n<!-- iai-callgrind: "),
        "{summary}"
    );
    command.env("GITHUB_STEP_SUMMARY", "not/there");
    Ran::of(command.output().unwrap()).fails(3, "cannot write the summary `not/there`");
}

#[test]
fn a_closed_stdout_does_not_change_the_verdict() {
    let folder = two_sides();
    let mut command = folder.command(&["compare", "old.jsonl", "new"]);
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    Ran::of(command.stdout(writer).output().unwrap())
        .fails(3, "the exit code is that of the verdict");
}

#[test]
fn a_benchmark_that_is_gone_ends_with_4_unless_it_may_be_missing() {
    let old = package("exp1", &[("json", 100), ("gone", 7)]);
    let new = package("exp1", &[("json", 100)]);
    let folder = Folder::with(&[("old.jsonl", &old), ("new.jsonl", &new)]);
    let compare = |more: &[&str]| {
        let ran = folder.run(&[&["compare", "old.jsonl", "new.jsonl"], more].concat());
        let last = ran.out.split("Iai-Callgrind result: ").nth(1).unwrap();
        (
            ran.code,
            last.lines().map(str::to_owned).collect::<Vec<_>>(),
        )
    };
    let counts = "1 compared; 0 regressed; 0 improved; 0 changed; 1 unchanged; 1 gone";
    let hint = "  hint: were they removed? `--allow-missing` goes without them";
    let incomplete = [format!("Incomplete. {counts}"), hint.to_owned()];
    assert_eq!(compare(&[]), (4, incomplete.to_vec()));
    assert_eq!(compare(&["--strict"]), (4, incomplete.to_vec()));
    assert_eq!(
        compare(&["--allow-missing"]),
        (0, vec![format!("Ok. {counts}")])
    );
    assert_eq!(compare(&["--only=json"]).0, 0);
    // A run with a filter was not to measure the others.
    let mut filtered = run("exp1", 1);
    filtered["filters"] = json!(["json"]);
    let filtered = lines([record("exp1", "json", 100), filtered]);
    fs::write(folder.path().join("new.jsonl"), filtered).unwrap();
    let not_run = counts.replace("gone", "not run");
    assert_eq!(compare(&[]), (0, vec![format!("Ok. {not_run}")]));
    // Nothing in common.
    let other = package("exp1", &[("other", 100)]);
    fs::write(folder.path().join("new.jsonl"), other).unwrap();
    for options in [&[][..], &["--allow-missing"]] {
        let (code, lines) = compare(options);
        assert_eq!(code, 4);
        assert!(
            lines[0].starts_with("Incomplete. 0 compared; "),
            "{lines:?}"
        );
        assert!(
            lines[1].contains("have no benchmark in common"),
            "{lines:?}"
        );
    }
    // A report alone compares nothing.
    let report = folder.run(&["report", "new.jsonl"]);
    assert_eq!(report.code, 0);
    assert!(
        report.out.contains("Results (1)\n")
            && report
                .out
                .contains("result: Nothing compared. 1 benchmark\n"),
        "{}",
        report.out
    );
}

#[test]
fn comparable_circumstances_can_be_required() {
    let mut other = record("exp1", "json", 16387);
    other["system"]["rustc"] = json!("1.96.0");
    let folder = two_sides();
    fs::write(
        folder.path().join("other.jsonl"),
        lines([other, run("exp1", 1)]),
    )
    .unwrap();
    let words = ["compare", "old.jsonl", "other.jsonl", "--only=json"];
    let ran = folder.run(&words);
    ran.check(
        0,
        "\
old  3e3457e  main  2026-11-20  1 benchmark  old.jsonl
new  3e3457e  main  2026-11-20  1 benchmark  other.jsonl
differs: rustc 1.95.0 | 1.96.0 (1 benchmark): nothing is judged
compiled by rustc 1.95.0 | 1.96.0: 1 of 1 changed, median +9.2%, not judged
limits: Instructions +5%

                                          old         new      change
Not judged (1)
  exp1 app::g::json  Instructions      15,005      16,387      +9.21%  > +5%

Iai-Callgrind result: Ok. 1 compared; 0 regressed; 0 improved; 0 changed; 0 unchanged; 1 not judged
",
    );
    let ran = folder.run(&[&words[..], &["--require-comparable"]].concat());
    assert_eq!(ran.code, 4, "{ran:#?}");
}

#[test]
fn errors_say_what_to_do_next() {
    let folder = two_sides();
    let ran = folder.run(&["compare", "old.jsonl", "none.jsonl"]);
    ran.fails(
        1,
        "cannot read the results in `none.jsonl`\n  caused by: No such file",
    );
    let ran = folder.run(&["report", "--home=nothing"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.out
            .contains("error: no results in `nothing`; run `cargo bench` first"),
        "{ran:?}"
    );
    folder
        .run(&["report"])
        .fails(1, "hint: run it in the project, or name the results");
    folder
        .run(&["compare", "old.jsonl", "--only=[x"])
        .fails(2, "no `]` closes");
    folder
        .run(&["compare", "old.jsonl", "--callgrind-limits=ir"])
        .fails(2, "is not of the form");
    let of_none = "no benchmark in `.` whose result can be explained matches `nope` or `neither`";
    folder
        .run(&["explain", "--home=.", "nope", "neither"])
        .fails(2, of_none);
    let help = folder.run(&["accept", "-h"]).out;
    assert!(help.contains("accept [OPTIONS] <OLD> <NEW>...\n"), "{help}");
    let newer = record("exp1", "json", 1)
        .to_string()
        .replace("\"version\":1", "\"version\":2");
    fs::write(folder.path().join("newer.jsonl"), newer).unwrap();
    folder.run(&["report", "newer.jsonl"]).fails(
        1,
        "hint: use the version of iai-callgrind-runner that wrote it",
    );
}

/// A comparison without the damaged line would be one without its regression.
#[test]
fn damaged_and_missing_records_are_errors_of_every_command() {
    let old = package("p", &[("json", 100), ("other", 7)]);
    let new = package("p", &[("json", 200), ("other", 7)]);
    let folder = Folder::with(&[("old.jsonl", &old), ("new.jsonl", &new)]);
    let limit = "--callgrind-limits=ir=5%";
    let compare = |old: &str, new: &str| folder.run(&["compare", limit, old, new]);
    assert_eq!(compare("old.jsonl", "new.jsonl").code, 3);
    let lines: Vec<&str> = new.lines().collect();
    let first = |edit: &dyn Fn(&str) -> Vec<u8>| {
        let rest = format!("\n{}\n{}\n", lines[1], lines[2]);
        [edit(lines[0]), rest.into_bytes()].concat()
    };
    let replaced = |from: &'static str, to: &'static [u8]| {
        first(&move |line: &str| {
            let (begin, end) = line.split_once(from).unwrap();
            [begin.as_bytes(), to, end.as_bytes()].concat()
        })
    };
    let text = "\"kind\":\"library\"";
    let damaged = [
        replaced(text, b"\"kind\":\"libr\xffry\""),
        replaced(text, b"\"kind\":\"library\" \"x\":1"),
        replaced("\"Ir\"", b"NaN"),
        replaced("\"version\":1", b"\"version\":1,\"version\":1"),
        replaced("\"version\":1", b"\"version\":-1"),
        replaced("\"version\":1", b"\"version\":\"1\""),
        // No record of ours any more, and one that was cut out: the run has counted them.
        replaced("\"type\":\"benchmark\"", b"\"type\":[\"benchmark\"]"),
        format!("{}\n{}\n", lines[1], lines[2]).into_bytes(),
        // The same of the record of the run, which counts them.
        format!("{}\n{}\n", lines[0], lines[1]).into_bytes(),
        new.replace("\"type\":\"run\"", "\"type\":[\"run\"]")
            .into_bytes(),
        new.replace("\"ending\":\"ok\"", "\"ending\":ok")
            .into_bytes(),
    ];
    for text in damaged {
        fs::write(folder.path().join("damaged.jsonl"), &text).unwrap();
        let text = String::from_utf8_lossy(&text);
        let merge = ["merge", "-o", "merged.jsonl", "damaged.jsonl"];
        for ran in [
            compare("old.jsonl", "damaged.jsonl"),
            compare("damaged.jsonl", "new.jsonl"),
            folder.run(&["report", "damaged.jsonl"]),
            folder.run(&merge),
            folder.run(&["accept", "old.jsonl", "damaged.jsonl", "--accepted=a.toml"]),
        ] {
            assert_eq!(ran.code, 1, "{text} {ran:#?}");
            let said = format!("{}{}", ran.out, ran.err);
            assert!(said.contains("damaged.jsonl`"), "{text} {said}");
        }
        assert!(!folder.path().join("merged.jsonl").exists(), "{text}");
        assert!(!folder.path().join("a.toml").exists(), "{text}");
    }
}

#[test]
fn merged_results_are_the_lines_in_their_order_whatever_the_order_of_the_files() {
    let (one, two) = (
        package("b", &[("x", 1), ("a", 2)]),
        package("a", &[("y", 3)]),
    );
    let folder = Folder::with(&[("1.jsonl", &one), ("2.jsonl", &two)]);
    let merge = |inputs: &[&str], output: &str| {
        let ran = folder.run(&[&["merge", "-o", output], inputs].concat());
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{ran:?}");
        ran.out
    };
    let merged = merge(&["1.jsonl", "2.jsonl"], "-");
    let expected = [
        record("a", "y", 3),
        record("b", "a", 2),
        record("b", "x", 1),
        run("a", 1),
        run("b", 2),
    ];
    assert_eq!(merged, lines(expected));
    assert_eq!(merge(&["2.jsonl", "1.jsonl"], "-"), merged);
    merge(&["."], "all.jsonl");
    assert_eq!(
        fs::read_to_string(folder.path().join("all.jsonl")).unwrap(),
        merged
    );
    let again = folder.run(&["merge", "-o", "all.jsonl", "all.jsonl", "1.jsonl"]);
    assert_eq!(again.code, 0);
    assert!(
        again.err.contains("2 results are there more than once"),
        "{}",
        again.err
    );
    assert_eq!(
        fs::read_to_string(folder.path().join("all.jsonl")).unwrap(),
        merged
    );
}

#[test]
fn a_side_that_is_not_whole_is_not_merged() {
    let half = |part| {
        let mut run = run("exp1", 1);
        run["partition"] = json!({"kind": "hash", "part": part, "parts": 2});
        lines([record("exp1", &format!("b{part}"), 5), run])
    };
    let folder = Folder::with(&[("1.jsonl", &half(1)), ("2.jsonl", &half(2)), ("out", "old")]);
    let ran = folder.run(&["merge", "-o", "out", "1.jsonl"]);
    ran.fails(
        1,
        "error: part 2 of 2 of exp1 app is missing: `--partition=hash:2/2` measures it",
    );
    assert_eq!(
        fs::read_to_string(folder.path().join("out")).unwrap(),
        "old"
    );
    assert_eq!(
        folder
            .run(&["merge", "-o", "out", "1.jsonl", "2.jsonl"])
            .code,
        0
    );
    assert_eq!(
        folder
            .run(&["merge", "-o", "out", "1.jsonl", "--allow-missing"])
            .code,
        0
    );
}

/// GitHub reads stderr as well, and errors quote what they cannot read.
#[test]
fn an_error_carries_no_command_into_the_log_of_a_job() {
    let mut hostile = record("exp1", "json", 16387);
    hostile["profiles"][0]["mode"] = json!("x\n::stop-commands::t\n  ::error title=forged::lost");
    let folder = Folder::with(&[
        ("old.jsonl", &package("exp1", &[("json", 1)])),
        ("new.jsonl", &lines([hostile, run("exp1", 1)])),
    ]);
    for words in [
        &["compare", "old.jsonl", "new.jsonl"][..],
        &["compare", "--format=github", "old.jsonl", "new.jsonl"],
        &["report", "new.jsonl"],
        &["merge", "-o", "merged.jsonl", "new.jsonl"],
    ] {
        let mut command = folder.command(words);
        let ran = Ran::of(command.env("GITHUB_ACTIONS", "true").output().unwrap());
        ran.fails(1, "\\::stop-commands::t");
        let commands = [&ran.out, &ran.err].map(|text| {
            let lines = text.lines().map(str::trim_start);
            lines.filter(|line| line.starts_with("::")).count()
        });
        assert_eq!(commands, [0, 0], "{ran:#?}");
    }
}

/// Nothing that is named, or that lies in a checkout, is waited for or read without an end.
#[test]
fn devices_and_pipes_stop_no_command() {
    let folder = two_sides();
    // `accept` writes into projects.
    fs::write(folder.path().join("Cargo.lock"), "").unwrap();
    for device in ["/dev/zero", "/dev/urandom"] {
        folder.run(&["report", device]).fails(1, "it is a device");
    }
    // Below a directory only files are read.
    let whole = folder.run(&["report", "new"]);
    let below = folder.path().join("new/below");
    fs::create_dir(&below).unwrap();
    for (target, name) in [
        ("/dev/zero", "device.jsonl"),
        ("loop.jsonl", "loop.jsonl"),
        ("..", "above"),
    ] {
        symlink(target, below.join(name)).unwrap();
    }
    nix::unistd::mkfifo(&below.join("fifo.jsonl"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    let same = folder.run(&["report", "new"]);
    assert_eq!((same.code, &same.out), (whole.code, &whole.out), "{same:?}");
    folder
        .run(&["report", "new/below/loop.jsonl"])
        .fails(1, "cannot read the results in `new/below/loop.jsonl`");
    let accepted = folder.path().join("iai-accepted.toml");
    symlink("/dev/zero", &accepted).unwrap();
    let compare = ["compare", "old.jsonl", "new"];
    folder.run(&compare).fails(1, "it is a symbolic link");
    let named = [
        "compare",
        "old.jsonl",
        "new",
        "--accepted=iai-accepted.toml",
    ];
    folder.run(&named).fails(1, "it is a device");
    fs::remove_file(&accepted).unwrap();
    nix::unistd::mkfifo(&accepted, nix::sys::stat::Mode::S_IRWXU).unwrap();
    for words in [
        &compare[..],
        &["report", "new"],
        &["accept", "old.jsonl", "new"],
    ] {
        folder.run(words).fails(1, "it is a FIFO");
    }
}

#[test]
fn hostile_names_are_data_in_every_format() {
    let mut hostile = record("exp1", "json", 16387);
    hostile["benchmark"]["path"] = json!(format!("app::g::{HOSTILE}"));
    hostile["source"]["branch"] = json!(HOSTILE);
    let mut old = hostile.clone();
    old["profiles"][0]["metrics"][0]["new"] = json!(15005);
    let sides = [old, hostile].map(|side| lines([side, run("exp1", 1)]));
    let folder = Folder::with(&[("old.jsonl", &sides[0]), ("new.jsonl", &sides[1])]);
    let of = |format| folder.run(&["compare", "old.jsonl", "new.jsonl", "--format", format]);
    for format in [
        "text",
        "github",
        "markdown",
        "csv",
        "json",
        "gitlab",
        "junit",
        "bmf",
        "html",
        "github-action-benchmark",
    ] {
        let ran = of(format);
        assert_eq!(ran.code, 3, "{format}: {ran:#?}");
        let commands = ran.out.lines().filter(|line| line.starts_with("::"));
        assert_eq!(
            commands.count(),
            usize::from(format == "github"),
            "{format}: {}",
            ran.out
        );
        assert!(
            !ran.out.contains(['\x1b', '\u{202e}']),
            "{format}: {}",
            ran.out
        );
    }
    let text = of("text").out;
    assert!(
        text.contains("a|b`c\\n::error::d\\r\\u{1b}[2J\\u{202e}-->,"),
        "{text}"
    );
    let json = checked(&of("json").out);
    assert_eq!(json["rows"][0]["path"], format!("app::g::{HOSTILE}"));
    let table = of("csv").out;
    let rows: Vec<Vec<String>> = table.lines().map(csv_fields).collect();
    let lengths: Vec<usize> = rows.iter().map(Vec::len).collect();
    assert_eq!(lengths, [14, 14], "{table}");
    assert!(rows[1][3].starts_with("app::g::a|b`c"), "{table}");
    assert!(
        rows[1][3].ends_with("-->,\"e\"=f,'g' $(h)<i>&j;"),
        "{table}"
    );
}

/// The fields of a line as RFC 4180 describes them, read without the library that wrote it.
fn csv_fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut is_quoted = false;
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        let field = fields.last_mut().unwrap();
        match character {
            '"' if is_quoted && characters.next_if_eq(&'"').is_some() => field.push('"'),
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => fields.push(String::new()),
            other => field.push(other),
        }
    }
    fields
}
