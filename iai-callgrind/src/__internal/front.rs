//! The role that cargo, a user or a test runner starts: list, run everything once, or measure.
//!
//! Listing and the test mode are answered right here, on every system, without runner and
//! Valgrind. To measure, this process replaces itself by the runner.

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use super::arguments::Arguments;
use super::benchmarks::Group;
use super::table::Suite;
use super::{benchmarks, check, exit, runner, test_mode};
use crate::protocol::Filter;

pub(super) fn main(suite: &Suite, words: &[OsString]) -> ExitCode {
    let groups = benchmarks::groups(suite);
    if let Err(mistakes) = check::check(suite, &groups) {
        return exit::with_error(exit::ERROR, mistakes);
    }
    let arguments = Arguments::parse(words);
    if arguments.help {
        runner::measure(suite, words)
    } else if arguments.list {
        match list(suite, &groups, &arguments) {
            // A reader that has seen enough, such as `head`, is no error.
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                exit::with_error(exit::ERROR, format!("cannot write the list: {error}"))
            }
            _ => ExitCode::SUCCESS,
        }
    } else if arguments.bench && !arguments.test {
        runner::measure(suite, words)
    } else {
        test_mode::run(suite, &groups, &arguments)
    }
}

/// Prints one line for each selected benchmark, as libtest does.
fn list(suite: &Suite, groups: &[Group], arguments: &Arguments) -> io::Result<()> {
    let selected = match arguments.ignored {
        true => Vec::new(),
        false => selected(suite, groups, &arguments.filter),
    };
    let mut out = io::stdout().lock();
    for benchmark in &selected {
        writeln!(out, "{}: benchmark", benchmark.path)?;
    }
    if !arguments.terse {
        if !selected.is_empty() {
            writeln!(out)?;
        }
        writeln!(out, "0 tests, {} benchmarks", selected.len())?;
    }
    Ok(())
}

/// A benchmark that the filters select.
#[derive(Debug)]
pub(super) struct Selected {
    /// Index of its group.
    pub(super) group: usize,
    /// What users see: `file::group::function::id`.
    pub(super) path: String,
    /// What the roles take: the path without the file.
    pub(super) address: String,
}

/// The benchmarks that a filter selects, in their order.
pub(super) fn selected(suite: &Suite, groups: &[Group], filter: &Filter) -> Vec<Selected> {
    let mut selected = Vec::new();
    for (index, group) in groups.iter().enumerate() {
        for (address, ..) in benchmarks::each(std::slice::from_ref(group)) {
            let path = format!("{}::{address}", suite.package.module);
            if filter.selects(&path) {
                selected.push(Selected {
                    group: index,
                    path,
                    address,
                });
            }
        }
    }
    selected
}
