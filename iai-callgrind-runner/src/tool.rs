//! The tools, one row each.

use std::fmt;

/// A Valgrind tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tool {
    /// Counts instructions, data accesses and, by simulation, cache misses.
    Callgrind,
    /// Counts the same for whole processes.
    Cachegrind,
    /// Follows every heap block.
    Dhat,
    /// Takes snapshots of the heap.
    Massif,
    /// Counts basic blocks.
    Bbv,
    /// Finds errors in the use of memory.
    Memcheck,
    /// Finds errors in the use of threads.
    Helgrind,
    /// Finds errors in the use of threads by another method.
    Drd,
}

/// Name and, if it has one, the option that names the output file.
type Row = (&'static str, Option<&'static str>);

impl Tool {
    fn row(self) -> Row {
        match self {
            Self::Callgrind => ("callgrind", Some("--callgrind-out-file")),
            Self::Cachegrind => ("cachegrind", Some("--cachegrind-out-file")),
            Self::Dhat => ("dhat", Some("--dhat-out-file")),
            Self::Massif => ("massif", Some("--massif-out-file")),
            Self::Bbv => ("exp-bbv", Some("--bb-out-file")),
            Self::Memcheck => ("memcheck", None),
            Self::Helgrind => ("helgrind", None),
            Self::Drd => ("drd", None),
        }
    }

    /// As in `valgrind --tool=<id>` and in file names.
    pub fn id(self) -> &'static str {
        self.row().0
    }

    /// The option that names the tool's output file.
    pub fn out_file_option(self) -> Option<&'static str> {
        self.row().1
    }
}

impl fmt::Display for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}
