//! The outcome of one benchmark, for reports and files.

use crate::compare::{Comparison, Regression};
use crate::identity::Identity;
use crate::metrics::Kind;
use crate::tool::Tool;

/// The outcome of one benchmark under one tool.
#[derive(Debug, Clone)]
pub struct ToolResult {
    /// The tool.
    pub tool: Tool,
    /// The metrics to show, in this order.
    pub format: Vec<Kind>,
    /// New against old.
    pub total: Comparison,
    /// Limits that were exceeded.
    pub regressions: Vec<Regression>,
    /// What else the user should know, one line each.
    pub notes: Vec<String>,
}

/// An earlier benchmark of the group with the same id against this one.
#[derive(Debug, Clone)]
pub struct ById {
    /// The other benchmark; it is the new side.
    pub other: Identity,
    /// One for each tool that both ran under, with the metrics to show.
    pub tools: Vec<(Tool, Vec<Kind>, Comparison)>,
}

/// The names of the new and of the old data; `None`: the last run and the one before.
pub type Baselines = (Option<String>, Option<String>);
