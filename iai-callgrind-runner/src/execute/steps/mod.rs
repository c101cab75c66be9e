//! A benchmark without Valgrind: it is started as under a tool, and `ptrace` executes its measured function
//! in single steps.
//!
//! In: a job, and the places where its measured function may begin. Out: a [`Trace`], every instruction
//! that the measuring thread executed from the entry to the return, or the reason why there is none. Only
//! on x86_64 Linux.

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
mod elsewhere;
mod instruction;
mod maps;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod start;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod tracee;
mod tunables;

use std::path::PathBuf;
use std::process::ExitStatus;

pub(crate) use self::maps::MemoryMaps;

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

/// Instructions that the measuring thread executed.
#[derive(Debug, Clone, Default)]
pub(crate) struct Trace {
    /// Every instruction, in the order of the first executions.
    pub(crate) executed: Vec<Executed>,
    /// Instructions of the measured function and of the functions that it called, as Valgrind counts them.
    pub(crate) function: i64,
    /// Instructions of regions and of the functions that they called, as Valgrind counts them.
    pub(crate) in_regions: i64,
    /// Number of regions that were entered.
    pub(crate) regions: u64,
    /// Steps of the processor.
    pub(crate) steps: u64,
    /// Instructions that only Valgrind counts: the last checks of `rep` instructions.
    pub(crate) of_repeats: i64,
    /// Difference of Valgrind's count by client requests; negative, since it counts fewer.
    pub(crate) of_requests: i64,
    /// Number of calls of signal handlers.
    pub(crate) handlers: u64,
    /// The files in memory.
    pub(crate) maps: MemoryMaps,
}

/// An instruction that was executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Executed {
    /// Address of the instruction.
    pub(crate) address: u64,
    /// Address of the instruction that was executed before its first execution. `None`: it is the first one.
    pub(crate) from: Option<u64>,
    /// Number of its executions, as Valgrind counts them.
    pub(crate) count: i64,
}

/// Reason why a thread did not go on to the return of the function.
#[derive(Debug, Clone, Copy)]
enum Stop {
    /// The process is about to exit.
    Ended(ExitStatus),
    /// The process was reaped, so it must not be waited for any more.
    Reaped(ExitStatus),
    /// The process executes another program.
    Exec,
    /// There were too many steps.
    TooLong,
}

/// A trace, or the reason why there is none.
pub(crate) type TraceResult = std::result::Result<Trace, String>;
