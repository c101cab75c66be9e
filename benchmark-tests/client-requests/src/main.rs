//! Makes client requests and prints what they return.
//!
//! The arguments name scenarios, `tool::scenario`, which run in order; the tests in
//! `benchmark-tests/tests/client_requests_*.rs` start them under Valgrind and natively. A scenario
//! prints `name=value` lines to stdout; what Valgrind makes of it is in its log and output files.

mod cachegrind;
mod callgrind;
mod cases;
mod defaults;
mod dhat;
mod memcheck;
mod memory;
mod printing;
mod races;
mod stacks;
mod threads;
mod valgrind;

use std::process::ExitCode;

fn main() -> ExitCode {
    for name in std::env::args().skip(1) {
        let Some((_, scenario)) = cases::ALL.iter().find(|(known, _)| *known == name) else {
            eprintln!("`{name}` is no scenario");
            return ExitCode::from(2);
        };
        scenario();
    }
    ExitCode::SUCCESS
}

/// Prints a result.
fn show(name: &str, value: impl std::fmt::Debug) {
    println!("{name}={value:?}");
}
