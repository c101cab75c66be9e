//! The place of a file of which a project has one.

use std::path::Path;

/// The directory of a file: the nearest one here or above that has it, up to the root of the
/// workspace, else that root. `None`: nothing tells where a project is.
#[must_use]
pub fn place_of_file<'a>(name: &str, here: &'a Path) -> Option<&'a Path> {
    let mut place = None;
    for directory in here.ancestors() {
        if directory.join(name).is_file() {
            return Some(directory);
        }
        // The workspace has one lock file, at its root. Whatever lies above the repository is
        // another project's.
        if directory.join("Cargo.lock").is_file() {
            place = Some(directory);
        }
        if directory.join(".git").exists() {
            return place.or(Some(here));
        }
    }
    place
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_is_the_nearest_one_or_belongs_at_the_root() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        let here = root.join("repository/workspace/member");
        fs::create_dir_all(&here).unwrap();
        let place = || place_of_file("a.toml", &here);
        // The repository alone: where the command was started.
        fs::create_dir(root.join("repository/.git")).unwrap();
        assert_eq!(place(), Some(&*here));
        fs::write(root.join("repository/workspace/Cargo.lock"), "").unwrap();
        assert_eq!(place(), Some(&*root.join("repository/workspace")));
        // That of another project is above the repository.
        fs::write(root.join("a.toml"), "").unwrap();
        assert_eq!(place(), Some(&*root.join("repository/workspace")));
        fs::write(root.join("repository/a.toml"), "").unwrap();
        assert_eq!(place(), Some(&*root.join("repository")));
        fs::write(here.join("a.toml"), "").unwrap();
        assert_eq!(place(), Some(&*here));
    }
}
