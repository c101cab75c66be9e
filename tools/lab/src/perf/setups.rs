//! Heavy setups and heavy functions, against the same without Valgrind.

use std::time::Duration;

use anyhow::Result;

use super::candidates::{Library, Workshop};
use super::table::{Report, Samples, Unit};
use super::usage::{measure, Usage};

/// A map of a million entries that is made and dropped around the function, one that is made in it,
/// and next to nothing, which is the start of Valgrind.
const SOURCE: &str = "\
use std::collections::BTreeMap;
use std::hint::black_box;

use iai_callgrind::{library_benchmark, library_benchmark_group, main};

fn map(size: u64) -> BTreeMap<u64, u64> {
    (0..size).map(|n| (n.wrapping_mul(0x9E37_79B9_7F4A_7C15), n)).collect()
}

#[library_benchmark]
#[bench::million(args = (1_000_000), setup = map)]
fn around(map: BTreeMap<u64, u64>) -> BTreeMap<u64, u64> {
    black_box(map.len());
    map
}

#[library_benchmark]
#[bench::some(100_000)]
fn within(size: u64) -> usize {
    black_box(map(size)).len()
}

#[library_benchmark]
fn nothing() -> u64 {
    (0..black_box(10)).sum()
}

library_benchmark_group!(name = g; benchmarks = around, within, nothing);
main!(library_benchmark_groups = g);
";

/// Greatest factor of the setup's native time.
const SETUP: f64 = 8.0;

/// Greatest part of a function's time with simulated caches.
const INSTRUCTIONS_ONLY: f64 = 0.4;

/// Measured runs: name, benchmark, and options; without Valgrind if there are none.
const RUNS: [(&str, &str, Option<&[&str]>); 7] = [
    (
        "a map of 1000000 entries, natively",
        "g::around::million",
        None,
    ),
    ("in a setup", "around", Some(&[])),
    (
        "in a setup with `--fast-setup`",
        "around",
        Some(&["--fast-setup"]),
    ),
    (
        "a map of 100000 entries in the function",
        "within",
        Some(&[]),
    ),
    (
        "the same with `--instructions-only`",
        "within",
        Some(&["--instructions-only"]),
    ),
    ("next to nothing", "nothing", Some(&[])),
    ("next to nothing, natively", "g::nothing", None),
];

pub(super) fn setups(workshop: &Workshop, rounds: usize, report: &mut Report) -> Result<()> {
    let files = [("setups", SOURCE.to_owned())];
    let project = workshop.benches(Library::Ours, "setups", &files)?;
    let executable = project.build("setups")?;
    let mut samples = RUNS.map(|_| Samples::default());
    for _ in 0..rounds {
        for ((_, benchmark, options), samples) in RUNS.iter().zip(&mut samples) {
            let usage = match options {
                Some(options) => measure(project.run(&executable).arg(benchmark).args(*options))?,
                None => {
                    let mut command = std::process::Command::new(&executable);
                    measure(command.args(["--iai-callgrind", "run", benchmark]))?
                }
            };
            samples.push(usage);
        }
    }
    for ((what, ..), samples) in RUNS.iter().zip(&samples) {
        report.figure(*what, samples);
    }
    let cpu: fn(&Usage) -> Duration = |usage| usage.cpu;
    let [native, _, fast, simulating, counting, start, none] =
        samples.map(|samples| samples.median(cpu));
    report.row(
        "setup of a map with `--fast-setup` without the start, CPU time against its native one",
        SETUP,
        (fast - start) / (native - none),
        Unit::Times,
    );
    report.row(
        "function with `--instructions-only` without the start, CPU time against that with caches",
        INSTRUCTIONS_ONLY,
        (counting - start) / (simulating - start),
        Unit::Times,
    );
    Ok(())
}
