//! Entry functions: the functions that count, with all that they call.

use iai_callgrind::shared::glob::Syntax;

use crate::measured_function;

/// Syntax of the globs for functions.
pub const GLOB: Syntax = Syntax::Stars;

/// Functions at which the count begins and ends.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct EntryFunctions {
    /// The measured copy of the benchmark function counts.
    pub measured: bool,
    /// Functions whose names match one of these count: `*` is any text, `?` one character.
    pub patterns: Vec<String>,
}

/// No entry function: everything counts.
pub static EVERYTHING: EntryFunctions = EntryFunctions {
    measured: false,
    patterns: Vec::new(),
};

impl EntryFunctions {
    /// Entry functions whose names match one of these globs.
    pub fn of_patterns<T: Into<String>>(patterns: impl IntoIterator<Item = T>) -> Self {
        Self {
            measured: false,
            patterns: patterns.into_iter().map(T::into).collect(),
        }
    }

    /// The part that counts, in words: the functions, unless the benchmark measured `regions` of
    /// itself.
    pub fn counted_part(&self, regions: bool) -> String {
        if regions {
            return "regions of the benchmark".to_owned();
        }
        let function = self.measured.then(|| "the benchmark function".to_owned());
        let patterns = self.patterns.iter().map(|pattern| format!("`{pattern}`"));
        let parts: Vec<String> = function.into_iter().chain(patterns).collect();
        match parts.is_empty() {
            true => "all functions".to_owned(),
            false => parts.join(", "),
        }
    }

    /// Does everything count?
    pub fn is_everything(&self) -> bool {
        *self == EVERYTHING
    }

    /// Is this an entry function?
    pub fn has(&self, function: &str) -> bool {
        let is_measured = || {
            measured_function::is_frame(function)
                || measured_function::benchmark_of(function).is_some()
        };
        let mut patterns = self.patterns.iter();
        (self.measured && is_measured()) || patterns.any(|pattern| GLOB.matches(pattern, function))
    }
}
