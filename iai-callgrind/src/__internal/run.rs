//! The roles `run` and `assist`: one benchmark, setup or teardown in this process, without a tool.
//!
//! The environment is the one of whoever started the process plus the variables of the
//! configuration. It is not cleared: these roles measure nothing.

use std::process::ExitCode;

use super::table::{Hooks, Suite};
use super::{benchmarks, exit};
use crate::protocol::{Config, MAIN_LEVEL};

/// The two hooks of a level.
#[derive(Clone, Copy)]
pub(super) enum Hook {
    Setup,
    Teardown,
}

/// Runs the benchmark with this address once. `done` comes after it, if it returns.
pub(super) fn case(suite: &Suite, address: &str, done: fn() -> ExitCode) -> ExitCode {
    let unknown = || {
        let text = format!(
            "there is no benchmark `{address}` in `{}`\n  hint: `--list` shows all benchmarks",
            suite.package.module
        );
        exit::with_error(exit::USAGE, text)
    };
    let groups = benchmarks::groups(suite);
    let mut all = benchmarks::each(&groups);
    let Some((_, group, function, case)) = all.find(|(found, ..)| found == address) else {
        return unknown();
    };
    let levels = [
        suite.config,
        group.config,
        function.table.config,
        case.table.config,
    ];
    set_variables(levels);
    (case.table.run)(case.element);
    done()
}

/// Runs setup or teardown of a group or of `main!`.
pub(super) fn hook(suite: &Suite, level: &str, hook: Hook) -> ExitCode {
    let groups = benchmarks::groups(suite);
    let group = groups.iter().find(|group| group.name == level);
    let hooks = match group {
        Some(group) => group.hooks,
        None if level == MAIN_LEVEL => &suite.hooks,
        None => {
            let text = format!("there is no group `{level}` in `{}`", suite.package.module);
            return exit::with_error(exit::USAGE, text);
        }
    };
    match function(hooks, hook) {
        Some(function) => {
            set_variables([suite.config, group.and_then(|group| group.config)]);
            function();
            ExitCode::SUCCESS
        }
        None => exit::with_error(exit::USAGE, format!("`{level}` has no such function")),
    }
}

fn function(hooks: &Hooks, hook: Hook) -> Option<fn()> {
    match hook {
        Hook::Setup => hooks.setup,
        Hook::Teardown => hooks.teardown,
    }
}

/// Sets the variables of all levels, outer first. Passed-through ones are there already.
fn set_variables<const N: usize>(levels: [Option<fn() -> Config>; N]) {
    for config in levels.into_iter().flatten() {
        for variable in config().envs {
            if let Some(value) = variable.value {
                std::env::set_var(variable.name, value);
            }
        }
    }
}
