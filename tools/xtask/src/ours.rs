//! `cargo xtask ours`: benchmarks of our own hot paths, measured by this very checkout.
//!
//! In: the words for the benchmarks, such as `--save-baseline=before`. Out: figures, and a failure
//! if one of them is above its limit in `tools/own-benchmarks/limits.txt`. With `--write-limits` the
//! limits are written anew instead.

use anyhow::{Context, Result};
use lab::runner::{self, RUNNER_VARIABLE};
use lab::{process, step, valgrind, workspace_root};

const WRITE: &str = "--write-limits";

/// The profile in which the suite has built most of it already.
const PROFILE: &str = "--profile=release";

const PACKAGE: &str = "--package=own-benchmarks";

/// Runs the benchmarks; `words` are for them.
pub fn run(words: &[String]) -> Result<()> {
    valgrind::ensure()?;
    let runner = runner::build_with_own_benchmarks()?;
    let mut bench = process::cargo();
    bench
        .args(["bench", PROFILE, PACKAGE, "--no-fail-fast"])
        .env(RUNNER_VARIABLE, runner)
        .current_dir(workspace_root());
    if words == [WRITE] {
        step("writing limits");
        return write_limits(bench);
    }
    step("benchmarks of our own hot paths");
    process::run(bench.arg("--").args(words)).context(
        "hint: if it is worth it, `cargo xtask ours --write-limits` makes limits of these figures",
    )
}

fn write_limits(mut bench: std::process::Command) -> Result<()> {
    let output = tempfile::NamedTempFile::new().context("cannot make a file")?;
    // The old limits do not matter, so how it ends does not either; the program looks at what it
    // wrote.
    bench
        .args(["--", "--output-format=json"])
        .stdout(output.reopen().context("cannot open a file")?)
        .status()
        .context("cannot start cargo")?;
    process::run(
        process::cargo()
            .args(["run", PROFILE, PACKAGE, "--example=write_limits", "--"])
            .arg(output.path())
            .current_dir(workspace_root()),
    )
}
