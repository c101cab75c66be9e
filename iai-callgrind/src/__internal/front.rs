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
    // The runner starts in the directory of the user, where paths of the command line begin.
    drop(inside);
    let (mode, arguments) = Arguments::of_this_process(words);
    if let Err(mistakes) = check::check(suite, &groups) {
        // A feature may leave nothing of a file. Whoever lists or tests all targets goes on then.
        if !groups.is_empty() || mode == Mode::Measure {
            return exit::with_error(exit::ERROR, format_args!("{mistakes}"));
        }
        eprintln!("warning: {mistakes}");
    }
    if mode == Mode::Measure {
        // The runner reads the whole command line itself.
        return runner::measure(suite, words);
    }
    let arguments = match arguments {
        Ok(arguments) => arguments,
        Err(error) => return exit::with_error(exit::USAGE, format_args!("{error}")),
    };
    for warning in &benchmarks::empty(&groups) {
        eprintln!("warning: {warning}");
    }
    let selected = select(suite, &groups, &arguments);
    if mode == Mode::Test {
        return test_mode::run(suite, &groups, &selected, &arguments);
    }
    match list(&selected, arguments.terse) {
        Err(error) if !exit::has_no_reader(&error) => {
            exit::with_error(exit::ERROR, format_args!("cannot write the list: {error}"))
        }
        _ => ExitCode::SUCCESS,
    }
}

/// Prints one line for each selected benchmark, as libtest does.
fn list(selected: &[Selected<'_>], terse: bool) -> io::Result<()> {
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
pub(super) struct Selected<'a> {
    pub(super) group: &'a Group,
    /// Benchmark path that users see: `file::group::function::id`.
    pub(super) path: String,
    /// Address that the roles take: the benchmark path without the file.
    pub(super) address: String,
}

/// The benchmarks that the command line selects, in their order.
fn select<'a>(suite: &Suite, groups: &'a [Group], arguments: &Arguments) -> Vec<Selected<'a>> {
    let mut selected = Vec::new();
    // No benchmark is ignored, and `--ignored` selects nothing else.
    if arguments.ignored {
        return selected;
    }
    let package = &suite.package;
    let mut number = match arguments.partition {
        Some(partition) => partition.first_number(package.name, package.module),
        None => 0,
    };
    benchmarks::each(groups, &mut |address, group, _, case| {
        let path = format!("{}::{address}", package.module);
        if !arguments.filter.selects_named(&path, case.title()) {
            return;
        }
        let is_taken = match arguments.partition {
            Some(partition) => partition.takes(number, &path),
            None => true,
        };
        // Counts all benchmarks that the filter selects, so that all parts divide the same list.
        number += 1;
        if is_taken {
            selected.push(Selected {
                group,
                path,
                address,
            });
        }
    });
    selected
}
