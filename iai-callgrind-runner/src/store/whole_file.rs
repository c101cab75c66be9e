//! Files that users name, written whole: a reader finds the old content or the new one, and nothing in between.

use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::{fs, path};

use tempfile::Builder;

/// Replaces a file through a temporary one beside it. A link leads to the file that is replaced; what is no regular
/// file, such as a pipe, is written to.
///
/// # Errors
///
/// The file cannot be written. The old content is still there, unless it is no regular file.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let place = match path.canonicalize() {
        Ok(place) if !place.is_file() => return fs::write(path, bytes),
        Ok(place) => place,
        Err(_) => path::absolute(path)?,
    };
    let directory = place.parent().unwrap_or(Path::new("/"));
    // Those of a new file, from which the user's mask takes away.
    let permissions = fs::Permissions::from_mode(0o666);
    let mut builder = Builder::new();
    let new = builder.prefix(".iai-").permissions(permissions);
    let mut new = new.tempfile_in(directory)?;
    new.write_all(bytes)?;
    new.persist(&place).map_err(|error| error.error)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_replaced_whole_and_links_stay() {
        let root = tempfile::tempdir().unwrap();
        let place = |name: &str| root.path().join(name);
        write_whole(&place("a"), b"one").unwrap();
        std::os::unix::fs::symlink("a", place("link")).unwrap();
        write_whole(&place("link"), b"two").unwrap();
        assert_eq!(fs::read(place("a")).unwrap(), b"two");
        assert!(place("link").is_symlink());
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 2);
        write_whole(Path::new("/dev/null"), b"x").unwrap();
        assert!(write_whole(&place("none/a"), b"x").is_err());
        assert!(write_whole(root.path(), b"x").is_err());
    }
}
