//! `cargo xtask fuzz`: libFuzzer looks for inputs that the targets of `tools/fuzz/` cannot take, a
//! while for each.
//!
//! Its instrumentation is a pass of the compiler that every toolchain has, so no nightly one is
//! needed. The targets' own tests replay their seeds and inputs that are made of them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{bail, ensure, Context, Result};
use lab::fuzz::{self, Target, TARGETS};
use lab::process::{cargo, output, run};
use lab::runner::target_directory;
use lab::{step, workspace_root};

/// A parser that needs more for files of this size would need too much for long ones.
const MEMORY: &str = "-rss_limit_mb=512";

/// The instrumentation of `cargo fuzz`, without a sanitizer: the parsers have no unsafe code.
const INSTRUMENTATION: &[&str] = &[
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "--cfg",
    "fuzzing",
];

const USAGE: &str = "usage: cargo xtask fuzz [--build | --seconds=N] [--jobs=N] [TARGET ...]";

/// Parsed command line: the action, number of targets at a time, and the targets.
struct Options {
    build_only: bool,
    seconds: u64,
    jobs: usize,
    targets: Vec<&'static Target>,
}

impl Options {
    fn parse(words: &[String]) -> Result<Self> {
        let mut options = Self {
            build_only: false,
            seconds: 60,
            jobs: 1,
            targets: Vec::new(),
        };
        for word in words {
            if let Some(seconds) = word.strip_prefix("--seconds=") {
                options.seconds = seconds.parse().context(USAGE)?;
            } else if let Some(jobs) = word.strip_prefix("--jobs=") {
                options.jobs = jobs.parse().context(USAGE)?;
            } else if word == "--build" {
                options.build_only = true;
            } else {
                let found = TARGETS.iter().find(|target| target.name == word);
                let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
                let unknown = || format!("no target `{word}`; there are {}", names.join(", "));
                options.targets.push(found.with_context(unknown)?);
            }
        }
        ensure!(options.jobs > 0, "at least one job is needed\n{USAGE}");
        if options.targets.is_empty() {
            options.targets = TARGETS.iter().collect();
        }
        Ok(options)
    }
}

/// Builds the targets and runs those that are named, or all.
pub fn run_targets(words: &[String]) -> Result<()> {
    let options = Options::parse(words)?;
    let directory = target_directory()?.join("fuzz");
    let executable = build(&directory)?;
    if options.build_only {
        return Ok(());
    }
    step("fuzzing");
    let mut failed = Vec::new();
    // Each target runs for about the same time, so those that start together end together.
    for targets in options.targets.chunks(options.jobs) {
        let mut running = Vec::new();
        for target in targets {
            running.push((
                *target,
                start(target, options.seconds, &executable, &directory)?,
            ));
        }
        for (target, mut child) in running {
            let status = child.wait().context("cannot wait for a target")?;
            if !report(target, status.success(), &directory)? {
                failed.push(target.name);
            }
        }
    }
    if !failed.is_empty() {
        bail!("the fuzzer found something in {}", failed.join(", "));
    }
    Ok(())
}

/// Returns the executable, which has all targets.
fn build(directory: &Path) -> Result<PathBuf> {
    step("building the targets");
    let verbose = output(Command::new("rustc").arg("-vV"))?;
    let host = verbose
        .lines()
        .find_map(|line| line.strip_prefix("host: "))
        .context("`rustc -vV` names no host")?;
    // With `--target`, build scripts and macros are not instrumented.
    run(cargo()
        .args(["build", "--release", "--target", host])
        .arg("--target-dir")
        .arg(directory)
        .env("CARGO_ENCODED_RUSTFLAGS", INSTRUMENTATION.join("\x1f"))
        .current_dir(workspace_root().join("tools/fuzz/libfuzzer")))?;
    Ok(directory.join(host).join("release/libfuzzer-targets"))
}

/// Starts a target. Inputs that the fuzzer finds stay in the corpus, and the next search starts
/// from them as well.
fn start(target: &Target, seconds: u64, executable: &Path, directory: &Path) -> Result<Child> {
    let folder = |kind: &str| -> Result<PathBuf> {
        let folder = directory.join(kind).join(target.name);
        fs::create_dir_all(&folder).with_context(|| format!("create `{}`", folder.display()))?;
        Ok(folder)
    };
    let (corpus, findings) = (folder("corpus")?, folder("findings")?);
    // Without those that are no seeds any more.
    fs::remove_dir_all(folder("seeds")?)?;
    let seeds = folder("seeds")?;
    for (index, seed) in fuzz::seeds(target.name)?.iter().enumerate() {
        fs::write(seeds.join(index.to_string()), seed)?;
    }
    let log = fs::File::create(log(target, directory))?;
    Command::new(executable)
        .args([corpus, seeds])
        .arg(format!("-max_total_time={seconds}"))
        .args([MEMORY, "-timeout=10", "-print_final_stats=1"])
        .arg(format!("-artifact_prefix={}/", findings.display()))
        .env("FUZZ_TARGET", target.name)
        .env("RUST_BACKTRACE", "0")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(log)
        .spawn()
        .with_context(|| format!("cannot start `{}`", executable.display()))
}

fn log(target: &Target, directory: &Path) -> PathBuf {
    directory.join(format!("{}.log", target.name))
}

/// Shows what a target did, and whether it ended well.
fn report(target: &Target, success: bool, directory: &Path) -> Result<bool> {
    let path = log(target, directory);
    let bytes = fs::read(&path).with_context(|| format!("read `{}`", path.display()))?;
    let text = String::from_utf8_lossy(&bytes);
    let figure = |key: &str| {
        let value = text.lines().find_map(|line| line.strip_prefix(key));
        value.map_or("?", str::trim)
    };
    println!(
        "{:<16} {:>10} executions, {:>4} MB at most",
        target.name,
        figure("stat::number_of_executed_units:"),
        figure("stat::peak_rss_mb:"),
    );
    if !success {
        let lines: Vec<&str> = text.lines().collect();
        let panic = lines.iter().position(|line| line.contains("panicked at"));
        let from = panic.unwrap_or(lines.len().saturating_sub(30));
        for line in lines[from..].iter().take(8) {
            println!("    {line}");
        }
        println!("    all of it: {}", path.display());
    }
    Ok(success)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_name_targets_and_times() {
        let parse = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            Options::parse(&words)
        };
        let all = parse(&[]).unwrap();
        assert_eq!(
            (all.seconds, all.jobs, all.targets.len()),
            (60, 1, TARGETS.len())
        );
        let some = parse(&["--seconds=5", "--jobs=2", "dhat", "log"]).unwrap();
        assert_eq!((some.seconds, some.jobs, some.targets.len()), (5, 2, 2));
        let error = parse(&["xml"]).err().unwrap().to_string();
        assert!(
            error.starts_with("no target `xml`; there are callgrind,"),
            "{error}"
        );
        parse(&["--jobs=0"]).err().unwrap();
    }
}
