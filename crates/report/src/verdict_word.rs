//! The word for results without a fault, in the last line of a run and of a comparison.

/// `Ok` is the word for results that were compared. A first run has nothing to compare with, which
/// is no fault either.
pub fn faultless_word(compared: u64, not_compared: u64, new: u64) -> &'static str {
    if compared > 0 {
        "Ok"
    } else if not_compared > 0 {
        "Not compared"
    } else if new > 0 {
        "First results"
    } else {
        "Nothing compared"
    }
}
