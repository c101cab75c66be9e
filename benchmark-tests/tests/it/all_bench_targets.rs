//! `iai-callgrind-runner bench`: all bench targets of a workspace with one command and one verdict.

use std::path::Path;

use benchmark_tests::user::{self, Package, PROFILE};
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

/// A workspace of two packages, with bench targets of ours and one of another harness.
struct Workspace(Package);

impl Workspace {
    /// `name` begins the names of packages and targets, which are all in one target directory.
    fn named(name: &str) -> Self {
        let library = format!(
            "[dev-dependencies.iai-callgrind]\npath = {:?}\n\n",
            user::library()
        );
        let [fine, limited] = ["fine", "limited"].map(|what| format!("{name}_{what}"));
        let target = |name: &str| format!("[[bench]]\nname = \"{name}\"\nharness = false\n\n");
        let (fine_target, limited_target) = (target(&fine), target(&limited));
        let member = format!(
            "[package]\nname = \"{name}-member\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n\
             {library}{limited_target}{fine_target}"
        );
        let file = |directory: &str, target: &str| format!("{directory}benches/{target}.rs");
        let files = [
            ("src/lib.rs".to_owned(), String::new()),
            (file("", &fine), bench(FINE)),
            ("member/Cargo.toml".to_owned(), member),
            ("member/src/lib.rs".to_owned(), String::new()),
            (file("member/", &limited), bench(TOO_EXPENSIVE)),
            // A target with the same name as one of ours.
            (file("member/", &fine), OTHER_HARNESS.to_owned()),
        ];
        let files = files
            .each_ref()
            .map(|(name, text)| (name.as_str(), text.as_str()));
        let package = Package::new(name, &(library + &fine_target), &files);
        let manifest = package.path().join("Cargo.toml");
        let text = std::fs::read_to_string(&manifest).unwrap();
        let members = "members = [\"member\"]\n";
        std::fs::write(manifest, text + members + PROFILE).unwrap();
        Self(package)
    }

    fn write(&self, file: &str, text: &str) {
        std::fs::write(self.0.path().join(file), text).unwrap();
    }

    fn bench(&self, arguments: &[&str]) -> Ended {
        self.run(&build::runner(), &[&["bench"], arguments].concat())
    }

    fn run(&self, program: &Path, arguments: &[&str]) -> Ended {
        let mut command = user::command(program);
        let output = command
            .args(arguments)
            .current_dir(self.0.path())
            .env("IAI_CALLGRIND_HOME", "results")
            .env("IAI_CALLGRIND_RUNNER", build::runner())
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
    let workspace = Workspace::named("everything");
    let regressed = workspace.bench(&["--workspace"]).code(3);
    regressed.shows(&[
        "everything everything_fine::main::sum\n",
        "everything-member everything_limited::main::limited\n",
        "  everything-member everything_limited: 1 regressed\n    everything_limited::main::limited  Instructions ",
        "Iai-Callgrind result of 2 bench targets: Regressed. 1 without regressions; 1 regressed; 0 compared; 2 new; 2 benchmarks finished in ",
    ]);

    // The package at the root alone, with a filter for its benchmarks.
    let fine = workspace.bench(&["-p", "everything", "--", "sum"]).code(0);
    fine.shows(&["Iai-Callgrind result of 1 bench target: Ok. 1 without regressions; 0 regressed; 1 compared; 1 benchmarks"])
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
        "Iai-Callgrind result of 2 bench targets: Failed. 1 without regressions; 1 regressed; 2 compared; 1 failed;",
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
    unknown.says(&["cargo bench --no-run", "see its messages above"]);
}

/// Verdicts of cargo and each command on a target that is fine, one that regresses, one that fails
/// and one without a match.
#[test]
fn every_target_runs_under_cargo_and_the_verdict_is_that_of_the_comparison() {
    let workspace = Workspace::named("verdict");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let cargo = |arguments: &[&str]| {
        let all = [
            "bench",
            "--quiet",
            "--bench",
            "verdict_fine",
            "--",
            "--exit-zero",
        ];
        workspace.run(Path::new(&cargo), &[&all[..], arguments].concat())
    };
    let runner = |arguments: &[&str]| workspace.run(&build::runner(), arguments);
    cargo(&[]).code(0);
    runner(&["merge", "-o", "old.jsonl", "results"]).code(0);
    runner(&["compare", "old.jsonl", "results"]).code(0);

    workspace.write(
        "benches/verdict_fine.rs",
        &bench(&[FINE, TOO_EXPENSIVE].concat()),
    );
    cargo(&[])
        .code(0)
        .says(&["exit code 0 instead of 3 (--exit-zero)"]);
    let regressed = runner(&["compare", "--format=json", "old.jsonl", "results"]).code(3);
    let report: Value = serde_json::from_str(&regressed.stdout).unwrap();
    assert_eq!(report["counts"]["regressed"], 1, "{report:#}");
    assert_eq!(report["exit_code"], 3);

    workspace.write("benches/verdict_fine.rs", &bench(&[FINE, PANICS].concat()));
    cargo(&[])
        .code(0)
        .says(&["exit code 0 instead of 1 (--exit-zero)"]);
    runner(&["merge", "-o", "new.jsonl", "results"]).code(0);
    let failed = runner(&["compare", "--format=json", "old.jsonl", "new.jsonl"]).code(1);
    let report: Value = serde_json::from_str(&failed.stdout).unwrap();
    assert_eq!(report["counts"]["failed"], 1, "{report:#}");

    // Filters left it out: its last result stays.
    cargo(&["nothing_has_this_name"]).code(0);
    let left_out = runner(&["compare", "--format=json", "old.jsonl", "results"]);
    let report: Value = serde_json::from_str(&left_out.stdout).unwrap();
    let counts = &report["counts"];
    assert_eq!(
        (&counts["not_run"], &counts["gone"]),
        (&0.into(), &0.into())
    );
    assert_eq!(counts["failed"], 1, "{report:#}");
}
