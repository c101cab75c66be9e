//! A process of a run with its counters.

use super::CounterSet;

/// One process of a run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MeasuredProcess {
    /// Process id.
    pub pid: Option<u32>,
    /// Process id of the parent.
    pub parent_pid: Option<u32>,
    /// Command, as the log quotes it.
    pub command: String,
    /// Counters, a set for each thread and part.
    pub sets: Vec<CounterSet>,
}
