//! The only door for generated code: the tables that the macros fill and the `main` they call.
//!
//! A benchmark executable plays one of five roles. The measuring process (`serve`) is selected by
//! an environment variable and decided first, without looking at an argument: reading arguments
//! allocates, and the heap must be the same wherever the executable lies. The other roles are
//! words on the command line, read in `roles`.

mod arguments;
mod benchmarks;
mod call;
mod check;
mod describe;
mod elements;
mod exit;
mod front;
#[cfg(target_os = "linux")]
mod random;
mod registry;
mod roles;
mod run;
mod runner;
#[cfg(unix)]
mod serve;
mod table;
mod test_mode;
mod threads;

use std::process::ExitCode;

pub use call::{discard, done, ready, Borrowed, Made};
pub use elements::{described, lines, nth, nth_line};
pub use iai_callgrind_macros::{__library_benchmark_group, __main};
#[cfg(target_os = "linux")]
pub use random::getrandom;
#[cfg(windows)]
pub use registry::register;
pub use registry::Entry;
pub use table::{Case, Element, Function, Group, Groups, Hooks, Package, Place, Suite};
/// The texts of the elements of an iterator.
pub type Texts = Vec<String>;

pub use crate::protocol::Config;

/// What the `main` of a benchmark executable calls.
pub fn main(suite: &'static Suite) -> ExitCode {
    #[cfg(unix)]
    if let Some(socket) = serve::socket() {
        let (run, element) = serve::serve(suite, socket);
        run(element);
        exit::returned();
    }
    roles::main(suite)
}
