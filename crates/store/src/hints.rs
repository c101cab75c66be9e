//! Hints that are given once for all results below a home, until these are removed.

use std::fs::OpenOptions;
use std::path::{Path, PathBuf};

/// A hint that is given once.
#[derive(Debug, Clone, Copy)]
pub enum Hint {
    /// There are no limits.
    NoLimits,
    /// The next run compares with this one, which regressed.
    OldNext,
    /// The next steps after the first run.
    WhatNext,
}

impl Hint {
    /// The name of the empty file that remembers it.
    fn file(self) -> &'static str {
        match self {
            Self::NoLimits => ".told-no-limits",
            Self::OldNext => ".told-old-next",
            Self::WhatNext => ".told-what-next",
        }
    }
}

/// Hints; the home remembers which were given.
#[derive(Debug)]
pub struct Hints {
    home: PathBuf,
}

impl Hints {
    pub(super) fn below(home: &Path) -> Self {
        Self {
            home: home.to_owned(),
        }
    }

    /// Was the hint never given before? Remembers it. Where nothing can be written, it was given
    /// often enough.
    pub fn is_first_time(&self, hint: Hint) -> bool {
        // One of several runners at the same time makes the file.
        let mut options = OpenOptions::new();
        options
            .write(true)
            .create_new(true)
            .open(self.home.join(hint.file()))
            .is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hint_is_given_once() {
        let home = tempfile::tempdir().unwrap();
        let is_first = |hint| Hints::below(home.path()).is_first_time(hint);
        assert!(is_first(Hint::NoLimits) && !is_first(Hint::NoLimits));
        assert!(is_first(Hint::WhatNext) && !is_first(Hint::WhatNext));
        let nowhere = Hints::below(&home.path().join("nowhere"));
        assert!(!nowhere.is_first_time(Hint::NoLimits));
    }
}
