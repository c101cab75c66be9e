//! The runner's executable. Everything is in the library, where tests reach it.

use std::process::ExitCode;

fn main() -> ExitCode {
    iai_callgrind_runner::main(std::env::args_os()).into()
}
