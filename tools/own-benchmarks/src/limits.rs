//! Limits of our hot paths: `limits.txt`, 50 % above what they took. They are there to find
//! mistakes, such as a loop that became quadratic, and leave room for code that reads better.
//!
//! Counts depend on what the compiler makes of the code, and on the instructions that libraries
//! choose for a processor. So the limits hold for the toolchain, the target and the kind of
//! processor that the file names, and elsewhere nothing is checked, which is said. A benchmark that
//! is not in the file has the limit 0.

use std::fmt::Write as _;
use std::sync::Once;

use iai_callgrind::{
    BinaryBenchmarkConfig, Callgrind, Dhat, DhatMetric, EventKind, LibraryBenchmarkConfig,
};
use iai_callgrind_runner::summary::{self, Record};

const FILE: &str = include_str!("../limits.txt");

/// Path of the file with the limits.
pub const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/limits.txt");

const HEAD: &str = "\
# The most that each benchmark may take: 50 % more than it took. `cargo xtask ours --write-limits` writes this file.
";

const MADE_WITH: &str = "made with: ";

/// Limited metrics, each with its tool.
const LIMITED: [(&str, &str); 2] = [("callgrind", "Ir"), ("dhat", "AtTGmaxBytes")];

/// The configuration of a function with its limit: instructions.
pub fn of(function: &str) -> LibraryBenchmarkConfig {
    let mut config = LibraryBenchmarkConfig::default();
    if let Some(callgrind) = callgrind(function) {
        config.tool(callgrind);
    }
    config
}

/// The configuration of a function with its limits: instructions, and the heap where it is largest.
pub fn with_heap(function: &str) -> LibraryBenchmarkConfig {
    let mut config = of(function);
    let mut dhat = Dhat::default();
    dhat.format([DhatMetric::TotalBytes, DhatMetric::AtTGmaxBytes]);
    if let Some(limit) = limit(function, LIMITED[1]) {
        dhat.hard_limits([(DhatMetric::AtTGmaxBytes, limit)]);
    }
    config.tool(dhat);
    config
}

/// The configuration of a program with its limit: instructions.
pub fn of_program(function: &str) -> BinaryBenchmarkConfig {
    let mut config = BinaryBenchmarkConfig::default();
    if let Some(callgrind) = callgrind(function) {
        config.tool(callgrind);
    }
    config
}

fn callgrind(function: &str) -> Option<Callgrind> {
    let limit = limit(function, LIMITED[0])?;
    let mut callgrind = Callgrind::default();
    callgrind.hard_limits([(EventKind::Ir, limit)]);
    Some(callgrind)
}

/// Limit of a metric; `None`: limits do not hold here.
fn limit(function: &str, (tool, metric): (&str, &str)) -> Option<u64> {
    static SAID: Once = Once::new();
    let (made_with, here) = (made_with(FILE), here());
    if made_with != here {
        SAID.call_once(|| {
            eprintln!("limits are not checked: they are for {made_with}, and this is {here}");
        });
        return None;
    }
    Some(find(FILE, function, tool, metric).unwrap_or(0))
}

fn made_with(file: &str) -> &str {
    let mut lines = file.lines();
    lines
        .find_map(|line| line.strip_prefix(MADE_WITH))
        .unwrap_or("nothing")
}

fn find(file: &str, function: &str, tool: &str, metric: &str) -> Option<u64> {
    file.lines().find_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            [a, b, c, count] if [*a, *b, *c] == [function, tool, metric] => count.parse().ok(),
            _ => None,
        }
    })
}

/// Toolchain, target and processor of this run, which decide about counts as far as that can be
/// known.
fn here() -> String {
    #[cfg(target_arch = "x86_64")]
    let features = match std::arch::is_x86_feature_detected!("avx2") {
        true => "with AVX2",
        false => "without AVX2",
    };
    #[cfg(not(target_arch = "x86_64"))]
    let features = "any processor";
    format!("{} {features}", env!("OWN_TOOLCHAIN"))
}

/// The file for the benchmarks of this JSON output.
///
/// # Errors
///
/// A benchmark failed for another reason than a limit, or the text is no output.
pub fn file(output: &str) -> Result<String, String> {
    let head = format!("{HEAD}{MADE_WITH}{}\n\n", here());
    let mut text = head.clone();
    for record in summary::read(output) {
        let record = record.map_err(|error| error.to_string())?;
        let Record::Benchmark(summary) = record else {
            continue;
        };
        if let Some(failure) = summary.failures.first() {
            return Err(format!(
                "{} failed: {}",
                summary.benchmark.path, failure.message
            ));
        }
        for profile in &summary.profiles {
            let limited = LIMITED.iter().find(|(tool, _)| *tool == profile.tool);
            let (tool, metric) = limited.ok_or("a tool without a limit")?;
            let metrics = profile.metrics.iter();
            let mut metrics = metrics.filter(|found| found.kind == *metric);
            let count = metrics.find_map(|found| found.new);
            let count = count.ok_or_else(|| format!("no {metric}"))?.as_f64();
            let function = &summary.benchmark.function;
            let _ = writeln!(text, "{function} {tool} {metric} {}", above(count));
        }
    }
    match text == head {
        true => Err("there is no benchmark in it".to_owned()),
        false => Ok(text),
    }
}

/// 50 % more, in three digits: figures that nobody takes for counts.
fn above(count: f64) -> u64 {
    let most = (count * 1.5).ceil().max(1.0);
    let step = 10_f64.powf((most.log10().floor() - 2.0).max(0.0));
    ((most / step).ceil() * step) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replayed::Replayed;

    #[test]
    fn limits_are_half_more() {
        for (count, limit) in [(0.0, 1), (1.0, 2), (100.0, 150), (12_345.0, 18_600)] {
            assert_eq!(above(count), limit, "{count}");
        }
        assert_eq!(above(1_234_567.0), 1_860_000);
    }

    #[test]
    fn what_was_written_is_found() {
        let file = file(&Replayed::again(1).summary()).unwrap();
        assert_eq!(made_with(&file), here());
        assert_eq!(find(&file, "works", "callgrind", "Ir"), Some(3010));
        assert_eq!(find(&file, "works", "dhat", "AtTGmaxBytes"), None);
        assert_eq!(find(&file, "other", "callgrind", "Ir"), None);
    }

    #[test]
    fn output_of_nothing_is_refused() {
        file("oops").unwrap_err();
        file("").unwrap_err();
    }
}
