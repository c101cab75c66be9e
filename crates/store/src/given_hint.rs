//! Hints that are given once for all results below a home, until these are removed.

use std::fs::OpenOptions;
use std::path::{Path, PathBuf};

/// A hint; the home remembers that it was given.
#[derive(Debug)]
pub struct GivenHint {
    file: PathBuf,
}

impl GivenHint {
    /// The hint that there are no limits.
    pub(super) fn no_limits(home: &Path) -> Self {
        Self {
            file: home.join(".told-no-limits"),
        }
    }

    /// Was the hint never given before? Remembers it. Where nothing can be written, it was given
    /// often enough.
    pub fn is_first_time(&self) -> bool {
        // One of several runners at the same time makes the file.
        let mut options = OpenOptions::new();
        options
            .write(true)
            .create_new(true)
            .open(&self.file)
            .is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hint_is_given_once() {
        let home = tempfile::tempdir().unwrap();
        assert!(GivenHint::no_limits(home.path()).is_first_time());
        assert!(!GivenHint::no_limits(home.path()).is_first_time());
        let nowhere = home.path().join("nowhere");
        assert!(!GivenHint::no_limits(&nowhere).is_first_time());
    }
}
