//! The public names of 0.14, 0.15 and 0.16 exist, or the page about migration says what is in their
//! place.
//!
//! `earlier_names.txt` has the names of types, methods, variants, functions and macros that rustdoc
//! finds in 0.14.2, 0.15.2 and 0.16.1. Those that warn today are used in `config`.

use std::fs;
use std::path::Path;

use iai_callgrind::{CachegrindMetric, EventKind, ValgrindTool};

const NAMES: &str = include_str!("earlier_names.txt");

/// Names that are no public items of this version, and the text of the page about them.
const GONE: [&str; 5] = [
    "CachegrindMetric::from_str_ignore_case",
    "EventKind::from_str_ignore_case",
    "ValgrindTool::has_output_file",
    "ValgrindTool::has_xleak_file",
    "ValgrindTool::has_xtree_file",
];

/// Names that rustdoc hides, or shows for what they are another name of; `hidden_names_compile` has
/// them.
const HIDDEN: [&str; 15] = [
    "CachegrindMetric::is_derived",
    "CachegrindMetric::to_name",
    "EventKind::is_derived",
    "EventKind::to_name",
    "Tool::args",
    "Tool::enable",
    "ValgrindTool::BBV",
    "ValgrindTool::Cachegrind",
    "ValgrindTool::Callgrind",
    "ValgrindTool::DHAT",
    "ValgrindTool::DRD",
    "ValgrindTool::Helgrind",
    "ValgrindTool::Massif",
    "ValgrindTool::Memcheck",
    "ValgrindTool::id",
];

/// A file of the repository; `None` in the package alone.
fn of_repository(path: &str) -> Option<String> {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).ok()
}

#[test]
fn every_name_is_a_public_item_or_explained() {
    let (Some(items), Some(page)) = (
        of_repository("public-api.txt"),
        of_repository("../docs/migration.md"),
    ) else {
        return;
    };
    let is_item = |name: &str| {
        items.lines().any(|item| {
            let ends = item.match_indices(name).map(|(start, _)| {
                let (before, behind) = (&item[..start], &item[start + name.len()..]);
                before.ends_with("::")
                    && !behind.starts_with(|c: char| c.is_alphanumeric() || c == '_')
            });
            item.contains("iai_callgrind::") && ends.into_iter().any(|is_it| is_it)
        })
    };
    for name in NAMES.lines() {
        let method = name.rsplit("::").next().unwrap();
        if GONE.contains(&name) {
            assert!(page.contains(method), "{name}");
        } else {
            assert!(HIDDEN.contains(&name) || is_item(name), "{name}");
        }
    }
    assert!(NAMES.lines().count() > 300);
}

/// Each name that warns is used by a test that compares it with what the warning says.
#[test]
fn every_deprecated_name_is_used() {
    let Some(source) = of_repository("src/deprecated.rs") else {
        return;
    };
    let tests = ["deprecated", "binary", "library", "tools"]
        .map(|file| of_repository(&format!("tests/it/config/{file}.rs")).unwrap())
        .concat();
    let mut found = 0;
    for item in source.split("#[deprecated").skip(1) {
        let (_, function) = item.split_once("pub fn ").unwrap();
        let name = function.split(['<', '(']).next().unwrap();
        assert!(
            tests.contains(&format!(".{name}(")) || tests.contains(&format!("::{name}(")),
            "{name}"
        );
        found += 1;
    }
    assert!(found > 10, "{found}");
}

#[test]
fn hidden_names_compile() {
    let tools = [
        ValgrindTool::BBV,
        ValgrindTool::Cachegrind,
        ValgrindTool::Callgrind,
        ValgrindTool::DHAT,
        ValgrindTool::DRD,
        ValgrindTool::Helgrind,
        ValgrindTool::Massif,
        ValgrindTool::Memcheck,
    ];
    assert_eq!(tools.map(|tool| tool.id()).len(), 8);
    assert!(EventKind::EstimatedCycles.is_derived() && !CachegrindMetric::Ir.is_derived());
    assert_eq!(EventKind::Ir.to_name(), CachegrindMetric::Ir.to_name());
}

#[test]
fn names_of_metrics_are_parsed_in_lower_case() {
    let parsed = "EstimatedCycles".to_lowercase().parse();
    assert_eq!(parsed, Ok(EventKind::EstimatedCycles));
    assert_eq!(EventKind::Instructions, EventKind::Ir);
}
