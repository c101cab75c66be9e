//! The environment of a benchmark.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use iai_callgrind::protocol::{Config, EnvVar, Kind};

use super::{copies, Target};
use base::tool::{self, Tool};
use cli::env::RunnerEnvironment;
use symbols::library_directories;

/// Variable with the directories in which the loader looks first.
const LIBRARIES: &str = "LD_LIBRARY_PATH";

/// Variable with the file for the counters of a program that is instrumented for profiles or
/// coverage. Tools such as `cargo llvm-cov` set it.
const PROFILE: &str = "LLVM_PROFILE_FILE";

/// Environment of a benchmark: the variables of the runner unless cleared (the default), then those
/// of the configuration, outer level first; the last value of a name wins. The variable that makes
/// copies count in steps comes after them, since a user's value of it wins.
pub(super) fn resolve(
    tool: Tool,
    config: &Config,
    runner: &RunnerEnvironment,
    target: &Target,
) -> Vec<(OsString, OsString)> {
    let program = target.directory.join(&target.program);
    let directories = |all: &[PathBuf]| library_directories(&program, all);
    let mut variables = as_said(tool, config, runner, directories);
    if target.is_instrumented && !variables.iter().any(|(name, _)| name == PROFILE) {
        let place = runner.get(PROFILE);
        variables.extend(place.map(|place| (PROFILE.into(), place.to_owned())));
    }
    copies::in_steps(target, tool, &mut variables);
    variables
}

/// `directories` selects those that the program needs.
fn as_said(
    tool: Tool,
    config: &Config,
    runner: &RunnerEnvironment,
    directories: impl Fn(&[PathBuf]) -> Vec<PathBuf>,
) -> Vec<(OsString, OsString)> {
    // By default, since variables are on the stack, and their lengths move what is below them.
    let clear = config.env_clear.unwrap_or(true);
    let kept = tool::row(tool).environment;
    let mut variables: Vec<(OsString, OsString)> = runner
        .variables()
        .iter()
        .filter(|(name, _)| !clear || kept.iter().any(|kept| name == kept))
        .cloned()
        .collect();
    // With all four directories that cargo adds, whole programs counted up to 16 % more. So only
    // those that are needed stay.
    if clear {
        variables.extend(libraries(runner, directories));
    }
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

/// The directories without which the program would not load. Each of them costs the loader of a
/// program instructions for every library, and cargo's are of use to libraries of Rust alone.
fn libraries(
    runner: &RunnerEnvironment,
    directories: impl Fn(&[PathBuf]) -> Vec<PathBuf>,
) -> Option<(OsString, OsString)> {
    let all: Vec<PathBuf> = std::env::split_paths(runner.get(LIBRARIES)?).collect();
    let needed = directories(&all);
    // Each of them was read from such a list, so a list can be made of them.
    let needed = std::env::join_paths(needed).ok();
    needed
        .filter(|needed| !needed.is_empty())
        .map(|needed| (LIBRARIES.into(), needed))
}

/// The variables by which a loader finds and chooses libraries, as `NAME=value`, sorted. The value
/// of none of them is empty. In those of a library benchmark, which counts none of the loader's
/// work, paths in the workspace begin there.
pub(crate) fn loader_variables(
    environment: &[(OsString, OsString)],
    target: &Target,
) -> Vec<String> {
    let of_loader = |name: &OsStr| name.as_encoded_bytes().starts_with(b"LD_");
    let variables = environment
        .iter()
        .filter(|(name, value)| of_loader(name) && !value.is_empty());
    let root = format!("{}/", target.workspace.display());
    let texts = variables.map(|(name, value)| {
        let value = value.to_string_lossy();
        let value = match target.kind() {
            Kind::Library => Cow::Owned(value.replace(&root, "")),
            Kind::Binary => value,
        };
        format!("{}={value}", name.to_string_lossy())
    });
    let mut texts: Vec<String> = texts.collect();
    texts.sort_unstable();
    texts
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
        let runner = [
            ("HOME", "/home/me"),
            ("LD_PRELOAD", "x.so"),
            ("LD_LIBRARY_PATH", "/a:/needed:/b"),
            ("VALGRIND_LIB", "/v"),
        ];
        let runner = runner.into_iter().collect();
        let config = Config {
            env_clear: clear,
            envs,
            ..Config::default()
        };
        let needed = |all: &[PathBuf]| {
            let needed = all.iter().filter(|path| path.ends_with("needed"));
            needed.cloned().collect()
        };
        let resolved = as_said(Tool::Callgrind, &config, &runner, needed);
        let expected: Vec<(OsString, OsString)> = expected
            .iter()
            .map(|(name, value)| (name.into(), value.into()))
            .collect();
        assert_eq!(resolved, expected);
    }

    #[test]
    fn cleared_by_default() {
        check(None, vec![], &[("LD_LIBRARY_PATH", "/needed")]);
        check(
            Some(false),
            vec![],
            &[
                ("HOME", "/home/me"),
                ("LD_PRELOAD", "x.so"),
                ("LD_LIBRARY_PATH", "/a:/needed:/b"),
                ("VALGRIND_LIB", "/v"),
            ],
        );
    }

    #[test]
    fn a_program_that_needs_no_directory_gets_no_variable() {
        let runner = [("LD_LIBRARY_PATH", "/a::/b")].into_iter().collect();
        let none = as_said(Tool::Dhat, &Config::default(), &runner, |_| Vec::new());
        assert_eq!(none, []);
    }

    #[test]
    fn memcheck_finds_debug_information() {
        let runner = [("PATH", "/bin"), ("HOME", "/home/me"), ("USER", "me")]
            .into_iter()
            .collect();
        let config = Config::default();
        let names: Vec<OsString> = as_said(Tool::Memcheck, &config, &runner, |_| Vec::new())
            .into_iter()
            .map(|(name, _)| name)
            .collect();
        assert_eq!(names, ["PATH", "HOME"]);
    }

    #[test]
    fn variables_pass_through_and_absent_ones_are_left_out() {
        let envs = vec![
            variable("HOME", None),
            variable("ABSENT", None),
            variable("LD_PRELOAD", None),
            variable("LD_LIBRARY_PATH", None),
        ];
        check(
            None,
            envs,
            &[
                ("HOME", "/home/me"),
                ("LD_PRELOAD", "x.so"),
                ("LD_LIBRARY_PATH", "/a:/needed:/b"),
            ],
        );
    }

    #[test]
    fn the_last_value_wins() {
        let envs = vec![variable("A", Some("1")), variable("A", Some("2"))];
        check(None, envs, &[("LD_LIBRARY_PATH", "/needed"), ("A", "2")]);
    }

    #[test]
    fn variables_of_the_loader_are_sorted_and_empty_ones_left_out() {
        let environment = [
            ("LD_PRELOAD", "/x.so"),
            ("HOME", "/home/me"),
            ("LD_BIND_NOW", ""),
            ("LD_LIBRARY_PATH", "/space/target/deps:/b"),
        ];
        let environment = environment.map(|(name, value)| (name.into(), value.into()));
        let texts = |target: &Target| loader_variables(&environment, target);
        assert_eq!(
            texts(&copies::tests::command()),
            ["LD_LIBRARY_PATH=/space/target/deps:/b", "LD_PRELOAD=/x.so"]
        );
        assert_eq!(
            texts(&copies::tests::case()),
            ["LD_LIBRARY_PATH=target/deps:/b", "LD_PRELOAD=/x.so"]
        );
    }
}
