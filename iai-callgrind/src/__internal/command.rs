//! Processes that the roles start.

use std::ffi::OsStr;
use std::process::Command;

/// A command that lives as long as this process, which soon ends or becomes another one. To drop a command takes more
/// code than to make, configure and start it, and users compile it.
pub(super) fn command(program: impl AsRef<OsStr>) -> &'static mut Command {
    // First the place: where a command had to be moved into one, it would be dropped if there was no memory.
    Box::leak(Box::new_uninit()).write(Command::new(program))
}
