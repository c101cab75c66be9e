//! The types of the JSON output: the amounts that a benchmark handled.

use iai_callgrind::protocol::Throughput;
use serde::{Deserialize, Serialize};

/// The amounts that a benchmark handles, on both sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RecordedThroughput {
    /// The amounts of the new result; absent if it says none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new: Option<HandledAmounts>,
    /// The amounts of the old result; absent if it says none, or if there is no old result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old: Option<HandledAmounts>,
}

/// Amounts that a benchmark handles in one run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HandledAmounts {
    /// Number of bytes; absent if it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// Number of elements; absent if it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elements: Option<u64>,
}

impl RecordedThroughput {
    /// Returns the amounts of both sides, if a side says some.
    pub fn of(new: Option<Throughput>, old: Option<Throughput>) -> Option<Self> {
        let [new, old] = [new, old].map(|said| said.map(HandledAmounts::from));
        (new.is_some() || old.is_some()).then_some(Self { new, old })
    }
}

impl From<Throughput> for HandledAmounts {
    fn from(said: Throughput) -> Self {
        let Throughput { bytes, elements } = said;
        Self { bytes, elements }
    }
}

impl From<HandledAmounts> for Throughput {
    fn from(amounts: HandledAmounts) -> Self {
        let HandledAmounts { bytes, elements } = amounts;
        Self { bytes, elements }
    }
}
