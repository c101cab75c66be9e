//! The settings of Callgrind.

use super::json::described;
use super::{Explain, Flamegraph, Over, ToolSettings};

described! {
    /// Settings of Callgrind at one level.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct Callgrind {
        /// Settings that every tool has.
        pub settings: ToolSettings,
        /// Function at whose entry the count begins, and at whose return it ends.
        pub entry_point: Option<EntryPoint>,
        /// Count the threads that run inside the entry point as well.
        pub count_threads: Option<bool>,
        /// Look at the process while the benchmark function runs, and no longer.
        pub fast_setup: Option<bool>,
        /// Simulate neither caches nor branches.
        pub instructions_only: Option<bool>,
        /// The graphs to draw; none if nothing is said.
        pub flamegraph: Option<Flamegraph>,
        /// The explanations of changed counts.
        pub explain: Option<Explain>,
    }
}

impl Over for Callgrind {
    #[inline]
    fn over(self, below: Self) -> Self {
        Self {
            settings: self.settings.over(below.settings),
            entry_point: self.entry_point.or(below.entry_point),
            count_threads: self.count_threads.or(below.count_threads),
            fast_setup: self.fast_setup.or(below.fast_setup),
            instructions_only: self.instructions_only.or(below.instructions_only),
            flamegraph: self.flamegraph.over(below.flamegraph),
            explain: self.explain.over(below.explain),
        }
    }
}

described! {
    /// The function at whose entry the count begins and at whose return it ends.
    ///
    /// A text becomes [`EntryPoint::Custom`].
    ///
    /// ```
    /// use iai_callgrind::{Callgrind, EntryPoint};
    ///
    /// Callgrind::default().entry_point(EntryPoint::None);
    /// Callgrind::default().entry_point(EntryPoint::from("*::parse"));
    /// ```
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    pub enum EntryPoint {
        /// Count the whole process.
        None,
        /// Count the benchmark function; in a binary benchmark the whole process.
        #[default]
        Default,
        /// Count the function `main` of the program of a binary benchmark: not the loader and what
        /// runs before and after it. Its name is looked up in the program: `<crate>::main` in a
        /// Rust program, `main` in another one. An error in a library benchmark.
        Main,
        /// Count the functions whose name matches this pattern (`*` any text, `?` one character).
        /// Callgrind switches the count on at the entry of one, and off again at that of another
        /// one inside of it; a warning names matching functions that may have been such ones.
        Custom(String),
    }
}

impl<T: Into<String>> From<T> for EntryPoint {
    fn from(pattern: T) -> Self {
        Self::Custom(pattern.into())
    }
}
