//! The content of a directory.

use std::fs::{self, FileType};
use std::io;
use std::path::Path;

/// A name in a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// The name.
    pub name: String,
    /// Kind of the entry.
    pub kind: ListedKind,
}

/// Kind of a directory entry. Symbolic links are [`Self::Other`]: they are not followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListedKind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// Anything else.
    Other,
}

impl From<FileType> for ListedKind {
    fn from(kind: FileType) -> Self {
        match kind {
            kind if kind.is_file() => Self::File,
            kind if kind.is_dir() => Self::Directory,
            _ => Self::Other,
        }
    }
}

/// The names in a directory, sorted. All names of ours are UTF-8; others are left out.
///
/// # Errors
///
/// The directory cannot be listed: it is missing, or a link or file is in its place.
pub fn list(directory: &Path) -> io::Result<Vec<Listed>> {
    // `read_dir` would follow a link.
    if !fs::symlink_metadata(directory)?.is_dir() {
        return Err(io::ErrorKind::NotADirectory.into());
    }
    let mut listed = Vec::new();
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let kind = entry.file_type()?.into();
        if let Ok(name) = entry.file_name().into_string() {
            listed.push(Listed { name, kind });
        }
    }
    listed.sort_unstable_by(|a, b| a.name.cmp(&b.name));
    Ok(listed)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn everything_is_listed_as_what_it_is() {
        let root = tempfile::tempdir().unwrap();
        let place = |name: &str| root.path().join(name);
        fs::create_dir(place("b")).unwrap();
        fs::write(place("a"), "").unwrap();
        symlink("a", place("c")).unwrap();
        let all = list(root.path()).unwrap();
        let all: Vec<_> = all.iter().map(|it| (&*it.name, it.kind)).collect();
        let expected = [
            ("a", ListedKind::File),
            ("b", ListedKind::Directory),
            ("c", ListedKind::Other),
        ];
        assert_eq!(all, expected);
        for number in 0..500 {
            fs::write(place("b").join(format!("{number:0200}")), "").unwrap();
        }
        assert_eq!(list(&place("b")).unwrap().len(), 500);
    }

    #[test]
    fn only_directories_are_listed() {
        let root = tempfile::tempdir().unwrap();
        let place = |name: &str| root.path().join(name);
        fs::write(place("file"), "").unwrap();
        symlink(".", place("link")).unwrap();
        for name in ["file", "link"] {
            let error = list(&place(name)).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::NotADirectory, "{name}");
        }
        let error = list(&place("missing")).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }
}
