//! Reads which role the executable plays from its command line.

use std::ffi::OsString;
use std::process::ExitCode;

use super::table::Suite;
use super::{describe, exit, front, run};
use crate::protocol::ROLE_ARGUMENT;

const USAGE: &str = "\
after `--iai-callgrind` one of these is expected:
  describe <file>                    write the description of all benchmarks to the file
  run <group>::<function>[::<id>]    run one benchmark once, without a tool
  assist <group> setup|teardown      run the setup or teardown of a group (`main!`: of the file),
                                     or with the address of a binary benchmark its own";

pub(super) fn main(suite: &'static Suite) -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    match arguments.split_first() {
        Some((first, role)) if first == ROLE_ARGUMENT => {
            let words: Vec<Option<&str>> = role.iter().map(|word| word.to_str()).collect();
            match words.as_slice() {
                [Some("describe"), _] => describe::to_file(suite, role[1].as_ref()),
                [Some("run"), Some(address)] => run::case(suite, address, || ExitCode::SUCCESS),
                [Some("test"), Some(address)] => run::case(suite, address, || exit::returned()),
                [Some("assist"), Some(level), Some("setup")] => {
                    run::hook(suite, level, run::Hook::Setup)
                }
                [Some("assist"), Some(level), Some("teardown")] => {
                    run::hook(suite, level, run::Hook::Teardown)
                }
                _ => exit::with_error(exit::USAGE, USAGE),
            }
        }
        _ => front::main(suite, &arguments),
    }
}
