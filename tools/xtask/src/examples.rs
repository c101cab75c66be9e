//! `cargo xtask examples`: runs the workspace of examples, as somebody does who tries them.

use std::fs;
use std::net::TcpStream;
use std::path::Path;
use std::process::Command;

use anyhow::{bail, ensure, Context, Result};
use lab::process::{cargo, run};
use lab::runner::{self, RUNNER_VARIABLE};
use lab::{step, valgrind, workspace_root};

/// The package whose counts are not the same in each run: what a read from a socket finds there
/// depends on the moment.
const BY_CHANCE: &str = "echo-server";

/// Where the server of that package listens, as long as it runs.
const ADDRESS: &str = "127.0.0.1:34568";

/// Runs all examples in test mode, and twice under Valgrind: the second time their counts are the
/// same. With `--criterion` the source of Criterion runs with the real Criterion as well, which has
/// to be compiled for it.
pub fn run_all(options: &[String]) -> Result<()> {
    let with_criterion = match options {
        [] => false,
        [option] if option == "--criterion" => true,
        _ => bail!("usage: cargo xtask examples [--criterion]"),
    };
    valgrind::ensure()?;
    let runner = runner::given_or_for_tests()?;
    let examples = workspace_root().join("examples");
    // What the examples depend on is compiled already, and kept for the next run.
    let target = runner::target_directory()?;
    let results = target.join("examples");
    if results.exists() {
        fs::remove_dir_all(&results)
            .with_context(|| format!("cannot remove `{}`", results.display()))?;
    }

    step("each example once, without Valgrind");
    // With the profile of the benchmarks they are compiled once for both.
    let mut test = cargo();
    test.args(["test", "--quiet", "--profile=bench", "--locked"])
        .args(["--workspace", "--benches"])
        .env("CARGO_TARGET_DIR", &target)
        .current_dir(&examples);
    run(&mut test)?;
    no_server()?;

    if with_criterion {
        time_with_criterion(&examples, &target)?;
    }

    let bench = |cargo_options: &[&str], options: &[&str]| {
        let mut bench = Command::new(&runner);
        bench
            .args(["bench", "--locked", "--workspace"])
            .args(cargo_options)
            .arg("--")
            .args(options)
            .arg(home(&results))
            .env("CARGO_TARGET_DIR", &target)
            .env(RUNNER_VARIABLE, &runner)
            .current_dir(&examples);
        bench
    };
    step("the first run under Valgrind");
    run(&mut bench(&[], &[]))?;
    step("the second one, in which nothing may cost more");
    let unchanged = ["--callgrind-limits=ir=0%"];
    run(&mut bench(&["--exclude", BY_CHANCE], &unchanged))?;
    no_server()
}

fn time_with_criterion(examples: &Path, target: &Path) -> Result<()> {
    step("the source of Criterion with the real Criterion, once");
    let mut timed = cargo();
    timed
        .args([
            "test",
            "--quiet",
            "--locked",
            "--package",
            "criterion-benches",
        ])
        .args(["--benches", "--features", "timed"])
        .env("CARGO_TARGET_DIR", target)
        .current_dir(examples);
    run(&mut timed)
}

/// Checks that a process which a setup leaves running ends with its benchmark.
fn no_server() -> Result<()> {
    ensure!(
        TcpStream::connect(ADDRESS).is_err(),
        "the server of `{BY_CHANCE}` still listens at {ADDRESS}; it was to end with its benchmark"
    );
    Ok(())
}

/// The option that keeps results here and nowhere else.
fn home(results: &Path) -> String {
    format!("--home={}", results.display())
}
