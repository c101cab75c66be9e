//! The only door for generated code: the tables that the macros fill and the `main` they call.
//!
//! A benchmark executable plays one of five roles. The measuring process (`serve`) is selected by
//! an environment variable and decided first, without looking at an argument: reading arguments
//! allocates, and the heap must be the same wherever the executable lies. The other roles are
//! words on the command line, read in `roles`.
//!
//! | role | selected by | does |
//! | --- | --- | --- |
//! | front | nothing | `--list` and the test mode right here; otherwise becomes the runner |
//! | describe | `--iai-callgrind describe <file>` | writes the suite as JSON |
//! | run | `--iai-callgrind run <address>` | runs one benchmark once, without a tool |
//! | assist | `--iai-callgrind assist <address> setup` (`teardown`) | runs one setup or teardown |
//! | serve | `IAI_CALLGRIND_SERVER`, or `--iai-callgrind serve <socket>` | is measured |

mod arguments;
#[cfg(feature = "registration")]
mod aside;
#[cfg(feature = "registration")]
mod at_run_time;
mod benchmarks;
mod block_on;
mod call;
mod cases;
mod check;
mod configured;
#[cfg(target_os = "linux")]
mod connect;
mod describe;
mod elements;
mod exit;
#[cfg(unix)]
mod features;
#[cfg(unix)]
mod fork;
pub(crate) mod frames;
mod front;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod heap_begin;
#[cfg(unix)]
mod heap_marks;
mod heap_source;
mod instrumentation;
#[cfg(unix)]
mod kept_output;
mod later;
mod low_level;
pub(crate) mod noted;
mod perf;
mod platform;
mod printed;
mod program;
#[cfg(unix)]
mod quick_end;
#[cfg(target_os = "linux")]
mod random;
mod ratios;
#[cfg(feature = "registration")]
pub mod registration;
mod registry;
#[cfg(unix)]
mod rehearsal;
#[cfg(unix)]
mod returned;
mod roles;
#[cfg(feature = "registration")]
mod routine;
mod run;
mod runner;
#[cfg(unix)]
mod serve;
mod size;
mod table;
mod test_mode;
mod threads;
mod throughput;
#[cfg(unix)]
pub(crate) mod timed;
mod without_main;

use std::process::ExitCode;

pub use benchmarks::Code;
pub use block_on::block_on;
pub use call::{discard, done, ready, Borrowed, Made};
pub use configured::{IntoAnyConfig, IntoBinaryConfig, IntoLibraryConfig};
pub use elements::{commands, commands_of_lines, described, lines};
pub use elements::{nth, nth_line, nth_typed, Around, Each, Text};
pub use frames::Framed;
pub use iai_callgrind_macros::{__binary_benchmark_group, __library_benchmark_group, __main};
pub use iai_callgrind_macros::{__package, __random};
pub use later::{Configuration, SharedConfig};
pub use low_level::{attribute, built, command, library_benchmark, plain_function};
pub use low_level::{AnnotatedFunction, IntoCommand, IntoMember, LibraryFunction, Member};
pub use printed::{Printed, Unprintable};
#[cfg(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
pub use random::refused;
#[cfg(target_os = "linux")]
pub use random::{getentropy, getrandom};
#[cfg(windows)]
pub use registry::register;
pub use registry::Entry;
#[cfg(feature = "registration")]
pub use routine::measured;
pub use run::Hook;
pub use size::InputSize;
pub use table::{
    BinaryFunction, BinaryGroup, Case, Element, Function, Group, Groups, Hooks, ListedGroup,
    MembersOf, Package, Place, Program, Programs, Ratio, RatioSide, Run, Scaling, Size, Suite,
};
pub use throughput::{amounts, IntoThroughputs, Throughputs};
#[cfg(any(target_os = "linux", target_os = "android", target_os = "freebsd"))]
pub use without_main::at_end;
/// The texts of the elements of an iterator.
pub type Texts = Vec<Text>;

/// The members of a group of binary benchmarks.
pub type Members = Vec<Member>;

pub use crate::config::{AnyConfig, BinaryConfig};
pub use crate::protocol::{Command, Config, Kind};

/// Entry point of a benchmark executable, which its `main` calls.
pub fn main(suite: &'static Suite) -> ExitCode {
    #[cfg(unix)]
    match serve::socket() {
        Ok(Some(socket)) => {
            let (run, element) = serve::serve(suite, socket);
            let _place = noted::PlaceOfPanic;
            run(element);
            exit::returned();
        }
        Ok(None) => {}
        Err(lost) => return exit::with_error(exit::ERROR, format_args!("{lost}")),
    }
    roles::main(suite)
}
