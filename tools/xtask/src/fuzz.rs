//! `cargo xtask fuzz`: builds the targets of `tools/fuzz/` and runs each for a while, or only builds
//! them.
//!
//! The fuzzer's instrumentation is a pass of the compiler that every toolchain has, so no nightly
//! one is needed. Its seeds are the recorded files of the parsers' tests.
//!
//! With `--replay` each target runs its seeds and a fixed number of inputs that a fixed random
//! number makes of them: the same ones in every run, so that CI fails for the change that it looks
//! at. Without, it looks for new inputs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{bail, ensure, Context, Result};
use lab::process::{cargo, output, run, succeeds};
use lab::runner::target_directory;
use lab::{step, workspace_root};

/// Fuzz target and the source of its seeds.
struct Target {
    name: &'static str,
    seeds: Seeds,
}

/// Source of seeds, below `crates/formats/tests/data` or `tools/fuzz/seeds`.
enum Seeds {
    /// Output of this tool: recorded and damaged files.
    Tool(&'static str),
    /// Output of this tool, and copies with a mark before the totals where the target puts a long
    /// body.
    Totals(&'static str),
    /// The logs of all tools.
    Logs,
    /// Files that were written for this target.
    Own,
}

const TARGETS: &[Target] = &[
    target("callgrind", Seeds::Tool("callgrind")),
    target("callgrind_totals", Seeds::Totals("callgrind")),
    target("flamegraph", Seeds::Tool("callgrind")),
    target("cachegrind", Seeds::Tool("cachegrind")),
    target("dhat", Seeds::Tool("dhat")),
    target("massif", Seeds::Tool("massif")),
    target("bbv", Seeds::Tool("exp-bbv")),
    target("log", Seeds::Logs),
    target("perf", Seeds::Tool("perf")),
    target("options", Seeds::Own),
    target("suite", Seeds::Own),
    target("digest", Seeds::Own),
    target("explain", Seeds::Own),
    target("canonical_name", Seeds::Own),
    target("results", Seeds::Own),
];

const fn target(name: &'static str, seeds: Seeds) -> Target {
    Target { name, seeds }
}

/// Longer files cost time and hold nothing that shorter ones do not.
const LONGEST_SEED: u64 = 40 << 10;

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

const USAGE: &str =
    "usage: cargo xtask fuzz [--build | --replay | --seconds=N] [--jobs=N] [TARGET ...]";

/// The inputs of a replay, the seeds among them. Reading the corpus again depends on the time.
const REPLAYED: [&str; 3] = ["-runs=500", "-seed=1", "-reload=0"];

/// Parsed command line: the action, number of targets at a time, and the targets.
struct Options {
    build_only: bool,
    effort: Effort,
    jobs: usize,
    targets: Vec<&'static Target>,
}

/// The inputs that a target gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Effort {
    /// The same ones each time.
    Replay,
    /// New ones, for so many seconds.
    Seconds(u64),
}

impl Options {
    fn parse(words: &[String]) -> Result<Self> {
        let mut options = Self {
            build_only: false,
            effort: Effort::Seconds(60),
            jobs: 1,
            targets: Vec::new(),
        };
        for word in words {
            if let Some(seconds) = word.strip_prefix("--seconds=") {
                options.effort = Effort::Seconds(seconds.parse().context(USAGE)?);
            } else if let Some(jobs) = word.strip_prefix("--jobs=") {
                options.jobs = jobs.parse().context(USAGE)?;
            } else if word == "--replay" {
                options.effort = Effort::Replay;
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
    let executables = build(options.effort, &directory)?;
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
                start(target, options.effort, &executables, &directory)?,
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

/// Returns the directory with the executables. A replay has few inputs, and is built faster than it
/// would run faster with optimizations.
fn build(effort: Effort, directory: &Path) -> Result<PathBuf> {
    step("building the targets");
    let verbose = output(Command::new("rustc").arg("-vV"))?;
    let host = verbose
        .lines()
        .find_map(|line| line.strip_prefix("host: "))
        .context("`rustc -vV` names no host")?;
    let (profile, folder) = match effort {
        Effort::Replay => ("dev", "debug"),
        Effort::Seconds(_) => ("release", "release"),
    };
    // With `--target`, build scripts and macros are not instrumented.
    run(cargo()
        .args(["build", "--bins", "--target", host, "--profile", profile])
        .args(["--config", "profile.dev.debug=false"])
        .arg("--target-dir")
        .arg(directory)
        .env("CARGO_ENCODED_RUSTFLAGS", INSTRUMENTATION.join("\x1f"))
        .current_dir(workspace_root().join("tools/fuzz")))?;
    Ok(directory.join(host).join(folder))
}

/// Starts a target. Inputs that the fuzzer finds stay in the corpus, and the next search starts
/// from them as well; a replay knows nothing of them.
fn start(target: &Target, effort: Effort, executables: &Path, directory: &Path) -> Result<Child> {
    let folder = |kind: &str| -> Result<PathBuf> {
        let folder = directory.join(kind).join(target.name);
        fs::create_dir_all(&folder).with_context(|| format!("create `{}`", folder.display()))?;
        Ok(folder)
    };
    let empty_folder = |kind: &str| -> Result<PathBuf> {
        fs::remove_dir_all(folder(kind)?)?;
        folder(kind)
    };
    let (seeds, findings) = (empty_folder("seeds")?, folder("findings")?);
    write_seeds(&target.seeds, target.name, &seeds)?;
    let log = fs::File::create(log(target, directory))?;
    let executable = executables.join(target.name);
    let mut command = match effort {
        // The fuzzer remembers comparisons, also of addresses. Some containers do not let programs
        // fix these.
        Effort::Replay if succeeds("setarch", &["--addr-no-randomize", "true"]) => {
            let mut command = Command::new("setarch");
            command.arg("--addr-no-randomize").arg(&executable);
            command
        }
        _ => Command::new(&executable),
    };
    match effort {
        Effort::Replay => command
            .arg(empty_folder("replayed")?)
            .arg(seeds)
            .args(REPLAYED),
        Effort::Seconds(seconds) => command
            .arg(folder("corpus")?)
            .arg(seeds)
            .arg(format!("-max_total_time={seconds}")),
    };
    command
        .args([MEMORY, "-timeout=10", "-print_final_stats=1"])
        .arg(format!("-artifact_prefix={}/", findings.display()))
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

/// Copies the files of a target under short names.
fn write_seeds(seeds: &Seeds, name: &str, folder: &Path) -> Result<()> {
    let data = workspace_root().join("crates/formats/tests/data");
    let own = workspace_root().join("tools/fuzz/seeds").join(name);
    let is_log = |name: &str| name.starts_with("log.");
    let mut files = Vec::new();
    match seeds {
        Seeds::Tool(tool) | Seeds::Totals(tool) => {
            for folder in [data.join(tool), data.join("malformed").join(tool)] {
                collect(&folder, &|name| !is_log(name), &mut files)?;
            }
        }
        Seeds::Logs => {
            collect(&data, &is_log, &mut files)?;
            collect(&data.join("malformed/log"), &|_| true, &mut files)?;
        }
        Seeds::Own => collect(&own, &|_| true, &mut files)?,
    }
    ensure!(!files.is_empty(), "`{name}` has nothing to start from");
    for (index, path) in files.iter().enumerate() {
        let bytes = fs::read(path).with_context(|| format!("read `{}`", path.display()))?;
        if matches!(seeds, Seeds::Totals(_)) {
            if let Some(marked) = marked(&bytes) {
                fs::write(folder.join(format!("{index}-long")), marked)?;
            }
        }
        fs::write(folder.join(index.to_string()), bytes)?;
    }
    Ok(())
}

/// A zero byte in the empty line before the last totals.
fn marked(profile: &[u8]) -> Option<Vec<u8>> {
    const END: &[u8] = b"\n\ntotals:";
    let place = profile.windows(END.len()).rposition(|text| text == END)?;
    let mut marked = profile.to_vec();
    marked.insert(place + 1, 0);
    Some(marked)
}

/// Every file below a folder that is not too long, in an order that is always the same.
fn collect(folder: &Path, wanted: &dyn Fn(&str) -> bool, files: &mut Vec<PathBuf>) -> Result<()> {
    let entries = fs::read_dir(folder).with_context(|| format!("list `{}`", folder.display()))?;
    let mut entries = entries.collect::<std::io::Result<Vec<_>>>()?;
    entries.sort_unstable_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let facts = entry.metadata()?;
        if facts.is_dir() {
            collect(&entry.path(), wanted, files)?;
        } else if facts.len() <= LONGEST_SEED && name != "expected.json" && wanted(&name) {
            files.push(entry.path());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_is_listed_here() {
        let manifest = fs::read_to_string(workspace_root().join("tools/fuzz/Cargo.toml")).unwrap();
        let binaries = manifest.split("[[bin]]\nname = \"").skip(1);
        let names: Vec<&str> = binaries
            .map(|binary| binary.split('"').next().unwrap())
            .collect();
        let listed: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
        assert_eq!(names, listed);
    }

    #[test]
    fn every_target_has_something_to_start_from() {
        for target in TARGETS {
            let folder = tempfile::tempdir().unwrap();
            write_seeds(&target.seeds, target.name, folder.path()).unwrap();
            let seeds = fs::read_dir(folder.path()).unwrap().count();
            assert!(seeds >= 2, "{}: {seeds}", target.name);
        }
    }

    #[test]
    fn options_name_targets_and_times() {
        let parse = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            Options::parse(&words)
        };
        let all = parse(&[]).unwrap();
        assert_eq!(
            (all.effort, all.jobs, all.targets.len()),
            (Effort::Seconds(60), 1, TARGETS.len())
        );
        let some = parse(&["--seconds=5", "--jobs=2", "dhat", "log"]).unwrap();
        assert_eq!(
            (some.effort, some.jobs, some.targets.len()),
            (Effort::Seconds(5), 2, 2)
        );
        assert_eq!(parse(&["--replay"]).unwrap().effort, Effort::Replay);
        let error = parse(&["xml"]).err().unwrap().to_string();
        assert!(
            error.starts_with("no target `xml`; there are callgrind,"),
            "{error}"
        );
        parse(&["--jobs=0"]).err().unwrap();
    }
}
