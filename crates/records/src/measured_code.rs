//! Decides whether two results have the same code, for the run, comparisons and the history.
//!
//! A result has a mark of all code that was measured (`Environment::code`). Where one is missing,
//! nothing is known, and then nothing is the same.

use base::tool::Tool;

/// The marks of a result: of its code, and of the code with environment variables and system.
#[derive(Debug, Clone, Copy, Default)]
pub struct CodeMarks<'a> {
    /// The mark of all code that was measured.
    pub code: Option<&'a str>,
    /// The fingerprint of code, environment variables and system.
    pub fingerprint: Option<&'a str>,
}

/// Do two marks stand for the same code?
pub fn is_same_code(one: Option<&str>, other: Option<&str>) -> bool {
    one.is_some() && one == other
}

/// The mark of a benchmark by those of its results: that of Callgrind, if it ran. Only Callgrind
/// names all files that ran; the other tools have an equal mark or none, most often.
pub fn mark_of_benchmark<'a>(
    results: impl IntoIterator<Item = (Tool, Option<&'a str>)>,
) -> Option<&'a str> {
    let mut results = results.into_iter();
    let first = results.next()?;
    let callgrind = std::iter::once(first)
        .chain(results)
        .find(|(tool, _)| *tool == Tool::Callgrind);
    callgrind.unwrap_or(first).1
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

    #[test]
    fn callgrind_knows_most() {
        let dhat = (Tool::Dhat, Some("1"));
        assert_eq!(mark_of_benchmark([]), None);
        assert_eq!(
            mark_of_benchmark([dhat, (Tool::Massif, Some("1"))]),
            Some("1")
        );
        assert_eq!(
            mark_of_benchmark([dhat, (Tool::Callgrind, Some("2"))]),
            Some("2")
        );
        // A file of Callgrind's could not be read.
        assert_eq!(mark_of_benchmark([dhat, (Tool::Callgrind, None)]), None);
    }
}
