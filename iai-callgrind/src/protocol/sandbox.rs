//! The temporary directory in which a benchmark runs.

use std::ffi::OsString;

use super::json::described;
use super::over::prepend;
use super::Over;

described! {
    /// Settings of the sandbox at one level.
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    pub struct Sandbox {
        /// Run in a temporary directory; `false` if nothing is said.
        pub enable: Option<bool>,
        /// Fixtures to copy into the sandbox. Not `PathBuf`: a path need not be UTF-8, and serde
        /// has a form for such texts, but none for such paths.
        pub fixtures: Vec<OsString>,
        /// Copy what a symbolic link refers to instead of the link; `false` if nothing is said.
        pub follow_symlinks: Option<bool>,
    }
}

impl Over for Sandbox {
    #[inline]
    fn over(mut self, mut below: Self) -> Self {
        prepend(&mut self.fixtures, &mut below.fixtures);
        Self {
            enable: self.enable.or(below.enable),
            fixtures: self.fixtures,
            follow_symlinks: self.follow_symlinks.or(below.follow_symlinks),
        }
    }
}
