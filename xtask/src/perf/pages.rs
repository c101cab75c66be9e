//! Pages of many benchmarks: time, memory and size.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{ensure, Context, Result};

use super::candidates::{Library, Workshop};
use super::table::{Report, Samples, Unit};
use super::usage::{measure, peak_memory};

/// Number of benchmarks.
const BENCHMARKS: usize = 1000;

/// Bounds of a page: seconds, bytes of memory, of the page, and of the table for each benchmark.
const SECONDS: f64 = 3.0;
const MEMORY: f64 = 150e6;
const PAGE: f64 = 20e6;
const INDEX: f64 = 400.0;

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
    report.row(
        "peak memory of that",
        MEMORY,
        peak_memory(&mut write())? as f64,
        Unit::Bytes,
    );
    let text = fs::read_to_string(&page)?;
    report.row("length of that page", PAGE, text.len() as f64, Unit::Bytes);
    let details = text.matches(" id=\"d").count();
    ensure!(details == BENCHMARKS, "{details} benchmarks have details");
    report.row(
        "table of that page and its data, for each benchmark",
        INDEX,
        (between(&text, "<tbody>", "</tbody>")? + between(&text, "id=\"index\">", "</script>")?)
            as f64
            / BENCHMARKS as f64,
        Unit::Bytes,
    );
    Ok(())
}

/// Length of the text between two others.
fn between(text: &str, begin: &str, end: &str) -> Result<usize> {
    let behind = text.split_once(begin).map(|(_, behind)| behind);
    let between = behind.and_then(|behind| behind.split_once(end));
    between
        .map(|(between, _)| between.len())
        .with_context(|| format!("the page has no `{begin}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_those_of_what_is_between() {
        assert_eq!(between("a<b>1234</b>", "<b>", "</b>").unwrap(), 4);
        assert!(between("a<b>1234", "<b>", "</b>").is_err());
    }
}
