//! The options whose value may be the next word of the command line.
//!
//! The benchmark executable must tell values from filters, the runner parses all options. One
//! table for both; a test in the runner compares it with what its parser takes.

/// All options that take a value.
pub const WITH_VALUE: &[&str] = &[
    "--callgrind-args",
    "--color",
    "--format",
    "--home",
    "--logfile",
    "--shuffle-seed",
    "--skip",
    "--test-threads",
    "--timeout",
    "--valgrind-args",
    "--valgrind-bin",
    "-Z",
];

/// Is the word after this one its value?
#[must_use]
pub fn takes_next_word(option: &str) -> bool {
    WITH_VALUE.contains(&option)
}
