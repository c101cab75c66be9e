//! The types of the JSON output: how the benchmark executable was built.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// How the benchmark executable was built, as far as that is known.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Build {
    /// The folder of its build profile: `release`, also for the bench profile; `null` if it does not lie
    /// where cargo puts it.
    pub profile: Option<String>,
    /// Under the names that cargo and rustc have for them. From the executable: `panic`,
    /// `debug-assertions`, `target-feature`. From variables, cargo's configuration and the manifest as they
    /// were at the time of the run: `opt-level`, `lto`, `codegen-units`, `debug`, `overflow-checks`,
    /// `incremental`, `package` and `rustflags`, without flags for lints. What is not known is absent.
    pub settings: BTreeMap<String, String>,
}
