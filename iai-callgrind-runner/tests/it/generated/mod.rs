//! Records as runs write them, made without running anything, and the runner's executable over them.

#![allow(dead_code, reason = "each test uses a part of it")]
#![expect(
    clippy::disallowed_methods,
    reason = "tests start the runner and write files; nothing of it is in the runner"
)]

use std::path::Path;
use std::process::Command;

use serde_json::{json, Value};

/// The target of all records.
pub(crate) const TARGET: &str = "x86_64-unknown-linux-gnu";

/// A benchmark, and what was counted.
#[derive(Debug, Clone)]
pub(crate) struct Counted {
    pub(crate) package: &'static str,
    pub(crate) path: String,
    /// Instructions, and those of the program's own code.
    pub(crate) instructions: u64,
    pub(crate) own: u64,
    pub(crate) started_at: String,
    pub(crate) duration_ns: u64,
    /// The limit on a rise of the instructions, in percent.
    pub(crate) limit: Option<f64>,
}

/// A run, with the facts that all of its records have.
#[derive(Debug, Clone)]
pub(crate) struct Facts {
    pub(crate) commit: String,
    pub(crate) committed_at: String,
    pub(crate) libc: &'static str,
    pub(crate) rustc: &'static str,
    pub(crate) label: Option<&'static str>,
    pub(crate) code: String,
}

/// The result of `app::g::<function>` in `exp1`, with a limit of 5 %.
pub(crate) fn counted(function: &str, instructions: u64) -> Counted {
    Counted {
        package: "exp1",
        path: format!("app::g::{function}"),
        instructions,
        own: instructions - instructions / 10,
        started_at: "2026-11-20T10:00:01.000Z".to_owned(),
        duration_ns: 1_000_000,
        limit: Some(5.0),
    }
}

/// Facts of a commit of this day of a November.
pub(crate) fn facts(commit: &str, day: u32) -> Facts {
    Facts {
        commit: commit.to_owned(),
        committed_at: format!("2026-11-{day:02}T10:00:00Z"),
        libc: "glibc 2.36",
        rustc: "1.95.0 (59807616e 2026-04-14)",
        label: None,
        code: commit.to_owned(),
    }
}

impl Facts {
    fn system(&self) -> Value {
        json!({
            "runner": "0.17.0", "library": "0.17.0", "target": TARGET, "rustc": self.rustc, "libc": self.libc,
            "cpu": "a processor", "cpu_features": ["avx2"],
        })
    }

    fn source(&self) -> Value {
        json!({"commit": self.commit, "committed_at": self.committed_at, "dirty": false, "code": self.code})
    }

    /// The record of a benchmark, on a line.
    pub(crate) fn benchmark(&self, counted: &Counted) -> String {
        let mut parts = counted.path.splitn(4, "::");
        let [file, group, function, id] = [(); 4].map(|()| parts.next());
        let limits: Vec<Value> = counted
            .limit
            .map(|limit| json!({"type": "soft", "kind": "Ir", "limit": limit}))
            .into_iter()
            .collect();
        let mut record = json!({
            "type": "benchmark", "version": 1, "status": "ok",
            "source": self.source(),
            "benchmark": {
                "path": counted.path, "kind": "library", "package": counted.package, "file": file,
                "group": group, "function": function, "id": id, "args": null, "command": null,
                "description": null, "source_file": "benches/app.rs", "line": 31,
            },
            "baselines": {"new": null, "old": null}, "started_at": counted.started_at,
            "duration_ns": counted.duration_ns,
            "profiles": [{
                "tool": "callgrind", "mode": "fork", "started_at": counted.started_at,
                "duration_ns": counted.duration_ns, "parts": [], "regressions": [], "errors": [],
                "notes": [], "out_files": [], "log_files": [], "limits": limits,
                "objects": [
                    {"name": "app", "own": true, "Ir": counted.own},
                    {"name": "libc.so.6", "own": false, "Ir": counted.instructions - counted.own},
                ],
                "environment": {"valgrind_version": "3.19.0", "valgrind_args": [], "caches": []},
                "metrics": [{"kind": "Ir", "label": "Instructions", "unit": null, "shown": true,
                    "new": counted.instructions, "old": null, "diff_pct": null, "factor": null}],
            }],
            "failures": [], "comparisons": [], "directory": "exp1/app/g",
            "files": {"workspace": "/w", "package_dir": "/w", "bench_file": "/w/b.rs", "executable": "/w/e",
                "home": "/w/target/iai", "home_in_workspace": "target/iai"},
            "system": self.system(),
        });
        if let Some(label) = self.label {
            record["label"] = label.into();
        }
        format!("{record}\n")
    }

    /// The record at the end of the run of a bench file that measured so many benchmarks of its suite.
    pub(crate) fn run(
        &self,
        package: &str,
        file: &str,
        [measured, suite]: [usize; 2],
        partition: Option<Value>,
    ) -> String {
        let mut record = json!({
            "type": "run", "version": 1, "ending": "ok", "exit_code": 0, "signal": null, "message": null,
            "counts": {"ok": measured, "regressed": 0, "failed": 0, "filtered": 0, "not_run": 0},
            "started_at": "2026-11-20T10:00:00.000Z", "duration_ns": 5,
            "package": package, "file": file, "source": self.source(),
            "baselines": {"new": null, "old": null}, "files": null, "system": self.system(),
            "valgrind": {"path": "/usr/bin/valgrind", "version": "3.19.0"}, "warnings": [], "errors": [],
            "suite": {"benchmarks": suite, "hash": format!("{suite:x}")},
        });
        if let Some(partition) = partition {
            record["partition"] = partition;
        }
        if let Some(label) = self.label {
            record["label"] = label.into();
        }
        format!("{record}\n")
    }

    /// The records of a whole run of `app` in `exp1`.
    pub(crate) fn records(&self, all: &[Counted]) -> String {
        let benchmarks: String = all.iter().map(|counted| self.benchmark(counted)).collect();
        benchmarks + &self.run("exp1", "app", [all.len(); 2], None)
    }
}

/// Exit code and output of a command of the runner.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Runs the runner in a directory.
pub(crate) fn runner(directory: &Path, words: &[&str]) -> Ended {
    let output = Command::new(env!("CARGO_BIN_EXE_iai-callgrind-runner"))
        .args(words)
        .current_dir(directory)
        .env_clear()
        .output()
        .unwrap();
    Ended {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Runs the runner, which has to end with this code.
#[track_caller]
pub(crate) fn runs(directory: &Path, words: &[&str], code: i32) -> Ended {
    let ended = runner(directory, words);
    assert_eq!(ended.code, Some(code), "{words:?}: {ended:#?}");
    ended
}

/// The first block of shell lines of a page of the documentation that contains a text.
#[track_caller]
pub(crate) fn shell_block(page: &str, containing: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../docs")
        .join(page);
    let text = std::fs::read_to_string(path).unwrap();
    let blocks = text.split("```sh\n").skip(1);
    let mut blocks = blocks.map(|rest| rest.split("```").next().unwrap());
    let block = blocks.find(|block| block.contains(containing));
    block
        .unwrap_or_else(|| panic!("no block with {containing:?} in {page}"))
        .to_owned()
}

/// Runs shell lines in a directory, with git's identity of a test and nothing of this user's configuration.
#[track_caller]
pub(crate) fn shell(directory: &Path, home: &Path, lines: &str) -> String {
    let output = Command::new("sh")
        .args(["-ec", lines])
        .current_dir(directory)
        .env("HOME", home)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .envs([
            ("GIT_AUTHOR_NAME", "a"),
            ("GIT_AUTHOR_EMAIL", "a@b"),
            ("GIT_COMMITTER_NAME", "a"),
        ])
        .env("GIT_COMMITTER_EMAIL", "a@b")
        .output()
        .unwrap();
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{lines}\n{err}");
    String::from_utf8(output.stdout).unwrap()
}
