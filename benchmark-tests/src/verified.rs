//! The oracle that knows nothing of Valgrind: benchmarks in single steps of the processor, by
//! `--verify`.

use std::collections::BTreeMap;

use crate::bench::{Bench, Ended};

/// Result of `--verify` for a benchmark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// Callgrind's figure.
    pub callgrind: Option<u64>,
    /// Count of single steps.
    pub stepped: Option<u64>,
    /// Lines of the report about the benchmark.
    pub text: String,
}

impl Verdict {
    /// Are both counts there, and equal?
    pub fn is_equal(&self) -> bool {
        self.stepped.is_some() && self.stepped == self.callgrind
    }
}

/// Verifies the benchmarks of an executable, by the words of a user after `--bench`.
pub fn verify(bench: Bench, words: &[&str]) -> (Ended, BTreeMap<String, Verdict>) {
    let has_option = words.iter().any(|word| word.starts_with("--verify"));
    let words = words.iter().copied();
    let option = (!has_option).then_some("--verify");
    let ended = bench
        .arg("--bench")
        .args(option.into_iter().chain(words))
        .run();
    let verdicts = verdicts(&ended.stdout);
    (ended, verdicts)
}

/// Reads the report: a headline for each benchmark, and indented lines.
fn verdicts(report: &str) -> BTreeMap<String, Verdict> {
    let mut verdicts: BTreeMap<String, Verdict> = BTreeMap::new();
    let mut current = String::new();
    for line in report.lines() {
        let Some(line) = line.strip_prefix("  ") else {
            // `file::group::function id`
            current = line.replacen(' ', "::", 1);
            continue;
        };
        let verdict = verdicts.entry(current.clone()).or_insert(Verdict {
            callgrind: None,
            stepped: None,
            text: String::new(),
        });
        let number = |label: &str| {
            let rest = line.strip_prefix(label)?;
            rest.split_whitespace().next()?.parse().ok()
        };
        verdict.callgrind = verdict.callgrind.or(number("Callgrind:"));
        verdict.stepped = verdict.stepped.or(number("single steps:"));
        verdict.text += line;
        verdict.text.push('\n');
    }
    verdicts
}
