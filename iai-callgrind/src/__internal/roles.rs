//! Reads which role the executable plays from its command line.

use std::process::ExitCode;

#[cfg(feature = "registration")]
use super::registration;
use super::table::Suite;
use super::{describe, exit, front, run};
use crate::protocol::ROLE_ARGUMENT;

const USAGE: &str = "\
after `--iai-callgrind` one of these is expected:
  describe <file> [<filters>]        write the description of all benchmarks to the file; filters
                                     spare benchmarks that are registered at run time a call
  run <group>::<function>[::<id>]    run one benchmark once, without a tool
  assist <group> setup|teardown      run the setup or teardown of a group (`main!`: of the file),
                                     or with the address of a binary benchmark its own";

pub(super) fn main(suite: &'static Suite) -> ExitCode {
    let mut arguments = Vec::new();
    for word in std::env::args_os() {
        arguments.push(word);
    }
    // Without the program.
    let arguments = arguments.get(1..).unwrap_or_default();
    match arguments.split_first() {
        Some((first, role)) if first == ROLE_ARGUMENT => {
            let word = |index: usize| role.get(index).and_then(|word| word.to_str());
            match (role.len(), word(0), word(1), word(2)) {
                (2.., Some("describe"), ..) => {
                    #[cfg(feature = "registration")]
                    registration::describe_only(&role[2..]);
                    describe::to_file(suite, role[1].as_ref())
                }
                (2, Some("run"), Some(address), _) => {
                    run::case(suite, address, || ExitCode::SUCCESS)
                }
                (2, Some("test"), Some(address), _) => {
                    run::case(suite, address, || exit::returned())
                }
                (3, Some("assist"), Some(level), Some("setup")) => {
                    run::hook(suite, level, run::Hook::Setup)
                }
                (3, Some("assist"), Some(level), Some("teardown")) => {
                    run::hook(suite, level, run::Hook::Teardown)
                }
                _ => exit::with_error(exit::USAGE, format_args!("{USAGE}")),
            }
        }
        #[cfg(feature = "registration")]
        _ => front::main(suite, &registration::words(arguments.to_vec())),
        #[cfg(not(feature = "registration"))]
        _ => front::main(suite, arguments),
    }
}
