//! The roles `run` and `assist`: one benchmark, setup or teardown in this process, without a tool.
//!
//! The environment is that of the parent process plus the variables of the configuration. It is not
//! cleared: these roles measure nothing.

use std::path::PathBuf;
use std::process::ExitCode;

use super::benchmarks::{Case, Code, Function, Group, Level, Wanted};
#[cfg(unix)]
use super::features;
use super::later::SharedConfig;
use super::table::{Hooks, Suite};
use super::{benchmarks, exit, noted};
use crate::binary::begin_at;
use crate::protocol::MAIN_LEVEL;

/// The two hooks of a level.
#[derive(Clone, Copy)]
pub enum Hook {
    Setup,
    Teardown,
}

/// Runs the benchmark with this address once. `done` comes after it, if it returns.
pub(super) fn case(suite: &Suite, address: &str, done: fn() -> ExitCode) -> ExitCode {
    let groups = groups_with(suite, address);
    let Some((group, function, case)) = find(&groups, address) else {
        let module = suite.package.module;
        return exit::with_error(
            exit::USAGE,
            format_args!(
            "there is no benchmark `{address}` in `{module}`\n  hint: `--list` shows all benchmarks"
        ),
        );
    };
    let levels = [
        suite.config.map(|config| config()),
        group.config.map(|config| config()),
        function.config.as_ref().map(|config| config.get()),
        case.config.as_ref().map(|config| config.get()),
    ];
    match &case.code {
        Code::Function(run) => {
            // Outer levels first, so that inner ones replace their variables.
            for level in &levels {
                set_variables(level);
            }
            // The measured process detects them before the benchmark, too.
            #[cfg(unix)]
            features::detect();
            let _place = noted::PlaceOfPanic;
            run(case.element);
        }
        Code::Program(program) => {
            if let Err(text) = program.run(suite, address, &levels) {
                return exit::with_error(exit::ERROR, format_args!("{text}"));
            }
        }
    }
    done()
}

/// Runs setup or teardown of `main!`, of a group or of a binary benchmark.
pub(super) fn hook(suite: &'static Suite, level: &str, hook: Hook) -> ExitCode {
    let found = match benchmarks::level(suite, level) {
        None if level == MAIN_LEVEL => Some(Level {
            hooks: &suite.hooks,
            config: None,
        }),
        found => found,
    };
    if let Some(Level { hooks, config }) = found {
        let Some(function) = of_level(hooks, hook) else {
            return missing(level);
        };
        for level in &[suite.config, config] {
            set_variables(&level.map(|config| config()));
        }
        function();
        return ExitCode::SUCCESS;
    }
    of_benchmark(suite, level, hook)
}

/// Runs a hook of a binary benchmark. The runner has set the variables of all levels already: it
/// knows those of the command, for which the benchmark's function would have to be called once more
/// here.
fn of_benchmark(suite: &Suite, address: &str, hook: Hook) -> ExitCode {
    let groups = groups_with(suite, address);
    let Some((_, _, case)) = find(&groups, address) else {
        let what = match address.contains("::") {
            true => "binary benchmark",
            false => "group",
        };
        let module = suite.package.module;
        return exit::with_error(
            exit::USAGE,
            format_args!("there is no {what} `{address}` in `{module}`"),
        );
    };
    match &case.code {
        Code::Program(program) if program.call(hook) => ExitCode::SUCCESS,
        _ => missing(address),
    }
}

fn set_variables(level: &Option<SharedConfig>) {
    if let Some(config) = level {
        config.set_variables();
    }
}

fn missing(level: &str) -> ExitCode {
    exit::with_error(exit::USAGE, format_args!("`{level}` has no such function"))
}

fn find<'a>(groups: &'a [Group], address: &str) -> Option<(&'a Group, &'a Function, &'a Case)> {
    let mut wanted = None;
    benchmarks::each(groups, &mut |found, group, function, case| {
        if wanted.is_none() && found == address {
            wanted = Some((group, function, case));
        }
    });
    wanted
}

fn of_level(hooks: &Hooks, hook: Hook) -> Option<fn()> {
    match hook {
        Hook::Setup => hooks.setup,
        Hook::Teardown => hooks.teardown,
    }
}

/// The groups in which the benchmark with this address can be.
fn groups_with(suite: &Suite, address: &str) -> Vec<Group> {
    let _inside = PackageDirectory::enter(suite);
    benchmarks::groups_of(suite, Wanted::At(address))
}

/// Moves this process into the directory in which cargo starts benchmarks: code of the user has to
/// behave the same wherever the process was started. On another machine, which lacks this
/// directory, the process stays where it is.
///
/// When the value is dropped, the process is back where it was.
pub(super) struct PackageDirectory {
    here: Option<PathBuf>,
}

impl PackageDirectory {
    pub(super) fn enter(suite: &Suite) -> Self {
        let here = std::env::current_dir().ok();
        begin_at(suite.package.workspace);
        let moved = std::env::set_current_dir(suite.package.manifest_dir).is_ok();
        Self {
            here: here.filter(|_| moved),
        }
    }
}

impl Drop for PackageDirectory {
    fn drop(&mut self) {
        if let Some(here) = self.here.take() {
            // It was there a moment ago.
            let _ = std::env::set_current_dir(here);
        }
    }
}
