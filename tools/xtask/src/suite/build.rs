//! Builds the test executables of the workspace, and what the tests run: one build of everything,
//! with one set of features.
//!
//! In: cargo's messages about what it built, an object on each line. Out: paths.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use lab::process::{cargo, output};
use lab::{step, workspace_root};
use serde_json::{json, Value};

/// Optional parts that have tests of their own.
pub(super) const FEATURES: &str =
    "iai-callgrind/client_requests,iai-callgrind/serde,iai-callgrind-runner/schema,xtask/perf";

/// The packages of the benchmarks and programs that the tests measure.
const BENCHMARKS: [&str; 2] = ["measured-benchmarks", "inside-benchmarks"];

/// A test executable.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Executable {
    pub(super) package: String,
    /// The name of its target: of a file in `tests`, or of a library or program.
    pub(super) name: String,
    pub(super) path: PathBuf,
    /// The root of the package, where cargo runs tests.
    pub(super) folder: PathBuf,
    /// The whole names of the tests that run, of an executable that has those of several modules;
    /// else empty.
    pub(super) of_module: Vec<String>,
}

/// The name of the executable that has all integration tests of a package: `tests/it/main.rs`.
const INTEGRATION_TESTS: &str = "it";

impl Executable {
    /// Splits an executable of integration tests into one for each of its modules, so that these
    /// run side by side, each in a process of its own.
    fn by_module(self) -> Result<Vec<Self>> {
        if self.name != INTEGRATION_TESTS {
            return Ok(vec![self]);
        }
        let listed = output(Command::new(&self.path).args(["--list", "--format=terse"]))?;
        let mut modules: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for name in listed
            .lines()
            .filter_map(|line| line.strip_suffix(": test"))
        {
            let (module, _) = name.split_once("::").unwrap_or((name, ""));
            modules.entry(module).or_default().push(name.to_owned());
        }
        let modules = modules.into_iter().map(|(module, names)| Self {
            name: module.to_owned(),
            of_module: names,
            ..self.clone()
        });
        Ok(modules.collect())
    }
}

/// Executables that cargo has built.
#[derive(Debug, Default)]
pub(super) struct Built {
    /// Tests and benchmarks.
    pub(super) tests: Vec<Executable>,
    /// Programs and examples.
    programs: Vec<Executable>,
}

impl Built {
    /// A program or an example.
    pub(super) fn program(&self, name: &str) -> Result<&Path> {
        let found = self.programs.iter().find(|program| program.name == name);
        let found = found.with_context(|| format!("cargo built no program `{name}`"))?;
        Ok(&found.path)
    }

    /// Paths of all, by package and name, as JSON: the tests look there before they build
    /// something.
    pub(super) fn paths(&self) -> Value {
        let mut paths = json!({});
        for one in self.tests.iter().chain(&self.programs) {
            paths[&one.package][&one.name] = json!(one.path);
        }
        paths
    }
}

/// Builds all tests, with the programs and examples of their packages.
pub(super) fn tests() -> Result<Built> {
    step("building all tests");
    let messages = output_with_progress(
        cargo()
            .args(["test", "--workspace", "--no-run"])
            .args(["--features", FEATURES])
            .arg("--message-format=json-render-diagnostics")
            .current_dir(workspace_root()),
    )?;
    let mut built = built(&messages);
    let mut tests = Vec::new();
    for executable in built.tests {
        tests.extend(executable.by_module()?);
    }
    built.tests = tests;
    Ok(built)
}

/// Builds the benchmarks and programs that most tests measure, all at once: tests that build them
/// one by one would wait for each other.
pub(super) fn benchmarks() -> Result<Built> {
    step("building the benchmarks");
    let metadata = output(
        cargo()
            .args(["metadata", "--no-deps", "--format-version=1"])
            .current_dir(workspace_root()),
    )?;
    let names = benches(&serde_json::from_str(&metadata)?);
    let messages = output_with_progress(
        cargo()
            .args(["build", "--profile=bench", "--bins"])
            .args(BENCHMARKS.iter().flat_map(|name| ["--package", name]))
            .args(names.iter().flat_map(|name| ["--bench", name]))
            .arg("--message-format=json-render-diagnostics")
            // The library would remember the path, see the tests that show that it is missing.
            .env_remove(lab::runner::RUNNER_VARIABLE)
            .current_dir(workspace_root()),
    )?;
    Ok(built(&messages))
}

/// The bench targets of the packages that need no feature.
fn benches(metadata: &Value) -> Vec<String> {
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let targets = packages
        .filter(|package| BENCHMARKS.iter().any(|name| package["name"] == *name))
        .flat_map(|package| package["targets"].as_array().into_iter().flatten());
    targets
        .filter(|target| target["kind"][0] == "bench" && target["required-features"].is_null())
        .filter_map(|target| target["name"].as_str().map(str::to_owned))
        .collect()
}

/// Stdout of the command; its stderr goes where ours goes.
fn output_with_progress(command: &mut Command) -> Result<String> {
    command.stderr(std::process::Stdio::inherit());
    output(command)
}

fn built(messages: &str) -> Built {
    let mut built = Built::default();
    for line in messages.lines() {
        let Some((executable, is_test)) = executable(line) else {
            continue;
        };
        match is_test {
            true => built.tests.push(executable),
            false => built.programs.push(executable),
        }
    }
    built
}

/// The executable that a message is about, and whether it is a test.
fn executable(line: &str) -> Option<(Executable, bool)> {
    let message: Value = serde_json::from_str(line).ok()?;
    let executable = Executable {
        package: package_name(message["package_id"].as_str()?)?.to_owned(),
        name: message["target"]["name"].as_str()?.to_owned(),
        path: message["executable"].as_str()?.into(),
        folder: Path::new(message["manifest_path"].as_str()?)
            .parent()?
            .to_owned(),
        of_module: Vec::new(),
    };
    Some((executable, message["profile"]["test"] == true))
}

/// Name in a package id: `path+file:///…/name#0.17.0` or `path+file:///…/folder#name@0.17.0`.
fn package_name(id: &str) -> Option<&str> {
    let (place, version) = id.rsplit_once('#')?;
    match version.split_once('@') {
        Some((name, _)) => Some(name),
        None => place.rsplit('/').next(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Messages of cargo 1.95, without fields that we do not read.
    const MESSAGES: &str = r##"
{"reason":"compiler-artifact","package_id":"path+file:///w/benchmark-tests#0.0.0","manifest_path":"/w/benchmark-tests/Cargo.toml","target":{"kind":["test"],"name":"json"},"profile":{"test":true},"executable":"/w/target/debug/deps/json-1"}
{"reason":"compiler-artifact","package_id":"path+file:///w/benchmark-tests/inside#inside-benchmarks@0.0.0","manifest_path":"/w/benchmark-tests/inside/Cargo.toml","target":{"kind":["lib"],"name":"inside_benchmarks"},"profile":{"test":true},"executable":"/w/target/debug/deps/inside_benchmarks-1"}
{"reason":"compiler-artifact","package_id":"path+file:///w/runner#0.17.0","manifest_path":"/w/runner/Cargo.toml","target":{"kind":["lib"],"name":"runner"},"profile":{"test":false},"executable":null}
{"reason":"compiler-artifact","package_id":"path+file:///w/runner#0.17.0","manifest_path":"/w/runner/Cargo.toml","target":{"kind":["example"],"name":"check_json"},"profile":{"test":false},"executable":"/w/target/debug/examples/check_json"}
{"reason":"build-finished","success":true}
"##;

    #[test]
    fn cargo_tells_what_it_built() {
        let built = built(MESSAGES);
        let tests: Vec<_> = built
            .tests
            .iter()
            .map(|test| (&*test.package, &*test.name, test.folder.to_str().unwrap()))
            .collect();
        let expected = [
            ("benchmark-tests", "json", "/w/benchmark-tests"),
            (
                "inside-benchmarks",
                "inside_benchmarks",
                "/w/benchmark-tests/inside",
            ),
        ];
        assert_eq!(tests, expected);
        let checker = built.program("check_json").unwrap();
        assert_eq!(checker, Path::new("/w/target/debug/examples/check_json"));
        let error = built.program("runner").unwrap_err();
        assert_eq!(error.to_string(), "cargo built no program `runner`");
        let paths = built.paths();
        assert_eq!(paths["runner"]["check_json"], checker.to_str().unwrap());
        assert_eq!(
            paths["benchmark-tests"]["json"],
            "/w/target/debug/deps/json-1"
        );
    }

    #[test]
    fn benches_that_need_a_feature_are_left_to_their_tests() {
        let metadata = serde_json::json!({"packages": [
            {"name": "other", "targets": [{"kind": ["bench"], "name": "not_this"}]},
            {"name": BENCHMARKS[0], "targets": [
                {"kind": ["bin"], "name": "cat"},
                {"kind": ["bench"], "name": "counts"},
                {"kind": ["bench"], "name": "brackets", "required-features": ["cachegrind"]},
            ]},
        ]});
        assert_eq!(benches(&metadata), ["counts"]);
    }
}
