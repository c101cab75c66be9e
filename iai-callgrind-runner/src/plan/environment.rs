//! The environment of a benchmark.

use std::ffi::{OsStr, OsString};

use iai_callgrind::protocol::{Config, EnvVar};

use super::{copies, Target};
use crate::cli::env::RunnerEnvironment;
use base::tool::{self, Tool};

/// Variables that stay even when the environment is cleared: without them programs may not load,
/// and Valgrind may not find its own files.
const KEPT: &[&str] = &["LD_LIBRARY_PATH", "LD_PRELOAD", "VALGRIND_LIB"];

/// Environment of a benchmark: the variables of the runner unless cleared (the default), then those
/// of the configuration, outer level first; the last value of a name wins. The variable that makes
/// copies count in steps comes after them, since a user's value of it wins.
pub(super) fn resolve(
    tool: Tool,
    config: &Config,
    runner: &RunnerEnvironment,
    target: &Target,
) -> Vec<(OsString, OsString)> {
    let mut variables = as_said(tool, config, runner);
    copies::in_steps(target, tool, &mut variables);
    variables
}

fn as_said(tool: Tool, config: &Config, runner: &RunnerEnvironment) -> Vec<(OsString, OsString)> {
    // By default, since variables are on the stack, and their lengths move what is below them.
    let clear = config.env_clear.unwrap_or(true);
    let kept = KEPT.iter().chain(tool::row(tool).environment);
    let mut variables: Vec<(OsString, OsString)> = runner
        .variables()
        .iter()
        .filter(|(name, _)| !clear || kept.clone().any(|kept| name == kept))
        .cloned()
        .collect();
    for EnvVar { name, value } in &config.envs {
        let value = match value {
            Some(value) => Some(value.clone()),
            None => of(runner, name),
        };
        if let Some(value) = value {
            // Levels only add, so the last value of a name is the one of the closest level.
            variables.retain(|(other, _)| other != name);
            variables.push((name.clone(), value));
        }
    }
    variables
}

fn of(runner: &RunnerEnvironment, name: &OsStr) -> Option<OsString> {
    let mut values = runner.variables().iter().filter(|(other, _)| other == name);
    values.next().map(|(_, value)| value.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variable(name: &str, value: Option<&str>) -> EnvVar {
        EnvVar {
            name: name.into(),
            value: value.map(OsString::from),
        }
    }

    #[track_caller]
    fn check(clear: Option<bool>, envs: Vec<EnvVar>, expected: &[(&str, &str)]) {
        let runner = [("HOME", "/home/me"), ("LD_PRELOAD", "x.so")]
            .into_iter()
            .collect();
        let config = Config {
            env_clear: clear,
            envs,
            ..Config::default()
        };
        let resolved = as_said(Tool::Callgrind, &config, &runner);
        let expected: Vec<(OsString, OsString)> = expected
            .iter()
            .map(|(name, value)| (name.into(), value.into()))
            .collect();
        assert_eq!(resolved, expected);
    }

    #[test]
    fn cleared_by_default() {
        check(None, vec![], &[("LD_PRELOAD", "x.so")]);
        check(
            Some(false),
            vec![],
            &[("HOME", "/home/me"), ("LD_PRELOAD", "x.so")],
        );
    }

    #[test]
    fn memcheck_finds_debug_information() {
        let runner = [("PATH", "/bin"), ("HOME", "/home/me"), ("USER", "me")]
            .into_iter()
            .collect();
        let names: Vec<OsString> = as_said(Tool::Memcheck, &Config::default(), &runner)
            .into_iter()
            .map(|(name, _)| name)
            .collect();
        assert_eq!(names, ["PATH", "HOME"]);
    }

    #[test]
    fn variables_pass_through_and_absent_ones_are_left_out() {
        let envs = vec![variable("HOME", None), variable("ABSENT", None)];
        check(None, envs, &[("LD_PRELOAD", "x.so"), ("HOME", "/home/me")]);
    }

    #[test]
    fn the_last_value_wins() {
        let envs = vec![variable("A", Some("1")), variable("A", Some("2"))];
        check(None, envs, &[("LD_PRELOAD", "x.so"), ("A", "2")]);
    }
}
