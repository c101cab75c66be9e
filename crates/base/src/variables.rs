//! Environment variables, which somebody else has read.

use std::ffi::{OsStr, OsString};

/// Names and values of variables.
#[derive(Debug, Clone, Default)]
pub struct EnvironmentVariables(Vec<(OsString, OsString)>);

impl EnvironmentVariables {
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

    /// All variables.
    pub fn variables(&self) -> &[(OsString, OsString)] {
        &self.0
    }
}

impl<K: Into<OsString>, V: Into<OsString>> FromIterator<(K, V)> for EnvironmentVariables {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(variables: I) -> Self {
        let variables = variables.into_iter();
        let variables = variables.map(|(name, value)| (name.into(), value.into()));
        Self(variables.collect())
    }
}
