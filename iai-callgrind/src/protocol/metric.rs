//! The metrics of Callgrind: one table, from which labels, spellings and groups are read.

use serde::{Deserialize, Serialize};

/// One metric of Callgrind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum EventKind {
    /// Instructions.
    Ir,
}

/// A group of metrics.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum CallgrindMetrics {
    /// All of them.
    All,
}
