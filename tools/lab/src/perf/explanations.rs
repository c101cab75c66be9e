//! Explanations: what they cost where a benchmark changed, and the digest of a large profile.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::candidates::{Library, Small, Workshop};
use super::profile::Profile;
use super::program::{middle, Program};
use super::table::{Report, Samples, Unit};
use super::usage::measure;

/// The program that makes digests.
const DIGESTS: &str = include_str!("../../../../iai-callgrind-runner/examples/digests.rs");

/// Number of small benchmarks by which the difference of two runs is divided.
const BENCHMARKS: usize = 100;

/// Most CPU time of the explanation of one of them, and of the digest of a large profile, in
/// seconds.
const EXPLANATION: f64 = 0.002;
const DIGEST: f64 = 4.0;

/// Most memory that the digest takes, in bytes.
const MEMORY: f64 = 250e6;

/// The configuration without explanations.
const WITHOUT: &str = "main!(config = iai_callgrind::LibraryBenchmarkConfig::default().tool(
        iai_callgrind::Callgrind::default()
            .explain(iai_callgrind::ExplainConfig::default().enabled(false))),
    ";

/// The function that the benchmarks call, before and after the edit.
const EDIT: [&str; 2] = [
    "fibonacci(n - 1) + fibonacci(n - 2)",
    "fibonacci(n - 2) + fibonacci(n - 1) + n % 2",
];

pub(super) fn explanations(workshop: &Workshop, rounds: usize, report: &mut Report) -> Result<()> {
    let executable = changed_benchmarks(workshop, rounds, report)?;
    large(workshop, &executable, rounds, report)
}

/// The runner's own time for benchmarks that changed since the last run, with explanations and
/// without, in turns.
///
/// Every second run executes the edited version. Returns one of the executables.
fn changed_benchmarks(workshop: &Workshop, rounds: usize, report: &mut Report) -> Result<PathBuf> {
    let source = Small::benchmarks(BENCHMARKS).source(Library::Ours);
    let versions = EDIT.map(|now| source.replace(EDIT[0], now));
    let files = |version: &String| {
        let without = version.replace("main!(", WITHOUT);
        [("with", version.clone()), ("without", without)]
    };
    let kept = workshop.scratch()?;
    let mut executables = Vec::new();
    for (number, version) in versions.iter().enumerate() {
        let project = workshop.benches(Library::Ours, "explain", &files(version))?;
        // Cargo gives both versions the same path.
        for name in ["with", "without"] {
            let built = project.build(name)?;
            let copy = kept.join(format!("{name}-{number}"));
            fs::copy(&built, &copy).with_context(|| format!("copy `{}`", built.display()))?;
            executables.push(copy);
        }
    }
    let project = workshop.benches(Library::Ours, "explain", &files(&versions[0]))?;
    let mut samples = [Samples::default(), Samples::default()];
    // The first runs have nothing to compare with.
    for executable in &executables {
        measure(&mut project.run(executable))?;
    }
    for _ in 0..rounds {
        for pair in executables.chunks(samples.len()) {
            for (executable, samples) in pair.iter().zip(&mut samples) {
                samples.push(measure(&mut project.run(executable))?);
            }
        }
    }
    let [with, without] = &samples;
    report.row(
        "explanation of a changed small benchmark, the runner's own CPU time",
        EXPLANATION,
        with.beyond(without, |usage| usage.own) / BENCHMARKS as f64,
        Unit::Seconds,
    );
    Ok(executables.swap_remove(0))
}

/// The digest of a profile of 200 MB.
fn large(workshop: &Workshop, executable: &Path, rounds: usize, report: &mut Report) -> Result<()> {
    let program = Program::build(workshop, "digests", DIGESTS)?;
    let path = executable.with_file_name("large.out");
    let size = 200_000_000;
    Profile { size, more: 0 }.write(&path)?;
    let files = &[executable, &path];
    let [time] = program.numbers("digest", rounds.min(3), files)?;
    report.row(
        "digest of a 200 MB profile, CPU time",
        DIGEST,
        middle(&time),
        Unit::Seconds,
    );
    let peak = program.peak("digest", files)?;
    report.row("peak memory of that", MEMORY, peak, Unit::Bytes);
    Ok(fs::remove_file(&path)?)
}
