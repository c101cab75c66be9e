//! `cargo suite`: everything that the tests need, then all tests of the workspace.

use anyhow::Result;

use crate::runner::RUNNER_VARIABLE;
use crate::{process, runner, step, valgrind, workspace_root};

/// Optional parts that have tests of their own.
const FEATURES: &str =
    "iai-callgrind/client_requests,iai-callgrind/serde,iai-callgrind-runner/schema,xtask/perf";

/// Runs all tests; `arguments` are passed on to `cargo test`.
pub fn run(arguments: &[String]) -> Result<()> {
    valgrind::ensure()?;
    let runner = runner::build()?;

    step("running all tests");
    process::run(
        process::cargo()
            .args([
                "test",
                "--workspace",
                "--no-fail-fast",
                "--features",
                FEATURES,
            ])
            .args(arguments)
            .env(RUNNER_VARIABLE, runner)
            .current_dir(workspace_root()),
    )
}
