//! The environment: the only place that reads it.

use std::env;
use std::ffi::{OsStr, OsString};

/// Options that can be given as `IAI_CALLGRIND_<NAME>`. The command line wins.
const OPTIONS: &[(&str, &str)] = &[
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
    ("IAI_CALLGRIND_COLOR", "--color"),
    ("IAI_CALLGRIND_DEFAULT_TOOL", "--default-tool"),
    ("IAI_CALLGRIND_DHAT_ARGS", "--dhat-args"),
    ("IAI_CALLGRIND_DHAT_LIMITS", "--dhat-limits"),
    ("IAI_CALLGRIND_DHAT_METRICS", "--dhat-metrics"),
    ("IAI_CALLGRIND_DRD_ARGS", "--drd-args"),
    ("IAI_CALLGRIND_DRD_LIMITS", "--drd-limits"),
    ("IAI_CALLGRIND_DRD_METRICS", "--drd-metrics"),
    ("IAI_CALLGRIND_FORK", "--fork"),
    ("IAI_CALLGRIND_HELGRIND_ARGS", "--helgrind-args"),
    ("IAI_CALLGRIND_HELGRIND_LIMITS", "--helgrind-limits"),
    ("IAI_CALLGRIND_HELGRIND_METRICS", "--helgrind-metrics"),
    ("IAI_CALLGRIND_HOME", "--home"),
    ("IAI_CALLGRIND_LOAD_BASELINE", "--load-baseline"),
    ("IAI_CALLGRIND_MASSIF_ARGS", "--massif-args"),
    ("IAI_CALLGRIND_MASSIF_LIMITS", "--massif-limits"),
    ("IAI_CALLGRIND_MASSIF_METRICS", "--massif-metrics"),
    ("IAI_CALLGRIND_MEMCHECK_ARGS", "--memcheck-args"),
    ("IAI_CALLGRIND_MEMCHECK_LIMITS", "--memcheck-limits"),
    ("IAI_CALLGRIND_MEMCHECK_METRICS", "--memcheck-metrics"),
    ("IAI_CALLGRIND_NOCAPTURE", "--nocapture"),
    ("IAI_CALLGRIND_NOSUMMARY", "--nosummary"),
    ("IAI_CALLGRIND_PARALLEL", "--parallel"),
    ("IAI_CALLGRIND_PARTITION", "--partition"),
    (
        "IAI_CALLGRIND_REGRESSION_FAIL_FAST",
        "--regression-fail-fast",
    ),
    ("IAI_CALLGRIND_SAVE_BASELINE", "--save-baseline"),
    ("IAI_CALLGRIND_SHOW_GRID", "--show-grid"),
    ("IAI_CALLGRIND_SHOW_INTERMEDIATE", "--show-intermediate"),
    (
        "IAI_CALLGRIND_SHOW_ONLY_COMPARISON",
        "--show-only-comparison",
    ),
    ("IAI_CALLGRIND_STRICT", "--strict"),
    ("IAI_CALLGRIND_TIMEOUT", "--timeout"),
    ("IAI_CALLGRIND_TOLERANCE", "--tolerance"),
    ("IAI_CALLGRIND_TOOLS", "--tools"),
    (
        "IAI_CALLGRIND_TRUNCATE_DESCRIPTION",
        "--truncate-description",
    ),
    ("IAI_CALLGRIND_VALGRIND_ARGS", "--valgrind-args"),
    ("IAI_CALLGRIND_VALGRIND_BIN", "--valgrind-bin"),
];

/// The environment of the runner, read once.
#[derive(Debug, Clone, Default)]
pub struct Environment(Vec<(OsString, OsString)>);

impl Environment {
    /// The environment of this process.
    #[expect(
        clippy::disallowed_methods,
        reason = "the one place that reads the environment"
    )]
    pub fn of_this_process() -> Self {
        Self(env::vars_os().collect())
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

    /// All variables.
    pub fn variables(&self) -> &[(OsString, OsString)] {
        &self.0
    }

    /// The options that the environment sets, as words to stand before the command line.
    pub fn options(&self) -> Vec<OsString> {
        let set = OPTIONS.iter().filter_map(|(variable, option)| {
            let mut word = OsString::from(option);
            word.push("=");
            word.push(self.get(variable)?);
            Some(word)
        });
        set.collect()
    }
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
        assert_eq!(environment.options(), ["--color=never"]);
    }
}
