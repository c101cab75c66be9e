//! Cost of the attributes at compile time: a file with many of them, and the same without.

use std::fmt::Write as _;

use anyhow::Result;

use super::candidates::{Library, Workshop};
use super::table::{Report, Samples, Unit};
use super::usage::measure;

const FUNCTIONS: usize = 300;

/// Three for each function.
const CASES: [(&str, &str); 3] = [("a", "1, \"x\""), ("b", "10, \"y\""), ("c", "100, \"z\"")];

/// The bound, as a factor of the time without attributes and a time for all.
const FACTOR: f64 = 1.5;
const FURTHER: f64 = 2.0;

/// Builds both in turns.
pub(super) fn compile_many(workshop: &Workshop, rounds: usize, report: &mut Report) -> Result<()> {
    let files = [("with", with_attributes()), ("without", without())];
    let project = workshop.benches(Library::Ours, "many", &files)?;
    let mut samples = [Samples::default(), Samples::default()];
    for (name, _) in &files {
        project.build(name)?;
    }
    for _ in 0..rounds {
        for ((name, _), samples) in files.iter().zip(&mut samples) {
            samples.push(measure(&mut project.build_again(name)?)?);
        }
    }
    let names = ["with attributes", "without attributes"];
    for (name, samples) in names.iter().zip(&samples) {
        report.figure(format!("build of {FUNCTIONS} functions {name}"), samples);
    }
    let [with, without] = samples.map(|samples| samples.median(|usage| usage.wall));
    report.row(
        format!("build of {FUNCTIONS} functions with three cases each, wall time ({FACTOR} times the {without:.2} s without attributes, and {FURTHER} s)"),
        FACTOR * without + FURTHER,
        with,
        Unit::Seconds,
    );
    Ok(())
}

fn with_attributes() -> String {
    let mut text =
        String::from("use iai_callgrind::{library_benchmark, library_benchmark_group, main};\n\n");
    for number in 0..FUNCTIONS {
        text.push_str("#[library_benchmark]\n");
        for (id, arguments) in CASES {
            let _ = writeln!(text, "#[bench::{id}({arguments})]");
        }
        text.push_str(&function(number));
    }
    let _ = writeln!(
        text,
        "library_benchmark_group!(name = g, benchmarks = [{}]);\n\
         main!(library_benchmark_groups = [g]);",
        names().join(", ")
    );
    text
}

/// Every function is called as often as it has cases above.
fn without() -> String {
    let mut text = String::from("use std::hint::black_box;\n\n");
    for number in 0..FUNCTIONS {
        text.push_str(&function(number));
    }
    text.push_str("fn main() {\n");
    for name in names() {
        for (_, arguments) in CASES {
            let _ = writeln!(text, "    black_box({name}({arguments}));");
        }
    }
    text.push_str("}\n");
    text
}

fn function(number: usize) -> String {
    format!(
        "fn f{number}(n: u64, text: &str) -> Vec<String> {{\n    \
         let mut list = Vec::new();\n    for k in 0..n {{\n        \
         list.push(format!(\"{{text}}{{}}\", k * {number}));\n    }}\n    \
         list.sort();\n    list\n}}\n\n"
    )
}

fn names() -> Vec<String> {
    (0..FUNCTIONS).map(|number| format!("f{number}")).collect()
}
