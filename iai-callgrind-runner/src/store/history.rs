//! The history of a bench file: a line for each run that changed something, which stays when results are replaced.

/// Name of the history of a bench file.
pub const HISTORY: &str = "history.jsonl";
