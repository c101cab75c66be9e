//! The tools, one row each.

use std::fmt;

/// A tool that benchmarks run under.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tool {
    /// Counts instructions, data accesses and, by simulation, cache misses.
    Callgrind,
}

impl Tool {
    /// As in `valgrind --tool=<id>` and in file names.
    pub fn id(self) -> &'static str {
        match self {
            Self::Callgrind => "callgrind",
        }
    }

    /// The option that names the tool's output file.
    pub fn out_file_option(self) -> &'static str {
        match self {
            Self::Callgrind => "--callgrind-out-file",
        }
    }
}

impl fmt::Display for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}
