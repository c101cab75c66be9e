//! The only door for generated code: the tables that the macros fill and the `main` they call.
//!
//! A benchmark executable plays one of five roles. The measuring process (`serve`) is selected by
//! an environment variable and decided first, without looking at an argument: reading arguments
//! allocates, and the heap must be the same wherever the executable lies. The other roles are
//! words on the command line, read in `roles`.

mod arguments;
mod check;
mod describe;
mod exit;
mod front;
#[cfg(target_os = "linux")]
mod random;
mod roles;
mod run;
mod runner;
#[cfg(unix)]
mod serve;
mod table;
mod test_mode;

use std::process::ExitCode;

pub use iai_callgrind_macros::{__library_benchmark_group, __main};
#[cfg(target_os = "linux")]
pub use random::getrandom;
pub use table::{Case, Function, Group, Hooks, Package, Suite};

pub use crate::protocol::Config;

/// What the `main` of a benchmark executable calls.
pub fn main(suite: &'static Suite) -> ExitCode {
    #[cfg(unix)]
    if let Some(socket) = serve::socket() {
        serve::serve(suite, socket)();
        exit::returned();
    }
    roles::main(suite)
}
