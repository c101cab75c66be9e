//! Runs built bench targets with cargo, all of them even after a failure.
//!
//! Cargo reports neither the outcome of each target nor one of several outcomes: each runner leaves
//! the record of its run in a private file, and ends with 0 if the record contains its outcome.

use std::ffi::OsString;
use std::fs;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

use signal_hook::consts::SIGINT;

use super::build::{own_runner, BuiltTarget, BuiltTargets};
use super::run_records;
use crate::error::{Error, FileContext, Result};
use base::exit::Exit;
use base::shell_line::{shell_line, Inherits};
use cli::env::RunnerEnvironment;
use project::cargo_words::{without_packages, without_targets};
use records::summary::{Run, Summary};
use store::private_directory;

/// The ends of the runs of bench targets.
#[derive(Debug, Default, PartialEq)]
pub struct EndedRuns {
    /// The runs that ended, in their order.
    pub runs: Vec<EndedRun>,
    /// Number of bench targets that left no record.
    pub lost: usize,
}

/// A run that ended.
#[derive(Debug, PartialEq)]
pub struct EndedRun {
    /// Its record.
    pub run: Run,
    /// The records of its benchmarks that regressed.
    pub regressed: Vec<Summary>,
}

/// Runs the targets. `cargo` are the words that they were built with, `words` are options and
/// filters for all of them.
///
/// # Errors
///
/// Cargo cannot be started, or a signal asked to stop.
#[expect(
    clippy::disallowed_methods,
    reason = "cargo starts the runners; benchmarks start in `execute`"
)]
pub(crate) fn run(
    targets: &BuiltTargets,
    cargo: &[OsString],
    words: &[OsString],
    environment: &RunnerEnvironment,
) -> Result<EndedRuns> {
    let directory = private_directory::temporary()?;
    let records = directory.path().join("runs.jsonl");
    // A handler, since the runners would inherit it if the signal was ignored.
    let interrupted = Arc::new(AtomicBool::new(false));
    let registered = signal_hook::flag::register(SIGINT, Arc::clone(&interrupted));
    let handler = registered.context("wait for the runners below", directory.path())?;
    let program = environment.get("CARGO").unwrap_or("cargo".as_ref());
    for call in calls(targets, cargo) {
        let mut command = Command::new(program);
        command.arg("bench").args(call).arg("--").args(words);
        command.env(RunnerEnvironment::RUN_RECORDS, &records);
        if targets.has_several_packages() {
            command.env(RunnerEnvironment::NAMES_PACKAGE, "1");
        }
        command.envs(own_runner(environment));
        to_its_end(&mut command)?;
        if interrupted.load(Ordering::SeqCst) {
            return Err(Error::Interrupted(SIGINT));
        }
    }
    signal_hook::low_level::unregister(handler);
    // Without the file no runner has left a record, and all targets count as lost.
    let text = fs::read_to_string(&records).unwrap_or_default();
    Ok(ended(targets.ours.len(), &text))
}

/// Runs cargo to its end. It fails if one of the runners does, which the records tell better.
fn to_its_end(command: &mut Command) -> Result<()> {
    let line = shell_line(command, Inherits::All);
    log::debug!("starts {line}");
    let ended = command.status();
    ended.map(drop).map_err(|error| Error::Cargo {
        line,
        reason: format!("cannot be started: {error}"),
    })
}

/// The command lines of cargo that run all of our targets and no others: one, unless a target of
/// another harness has the name of one of ours.
fn calls(targets: &BuiltTargets, words: &[OsString]) -> Vec<Vec<OsString>> {
    let selected = |words: Vec<OsString>, ours: &mut dyn Iterator<Item = &BuiltTarget>| {
        let mut call = without_targets(&words);
        call.push("--no-fail-fast".into());
        let mut names: Vec<&str> = ours.map(|target| target.name.as_str()).collect();
        // Cargo selects targets by their names, in all packages at once.
        names.sort_unstable();
        names.dedup();
        for name in names {
            call.extend(["--bench".into(), name.into()]);
        }
        call
    };
    let is_name_of_ours =
        |other: &BuiltTarget| targets.ours.iter().any(|ours| ours.name == other.name);
    if !targets.others.iter().any(is_name_of_ours) {
        return vec![selected(words.to_vec(), &mut targets.ours.iter())];
    }
    let mut packages: Vec<&str> = Vec::new();
    for target in &targets.ours {
        if !packages.contains(&target.package.as_str()) {
            packages.push(&target.package);
        }
    }
    let of_package = |package: &str| {
        let mut words = without_packages(words);
        words.extend(["--package".into(), package.into()]);
        let mut ours = targets.ours.iter();
        selected(
            words,
            &mut ours.by_ref().filter(|target| target.package == package),
        )
    };
    packages.into_iter().map(of_package).collect()
}

fn ended(targets: usize, text: &str) -> EndedRuns {
    let runs = run_records::read(text);
    EndedRuns {
        lost: targets.saturating_sub(runs.len()),
        runs,
    }
}

impl EndedRuns {
    /// Outcome over all targets, as if they were one.
    #[must_use]
    pub fn exit(&self) -> Exit {
        let lost = match self.lost {
            0 => Exit::Ok,
            _ => Exit::Error,
        };
        let exits = self.runs.iter().map(|ended| match ended.run.exit_code {
            Some(0) => Exit::Ok,
            Some(2) => Exit::Usage,
            Some(3) => Exit::Regression,
            Some(4) => Exit::NotComparable,
            _ => Exit::Error,
        });
        exits.fold(lost, Exit::and)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(package: &str, name: &str) -> BuiltTarget {
        BuiltTarget::new(package, name)
    }

    fn lines(targets: &BuiltTargets, words: &str) -> Vec<String> {
        let words: Vec<OsString> = words.split_whitespace().map(OsString::from).collect();
        let line = |call: Vec<OsString>| call.join(" ".as_ref()).into_string().unwrap();
        calls(targets, &words).into_iter().map(line).collect()
    }

    #[test]
    fn one_call_of_cargo_runs_all_targets_of_ours() {
        let targets = BuiltTargets {
            ours: vec![target("b", "two"), target("a", "one"), target("a", "two")],
            others: vec![target("a", "criterion")],
        };
        assert_eq!(
            lines(&targets, "--workspace --benches --locked"),
            ["--workspace --locked --no-fail-fast --bench one --bench two"]
        );
    }

    #[test]
    fn targets_of_another_harness_with_the_name_of_ours_are_not_run() {
        let targets = BuiltTargets {
            ours: vec![target("a", "one"), target("b", "one"), target("a", "two")],
            others: vec![target("c", "one")],
        };
        assert_eq!(
            lines(&targets, "--workspace --exclude d --bench=one -j 1"),
            [
                "-j 1 --package a --no-fail-fast --bench one --bench two",
                "-j 1 --package b --no-fail-fast --bench one",
            ]
        );
    }

    #[test]
    fn a_target_without_a_record_is_an_error() {
        let ended = ended(2, "");
        assert_eq!((ended.lost, ended.exit()), (2, Exit::Error));
        assert_eq!(EndedRuns::default().exit(), Exit::Ok);
    }
}
