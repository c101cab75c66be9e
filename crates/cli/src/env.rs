//! The environment: the only place that reads it.
//!
//! In: the variables of the process. Out: the options that they set, and warnings about those that
//! set nothing. Which options have a variable, and its name, say the rows of [`options::all`].

use std::env;
use std::ffi::OsString;
use std::ops::Deref;

use base::variables::EnvironmentVariables;
use iai_callgrind::protocol::options::{self, variable};

use super::renamed::callgrind_limits;

/// Variables that belong to no option.
const OTHERS: &[&str] = &[
    "IAI_CALLGRIND_AUTO_INSTALL",
    RunnerEnvironment::COMMIT,
    options::FILTER_VARIABLE,
    RunnerEnvironment::LOG,
    RunnerEnvironment::NAMES_PACKAGE,
    RunnerEnvironment::RUN_RECORDS,
    "IAI_CALLGRIND_RUNNER",
    "IAI_CALLGRIND_SERVER",
    "IAI_CALLGRIND_VALGRIND_INCLUDE",
];

/// The environment of the runner, read once.
#[derive(Debug, Clone, Default)]
pub struct RunnerEnvironment(EnvironmentVariables);

impl Deref for RunnerEnvironment {
    type Target = EnvironmentVariables;

    fn deref(&self) -> &EnvironmentVariables {
        &self.0
    }
}

impl RunnerEnvironment {
    /// Environment variable with the commit that is measured.
    pub const COMMIT: &str = "IAI_CALLGRIND_COMMIT";

    /// Environment variable with the filter of the log on stderr.
    pub const LOG: &str = "IAI_CALLGRIND_LOG";

    /// Environment variable with the file that the record of the run is added to, between a runner
    /// that runs all bench targets and those that it starts for them. It is no setting.
    pub const RUN_RECORDS: &str = "IAI_CALLGRIND_RUN_RECORDS";

    /// Environment variable that makes headlines name the package, between the same two: bench
    /// targets of several packages may have the same names. It is no setting.
    pub const NAMES_PACKAGE: &str = "IAI_CALLGRIND_NAMES_PACKAGE";

    /// The environment of this process.
    #[expect(
        clippy::disallowed_methods,
        reason = "the one place that reads the environment"
    )]
    pub fn of_this_process() -> Self {
        Self(env::vars_os().collect())
    }

    /// Filter of the log, for `env_logger`. `Err`: the mistake in the value of the variable.
    pub fn log_filter(&self) -> Result<String, String> {
        const LEVELS: [&str; 6] = ["off", "error", "warn", "info", "debug", "trace"];
        let Some(value) = self.get(Self::LOG) else {
            return Ok("warn".to_owned());
        };
        let value = value.to_string_lossy();
        let is_known = |directive: &str| match directive.split_once('=') {
            Some((_, level)) => LEVELS.contains(&level.to_ascii_lowercase().as_str()),
            // A part of the program alone stands for all of its levels.
            None => {
                let word = directive.to_ascii_lowercase();
                LEVELS.contains(&word.as_str()) || word.starts_with("iai_callgrind")
            }
        };
        match value
            .split(',')
            .find(|directive| !is_known(directive.trim()))
        {
            Some(unknown) => Err(format!("`{unknown}` is none of `{}`", LEVELS.join("`, `"))),
            None => Ok(value.into_owned()),
        }
    }

    /// The options that the environment sets, sorted by variable.
    pub fn options(&self) -> Vec<OptionVariable> {
        let set = options::all().filter(|row| row.has_variable);
        let set = set.filter_map(|row| {
            let name = variable(&row.name);
            let value = self.get(&name)?.to_owned();
            Some(OptionVariable {
                name,
                option: row.name.into_owned(),
                value,
            })
        });
        let mut set: Vec<OptionVariable> = set.collect();
        set.sort_by(|a, b| a.name.cmp(&b.name));
        set
    }

    /// Warnings about environment variables of ours that were renamed, or that do not exist.
    pub fn warnings(&self) -> Vec<String> {
        let names = self
            .variables()
            .iter()
            .filter_map(|(name, _)| name.to_str());
        // An empty variable counts as not set, and needs no warning.
        let ours = names.filter(|name| name.starts_with("IAI_") && self.get(name).is_some());
        ours.filter_map(|name| self.warning(name)).collect()
    }

    fn warning(&self, name: &str) -> Option<String> {
        let instead = match name {
            "IAI_ALLOW_ASLR" => {
                return Some(format!(
                    "the variable {name} has no effect; its name is IAI_CALLGRIND_ALLOW_ASLR"
                ));
            }
            "IAI_CALLGRIND_REGRESSION" => {
                let limits = callgrind_limits(&self.get(name)?.to_string_lossy());
                return Some(format!(
                    "the variable {name} has no effect; set IAI_CALLGRIND_CALLGRIND_LIMITS={limits}"
                ));
            }
            name if name.starts_with(options::PREFIX) && !is_known(name) => nearest(name)?,
            _ => return None,
        };
        Some(format!(
            "the variable {name} has no effect; did you mean {instead}?"
        ))
    }
}

/// An option that the environment sets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptionVariable {
    /// `IAI_CALLGRIND_HOME`.
    pub name: String,
    /// `--home`.
    pub option: String,
    /// Value of the variable; not empty.
    pub value: OsString,
}

impl OptionVariable {
    /// The name of the option without its dashes.
    pub fn name(&self) -> &str {
        self.option.trim_start_matches('-')
    }

    /// The option with its value, as one word of a command line.
    pub fn word(&self) -> OsString {
        let mut word = OsString::from(&self.option);
        word.push("=");
        word.push(&self.value);
        word
    }
}

/// The variable of an option, whose name has no dashes here, if it has one.
pub(super) fn variable_of(option: &str) -> Option<String> {
    let is_it = |name: &str| name.strip_prefix("--") == Some(option);
    let row = options::all().find(|row| is_it(&row.name))?;
    row.has_variable.then(|| variable(&row.name))
}

fn names() -> impl Iterator<Item = String> {
    let with_variable = options::all().filter(|row| row.has_variable);
    let of_options = with_variable.map(|row| variable(&row.name));
    of_options.chain(OTHERS.iter().copied().map(str::to_owned))
}

fn is_known(name: &str) -> bool {
    names().any(|known| known == name)
}

/// The variable that may be meant.
fn nearest(name: &str) -> Option<String> {
    let likeness = |known: &str| {
        let rest = |name: &str| name.strip_prefix(options::PREFIX).map(str::to_owned);
        let pair = rest(known).zip(rest(name));
        pair.map_or(0.0, |(known, name)| strsim::jaro_winkler(&known, &name))
    };
    let rated = names().map(|known| (likeness(&known), known));
    let best = rated.max_by(|(a, _), (b, _)| a.total_cmp(b));
    best.filter(|(likeness, _)| *likeness > 0.9)
        .map(|(_, known)| known)
}

impl<K: Into<OsString>, V: Into<OsString>> FromIterator<(K, V)> for RunnerEnvironment {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(variables: I) -> Self {
        Self(variables.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn empty_variables_are_unset() {
        let environment: RunnerEnvironment =
            [("IAI_CALLGRIND_HOME", ""), ("IAI_CALLGRIND_COLOR", "never")]
                .into_iter()
                .collect();
        assert_eq!(environment.get("IAI_CALLGRIND_HOME"), None);
        let words: Vec<OsString> = environment
            .options()
            .iter()
            .map(OptionVariable::word)
            .collect();
        assert_eq!(words, ["--color=never"]);
    }

    #[test]
    fn what_is_logged() {
        let filter = |value: &str| {
            let environment: RunnerEnvironment =
                [(RunnerEnvironment::LOG, value)].into_iter().collect();
            environment.log_filter()
        };
        for good in [
            "off",
            "debug",
            "Trace",
            "iai_callgrind_runner=debug",
            "warn,x=info",
        ] {
            assert_eq!(filter(good).as_deref(), Ok(good));
        }
        assert_eq!(filter("").as_deref(), Ok("warn"));
        let error = filter("warn,debgu").unwrap_err();
        assert!(
            error.starts_with("`debgu` is none of `off`, `error`, "),
            "{error}"
        );
        filter("x=loud").unwrap_err();
    }

    #[test]
    fn every_option_has_a_variable() {
        // Options that concern a single run, and those of libtest.
        let without = ["exact", "help", "quiet", "skip", "verify", "version"];
        let command = crate::Args::command();
        let mut options = 0;
        for arg in command.get_arguments().filter(|arg| !arg.is_hide_set()) {
            let Some(long) = arg.get_long() else { continue };
            options += 1;
            assert_eq!(
                variable_of(long).is_none(),
                without.contains(&long),
                "{long}"
            );
        }
        assert!(options > 40, "{options}");
    }

    #[test]
    fn variables_without_effect_are_named() {
        #[track_caller]
        fn check(name: &str, value: &str, expected: Option<&str>) {
            let environment: RunnerEnvironment = [(name, value)].into_iter().collect();
            let expected: Vec<String> = expected
                .map(|text| format!("the variable {name} has no effect; {text}"))
                .into_iter()
                .collect();
            assert_eq!(environment.warnings(), expected);
        }
        let text = "its name is IAI_CALLGRIND_ALLOW_ASLR";
        check("IAI_ALLOW_ASLR", "1", Some(text));
        let text = "set IAI_CALLGRIND_CALLGRIND_LIMITS=ir=5%";
        check("IAI_CALLGRIND_REGRESSION", "Ir=5", Some(text));
        let text = "did you mean IAI_CALLGRIND_BASELINE?";
        check("IAI_CALLGRIND_BASLINE", "main", Some(text));
        check("IAI_CALLGRIND_BASLINE", "", None);
        check("IAI_CALLGRIND_OF_ANOTHER_PROGRAM", "1", None);
        check("IAI_CALLGRIND_HOME", "a", None);
        check("IAI_CALLGRIND_LOG", "debug", None);
        check("RUST_LOG", "debug", None);
    }
}
