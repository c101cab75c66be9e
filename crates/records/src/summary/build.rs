//! The types of the JSON output: the build of the benchmark executable.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Build of the benchmark executable, as far as it is known.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Build {
    /// The folder of its build profile: `release`, also for the bench profile; `null` if it does
    /// not lie where cargo puts it.
    pub profile: Option<String>,
    /// Settings under the names that cargo and rustc have for them. From the executable: `panic`,
    /// `debug-assertions`, `target-feature`. From environment variables, cargo's configuration and
    /// the manifest as they were at the time of the run: `opt-level`, `lto`, `codegen-units`,
    /// `debug`, `overflow-checks`, `incremental`, `package` and `rustflags`, without flags for
    /// lints. Unknown settings are absent.
    pub settings: BTreeMap<String, String>,
}
