//! The settings of Callgrind.

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

use super::EventKind;

/// What a user said about Callgrind at one level.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct Callgrind {
    /// Arguments for Callgrind, in the order in which they were given.
    pub args: Vec<String>,
    /// Where the count begins and ends.
    pub entry_point: Option<EntryPoint>,
    /// The metrics to show, in this order.
    pub format: Option<Vec<EventKind>>,
    /// Largest change against the old run, in percent. A negative limit is exceeded below it.
    pub soft_limits: Vec<(EventKind, f64)>,
    /// Largest value.
    pub hard_limits: Vec<(EventKind, Limit)>,
}

/// The function at whose entry the count begins and at whose return it ends.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub enum EntryPoint {
    /// Count the whole process.
    None,
    /// Count the benchmark function.
    #[default]
    Default,
    /// Count the functions whose name matches this pattern (`*` any text, `?` one character).
    Custom(String),
}

impl<T: Into<String>> From<T> for EntryPoint {
    fn from(pattern: T) -> Self {
        Self::Custom(pattern.into())
    }
}

/// A hard limit.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub enum Limit {
    /// For counters.
    Int(u64),
    /// For rates.
    Float(f64),
}

impl From<u64> for Limit {
    fn from(value: u64) -> Self {
        Self::Int(value)
    }
}

impl From<f64> for Limit {
    fn from(value: f64) -> Self {
        Self::Float(value)
    }
}
