//! Large profiles: read completely, and drawn.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{ensure, Context, Result};

use super::candidates::Workshop;
use super::profile::Profile;
use super::table::{median, Report, Samples, Unit};
use super::usage::{measure, peak_memory};
use crate::process::output;

/// A program that reads and draws profiles.
struct Program(PathBuf);

impl Program {
    fn build(workshop: &Workshop) -> Result<Self> {
        let program = workshop.program(
            "profiles",
            include_str!("../../../iai-callgrind-runner/examples/profiles.rs"),
        )?;
        program.build("ours-profiles").map(Self)
    }

    fn command(&self, what: &str, rounds: usize, files: &[&Path]) -> Command {
        let mut command = Command::new(&self.0);
        command.arg(what).arg(rounds.to_string()).args(files);
        command
    }

    /// The numbers of each round, by columns, after one round that does not count.
    fn numbers<const N: usize>(
        &self,
        what: &str,
        rounds: usize,
        files: &[&Path],
    ) -> Result<[Vec<f64>; N]> {
        let text = output(&mut self.command(what, rounds + 1, files))?;
        let mut columns = [const { Vec::new() }; N];
        for line in text.lines().skip(1) {
            let words: Vec<&str> = line.split(' ').collect();
            ensure!(words.len() == N, "not {N} numbers: `{line}`");
            for (column, word) in columns.iter_mut().zip(words) {
                column.push(word.parse().with_context(|| format!("`{line}`"))?);
            }
        }
        Ok(columns)
    }

    /// The most memory that one round takes, in bytes.
    fn peak(&self, what: &str, files: &[&Path]) -> Result<f64> {
        Ok(peak_memory(&mut self.command(what, 1, files))? as f64)
    }
}

fn middle(column: &[f64]) -> f64 {
    median(column.iter().copied())
}

/// A profile of 200 MB: the totals, everything, and everything with functions and calls.
pub(super) fn parse(workshop: &Workshop, rounds: usize, report: &mut Report) -> Result<()> {
    let program = Program::build(workshop)?;
    let path = workshop.scratch()?.join("large.out");
    let profile = Profile {
        size: 200_000_000,
        more: 0,
    };
    let total = profile.write(&path)?;
    let size = fs::metadata(&path)?.len() as f64;
    let files = &[path.as_path()];
    let [totals, everything, read] = program.numbers("parse", rounds, files)?;
    let [graph, parts, added] = program.numbers("graph", rounds, files)?;
    ensure!(
        read.iter()
            .chain(&added)
            .all(|found| *found == total as f64),
        "the profile has {total} instructions, {read:?} and {added:?} were read"
    );
    report.row(
        "totals of a 200 MB profile, wall time",
        0.005,
        middle(&totals),
        Unit::Seconds,
    );
    report.row(
        "complete pass over a 200 MB profile (300 MB/s), CPU time",
        size / 300e6,
        middle(&everything),
        Unit::Seconds,
    );
    report.row(
        "peak memory of both",
        30e6,
        program.peak("parse", files)?,
        Unit::Bytes,
    );
    report.row(
        "the same with all functions and calls (300 MB/s), CPU time",
        size / 300e6,
        middle(&graph),
        Unit::Seconds,
    );
    let parts = middle(&parts);
    report.row(
        format!("peak memory with {parts} functions and calls (10 MB, and 500 bytes for each)"),
        10e6 + 500.0 * parts,
        program.peak("graph", files)?,
        Unit::Bytes,
    );
    let mut annotate = Samples::default();
    annotate.push(measure(Command::new("callgrind_annotate").arg(&path))?);
    report.figure("callgrind_annotate of the 200 MB profile", &annotate);
    Ok(fs::remove_file(&path)?)
}

/// Three pictures of two profiles of 10 MB.
pub(super) fn flamegraphs(workshop: &Workshop, rounds: usize, report: &mut Report) -> Result<()> {
    let program = Program::build(workshop)?;
    let scratch = workshop.scratch()?;
    let [new, old] = ["new.out", "old.out"].map(|name| scratch.join(name));
    for (path, more) in [(&new, 5000), (&old, 0)] {
        let size = 10_000_000;
        Profile { size, more }.write(path)?;
    }
    let files = &[new.as_path(), old.as_path()];
    let [times, frames] = program.numbers("draw", rounds, files)?;
    let frames = middle(&frames);
    ensure!(frames > 1000.0, "the pictures have {frames} frames");
    report.row(
        format!("regular, old and differential flamegraph of two 10 MB profiles ({frames} frames), wall time"),
        0.5,
        middle(&times),
        Unit::Seconds,
    );
    let peak = program.peak("draw", files)?;
    report.row("peak memory of that", 150e6, peak, Unit::Bytes);
    let mut once = Samples::default();
    once.push(measure(&mut program.command("draw", 1, files))?);
    report.figure("three flamegraphs of two 10 MB profiles", &once);
    Ok(())
}
