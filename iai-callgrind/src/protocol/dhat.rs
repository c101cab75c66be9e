//! The settings of DHAT.

use super::json::described;
use super::{EntryPoint, Flamegraph, Over, ToolSettings};

described! {
    /// Settings of DHAT at one level.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct Dhat {
        /// Settings that every tool has.
        pub settings: ToolSettings,
        /// Count what is allocated below this function.
        pub entry_point: Option<EntryPoint>,
        /// Count also what is allocated below these functions.
        pub frames: Frames,
        /// Treatment of DHAT's output file.
        pub sanitize_output: Option<SanitizeOutput>,
        /// The graphs to draw; none if nothing is said.
        pub flamegraph: Option<Flamegraph>,
    }
}

impl Over for Dhat {
    #[inline]
    fn over(self, below: Self) -> Self {
        Self {
            settings: self.settings.over(below.settings),
            entry_point: self.entry_point.or(below.entry_point),
            frames: self.frames.over(below.frames),
            sanitize_output: self.sanitize_output.or(below.sanitize_output),
            flamegraph: self.flamegraph.over(below.flamegraph),
        }
    }
}

described! {
    /// Patterns of functions: `*` any text, `?` one character.
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    pub struct Frames {
        /// Drop the patterns of outer levels.
        pub clear: bool,
        /// Patterns in the order in which they were given.
        pub patterns: Vec<String>,
    }
}

impl Over for Frames {
    #[inline]
    fn over(self, below: Self) -> Self {
        match self.clear {
            true => self,
            false => Self {
                clear: below.clear,
                patterns: [below.patterns, self.patterns].concat(),
            },
        }
    }
}

described! {
    /// Treatment of DHAT's output file, which has all allocations of the process, when only those
    /// below an entry point or frames are counted.
    ///
    /// ```
    /// use iai_callgrind::{Dhat, SanitizeOutput};
    ///
    /// Dhat::default().sanitize_output(SanitizeOutput::KeepOrig);
    /// ```
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub enum SanitizeOutput {
        /// The file stays as DHAT wrote it.
        #[default]
        No,
        /// The file is reduced to the allocations that were counted. DHAT's own file is kept with
        /// `.orig` at the end of its name.
        KeepOrig,
        /// The file is reduced to the allocations that were counted.
        Yes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(clear: bool, pattern: &str) -> Frames {
        Frames {
            clear,
            patterns: vec![pattern.to_owned()],
        }
    }

    #[test]
    fn frames_are_appended_unless_cleared() {
        let merged = frames(false, "inner").over(frames(true, "outer"));
        assert_eq!(merged.patterns, ["outer", "inner"]);
        assert!(merged.clear);
        let cleared = frames(true, "inner");
        assert_eq!(cleared.clone().over(frames(false, "outer")), cleared);
    }
}
