//! Marks for Linux perf: which part of a benchmark it counts.
//!
//! With `Perf::disable_entry_point(true)` perf counts what runs between
//! [`perf_enable!`](crate::perf_enable) and [`perf_disable!`](crate::perf_disable), in library
//! benchmarks and in the programs of binary benchmarks. Everywhere else the macros do nothing: they
//! cost a look at a variable, and the environment is asked once. With the feature `perf_stubs`
//! alone, and on other systems than Linux, they compile to nothing. A program needs no other
//! feature than one of the two:
//!
//! ```toml
//! iai-callgrind = { version = "0.17", default-features = false, features = ["perf"] }
//! ```
//!
//! The counters belong to the whole process: one thread at a time may switch them.
//!
//! Behind the macros stand functions:
//!
//! ```
//! use iai_callgrind::perf::{disable, enable, log};
//!
//! let token = enable();
//! let sum: u64 = std::hint::black_box(0..100).sum(); // counted
//! disable(token);
//! log(format_args!("the sum is {sum}"));
//! ```

/// Switches the counters of perf on and returns a token for [`perf_disable!`](crate::perf_disable).
///
/// Only where the runner runs perf with `Perf::disable_entry_point(true)`; else it does nothing.
///
/// # Panics
///
/// Where the counters are on already, and where perf does not answer.
///
/// # Examples
///
/// ```
/// use iai_callgrind::{perf_disable, perf_enable};
///
/// let numbers: Vec<u64> = (0..100).collect(); // not counted
/// let token = perf_enable!();
/// let sum: u64 = std::hint::black_box(numbers).iter().sum(); // counted
/// perf_disable!(token);
/// assert_eq!(sum, 4950); // not counted
/// ```
#[macro_export]
macro_rules! perf_enable {
    () => {
        $crate::perf::enable()
    };
}

/// Switches the counters of perf off, see [`perf_enable!`](crate::perf_enable).
///
/// # Panics
///
/// Where perf does not answer.
///
/// ```
/// let token = iai_callgrind::perf_enable!();
/// // What stands here counts.
/// iai_callgrind::perf_disable!(token);
/// ```
#[macro_export]
macro_rules! perf_disable {
    ($token:expr) => {
        $crate::perf::disable($token)
    };
}

/// Writes a line into the log of the benchmark under perf, as `println!` does; does nothing where
/// the macros of this module do nothing.
///
/// # Examples
///
/// ```
/// iai_callgrind::perf_log!("{} elements", 7);
/// ```
#[macro_export]
macro_rules! perf_log {
    ($($arguments:tt)+) => {
        $crate::perf::log(::core::format_args!($($arguments)+))
    };
}

/// The counters are on. [`perf_disable!`](crate::perf_disable) takes it.
///
/// ```
/// use iai_callgrind::perf::{self, Token};
///
/// let token: Token = perf::enable();
/// perf::disable(token);
/// ```
#[must_use = "`perf_disable!` takes it and switches the counters off"]
#[derive(Debug)]
pub struct Token(());

#[cfg(all(feature = "benchmark", target_os = "linux"))]
pub(crate) use acting::{decide, switch, DISABLE, ENABLE};
#[cfg(all(feature = "perf", target_os = "linux"))]
pub use acting::{disable, enable, log};
#[cfg(all(feature = "benchmark", unix, not(target_os = "linux")))]
pub(crate) use stubs::decide;
#[cfg(not(all(feature = "perf", target_os = "linux")))]
pub use stubs::{disable, enable, log};
#[cfg(all(feature = "benchmark", not(target_os = "linux")))]
pub(crate) use stubs::{switch, DISABLE, ENABLE};

#[cfg(all(feature = "perf", target_os = "linux"))]
mod acting {
    use std::fmt::Arguments;
    use std::fs::File;
    use std::io::{self, Read, Write};
    use std::mem::ManuallyDrop;
    use std::os::fd::{FromRawFd, RawFd};
    use std::os::unix::fs::MetadataExt;
    use std::sync::atomic::{AtomicU8, Ordering};

    use super::Token;

    /// Command to perf: switch the counters on.
    pub(crate) const ENABLE: &[u8] = b"enable\n";
    /// Command to perf: switch the counters off.
    pub(crate) const DISABLE: &[u8] = b"disable\n";

    /// Answer of perf to a command, with its final NUL.
    const ANSWER: &[u8; 5] = b"ack\n\0";

    /// Descriptors: commands are written to the first, answers are read from the second.
    const CONTROL: [RawFd; 2] = [102, 103];

    /// Descriptor of the benchmark's log.
    const LOG: RawFd = 104;

    /// The environment was not read yet.
    const UNKNOWN: u8 = 0;
    /// The macros do nothing.
    const NOBODY: u8 = 1;
    /// perf listens, and its counters are off.
    const OFF: u8 = 2;
    /// perf listens, and its counters are on.
    const ON: u8 = 3;

    static STATE: AtomicU8 = AtomicU8::new(UNKNOWN);

    /// [`perf_enable!`](crate::perf_enable) as a function.
    #[inline]
    pub fn enable() -> Token {
        if STATE.load(Ordering::Relaxed) != NOBODY {
            change(OFF, ON, ENABLE);
        }
        Token(())
    }

    /// [`perf_disable!`](crate::perf_disable) as a function.
    #[inline]
    pub fn disable(token: Token) {
        let Token(()) = token;
        if STATE.load(Ordering::Relaxed) != NOBODY {
            change(ON, OFF, DISABLE);
        }
    }

    /// [`perf_log!`](crate::perf_log) as a function.
    #[inline]
    pub fn log(text: Arguments<'_>) {
        if state() != NOBODY {
            let line = format!("{text}\n");
            // A log that cannot be written is no reason to fail.
            let _ = borrowed(LOG).write_all(line.as_bytes());
        }
    }

    // Inlined, as all that only the macros need: compiled where they are used.
    #[cold]
    #[inline]
    fn change(from: u8, to: u8, command: &[u8]) {
        let state = state();
        if state == NOBODY {
            return;
        }
        assert!(
            state == from,
            "`perf_enable!` was called twice without `perf_disable!` in between"
        );
        // Before perf is told, so that nothing of ours follows the command that switches it on.
        STATE.store(to, Ordering::Relaxed);
        switch(command);
    }

    /// Looks at the environment once.
    #[inline]
    fn state() -> u8 {
        let known = STATE.load(Ordering::Relaxed);
        if known != UNKNOWN {
            return known;
        }
        let value = std::env::var("IAI_CALLGRIND_PERF");
        decide(value.is_ok_and(|value| names_descriptors(&value)));
        STATE.load(Ordering::Relaxed)
    }

    /// Does the value name what has the numbers of our descriptors, by the numbers of their inodes?
    ///
    /// Otherwise the variable is not from the runner that started this process, and the descriptors
    /// are not ours.
    #[inline]
    fn names_descriptors(value: &str) -> bool {
        let mut named = value.split(':');
        for descriptor in &[CONTROL[0], CONTROL[1], LOG] {
            let Ok(file) = borrowed(*descriptor).metadata() else {
                return false;
            };
            let inode = named.next().and_then(|inode| inode.parse::<u64>().ok());
            if inode != Some(file.ino()) {
                return false;
            }
        }
        named.next().is_none()
    }

    /// From here on the macros act, or do not.
    pub(crate) fn decide(acts: bool) {
        STATE.store(if acts { OFF } else { NOBODY }, Ordering::Relaxed);
    }

    /// Tells perf, and waits until it has done it.
    ///
    /// All of the answer is read: what is left of it would be taken for the next one.
    // Not inlined: it stands around the function of each benchmark file.
    pub(crate) fn switch(command: &[u8]) {
        let mut answer = [0; ANSWER.len()];
        let told = tell(command, &mut answer);
        assert!(
            told.is_ok() && answer == *ANSWER,
            "perf did not answer to `{}` as it should: {told:?} `{}`",
            command.escape_ascii(),
            answer.escape_ascii()
        );
    }

    fn tell(command: &[u8], answer: &mut [u8; ANSWER.len()]) -> io::Result<()> {
        borrowed(CONTROL[0]).write_all(command)?;
        borrowed(CONTROL[1]).read_exact(answer)
    }

    /// A descriptor that came from the runner, if there is one, and stays open.
    #[inline]
    fn borrowed(descriptor: RawFd) -> ManuallyDrop<File> {
        // SAFETY: it is not closed here, and a number that is no descriptor makes the calls fail.
        ManuallyDrop::new(unsafe { File::from_raw_fd(descriptor) })
    }
}

#[cfg(not(all(feature = "perf", target_os = "linux")))]
mod stubs {
    use core::fmt::Arguments;

    use super::Token;

    #[cfg(feature = "benchmark")]
    pub(crate) const ENABLE: &[u8] = b"";
    #[cfg(feature = "benchmark")]
    pub(crate) const DISABLE: &[u8] = b"";

    /// [`perf_enable!`](crate::perf_enable) as a function.
    #[inline(always)]
    pub fn enable() -> Token {
        Token(())
    }

    /// [`perf_disable!`](crate::perf_disable) as a function.
    #[inline(always)]
    pub fn disable(token: Token) {
        let Token(()) = token;
    }

    /// [`perf_log!`](crate::perf_log) as a function.
    #[inline(always)]
    pub fn log(_: Arguments<'_>) {}

    #[cfg(all(feature = "benchmark", unix))]
    pub(crate) fn decide(_: bool) {}

    #[cfg(feature = "benchmark")]
    pub(crate) fn switch(_: &[u8]) {}
}
