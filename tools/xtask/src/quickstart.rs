//! `cargo quickstart`: from a fresh checkout to the first two runs of a benchmark.

use anyhow::Result;
use lab::fresh_crate::FreshCrate;
use lab::runner::RUNNER_VARIABLE;
use lab::{process, readme, runner, step, valgrind};

/// Sets everything up, then does in a fresh crate what the README tells a new user to do.
pub fn run() -> Result<()> {
    valgrind::ensure()?;
    let runner = runner::build()?;

    let blocks = readme::read()?;
    let project = FreshCrate::new("example", &blocks)?;
    step(&format!(
        "made the README's example in `{}`",
        project.path().display()
    ));
    let bench = || project.cargo(&["bench", "--bench", "my_benchmark"]);

    step("first run: nothing to compare with yet");
    process::run(bench().env(RUNNER_VARIABLE, &runner))?;
    step("second run: the same code, so the same counts");
    process::run(bench().env(RUNNER_VARIABLE, &runner))?;

    step("done: the README tells how to add this to a project of your own");
    Ok(())
}
