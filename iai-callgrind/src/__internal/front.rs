//! The role that cargo, a user or a test runner starts: list, run everything once, or measure.
//!
//! Listing and the test mode are answered right here, on every system, without runner and
//! Valgrind. To measure, this process replaces itself by the runner.

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use super::arguments::{Arguments, Mode};
use super::benchmarks::Group;
use super::run::PackageDirectory;
use super::table::Suite;
use super::{benchmarks, check, exit, runner, test_mode};

pub(super) fn main(suite: &Suite, words: &[OsString]) -> ExitCode {
    let inside = PackageDirectory::enter(suite);
    let groups = benchmarks::groups(suite);
    drop(inside);
    if let Err(mistakes) = check::check(suite, &groups) {
        return exit::with_error(exit::ERROR, mistakes);
    }
    let (mode, arguments) = Arguments::of_this_process(words);
    if mode == Mode::Measure {
        // The runner reads the whole command line itself.
        return runner::measure(suite, words);
    }
    let arguments = match arguments {
        Ok(arguments) => arguments,
        Err(error) => return exit::with_error(exit::USAGE, error),
    };
    for warning in &benchmarks::empty(&groups) {
        eprintln!("warning: {warning}");
    }
    let selected = select(suite, &groups, &arguments);
    if mode == Mode::Test {
        return test_mode::run(suite, &groups, &selected, &arguments);
    }
    match list(&selected, arguments.terse) {
        // A reader that has seen enough, such as `head`, is no error.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            exit::with_error(exit::ERROR, format!("cannot write the list: {error}"))
        }
        _ => ExitCode::SUCCESS,
    }
}

/// Prints one line for each selected benchmark, as libtest does.
fn list(selected: &[Selected], terse: bool) -> io::Result<()> {
    let mut out = io::stdout().lock();
    for benchmark in selected {
        writeln!(out, "{}: benchmark", benchmark.path)?;
    }
    if !terse {
        if !selected.is_empty() {
            writeln!(out)?;
        }
        writeln!(out, "0 tests, {} benchmarks", selected.len())?;
    }
    Ok(())
}

/// A benchmark that the command line selects.
#[derive(Debug)]
pub(super) struct Selected {
    /// Index of its group.
    pub(super) group: usize,
    /// Benchmark path that users see: `file::group::function::id`.
    pub(super) path: String,
    /// Address that the roles take: the benchmark path without the file.
    pub(super) address: String,
}

/// The benchmarks that the command line selects, in their order.
fn select(suite: &Suite, groups: &[Group], arguments: &Arguments) -> Vec<Selected> {
    let mut selected = Vec::new();
    if arguments.ignored {
        return selected;
    }
    let package = &suite.package;
    let partition = arguments.partition;
    let mut number = partition.map_or(0, |partition| {
        partition.first_number(package.name, package.module)
    });
    for (index, group) in groups.iter().enumerate() {
        for (address, _, _, case) in &benchmarks::each(std::slice::from_ref(group)) {
            let path = format!("{}::{address}", suite.package.module);
            if !arguments.filter.selects_named(&path, case.title()) {
                continue;
            }
            number += 1;
            if partition.is_none_or(|partition| partition.takes(number - 1, &path)) {
                selected.push(Selected {
                    group: index,
                    path,
                    address: address.clone(),
                });
            }
        }
    }
    selected
}
