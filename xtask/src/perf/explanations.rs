//! Digests and explanations: what they cost beside a benchmark.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{ensure, Context, Result};

use super::candidates::{Crate, Library, Small, Workshop};
use super::profile::Profile;
use super::profiles::PROFILES;
use super::program::{middle, Program};
use super::table::{Report, Samples, Unit};
use super::usage::{measure, Usage};

/// The program that makes and explains digests.
const DIGESTS: &str = include_str!("../../../iai-callgrind-runner/examples/digests.rs");

/// Functions of the benchmarks with many instructions, each of which has about a hundred.
const FUNCTIONS: [usize; 2] = [20, 200];

/// Benchmarks of which the difference of two runs is divided: enough that it is greater than what two runs of the
/// same executable differ by.
const BENCHMARKS: usize = 100;

/// Runs of them in each round: they take less than a second, and are compared in pairs.
const PAIRS: usize = 3;

/// What a digest may cost, in seconds: that of 2000 and of 20000 instructions, of each further one, and of a small
/// benchmark.
const DIGEST: [(f64, f64); 2] = [(2e3, 0.002), (2e4, 0.025)];
const FURTHER: f64 = 1e-6;
const SMALL: f64 = 0.0005;

/// What it may cost if executable and profile are those of the last run.
const UNCHANGED: f64 = 0.0001;

/// CPU time of opening an executable, for each of its bytes.
const OPEN: f64 = 0.6e-9;

/// Most memory of a process with an open executable: up to this length, and for each further byte.
const MEMORY: f64 = 30e6;
const USUAL: f64 = 16e6;
const HELD: f64 = 0.5;

/// Most of an explanation of two profiles of 20000 instructions, in seconds.
const EXPLANATION: f64 = 0.01;

/// Most of the pictures of both results and their difference, in seconds.
const PICTURES: f64 = 0.1;

/// Greatest length of profile and digest, against a profile as Callgrind writes it without compression.
const FILES: f64 = 1.3;

/// The arguments of Callgrind that write no instructions and repeat all names.
const PLAIN: &str = "--callgrind-args=--dump-instr=no --compress-strings=no --compress-pos=no";

/// The configuration without explanations.
const WITHOUT: &str = "main!(config = iai_callgrind::LibraryBenchmarkConfig::default().tool(
        iai_callgrind::Callgrind::default()
            .explain(iai_callgrind::ExplainConfig::default().enabled(false))),
    ";

pub(super) fn explanations(workshop: &Workshop, rounds: usize, report: &mut Report) -> Result<()> {
    let small = Small::benchmarks(BENCHMARKS).source(Library::Ours);
    let many = long(BENCHMARKS);
    let files = [
        ("small", small.clone()),
        ("small_without", without(&small)),
        ("many", many.clone()),
        ("many_without", without(&many)),
        ("long", long(1)),
    ];
    let project = workshop.benches(Library::Ours, "explain", &files)?;
    in_runs(&project, rounds, report)?;
    alone(workshop, &project, rounds, report)
}

fn without(source: &str) -> String {
    source.replace("main!(", WITHOUT)
}

/// Benchmarks whose functions call all of 20, and then all of 200 others, with other numbers in each of `cases`.
fn long(cases: usize) -> String {
    let mut text = "use std::hint::black_box;\n\n\
                    use iai_callgrind::{library_benchmark, library_benchmark_group, main};\n"
        .to_owned();
    for function in 0..FUNCTIONS[1] {
        let _ = write!(
            text,
            "\n#[inline(never)]\nfn f{function}(mut n: u64) -> u64 {{\n"
        );
        for line in 0..24 {
            let number = 2 * (function * 24 + line) + 1;
            let _ = writeln!(
                text,
                "    n = black_box(n.wrapping_mul({number}).rotate_left({line})) ^ {number};"
            );
        }
        text.push_str("    n\n}\n");
    }
    for (name, functions) in ["some", "all"].into_iter().zip(FUNCTIONS) {
        text.push_str("\n#[library_benchmark]\n");
        for case in 0..cases {
            let _ = writeln!(text, "#[bench::c{case}({})]", case + 1);
        }
        let _ = write!(
            text,
            "fn {name}(n: u64) -> u64 {{\n    let mut sum = 0;\n    for n in 0..n {{\n"
        );
        for function in 0..functions {
            let _ = writeln!(text, "        sum ^= f{function}(n);");
        }
        text.push_str("    }\n    sum\n}\n");
    }
    text + "\nlibrary_benchmark_group!(name = g; benchmarks = some, all);\n\
            main!(library_benchmark_groups = g);\n"
}

/// The runner's own time with and without digests, in turns.
fn in_runs(project: &Crate<'_>, rounds: usize, report: &mut Report) -> Result<()> {
    let names = ["small", "small_without", "many", "many_without"];
    let executables: Vec<PathBuf> = names
        .iter()
        .map(|name| project.build(name))
        .collect::<Result<_>>()?;
    for executable in &executables {
        measure(&mut project.run(executable))?;
    }
    let mut samples = [(); 4].map(|()| Samples::default());
    for _ in 0..PAIRS * rounds {
        for ((name, executable), samples) in names.iter().zip(&executables).zip(&mut samples) {
            let mut command = project.run(executable);
            if name.starts_with("many") {
                command.arg("g::some::");
            }
            samples.push(measure(&mut command)?);
        }
    }
    let own: fn(&Usage) -> Duration = |usage| usage.own;
    let [small, small_without, many, many_without] = &samples;
    report.row(
        "digest of a small benchmark, the runner's own CPU time",
        SMALL,
        small.beyond(small_without, own) / BENCHMARKS as f64,
        Unit::Seconds,
    );
    report.row(
        "digest of 2000 instructions of the same executable and profile as before, the runner's own CPU time",
        UNCHANGED,
        many.beyond(many_without, own) / BENCHMARKS as f64,
        Unit::Seconds,
    );
    Ok(())
}

/// Opening an executable, making digests and comparing them, without a run.
fn alone(
    workshop: &Workshop,
    project: &Crate<'_>,
    rounds: usize,
    report: &mut Report,
) -> Result<()> {
    let program = Program::build(workshop, "digests", DIGESTS)?;
    let executable = project.build("long")?;
    let length = fs::metadata(&executable)?.len() as f64;
    let megabytes = length / 1e6;
    let files = &[executable.as_path()];
    let [open] = program.numbers("open", rounds, files)?;
    let held = program.peak("open", files)?;
    report.row(
        format!("opening an executable of {megabytes:.1} MB, CPU time (0.6 ms for each MB)"),
        OPEN * length,
        middle(&open),
        Unit::Seconds,
    );
    report.row(
        "peak memory of that (30 MB, and 0.5 MB for each MB beyond 16)",
        MEMORY + HELD * (length - USUAL).max(0.0),
        held,
        Unit::Bytes,
    );

    let mut plain = 0.0;
    let mut digested = 0.0;
    let mut profiles = Vec::new();
    for ((instructions, bound), function) in DIGEST.into_iter().zip(["some", "all"]) {
        measure(project.run(&executable).arg(function).arg(PLAIN))?;
        let results = project.results("long", &format!("{function}.c0"))?;
        plain += length_of(&results, &["out"])?;
        measure(project.run(&executable).arg(function))?;
        digested += length_of(&results, &["out", "digest"])?;
        let profile = results.join(format!("callgrind.{function}.c0.out"));
        let [time, rows] = program.numbers("digest", rounds, &[&executable, &profile])?;
        let rows = middle(&rows);
        report.row(
            format!("digest of {rows} instructions, the first of their executable, CPU time"),
            bound + FURTHER * (rows - instructions),
            middle(&time),
            Unit::Seconds,
        );
        profiles.push(profile);
    }
    report.row(
        "profiles and digests, against profiles without instructions that repeat all names",
        FILES,
        digested / plain,
        Unit::Times,
    );
    let all = profiles[1].as_path();
    let files = [executable.as_path(), all, &profiles[0]];
    let [time, rows] = program.numbers("explain", rounds, &files)?;
    ensure!(middle(&rows) > 1000.0, "{rows:?} rows are few");
    report.row(
        format!(
            "explanation of {} rows of instructions, CPU time",
            middle(&rows)
        ),
        EXPLANATION,
        middle(&time),
        Unit::Seconds,
    );
    let pictures = Program::build(workshop, "profiles", PROFILES)?;
    let files = [all, &profiles[0], executable.as_path()];
    let [time, frames] = pictures.numbers("inlined", rounds, &files)?;
    let frames = middle(&frames);
    ensure!(frames > 50.0, "the pictures have {frames} frames");
    report.row(
        format!(
            "three flamegraphs with inlined functions of two digests ({frames} frames), wall time"
        ),
        PICTURES,
        middle(&time),
        Unit::Seconds,
    );
    large(workshop, &program, &executable, rounds, report)
}

/// A profile of 200 MB.
fn large(
    workshop: &Workshop,
    program: &Program,
    executable: &Path,
    rounds: usize,
    report: &mut Report,
) -> Result<()> {
    let path = workshop.scratch()?.join("large.out");
    let size = 200_000_000;
    Profile { size, more: 0 }.write(&path)?;
    let files = &[executable, &path];
    let [time, _] = program.numbers("digest", rounds.min(3), files)?;
    report.row(
        "digest of a 200 MB profile, CPU time",
        2.0,
        middle(&time),
        Unit::Seconds,
    );
    let peak = program.peak("digest", files)?;
    report.row("peak memory of that", 150e6, peak, Unit::Bytes);
    Ok(fs::remove_file(&path)?)
}

/// Bytes of the files of a result with these extensions.
fn length_of(results: &Path, extensions: &[&str]) -> Result<f64> {
    let mut length = 0;
    let context = || format!("cannot list `{}`", results.display());
    for entry in fs::read_dir(results).with_context(context)? {
        let entry = entry?;
        let path = entry.path();
        let extension = path.extension().and_then(|extension| extension.to_str());
        if extension.is_some_and(|extension| extensions.contains(&extension)) {
            length += entry.metadata()?.len();
        }
    }
    ensure!(length > 0, "no results in `{}`", results.display());
    Ok(length as f64)
}
