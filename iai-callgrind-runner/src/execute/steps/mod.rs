//! A benchmark without Valgrind: it is started as under a tool, and the crate `steps` executes its
//! measured function in single steps.
//!
//! In: a job, and the places where its measured function may begin. Out: a [`Trace`], every
//! instruction that the measuring thread executed from the entry to the return, or the reason why
//! there is none. Only on x86_64 Linux.

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
mod elsewhere;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod start;

use std::path::PathBuf;

use steps::Trace;

/// Offsets in the file of the executable at which functions begin.
#[derive(Debug, Clone, Default)]
pub(crate) struct Entries {
    /// The executable, as the kernel names it.
    pub(crate) executable: PathBuf,
    /// Offsets of the measured functions; the one that is entered first is that of the benchmark.
    pub(crate) functions: Vec<u64>,
    /// Offsets of the function that `measure` calls.
    pub(crate) regions: Vec<u64>,
    /// The loader of the executable; a static executable has none.
    pub(crate) loader: Option<PathBuf>,
}

/// A trace, or the reason why there is none.
pub(crate) type TraceResult = std::result::Result<Trace, String>;
