//! Which functions count, with all that they call.

use iai_callgrind::shared::glob::Syntax;

use crate::measured_function;

/// How patterns for functions are read.
pub(crate) const GLOB: Syntax = Syntax::Stars;

/// Where the count begins and ends.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EntryFunctions {
    /// The measured copy of the benchmark function counts.
    pub measured: bool,
    /// Functions whose names match one of these count: `*` is any text, `?` one character.
    pub patterns: Vec<String>,
}

/// Nothing is left out.
pub static EVERYTHING: EntryFunctions = EntryFunctions {
    measured: false,
    patterns: Vec::new(),
};

impl EntryFunctions {
    /// Functions whose names match.
    pub fn of_patterns<T: Into<String>>(patterns: impl IntoIterator<Item = T>) -> Self {
        Self {
            measured: false,
            patterns: patterns.into_iter().map(T::into).collect(),
        }
    }

    /// Is nothing left out?
    pub fn is_everything(&self) -> bool {
        *self == EVERYTHING
    }

    /// Does this function count?
    pub(crate) fn has(&self, function: &str) -> bool {
        let is_measured = || {
            measured_function::is_frame(function)
                || measured_function::benchmark_of(function).is_some()
        };
        let mut patterns = self.patterns.iter();
        (self.measured && is_measured()) || patterns.any(|pattern| GLOB.matches(pattern, function))
    }
}
