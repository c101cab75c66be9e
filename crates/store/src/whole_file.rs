//! Files that users name, written whole: a reader finds the old content or the new one, and nothing
//! in between.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::{fs, path};

use tempfile::Builder;

/// Replaces a file by these bytes, like [`write_whole_with`].
///
/// # Errors
///
/// The same errors as [`write_whole_with`].
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_whole_with(path, |out| out.write_all(bytes))
}

/// Replaces a file by what is written, through a temporary one beside it. A link leads to the file
/// that is replaced; what is no regular file, such as a pipe, is written to.
///
/// # Errors
///
/// The file cannot be written, or `write` fails. The old content is still there, unless it is no
/// regular file.
pub fn write_whole_with(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let place = match path.canonicalize() {
        Ok(place) if !place.is_file() => return buffered(&File::create(path)?, write),
        Ok(place) => place,
        Err(_) => path::absolute(path)?,
    };
    let directory = place.parent().unwrap_or(Path::new("/"));
    // The permissions of any new file: the umask applies to them.
    let permissions = fs::Permissions::from_mode(0o666);
    let mut builder = Builder::new();
    let new = builder.prefix(".iai-").permissions(permissions);
    let new = new.tempfile_in(directory)?;
    buffered(new.as_file(), write)?;
    new.persist(&place).map_err(|error| error.error)?;
    Ok(())
}

fn buffered(file: &File, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::new(file);
    write(&mut out)?;
    out.flush()
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

    #[test]
    fn the_old_content_stays_if_the_new_one_cannot_be_made() {
        let root = tempfile::tempdir().unwrap();
        let place = root.path().join("a");
        fs::write(&place, "old").unwrap();
        let failed = write_whole_with(&place, |out| {
            out.write_all(b"new")?;
            Err(io::Error::other("no more"))
        });
        assert_eq!(failed.unwrap_err().to_string(), "no more");
        assert_eq!(fs::read(&place).unwrap(), b"old");
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 1);
    }
}
