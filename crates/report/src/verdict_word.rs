//! The word for results without a fault, in the last line of a run and of a comparison, and hints
//! below that line.

/// The word for results that had nothing to compare with, as those of a first run.
pub const FIRST_RESULTS: &str = "First results";

/// The word for results of which some are worse, and no limit forbids it.
pub const CHANGED: &str = "Changed";

/// `Ok` is the word for results that were compared. A first run has nothing to compare with, which
/// is no fault either.
pub fn faultless_word(compared: u64, not_compared: u64, new: u64) -> &'static str {
    if compared > 0 {
        "Ok"
    } else if not_compared > 0 {
        "Not compared"
    } else if new > 0 {
        FIRST_RESULTS
    } else {
        "Nothing compared"
    }
}

/// Below changes of a run without limits. Shown once: users know it afterwards.
pub const NO_LIMITS: &str =
    "  hint: no limits are set, so no change fails: `--callgrind-limits=ir=5%`\n";

/// Below a regression, which the same command does not find again. Shown once.
pub const OLD_NEXT: &str =
    "  hint: the next run compares with this one; to compare with the base of the \
    branch: `iai-callgrind-runner bench --base`\n";

/// Below the first results of a project, in 80 columns. Shown once.
pub const WHAT_NEXT: &str =
    "  hint: edit and rerun; see `cargo bench -- -h`, `iai-callgrind-runner doctor`\n";
