//! Builds: of a user's crate, cold and after an edit, and of the runner.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};

use super::candidates::{Library, Small, Workshop, GUNGRAUN};
use super::rustc::{self, Compiled};
use super::table::{Report, Samples, Unit};
use super::usage::{measure, Usage};
use crate::{process, workspace_root};

/// Part of gungraun's time that a build may take.
const BUILD: f64 = 2.0;

/// Greatest part of an installation's CPU time that one crate may take, and most memory of one
/// rustc, in bytes.
const ONE_CRATE: f64 = 0.4;
const ONE_RUSTC: f64 = 700e6;

/// From nothing to an executable.
pub(super) fn compile(workshop: &Workshop, rounds: usize, report: &mut Report) -> Result<()> {
    let mut projects = Vec::new();
    for library in Library::ALL {
        let source = Small::benchmarks(10).source(library);
        projects.push(workshop.benches(library, "compile", &[("small", source)])?);
    }
    let mut samples = vec![Samples::default(); projects.len()];
    for _ in 0..rounds {
        for (project, samples) in projects.iter().zip(&mut samples) {
            let empty = workshop.scratch()?;
            samples.push(measure(&mut project.cold_build(&empty))?);
        }
    }
    workshop.scratch()?;
    for (library, samples) in Library::ALL.iter().zip(&samples) {
        report.figure(format!("cold build: {}", library.name()), samples);
    }
    let cpu: fn(&Usage) -> Duration = |usage| usage.cpu;
    report.part(
        "cold build, CPU time",
        BUILD,
        (&Library::Gungraun.name(), samples[1].median(cpu)),
        samples[0].median(cpu),
    );
    Ok(())
}

/// Builds a bench file again after an edit, ours and gungraun's in turns.
pub(super) fn rebuild(workshop: &Workshop, rounds: usize, report: &mut Report) -> Result<()> {
    let libraries = [Library::Ours, Library::Gungraun];
    let mut projects = Vec::new();
    for library in libraries {
        let source = Small::benchmarks(10).source(library);
        let project = workshop.benches(library, "rebuild", &[("small", source)])?;
        project.build("small")?;
        projects.push(project);
    }
    let mut samples = [Samples::default(), Samples::default()];
    for _ in 0..rounds {
        for (project, samples) in projects.iter().zip(&mut samples) {
            samples.push(measure(&mut project.build_again("small")?)?);
        }
    }
    for (library, samples) in libraries.iter().zip(&samples) {
        report.figure(format!("build after an edit: {}", library.name()), samples);
    }
    let wall: fn(&Usage) -> Duration = |usage| usage.wall;
    report.part(
        "build after an edit, wall time",
        BUILD,
        (&Library::Gungraun.name(), samples[1].median(wall)),
        samples[0].median(wall),
    );
    Ok(())
}

/// Installs both runners from their sources, once: each takes minutes.
pub(super) fn install(workshop: &Workshop, report: &mut Report) -> Result<()> {
    let ours = workspace_root().join("iai-callgrind-runner");
    let theirs = format!("gungraun-runner@{GUNGRAUN}");
    let sources = [
        (Library::Ours, vec![OsStr::new("--path"), ours.as_os_str()]),
        (Library::Gungraun, vec![OsStr::new(&theirs)]),
    ];
    let mut installed = Vec::new();
    for (library, source) in sources {
        let empty = workshop.scratch()?;
        let log = empty.join("rustc.log");
        let usage = measure(&mut installation(&source, &empty, &log)?)?;
        let mut samples = Samples::default();
        samples.push(usage);
        report.figure(
            format!("`cargo install` of the runner: {}", library.name()),
            &samples,
        );
        installed.push((usage.cpu.as_secs_f64(), rustc::read(&log)?));
    }
    workshop.scratch()?;
    let [(ours, crates), (theirs, _)] = &installed[..] else {
        unreachable!("two were installed");
    };
    report.part(
        "`cargo install` of the runner, CPU time",
        1.0,
        (&Library::Gungraun.name(), *theirs),
        *ours,
    );
    let longest = most(crates, |compiled| compiled.seconds)?;
    report.row(
        format!("longest crate of it, `{}`, of its CPU time", longest.name),
        ONE_CRATE,
        longest.seconds / crates.iter().map(|compiled| compiled.seconds).sum::<f64>(),
        Unit::Times,
    );
    let largest = most(crates, |compiled| compiled.bytes)?;
    report.row(
        format!("peak memory of one rustc in it, for `{}`", largest.name),
        ONE_RUSTC,
        largest.bytes,
        Unit::Bytes,
    );
    Ok(())
}

/// The command that a user installs the runner with.
fn installation(source: &[&OsStr], empty: &Path, log: &Path) -> Result<Command> {
    fs::write(log, "").with_context(|| format!("cannot write `{}`", log.display()))?;
    let own = std::env::current_exe().context("our own path is unknown")?;
    let mut command = process::cargo();
    command
        .args(["install", "--locked", "--root"])
        .arg(empty)
        .args(source)
        .env("CARGO_TARGET_DIR", empty.join("target"))
        .env("RUSTC_WRAPPER", own)
        .env(rustc::LOG, log);
    Ok(command)
}

/// The crate with the most of something.
fn most(crates: &[Compiled], of: fn(&Compiled) -> f64) -> Result<&Compiled> {
    crates
        .iter()
        .max_by(|a, b| of(a).total_cmp(&of(b)))
        .context("nothing was compiled")
}
