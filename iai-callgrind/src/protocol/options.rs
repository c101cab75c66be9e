//! The options whose value may be the next word of the command line.
//!
//! The benchmark executable must tell values from filters, the runner parses all options. One
//! table for both; a test in the runner compares it with what its parser takes.

/// All options that take a value.
pub const WITH_VALUE: &[&str] = &[
    "--bbv-args",
    "--bbv-limits",
    "--bbv-metrics",
    "--cachegrind-args",
    "--cachegrind-limits",
    "--cachegrind-metrics",
    "--callgrind-args",
    "--callgrind-limits",
    "--callgrind-metrics",
    "--color",
    "--default-tool",
    "--dhat-args",
    "--dhat-limits",
    "--dhat-metrics",
    "--drd-args",
    "--drd-limits",
    "--drd-metrics",
    "--format",
    "--helgrind-args",
    "--helgrind-limits",
    "--helgrind-metrics",
    "--home",
    "--logfile",
    "--massif-args",
    "--massif-limits",
    "--massif-metrics",
    "--memcheck-args",
    "--memcheck-limits",
    "--memcheck-metrics",
    "--partition",
    "--shuffle-seed",
    "--skip",
    "--test-threads",
    "--timeout",
    "--tools",
    "--valgrind-args",
    "--valgrind-bin",
    "-Z",
];

/// All options whose value may be left out.
pub const WITH_OPTIONAL_VALUE: &[&str] = &[
    "--baseline",
    "--load-baseline",
    "--parallel",
    "--save-baseline",
    "--tolerance",
    "--truncate-description",
];

/// Is this word the value of the option before it?
#[must_use]
pub fn is_value(option: &str, word: &str) -> bool {
    WITH_VALUE.contains(&option)
        || (WITH_OPTIONAL_VALUE.contains(&option) && !word.starts_with('-'))
}
