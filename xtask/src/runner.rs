//! Builds the runner of this checkout.

use std::path::PathBuf;

use anyhow::{ensure, Context, Result};

use crate::process::{cargo, run};
use crate::{step, workspace_root};

/// The environment variable in which benchmarks look for the runner.
pub(crate) const RUNNER_VARIABLE: &str = "IAI_CALLGRIND_RUNNER";

/// Builds the runner as users install it, with optimizations, and returns the path of the executable.
pub(crate) fn build() -> Result<PathBuf> {
    step("building the runner");
    run(cargo()
        .args(["build", "--release", "--package", "iai-callgrind-runner"])
        .current_dir(workspace_root()))?;

    let runner = target_directory()?
        .join("release")
        .join("iai-callgrind-runner");
    ensure!(
        runner.is_file(),
        "the runner was built, but `{}` is not there",
        runner.display()
    );
    Ok(runner)
}

/// The target directory of this workspace, wherever it was configured to be.
pub(crate) fn target_directory() -> Result<PathBuf> {
    // We are `<target>/debug/xtask`.
    let own = std::env::current_exe().context("our own path is unknown")?;
    let target = own.parent().and_then(|debug| debug.parent());
    let target =
        target.with_context(|| format!("`{}` is not below a target directory", own.display()))?;
    Ok(target.to_owned())
}
