//! Where the runner asks whether a tool is perf: in the choice of the backend, in the stages that
//! have a function for each backend, and in tables with a row for each tool.
//!
//! All other code asks a column of `tool::row` or of a metric. So a new tool is a row, and a new
//! backend is one more function in each of these stages. The rooms of perf itself, files and
//! folders with this name, are free.

use std::collections::BTreeSet;
use std::path::Path;

use crate::sources::{all_sources, code};

/// Expressions that tell perf from other tools, and the files that have them.
const PLACES: &[(&str, &[&str])] = &[
    (
        "Tool::Perf",
        &[
            // The row.
            "base/tool.rs",
            // Help and parsers of the options that tools have in common.
            "cli/per_tool.rs",
            // The tables of metrics of each tool.
            "metrics/kind.rs",
            // The reader of each tool.
            "metrics/readers/mod.rs",
            // The metrics of each tool, by their names.
            "metrics/typed_metrics.rs",
            // The choice.
            "plan/backend.rs",
        ],
    ),
    (
        "Backend::Perf",
        &[
            // The run of a job.
            "execute/valgrind/mod.rs",
            // The reading of what it wrote.
            "results/whole.rs",
        ],
    ),
    (
        "backend.perf()",
        &[
            // The level of significance of a change.
            "results/new.rs",
            // The samples that count.
            "results/selection.rs",
        ],
    ),
];

#[test]
fn perf_is_told_from_other_tools_in_few_places() {
    let files = all_sources();
    for (expression, places) in PLACES {
        let with = files
            .iter()
            .filter(|(_, source)| code(source).contains(expression));
        let found: BTreeSet<&str> = with
            .map(|(file, _)| file.as_path())
            .filter(|file| !is_of_perf(file))
            .map(|file| file.to_str().unwrap())
            .collect();
        assert_eq!(Vec::from_iter(found), *places, "files with `{expression}`");
    }
}

#[test]
fn rooms_of_perf_are_known_by_their_names() {
    for (file, expected) in [
        ("execute/perf/mod.rs", true),
        ("settings/perf.rs", true),
        ("execute/mod.rs", false),
        ("plan/perfect.rs", false),
    ] {
        assert_eq!(is_of_perf(Path::new(file)), expected, "{file}");
    }
}

#[test]
fn comments_and_tests_are_no_code() {
    let source = "// a\nb\n    /// c\nd\n#[cfg(test)]\nmod tests {\n    e\n}\n";
    assert_eq!(code(source), "b\nd\n#[cfg(test)]");
}

/// Is it a file of perf, or in a folder of perf?
fn is_of_perf(file: &Path) -> bool {
    file.with_extension("").iter().any(|part| part == "perf")
}
