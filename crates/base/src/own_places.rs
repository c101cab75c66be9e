//! Directories of a project's code: code elsewhere belongs to others.

use std::path::Path;

/// Places of the code of a project.
#[derive(Debug, Clone, Copy)]
pub struct OwnPlaces<'a> {
    /// The executable that ran.
    pub executable: &'a Path,
    /// The root of the workspace.
    pub workspace: &'a Path,
    /// The target directory, if it is known.
    pub target: Option<&'a Path>,
}

impl OwnPlaces<'_> {
    /// Is it the executable, or a file below the workspace or the target directory?
    #[must_use]
    pub fn have(&self, path: &Path) -> bool {
        let is_in = |directory: &Path| path.starts_with(directory);
        path == self.executable || is_in(self.workspace) || self.target.is_some_and(is_in)
    }
}
