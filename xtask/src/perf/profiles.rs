//! Large profiles: read completely, and drawn.

use std::fs;
use std::process::Command;

use anyhow::{ensure, Result};

use super::candidates::Workshop;
use super::profile::Profile;
use super::program::{middle, Program};
use super::table::{Report, Samples, Unit};
use super::usage::measure;

/// The program that reads and draws profiles.
pub(super) const PROFILES: &str =
    include_str!("../../../iai-callgrind-runner/examples/profiles.rs");

/// A profile of 200 MB: the totals, everything, and everything with functions and calls.
pub(super) fn parse(workshop: &Workshop, rounds: usize, report: &mut Report) -> Result<()> {
    let program = Program::build(workshop, "profiles", PROFILES)?;
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
    let program = Program::build(workshop, "profiles", PROFILES)?;
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
