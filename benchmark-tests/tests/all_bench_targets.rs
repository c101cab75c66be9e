//! `iai-callgrind-runner bench`: all bench targets of a workspace with one command and one verdict.

use std::process::Command;

use benchmark_tests::user::{self, Package};
use benchmark_tests::{build, Ended};
use serde_json::Value;

const FINE: &str = "
#[library_benchmark]
fn sum() -> u64 {
    (0..black_box(10)).fold(0, |sum, i| sum + black_box(i))
}
";

const TOO_EXPENSIVE: &str = "
#[library_benchmark(config = LibraryBenchmarkConfig::default()
    .tool(Callgrind::default().hard_limits([(EventKind::Ir, 10)])))]
fn limited() -> u64 {
    (0..black_box(10)).fold(0, |sum, i| sum + black_box(i))
}
";

const PANICS: &str = "
#[library_benchmark]
fn panics() {
    panic!(\"on purpose\");
}
";

const OTHER_HARNESS: &str = "fn main() { panic!(\"another harness runs\"); }";

fn bench(benchmarks: &str) -> String {
    format!(
        "#![allow(unused_imports)]\nuse std::hint::black_box;\n\n\
         use iai_callgrind::{{library_benchmark, main, Callgrind, EventKind, LibraryBenchmarkConfig}};\n\
         {benchmarks}\nmain!();\n"
    )
}

/// A workspace of two packages, whose targets are `everything_fine`, `everything_limited` and one of another harness.
struct Workspace(Package);

impl Workspace {
    fn new() -> Self {
        let library = format!(
            "[dev-dependencies.iai-callgrind]\npath = {:?}\n\n",
            user::library()
        );
        let target = |name: &str| format!("[[bench]]\nname = \"{name}\"\nharness = false\n\n");
        let manifest = |targets: &str| format!("{library}{targets}");
        let member = format!(
            "[package]\nname = \"everything-member\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n{}",
            manifest(&(target("everything_limited") + &target("everything_fine")))
        );
        let files = [
            ("src/lib.rs", String::new()),
            ("benches/everything_fine.rs", bench(FINE)),
            ("member/Cargo.toml", member),
            ("member/src/lib.rs", String::new()),
            ("member/benches/everything_limited.rs", bench(TOO_EXPENSIVE)),
            // Of the same name as one of ours.
            (
                "member/benches/everything_fine.rs",
                OTHER_HARNESS.to_owned(),
            ),
        ];
        let files = files.each_ref().map(|(name, text)| (*name, text.as_str()));
        let root = manifest(&target("everything_fine"));
        let package = Package::new("everything", &root, &files);
        let manifest = package.path().join("Cargo.toml");
        let text = std::fs::read_to_string(&manifest).unwrap();
        std::fs::write(manifest, text + "members = [\"member\"]\n").unwrap();
        Self(package)
    }

    fn write(&self, file: &str, text: &str) {
        std::fs::write(self.0.path().join(file), text).unwrap();
    }

    fn bench(&self, arguments: &[&str]) -> Ended {
        let mut command = Command::new(build::runner());
        for (name, _) in std::env::vars_os() {
            let name = name.to_string_lossy().into_owned();
            if name.starts_with("IAI_CALLGRIND") || name.starts_with("CARGO_PKG") {
                command.env_remove(name);
            }
        }
        let output = command
            .arg("bench")
            .args(arguments)
            .current_dir(self.0.path())
            .env("IAI_CALLGRIND_HOME", "results")
            .env(
                "CARGO_TARGET_DIR",
                concat!(env!("CARGO_TARGET_TMPDIR"), "/users"),
            )
            .output()
            .unwrap();
        Ended {
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
            status: output.status,
        }
    }
}

#[test]
fn all_targets_run_and_have_one_verdict() {
    let workspace = Workspace::new();
    let regressed = workspace.bench(&["--workspace"]).code(3);
    regressed.shows(&[
        "everything_fine::main::sum\n",
        "everything_limited::main::limited\n",
        "  everything-member everything_limited: 1 regressed\n",
        "Iai-Callgrind result of 2 bench targets: Regressed. 1 without regressions; 1 regressed; 2 benchmarks finished in ",
    ]);

    // The package at the root alone, with a filter for its benchmarks.
    let fine = workspace.bench(&["-p", "everything", "--", "sum"]).code(0);
    fine.shows(&["Iai-Callgrind result of 1 bench target: Ok. 1 without regressions; 0 regressed; 1 benchmarks"])
        .without("limited");

    // A failure goes before a regression, and stdout is for programs.
    workspace.write(
        "benches/everything_fine.rs",
        &bench(&[FINE, PANICS].concat()),
    );
    let failed = workspace
        .bench(&["--workspace", "--", "--output-format=json"])
        .code(1);
    let failed = failed.says(&[
        "  everything everything_fine: 1 failed\n",
        "Iai-Callgrind result of 2 bench targets: Failed. 1 without regressions; 1 regressed; 1 failed;",
    ]);
    let mut types: Vec<String> = failed
        .stdout
        .lines()
        .map(|line| {
            let record: Value = serde_json::from_str(line).unwrap();
            record["type"].as_str().unwrap().to_owned()
        })
        .collect();
    // Cargo has an order of its own.
    types.sort_unstable();
    assert_eq!(types, ["benchmark", "benchmark", "benchmark", "run", "run"]);

    let usage = workspace.bench(&["--workspace", "--", "--unknown"]).code(2);
    usage.says(&["unexpected argument '--unknown'"]);
    let none = workspace
        .bench(&["-p", "everything-member", "--bench", "everything_fine"])
        .code(2);
    none.says(&["no bench target that cargo selects has benchmarks of iai-callgrind"]);
    let unknown = workspace.bench(&["-p", "unknown"]).code(1);
    unknown.says(&["cargo bench --no-run", "its messages stand above"]);
}
