//! A process of a run with what was counted in it.

use super::CounterSet;

/// One process of a run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Process {
    /// Its number.
    pub pid: Option<u32>,
    /// The process that started it.
    pub parent_pid: Option<u32>,
    /// Its command, as the log quotes it.
    pub command: String,
    /// One for each thread and part.
    pub sets: Vec<CounterSet>,
}
