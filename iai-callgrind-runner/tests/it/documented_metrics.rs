//! `docs/tools.md` has every metric and every group, with the words of the command line.

use std::path::Path;

use iai_callgrind::protocol::{
    BbvMetric, CachegrindMetric, DhatMetric, ErrorMetric, EventKind, MassifMetric, Metric,
};

/// The section below this headline; `None` if the package is alone.
fn section(headline: &str) -> Option<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/tools.md");
    let text = std::fs::read_to_string(path).ok()?;
    let (_, section) = text.split_once(&format!("\n## {headline}\n")).unwrap();
    Some(section.split("\n## ").next().unwrap().to_owned())
}

#[track_caller]
fn check<M: Metric>(headline: &str) {
    let Some(section) = section(headline) else {
        return;
    };
    let mut rest = section.as_str();
    let (of_metrics, of_groups) = M::WORDS;
    for (row, words) in M::TABLE.iter().zip(of_metrics) {
        let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
        let begin = format!("\n| {} | {} | ", row.label, words.join(", "));
        let (_, behind) = rest
            .split_once(&begin)
            .unwrap_or_else(|| panic!("no row {begin:?}, or not in the order of the terminal"));
        rest = behind;
    }
    let (_, groups) = section.split_once("\nGroups: ").unwrap();
    for words in of_groups {
        let longest = words.iter().max_by_key(|word| word.len()).unwrap();
        assert!(groups.contains(&format!("`@{longest}`")), "{longest}");
    }
}

#[test]
fn callgrind_and_cachegrind() {
    check::<EventKind>("Callgrind and Cachegrind");
    check::<CachegrindMetric>("Callgrind and Cachegrind");
}

#[test]
fn dhat() {
    check::<DhatMetric>("DHAT");
}

#[test]
fn massif() {
    check::<MassifMetric>("Massif");
}

#[test]
fn error_tools() {
    check::<ErrorMetric>("Memcheck, Helgrind and DRD");
}

#[test]
fn bbv() {
    check::<BbvMetric>("exp-bbv");
}
