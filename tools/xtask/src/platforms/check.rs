//! Type checks for a system: `cargo check`, which needs no linker and nothing in C.

use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use lab::process::cargo;
use lab::workspace_root;

use super::package::Package;
use super::systems::System;
use super::Cell;

/// The words by which the runner says that it is not for a system.
const NO_RUNNER: &str =
    "iai-callgrind-runner measures with Valgrind, which does not exist on this system";

/// The cells for library, benchmark file and runner.
pub(super) fn check(system: &System, package: &Package) -> Result<Vec<Cell>> {
    let library = said(of_workspace(system, "iai-callgrind").arg("--features=client_requests"))?;
    let bench = said(
        Command::new(cargo().get_program())
            .args([
                "check",
                "--quiet",
                "--benches",
                "--target",
                system.target,
                "--manifest-path",
            ])
            .arg(&package.manifest)
            .arg("--target-dir")
            .arg(&package.target),
    )?;
    let runner = said(&mut of_workspace(system, "iai-callgrind-runner"))?;
    let runner = match system.has_runner {
        true => cell(runner),
        false => refusal(runner),
    };
    Ok(vec![cell(library), cell(bench), runner])
}

fn of_workspace(system: &System, package: &str) -> Command {
    let mut command = cargo();
    command
        .args([
            "check",
            "--quiet",
            "--target",
            system.target,
            "--package",
            package,
        ])
        .current_dir(workspace_root());
    command
}

/// Whether the command ended well, and what it said.
fn said(command: &mut Command) -> Result<(bool, String)> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .context("could not start cargo")?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    Ok((output.status.success(), text))
}

/// A check holds if the compiler has nothing to say: warnings of one system are seen by nobody
/// else.
fn cell((succeeded, text): (bool, String)) -> Cell {
    match succeeded && text.trim().is_empty() {
        true => Cell::fine("checked"),
        false => Cell::failed(text),
    }
}

/// Where there is no runner, its build says so by one error.
fn refusal((succeeded, text): (bool, String)) -> Cell {
    let errors = text
        .lines()
        .filter(|line| line.starts_with("error"))
        .count();
    // The last one is that of cargo.
    match !succeeded && errors == 2 && text.contains(NO_RUNNER) {
        true => Cell::fine("none, and says so"),
        false => Cell::failed(format!(
            "the build of the runner does not end with one clear error:\n{text}"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_are_no_success() {
        assert!(cell((true, "\n".to_owned())).error.is_none());
        assert!(cell((true, "warning: unused\n".to_owned())).error.is_some());
        assert!(cell((false, String::new())).error.is_some());
    }

    #[test]
    fn a_refusal_is_one_error() {
        let clear = format!("error: {NO_RUNNER}\n  --> main.rs\nerror: could not compile\n");
        assert!(refusal((false, clear.clone())).error.is_none());
        assert!(refusal((true, clear.clone())).error.is_some());
        assert!(
            refusal((false, format!("error[E0433]: unresolved\n{clear}")))
                .error
                .is_some()
        );
        assert!(
            refusal((false, "error: other\nerror: could not compile\n".to_owned()))
                .error
                .is_some()
        );
    }
}
