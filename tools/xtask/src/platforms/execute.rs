//! Builds programs of a system and runs them, under an emulator where the processor or the system
//! is another one.
//!
//! An emulator is no way to measure. But everything that a benchmark executable does without
//! Valgrind is done: the list, the test mode, its description, and all client requests, which must
//! do nothing and have their default results.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{ensure, Context, Result};
use lab::process::{cargo, output, succeeds};
use lab::workspace_root;
use serde_json::Value;

use super::emulator::{self, Launcher};
use super::package::{Package, BENCHES};
use super::systems::{Execution, System, HERE, SYSTEMS};
use super::Cell;

/// The program that makes every client request. It has to print what it prints natively on this
/// machine, which `benchmark-tests/tests/it/client_requests_defaults.rs` knows.
const REQUESTS: &str = "defaults::all";

/// The cell for what was executed.
pub(super) fn execute(system: &System, package: &Package) -> Result<Cell> {
    let Some(execution) = &system.execution else {
        return Ok(Cell::fine("–"));
    };
    let emulators = emulator::programs(execution.emulator);
    let programs = execution.linker.into_iter().chain(emulators);
    let missing: Vec<&str> = programs
        .filter(|program| !succeeds(program, &["--version"]))
        .collect();
    if !missing.is_empty() {
        let packages = execution.packages;
        println!("not executed: {missing:?} missing; `apt-get install {packages}` has them");
        return Ok(Cell::fine(format!("no: {} missing", missing.join(", "))));
    }
    let launcher = match Launcher::new(execution, &package.target) {
        Ok(launcher) => launcher,
        Err(error) => {
            println!("not executed: {error:#}");
            return Ok(Cell::fine("no: the emulator cannot be used here"));
        }
    };
    Ok(match all(system, execution, &launcher, package) {
        Ok(what) => Cell::fine(format!("{what}{}", launcher.by())),
        Err(error) => Cell::failed(format!("{error:#}")),
    })
}

fn all(
    system: &System,
    execution: &Execution,
    launcher: &Launcher,
    package: &Package,
) -> Result<&'static str> {
    for (name, _, count) in BENCHES {
        let mut command = cargo();
        command
            .args(["bench", "--no-run", "--bench", name, "--manifest-path"])
            .arg(&package.manifest)
            .arg("--target-dir")
            .arg(&package.target);
        let bench = build(system, execution, command, name)?;
        look_at(system, launcher, &bench, count)
            .with_context(|| format!("benchmark file `{name}`"))?;
    }
    if !system.has_runner {
        return Ok("list, test mode");
    }
    let made = requests(system, execution, launcher)?;
    let expected = requests(&SYSTEMS[0], &HERE, &Launcher::new(&HERE, &package.target)?)?;
    ensure!(
        made == expected && made.lines().count() > 20,
        "client requests do not have their default results:\n{made}"
    );
    Ok("list, test mode, description, all client requests")
}

/// Has the executable of a benchmark file do all that it does without Valgrind.
fn look_at(system: &System, launcher: &Launcher, bench: &Path, count: usize) -> Result<()> {
    let run = |words: &[&str]| output(launcher.command(bench).args(words));
    let list = run(&["--list"])?;
    let listed = list
        .lines()
        .filter(|line| line.ends_with(": benchmark"))
        .count();
    ensure!(
        listed == count,
        "`--list` has {listed} instead of {count}:\n{list}"
    );

    // Without `--bench` each one runs once. Client requests look at their results themselves.
    let tested = run(&[])?;
    let passed = format!("{count} passed");
    ensure!(
        tested.contains(&passed),
        "the test mode does not say `{passed}`:\n{tested}"
    );
    if !system.has_runner {
        return measuring_is_refused(launcher, bench);
    }

    let folder = tempfile::tempdir().context("cannot make a temporary directory")?;
    let file = folder.path().join("suite.json");
    output(
        launcher
            .command(bench)
            .args(["--iai-callgrind", "describe"])
            .arg(&file),
    )?;
    let suite = fs::read_to_string(&file).context("cannot read the description")?;
    let suite: Value = serde_json::from_str(&suite).context("the description is no JSON")?;
    let target = &suite["platform"]["target"];
    let processor = system.target.split('-').next().unwrap_or_default();
    let processor = processor.trim_end_matches("gc").trim_end_matches("v7");
    ensure!(
        target.as_str().is_some_and(|it| it.contains(processor)),
        "the description has the target {target}"
    );
    Ok(())
}

/// `cargo bench` says what works.
fn measuring_is_refused(launcher: &Launcher, bench: &Path) -> Result<()> {
    let output = launcher
        .command(bench)
        .arg("--bench")
        .stdin(Stdio::null())
        .output()
        .context("could not start the benchmark executable")?;
    let text = String::from_utf8_lossy(&output.stderr);
    ensure!(
        output.status.code() == Some(1) && text.contains("cargo test --benches"),
        "`--bench` ended with {} and said:\n{text}",
        output.status
    );
    Ok(())
}

/// Makes all client requests, and returns what they returned.
fn requests(system: &System, execution: &Execution, launcher: &Launcher) -> Result<String> {
    let mut command = cargo();
    command
        .args(["build", "--package=client-request-tests", "--bin=requests"])
        .arg("--features=active")
        .current_dir(workspace_root());
    let program = build(system, execution, command, "requests")?;
    output(launcher.command(&program).arg(REQUESTS))
}

/// Builds for a system, and returns the executable of this target.
fn build(
    system: &System,
    execution: &Execution,
    mut command: Command,
    name: &str,
) -> Result<PathBuf> {
    command.args(["--target", system.target, "--message-format=json"]);
    if let Some(linker) = execution.linker {
        let variable = system.target.to_uppercase().replace('-', "_");
        command.env(format!("CARGO_TARGET_{variable}_LINKER"), linker);
    }
    let messages = output(&mut command)?;
    let mut executables = messages.lines().filter_map(|line| {
        let message: Value = serde_json::from_str(line).ok()?;
        let executable = message["executable"].as_str()?;
        (message["target"]["name"] == name).then(|| PathBuf::from(executable))
    });
    executables
        .next()
        .with_context(|| format!("cargo built no executable `{name}`"))
}
