//! Executes a function of a traced process in single steps, and counts its instructions as
//! Valgrind does.
//!
//! **In**: a process that is about to call the function, and the addresses at which the function
//! may begin. **Out**: a [`Trace`], every instruction that the traced thread executed from the
//! entry to the return, or the reason to [`Stop`] before. Nothing here starts a process.
//!
//! | question | answered by |
//! | --- | --- |
//! | Which instructions did the function execute, how often? | `Tracee::walk`, on x86-64 Linux only |
//! | Which file is at this address of the process? | [`MemoryMaps`] |
//! | How does the C library choose natively the functions that it chooses under Valgrind? | [`tunables`] |
//!
//! ```no_run
//! # #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
//! # fn count(child: &std::process::Child) -> Result<(), Box<dyn std::error::Error>> {
//! use std::path::Path;
//!
//! use iai_callgrind_steps::{Trace, Tracee};
//! use nix::unistd::Pid;
//!
//! // Stops the process, which waits for its input meanwhile.
//! let mut tracee = Tracee::attach(Pid::from_raw(child.id() as i32))?;
//! let maps = tracee.maps();
//! let entry = maps.address(Path::new("/usr/bin/cat"), 0x2710).ok_or("it is not loaded")?;
//!
//! tracee.break_at(&[entry])?;
//! tracee.go()?;
//! let mut trace = Trace::default();
//! if let Err(stop) = tracee.run()? {
//!     println!("the function was not called: {stop:?}");
//! } else if let Some(stop) = tracee.walk(&[], 1_000_000, &mut trace)? {
//!     println!("the function did not return: {stop:?}");
//! }
//! for instruction in &trace.executed {
//!     println!("{:?} {}", maps.file(instruction.address), instruction.count);
//! }
//! # Ok(())
//! # }
//! ```

// Everything but the steps is on every system, so that its tests run on every system.
#[cfg_attr(
    not(all(target_os = "linux", target_arch = "x86_64")),
    allow(dead_code)
)]
mod instruction;
mod maps;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod tracee;
pub mod tunables;

use std::process::ExitStatus;

pub use self::maps::MemoryMaps;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub use self::tracee::Tracee;

/// Instructions that the measuring thread executed.
#[derive(Debug, Clone, Default)]
pub struct Trace {
    /// Every instruction, in the order of the first executions.
    pub executed: Vec<Executed>,
    /// Instructions of the measured function and of the functions that it called, as Valgrind
    /// counts them.
    pub function: i64,
    /// Instructions of regions and of the functions that they called, as Valgrind counts them.
    pub in_regions: i64,
    /// Number of regions that were entered.
    pub regions: u64,
    /// Steps of the processor.
    pub steps: u64,
    /// Instructions that only Valgrind counts: the last checks of `rep` instructions.
    pub of_repeats: i64,
    /// Difference of Valgrind's count by client requests; negative, since it counts fewer.
    pub of_requests: i64,
    /// Number of calls of signal handlers.
    pub handlers: u64,
    /// The files in memory.
    pub maps: MemoryMaps,
}

/// An instruction that was executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Executed {
    /// Address of the instruction.
    pub address: u64,
    /// Address of the instruction that was executed before its first execution. `None`: it is the
    /// first one.
    pub from: Option<u64>,
    /// Number of its executions, as Valgrind counts them.
    pub count: i64,
}

/// Reason why a thread did not go on to the return of the function.
#[derive(Debug, Clone, Copy)]
pub enum Stop {
    /// The process is about to exit.
    Ended(ExitStatus),
    /// The process was reaped, so it must not be waited for any more.
    Reaped(ExitStatus),
    /// The process executes another program.
    Exec,
    /// There were too many steps.
    TooLong,
}
