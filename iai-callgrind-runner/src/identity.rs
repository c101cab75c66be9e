//! The name of a benchmark, as users see it and as files are named.

use std::fmt;

/// Names one benchmark: `file::group::function` and the id, if it has one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// The name of the bench target as an identifier.
    pub file: String,
    /// The group's name.
    pub group: String,
    /// The function's name.
    pub function: String,
    /// The id of the case; a function without `#[bench]` has none.
    pub id: Option<String>,
    /// The arguments as they are written in the source. Shown, never compared.
    pub args: Option<String>,
}

impl Identity {
    /// `<function>[.<id>]`: the stem of file names.
    pub fn stem(&self) -> String {
        match &self.id {
            Some(id) => format!("{}.{id}", self.function),
            None => self.function.clone(),
        }
    }
}

/// `file::group::function[::id]`: the path that filters match.
impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}::{}::{}", self.file, self.group, self.function)?;
        match &self.id {
            Some(id) => write!(f, "::{id}"),
            None => Ok(()),
        }
    }
}
