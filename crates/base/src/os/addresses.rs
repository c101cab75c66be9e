//! Addresses of programs that are the same in each run. Only Linux can be asked for them.

use std::io;

/// Gives this process, and programs that it executes, the same addresses in each run, if the system
/// allows it. Safe between fork and exec: a system call, and nothing else.
///
/// # Errors
///
/// The kernel forbids it, as in many containers, or the system has no such call.
pub fn fix() -> io::Result<()> {
    system::fix()
}

/// Tries whether [`fix`] would work, and leaves this process as it was.
///
/// # Errors
///
/// [`fix`] would fail.
pub fn try_to_fix() -> io::Result<()> {
    system::try_to_fix()
}

#[cfg(target_os = "linux")]
mod system {
    use std::io;

    use nix::sys::personality::{self, Persona};

    pub(super) fn fix() -> io::Result<()> {
        let before = personality::get()?;
        personality::set(before | Persona::ADDR_NO_RANDOMIZE)?;
        Ok(())
    }

    pub(super) fn try_to_fix() -> io::Result<()> {
        let before = personality::get()?;
        personality::set(before | Persona::ADDR_NO_RANDOMIZE)?;
        // Otherwise programs that this process starts would inherit it.
        personality::set(before)?;
        Ok(())
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use std::io;

    pub(super) fn fix() -> io::Result<()> {
        try_to_fix()
    }

    pub(super) fn try_to_fix() -> io::Result<()> {
        // No allocation, which would not be safe after a fork.
        Err(io::ErrorKind::Unsupported.into())
    }
}
