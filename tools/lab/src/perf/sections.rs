//! Sections of the measurements.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{ensure, Context, Result};
use serde_json::Value;

use super::builds::{compile, install, rebuild};
use super::candidates::{Library, Small, Workshop, FIBONACCI};
use super::comparisons::comparisons;
use super::explanations::explanations;
use super::pages::pages;
use super::parallel::two_at_a_time;
use super::profiles::{flamegraphs, parse};
use super::setups::setups;
use super::table::{median, Report, Samples, Unit};
use super::usage::{measure, peak_memory, Usage};
use crate::step;

/// A part of the measurements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Section {
    Run,
    Scale,
    Parse,
    Flamegraphs,
    Explain,
    Compare,
    Html,
    Setups,
    Compile,
    Rebuild,
    Install,
    Counts,
}

impl Section {
    pub(super) const ALL: [Self; 12] = [
        Self::Run,
        Self::Scale,
        Self::Parse,
        Self::Flamegraphs,
        Self::Explain,
        Self::Compare,
        Self::Html,
        Self::Setups,
        Self::Compile,
        Self::Rebuild,
        Self::Install,
        Self::Counts,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::Scale => "scale",
            Self::Parse => "parse",
            Self::Flamegraphs => "flamegraphs",
            Self::Explain => "explain",
            Self::Compare => "compare",
            Self::Html => "html",
            Self::Setups => "setups",
            Self::Compile => "compile",
            Self::Rebuild => "rebuild",
            Self::Install => "install",
            Self::Counts => "counts",
        }
    }

    /// Are others measured as well?
    pub(super) fn compares(self) -> bool {
        matches!(self, Self::Run | Self::Compile | Self::Rebuild)
    }

    pub(super) fn measure(
        self,
        workshop: &Workshop,
        rounds: usize,
        report: &mut Report,
    ) -> Result<()> {
        step(&format!("measuring: {}", self.name()));
        match self {
            Self::Run => run(workshop, rounds, report),
            Self::Scale => scale(workshop, rounds, report),
            Self::Parse => parse(workshop, rounds, report),
            Self::Flamegraphs => flamegraphs(workshop, rounds, report),
            Self::Explain => explanations(workshop, rounds, report),
            Self::Compare => comparisons(workshop, rounds, report),
            Self::Html => pages(workshop, rounds, report),
            Self::Setups => setups(workshop, rounds, report),
            Self::Compile => compile(workshop, rounds, report),
            Self::Rebuild => rebuild(workshop, rounds, report),
            Self::Install => install(workshop, report),
            Self::Counts => counts(workshop, report),
        }
    }
}

/// Part of the wall time of gungraun and of a loop without a framework that 100 small benchmarks
/// may take.
const HUNDRED_PART: f64 = 20.0;

/// 100 small benchmarks: ours, the others', and without a framework.
fn run(workshop: &Workshop, rounds: usize, report: &mut Report) -> Result<()> {
    let small = Small::benchmarks(100);
    let mut commands = Vec::new();
    for library in Library::ALL {
        let project = workshop.benches(library, "run", &[("n100", small.source(library))])?;
        let executable = project.build("n100")?;
        // The first run has nothing to compare with.
        measure(&mut project.run(&executable))?;
        commands.push((project, executable));
    }
    let (ours, executable) = &commands[0];
    let arguments = valgrind_arguments(&ours.results("n100", "f0.c0")?)?;
    let scratch = workshop.scratch()?;

    let mut samples = vec![Samples::default(); commands.len()];
    let mut bare = Samples::default();
    for _ in 0..rounds {
        for ((project, executable), samples) in commands.iter().zip(&mut samples) {
            samples.push(measure(&mut project.run(executable))?);
        }
        let mut usage = Usage::default();
        for address in small.addresses() {
            let mut command = callgrind(&arguments, &scratch);
            command.arg(executable);
            command.args(["--iai-callgrind", "run", &address]);
            let one = measure(command.env_clear())?;
            usage.wall += one.wall;
            usage.cpu += one.cpu;
        }
        bare.push(usage);
    }

    let others = Library::ALL.iter().map(|library| library.name());
    let others: Vec<(String, &Samples)> = others
        .zip(&samples)
        .chain([("loop without a framework".to_owned(), &bare)])
        .collect();
    for (name, samples) in &others {
        report.figure(format!("100 small benchmarks: {name}"), samples);
    }
    let wall: fn(&Usage) -> Duration = |usage| usage.wall;
    for (name, theirs) in [&others[1], &others[3]] {
        report.part(
            "100 small benchmarks, wall time",
            HUNDRED_PART,
            (name, theirs.median(wall)),
            samples[0].median(wall),
        );
    }
    Ok(())
}

/// Most CPU time of each further small benchmark, and most wall time of the first 100, in seconds.
const FURTHER: f64 = 0.006;
const HUNDRED: f64 = 1.0;

/// Most memory of the runner with 1000 benchmarks, in bytes.
const MEMORY: f64 = 40e6;

/// 10, 100 and 1000 small benchmarks.
fn scale(workshop: &Workshop, rounds: usize, report: &mut Report) -> Result<()> {
    const SIZES: [usize; 3] = [10, 100, 1000];
    let names = SIZES.map(|size| format!("n{size}"));
    let sources = SIZES.map(|size| Small::benchmarks(size).source(Library::Ours));
    let files: Vec<(&str, String)> = names.iter().map(String::as_str).zip(sources).collect();
    let project = workshop.benches(Library::Ours, "scale", &files)?;
    let mut executables = Vec::new();
    for name in &names {
        let executable = project.build(name)?;
        measure(&mut project.run(&executable))?;
        executables.push(executable);
    }
    let mut samples = [(); 3].map(|()| Samples::default());
    let mut peaks = Vec::new();
    for _ in 0..rounds {
        for (executable, samples) in executables.iter().zip(&mut samples) {
            samples.push(measure(&mut project.run(executable))?);
        }
        peaks.push(peak_memory(&mut project.run(&executables[2]))? as f64);
    }

    for (size, samples) in SIZES.iter().zip(&samples) {
        report.figure(format!("{size} small benchmarks"), samples);
    }
    let further = |from: usize, to: usize| {
        let cpu = samples[to].beyond(&samples[from], |usage| usage.cpu);
        cpu / (SIZES[to] - SIZES[from]) as f64
    };
    report.row(
        "each further small benchmark, CPU time",
        FURTHER,
        further(1, 2),
        Unit::Seconds,
    );
    report.row(
        "100 small benchmarks, wall time",
        HUNDRED,
        samples[1].median(|usage| usage.wall),
        Unit::Seconds,
    );
    report.row(
        "CPU time of one of the last 900 of 1000, against one of the last 90 of 100",
        1.25,
        further(1, 2) / further(0, 1),
        Unit::Times,
    );
    two_at_a_time(&project, &executables[2], rounds, report)?;
    report.row(
        "peak memory of the runner, 1000 benchmarks",
        MEMORY,
        median(peaks.into_iter()),
        Unit::Bytes,
    );
    Ok(())
}

/// A benchmark counts what its function executes, as Callgrind alone counts it.
fn counts(workshop: &Workshop, report: &mut Report) -> Result<()> {
    let ours = format!(
        "use std::hint::black_box;\n\n\
         use iai_callgrind::{{library_benchmark, library_benchmark_group, main}};\n\n{FIBONACCI}\n\
         #[library_benchmark]\n#[bench::nineteen(19)]\nfn fib(n: u64) -> u64 {{\n    \
         black_box(fibonacci(n))\n}}\n\n\
         library_benchmark_group!(name = g; benchmarks = fib);\n\
         main!(library_benchmark_groups = g);\n"
    );
    let plain = format!(
        "use std::hint::black_box;\n\n{FIBONACCI}\n{}",
        include_str!("templates/plain.rs")
    );
    let project = workshop.benches(
        Library::Ours,
        "counts",
        &[("framework", ours), ("plain", plain)],
    )?;
    measure(&mut project.run(&project.build("framework")?))?;
    let results = project.results("framework", "fib.nineteen")?;
    let with = fs::read_to_string(results.join("callgrind.fib.nineteen.out"))?;

    let scratch = workshop.scratch()?;
    let mut arguments = valgrind_arguments(&results)?;
    arguments.retain(|word| !word.starts_with("--toggle-collect="));
    let mut command = callgrind(&arguments, &scratch);
    command.arg("--toggle-collect=plain::measured");
    command.arg(project.build("plain")?);
    measure(&mut command)?;
    // With `--separate-threads=yes` the profile of the only thread has a number.
    let without = fs::read_to_string(scratch.join("out-01"))?;

    let [with, without] = [with, without].map(|profile| instructions(&profile));
    let (with, without) = (with?, without?);
    report.row(
        format!("instructions added to the {without} of `fibonacci(19)`"),
        0.0,
        (with - without).abs(),
        Unit::Count,
    );
    Ok(())
}

/// The first total of a profile.
fn instructions(profile: &str) -> Result<f64> {
    let line = |key: &str| profile.lines().find_map(|line| line.strip_prefix(key));
    ensure!(
        line("events: ").is_some_and(|events| events.starts_with("Ir ")),
        "the first event is not `Ir`"
    );
    let totals = line("totals: ").and_then(|totals| totals.split(' ').next());
    let instructions = totals.context("there are no totals")?.parse()?;
    ensure!(instructions > 0.0, "nothing was counted");
    Ok(instructions)
}

/// The arguments that the runner gave to Valgrind for a benchmark.
fn valgrind_arguments(results: &Path) -> Result<Vec<String>> {
    let path = results.join("summary.json");
    let json = fs::read(&path).with_context(|| format!("cannot read `{}`", path.display()))?;
    let summary: Value = serde_json::from_slice(&json)?;
    let words = summary["profiles"][0]["environment"]["valgrind_args"].as_array();
    let words = words.with_context(|| format!("no arguments in `{}`", path.display()))?;
    Ok(words
        .iter()
        .filter_map(|word| word.as_str().map(str::to_owned))
        .collect())
}

/// Valgrind without a framework.
fn callgrind(arguments: &[String], scratch: &Path) -> Command {
    let file = |option: &str, name: &str| format!("{option}={}", scratch.join(name).display());
    let mut command = Command::new("valgrind");
    command
        .args(arguments)
        .arg(file("--callgrind-out-file", "out"))
        .arg(file("--log-file", "log"));
    command
}
