//! Is it the same code? One answer for whoever asks: the run, a comparison, the history.
//!
//! A result has a mark of all code that was measured (`Environment::code`). Where one is missing,
//! nothing is known, and then nothing is the same.

/// Are two marks those of the same code?
pub(crate) fn is_same_code(one: Option<&str>, other: Option<&str>) -> bool {
    one.is_some() && one == other
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_mark_nothing_is_the_same() {
        assert!(is_same_code(Some("1f"), Some("1f")));
        assert!(!is_same_code(Some("1f"), Some("2f")));
        assert!(!is_same_code(Some("1f"), None));
        assert!(!is_same_code(None, None));
    }
}
