//! The roles `run` and `assist`: one benchmark, setup or teardown in this process, without a tool.
//!
//! The environment is the one of whoever started the process plus the variables of the
//! configuration. It is not cleared: these roles measure nothing.

use std::process::ExitCode;

use super::exit;
use super::table::{Group, Hooks, Suite};
use crate::protocol::{Address, Config, MAIN_LEVEL};

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
    let Some(wanted) = Address::parse(address) else {
        return unknown();
    };
    for group in suite
        .groups
        .iter()
        .filter(|group| group.name == wanted.group)
    {
        for function in group.functions.iter().filter(|f| f.name == wanted.function) {
            if let Some(case) = function.cases.iter().find(|case| case.id == wanted.id) {
                set_variables([suite.config, group.config, function.config, case.config]);
                (case.run)();
                return done();
            }
        }
    }
    unknown()
}

/// Runs setup or teardown of a group or of `main!`.
pub(super) fn hook(suite: &Suite, level: &str, hook: Hook) -> ExitCode {
    let group: Option<&Group> = suite.groups.iter().copied().find(|g| g.name == level);
    let hooks = match group {
        Some(group) => &group.hooks,
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
