//! Comparison of two sides of many benchmarks: time of `compare`.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{ensure, Context, Result};

use super::candidates::{Library, Workshop};
use super::table::{Report, Samples, Unit};
use super::usage::measure;

/// Records that were made by real runs.
const RECORDED: &str =
    include_str!("../../../../iai-callgrind-runner/tests/data/c-libraries/glibc-2.36.jsonl");

/// The benchmark whose record is repeated under other names.
const NAME: &str = "boxes::n_0";

/// Number of benchmarks on each side, and most seconds of the comparison.
const BENCHMARKS: usize = 1000;
const SECONDS: f64 = 0.5;

/// Two sides, of which every tenth benchmark of the new one counts more.
pub(super) fn comparisons(workshop: &Workshop, rounds: usize, report: &mut Report) -> Result<()> {
    let scratch = workshop.scratch()?;
    let runner = workshop.runner(Library::Ours);
    let [old, new] = ["old", "new"].map(|name| scratch.join(format!("{name}.jsonl")));
    fs::write(&old, records(BENCHMARKS, |_| false)?)?;
    fs::write(&new, records(BENCHMARKS, |number| number % 10 == 0)?)?;
    let mut samples = Samples::default();
    for _ in 0..rounds {
        samples.push(measure(&mut compare(&runner, &old, &new))?);
    }
    report.row(
        format!("`compare` of 2 × {BENCHMARKS} benchmarks, wall time"),
        SECONDS,
        samples.median(|usage| usage.wall),
        Unit::Seconds,
    );
    Ok(())
}

fn compare(runner: &Path, old: &Path, new: &Path) -> Command {
    let mut command = Command::new(runner);
    // Nobody exceeds it, so that the exit code is 0.
    command
        .args(["compare", "--callgrind-limits=ir=99%"])
        .args([old, new]);
    command
}

/// Records of so many benchmarks, and that of their run.
fn records(benchmarks: usize, is_dearer: impl Fn(usize) -> bool) -> Result<String> {
    let (run, record) = (line("\"type\":\"run\"")?, line(NAME)?);
    let count =
        "\"kind\":\"Ir\",\"label\":\"Instructions\",\"unit\":null,\"shown\":true,\"new\":2195";
    ensure!(record.contains(count), "the recorded count is another one");
    let dearer = record.replace(count, &count.replace("2195", "2415"));
    let mut text = String::with_capacity(benchmarks * record.len());
    for number in 0..benchmarks {
        let record = if is_dearer(number) { &dearer } else { record };
        let _ = writeln!(
            text,
            "{}",
            record.replace(NAME, &format!("boxes::n_{number}"))
        );
    }
    Ok(text + run + "\n")
}

fn line(part: &str) -> Result<&'static str> {
    let mut lines = RECORDED.lines();
    let line = lines.find(|line| line.contains(part));
    line.with_context(|| format!("no record has `{part}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_benchmark_has_a_record_and_a_name_of_its_own() {
        let text = records(20, |number| number == 7).unwrap();
        assert_eq!(text.lines().count(), 21);
        assert_eq!(text.matches("boxes::n_19\"").count(), 1);
        assert_eq!(text.matches("\"new\":2415").count(), 1);
    }
}
