//! Pages of many benchmarks: time to write and to open them, and size.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{ensure, Context, Result};

use super::candidates::{Library, Workshop};
use super::program::middle;
use super::table::{Report, Samples, Unit};
use super::usage::measure;
use crate::page::{Chromium, Tab as _};
use crate::step;

/// Number of benchmarks.
const BENCHMARKS: usize = 1000;

/// Bounds of a page: seconds to write it, its bytes, and seconds to open it.
const SECONDS: f64 = 5.0;
const PAGE: f64 = 20e6;
const OPENS: f64 = 1.0;

/// Words that are counted, with a text in place of the key, which is what changes.
const SOURCE: &str = "use std::collections::HashMap;
use std::hint::black_box;

use iai_callgrind::{library_benchmark, library_benchmark_group, main};

fn words(n: usize) -> String {
    (0..n).map(|n| format!(\"Word{} \", n % 70)).collect()
}

#[library_benchmark]
#[benches::n(iter = 1..=COUNT, setup = words)]
fn counted(text: String) -> usize {
    let mut known: HashMap<String, usize> = HashMap::new();
    for word in text.split(' ') {
        *known.entry(KEY).or_default() += 1;
    }
    let mut sorted: Vec<_> = known.into_iter().collect();
    sorted.sort();
    black_box(sorted).len()
}

library_benchmark_group!(name = g; benchmarks = counted);
main!(library_benchmark_groups = g);
";

/// Two runs of the same benchmarks, of which the second one counts more, and their page.
pub(super) fn pages(workshop: &Workshop, rounds: usize, report: &mut Report) -> Result<()> {
    let mut home = PathBuf::new();
    for key in ["word.to_owned()", "word.to_lowercase()"] {
        let source = SOURCE.replace("COUNT", &BENCHMARKS.to_string());
        let source = source.replace("KEY", key);
        let project = workshop.benches(Library::Ours, "page", &[("page", source)])?;
        let executable = project.build("page")?;
        measure(&mut project.run(&executable))?;
        home = project.home();
    }
    let page = workshop.scratch()?.join("page.html");
    let write = || {
        let mut command = Command::new(workshop.runner(Library::Ours));
        let export = format!("html={}", page.display());
        command.args(["compare", "--export", &export, "--home"]);
        command.arg(&home);
        command
    };
    let mut samples = Samples::default();
    for _ in 0..rounds {
        samples.push(measure(&mut write())?);
    }
    report.row(
        format!("page of {BENCHMARKS} benchmarks that changed, wall time"),
        SECONDS,
        samples.median(|usage| usage.wall),
        Unit::Seconds,
    );
    let text = fs::read_to_string(&page)?;
    report.row("length of that page", PAGE, text.len() as f64, Unit::Bytes);
    let details = text.matches(" id=\"d").count();
    ensure!(details == BENCHMARKS, "{details} benchmarks have details");
    if let Some(reason) = crate::page::missing(Chromium::NAMES) {
        step(&reason);
        return Ok(());
    }
    let mut browser = Chromium::start()?;
    let mut times = Vec::new();
    for _ in 0..rounds {
        browser.open_file(&page, "")?;
        let milliseconds = browser.value("(document.body.offsetHeight, performance.now())")?;
        times.push(milliseconds.as_f64().context("no time")? / 1e3);
    }
    report.row(
        "that page opens in Chromium, wall time",
        OPENS,
        middle(&times),
        Unit::Seconds,
    );
    Ok(())
}
