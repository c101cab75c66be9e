//! The environment: the only place that reads it.
//!
//! Every option has a row in `OPTIONS`, except those that are about a single run: `--help` and
//! `--version`, `--exact` and `--skip` (a filter is in `OTHERS`), `--quiet`, `--verify`, and what libtest
//! knows.

use std::env;
use std::ffi::{OsStr, OsString};

use super::parse::callgrind_limits;

/// Variables that belong to no option.
const OTHERS: &[&str] = &[
    "IAI_CALLGRIND_AUTO_INSTALL",
    "IAI_CALLGRIND_FILTER",
    "IAI_CALLGRIND_LOG",
    "IAI_CALLGRIND_RUNNER",
    "IAI_CALLGRIND_SERVER",
    "IAI_CALLGRIND_VALGRIND_INCLUDE",
];

/// Options that can be given as `IAI_CALLGRIND_<NAME>`. The command line wins.
const OPTIONS: &[(&str, &str)] = &[
    ("IAI_CALLGRIND_ALLOW_ASLR", "--allow-aslr"),
    ("IAI_CALLGRIND_BASELINE", "--baseline"),
    ("IAI_CALLGRIND_BBV_ARGS", "--bbv-args"),
    ("IAI_CALLGRIND_BBV_LIMITS", "--bbv-limits"),
    ("IAI_CALLGRIND_BBV_METRICS", "--bbv-metrics"),
    ("IAI_CALLGRIND_CACHEGRIND_ARGS", "--cachegrind-args"),
    ("IAI_CALLGRIND_CACHEGRIND_LIMITS", "--cachegrind-limits"),
    ("IAI_CALLGRIND_CACHEGRIND_METRICS", "--cachegrind-metrics"),
    ("IAI_CALLGRIND_CALLGRIND_ARGS", "--callgrind-args"),
    ("IAI_CALLGRIND_CALLGRIND_LIMITS", "--callgrind-limits"),
    ("IAI_CALLGRIND_CALLGRIND_METRICS", "--callgrind-metrics"),
    ("IAI_CALLGRIND_CHECK_DETERMINISM", "--check-determinism"),
    ("IAI_CALLGRIND_COLOR", "--color"),
    ("IAI_CALLGRIND_DEFAULT_TOOL", "--default-tool"),
    ("IAI_CALLGRIND_DHAT_ARGS", "--dhat-args"),
    ("IAI_CALLGRIND_DHAT_LIMITS", "--dhat-limits"),
    ("IAI_CALLGRIND_DHAT_METRICS", "--dhat-metrics"),
    ("IAI_CALLGRIND_DRD_ARGS", "--drd-args"),
    ("IAI_CALLGRIND_DRD_LIMITS", "--drd-limits"),
    ("IAI_CALLGRIND_DRD_METRICS", "--drd-metrics"),
    ("IAI_CALLGRIND_ENVS", "--envs"),
    ("IAI_CALLGRIND_ENV_CLEAR", "--env-clear"),
    ("IAI_CALLGRIND_FORK", "--fork"),
    ("IAI_CALLGRIND_HELGRIND_ARGS", "--helgrind-args"),
    ("IAI_CALLGRIND_HELGRIND_LIMITS", "--helgrind-limits"),
    ("IAI_CALLGRIND_HELGRIND_METRICS", "--helgrind-metrics"),
    ("IAI_CALLGRIND_HOME", "--home"),
    ("IAI_CALLGRIND_LIST", "--list"),
    ("IAI_CALLGRIND_LOAD_BASELINE", "--load-baseline"),
    ("IAI_CALLGRIND_MASSIF_ARGS", "--massif-args"),
    ("IAI_CALLGRIND_MASSIF_LIMITS", "--massif-limits"),
    ("IAI_CALLGRIND_MASSIF_METRICS", "--massif-metrics"),
    ("IAI_CALLGRIND_MEMCHECK_ARGS", "--memcheck-args"),
    ("IAI_CALLGRIND_MEMCHECK_LIMITS", "--memcheck-limits"),
    ("IAI_CALLGRIND_MEMCHECK_METRICS", "--memcheck-metrics"),
    ("IAI_CALLGRIND_NOCAPTURE", "--nocapture"),
    ("IAI_CALLGRIND_NOSUMMARY", "--nosummary"),
    ("IAI_CALLGRIND_OUTPUT_FORMAT", "--output-format"),
    ("IAI_CALLGRIND_PARALLEL", "--parallel"),
    ("IAI_CALLGRIND_PARTITION", "--partition"),
    ("IAI_CALLGRIND_PERF_ARGS", "--perf-args"),
    ("IAI_CALLGRIND_PERF_BIN", "--perf-bin"),
    ("IAI_CALLGRIND_PERF_EVENTS", "--perf-events"),
    ("IAI_CALLGRIND_PERF_LIMITS", "--perf-limits"),
    ("IAI_CALLGRIND_PERF_RECORD", "--perf-record"),
    ("IAI_CALLGRIND_PERF_RECORD_ARGS", "--perf-record-args"),
    ("IAI_CALLGRIND_PERF_RUN_MODE", "--perf-run-mode"),
    ("IAI_CALLGRIND_PERF_SAMPLING", "--perf-sampling"),
    (
        "IAI_CALLGRIND_REGRESSION_FAIL_FAST",
        "--regression-fail-fast",
    ),
    ("IAI_CALLGRIND_SAVE_BASELINE", "--save-baseline"),
    ("IAI_CALLGRIND_SAVE_SUMMARY", "--save-summary"),
    ("IAI_CALLGRIND_SEPARATE_TARGETS", "--separate-targets"),
    ("IAI_CALLGRIND_SHOW_GRID", "--show-grid"),
    ("IAI_CALLGRIND_SHOW_INTERMEDIATE", "--show-intermediate"),
    (
        "IAI_CALLGRIND_SHOW_ONLY_COMPARISON",
        "--show-only-comparison",
    ),
    ("IAI_CALLGRIND_STRICT", "--strict"),
    ("IAI_CALLGRIND_TEST", "--test"),
    ("IAI_CALLGRIND_TIMEOUT", "--timeout"),
    ("IAI_CALLGRIND_TOLERANCE", "--tolerance"),
    ("IAI_CALLGRIND_TOOLS", "--tools"),
    ("IAI_CALLGRIND_TOOL_RUNNER", "--tool-runner"),
    ("IAI_CALLGRIND_TOOL_RUNNER_ARGS", "--tool-runner-args"),
    ("IAI_CALLGRIND_TOOL_RUNNER_DEST", "--tool-runner-dest"),
    ("IAI_CALLGRIND_TOOL_RUNNER_ROOT", "--tool-runner-root"),
    (
        "IAI_CALLGRIND_TRUNCATE_DESCRIPTION",
        "--truncate-description",
    ),
    ("IAI_CALLGRIND_VALGRIND_ARGS", "--valgrind-args"),
    ("IAI_CALLGRIND_VALGRIND_BIN", "--valgrind-bin"),
    ("IAI_CALLGRIND_WORKSPACE_ROOT", "--workspace-root"),
];

/// The environment of the runner, read once.
#[derive(Debug, Clone, Default)]
pub struct Environment(Vec<(OsString, OsString)>);

impl Environment {
    /// How variables of ours begin.
    pub const PREFIX: &str = "IAI_CALLGRIND_";

    /// What to log on stderr.
    pub const LOG: &str = "IAI_CALLGRIND_LOG";

    /// The environment of this process.
    #[expect(
        clippy::disallowed_methods,
        reason = "the one place that reads the environment"
    )]
    pub fn of_this_process() -> Self {
        Self(env::vars_os().collect())
    }

    /// The value of a variable that is not ours; it may be empty.
    pub fn variable(&self, name: &str) -> Option<&OsStr> {
        let mut values = self.0.iter().filter(|(key, _)| key == name);
        values.next().map(|(_, value)| value.as_os_str())
    }

    /// The value of a variable; an empty one counts as unset.
    pub fn get(&self, name: impl AsRef<OsStr>) -> Option<&OsStr> {
        let name = name.as_ref();
        let mut values = self.0.iter().filter(|(key, _)| key == name);
        values
            .next()
            .map(|(_, value)| value.as_os_str())
            .filter(|value| !value.is_empty())
    }

    /// What is logged, for `env_logger`. `Err`: what is wrong with the variable.
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

    /// All variables.
    pub fn variables(&self) -> &[(OsString, OsString)] {
        &self.0
    }

    /// The options that the environment sets.
    pub fn options(&self) -> Vec<Variable> {
        let set = OPTIONS.iter().filter_map(|&(name, option)| {
            Some(Variable {
                name,
                option,
                value: self.get(name)?.to_owned(),
            })
        });
        set.collect()
    }

    /// What is said about variables of ours that have another name now, or that have none.
    pub fn warnings(&self) -> Vec<String> {
        let names = self.0.iter().filter_map(|(name, _)| name.to_str());
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
            name if name.starts_with(Self::PREFIX) && !is_known(name) => nearest(name)?,
            _ => return None,
        };
        Some(format!(
            "the variable {name} has no effect; did you mean {instead}?"
        ))
    }
}

/// An option that the environment sets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// `IAI_CALLGRIND_HOME`.
    pub name: &'static str,
    /// `--home`.
    pub option: &'static str,
    /// Of the variable; not empty.
    pub value: OsString,
}

impl Variable {
    /// The name of the option without its dashes.
    pub fn name(&self) -> &'static str {
        self.option.trim_start_matches('-')
    }

    /// As it would stand on the command line.
    pub fn word(&self) -> OsString {
        let mut word = OsString::from(self.option);
        word.push("=");
        word.push(&self.value);
        word
    }
}

/// The variable of an option, whose name has no dashes here.
pub(super) fn variable_of(option: &str) -> Option<&'static str> {
    let mut rows = OPTIONS.iter();
    let row = rows.find(|(_, name)| name.trim_start_matches('-') == option);
    row.map(|(variable, _)| *variable)
}

fn names() -> impl Iterator<Item = &'static str> {
    let of_options = OPTIONS.iter().map(|(variable, _)| *variable);
    of_options.chain(OTHERS.iter().copied())
}

fn is_known(name: &str) -> bool {
    names().any(|known| known == name)
}

/// The variable that may be meant.
fn nearest(name: &str) -> Option<&'static str> {
    let likeness = |known: &str| {
        let rest = |name: &str| name.strip_prefix(Environment::PREFIX).map(str::to_owned);
        let pair = rest(known).zip(rest(name));
        pair.map_or(0.0, |(known, name)| strsim::jaro_winkler(&known, &name))
    };
    let rated = names().map(|known| (likeness(known), known));
    let best = rated.max_by(|(a, _), (b, _)| a.total_cmp(b));
    best.filter(|(likeness, _)| *likeness > 0.9)
        .map(|(_, known)| known)
}

impl<K: Into<OsString>, V: Into<OsString>> FromIterator<(K, V)> for Environment {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(variables: I) -> Self {
        Self(
            variables
                .into_iter()
                .map(|(key, value)| (key.into(), value.into()))
                .collect(),
        )
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn every_variable_names_an_option_of_its_name() {
        let command = crate::cli::Args::command();
        for (variable, option) in OPTIONS {
            let name = option.trim_start_matches("--");
            assert!(
                command
                    .get_arguments()
                    .any(|arg| arg.get_long() == Some(name)),
                "{option}"
            );
            let spelled = name.to_uppercase().replace('-', "_");
            assert_eq!(*variable, format!("IAI_CALLGRIND_{spelled}"));
        }
    }

    #[test]
    fn empty_variables_are_unset() {
        let environment: Environment =
            [("IAI_CALLGRIND_HOME", ""), ("IAI_CALLGRIND_COLOR", "never")]
                .into_iter()
                .collect();
        assert_eq!(environment.get("IAI_CALLGRIND_HOME"), None);
        let words: Vec<OsString> = environment.options().iter().map(Variable::word).collect();
        assert_eq!(words, ["--color=never"]);
    }

    #[test]
    fn what_is_logged() {
        let filter = |value: &str| {
            let environment: Environment = [(Environment::LOG, value)].into_iter().collect();
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
        // What is about a single run, and what libtest knows.
        let without = ["exact", "help", "quiet", "skip", "verify", "version"];
        let command = crate::cli::Args::command();
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
            let environment: Environment = [(name, value)].into_iter().collect();
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
