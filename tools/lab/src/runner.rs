//! Builds the runner of this checkout.

use std::path::PathBuf;

use anyhow::{ensure, Context, Result};

use crate::process::{cargo, run};
use crate::{step, workspace_root};

/// The environment variable in which benchmarks look for the runner.
pub const RUNNER_VARIABLE: &str = "IAI_CALLGRIND_RUNNER";

const RUNNER: &str = "iai-callgrind-runner";

/// Builds the runner with optimizations, and returns the path of the executable.
pub fn build() -> Result<PathBuf> {
    build_of(&[RUNNER], "release")
}

/// Builds the runner as it is in the archives of a release.
pub fn build_as_released() -> Result<PathBuf> {
    build_of(&[RUNNER], "dist")
}

/// The runner that `IAI_CALLGRIND_RUNNER` names; without it one is built as tests run it.
pub fn given_or_for_tests() -> Result<PathBuf> {
    match std::env::var_os(RUNNER_VARIABLE).filter(|path| !path.is_empty()) {
        Some(path) => Ok(path.into()),
        None => build_of(&[RUNNER], "dev"),
    }
}

/// Builds the runner with optimizations, with the features of its dependencies that
/// `own-benchmarks` asks for: who builds these benchmarks as well then compiles the runner once.
pub fn build_with_own_benchmarks() -> Result<PathBuf> {
    build_of(&[RUNNER, "own-benchmarks"], "release")
}

/// Builds the runner with the features that these packages ask for, under this profile.
fn build_of(packages: &[&str], profile: &str) -> Result<PathBuf> {
    step("building the runner");
    run(cargo()
        .args(["build", "--profile", profile, "--bin", RUNNER])
        .args(packages.iter().flat_map(|name| ["--package", name]))
        .current_dir(workspace_root()))?;

    let folder = if profile == "dev" { "debug" } else { profile };
    let runner = target_directory()?.join(folder).join(RUNNER);
    ensure!(
        runner.is_file(),
        "the runner was built, but `{}` is not there",
        runner.display()
    );
    Ok(runner)
}

/// The target directory of this workspace, wherever it was configured to be.
pub fn target_directory() -> Result<PathBuf> {
    // We are `<target>/debug/xtask`.
    let own = std::env::current_exe().context("our own path is unknown")?;
    let target = own.parent().and_then(|debug| debug.parent());
    let target =
        target.with_context(|| format!("`{}` is not below a target directory", own.display()))?;
    Ok(target.to_owned())
}
