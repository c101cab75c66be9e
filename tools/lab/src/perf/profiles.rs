//! Large profiles: read completely, and drawn.

use std::fs;

use anyhow::{ensure, Result};

use super::candidates::Workshop;
use super::profile::Profile;
use super::program::{middle, Program};
use super::table::{Report, Samples, Unit};
use super::usage::measure;

/// The program that reads and draws profiles.
const PROFILES: &str = include_str!("../../../../iai-callgrind-runner/examples/profiles.rs");

/// A profile of 200 MB with functions and calls.
pub(super) fn parse(workshop: &Workshop, rounds: usize, report: &mut Report) -> Result<()> {
    let program = Program::build(workshop, "profiles", PROFILES)?;
    let path = workshop.scratch()?.join("large.out");
    let profile = Profile {
        size: 200_000_000,
        more: 0,
    };
    let total = profile.write(&path)?;
    let [graph, read] = program.numbers("graph", rounds, &[&path])?;
    ensure!(
        read.iter().all(|found| *found == total as f64),
        "the profile has {total} instructions, {read:?} were read"
    );
    report.row(
        "a 200 MB profile with all functions and calls, CPU time",
        1.0,
        middle(&graph),
        Unit::Seconds,
    );
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
        0.3,
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
