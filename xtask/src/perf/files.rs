//! A package with many bench files: what each of them costs apart from its benchmarks, and what an edit costs.

use std::time::Duration;

use anyhow::Result;

use super::candidates::{Library, Small, Workshop};
use super::sections::{callgrind, valgrind_arguments, PARTS};
use super::table::{Report, Samples, Unit};
use super::usage::{measure, Usage};

const FILES: usize = 20;

/// Greatest CPU time of a bench file beyond the start of Valgrind, in seconds.
const CONSTANT: f64 = 0.06;

/// Runs bench files with one benchmark each as cargo does, one after the other, and Callgrind alone as often.
pub(super) fn many_files(workshop: &Workshop, rounds: usize, report: &mut Report) -> Result<()> {
    let names: Vec<String> = (0..FILES).map(|number| format!("file{number}")).collect();
    let source = Small { functions: 1 }.source(Library::Ours);
    let source = source.replace("#[bench::c0(0)]", "#[bench::only(0)]");
    let one: String = source
        .lines()
        .filter(|line| !line.starts_with("#[bench::c"))
        .map(|line| format!("{line}\n"))
        .collect();
    let files: Vec<(&str, String)> = names
        .iter()
        .map(|name| (name.as_str(), one.clone()))
        .collect();
    let project = workshop.benches(Library::Ours, "files", &files)?;
    let mut executables = Vec::new();
    for name in &names {
        let executable = project.build(name)?;
        measure(&mut project.run(&executable))?;
        executables.push(executable);
    }
    let arguments = valgrind_arguments(&project.results("file0", "f0.only")?)?;
    let scratch = workshop.scratch()?;
    let mut ours = Samples::default();
    let mut alone = Samples::default();
    for _ in 0..rounds {
        let mut sums = [Usage::default(); 2];
        for executable in &executables {
            let mut bare = callgrind(&arguments, &scratch);
            bare.arg(executable)
                .args(["--iai-callgrind", "run", "g::f0::only"]);
            let usages = [
                measure(&mut project.run(executable))?,
                measure(bare.env_clear())?,
            ];
            for (sum, usage) in sums.iter_mut().zip(usages) {
                sum.wall += usage.wall;
                sum.cpu += usage.cpu;
            }
        }
        ours.push(sums[0]);
        alone.push(sums[1]);
    }
    report.figure(
        format!("{FILES} bench files with one benchmark each"),
        &ours,
    );
    report.figure(format!("{FILES} times Callgrind alone"), &alone);
    let cpu: fn(&Usage) -> Duration = |usage| usage.cpu;
    report.row(
        "each bench file beyond the start of Valgrind, CPU time",
        CONSTANT,
        (ours.beyond(&alone, cpu) / FILES as f64).max(0.0),
        Unit::Seconds,
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
    for (part, of) in PARTS {
        report.part(
            &format!("build after an edit, {part}"),
            2.0,
            (&Library::Gungraun.name(), samples[1].median(of)),
            samples[0].median(of),
        );
    }
    Ok(())
}
