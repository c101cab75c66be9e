//! A benchmark without Valgrind: started as under a tool, and its measured function executed in single
//! steps by `ptrace`.
//!
//! In: a job, and where its measured function may begin. Out: a [`Trace`], every instruction that the
//! measuring thread executed from the entry to the return, or why there is none. Only on x86_64 Linux.

// The parts are read elsewhere as well, so that they are checked by the tests of every system.
#[cfg_attr(
    not(all(target_os = "linux", target_arch = "x86_64")),
    allow(dead_code)
)]
mod instruction;
#[cfg_attr(
    not(all(target_os = "linux", target_arch = "x86_64")),
    allow(dead_code)
)]
mod maps;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod start;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod tracee;
#[cfg_attr(
    not(all(target_os = "linux", target_arch = "x86_64")),
    allow(dead_code)
)]
mod tunables;

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
use std::path::Path;
use std::path::PathBuf;
use std::process::ExitStatus;

pub(crate) use self::maps::Maps;
#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
use super::Valgrind;
#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
use crate::error::Result;
#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
use crate::plan::{Case, Job};

/// Where functions begin in the executable: places in its file.
#[derive(Debug, Clone, Default)]
pub(crate) struct Entries {
    /// The executable, as the kernel names it.
    pub(crate) executable: PathBuf,
    /// Of the measured functions; the one that is entered first is the benchmark's.
    pub(crate) functions: Vec<u64>,
    /// Of the function that `measure` calls.
    pub(crate) regions: Vec<u64>,
    /// The loader of the executable; a static one has none.
    pub(crate) loader: Option<PathBuf>,
}

/// What the measuring thread executed.
#[derive(Debug, Clone, Default)]
pub(crate) struct Trace {
    /// Every instruction, in the order of the first executions.
    pub(crate) executed: Vec<Executed>,
    /// Instructions of the measured function and of what it called, as Valgrind counts them.
    pub(crate) function: i64,
    /// The same of regions.
    pub(crate) in_regions: i64,
    /// How many regions were entered.
    pub(crate) regions: u64,
    /// Steps of the processor.
    pub(crate) steps: u64,
    /// What Valgrind counts more, for the last look of `rep` instructions.
    pub(crate) of_repeats: i64,
    /// What Valgrind counts more (fewer) for client requests.
    pub(crate) of_requests: i64,
    /// How often the handler of a signal ran.
    pub(crate) handlers: u64,
    /// The files in memory.
    pub(crate) maps: Maps,
}

/// An instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Executed {
    /// Where it is.
    pub(crate) address: u64,
    /// The instruction that was executed before its first execution. `None`: it is the first one.
    pub(crate) from: Option<u64>,
    /// How often it was executed, as Valgrind counts.
    pub(crate) count: i64,
}

/// Why a thread did not go on to the return of the function.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(
    not(all(target_os = "linux", target_arch = "x86_64")),
    allow(dead_code)
)]
enum Stop {
    /// It is about to exit.
    Ended(ExitStatus),
    /// It has, and nobody has to wait for it any more.
    Reaped(ExitStatus),
    /// It executes another program.
    Exec,
    /// There were too many steps.
    TooLong,
}

/// The text says why there is no trace.
pub(crate) type Stepped = std::result::Result<Trace, String>;

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
impl Valgrind<'_> {
    /// Executes a case in single steps.
    pub(crate) fn single_step(
        &self,
        _job: &Job,
        _case: &Case,
        _entries: &Entries,
        _most: u64,
        _directory: &Path,
    ) -> Result<Stepped> {
        Ok(Err(
            "single steps are counted on x86_64 Linux only".to_owned()
        ))
    }
}
