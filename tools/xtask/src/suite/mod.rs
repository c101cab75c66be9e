//! `cargo suite`: builds everything that the tests need once, then runs all tests of the workspace,
//! several executables at a time.
//!
//! A usual run takes every fourth of what is slow and much alike, always the same ones, leaves out
//! the tests of modules `in_full_runs`, and keeps the lines of the C library from Valgrind. `--full`
//! takes everything; a seed takes other ones. The tests learn it from `SUITE_SEED` and
//! `SUITE_FULL`, and find what is built in the file that `SUITE_EXECUTABLES` names.

mod build;
mod debug_files;
mod jobs;
mod options;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::Instant;

use anyhow::{anyhow, ensure, Context, Result};
use lab::runner::{self, RUNNER_VARIABLE};
use lab::{page, process, step, valgrind, workspace_root};
use serde_json::json;

use self::build::{Built, Executable};
use self::debug_files::DebugFiles;
use self::jobs::{Ended, Job};
use self::options::Options;

/// Package and name of the program that checks JSON against its schema.
const CHECKER: (&str, &str) = ("iai-callgrind-runner", "check_json");

/// Part of the names of integration tests that only a full run takes, unless a filter names them:
/// slow ones beside a shorter one about the same.
const IN_FULL_RUNS: &str = "::in_full_runs::";

/// Runs the tests that the words select, or all.
pub fn run(words: &[String]) -> Result<()> {
    let options = Options::parse(words)?;
    let start = Instant::now();
    // Valgrind comes first, before minutes of builds.
    valgrind::ensure()?;
    let (built, optimized) = build_all(&options)?;
    let benchmarks = optimized.benchmarks;
    let runner = match optimized.runner {
        Some(runner) => runner,
        None => built.program("iai-callgrind-runner")?.to_owned(),
    };
    let logs = runner::target_directory()?.join("suite");
    let executables = list(&built, &benchmarks, &logs)?;

    let debug_files = match options.full {
        true => DebugFiles::default(),
        false => DebugFiles::without_lines(&logs.join("debug_files"))?,
    };
    let mut jobs = jobs(&built, &options, &debug_files);
    ensure!(
        !jobs.is_empty(),
        "no test is named like this\n\n{}",
        options::USAGE
    );
    for job in &mut jobs {
        surround(&mut job.command, &executables, &runner, &options);
    }
    if jobs.iter().any(|job| job.title == "lab page") {
        let lacking = page::lacking(options.full);
        lacking.iter().for_each(|reason| step(reason));
    }
    jobs::longest_first(&mut jobs);
    step(&format!(
        "running tests: {} at a time, {}, --seed={}",
        options.workers,
        match options.full {
            true => "everything",
            false => "a fourth of what is slow",
        },
        options.seed
    ));
    let ended = jobs::run(jobs, options.workers, &logs)?;
    let minutes = start.elapsed().as_secs_f64() / 60.0;
    step(&format!("{minutes:.1} min in all"));
    judge(&ended)
}

/// Artifacts that are compiled with optimizations.
struct Optimized {
    /// The runner as users install it; a usual run takes the one that is built with the tests.
    runner: Option<PathBuf>,
    benchmarks: Built,
}

/// Builds the tests and, at the same time, what is compiled with optimizations: cargo keeps the two
/// apart, and the end of each build, which waits for a single crate, leaves a core to the other
/// one.
fn build_all(options: &Options) -> Result<(Built, Optimized)> {
    thread::scope(|scope| {
        let optimized = scope.spawn(|| build_optimized(options));
        let built = build::tests()?;
        let optimized = optimized.join().map_err(|_| anyhow!("a build panicked"))?;
        Ok((built, optimized?))
    })
}

/// Where everything runs, the benchmarks are built before the first test, since tests that build
/// them would wait for each other.
fn build_optimized(options: &Options) -> Result<Optimized> {
    let runner = match options.full {
        true => Some(runner::build_with_own_benchmarks()?),
        false => None,
    };
    let benchmarks = match options.is_everything() {
        true => build::benchmarks()?,
        false => Built::default(),
    };
    Ok(Optimized { runner, benchmarks })
}

fn jobs(built: &Built, options: &Options, debug_files: &DebugFiles) -> Vec<Job> {
    let selected = built.tests.iter().filter(|test| options.selects(test));
    let mut jobs: Vec<Job> = selected
        .filter_map(|test| {
            let mut command = debug_files.command(&test.path);
            command.args(arguments(test, options)?);
            Some(of_executable(test, command))
        })
        .collect();
    if options.is_everything() {
        let mut command = process::cargo();
        command
            .args(["test", "--workspace", "--doc", "--no-fail-fast"])
            .args(["--features", build::FEATURES])
            .current_dir(workspace_root());
        jobs.push(Job {
            title: "all documentation".to_owned(),
            command,
        });
    }
    jobs
}

/// The arguments of a test executable. `None`: no test of its module is wanted.
fn arguments(test: &Executable, options: &Options) -> Option<Vec<String>> {
    if test.of_module.is_empty() {
        return Some(options.arguments.clone());
    }
    let given = options.arguments.iter().cloned();
    let (mut arguments, filters): (Vec<String>, Vec<String>) =
        given.partition(|argument| argument.starts_with('-'));
    let is_wanted = |name: &&String| match filters.is_empty() {
        true => options.full || !name.contains(IN_FULL_RUNS),
        false => filters.iter().any(|filter| name.contains(filter)),
    };
    let wanted: Vec<String> = test.of_module.iter().filter(is_wanted).cloned().collect();
    arguments.push("--exact".to_owned());
    arguments.extend_from_slice(&wanted);
    (!wanted.is_empty()).then_some(arguments)
}

/// Job whose command runs in the place and with the variables that `cargo test` sets.
fn of_executable(test: &Executable, mut command: Command) -> Job {
    command.current_dir(&test.folder);
    // Cargo's variables about xtask itself are wrong for the tests.
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("CARGO_PKG_") {
            command.env_remove(name);
        }
    }
    command
        .env("CARGO_PKG_NAME", &test.package)
        .env("CARGO_MANIFEST_DIR", &test.folder)
        .env("CARGO_MANIFEST_PATH", test.folder.join("Cargo.toml"));
    Job {
        title: format!("{} {}", test.package, test.name),
        command,
    }
}

/// Writes down where the executables are that tests would build, and returns the file.
fn list(built: &Built, benchmarks: &Built, folder: &Path) -> Result<PathBuf> {
    let mut paths = benchmarks.paths();
    paths[CHECKER.0][CHECKER.1] = json!(built.program(CHECKER.1)?);
    let file = folder.join("executables.json");
    let written = fs::create_dir_all(folder).and_then(|()| fs::write(&file, paths.to_string()));
    written.with_context(|| format!("cannot write `{}`", file.display()))?;
    Ok(file)
}

/// Sets the environment variables that the tests read.
fn surround(command: &mut Command, executables: &Path, runner: &Path, options: &Options) {
    command
        .env(RUNNER_VARIABLE, runner)
        .env("SUITE_EXECUTABLES", executables)
        .env("SUITE_SEED", options.seed.to_string())
        .env("PROPTEST_RNG_SEED", options.seed.to_string());
    match options.full {
        true => command.env("SUITE_FULL", "1"),
        false => command.env_remove("SUITE_FULL"),
    };
}

fn judge(ended: &[Ended]) -> Result<()> {
    let passed: usize = ended.iter().map(|ended| ended.passed).sum();
    let failed: Vec<&str> = ended
        .iter()
        .filter(|ended| !ended.success)
        .map(|ended| &*ended.title)
        .collect();
    ensure!(
        failed.is_empty(),
        "{} of {} executables failed: {}",
        failed.len(),
        ended.len(),
        failed.join(", ")
    );
    step(&format!(
        "{passed} tests in {} executables passed",
        ended.len()
    ));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_of_tests_gets_the_names_that_are_wanted() {
        let module = Executable {
            of_module: ["limits::soft", "limits::hard", "limits::in_full_runs::all"]
                .map(str::to_owned)
                .into(),
            ..Executable::default()
        };
        let check = |line: &str, expected: Option<&[&str]>| {
            let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            let found = arguments(&module, &Options::parse(&words).unwrap());
            let expected = expected.map(|words| words.iter().map(|word| (*word).to_owned()));
            assert_eq!(found, expected.map(Iterator::collect), "{line}");
        };
        check("", Some(&["--exact", "limits::soft", "limits::hard"]));
        check(
            "-- --nocapture hard",
            Some(&["--nocapture", "--exact", "limits::hard"]),
        );
        check("-- other", None);
        let all = [
            "--exact",
            "limits::soft",
            "limits::hard",
            "limits::in_full_runs::all",
        ];
        check("--full", Some(&all));
        check("-- all", Some(&["--exact", "limits::in_full_runs::all"]));
    }
}
